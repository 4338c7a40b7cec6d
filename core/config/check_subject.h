// SPDX-License-Identifier: GPL-3.0-or-later
// What the checks of config_check share. Internal to core/config.
#pragma once

#include "core/base/machine_features.h"
#include "core/config/config_check.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

using FindingArguments = std::vector<std::pair<std::string, std::string>>;

/// What is checked, and where findings go.
struct CheckSubject {
    const ExperimentConfig& config;
    std::int64_t trainSamples; ///< 0: unknown
    const MachineFeatures& machine;
    std::vector<Finding>& findings;

    void add(std::string id, FindingLevel level, std::string key, std::string text, FindingArguments arguments,
             std::vector<Fix> fixes) {
        findings.push_back(
            {std::move(id), level, std::move(key), std::move(text), std::move(arguments), std::move(fixes)});
    }
    /// An error of the catalogue; its code travels with the arguments for requireValid.
    void addError(std::string id, std::string key, const Error& error, std::vector<Fix> fixes) {
        std::string text = fillArguments(errorWords(error.code).what, error);
        FindingArguments arguments = error.arguments;
        arguments.emplace_back("code", error.code);
        add(std::move(id), FindingLevel::Error, std::move(key), std::move(text), std::move(arguments),
            std::move(fixes));
    }
};

[[nodiscard]] inline Fix fix(std::string id, std::string label, std::vector<std::string> assignments) {
    return {std::move(id), std::move(label), std::move(assignments)};
}

/// "config.conflict": `key` = `value` does not go together with `other`.
[[nodiscard]] inline Error conflict(std::string key, std::string value, std::string other, std::string reason,
                                    std::string cure) {
    return {"config.conflict",
            {{"key", std::move(key)},
             {"value", std::move(value)},
             {"other", std::move(other)},
             {"reason", std::move(reason)},
             {"cure", std::move(cure)}}};
}

// check_subject_engine.cpp: model, data and numerics.
/// B03, B08, D02, D05, D06, D07. `batch`: null where it does not come out.
void checkModel(CheckSubject& subject, const BatchPlan* batch);
/// N02, N03, N04, N05, M03, M04, D08, D09.
void checkNumerics(CheckSubject& subject);

} // namespace accumulus
