// SPDX-License-Identifier: GPL-3.0-or-later
// How the optimizer's settings follow the effective batch: rules of the literature as pure functions, and suggestions
// made of them. The program suggests; a person (or a --set) applies. Weight decay and momentum stay as they are under
// every rule. Any thread.
#pragma once

#include "core/config/config_check.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

// `kappa` = new B / old B, above 0. Every rule is the identity for kappa = 1 and is undone by the same rule with 1 /
// kappa.

/// SGD: lr x kappa. The update's drift per sample stays; to be trusted while B is well below the noise scale, with
/// warm-up (Goyal et al. 2017, arXiv 1706.02677).
[[nodiscard]] OptimizerConfig linearLr(const OptimizerConfig& optimizer, double kappa);
/// SGD: lr x sqrt(kappa). The update's noise per sample stays (Krizhevsky 2014, arXiv 1404.5997).
[[nodiscard]] OptimizerConfig squareRootLr(const OptimizerConfig& optimizer, double kappa);
/// Adam and AdamW: lr x sqrt(kappa), 1 - beta -> kappa (1 - beta), eps / sqrt(kappa) (Malladi et al. 2022, arXiv
/// 2205.10287). Nothing where a beta would leave [0, 1): that is for kappa > 1 / (1 - beta).
[[nodiscard]] std::optional<OptimizerConfig> adamSquareRoot(const OptimizerConfig& optimizer, double kappa);
/// The same with beta -> beta^kappa, which keeps the moments' half-life in samples and exists for every kappa. To first
/// order in 1 - beta the two are the same.
[[nodiscard]] OptimizerConfig adamHalfLife(const OptimizerConfig& optimizer, double kappa);
/// lr x (1 + Bn / B) / (1 + Bn / (kappa B)) with the noise scale Bn: linear far below Bn, constant far above
/// (McCandlish et al. 2018, arXiv 1812.06162). Undone by 1 / kappa from base kappa B.
[[nodiscard]] OptimizerConfig noiseAwareLr(const OptimizerConfig& optimizer, double kappa, double effective,
                                           double noiseScale);

/// One way to follow a changed effective batch.
struct LrSuggestion {
    std::string rule; ///< "linear", "square-root", "adam-square-root", "adam-half-life", "noise-aware"
    Message label;    ///< "Linear: 0.04", for a button
    Message words;    ///< what it assumes, one sentence
    std::vector<std::string> assignments; ///< as for --set: {"optimizer.lr=0.04"}
    bool operator==(const LrSuggestion&) const = default;
};

/// Rules for the optimizer of `base`, whose lr belongs to its effective batch, at `effective` samples. The usual one
/// first. Rules that lead outside the settings' ranges are left out; empty when B does not change or base has none.
/// `noiseScale`: B_simple of an earlier run.
[[nodiscard]] std::vector<LrSuggestion> suggestLr(const RunConfig& base, std::int64_t effective,
                                                  std::optional<double> noiseScale = {});

/// O01: `now` trains at another effective batch than the one that the learning rate of `tuned` was tuned for (as noted,
/// else its own), with the same optimizer settings. Fixes: "keep-lr" and one for each suggestion, by its rule; each
/// notes rule and batch beside the learning rate. Under a ramp the largest B counts.
[[nodiscard]] std::optional<Finding> checkLrOfBatch(const RunConfig& tuned, const RunConfig& now);

/// The same against all that a person has settled, the newest last: nothing where one has this batch and these
/// settings. Where none has these settings, a noted batch that is another one than that of `now`, under the rule keep.
[[nodiscard]] std::optional<Finding> checkLrOfBatch(const std::vector<RunConfig>& settled, const RunConfig& now);

} // namespace accumulus
