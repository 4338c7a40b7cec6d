// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset.h"

#include "core/base/hash.h"
#include "core/data/cifar.h"
#include "core/data/generated.h"
#include "core/data/generated_textures.h"
#include "core/data/idx_set.h"
#include "core/data/image_folder.h"
#include "core/data/text.h"

#include <new>

namespace accumulus {
namespace {

Result<DataSource> openSource(const DataConfig& config, const std::filesystem::path& resources) {
    if (config.dataset == "mnist" || config.dataset == "fashion-mnist")
        return openIdxSet(config, resources);
    if (config.dataset == "cifar10")
        return openCifar(config);
    if (config.dataset == "image-folder")
        return openImageFolder(config);
    if (config.dataset == "tinyshakespeare")
        return openText(config, resources);
    if (config.dataset == "digits-generated")
        return openDigits(config);
    if (config.dataset == "textures-generated")
        return openTextures(config);
    return failure("data.unknown", {{"dataset", config.dataset}});
}

tl::unexpected<Error> outOfMemory(const DataConfig& config) {
    return failure("data.memory", {{"dataset", config.dataset}});
}

std::string sideText(const ImageSet& set) { return std::to_string(set.height) + "x" + std::to_string(set.width); }

Status checkValidation(const DataConfig& config, std::int64_t samples) {
    if (config.validation < samples)
        return {};
    return failure("data.too-small", {{"dataset", config.dataset},
                                      {"validation", std::to_string(config.validation)},
                                      {"samples", std::to_string(samples)}});
}

void resizeTo(ImageSet& set, std::int64_t side) {
    if (side > 0 && (set.height != side || set.width != side))
        set = resizeBilinear(set, side, side);
}

Status finishImages(const DataConfig& config, Dataset& set) {
    resizeTo(set.train, config.resize);
    resizeTo(set.test, config.resize);
    if (set.train.height != set.test.height || set.train.width != set.test.width)
        return failure("data.sizes-differ",
                       {{"dataset", config.dataset}, {"train", sideText(set.train)}, {"test", sideText(set.test)}});
    if (config.validation > 0) {
        const std::int64_t rest = set.train.count - config.validation;
        set.validation = sliceImages(set.train, rest, config.validation);
        set.train = sliceImages(set.train, 0, rest);
    }
    Hasher hasher;
    for (const ImageSet* part : {&set.train, &set.validation, &set.test})
        hasher.add(std::as_bytes(std::span(part->pixels))).add(std::as_bytes(std::span(part->labels)));
    set.checksum = hasher.hex();
    return {};
}

void finishText(const DataConfig& config, Dataset& set) {
    if (config.validation > 0) {
        const std::int64_t rest = set.trainText.count - config.validation;
        set.validationText = sliceText(set.trainText, rest, config.validation);
        set.trainText = sliceText(set.trainText, 0, rest);
    }
    Hasher hasher;
    hasher.add(set.vocabulary);
    for (const TextSet* part : {&set.trainText, &set.validationText, &set.testText})
        hasher.add(std::as_bytes(std::span(part->tokens)));
    set.checksum = hasher.hex();
}

Result<std::shared_ptr<const Dataset>> load(const DataConfig& config, const std::filesystem::path& resources) {
    ACCUMULUS_TRY_ASSIGN(const auto source, openSource(config, resources));
    ACCUMULUS_TRY(checkValidation(config, source.sizes.train));
    auto set = std::make_shared<Dataset>();
    set->name = config.dataset;
    set->facts = source.sizes.facts;
    set->classes = source.sizes.classes;
    ACCUMULUS_TRY(source.read(*set));
    if (set->isText())
        finishText(config, *set);
    else
        ACCUMULUS_TRY(finishImages(config, *set));
    return set;
}

} // namespace

std::vector<Message> imageFacts(const std::string& dataset, const DatasetSizes& sizes) {
    const auto text = [](std::int64_t number) { return std::to_string(number); };
    return {{"fact." + dataset, {}},
            {"fact.shape",
             {{"height", text(sizes.height)}, {"width", text(sizes.width)}, {"channels", text(sizes.channels)}}},
            {"fact.classes", {{"classes", text(sizes.classes)}}}};
}

Status checkMemory(const DataConfig& config, const DatasetSizes& sizes) {
    const std::int64_t image = sizes.channels * sizes.height * sizes.width;
    if (sizes.train + sizes.test <= largestDataset / std::max<std::int64_t>(1, image))
        return {};
    return failure("data.too-large", {{"dataset", config.dataset},
                                      {"samples", std::to_string(sizes.train + sizes.test)},
                                      {"bytes", std::to_string(image)}});
}

Result<std::shared_ptr<const Dataset>> loadDataset(const DataConfig& config, const std::filesystem::path& resources) {
    try {
        return load(config, resources);
    } catch (const std::bad_alloc&) {
        return outOfMemory(config);
    }
}

Result<DatasetSizes> inspectDataset(const DataConfig& config, const std::filesystem::path& resources) {
    try {
        ACCUMULUS_TRY_ASSIGN(const auto source, openSource(config, resources));
        DatasetSizes sizes = source.sizes;
        sizes.train = std::max<std::int64_t>(0, sizes.train - config.validation);
        return sizes;
    } catch (const std::bad_alloc&) {
        return outOfMemory(config);
    }
}

} // namespace accumulus
