// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_group.h"

#include <QElapsedTimer>
#include <QThread>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr int kFrame = 16;         ///< ms; what a hand's motion needs
constexpr int kFastest = 100;      ///< ms; at most 10 data repaints a second
constexpr int kSlowest = 1000;     ///< ms
constexpr double kCpuShare = 0.03; ///< of all cores: training on the same CPU shall not notice
constexpr double kAtATime = 30.0;  ///< ms; a panel that begins before is drawn, then other events come

} // namespace

PlotGroup::PlotGroup() {
    m_clock.setSingleShot(true);
    QObject::connect(&m_clock, &QTimer::timeout, &m_clock, [this] { proceed(); });
}

void PlotGroup::add(PlotGroupMember* member) {
    if (std::find(m_members.begin(), m_members.end(), member) == m_members.end())
        m_members.push_back(member);
    dataChanged();
}

void PlotGroup::remove(PlotGroupMember* member) {
    std::erase(m_members, member);
    std::erase(m_waiting, member);
    m_margins.erase(member);
}

void PlotGroup::dataChanged() {
    m_changed = m_changed || !m_waiting.empty();
    if (m_clock.isActive())
        return;
    const double budgeted = m_lastCost / (kCpuShare * std::max(1, QThread::idealThreadCount()));
    m_clock.start(std::clamp(static_cast<int>(budgeted), kFastest, kSlowest));
}

void PlotGroup::interacted() {
    m_touched = m_touched || !m_waiting.empty();
    if (!m_clock.isActive() || m_clock.remainingTime() > kFrame)
        m_clock.start(kFrame);
}

int PlotGroup::widestMargin() const {
    int margin = 0;
    for (const auto& [member, own] : m_margins)
        margin = std::max(margin, own);
    return margin;
}

void PlotGroup::begin() {
    if (m_follow)
        followData();
    m_waiting.assign(m_members.rbegin(), m_members.rend());
    m_marginAtBegin = widestMargin();
    m_changed = m_touched = false;
    m_cost = 0.0;
}

void PlotGroup::drawSome(double milliseconds) {
    QElapsedTimer watch;
    watch.start();
    double spent = 0.0;
    while (!m_waiting.empty() && spent < milliseconds) {
        PlotGroupMember* member = m_waiting.back();
        m_waiting.pop_back();
        if (member->onScreen())
            member->draw();
        spent = static_cast<double>(watch.nsecsElapsed()) / 1e6;
    }
    m_cost += spent;
}

/// A turn, or what is left of it: many panels of long curves, all at once, would hold up what a person does meanwhile.
void PlotGroup::proceed() {
    if (m_waiting.empty())
        begin();
    drawSome(kAtATime);
    if (!m_waiting.empty()) {
        m_clock.start(0);
        return;
    }
    m_lastCost = m_cost;
    // A label grew: panels drawn before it was known are not aligned yet.
    if (m_touched || widestMargin() != m_marginAtBegin)
        interacted();
    else if (m_changed)
        dataChanged();
}

void PlotGroup::refreshNow() {
    m_clock.stop();
    begin();
    drawSome(std::numeric_limits<double>::infinity());
    m_lastCost = m_cost;
    if (widestMargin() == m_marginAtBegin)
        return;
    begin();
    drawSome(std::numeric_limits<double>::infinity());
}

void PlotGroup::followData() {
    AxisRange all;
    for (const PlotGroupMember* member : m_members)
        all.include(member->dataExtent());
    if (!all.valid() || (m_logX && !(all.lower > 0.0)))
        return;
    // A little air at the right: the newest point, often with a marker, is the one that is looked at.
    constexpr double kAir = 0.012;
    if (m_logX) {
        const double upper = std::max(all.upper, all.lower * 10.0);
        m_x = {all.lower, upper * std::pow(upper / all.lower, kAir)};
        return;
    }
    // Counters start near 0: show where they started.
    if (all.lower > 0.0 && all.lower < 0.2 * all.upper)
        all.lower = 0.0;
    if (all.upper <= all.lower)
        all.upper = all.lower + (all.lower == 0.0 ? 1.0 : std::abs(all.lower));
    m_x = {all.lower, all.upper + kAir * (all.upper - all.lower)};
}

void PlotGroup::setFollow(bool on) {
    if (on == m_follow)
        return;
    m_follow = on;
    for (PlotGroupMember* member : m_members)
        member->groupStateChanged();
    interacted();
}

void PlotGroup::setX(const AxisRange& range) {
    if (!(range.lower < range.upper) || !std::isfinite(range.lower) || !std::isfinite(range.upper))
        return;
    if (m_logX && range.lower <= 0.0)
        return;
    m_x = range;
    setFollow(false);
    interacted();
}

void PlotGroup::setLogX(bool on) {
    if (on == m_logX)
        return;
    m_logX = on;
    m_follow = true; // the old range may have no place on the new axis
    for (PlotGroupMember* member : m_members)
        member->groupStateChanged();
    interacted();
}

void PlotGroup::setGuides(bool on) {
    m_guides = on;
    interacted();
}

void PlotGroup::setHidden(std::set<QString> ids) {
    if (ids == m_hidden)
        return;
    m_hidden = std::move(ids);
    for (PlotGroupMember* member : m_members)
        member->groupStateChanged();
    interacted();
}

void PlotGroup::setCrosshair(std::optional<double> x) {
    if (x == m_crosshair)
        return;
    m_crosshair = x;
    for (PlotGroupMember* member : m_members)
        member->crosshairMoved();
}

void PlotGroup::setPin(std::optional<double> x) {
    m_pin = x;
    for (PlotGroupMember* member : m_members)
        member->crosshairMoved();
}

int PlotGroup::sharedLeftMargin(const PlotGroupMember* member, int own) {
    m_margins[member] = own;
    int margin = own;
    for (const auto& [other, width] : m_margins)
        if (other->onScreen())
            margin = std::max(margin, width);
    return margin;
}

} // namespace accumulus::ui
