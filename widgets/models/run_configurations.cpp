// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_configurations.h"

#include "core/config/config_fields.h"

#include <functional>

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

} // namespace

const QString& RunConfigurations::keyOf(const RunRecord& run) {
    const std::size_t hash = roughHash(run.arm, run.config);
    const auto [first, last] = m_known.equal_range(hash);
    for (auto known = first; known != last; ++known)
        if (known->second.arm == run.arm && known->second.config == run.config)
            return known->second.key;
    const std::string key = armName(run.arm) + ":" + configHash(run.config, 0);
    return m_known.emplace(hash, Known{run.arm, run.config, QString::fromStdString(key)})->second.key;
}

} // namespace accumulus::ui
