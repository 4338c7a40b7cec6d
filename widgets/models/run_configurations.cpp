// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_configurations.h"

#include "core/config/config_fields.h"
#include "widgets/models/field_words.h"
#include "widgets/style/format.h"

#include <functional>
#include <utility>

namespace accumulus::ui {
namespace {

/// Equal settings have equal hashes; other settings mostly another one.
std::size_t roughHash(Arm arm, const RunConfig& config) {
    std::size_t hash = static_cast<std::size_t>(arm);
    const auto add = [&hash](std::size_t part) { hash = hash * 1'000'003 + part; };
    add(std::hash<std::string>()(config.model.name));
    add(std::hash<std::string>()(config.data.dataset));
    add(std::hash<double>()(config.optimizer.lr));
    for (const std::int64_t number : {config.batch.effective, config.batch.micro, config.batch.steps,
                                      config.batch.devices, config.data.trainLimit, config.train.length.count})
        add(std::hash<std::int64_t>()(number));
    return hash;
}

/// Value of a setting in the words of the configuration's table.
QString settingText(const ExperimentConfig& experiment, const char* key) {
    const ConfigField* field = findField(key);
    return field ? format::fromUtf8(fieldText(field->get(experiment))).remove(QLatin1Char('"')) : QString();
}

} // namespace

QString precisionName(const RunConfig& config) {
    return settingText(ExperimentConfig{config, {}}, "numerics.precision");
}

const RunConfiguration& RunConfigurations::of(const RunRecord& run) {
    const std::size_t hash = roughHash(run.arm, run.config);
    const auto [first, last] = m_known.equal_range(hash);
    for (auto known = first; known != last; ++known)
        if (known->second.arm == run.arm && known->second.config == run.config)
            return known->second.texts;
    const ExperimentConfig experiment{run.config, {}};
    RunConfiguration texts;
    texts.key = QString::fromStdString(armName(run.arm) + ":" + configHash(run.config, 0));
    texts.model = format::fromUtf8(run.config.model.name).toLower();
    texts.data = format::fromUtf8(run.config.data.dataset).toLower();
    texts.optimizer = settingText(experiment, "optimizer.name").toLower();
    texts.precision = settingText(experiment, "numerics.precision").toLower();
    texts.shownModel = choiceTitle(run.config.model.name).toLower();
    texts.shownData = choiceTitle(run.config.data.dataset).toLower();
    return m_known.emplace(hash, Known{run.arm, run.config, std::move(texts)})->second.texts;
}

} // namespace accumulus::ui
