// SPDX-License-Identifier: GPL-3.0-or-later
// All numbers and units a person reads, in the default locale (QLocale()). Number and unit are joined by a no-break
// space (U+00A0), a negative number has a real minus sign where the locale has one. A value that is not finite reads
// "NaN" or "∞". Pure functions; GUI thread.
#pragma once

#include "core/base/message.h"
#include "core/config/batch_plan.h"
#include "core/config/experiment_config.h"
#include "core/store/run_records.h"

#include <QString>
#include <QStringList>
#include <optional>
#include <utility>
#include <vector>

namespace accumulus::ui::format {

[[nodiscard]] QString count(qint64 value);                       ///< 60 000, grouped by locale
[[nodiscard]] QString accuracy(std::optional<double> value);     ///< 0.9871 -> "98.71 %"; "–" when absent
[[nodiscard]] QString points(double accuracyDifference);         ///< +0.0031 -> "+0.31 points"
[[nodiscard]] QString loss(std::optional<double> value);         ///< four significant digits
[[nodiscard]] QString number(double value, int significant = 4); ///< 0.01, 1.235·10⁻⁵
/// The same of a column: all with as many decimals as the one that needs most, at most four: 1.10, 1.05, 2.00. What is
/// written as a power of ten stays so.
[[nodiscard]] QStringList numbers(const std::vector<double>& values, int significant = 4);
[[nodiscard]] QString power(double value, int significant = 4); ///< always as a power of ten: 5·10⁻⁴
[[nodiscard]] QString rate(double samplesPerSecond);            ///< "28 400 samples/s"
[[nodiscard]] QString duration(double seconds);                 ///< "0.4 s", "1 min 12 s", "2 h 5 min"
[[nodiscard]] QString estimate(double seconds);                 ///< "8 s", "14 min": minutes say nothing of seconds
[[nodiscard]] QString bytes(qint64 value);                      ///< "9.6 MB"
[[nodiscard]] QString dateTime(double unixSeconds);
/// The values that their texts say, rounded as they are: what a number is compared with that was typed as it reads.
[[nodiscard]] double shownAccuracy(double value);
[[nodiscard]] double shownNumber(double value, int significant = 4); ///< of loss() and number()
[[nodiscard]] double shownDuration(double seconds);
[[nodiscard]] double shownBytes(double value);
/// The words behind the numbers of duration(), the longest unit first, with their seconds.
[[nodiscard]] std::vector<std::pair<QString, double>> durationUnits();
[[nodiscard]] QString armTitle(Arm arm); ///< "accumulated", "large batch"
[[nodiscard]] QString stateTitle(RunState state);
[[nodiscard]] QString stateTitle(const RunRecord& run); ///< "not started" where its turn never came
/// "micro-batch 32 × accumulation 8 × 1 device = 256 samples per update", "micro-batch 32 × 7 and one of 26 = 250
/// samples per update"; under a ramp followed by ", from update 100 on 32 × 16 = 512".
[[nodiscard]] QString batchSummary(const BatchPlan& batch);
[[nodiscard]] QString batchEquation(const BatchPlan& batch); ///< "32 × 8 = 256", "32 × 4 = 128 → 512"
[[nodiscard]] QString batchSplit(const BatchPlan& batch);    ///< "32 × 8", "32 × 4 → 32 × 16"
/// How the core's sentences and whole numbers read in the current language; translations stand in context "messages".
[[nodiscard]] const Language& language();
[[nodiscard]] QString message(const Message& message); ///< one sentence; of an error what happened
[[nodiscard]] QString error(const Error& error);       ///< what, why and cure
[[nodiscard]] QString note(const Message& message);    ///< an error as error(), any other as message()
[[nodiscard]] QString event(const EventRecord& event);
[[nodiscard]] QString runError(const RunRecord& run); ///< why it failed; empty where it did not
/// Facts about a device or a data set in one line: "MNIST, 28x28x1, 10 classes, bundled copy".
[[nodiscard]] QString facts(const std::vector<Message>& facts);
/// Text of the core or of a library for the screen, in one line: control characters appear as escapes (printable()).
[[nodiscard]] QString fromUtf8(const std::string& text);
/// The same with its lines, for notes and commands.
[[nodiscard]] QString linesFromUtf8(const std::string& text);

} // namespace accumulus::ui::format
