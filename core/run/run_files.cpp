// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_files.h"

#include "core/base/file_hash.h"
#include "core/base/path_text.h"
#include "core/config/model_rows.h"

#include <string>

namespace accumulus {
namespace {

bool hasChanged(const std::string& stored, const std::string& found) { return !stored.empty() && stored != found; }

/// Empty where the model is not read from a file: the path is then a leftover.
std::string modelFile(const ModelConfig& model) { return hasSetting(model, "model.path") ? model.path : std::string(); }

} // namespace

Result<std::vector<Message>> takeFileHashes(RunRecord& run, bool fromBundle) {
    std::vector<Message> notes;
    if (const std::string path = modelFile(run.config.model); !path.empty()) {
        ACCUMULUS_TRY_ASSIGN(auto found, fileHash(pathOfText(path)));
        if (hasChanged(run.modelFileHash, found))
            return failure("run.model-changed",
                           {{"run", run.id}, {"file", path}, {"stored", run.modelFileHash}, {"found", found}});
        run.modelFileHash = std::move(found);
    }
    const std::string& path = run.config.model.weights;
    if (path.empty())
        return notes;
    auto found = fileHash(pathOfText(path));
    if (fromBundle) {
        if (!found || hasChanged(run.initialWeightsHash, *found))
            notes.push_back({"run.weights-other", {{"file", path}}});
        return notes;
    }
    if (!found)
        return failure(found.error());
    if (hasChanged(run.initialWeightsHash, *found))
        return failure("run.weights-changed",
                       {{"run", run.id}, {"file", path}, {"stored", run.initialWeightsHash}, {"found", *found}});
    run.initialWeightsHash = std::move(*found);
    return notes;
}

Status compareFileHashes(const ModelConfig& config, const std::string& model, const std::string& weights, int rank) {
    const auto compare = [rank](const std::string& path, const std::string& first, const char* what) -> Status {
        if (path.empty() || first.empty())
            return {};
        ACCUMULUS_TRY_ASSIGN(const std::string own, fileHash(pathOfText(path)));
        if (own != first)
            return failure("ranks.differ",
                           {{"rank", std::to_string(rank)}, {"what", what}, {"first", first}, {"other", own}});
        return {};
    };
    ACCUMULUS_TRY(compare(modelFile(config), model, "phrase.rank-model"));
    return compare(config.weights, weights, "phrase.rank-weights");
}

} // namespace accumulus
