// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of PlotView, shared by plot_view.cpp (drawing), plot_view_curves.cpp (data), plot_view_input.cpp (mouse and
// keys), plot_view_zoom.cpp and plot_view_export.cpp.
#pragma once

#include "widgets/bridge/file_writer.h"
#include "widgets/bridge/newest_work.h"
#include "widgets/plots/plot_canvas.h"
#include "widgets/plots/plot_group.h"
#include "widgets/plots/plot_overlay.h"
#include "widgets/plots/plot_view.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QToolButton>
#include <array>
#include <functional>

namespace accumulus::ui {

/// Where a panel looks; one entry of the zoom history.
struct Viewpoint {
    bool follow = true;
    AxisRange x;
    std::optional<AxisRange> y; ///< empty: fitted to the visible points
    bool operator==(const Viewpoint&) const = default;
};

class PlotView::Impl : public PlotGroupMember {
public:
    Impl(PlotView& owner, const Theme& ownerTheme);
    ~Impl() override;

    [[nodiscard]] AxisRange dataExtent() const override;
    [[nodiscard]] bool onScreen() const override;
    void draw() override;
    void crosshairMoved() override;
    void groupStateChanged() override;
    void finishCurves() override;

    void join(const std::shared_ptr<PlotGroup>& other);
    void applyStyle();
    void scaleY(); ///< after new data

    // Curves that are prepared on another thread.
    using Builder = std::shared_ptr<const std::function<std::vector<PlotCurve>()>>; ///< what it holds is not copied
    void startBuilding();
    void startSmoothing();
    void bringUpToDate(); ///< before what is shown is saved
    void settle();        ///< what was on its way is there, or has failed

    [[nodiscard]] std::array<QToolButton*, 4> badges() {
        return {&outlierBadge, &hiddenBadge, &savingBadge, &doneBadge};
    }
    void updateBadges();
    void showHidden();                 ///< what logarithmic axes hide: they become linear
    void confirm(const QString& what); ///< that something was copied or saved
    void updateSaving();               ///< the badge of a file that is being written
    void updateWords();

    // Viewpoints.
    [[nodiscard]] Viewpoint viewpoint() const;
    void look(const Viewpoint& at);
    void remember(); ///< before a change by hand; a burst of small ones counts once
    void zoom(bool horizontal, double factor, double centre);
    void panTo(const QPoint& position);
    void zoomIntoBox(const QRect& box);

    // Crosshair.
    [[nodiscard]] std::optional<double> nearestX(double pixel) const;
    void moveCrosshair(int points);
    void selectCurve(int direction);
    void announceCrosshair();
    /// Whose curve is nearest to pixel `near` at x; `selected` before all.
    void tellRun(double x, std::optional<double> near, std::optional<std::size_t> selected);

    PlotView& view;
    const Theme& theme;
    PlotModel model;
    PlotCanvas canvas;
    PlotOverlay overlay;
    QToolButton outlierBadge;
    QToolButton hiddenBadge;
    QToolButton savingBadge;
    QToolButton doneBadge;
    QTimer forgetDone;
    std::shared_ptr<PlotGroup> group;
    std::optional<AxisRange> manualY;
    AxisRange y{0.0, 1.0};
    AxisRange announcedX;
    YFit yFit;
    bool toldFollow = true, toldLogX = false; ///< last state announced by signals
    bool showAll = false;
    bool symmetricY = false;
    bool compactX = false;
    std::vector<Viewpoint> past, future;
    QElapsedTimer sinceRemembered;

    enum class Gesture { None, Press, Pan, Box, LegendPress, Legend };
    Gesture gesture = Gesture::None;
    bool boxPossible = false; ///< this press zooms into a box when dragged
    QPoint pressed;
    QPoint legendGrip;
    AxisRange pressedX, pressedY;

    Smoothing smoothing; ///< as asked for; the model has that of what is shown
    Builder builder;     ///< of the curves that are on their way
    struct HeldPoints {
        QString id;
        std::vector<double> x, y;
    };
    std::vector<HeldPoints> held; ///< came while curves were prepared, and belong at their end
    struct HeldFile {
        QString file;
        PlotFormat format;
    };
    std::vector<HeldFile> heldFiles; ///< to be saved when the curves are there
    bool heldTable = false;          ///< to be shown then
    FileWriter files;
    NewestWork work; ///< the last member: its thread ends first
};

} // namespace accumulus::ui
