// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/report_facts.h"

#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"

namespace accumulus {

Facts settingsOf(const RunConfig& config) {
    ExperimentConfig experiment;
    experiment.run = config;
    Facts settings;
    for (const ConfigField& field : configFields())
        if (!field.key.starts_with("study.") && field.applies(experiment))
            settings.emplace_back(field.key, fieldText(field.get(experiment)));
    return settings;
}

std::string commandFor(const RunConfig& config, std::vector<std::int64_t> seeds) {
    ExperimentConfig experiment;
    experiment.run = config;
    experiment.study.seeds = std::move(seeds);
    experiment.study.largeBatch = false;
    return commandLine(experiment);
}

} // namespace accumulus
