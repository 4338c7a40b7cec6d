// SPDX-License-Identifier: GPL-3.0-or-later
// What a network is before it trains, for the form and messages. Any thread; builds the network.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <vector>

namespace accumulus {

struct ModelFacts {
    std::vector<Message> facts; ///< "ResNet-18", "takes 3x32x32", "10 outputs"
    std::int64_t parameters = 0;
    std::int64_t frozen = 0; ///< of them, not trained
    bool batchNorm = false;  ///< layers that take the statistics of a micro-batch
};

/// Of the configured network on the configured data, with what its file of weights holds. Errors of inspectData, of
/// building the network and of its weights.
[[nodiscard]] Result<ModelFacts> inspectModel(const RunConfig& config);

} // namespace accumulus
