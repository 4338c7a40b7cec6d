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
constexpr std::int64_t imageBytes = channelCount * side * side;

tl::unexpected<Error> missing(const std::filesystem::path& folder, Message reason) {
    return failureBecause("data.cifar.missing", {{"folder", folder.string()}}, std::move(reason));
}
tl::unexpected<Error> missing100(const std::filesystem::path& folder, Message reason) {
    return failureBecause("data.cifar100.missing", {{"folder", folder.string()}}, std::move(reason));
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

Result<CifarFile> measure(const CifarLayout& layout, const std::filesystem::path& path) {
    ACCUMULUS_TRY_ASSIGN(const auto size, contentSize(path, errorFamily));
    const std::int64_t recordBytes = layout.recordBytes();
    if (size == 0 || size % recordBytes != 0)
        return failure("data.cifar.size", {{"file", path.string()},
                                           {"set", std::string(layout.title)},
                                           {"record", std::to_string(recordBytes)},
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
Status readRecords(const CifarLayout& layout, const CifarFile& file, std::int64_t count, ImageSet& set) {
    ByteStream stream(file.path, errorFamily);
    if (!stream.isOpen())
        return stream.openError();
    for (std::int64_t i = 0; i < count; ++i) {
        std::array<std::uint8_t, 2> labels{};
        ACCUMULUS_TRY(stream.read(std::span(labels).first(static_cast<std::size_t>(layout.labelBytes))));
        const std::uint8_t label = labels[static_cast<std::size_t>(layout.labelBytes - 1)];
        if (label >= layout.classes)
            return failure("data.cifar.label", {{"file", file.path.string()},
                                                {"set", std::string(layout.title)},
                                                {"offset", std::to_string(stream.offset() - 1)},
                                                {"label", std::to_string(label)},
                                                {"largest", std::to_string(layout.classes - 1)}});
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
        ACCUMULUS_TRY_ASSIGN(const auto file, measure(cifar10, path));
        files.train.push_back(file);
    }
    ACCUMULUS_TRY_ASSIGN(const auto file, measure(cifar10, test));
    files.test = file;
    return files;
}

Result<CifarFiles> findCifar100(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (folder.empty())
        return missing100(folder, {"reason.no-path-cifar", {}});
    if (!std::filesystem::is_directory(folder, ignored))
        return missing100(folder, {"reason.no-folder", {}});
    const auto find = [&](const std::string& part) {
        for (const auto& place : {folder, folder / "cifar-100-binary", folder / part})
            for (const char* ending : {".bin", ".bin.gz"})
                if (std::filesystem::is_regular_file(place / (part + ending), ignored))
                    return place / (part + ending);
        return std::filesystem::path();
    };
    const auto train = find("train");
    const auto test = find("test");
    if (train.empty() || test.empty())
        return missing100(folder, {"reason.no-part-file", {{"part", train.empty() ? "train.bin" : "test.bin"}}});
    CifarFiles files;
    ACCUMULUS_TRY_ASSIGN(const auto trainFile, measure(cifar100, train));
    ACCUMULUS_TRY_ASSIGN(const auto testFile, measure(cifar100, test));
    files.train = {trainFile};
    files.test = testFile;
    return files;
}

Result<ImageSet> readCifar(const CifarLayout& layout, std::span<const CifarFile> files, std::int64_t limit) {
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
        ACCUMULUS_TRY(readRecords(layout, file, count, set));
        left -= count;
    }
    return set;
}

namespace {

DataSource sourceOf(const CifarLayout& layout, const DataConfig& config, CifarFiles files) {
    const std::int64_t trainFound = totalCount(files.train);
    const std::int64_t shown = config.resize > 0 ? config.resize : side;
    DataSource source;
    DatasetSizes& sizes = source.sizes;
    sizes.train = limitedCount(trainFound, config.trainLimit);
    sizes.test = limitedCount(files.test.count, config.testLimit);
    sizes.height = sizes.width = shown;
    sizes.channels = channelCount;
    sizes.classes = layout.classes;
    sizes.facts = imageFacts(config.dataset, sizes);
    sizes.facts.push_back({files.train.size() == 1 ? "fact.train-images-file" : "fact.train-images-files",
                           {{"images", std::to_string(trainFound)}, {"files", std::to_string(files.train.size())}}});
    sizes.facts.push_back({"fact.test-images", {{"images", std::to_string(files.test.count)}}});
    sizes.facts.push_back({"fact.place", {{"path", config.path}}});
    source.trainStored = sizes.train * imageBytes;
    source.testStored = sizes.test * imageBytes;
    source.read = [&layout, config, found = std::move(files)](Dataset& set) -> Status {
        set.mean.assign(layout.mean.begin(), layout.mean.end());
        set.deviation.assign(layout.deviation.begin(), layout.deviation.end());
        ACCUMULUS_TRY_ASSIGN(auto train, readCifar(layout, found.train, config.trainLimit));
        ACCUMULUS_TRY_ASSIGN(auto test, readCifar(layout, {&found.test, 1}, config.testLimit));
        set.train = std::move(train);
        set.test = std::move(test);
        return {};
    };
    return source;
}

} // namespace

Result<DataSource> openCifar(const DataConfig& config) {
    ACCUMULUS_TRY_ASSIGN(auto files, findCifar(pathOfText(config.path)));
    return sourceOf(cifar10, config, std::move(files));
}

Result<DataSource> openCifar100(const DataConfig& config) {
    ACCUMULUS_TRY_ASSIGN(auto files, findCifar100(pathOfText(config.path)));
    return sourceOf(cifar100, config, std::move(files));
}

} // namespace accumulus
