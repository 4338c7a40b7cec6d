// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tensors.h"

#include "core/base/available_memory.h"
#include "core/data/reason.h"
#include "core/data/tensor_files.h"

#include <algorithm>
#include <optional>

namespace accumulus {
namespace {

constexpr std::int64_t mostClasses = 1 << 24;

using Arguments = std::vector<std::pair<std::string, std::string>>;

/// 3x32x32; nothing for a single number.
std::string shapeText(std::span<const std::int64_t> sides) {
    std::string text;
    for (const std::int64_t side : sides)
        text += (text.empty() ? "" : "x") + std::to_string(side);
    return text;
}

/// An array whose first dimension counts samples.
struct Column {
    std::filesystem::path path;
    std::string name;
    StoredArray array;

    [[nodiscard]] std::int64_t count() const { return array.shape.front(); }
    [[nodiscard]] std::vector<std::int64_t> sample() const { return {array.shape.begin() + 1, array.shape.end()}; }
    [[nodiscard]] std::string described() const {
        return std::string(typeName(array.type)) + " [" + shapeText(array.shape) + "]";
    }
    [[nodiscard]] TensorColumn withoutData() const { return {array.type, sample(), nullptr, nullptr, nullptr}; }
    [[nodiscard]] Result<TensorColumn> read() const {
        ACCUMULUS_TRY_ASSIGN(auto bytes, array.read());
        return TensorColumn{array.type, sample(), bytes.data, std::move(bytes.storage), std::move(bytes.file)};
    }
    /// Bytes of memory that it takes.
    [[nodiscard]] std::int64_t unpacked() const { return array.packed ? array.bytes : 0; }
};

/// Where samples come from: inputs and targets of as many samples.
struct Part {
    Column inputs, targets;
};

Result<Column> openColumn(const std::filesystem::path& path, const ArrayEntry& entry) {
    ACCUMULUS_TRY_ASSIGN(auto array, entry.open());
    const auto problem = [&](const char* reason, const char* cure, Arguments more = {}) {
        more.emplace_back("cure", cure);
        return arrayError(path, entry.name, {reason, std::move(more)});
    };
    if (array.shape.empty())
        return problem("reason.array-no-samples", "cure.array-samples");
    if (array.bytes == 0)
        return problem("reason.array-empty", "cure.array-samples", {{"shape", shapeText(array.shape)}});
    return Column{path, entry.name, std::move(array)};
}

const ArrayEntry* find(const std::vector<ArrayEntry>& entries, std::string_view name) {
    const auto found = std::ranges::find(entries, name, &ArrayEntry::name);
    return found == entries.end() ? nullptr : &*found;
}

tl::unexpected<Error> namesError(const std::filesystem::path& path, const std::vector<ArrayEntry>& entries,
                                 const char* cure) {
    constexpr std::size_t shown = 6;
    std::string found;
    for (std::size_t i = 0; i < std::min(shown, entries.size()); ++i)
        found += (found.empty() ? "" : ", ") + entries[i].name.substr(0, 40);
    if (entries.size() > shown)
        found += ", ...";
    return failure("data.tensors.names",
                   {{"path", path.string()}, {"found", found.empty() ? "phrase.nothing" : found}, {"cure", cure}});
}

/// Nothing where neither is there; an error where one is.
Result<std::optional<Part>> findPart(const std::filesystem::path& path, const std::vector<ArrayEntry>& entries,
                                     const std::string& prefix) {
    const ArrayEntry* inputs = find(entries, prefix + "inputs");
    const ArrayEntry* targets = find(entries, prefix + "targets");
    if (!inputs && !targets)
        return std::optional<Part>();
    if (!inputs || !targets)
        return namesError(path, entries, prefix.empty() ? "cure.names-train" : "cure.names-test");
    ACCUMULUS_TRY_ASSIGN(auto inputColumn, openColumn(path, *inputs));
    ACCUMULUS_TRY_ASSIGN(auto targetColumn, openColumn(path, *targets));
    if (inputColumn.count() != targetColumn.count())
        return failure("data.tensors.counts", {{"path", path.string()},
                                               {"inputs", inputs->name},
                                               {"targets", targets->name},
                                               {"inputCount", std::to_string(inputColumn.count())},
                                               {"targetCount", std::to_string(targetColumn.count())}});
    return std::optional<Part>(Part{std::move(inputColumn), std::move(targetColumn)});
}

struct Parts {
    Part train;
    std::optional<Part> test; ///< none: the validation part
};

Status checkSame(const Column& train, const Column& test) {
    if (train.array.type == test.array.type && train.sample() == test.sample())
        return {};
    return failure("data.tensors.differ", {{"path", test.path.string()},
                                           {"train", train.name},
                                           {"test", test.name},
                                           {"trainType", train.described()},
                                           {"testType", test.described()}});
}

Result<Parts> findParts(const DataConfig& config) {
    const auto path = pathOfText(config.path);
    ACCUMULUS_TRY_ASSIGN(const auto entries, openTensorFiles(path));
    ACCUMULUS_TRY_ASSIGN(auto train, findPart(path, entries, ""));
    if (!train)
        return namesError(path, entries, "cure.names-train");
    Parts parts{*std::move(train), std::nullopt};
    if (config.testPath.empty()) {
        ACCUMULUS_TRY_ASSIGN(parts.test, findPart(path, entries, "test_"));
    } else {
        const auto testPath = pathOfText(config.testPath);
        ACCUMULUS_TRY_ASSIGN(const auto testEntries, openTensorFiles(testPath));
        ACCUMULUS_TRY_ASSIGN(parts.test, findPart(testPath, testEntries, "test_"));
        if (!parts.test) {
            ACCUMULUS_TRY_ASSIGN(parts.test, findPart(testPath, testEntries, ""));
        }
        if (!parts.test)
            return namesError(testPath, testEntries, "cure.names-test");
    }
    if (!parts.test && config.validation == 0)
        return failure("data.no-test",
                       {{"path", path.string()},
                        {"samples", std::to_string(limitedCount(parts.train.inputs.count(), config.trainLimit))}});
    if (parts.test) {
        ACCUMULUS_TRY(checkSame(parts.train.inputs, parts.test->inputs));
        ACCUMULUS_TRY(checkSame(parts.train.targets, parts.test->targets));
    }
    return parts;
}

/// "sample 7" or "sample 7, element 3".
Message placeOf(const Column& column, std::int64_t element) {
    const std::int64_t size = column.withoutData().elements();
    if (size == 1)
        return {"phrase.sample", {{"sample", std::to_string(element)}}};
    return {"phrase.sample-element",
            {{"sample", std::to_string(element / size)}, {"element", std::to_string(element % size)}}};
}

tl::unexpected<Error> valueError(const Column& column, const char* code, std::int64_t element, Arguments more = {}) {
    Message place = placeOf(column, element);
    Error error{code, {{"file", column.path.string()}, {"array", column.name}, {"place", std::move(place.code)}}};
    error.arguments.insert(error.arguments.end(), place.arguments.begin(), place.arguments.end());
    error.arguments.insert(error.arguments.end(), more.begin(), more.end());
    return failure(std::move(error));
}

/// Classes of whole targets: the largest and one more; 0 of real ones.
Result<std::int64_t> classesOf(const Column& column, const TensorColumn& targets) {
    if (isReal(targets.type)) {
        if (const auto bad = firstNonfinite(targets, column.count()))
            return valueError(column, "data.tensors.nonfinite", *bad);
        return 0;
    }
    const WholeRange range = wholeRange(targets, column.count());
    if (range.firstNegative || range.largest >= mostClasses) {
        std::int64_t place = range.firstNegative.value_or(0);
        if (!range.firstNegative)
            place = firstWhole(targets, 0, column.count() * targets.elements(), [](std::int64_t label) {
                        return label >= mostClasses;
                    }).value_or(0);
        return valueError(
            column, "data.tensors.label", place,
            {{"label", std::to_string(wholeNumberAt(targets, place))}, {"largest", std::to_string(mostClasses - 1)}});
    }
    if (range.largest < 0)
        return arrayError(column.path, column.name, {"reason.all-ignored", {{"cure", "cure.array-samples"}}});
    return targets.type == ElementType::Bool ? 2 : range.largest + 1;
}

Status checkScale(const DataConfig& config, const Column& inputs) {
    const auto problem = [&](const char* key, std::size_t values, const char* reason, const char* cure) {
        const auto sample = inputs.sample();
        return failure("data.tensors.scale", {{"key", key},
                                              {"values", std::to_string(values)},
                                              {"array", inputs.described()},
                                              {"channels", std::to_string(sample.empty() ? 1 : sample.front())},
                                              {"reason", reason},
                                              {"cure", cure}});
    };
    const auto check = [&](const char* key, const std::vector<double>& values) -> Status {
        if (values.empty())
            return {};
        if (staysWhole(inputs.array.type))
            return problem(key, values.size(), "reason.scale-whole", "cure.scale-whole");
        const auto sample = inputs.sample();
        if (values.size() > 1 && (sample.empty() || std::ssize(values) != sample.front()))
            return problem(key, values.size(), "reason.scale-channels", "cure.scale-channels");
        return {};
    };
    ACCUMULUS_TRY(check("data.mean", config.mean));
    return check("data.deviation", config.deviation);
}

/// The class of all held-out samples, the last ones, where the training samples have others as well.
std::optional<std::int64_t> heldOutClass(const TensorColumn& targets, std::int64_t samples, std::int64_t held) {
    const std::int64_t first = samples - held;
    if (held <= 0 || first <= 0 || isReal(targets.type) || targets.elements() != 1)
        return std::nullopt;
    const std::int64_t only = wholeNumberAt(targets, first);
    if (only == ignoredTarget)
        return std::nullopt;
    const auto isOther = [only](std::int64_t label) { return label != only; };
    const bool heldAreOne = !firstWhole(targets, first, held, isOther);
    return heldAreOne && firstWhole(targets, 0, first, isOther) ? std::optional(only) : std::nullopt;
}

Message columnFact(const char* code, const Column& column) {
    const auto sample = column.sample();
    return {code,
            {{"type", std::string(typeName(column.array.type))},
             {"shape", sample.empty() ? "phrase.one-number" : shapeText(sample)}}};
}

std::string sizeText(std::int64_t bytes) {
    return bytes < (1 << 20) ? std::to_string((bytes + 1023) >> 10) + " KiB"
                             : std::to_string((bytes + (1 << 19)) >> 20) + " MiB";
}

std::vector<Message> factsOf(const DataConfig& config, const Parts& parts, const DatasetSizes& sizes) {
    std::vector<Message> facts{{"fact.tensors", {}},
                               columnFact("fact.inputs", parts.train.inputs),
                               columnFact("fact.targets", parts.train.targets)};
    facts.push_back(sizes.classes > 0 ? Message{"fact.classes", {{"classes", std::to_string(sizes.classes)}}}
                                      : Message{"fact.real-numbers", {}});
    facts.push_back({"fact.train-samples", {{"samples", std::to_string(parts.train.inputs.count())}}});
    if (parts.test)
        facts.push_back({"fact.test-samples", {{"samples", std::to_string(parts.test->inputs.count())}}});
    else
        facts.push_back({"fact.test-is-validation", {{"samples", std::to_string(config.validation)}}});
    const Column& inputs = parts.train.inputs;
    facts.push_back({inputs.array.packed ? "fact.unpacked" : "fact.mapped", {{"size", sizeText(inputs.array.bytes)}}});
    facts.push_back({"fact.place", {{"path", config.path}}});
    return facts;
}

/// Columns of a part, cut to `limit`.
Result<TensorSet> readPart(const Part& part, const TensorColumn& targets, std::int64_t limit) {
    TensorSet set;
    set.count = limitedCount(part.inputs.count(), limit);
    ACCUMULUS_TRY_ASSIGN(set.inputs, part.inputs.read());
    set.targets = targets;
    if (set.count * set.inputs.sampleBytes() <= fileLimits().scanned)
        if (const auto bad = firstNonfinite(set.inputs, set.count))
            return valueError(part.inputs, "data.tensors.nonfinite", *bad);
    if (set.inputs.file && !set.inputs.file->isSmall())
        set.inputs.file->expectRandomAccess();
    return set;
}

Status checkRoomFor(const DataConfig& config, const Part& part) {
    const Column& targets = part.targets;
    return checkRoom(config, {"phrase.tensor-bytes", {{"bytes", std::to_string(targets.unpacked())}}},
                     targets.unpacked(), targets.unpacked() > 0 ? availableMemory() : 0);
}

} // namespace

Result<DataSource> openTensors(const DataConfig& config) {
    ACCUMULUS_TRY_ASSIGN(auto parts, findParts(config));
    ACCUMULUS_TRY(checkScale(config, parts.train.inputs));
    DataSource source;
    DatasetSizes& sizes = source.sizes;
    ACCUMULUS_TRY(checkRoomFor(config, parts.train));
    ACCUMULUS_TRY_ASSIGN(auto targets, parts.train.targets.read());
    ACCUMULUS_TRY_ASSIGN(sizes.classes, classesOf(parts.train.targets, targets));
    sizes.targetValues = targetValues(targets, parts.train.targets.count());
    TensorColumn testTargets;
    if (parts.test) {
        ACCUMULUS_TRY(checkRoomFor(config, *parts.test));
        ACCUMULUS_TRY_ASSIGN(testTargets, parts.test->targets.read());
        ACCUMULUS_TRY_ASSIGN(const auto classes, classesOf(parts.test->targets, testTargets));
        sizes.classes = std::max(sizes.classes, classes);
        sizes.targetValues = together(sizes.targetValues, targetValues(testTargets, parts.test->targets.count()));
        source.testStored = parts.test->inputs.unpacked() + parts.test->targets.unpacked();
    }
    source.trainStored = parts.train.inputs.unpacked() + parts.train.targets.unpacked();
    sizes.tensors = true;
    const auto sample = parts.train.inputs.sample();
    sizes.channels = sample.empty() ? 1 : sample[0];
    sizes.height = sample.size() > 1 ? sample[1] : 1;
    sizes.width = parts.train.inputs.withoutData().elements() / (sizes.channels * sizes.height);
    sizes.inputs = parts.train.inputs.withoutData();
    sizes.targets = parts.train.targets.withoutData();
    sizes.train = limitedCount(parts.train.inputs.count(), config.trainLimit);
    sizes.test = parts.test ? limitedCount(parts.test->inputs.count(), config.testLimit) : config.validation;
    sizes.facts = factsOf(config, parts, sizes);
    if (const auto only = heldOutClass(targets, sizes.train, config.validation))
        sizes.facts.push_back({"fact.held-out-one-class", {{"class", std::to_string(*only)}}});
    source.read = [config, parts = std::move(parts), targets = std::move(targets),
                   testTargets = std::move(testTargets)](Dataset& set) -> Status {
        if (!config.mean.empty())
            set.mean = config.mean;
        if (!config.deviation.empty())
            set.deviation = config.deviation;
        ACCUMULUS_TRY_ASSIGN(set.trainTensors, readPart(parts.train, targets, config.trainLimit));
        if (parts.test) {
            ACCUMULUS_TRY_ASSIGN(set.testTensors, readPart(*parts.test, testTargets, config.testLimit));
        }
        return {};
    };
    return source;
}

} // namespace accumulus
