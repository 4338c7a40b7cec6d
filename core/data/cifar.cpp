// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/cifar.h"

#include "core/data/byte_stream.h"
#include "core/data/reason.h"

#include <array>
#include <map>
#include <optional>
#include <string_view>

namespace accumulus {
namespace {

constexpr const char* errorFamily = "data.cifar";
constexpr std::int64_t side = 32;
constexpr std::int64_t channelCount = 3;
constexpr std::int64_t classCount = 10;
constexpr std::int64_t imageBytes = channelCount * side * side;
constexpr std::int64_t recordBytes = 1 + imageBytes;

tl::unexpected<Error> missing(const std::filesystem::path& folder, Message reason) {
    return failureBecause("data.cifar.missing", {{"folder", folder.string()}}, std::move(reason));
}

/// N of "data_batch_N.bin" or "data_batch_N.bin.gz".
std::optional<int> batchNumber(std::string_view name) {
    constexpr std::string_view prefix = "data_batch_";
    if (!name.starts_with(prefix))
        return std::nullopt;
    name.remove_prefix(prefix.size());
    if (name.ends_with(".gz"))
        name.remove_suffix(3);
    if (!name.ends_with(".bin"))
        return std::nullopt;
    name.remove_suffix(4);
    constexpr std::size_t maxDigits = 6;
    if (name.empty() || name.size() > maxDigits || name.find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    return std::stoi(std::string(name));
}

/// Adds the batches of one folder; those of an earlier place, and plain files, come first.
void collectBatches(const std::filesystem::path& folder, std::map<int, std::filesystem::path>& batches) {
    std::map<int, std::filesystem::path> here;
    std::error_code problem;
    for (std::filesystem::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        const auto number = batchNumber(entry->path().filename().string());
        std::error_code ignored;
        if (!number || !entry->is_regular_file(ignored))
            continue;
        std::filesystem::path& known = here[*number];
        if (known.empty() || entry->path() < known) // "...bin" sorts before "...bin.gz"
            known = entry->path();
    }
    batches.merge(here);
}

Result<CifarFile> measure(const std::filesystem::path& path) {
    ACCUMULUS_TRY_ASSIGN(const auto size, contentSize(path, errorFamily));
    if (size == 0 || size % recordBytes != 0)
        return failure("data.cifar.size", {{"file", path.string()},
                                           {"offset", std::to_string(size - size % recordBytes)},
                                           {"size", std::to_string(size)},
                                           {"rest", std::to_string(size % recordBytes)}});
    return CifarFile{path, size / recordBytes};
}

std::int64_t totalCount(std::span<const CifarFile> files) {
    std::int64_t count = 0;
    for (const CifarFile& file : files)
        count += file.count;
    return count;
}

/// Adds `count` images of one file. A file that is read to its end must end there.
Status readRecords(const CifarFile& file, std::int64_t count, ImageSet& set) {
    ByteStream stream(file.path, errorFamily);
    if (!stream.isOpen())
        return stream.openError();
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t offset = stream.offset();
        std::uint8_t label = 0;
        ACCUMULUS_TRY(stream.read({&label, 1}));
        if (label >= classCount)
            return failure(
                "data.cifar.label",
                {{"file", file.path.string()}, {"offset", std::to_string(offset)}, {"label", std::to_string(label)}});
        const std::size_t at = set.pixels.size();
        set.pixels.resize(at + imageBytes);
        ACCUMULUS_TRY(stream.read(std::span(set.pixels).subspan(at)));
        set.labels.push_back(label);
    }
    return count == file.count ? stream.expectEnd() : Status();
}

} // namespace

Result<CifarFiles> findCifar(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (folder.empty())
        return missing(folder, {"reason.no-path-cifar", {}});
    if (!std::filesystem::is_directory(folder, ignored))
        return missing(folder, {"reason.no-folder", {}});
    std::map<int, std::filesystem::path> batches;
    for (const auto& place : {folder, folder / "cifar-10-batches-bin", folder / "train"})
        collectBatches(place, batches);
    if (batches.empty())
        return missing(folder, {"reason.no-batches", {}});
    std::filesystem::path test;
    for (const auto& place : {folder, folder / "cifar-10-batches-bin", folder / "test"})
        for (const char* name : {"test_batch.bin", "test_batch.bin.gz"})
            if (test.empty() && std::filesystem::is_regular_file(place / name, ignored))
                test = place / name;
    if (test.empty())
        return missing(folder, {"reason.no-test-batch", {}});
    CifarFiles files;
    for (const auto& [number, path] : batches) {
        ACCUMULUS_TRY_ASSIGN(const auto file, measure(path));
        files.train.push_back(file);
    }
    ACCUMULUS_TRY_ASSIGN(const auto file, measure(test));
    files.test = file;
    return files;
}

Result<ImageSet> readCifar(std::span<const CifarFile> files, std::int64_t limit) {
    ImageSet set;
    set.count = limitedCount(totalCount(files), limit);
    set.channels = channelCount;
    set.height = side;
    set.width = side;
    set.pixels.reserve(static_cast<std::size_t>(set.count * imageBytes));
    set.labels.reserve(static_cast<std::size_t>(set.count));
    std::int64_t left = set.count;
    for (const CifarFile& file : files) {
        if (left == 0)
            break;
        const std::int64_t count = std::min(left, file.count);
        ACCUMULUS_TRY(readRecords(file, count, set));
        left -= count;
    }
    return set;
}

Result<DataSource> openCifar(const DataConfig& config) {
    ACCUMULUS_TRY_ASSIGN(auto files, findCifar(pathOfText(config.path)));
    const std::int64_t trainFound = totalCount(files.train);
    const std::int64_t shown = config.resize > 0 ? config.resize : side;
    DataSource source;
    DatasetSizes& sizes = source.sizes;
    sizes.train = limitedCount(trainFound, config.trainLimit);
    sizes.test = limitedCount(files.test.count, config.testLimit);
    sizes.height = sizes.width = shown;
    sizes.channels = channelCount;
    sizes.classes = classCount;
    sizes.facts = imageFacts(config.dataset, sizes);
    sizes.facts.push_back({files.train.size() == 1 ? "fact.train-images-file" : "fact.train-images-files",
                           {{"images", std::to_string(trainFound)}, {"files", std::to_string(files.train.size())}}});
    sizes.facts.push_back({"fact.test-images", {{"images", std::to_string(files.test.count)}}});
    sizes.facts.push_back({"fact.place", {{"path", config.path}}});
    source.trainStored = sizes.train * imageBytes;
    source.testStored = sizes.test * imageBytes;
    source.read = [config, found = std::move(files)](Dataset& set) -> Status {
        set.mean = {0.4914, 0.4822, 0.4465}; // of the training pixels, and their deviation, as everybody normalises
        set.deviation = {0.2023, 0.1994, 0.2010};
        ACCUMULUS_TRY_ASSIGN(auto train, readCifar(found.train, config.trainLimit));
        ACCUMULUS_TRY_ASSIGN(auto test, readCifar({&found.test, 1}, config.testLimit));
        set.train = std::move(train);
        set.test = std::move(test);
        return {};
    };
    return source;
}

} // namespace accumulus
