// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/words.h"

#include "core/analysis/number_text.h"
#include "core/base/printable.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace accumulus::cli {
namespace {

bool isNumber(std::optional<double> value) { return value && std::isfinite(*value); }

/// Characters as a terminal counts them: UTF-8 continuation bytes take no room.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace

std::string grouped(std::int64_t number) {
    std::string text = countText(number); // in typographic signs
    for (const auto& [sign, plain] : {std::pair{"\u00a0", " "}, std::pair{"\u2212", "-"}})
        for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at))
            text.replace(at, std::string_view(sign).size(), plain);
    return text;
}

std::string counted(std::int64_t number, const std::string& noun) {
    return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string percent(std::optional<double> fraction) {
    return isNumber(fraction) ? fmt::format("{:.2f} %", 100.0 * *fraction) : "-";
}

std::string number(std::optional<double> value) { return isNumber(value) ? fmt::format("{:.4f}", *value) : "-"; }

namespace {

std::string measured(const std::string& prefix, std::optional<double> accuracy, std::optional<double> mae,
                     std::optional<double> rmse, std::optional<double> r2, std::optional<double> loss) {
    std::string text;
    if (accuracy || !(rmse || loss))
        text = fmt::format("{}accuracy {}, ", prefix, percent(accuracy));
    else if (rmse)
        text = fmt::format("{0}RMSE {1}, {0}MAE {2}, {0}R2 {3}, ", prefix, number(rmse), number(mae), number(r2));
    return text + prefix + "loss " + number(loss);
}

} // namespace

std::string measuredText(const EvaluationRecord& evaluation) {
    return measured("", evaluation.accuracy, evaluation.mae, evaluation.rmse, evaluation.r2, evaluation.loss);
}

std::string measuredText(const RunSummary& summary) {
    return measured("test ", summary.testAccuracy, summary.testMae, summary.testRmse, summary.testR2, summary.testLoss);
}

std::string speed(double samplesPerSecond) {
    if (!std::isfinite(samplesPerSecond) || samplesPerSecond <= 0.0)
        return "-";
    return grouped(std::llround(samplesPerSecond)) + " samples/s";
}

std::string duration(double seconds) {
    const std::int64_t whole = std::llround(std::max(0.0, seconds));
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string shortId(const std::string& uuid) { return uuid.substr(0, 8); }

bool isLogged(const std::optional<std::int64_t>& update, std::int64_t every) {
    return every > 0 && update && *update % every == 0;
}

std::string logLine(const WindowRecord& window) {
    return fmt::format("epoch {}, update {}, loss {}", window.epoch + 1, window.update.value_or(0),
                       number(window.loss));
}

std::vector<std::string> tableLines(const std::vector<std::vector<std::string>>& rows,
                                    const std::vector<bool>& numeric) {
    std::vector<std::vector<std::string>> cells = rows;
    std::vector<std::size_t> widths(numeric.size(), 0);
    for (auto& row : cells) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            row[column] = printable(row[column]); // as the console prints it, so that columns stay aligned
            widths[column] = std::max(widths[column], width(row[column]));
        }
    }
    std::vector<std::string> lines;
    for (const auto& row : cells) {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column) {
            const std::string padding(widths[column] - width(row[column]), ' ');
            line += column == 0 ? "" : "  ";
            line += numeric[column] ? padding + row[column] : row[column] + padding;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace accumulus::cli
