// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset.h"

#include "core/base/available_memory.h"
#include "core/base/error_thrown.h"
#include "core/base/hash.h"
#include "core/config/dataset_rows.h"
#include "core/data/any_text.h"
#include "core/data/cifar.h"
#include "core/data/dataset_hash.h"
#include "core/data/generated.h"
#include "core/data/generated_textures.h"
#include "core/data/idx_set.h"
#include "core/data/image_folder.h"
#include "core/data/mapped_file.h"
#include "core/data/table.h"
#include "core/data/tensors.h"
#include "core/data/text.h"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

namespace accumulus {
namespace {

struct Opener {
    std::string_view name;
    Result<DataSource> (*open)(const DataConfig&, const std::filesystem::path&);
};

/// For sources that need no bundled file.
template <Result<DataSource> (*openDirectly)(const DataConfig&)>
Result<DataSource> ofItself(const DataConfig& config, const std::filesystem::path&) {
    return openDirectly(config);
}

constexpr std::array openers{Opener{"mnist", openIdxSet},
                             Opener{"fashion-mnist", openIdxSet},
                             Opener{"cifar10", ofItself<openCifar>},
                             Opener{"cifar100", ofItself<openCifar100>},
                             Opener{"image-folder", ofItself<openImageFolder>},
                             Opener{"tinyshakespeare", openText},
                             Opener{"text", ofItself<openAnyText>},
                             Opener{"digits-generated", ofItself<openDigits>},
                             Opener{"textures-generated", ofItself<openTextures>},
                             Opener{"tensors", ofItself<openTensors>},
                             Opener{"table", ofItself<openTable>}};
static_assert(std::ranges::equal(openers, datasetRows, {}, &Opener::name, &DatasetRow::name),
              "each data set of core/config/dataset_rows.h has its opener here, in the same order");

Result<DataSource> findSource(const DataConfig& config, const std::filesystem::path& resources) {
    const auto opener = std::ranges::find(openers, config.dataset, &Opener::name);
    if (opener == openers.end())
        return failure("data.unknown", {{"dataset", config.dataset}});
    return opener->open(config, resources);
}

/// Bytes of both parts, which images keep as they were stored until they are resized.
struct Needs {
    std::int64_t trainStored = 0, testStored = 0;
    std::int64_t train = 0, test = 0;

    explicit Needs(const DataSource& source) {
        const DatasetSizes& sizes = source.sizes;
        trainStored = source.trainStored;
        testStored = source.testStored;
        if (sizes.tensors || sizes.block > 0) { // what stays in its file, and text that is read already, do not count
            train = trainStored;
            test = testStored;
            return;
        }
        const std::int64_t sample = sizes.channels * sizes.height * sizes.width;
        train = sizes.train * sample;
        test = sizes.test * sample;
        trainStored = source.trainStored > 0 ? source.trainStored : train;
        testStored = source.testStored > 0 ? source.testStored : test;
    }
    /// Of the training part both versions exist for a moment, and then of the test part.
    [[nodiscard]] std::int64_t peak() const {
        const bool resized = train != trainStored || test != testStored;
        return resized ? testStored + train + std::max(trainStored, test) : train + test;
    }
};

/// Whether it could fit into any machine. Sizes come from outside files, so products may not overflow.
Status checkLargest(const DataConfig& config, const DataSource& source) {
    const DatasetSizes& sizes = source.sizes;
    const std::int64_t image = sizes.channels * sizes.height * sizes.width;
    if (sizes.block > 0 || sizes.tensors ||
        (sizes.train + sizes.test <= largestDataset / std::max<std::int64_t>(1, image) &&
         source.trainStored <= largestDataset - source.testStored))
        return {};
    return failure("data.too-large", {{"dataset", config.dataset},
                                      {"samples", std::to_string(sizes.train + sizes.test)},
                                      {"bytes", std::to_string(image)}});
}

Result<DataSource> openSource(const DataConfig& config, const std::filesystem::path& resources) {
    ACCUMULUS_TRY_ASSIGN(auto source, findSource(config, resources));
    ACCUMULUS_TRY(checkLargest(config, source));
    return source;
}

Message sizesOf(const DataSource& source) {
    const DatasetSizes& sizes = source.sizes;
    const auto text = [](std::int64_t number) { return std::to_string(number); };
    if (sizes.tensors)
        return {"phrase.tensor-bytes", {{"bytes", text(source.trainStored + source.testStored)}}};
    if (sizes.block > 0)
        return {"phrase.token-samples", {{"samples", text(sizes.train + sizes.test)}, {"block", text(sizes.block)}}};
    return {"phrase.image-samples",
            {{"samples", text(sizes.train + sizes.test)},
             {"width", text(sizes.width)},
             {"height", text(sizes.height)},
             {"channels", text(sizes.channels)}}};
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
        set.train.count = rest; // cut in place: a copy would take the training part's memory again
        set.train.pixels.resize(static_cast<std::size_t>(rest * set.train.imageSize()));
        set.train.labels.resize(static_cast<std::size_t>(rest));
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
        addColumn(hasher, part->tokens.column(), part->tokens.size());
    set.checksum = hasher.hex();
}

void finishTensors(const DataConfig& config, Dataset& set) {
    if (config.validation > 0) {
        const std::int64_t rest = set.trainTensors.count - config.validation;
        set.validationTensors = sliceTensors(set.trainTensors, rest, config.validation);
        set.trainTensors.count = rest;
    }
    if (set.testTensors.count == 0)
        set.testTensors = set.validationTensors;
    Hasher hasher;
    for (const TensorSet* part : {&set.trainTensors, &set.validationTensors, &set.testTensors})
        for (const TensorColumn* column : {&part->inputs, &part->targets})
            addColumn(hasher, *column, part->count);
    set.checksum = hasher.hex();
}

/// So that a file that is only touched while it is trained on does not end the run.
void rememberFiles(const Dataset& set) {
    for (const TensorSet* part : {&set.trainTensors, &set.testTensors})
        for (const TensorColumn* column : {&part->inputs, &part->targets})
            if (column->file)
                column->file->rememberContent();
    for (const TextSet* part : {&set.trainText, &set.testText})
        if (part->tokens.file)
            part->tokens.file->rememberContent();
}

Result<std::shared_ptr<const Dataset>> load(const DataConfig& config, const std::filesystem::path& resources,
                                            std::int64_t available) {
    ACCUMULUS_TRY_ASSIGN(const auto source, openSource(config, resources));
    ACCUMULUS_TRY(checkValidation(config, source.sizes.train));
    ACCUMULUS_TRY(checkRoom(config, sizesOf(source), Needs(source).peak(), available));
    auto set = std::make_shared<Dataset>();
    set->name = config.dataset;
    set->facts = source.sizes.facts;
    set->classes = source.sizes.classes;
    set->targetValues = source.sizes.targetValues;
    ACCUMULUS_TRY(source.read(*set));
    if (set->isText())
        finishText(config, *set);
    else if (set->kind() == SampleKind::Tensors)
        finishTensors(config, *set);
    else
        ACCUMULUS_TRY(finishImages(config, *set));
    rememberFiles(*set);
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

Status checkRoom(const DataConfig& config, const Message& what, std::int64_t needed, std::int64_t available) {
    if (available <= 0 || needed <= available)
        return {};
    const auto mebibytes = [](std::int64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; };
    Error error{"data.no-room",
                {{"dataset", config.dataset},
                 {"what", what.code},
                 {"needed", mebibytes(needed)},
                 {"available", mebibytes(available)}}};
    error.arguments.insert(error.arguments.end(), what.arguments.begin(), what.arguments.end());
    return failure(std::move(error));
}

Result<std::shared_ptr<const Dataset>> loadWithin(const DataConfig& config, const std::filesystem::path& resources,
                                                  std::int64_t available) {
    try {
        return load(config, resources, available);
    } catch (const std::bad_alloc&) {
        return outOfMemory(config);
    } catch (const ErrorThrown& problem) { // a file was cut short while it was looked through
        return failure(problem.error());
    }
}

Result<std::shared_ptr<const Dataset>> loadDataset(const DataConfig& config, const std::filesystem::path& resources) {
    return loadWithin(config, resources, availableMemory());
}

Result<DatasetSizes> inspectDataset(const DataConfig& config, const std::filesystem::path& resources) {
    try {
        ACCUMULUS_TRY_ASSIGN(const auto source, openSource(config, resources));
        ACCUMULUS_TRY(checkValidation(config, source.sizes.train));
        DatasetSizes sizes = source.sizes;
        sizes.train -= config.validation;
        return sizes;
    } catch (const std::bad_alloc&) {
        return outOfMemory(config);
    } catch (const ErrorThrown& problem) { // a file was cut short while it was looked through
        return failure(problem.error());
    }
}

} // namespace accumulus
