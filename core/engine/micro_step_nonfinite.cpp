// SPDX-License-Identifier: GPL-3.0-or-later
// A micro-step that was not finite, looked at again.
#include "core/engine/layer_watch.h"
#include "core/engine/micro_step.h"
#include "core/engine/recovery.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <utility>

namespace accumulus {
namespace {

using Part = NonfinitePlace::Part;

/// As the window judges it: by the sum of squares. In pieces, so that a large gradient needs no second one beside it.
bool hasFiniteNorm(const at::Tensor& gradient) {
    constexpr std::int64_t piece = std::int64_t{1} << 20;
    const at::NoGradGuard noGrad;
    const at::Tensor flat = gradient.is_non_overlapping_and_dense()
                                ? gradient.as_strided({gradient.numel()}, {1}) // in whatever order: it is summed
                                : gradient.reshape({-1});
    double sum = 0.0;
    for (std::int64_t first = 0; first < flat.numel() && std::isfinite(sum); first += piece)
        sum +=
            flat.narrow(0, first, std::min(piece, flat.numel() - first)).to(at::kDouble).square().sum().item<double>();
    return std::isfinite(sum);
}

/// Of the gradients that are not finite, the one that the backward pass comes to first. Each is looked at as soon as it
/// is complete, and let go: where memory is short, not even one micro-step's gradients fit beside each other.
class BackwardSearch {
public:
    BackwardSearch(const LayerWatch& watch, const std::vector<at::Tensor>& leaves) : m_watch(watch), m_leaves(leaves) {
        for (std::size_t i = 0; i < leaves.size(); ++i)
            if (leaves[i].requires_grad())
                torch::autograd::impl::set_post_acc_grad_hooks(leaves[i], std::make_unique<Hook>(*this, i));
    }
    ~BackwardSearch() {
        for (const at::Tensor& leaf : m_leaves) {
            if (!leaf.requires_grad())
                continue;
            torch::autograd::impl::set_post_acc_grad_hooks(leaf, nullptr);
            leaf.mutable_grad() = at::Tensor(); // of a pass that was broken off
        }
    }
    BackwardSearch(const BackwardSearch&) = delete;
    BackwardSearch& operator=(const BackwardSearch&) = delete;

    [[nodiscard]] NonfinitePlace found() const {
        return m_last ? NonfinitePlace{Part::Backward, m_watch.layer(m_last->second)} : NonfinitePlace();
    }

private:
    class Hook final : public torch::autograd::PostAccumulateGradHook {
    public:
        Hook(BackwardSearch& search, std::size_t parameter) : m_search(search), m_parameter(parameter) {}
        void operator()(const at::Tensor& leaf) override {
            const at::Tensor gradient = std::exchange(leaf.mutable_grad(), at::Tensor());
            if (!hasFiniteNorm(gradient))
                m_search.m_last = std::max(
                    m_search.m_last, std::optional(std::pair(m_search.m_watch.lastUse(m_parameter), m_parameter)));
        }

    private:
        BackwardSearch& m_search;
        std::size_t m_parameter;
    };

    const LayerWatch& m_watch;
    const std::vector<at::Tensor>& m_leaves;
    std::optional<std::pair<std::int64_t, std::size_t>> m_last; ///< when it was used last in the forward pass, number
};

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
    if (isFinite(loss)) {
        const BackwardSearch search(watch, m_leaves);
        torch::autograd::backward({loss}, {}, false, false, m_trainable);
        return search.found();
    }
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
