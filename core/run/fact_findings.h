// SPDX-License-Identifier: GPL-3.0-or-later
// What a look at data and network adds to checkConfig: how an error can be mended by a setting, and what only the files
// tell. Pure functions. Any thread.
#pragma once

#include "core/config/config_check.h"
#include "core/run/model_facts.h"
#include "core/run/study_runner.h"

#include <vector>

namespace accumulus {

/// `data`, `model`: the answers of inspectData and inspectModel, null while unknown. Errors of which a setting is the
/// cure: D11 of the data (fixes hold-out, use-column), D12 of the network (use-mse, use-mlp). D14: any other error of
/// the network, beside its setting; others of the data are left to who shows the answers. Warnings: those of
/// checkDataFacts; B03, B08 of a network from a file, and B09 where no gradient reaches a parameter of it. Information:
/// B07 such a network draws random numbers of its own in each arm.
[[nodiscard]] std::vector<Finding> checkFacts(const ExperimentConfig& config, const Result<DataSummary>* data,
                                              const Result<ModelFacts>* model);

/// Warnings of what a data set is: D13 the held-out samples are of one class, D16 a column of numbers holds a word.
[[nodiscard]] std::vector<Finding> checkDataFacts(const ExperimentConfig& config, const std::vector<Message>& facts);

} // namespace accumulus
