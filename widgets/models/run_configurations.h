// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs differ in nothing but their seeds: a key for each arm and configuration, worked out once for each of them.
// Owned by one thread at a time.
#pragma once

#include "core/store/run_records.h"

#include <QString>
#include <unordered_map>
#include <vector>

namespace accumulus::ui {

class RunConfigurations {
public:
    /// Of two runs the same exactly where arm and configuration are the same. Stays the same from start to start.
    [[nodiscard]] const QString& keyOf(const RunRecord& run);

private:
    struct Known {
        Arm arm;
        RunConfig config;
        QString key;
    };
    std::unordered_multimap<std::size_t, Known> m_known; ///< by a hash of the settings that mostly differ
};

} // namespace accumulus::ui
