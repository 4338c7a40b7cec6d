// SPDX-License-Identifier: GPL-3.0-or-later
// What the checks of config_check share. Internal to core/config.
#pragma once

#include "core/base/machine_features.h"
#include "core/config/config_check.h"

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

/// What is checked, and where findings go.
struct CheckSubject {
    const ExperimentConfig& config;
    std::int64_t trainSamples; ///< 0: unknown
    const MachineFeatures& machine;
    std::vector<Finding>& findings;

    void add(std::string id, FindingLevel level, std::string key, Message message, std::vector<Fix> fixes) {
        findings.push_back({std::move(id), level, std::move(key), std::move(message), std::move(fixes)});
    }
    void addError(std::string id, std::string key, Error error, std::vector<Fix> fixes) {
        add(std::move(id), FindingLevel::Error, std::move(key), std::move(error), std::move(fixes));
    }
};

[[nodiscard]] inline Fix fix(std::string id, Message label, std::vector<std::string> assignments) {
    return {std::move(id), std::move(label), std::move(assignments)};
}
/// Its label reads "Use VALUE".
[[nodiscard]] inline Fix fixUse(std::string id, std::string value, std::vector<std::string> assignments) {
    return fix(std::move(id), {"fix.use", {{"value", std::move(value)}}}, std::move(assignments));
}

/// Sets the effective batch; given accumulation steps that would contradict it are derived again.
[[nodiscard]] inline std::vector<std::string> effectiveAssignments(const BatchConfig& batch, std::int64_t effective) {
    std::vector<std::string> assignments = {"batch.effective=" + std::to_string(effective)};
    if (batch.steps != 0)
        assignments.emplace_back("batch.steps=0");
    return assignments;
}

/// "config.conflict": `key` = `value` does not go together with `other`. `name`: the reason "reason.NAME" and the cure
/// "cure.NAME" of the catalogue, which `more` fills in.
[[nodiscard]] inline Error conflict(std::string key, std::string value, std::string other, const std::string& name,
                                    std::vector<std::pair<std::string, std::string>> more = {}) {
    Error error{"config.conflict",
                {{"key", std::move(key)},
                 {"value", std::move(value)},
                 {"other", std::move(other)},
                 {"reason", "reason." + name},
                 {"cure", "cure." + name}}};
    error.arguments.insert(error.arguments.end(), std::make_move_iterator(more.begin()),
                           std::make_move_iterator(more.end()));
    return error;
}

// check_subject_engine.cpp: model, data and numerics.
/// B03, B08, D02, D05, D06, D07. `batch`: null where it does not come out.
void checkModel(CheckSubject& subject, const BatchPlan* batch);
/// N01, N02, N03, N04, N05, M03, M04, D08, D09.
void checkNumerics(CheckSubject& subject);
// check_subject_loss.cpp
/// L01, L02, L03, L04, L05.
void checkLoss(CheckSubject& subject);

} // namespace accumulus
