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

constexpr Refusal refusals[] = {
    {"optimizer.name", "lbfgs", "reason.closures", "cure.other-optimizer"},
    {"loss.name", "", "reason.coupled-loss", "cure.cross-entropy"},
    {"loss.kind", "contrastive", "reason.coupled-loss", "cure.cross-entropy"},
    {"loss.kind", "info-nce", "reason.coupled-loss", "cure.cross-entropy"},
    {"loss.kind", "triplet", "reason.coupled-loss", "cure.cross-entropy"},
    {"loss.kind", "dice", "reason.coupled-loss", "cure.cross-entropy"},
    {"optimizer.in_backward", "", "reason.in-backward", "cure.lean"},
    {"train.optimizer_in_backward", "", "reason.in-backward", "cure.lean"},
    {"train.clip_value", "", "reason.clip-value", "cure.clip-norm"},
    {"optimizer.clip_value", "", "reason.clip-value", "cure.clip-norm"},
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
