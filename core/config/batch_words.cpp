// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/batch_words.h"

#include <algorithm>
#include <fmt/format.h>

namespace accumulus {

namespace {

constexpr std::size_t mostChanges = 3; ///< told one by one

} // namespace

const BatchSigns& plainSigns() {
    static const BatchSigns signs;
    return signs;
}

const BatchSigns& fineSigns() {
    static const BatchSigns signs{" × ", " + ", " → ", "…"};
    return signs;
}

std::string windowSplit(const BatchPlan& plan, std::int64_t effective, const BatchSigns& signs) {
    const std::int64_t micro = std::min(plan.micro, effective);
    if (micro <= 0) // a run of another version, whose batch this one cannot resolve
        return signs.gap;
    const std::int64_t whole = effective / micro;
    const std::int64_t rest = effective % micro;
    if (rest == 0 && plan.devices > 1 && whole % plan.devices == 0)
        return fmt::format("{}{}{}{}{}", micro, signs.times, whole / plan.devices, signs.times, plan.devices);
    const std::string full = fmt::format("{}{}{}", micro, signs.times, whole);
    return rest == 0 ? full : fmt::format("{}{}{}", full, signs.plus, rest);
}

std::string splitText(const BatchPlan& plan, const BatchSigns& signs) {
    std::string text = windowSplit(plan, plan.effective, signs);
    if (!plan.ramp.empty())
        text += signs.arrow + windowSplit(plan, plan.ramp.back().effective, signs);
    return text;
}

std::string effectiveText(const BatchPlan& plan, const BatchSigns& signs) {
    std::string text = std::to_string(plan.effective);
    if (plan.ramp.size() > mostChanges)
        text += signs.arrow + signs.gap;
    else
        for (std::size_t i = 0; i + 1 < plan.ramp.size(); ++i)
            text += signs.arrow + std::to_string(plan.ramp[i].effective);
    if (!plan.ramp.empty())
        text += signs.arrow + std::to_string(plan.ramp.back().effective);
    return text;
}

std::string batchEquation(const BatchPlan& plan, const BatchSigns& signs) {
    return windowSplit(plan, plan.effective, signs) + " = " + effectiveText(plan, signs);
}

std::string batchSentence(const BatchPlan& plan) {
    const auto plural = [](std::int64_t count) { return count == 1 ? "" : "s"; };
    std::string text =
        plan.ragged() && plan.micro < plan.effective
            ? fmt::format("micro-batches {} = {} samples per update", windowSplit(plan, plan.effective, plainSigns()),
                          plan.effective)
            : fmt::format("micro-batch {} x {} accumulation step{} x {} device{} = {} samples per update",
                          std::min(plan.micro, plan.effective), plan.steps, plural(plan.steps), plan.devices,
                          plural(plan.devices), plan.effective);
    const std::size_t told = std::min(plan.ramp.size(), mostChanges);
    for (std::size_t i = 0; i < told; ++i)
        text += fmt::format(", from update {} on {} = {}", plan.ramp[i].update,
                            windowSplit(plan, plan.ramp[i].effective, plainSigns()), plan.ramp[i].effective);
    if (told < plan.ramp.size())
        text += fmt::format(", and {} more", plan.ramp.size() - told);
    return text;
}

} // namespace accumulus
