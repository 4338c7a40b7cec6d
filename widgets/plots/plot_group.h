// SPDX-License-Identifier: GPL-3.0-or-later
// What linked panels share: x range, log x, guides, hidden curves, following, crosshair, left margin, and one clock for
// repainting, so that drawing never costs training more than a few percent. A lone panel has a group of its own. GUI
// thread.
#pragma once

#include "widgets/plots/curve_data.h"

#include <QString>
#include <QTimer>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace accumulus::ui {

/// A panel, as its group sees it.
class PlotGroupMember {
public:
    virtual ~PlotGroupMember() = default;
    [[nodiscard]] virtual AxisRange dataExtent() const = 0;
    [[nodiscard]] virtual bool onScreen() const = 0;
    virtual void draw() = 0;              ///< everything, with the group's x range
    virtual void crosshairMoved() = 0;    ///< only the overlay
    virtual void groupStateChanged() = 0; ///< follow, log x or a curve was switched
    virtual void finishCurves() = 0;      ///< waits for what is being prepared
};

class PlotGroup {
public:
    PlotGroup();

    void add(PlotGroupMember* member);
    void remove(PlotGroupMember* member);
    [[nodiscard]] const std::vector<PlotGroupMember*>& members() const { return m_members; }

    void dataChanged(); ///< repaint soon, at most 10 times a second and within the budget
    void interacted();  ///< repaint with the next frame: somebody is watching their own hand
    void refreshNow();  ///< all panels before this returns; else those that take long let events in between

    [[nodiscard]] bool follow() const { return m_follow; }
    void setFollow(bool on);
    [[nodiscard]] const AxisRange& x() const { return m_x; }
    void setX(const AxisRange& range); ///< by hand: ends following
    [[nodiscard]] bool logX() const { return m_logX; }
    void setLogX(bool on);
    [[nodiscard]] bool guides() const { return m_guides; }
    void setGuides(bool on);
    [[nodiscard]] const std::set<QString>& hidden() const { return m_hidden; } ///< ids of curves
    void setHidden(std::set<QString> ids);

    [[nodiscard]] const std::optional<double>& crosshair() const { return m_crosshair; }
    void setCrosshair(std::optional<double> x);
    [[nodiscard]] const std::optional<double>& pin() const { return m_pin; }
    void setPin(std::optional<double> x);

    /// Tells the margin one panel needs, returns the widest of all.
    [[nodiscard]] int sharedLeftMargin(const PlotGroupMember* member, int own);

private:
    void followData();
    void begin();
    void drawSome(double milliseconds);
    void proceed();
    [[nodiscard]] int widestMargin() const;

    std::vector<PlotGroupMember*> m_members;
    std::vector<PlotGroupMember*> m_waiting; ///< to be drawn in this turn, the last one first
    int m_marginAtBegin = 0;
    bool m_changed = false, m_touched = false; ///< dataChanged() and interacted() while some were waiting
    QTimer m_clock;                            ///< single shot
    bool m_follow = true;
    bool m_logX = false;
    bool m_guides = true;
    std::set<QString> m_hidden;
    AxisRange m_x{0.0, 1.0};
    std::optional<double> m_crosshair;
    std::optional<double> m_pin;
    std::map<const PlotGroupMember*, int> m_margins;
    double m_cost = 0.0;     ///< milliseconds of this turn so far
    double m_lastCost = 0.0; ///< of the last one
};

} // namespace accumulus::ui
