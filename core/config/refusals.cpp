// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/refusals.h"

#include <string>

namespace accumulus {
namespace {

struct Refusal {
    std::string_view key;
    std::string_view value; ///< empty: the key itself
    const char* reason;
    const char* cure;
};

constexpr const char* closures = "it asks for loss and gradient several times for one update, and a closure sees the "
                                 "last micro-batch, not the window";
constexpr const char* coupled = "losses that compare the samples of a batch (contrastive, triplet, Dice, in-batch "
                                "negatives) are not sums over samples, so "
                                "accumulated micro-batches would train something else than the large batch";
constexpr const char* inBackward =
    "an update inside a backward pass applies the gradient of one micro-batch, not of the window";
constexpr const char* clipValue =
    "cutting single elements is not linear: cut in each micro-batch, it bends the gradient of the window";

constexpr const char* otherOptimizer = "Use sgd, adam or adamw.";
constexpr const char* clipNorm = "Use train.clip_norm, which clips once, on the gradient of the whole window.";
constexpr const char* lean = "Leave it out. batch.lean = true saves a gradient copy without changing the result.";
constexpr const char* crossEntropy = "Leave it out: the loss is the cross entropy of each sample or token.";

constexpr Refusal refusals[] = {
    {"optimizer.name", "lbfgs", closures, otherOptimizer},
    {"loss.name", "", coupled, crossEntropy},
    {"loss.kind", "", coupled, crossEntropy},
    {"optimizer.in_backward", "", inBackward, lean},
    {"train.optimizer_in_backward", "", inBackward, lean},
    {"train.clip_value", "", clipValue, clipNorm},
    {"optimizer.clip_value", "", clipValue, clipNorm},
};

} // namespace

std::optional<Error> refusalOf(std::string_view key, std::string_view value) {
    for (const Refusal& refusal : refusals)
        if (refusal.key == key && refusal.value == value) {
            const std::string what = std::string(key) + (value.empty() ? "" : " = \"" + std::string(value) + "\"");
            return Error{"config.refused", {{"what", what}, {"reason", refusal.reason}, {"cure", refusal.cure}}};
        }
    return std::nullopt;
}

} // namespace accumulus
