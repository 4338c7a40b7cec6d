// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and tables as the command line prints them. Pure functions.
#pragma once

#include "core/base/training_records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accumulus::cli {

/// 60 000
[[nodiscard]] std::string grouped(std::int64_t number);
[[nodiscard]] std::string counted(std::int64_t number, const std::string& noun); ///< "1 update", "470 updates"
/// 97.85 % of a fraction; "-" when there is none or it is not finite.
[[nodiscard]] std::string percent(std::optional<double> fraction);
/// 0.4312, "-" likewise.
[[nodiscard]] std::string number(std::optional<double> value);
/// "accuracy 98.71 %, loss 0.0431": what an evaluation measured, the metric first that a loss is judged by.
[[nodiscard]] std::string measuredText(const EvaluationRecord& evaluation);
/// "test accuracy 98.71 %, test loss 0.0431" of a run's end; "-" for what was not measured.
[[nodiscard]] std::string measuredText(const RunSummary& summary);
/// 9 120 samples/s
[[nodiscard]] std::string speed(double samplesPerSecond);
/// 8 s, 2 min 05 s, 1 h 10 min
[[nodiscard]] std::string duration(double seconds);
/// First eight characters of a UUID: what people type.
[[nodiscard]] std::string shortId(const std::string& uuid);

/// Is the window's update one of those that --log-every N prints? Never for N = 0.
[[nodiscard]] bool isLogged(const std::optional<std::int64_t>& update, std::int64_t every);
/// epoch 1, update 100, loss 0.1234
[[nodiscard]] std::string logLine(const WindowRecord& window);

/// Columns aligned by their widest cell; a column of numbers to the right. First row: headings.
[[nodiscard]] std::vector<std::string> tableLines(const std::vector<std::vector<std::string>>& rows,
                                                  const std::vector<bool>& numeric);

} // namespace accumulus::cli
