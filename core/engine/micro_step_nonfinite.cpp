// SPDX-License-Identifier: GPL-3.0-or-later
// A micro-step that was not finite, looked at again.
#include "core/engine/layer_watch.h"
#include "core/engine/micro_step.h"
#include "core/engine/recovery.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace accumulus {
namespace {

using Part = NonfinitePlace::Part;

/// As the window judges it: by the sum of squares.
bool hasFiniteNorm(const at::Tensor& gradient) {
    return std::isfinite(gradient.detach().to(at::kDouble).square().sum().item<double>());
}

/// The layer that the backward pass comes to first.
NonfinitePlace firstInBackward(const LayerWatch& watch, const std::vector<at::Tensor>& gradients) {
    std::optional<std::pair<std::int64_t, std::size_t>> last;
    for (std::size_t i = 0; i < gradients.size(); ++i)
        if (gradients[i].defined() && !hasFiniteNorm(gradients[i]))
            last = std::max(last, std::optional(std::pair(watch.lastUse(i), i)));
    return last ? NonfinitePlace{Part::Backward, watch.layer(last->second)} : NonfinitePlace();
}

} // namespace

NonfinitePlace MicroStep::whereInPart(LayerWatch& watch, const SampleKeys& keys) {
    const at::AutoGradMode gradMode(true);
    const Batch batch = m_source.fill(keys);
    m_context.keys = keys;
    at::Tensor output;
    {
        const LayerWatch::Scope scope(watch);
        output = outputOf(batch);
    }
    if (watch.failed())
        return {};
    m_context.statistics.clear();
    const at::Tensor loss = batchLoss(output, batch, m_settings.loss, m_context.units).sum;
    if (!loss.defined())
        return {};
    if (isFinite(loss))
        return firstInBackward(watch, backward(loss));
    if (!isFinite(batch.input))
        return {Part::Samples, {}};
    if (!watch.found() && isFinite(output))
        return {Part::Loss, {}};
    const std::string layer = watch.found().value_or(watch.lastLayer());
    return {layer.empty() ? Part::Before : Part::Forward, layer};
}

NonfinitePlace MicroStep::whereNonfinite(LayerWatch& watch, const SampleKeys& keys, std::int64_t part,
                                         std::int64_t smallestPart) {
    std::size_t first = 0;
    for (const std::int64_t size : partsOf(static_cast<std::int64_t>(keys.size()), part, smallestPart)) {
        const auto count = static_cast<std::size_t>(size);
        NonfinitePlace place =
            whereInPart(watch, {keys.seed, keys.ids.subspan(first, count), keys.epochs.subspan(first, count)});
        if (place.part != Part::Unknown)
            return place;
        first += count;
    }
    return {};
}

} // namespace accumulus
