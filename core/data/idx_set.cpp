// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/idx_set.h"

#include "core/base/readable_text.h"
#include "core/data/idx.h"

#include <optional>

namespace accumulus {
namespace {

constexpr std::int64_t classCount = 10;

struct IdxFiles {
    std::filesystem::path trainImages, trainLabels, testImages, testLabels;
};

/// The file under any of the usual spellings, in the folder itself or in its train/ or test/ part.
std::optional<std::filesystem::path> locate(const std::filesystem::path& folder, const std::string& stem,
                                            const std::string& part) {
    std::string dotted = stem; // some copies are named train-images.idx3-ubyte
    dotted[stem.rfind("-idx")] = '.';
    for (const auto& place : {folder, folder / part})
        for (const auto& name : {stem, dotted})
            for (const char* suffix : {"", ".gz"}) {
                std::error_code ignored;
                if (const auto file = place / (name + suffix); std::filesystem::is_regular_file(file, ignored))
                    return file;
            }
    return std::nullopt;
}

Result<IdxFiles> locateFiles(const DataConfig& config, const std::filesystem::path& folder) {
    IdxFiles files;
    struct Wanted {
        std::filesystem::path& file;
        const char* stem;
        const char* part;
    };
    const Wanted wanted[] = {{files.trainImages, "train-images-idx3-ubyte", "train"},
                             {files.trainLabels, "train-labels-idx1-ubyte", "train"},
                             {files.testImages, "t10k-images-idx3-ubyte", "test"},
                             {files.testLabels, "t10k-labels-idx1-ubyte", "test"}};
    for (const Wanted& want : wanted) {
        const auto found = locate(folder, want.stem, want.part);
        if (!found)
            return failure("data.missing", {{"name", "fact." + config.dataset},
                                            {"folder", folder.string()},
                                            {"file", want.stem},
                                            {"files", "fact.files-" + config.dataset}});
        want.file = *found;
    }
    return files;
}

Status readFiles(const DataConfig& config, const IdxFiles& files, Dataset& set) {
    // The mean and deviation of each set's own training pixels.
    set.mean = {config.dataset == "fashion-mnist" ? 0.2860 : 0.1307};
    set.deviation = {config.dataset == "fashion-mnist" ? 0.3530 : 0.3081};
    ACCUMULUS_TRY_ASSIGN(auto train, readIdx(files.trainImages, files.trainLabels, config.trainLimit, classCount));
    ACCUMULUS_TRY_ASSIGN(auto test, readIdx(files.testImages, files.testLabels, config.testLimit, classCount));
    set.train = std::move(train);
    set.test = std::move(test);
    return {};
}

} // namespace

Result<DataSource> openIdxSet(const DataConfig& config, const std::filesystem::path& resources) {
    const bool bundled = config.path.empty() && config.dataset == "mnist";
    const std::filesystem::path folder =
        config.path.empty() ? resources / "datasets" / config.dataset : pathOfText(config.path);
    ACCUMULUS_TRY_ASSIGN(const auto files, locateFiles(config, folder));
    ACCUMULUS_TRY_ASSIGN(const auto train, readIdxHeader(files.trainImages));
    ACCUMULUS_TRY_ASSIGN(const auto test, readIdxHeader(files.testImages));
    DataSource source;
    source.sizes.train = limitedCount(train.count, config.trainLimit);
    source.sizes.test = limitedCount(test.count, config.testLimit);
    source.sizes.height = config.resize > 0 ? config.resize : train.height;
    source.sizes.width = config.resize > 0 ? config.resize : train.width;
    source.sizes.classes = classCount;
    source.sizes.facts = imageFacts(config.dataset, source.sizes);
    source.sizes.facts.push_back(bundled ? Message{"fact.bundled", {}}
                                         : Message{"fact.place", {{"path", folder.string()}}});
    source.trainStored = source.sizes.train * train.height * train.width;
    source.testStored = source.sizes.test * test.height * test.width;
    source.read = [config, found = files](Dataset& set) { return readFiles(config, found, set); };
    return source;
}

} // namespace accumulus
