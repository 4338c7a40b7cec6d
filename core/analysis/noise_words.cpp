// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/noise_words.h"

#include <cmath>
#include <fmt/format.h>

namespace accumulus {
namespace {

/// The sentence of three that speaks of this unit.
std::string inUnit(const std::string& unit, const char* samples, const char* tokens, const char* units) {
    return unit == "tokens" ? tokens : unit == "units" ? units : samples;
}

/// A whole number without separators, for {#name}: the language groups it.
std::string wholeText(double value) { return std::to_string(std::llround(value)); }

/// What the batch is by the noise scale. That is an order of magnitude: a factor of two is none.
const char* adviceCode(double effective, double noiseScale) {
    constexpr double close = 2.0;
    if (effective * close <= noiseScale)
        return "noise.larger";
    return effective >= noiseScale * close ? "noise.smaller" : "noise.balanced";
}

} // namespace

std::string noiseNumber(double value) {
    if (!(value >= 10.0))
        return fmt::format("{:.2g}", value);
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    return wholeText(std::round(value / unit) * unit);
}

Message noiseScaleMessage(const NoiseScale& noise, const std::string& unit) {
    if (!noise.identified)
        return {noise.windows == 1 ? "noise.not-identified-once" : "noise.not-identified",
                {{"windows", std::to_string(noise.windows)}}};
    return {inUnit(unit, "noise.about-samples", "noise.about-tokens", "noise.about-units"),
            {{"value", noiseNumber(*noise.value)},
             {"low", noiseNumber(noise.lower)},
             {"high", noiseNumber(noise.upper)},
             {"confidence", fmt::format("{:.3g}", 100.0 * noise.confidence)}}};
}

std::string noiseScaleWords(const NoiseScale& noise, const std::string& unit) {
    return messageText(noiseScaleMessage(noise, unit));
}

std::optional<Message> noiseCostMessage(const NoiseScale& noise, double effective, const std::string& unit) {
    if (!noise.identified || !(*noise.value > 0.0) || !(effective > 0.0))
        return std::nullopt;
    return Message{inUnit(unit, "noise.cost-samples", "noise.cost-tokens", "noise.cost-units"),
                   {{"effective", wholeText(effective)},
                    {"samples", noiseNumber(samplesMultiplier(effective, *noise.value))},
                    {"updates", noiseNumber(updatesMultiplier(effective, *noise.value))}}};
}

Message noiseAdviceMessage(const NoiseScale& noise, double effective, const std::string& unit) {
    Message message = noiseScaleMessage(noise, unit);
    message.arguments.emplace_back("noise", message.code);
    message.code = "noise.alone";
    if (const auto cost = noiseCostMessage(noise, effective, unit)) {
        message.code = "noise.advice";
        message.arguments.emplace_back("todo", adviceCode(effective, *noise.value));
        message.arguments.emplace_back("cost", cost->code);
        for (const auto& [name, value] : cost->arguments)
            message.arguments.emplace_back(name, value);
    }
    return message;
}

Message noiseHintMessage(const NoiseScale& noise, double effective, const std::string& unit) {
    Message message = noiseAdviceMessage(noise, effective, unit);
    if (message.code == "noise.advice")
        message.code = inUnit(unit, "noise.hint-samples", "noise.hint-tokens", "noise.hint-units");
    return message;
}

Message noiseAverageMessage(const NoiseCourse& course, const std::string& unit) {
    return {inUnit(unit, "noise.average-samples", "noise.average-tokens", "noise.average-units"),
            {{"value", noiseNumber(course.average.value_or(0.0))},
             {"low", noiseNumber(course.least)},
             {"high", noiseNumber(course.most)},
             {"parts", std::to_string(course.parts)}}};
}

std::string noiseAverageWords(const NoiseCourse& course, const std::string& unit) {
    return messageText(noiseAverageMessage(course, unit));
}

std::string noiseAdviceWords(const NoiseScale& noise, double effective, const std::string& unit) {
    return messageText(noiseAdviceMessage(noise, effective, unit));
}

} // namespace accumulus
