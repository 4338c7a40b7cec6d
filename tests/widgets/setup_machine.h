// SPDX-License-Identifier: GPL-3.0-or-later
// Data and device that a test of the set-up page makes up.
#pragma once

#include "widgets/models/setup_facts.h"

namespace accumulus::test {

/// MNIST's numbers, LeNet-5's parameters, a CPU; `start` answers what may keep a start from working.
[[nodiscard]] inline ui::SetupQueries madeUpMachine(ui::StartQueries start = {}) {
    ui::SetupQueries queries{
        [](const DataConfig&, const std::string&) -> Result<DataSummary> {
            return DataSummary{60000, 10000, {{"fact.mnist", {}}}};
        },
        [](const RunConfig&) -> Result<std::int64_t> { return 61706; },
        [] {
            return DeviceSummary{{{"fact.cpu", {{"name", "test"}}}}, Message{"device.cpu-only", {}}, 2};
        }};
    queries.start = std::move(start);
    return queries;
}

} // namespace accumulus::test
