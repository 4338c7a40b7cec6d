// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient noise scale in words, the same on the command line, in the workbench and in reports: an order of
// magnitude with its interval, or "not identified", and what the chosen batch costs by it. Pure functions; any thread.
#pragma once

#include "core/analysis/noise_scale.h"
#include "core/base/message.h"

#include <optional>
#include <string>

namespace accumulus {

/// "about 29 samples (95 %: 28 to 31), an order of magnitude", "not identified (12 windows): ...". `unit` as of
/// lossUnit().
[[nodiscard]] Message noiseScaleMessage(const NoiseScale& noise, const std::string& unit = "samples");
[[nodiscard]] std::string noiseScaleWords(const NoiseScale& noise, const std::string& unit = "samples");

/// "at B = 256: 1.8 times the fewest possible samples, 2.3 times the fewest possible updates": what tiny and huge
/// batches would need, for `effective` loss units. Nothing where the noise scale is not identified.
[[nodiscard]] std::optional<Message> noiseCostMessage(const NoiseScale& noise, double effective,
                                                      const std::string& unit = "samples");
/// What to do, and both of the above, as sentences.
[[nodiscard]] Message noiseAdviceMessage(const NoiseScale& noise, double effective,
                                         const std::string& unit = "samples");
[[nodiscard]] std::string noiseAdviceWords(const NoiseScale& noise, double effective,
                                           const std::string& unit = "samples");

/// What to do and why, as one sentence: "A larger batch would still save updates ...: the gradient noise scale is
/// roughly 510 samples, and B is 256."
[[nodiscard]] Message noiseHintMessage(const NoiseScale& noise, double effective, const std::string& unit = "samples");

/// "about 410 samples: from 16 to 800 over 20 parts of the run".
[[nodiscard]] Message noiseAverageMessage(const NoiseCourse& course, const std::string& unit = "samples");
[[nodiscard]] std::string noiseAverageWords(const NoiseCourse& course, const std::string& unit = "samples");

/// Two significant digits, never an exponent: more would promise what an order of magnitude cannot keep.
[[nodiscard]] std::string noiseNumber(double value);

} // namespace accumulus
