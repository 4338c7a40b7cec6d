// SPDX-License-Identifier: GPL-3.0-or-later
// Where a window that is not finite has become so. Costs nothing as long as windows are finite: one micro-step is
// computed again at the same weights, by the rank that had it.
#include "core/engine/engine.h"
#include "core/engine/layer_watch.h"
#include "core/ranks/packed.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <exception>

namespace accumulus {
namespace {

/// A search takes as long as a micro-step; data that break down in every window would pay for it in each.
constexpr int mostLeftOutSearches = 10;

} // namespace

std::optional<NonfinitePlace> Engine::whereNonfinite(const WindowPlan& plan, const WindowRequest& request,
                                                     const WindowGradient& closed) {
    if (closed.finite && closed.leftOut == 0)
        return std::nullopt;
    const bool onlySum = !closed.finite && closed.firstNonfinite < 0;
    NonfinitePlace place;
    if (onlySum)
        place = firstOfRanks(whereInSum());
    // Where a GPU decides, it has made the update by now: what is found is where the micro-step breaks down at the
    // weights behind it, and nothing where it does so no longer.
    else if (!closed.finite || ++m_leftOutSearches <= mostLeftOutSearches)
        place =
            firstOfRanks(whereInMicroStep(plan, request, closed.finite ? closed.firstLeftOut : closed.nonfinitePlace));
    place.microStep = (closed.finite ? closed.firstLeftOut : closed.firstNonfinite) + 1;
    place.microSteps = closed.finite ? std::ssize(plan.microSizes) : closed.microSteps;
    return place;
}

NonfinitePlace Engine::whereInMicroStep(const WindowPlan& plan, const WindowRequest& request, std::int64_t index) {
    const int rank = m_ranks ? m_ranks->ranks().rank() : 0;
    const int ranks = m_ranks ? m_ranks->ranks().size() : 1;
    // As they were dealt out; what the window held before, somebody else may have computed.
    if (index < 0 || index >= std::ssize(plan.microSizes) || (index + ranks - request.done % ranks) % ranks != rank)
        return {};
    NonfinitePlace place;
    const MicroBatches batches(plan, request);
    m_lanes.run([&](int lane) {
        if (lane != 0)
            return;
        try {
            LayerWatch watch(*m_state.model, m_state.parameters, m_state.statistics.flat());
            place = m_executor->firstLane().whereNonfinite(watch, batches.keys(index), m_recovery.largestPart(),
                                                           m_recovery.smallestPart());
        } catch (const std::exception&) { // memory, for example: then the place is not known
            place = {};
        }
    });
    return place;
}

/// Of the gradient that this rank holds: all of it, or its shard.
NonfinitePlace Engine::whereInSum() const {
    NonfinitePlace place;
    place.part = NonfinitePlace::Part::Sum;
    const at::Tensor& sums = m_state.window.gradient();
    const std::vector<bool>& touched = m_state.window.touched();
    const ParameterLayout& layout = m_state.model->layout();
    const std::int64_t begin = m_shards.empty() ? 0 : m_shards[static_cast<std::size_t>(m_ranks->ranks().rank())].begin;
    try {
        for (std::size_t i = 0; i < layout.size(); ++i) {
            const std::int64_t first = std::max<std::int64_t>(layout.offset(i) - begin, 0);
            const std::int64_t last = std::min(layout.offset(i) + layout.extent(i) - begin, sums.numel());
            if (layout.specs()[i].trainable && touched[i] && first < last &&
                !isFinite(sums.narrow(0, first, last - first))) {
                place.layer = layerOf(layout.specs()[i].name);
                break;
            }
        }
    } catch (const std::exception&) { // no memory: then no layer is named
    }
    return place;
}

/// What the lowest rank says that knows a layer, or anything; all of them call it.
NonfinitePlace Engine::firstOfRanks(const NonfinitePlace& own) {
    if (!m_ranks)
        return own;
    NonfinitePlace found;
    for (const std::string& told : m_ranks->ranks().gather(Packed().put(own.part).put(own.layer).bytes())) {
        Unpacked from(told);
        NonfinitePlace theirs;
        theirs.part = from.get<NonfinitePlace::Part>();
        theirs.layer = from.getText();
        if (found.part == NonfinitePlace::Part::Unknown || (found.layer.empty() && !theirs.layer.empty()))
            found = theirs;
    }
    return found;
}

} // namespace accumulus
