// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset.h"

#include "core/base/hash.h"
#include "core/data/generated.h"
#include "core/data/idx.h"

#include <algorithm>
#include <optional>

namespace accumulus {
namespace {

constexpr std::int64_t defaultGeneratedTrain = 10'000;
constexpr std::int64_t defaultGeneratedTest = 2'000;

struct IdxFiles {
    std::filesystem::path trainImages, trainLabels, testImages, testLabels;
    bool bundled = false;
};

/// The file under any of the usual spellings, in the folder itself or in its train/ or test/ part.
std::optional<std::filesystem::path> locate(const std::filesystem::path& folder, const std::string& stem, const std::string& part) {
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

Result<IdxFiles> locateIdx(const DataConfig& config, const std::filesystem::path& resources) {
    IdxFiles files;
    files.bundled = config.path.empty() && config.dataset == "mnist";
    const std::filesystem::path folder = config.path.empty() ? resources / "datasets" / config.dataset : std::filesystem::path(config.path);
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
            return failure("data.missing", {{"dataset", config.dataset}, {"folder", folder.string()}, {"file", want.stem}});
        want.file = *found;
    }
    return files;
}

std::string displayName(const std::string& dataset) {
    if (dataset == "mnist")
        return "MNIST";
    return dataset == "fashion-mnist" ? "Fashion-MNIST" : "Generated digits";
}

std::string describeSet(const DataConfig& config, std::int64_t height, std::int64_t width, bool bundled) {
    const std::string source = config.dataset == "digits-generated" ? "drawn by the program"
                               : bundled                            ? "bundled copy"
                                                                    : config.path;
    return displayName(config.dataset) + ", " + std::to_string(height) + "x" + std::to_string(width) + "x1, 10 classes, " + source;
}

std::string sideText(const ImageSet& set) { return std::to_string(set.height) + "x" + std::to_string(set.width); }

std::int64_t limited(std::int64_t count, std::int64_t limit) { return limit > 0 ? std::min(count, limit) : count; }

Status loadRaw(const DataConfig& config, const std::filesystem::path& resources, Dataset& set) {
    if (config.dataset == "digits-generated") {
        set.train = generateDigits(config.trainLimit > 0 ? config.trainLimit : defaultGeneratedTrain, 1);
        set.test = generateDigits(config.testLimit > 0 ? config.testLimit : defaultGeneratedTest, 2);
        return {};
    }
    const auto files = locateIdx(config, resources);
    if (!files)
        return failure(files.error());
    auto train = readIdx(files->trainImages, files->trainLabels, config.trainLimit, set.classes);
    if (!train)
        return failure(train.error());
    auto test = readIdx(files->testImages, files->testLabels, config.testLimit, set.classes);
    if (!test)
        return failure(test.error());
    set.train = std::move(*train);
    set.test = std::move(*test);
    return {};
}

} // namespace

Result<std::shared_ptr<const Dataset>> loadDataset(const DataConfig& config, const std::filesystem::path& resources) {
    auto set = std::make_shared<Dataset>();
    set->name = config.dataset;
    // MNIST's training mean and deviation; Fashion-MNIST's own differ (0.2860, 0.3530).
    set->mean = {config.dataset == "fashion-mnist" ? 0.2860 : 0.1307};
    set->deviation = {config.dataset == "fashion-mnist" ? 0.3530 : 0.3081};
    ACCUMULUS_TRY(loadRaw(config, resources, *set));
    if (config.validation >= set->train.count)
        return failure("data.too-small", {{"dataset", config.dataset},
                                          {"validation", std::to_string(config.validation)},
                                          {"samples", std::to_string(set->train.count)}});
    if (config.resize > 0) {
        set->train = resizeBilinear(set->train, config.resize, config.resize);
        set->test = resizeBilinear(set->test, config.resize, config.resize);
    }
    if (set->train.height != set->test.height || set->train.width != set->test.width)
        return failure("data.sizes-differ", {{"dataset", config.dataset},
                                             {"train", sideText(set->train)},
                                             {"test", sideText(set->test)}});
    if (config.validation > 0) {
        const std::int64_t rest = set->train.count - config.validation;
        set->validation = sliceImages(set->train, rest, config.validation);
        set->train = sliceImages(set->train, 0, rest);
    }
    set->description = describeSet(config, set->train.height, set->train.width, config.path.empty() && config.dataset == "mnist");
    Hasher hasher;
    for (const ImageSet* part : {&set->train, &set->validation, &set->test})
        hasher.add(std::as_bytes(std::span(part->pixels))).add(std::as_bytes(std::span(part->labels)));
    set->checksum = hasher.hex();
    return set;
}

Result<DatasetSizes> inspectDataset(const DataConfig& config, const std::filesystem::path& resources) {
    DatasetSizes sizes;
    if (config.dataset == "digits-generated") {
        sizes = {config.trainLimit > 0 ? config.trainLimit : defaultGeneratedTrain,
                 config.testLimit > 0 ? config.testLimit : defaultGeneratedTest, 28, 28, {}, 1, 10, 0};
    } else {
        const auto files = locateIdx(config, resources);
        if (!files)
            return failure(files.error());
        const auto train = readIdxHeader(files->trainImages);
        if (!train)
            return failure(train.error());
        const auto test = readIdxHeader(files->testImages);
        if (!test)
            return failure(test.error());
        sizes = {limited(train->count, config.trainLimit), limited(test->count, config.testLimit), train->height, train->width, {}, 1, 10, 0};
    }
    sizes.train = std::max<std::int64_t>(0, sizes.train - config.validation);
    if (config.resize > 0)
        sizes.height = sizes.width = config.resize;
    sizes.description = describeSet(config, sizes.height, sizes.width, config.path.empty() && config.dataset == "mnist");
    return sizes;
}

} // namespace accumulus
