// SPDX-License-Identifier: GPL-3.0-or-later
// One plot panel over QCustomPlot: curves with a raw curve behind the smoothed one, bands, crosshair, zoom, min-max
// thinning, export. GUI thread. QCustomPlot stays inside the .cpp (qcp.h): nobody else includes it. The owner hands
// complete curves, or appends to them; the view keeps all points, smooths all of them and draws a thinned picture of
// the visible range.
//
// Mouse: wheel zooms x at the cursor (over the y axis or with Ctrl: y; on a page that scrolls once the plot has the
// focus), drag pans, Shift+drag or right drag zooms into
// a box, double click fits, a click pins a marker, a click on an entry of the legend hides or shows its curve on all
// linked panels, the legend can be dragged. Keys: F fit, L log y, Shift+L log x, O
// show all points, arrows move the crosshair, Ctrl+Up/Down next curve, + and - zoom, Alt+Left/Right zoom history, Esc
// clears, G guides, Ctrl+E export, T the numbers as a table, Menu key the menu. While nobody has zoomed y, it follows
// the visible points; a few far ones are left out of the range and counted in a badge.
#pragma once

#include "core/analysis/series.h"
#include "widgets/plots/curve_data.h"
#include "widgets/plots/group_mark.h"
#include "widgets/style/theme.h"

#include <QList>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

class QMenu;

namespace accumulus::ui {

struct PlotCurve {
    QString id;    ///< stable: the same id updates the curve in place
    QString label; ///< legend
    QColor color;
    bool dashed = false;
    bool points = false;    ///< draw markers (evaluations: few points)
    bool thin = false;      ///< thin line without legend entry (a single seed behind a mean)
    Series series;          ///< raw values, all points, x ascending
    bool triangles = false; ///< for markers: measured on something else than the curve beside it
    bool crosses = false;   ///< crosses without a line: places where there is no value
    QList<qreal> dashes{};  ///< of the line, in widths of the pen; empty: solid, or the usual ones where dashed
    std::optional<GroupMark> mark{}; ///< for markers; empty: as `dashed` and `triangles` have it
    QString run{};                   ///< whose values they are; empty: those of no single run
    bool raw = false;                ///< with `thin`: what another curve smooths, pale behind it
    bool gapsAreNoFault = false;     ///< nothing was measured or estimated there: they bear no mark
    QString partOf{};                ///< id of the curve that hides it with itself; empty: it hides alone
};

/// Words beside a point of the panel.
struct PlotNote {
    double x = 0.0, y = 0.0;
    QString text;
    QColor color;
    Qt::Alignment side = Qt::AlignLeft | Qt::AlignTop; ///< where the words stand, seen from the point
    bool operator==(const PlotNote&) const = default;
};

struct PlotBand {
    QString id; ///< of the curve that hides it with itself
    QColor color;
    std::vector<double> x, lower, upper;
};

/// Where a panel looks, and on which axes: what the same panel of another window takes over.
struct PlotViewpoint {
    bool follow = true;
    AxisRange x;                ///< shared by linked panels, like `follow` and `logX`
    std::optional<AxisRange> y; ///< zoomed by hand; empty: fitted to the visible points
    bool logX = false, logY = false, showAll = false;
    QStringList hidden{}; ///< ids of curves; shared by linked panels
    bool operator==(const PlotViewpoint&) const = default;
};

/// How a plot is saved.
struct PlotFormat {
    QString suffix = QStringLiteral("png"); ///< png, svg, pdf or csv
    double scale = 2.0;                     ///< of a PNG, 1 to 4
    bool visibleOnly = false;               ///< of a CSV: the points in the visible x range
};

class PlotView : public QWidget {
    Q_OBJECT
public:
    explicit PlotView(const Theme& theme, QWidget* parent = nullptr);
    ~PlotView() override;

    void setTitle(const QString& title);
    void setAxisTitles(const QString& x, const QString& y); ///< with units
    void setLogX(bool on);                                  ///< for all linked views; points at x <= 0 likewise
    void setLogY(bool on);                                  ///< values <= 0 are hidden and counted in a badge
    /// y of both signs: linear around zero, logarithmic beyond; setLogY goes before it.
    void setSymmetricLogY(bool on);
    [[nodiscard]] bool logX() const;
    [[nodiscard]] bool logY() const;
    /// beta of the debiased EMA over all points, 0 = none; the raw curve stays behind at 30 %.
    void setSmoothing(double beta);
    void setSmoothing(const Smoothing& smoothing);
    [[nodiscard]] double smoothing() const; ///< beta
    void setLegendVisible(bool on);
    void setLegendAlignment(
        Qt::Alignment alignment); ///< corner inside the panel; top right by default. The person may drag it elsewhere.
    /// Hides title and tick labels of the x axis on the screen, for all but the lowest of stacked panels. Exports have
    /// them always.
    void setXAxisCompact(bool on);

    /// From so many points on curves are prepared (smoothed, indexed) on a thread of their own. What is shown stays
    /// until they are there; a newer order drops an older one.
    static constexpr std::size_t manyPoints = 50'000;
    /// Replaces the curves. Repaint happens at most 10 times a second.
    void setCurves(std::vector<PlotCurve> curves);
    /// The same of about so many points that `build` gives, where there are many: on the other thread, maybe twice. It
    /// holds all that it needs.
    void buildCurves(std::size_t points, std::function<std::vector<PlotCurve>()> build);
    /// Other colours, lines and words for the curves that are shown; their points stay (`series` is not looked at).
    /// False, and nothing is changed, where other curves are shown or on their way.
    [[nodiscard]] bool setLooks(std::vector<PlotCurve> looks);
    [[nodiscard]] bool preparing() const; ///< curves, or another smoothing of them, are on their way
    /// Adds points to the end of a curve; costs only the new points. x must not be below the curve's last x. An unknown
    /// id is ignored.
    void append(const QString& id, std::span<const double> x, std::span<const double> y);
    void setBands(std::vector<PlotBand> bands);
    void setNotes(std::vector<PlotNote> notes);
    void setXTicks(std::vector<double> values); ///< only these, as far as they have room; empty: round numbers
    /// Instead of the sentence about the curves' last values.
    void setSummary(const QString& summary);
    void setZeroLine(bool on);
    void setMarginBand(std::optional<double> margin); ///< shaded ± around zero
    void setEmptyText(const QString& text);           ///< shown while there are no points and none are on their way

    /// Of this id on all linked views, with what is part of it: bands, single seeds, the raw curve.
    void setCurveHidden(const QString& id, bool hidden);
    [[nodiscard]] QStringList hiddenCurves() const; ///< ids
    void showAllCurves();
    void setGuides(bool on); ///< grid lines, for all linked views; on by default
    [[nodiscard]] bool guides() const;
    void setFollow(bool on); ///< x and y range follow the data until the person zooms; fit() turns it on again
    [[nodiscard]] bool follow() const;
    void setShowAll(bool on); ///< y range holds the outliers too
    [[nodiscard]] bool showAll() const;
    void fit();
    void zoomBack();
    void forgetZoom(); ///< for other data: range, outliers, crosshair and history as at the start
    void zoomForward();
    [[nodiscard]] PlotViewpoint viewpoint() const;
    void setViewpoint(const PlotViewpoint& at); ///< also before its points are there
    void zoomX(double lower, double upper);     ///< as if by hand: remembered in the history, ends following
    /// Views in one group share the x range, log x, the guides, the crosshair position and the width of their left
    /// margin.
    void linkWith(const std::vector<PlotView*>& others);
    [[nodiscard]] double xMin() const; ///< visible range
    [[nodiscard]] double xMax() const;
    [[nodiscard]] double yMin() const;
    [[nodiscard]] double yMax() const;
    [[nodiscard]] std::size_t outliers() const;     ///< points beyond the y range that the badge counts
    [[nodiscard]] std::size_t hiddenValues() const; ///< values <= 0, or at x <= 0, that logarithmic axes hide
    /// Waits for what is being prepared in all linked views and draws it at once: for tests and exports.
    void refreshNow();
    void redraw(); ///< at once, what there is

    [[nodiscard]] QString
    summaryText() const; ///< for accessibility: "2 curves, last 0.231 and 0.229, difference 0.002"
    [[nodiscard]] std::size_t curveCount() const;

    [[nodiscard]] bool savePng(const QString& file, double scale = 2.0) const; ///< light colours
    [[nodiscard]] bool saveSvg(const QString& file) const;
    [[nodiscard]] bool savePdf(const QString& file) const; ///< vectors, texts as texts
    /// Long format: curve, x, y (raw), smoothed. All points, or those in the visible x range.
    [[nodiscard]] bool saveCsv(const QString& file, bool visibleOnly = false) const;
    void copyToClipboard() const;
    void showTable();        ///< the visible points as numbers, in a window of its own
    void exportWithDialog(); ///< asks for a file and a format, and saves there in the background
    /// As saveAs(), but CSV and PNG are written on another thread; exportFinished() or exportFailed() follows. The file
    /// becomes whole even when the view goes meanwhile.
    void saveInBackground(const QString& file, const PlotFormat& format = {});
    [[nodiscard]] bool saving() const;
    void cancelSaving(); ///< leaves no file; what was there stays
    /// As PNG, SVG, PDF or CSV by the name's ending; any other ending is followed by the format's. False:
    /// exportFailed() came.
    bool saveAs(QString file, const PlotFormat& format = {});

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void rangeChanged(double xMin, double xMax);
    void followChanged(bool on);
    void logXChanged(bool on);
    void logYChanged(bool on);
    void runPointedAt(const QString& run); ///< its curve is the one nearest to a click, or was chosen by a key
    void exportFailed(const QString& file);
    void exportFinished(const QString& file); ///< by saveInBackground()

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    class Impl;
    void showMenu(const QPoint& at);
    void addCurves(QMenu& menu);
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui
