// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of PlotView: few points are prepared at once, many on another thread.
#include "widgets/plots/plot_view_impl.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace accumulus::ui {

namespace {

using ModelCurves = std::vector<ModelCurve>;

Smoothing smoothingOf(const PlotCurve& look, const Smoothing& smoothing) {
    return look.points ? Smoothing() : smoothing;
}

/// Looks, points and index of all curves, as far as they are still wanted.
ModelCurves prepared(std::vector<PlotCurve> curves, const Smoothing& smoothing, const std::stop_token& stop) {
    ModelCurves fresh;
    fresh.reserve(curves.size());
    for (PlotCurve& look : curves) {
        if (stop.stop_requested())
            break;
        ModelCurve& curve = fresh.emplace_back();
        curve.data.setSmoothing(smoothingOf(look, smoothing));
        curve.data.assign(std::exchange(look.series, {}));
        curve.look = std::move(look);
    }
    return fresh;
}

std::size_t pointsOf(const std::vector<PlotCurve>& curves) {
    std::size_t points = 0;
    for (const PlotCurve& curve : curves)
        points += curve.series.size();
    return points;
}

} // namespace

void PlotView::Impl::scaleY() { model.symmetric.linear = symmetricY ? linearPartOf(model) : 0.0; }

void PlotView::Impl::startBuilding() {
    overlay.waiting = true;
    overlay.update();
    work.start([this, build = builder, with = smoothing](const std::stop_token& stop) -> NewestWork::Deliver {
        auto fresh = std::make_shared<ModelCurves>(prepared((*build)(), with, stop));
        return [this, fresh, with] {
            model.curves = std::move(*fresh);
            model.smoothing = with;
            builder = nullptr;
        };
    });
}

/// The points stay those that are shown, which take no others meanwhile.
void PlotView::Impl::startSmoothing() {
    work.start(
        [this, curves = model.curves, with = smoothing](const std::stop_token& stop) mutable -> NewestWork::Deliver {
            for (ModelCurve& curve : curves)
                if (!stop.stop_requested())
                    curve.data.setSmoothing(smoothingOf(curve.look, with));
            auto fresh = std::make_shared<ModelCurves>(std::move(curves));
            return [this, fresh, with] {
                model.curves = std::move(*fresh);
                model.smoothing = with;
                group->interacted();
            };
        });
}

void PlotView::Impl::settle() {
    builder = nullptr;
    overlay.waiting = false;
    overlay.update();
    for (const HeldPoints& points : std::exchange(held, {}))
        view.append(points.id, points.x, points.y);
    scaleY();
    if (overlay.selected && *overlay.selected >= model.curves.size())
        overlay.selected.reset();
    group->dataChanged();
    if (!heldFiles.empty() || heldTable)
        group->refreshNow(); // they show the range of these curves
    for (const HeldFile& file : std::exchange(heldFiles, {}))
        view.saveInBackground(file.file, file.format);
    if (std::exchange(heldTable, false))
        view.showTable();
}

void PlotView::Impl::finishCurves() { work.finish(); }

void PlotView::Impl::bringUpToDate() {
    if (!work.busy())
        return;
    finishCurves();
    group->refreshNow(); // x and y range are those of the new curves
}

void PlotView::setCurves(std::vector<PlotCurve> curves) {
    const std::size_t points = pointsOf(curves);
    buildCurves(points, [kept = std::make_shared<const std::vector<PlotCurve>>(std::move(curves))] { return *kept; });
}

void PlotView::buildCurves(std::size_t points, std::function<std::vector<PlotCurve>()> build) {
    m_impl->held.clear(); // the new curves hold them
    if (points >= manyPoints) {
        m_impl->builder = std::make_shared<const std::function<std::vector<PlotCurve>()>>(std::move(build));
        m_impl->startBuilding();
        return;
    }
    m_impl->work.cancel();
    m_impl->model.curves = prepared(build(), m_impl->smoothing, {});
    m_impl->model.smoothing = m_impl->smoothing;
    m_impl->settle();
}

bool PlotView::setLooks(std::vector<PlotCurve> looks) {
    std::vector<ModelCurve>& curves = m_impl->model.curves;
    const auto sameCurve = [](const ModelCurve& curve, const PlotCurve& look) {
        return curve.look.id == look.id && curve.look.points == look.points;
    };
    if (m_impl->work.busy() || !std::ranges::equal(curves, looks, sameCurve))
        return false;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        looks[i].series = {};
        curves[i].look = std::move(looks[i]);
    }
    m_impl->group->interacted();
    return true;
}

bool PlotView::preparing() const { return m_impl->work.busy(); }

void PlotView::append(const QString& id, std::span<const double> x, std::span<const double> y) {
    if (m_impl->work.busy()) {
        m_impl->held.push_back({id, {x.begin(), x.end()}, {y.begin(), y.end()}});
        return;
    }
    for (ModelCurve& curve : m_impl->model.curves)
        if (curve.look.id == id) {
            curve.data.append(x, y);
            m_impl->group->dataChanged();
            return;
        }
}

void PlotView::setSmoothing(double beta) { setSmoothing(Smoothing{.beta = beta}); }

void PlotView::setSmoothing(const Smoothing& smoothing) {
    Impl& impl = *m_impl;
    if (smoothing == impl.smoothing)
        return;
    impl.smoothing = smoothing;
    if (impl.builder) // what is on its way shall have it
        return impl.startBuilding();
    std::size_t points = 0;
    for (const ModelCurve& curve : impl.model.curves)
        points += curve.look.points ? 0 : curve.data.size();
    if (points >= manyPoints)
        return impl.startSmoothing();
    impl.model.smoothing = smoothing;
    for (ModelCurve& curve : impl.model.curves)
        curve.data.setSmoothing(smoothingOf(curve.look, smoothing));
    impl.group->interacted();
}

double PlotView::smoothing() const { return m_impl->smoothing.beta; }

void PlotView::refreshNow() {
    for (PlotGroupMember* member : m_impl->group->members())
        member->finishCurves();
    redraw();
}

void PlotView::redraw() { m_impl->group->refreshNow(); }

} // namespace accumulus::ui
