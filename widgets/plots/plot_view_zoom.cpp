// SPDX-License-Identifier: GPL-3.0-or-later
// Where a PlotView looks: zoom, its history, and what another view takes over.
#include "widgets/plots/plot_view_impl.h"

#include <cmath>

namespace accumulus::ui {

namespace {

constexpr int kBurst = 600; ///< ms; changes closer together are one entry of the history
constexpr std::size_t kHistory = 50;

/// `range` scaled around `centre`, on a logarithmic axis in its decades.
AxisRange zoomed(const AxisRange& range, double factor, double centre, bool logarithmic) {
    if (logarithmic) {
        const double c = std::log10(centre);
        return {std::pow(10.0, c + (std::log10(range.lower) - c) * factor),
                std::pow(10.0, c + (std::log10(range.upper) - c) * factor)};
    }
    return {centre + (range.lower - centre) * factor, centre + (range.upper - centre) * factor};
}

} // namespace

Viewpoint PlotView::Impl::viewpoint() const { return {group->follow(), group->x(), manualY}; }

void PlotView::Impl::look(const Viewpoint& at) {
    manualY = at.y;
    if (at.follow)
        group->setFollow(true);
    else
        group->setX(at.x);
    group->interacted();
}

void PlotView::Impl::remember() {
    const bool burst = !past.empty() && sinceRemembered.elapsed() < kBurst;
    sinceRemembered.restart();
    if (burst)
        return;
    future.clear();
    if (!past.empty() && past.back() == viewpoint())
        return;
    past.push_back(viewpoint());
    if (past.size() > kHistory)
        past.erase(past.begin());
}

void PlotView::Impl::zoom(bool horizontal, double factor, double centre) {
    remember();
    if (horizontal)
        group->setX(zoomed(group->x(), factor, centre, group->logX()));
    else
        manualY = zoomed(y, factor, centre, model.logY);
    group->interacted();
}

void PlotView::fit() {
    m_impl->remember();
    m_impl->manualY.reset();
    m_impl->group->setFollow(true);
    m_impl->group->interacted();
}

void PlotView::forgetZoom() {
    Impl& impl = *m_impl;
    impl.manualY.reset();
    impl.showAll = false;
    impl.past.clear();
    impl.future.clear();
    impl.overlay.selected.reset();
    impl.group->setCrosshair({});
    impl.group->setPin({});
    impl.group->setFollow(true);
    impl.group->interacted();
}

void PlotView::zoomBack() {
    if (m_impl->past.empty())
        return;
    m_impl->future.push_back(m_impl->viewpoint());
    m_impl->look(m_impl->past.back());
    m_impl->past.pop_back();
}

void PlotView::zoomForward() {
    if (m_impl->future.empty())
        return;
    m_impl->past.push_back(m_impl->viewpoint());
    m_impl->look(m_impl->future.back());
    m_impl->future.pop_back();
}

void PlotView::zoomX(double lower, double upper) {
    m_impl->remember();
    m_impl->group->setX({lower, upper});
}

PlotViewpoint PlotView::viewpoint() const {
    const Viewpoint at = m_impl->viewpoint();
    return {at.follow, at.x, at.y, logX(), logY(), showAll(), hiddenCurves()};
}

/// The axes first: another kind of them fits the range anew.
void PlotView::setViewpoint(const PlotViewpoint& at) {
    setLogX(at.logX);
    setLogY(at.logY);
    setShowAll(at.showAll);
    m_impl->group->setHidden({at.hidden.begin(), at.hidden.end()});
    m_impl->look({at.follow, at.x, at.y});
}

} // namespace accumulus::ui
