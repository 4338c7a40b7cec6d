// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/model_facts.h"

#include "core/config/model_rows.h"
#include "core/data/dataset.h"
#include "core/run/program.h"
#include "core/train/checkpoint_info.h"

#include <fmt/format.h>

namespace accumulus {

Result<ModelFacts> inspectModel(const RunConfig& config) {
    ACCUMULUS_TRY_ASSIGN(const auto sizes, inspectDataset(config.data, resourceFolder("datasets").parent_path()));
    ACCUMULUS_TRY_ASSIGN(const auto model, inspectedModel(config, sizes));
    ModelFacts found{{{"fact.model", {{"title", modelTitle(config.model)}}}},
                     model.parameters.all,
                     model.parameters.frozen,
                     model.batchNorm};
    if (sizes.block > 0)
        found.facts.push_back({"fact.takes-tokens", {{"block", std::to_string(sizes.block)}}});
    else
        found.facts.push_back(
            {"fact.takes",
             {{"shape", sizes.tensors ? fmt::format("{}", fmt::join(sizes.inputs.shape, "x"))
                                      : fmt::format("{}x{}x{}", sizes.channels, sizes.height, sizes.width)}}});
    if (sizes.classes > 0 && config.model.name != "file") // what that returns is found by trying it
        found.facts.push_back({"fact.outputs", {{"outputs", std::to_string(sizes.classes)}}});
    found.facts.insert(found.facts.end(), model.facts.begin(), model.facts.end());
    return found;
}

} // namespace accumulus
