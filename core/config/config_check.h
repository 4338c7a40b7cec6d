// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong, or worth knowing, about a configuration: the messages B01, B02, B03, ... of the form and of the
// command line.
#pragma once

#include "core/base/machine_features.h"
#include "core/base/message.h"
#include "core/base/result.h"
#include "core/config/batch_plan.h"
#include "core/config/experiment_config.h"

#include <cstddef>
#include <string>
#include <vector>

namespace accumulus {

enum class FindingLevel { Info, Warning, Error };

inline constexpr std::size_t seedsForVerdict = 3; ///< P01 where a study has fewer

/// A change of settings that mends a finding: assignments as for --set.
struct Fix {
    std::string id;                       ///< "use-upper", "use-lower", "allow-ragged", ...
    Message label;                        ///< for a button: "Use 256"
    std::vector<std::string> assignments; ///< {"batch.effective=256"}
    bool operator==(const Fix&) const = default;
};

struct Finding {
    std::string id; ///< "B01"
    FindingLevel level = FindingLevel::Info;
    std::string key; ///< setting beside which it is shown
    Message message; ///< of level Error: what requireValid returns
    std::vector<Fix> fixes;
    bool operator==(const Finding&) const = default;
};

/// All findings, errors first. `trainSamples` is the number of samples trained on (limit and validation taken off), 0
/// when unknown: then what depends on it is not judged. Errors: V01 value out of range; B01 the batch triple or a value
/// of the ramp does not come out (fixes use-upper, use-lower, allow-ragged; use-micro; derive-steps, use-product); B02
/// larger than the training set; D04 more than one device in a single process that
/// starts no ranks; D10 lean accumulation where ranks send every micro-gradient; D05 text for an image model or images
/// for a transformer; D07 heads do not divide the width; D08 a GPU asked of a build without CUDA; D09 CUDA graphs asked
/// for where they cannot be; O02 warm-up longer than the run; D02 image size and model; D03 nothing left to train on;
/// N03 loss scale, M03 memory limit: a text that is no such thing; N05 accumulator of fp64. Warnings: B03 BatchNorm
/// under accumulation (fixes norm-group, norm-frozen, keep-norm without assignments, ghost-control); B04 short last
/// window (info where it is applied by its weight; none under carry, where every window is full); B05 mean of means
/// with unequal sizes; B08 BatchNorm of single samples; D06 augmentation of text; N01 the loss scale of fp16; N02 bf16
/// accumulator; N04 16 bits on a processor that is no faster in them (a hint where products are computed in fp32);
/// P01 fewer than 3 seeds with a large-batch arm; P03 too few test samples for its margin (fixes whole-test-set,
/// use-loss). Info: O03 clipping once per update; M04 lean on more than one lane.
[[nodiscard]] std::vector<Finding> checkConfig(const ExperimentConfig& config, std::int64_t trainSamples,
                                               const MachineFeatures& machine = machineFeatures());

/// B03 or B08 of a network from a file that turned out to hold BatchNorm layers, which checkConfig cannot know (fixes
/// norm-frozen, keep-norm, ghost-control).
[[nodiscard]] std::vector<Finding> checkFoundBatchNorm(const ExperimentConfig& config);

/// First finding of level Error as an Error for the command line, or success.
[[nodiscard]] Status requireValid(const ExperimentConfig& config, std::int64_t trainSamples,
                                  const MachineFeatures& machine = machineFeatures());

} // namespace accumulus
