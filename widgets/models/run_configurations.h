// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs differ in nothing but their seeds: a key for each arm and configuration, and the texts that all of its
// runs show, worked out once for each of them. Owned by one thread at a time.
#pragma once

#include "core/store/run_records.h"

#include <QString>
#include <unordered_map>
#include <vector>

namespace accumulus::ui {

/// Texts in lower case: as the configuration has them and, in the workbench's language, as the table shows them.
struct RunConfiguration {
    QString key; ///< of two runs the same exactly where arm and configuration are; stays so from start to start
    QString model, data, optimizer, precision;
    QString shownModel, shownData;
};

[[nodiscard]] QString precisionName(const RunConfig& config); ///< "fp32", as in the configuration

class RunConfigurations {
public:
    /// Valid as long as this object.
    [[nodiscard]] const RunConfiguration& of(const RunRecord& run);

private:
    struct Known {
        Arm arm;
        RunConfig config;
        RunConfiguration texts;
    };
    std::unordered_multimap<std::size_t, Known> m_known; ///< by a hash of the settings that mostly differ
};

} // namespace accumulus::ui
