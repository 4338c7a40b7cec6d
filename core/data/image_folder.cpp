// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image_folder.h"

#include "core/data/image_file.h"
#include "core/data/reason.h"

#include <array>
#include <cctype>
#include <memory>

namespace accumulus {
namespace {

namespace fs = std::filesystem;
using Files = std::vector<fs::path>;

constexpr std::size_t maxClasses = 256; // labels are bytes
constexpr std::int64_t channelCount = 3;

tl::unexpected<Error> refuse(const fs::path& folder, Message reason) {
    return failureBecause("data.folder.layout", {{"folder", folder.string()}}, std::move(reason));
}

bool isImageName(const fs::path& path) {
    std::string suffix = path.extension().string();
    for (char& letter : suffix)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return suffix == ".png" || suffix == ".jpg" || suffix == ".jpeg";
}

/// What `wanted` says yes to, in the order of the names.
template <class Wanted>
Result<Files> list(const fs::path& folder, Wanted wanted) {
    Files found;
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem))
        if (!entry->path().filename().string().starts_with('.') && wanted(*entry))
            found.push_back(entry->path());
    if (problem)
        return refuse(folder, {"reason.not-listed", {{"problem", problem.message()}}});
    std::ranges::sort(found, {}, [](const fs::path& path) { return path.filename().string(); });
    return found;
}

Result<Files> listFolders(const fs::path& folder) {
    return list(folder, [](const fs::directory_entry& entry) {
        std::error_code ignored;
        return entry.is_directory(ignored);
    });
}

Result<Files> listImages(const fs::path& folder) {
    return list(folder, [](const fs::directory_entry& entry) {
        std::error_code ignored;
        return isImageName(entry.path()) && entry.is_regular_file(ignored);
    });
}

/// Names and files of the classes of one part.
struct Classes {
    std::vector<std::string> names;
    std::vector<Files> files;
};

Result<Classes> listClasses(const fs::path& folder) {
    ACCUMULUS_TRY_ASSIGN(const auto folders, listFolders(folder));
    Classes classes;
    for (const fs::path& path : folders) {
        ACCUMULUS_TRY_ASSIGN(auto files, listImages(path));
        classes.names.push_back(path.filename().string()); // bytes: names are compared, never stored
        classes.files.push_back(std::move(files));
    }
    return classes;
}

/// Files of all classes, mixed evenly. `files` has one list for each label.
std::vector<LabelledFile> mixClasses(const std::vector<Files>& files) {
    struct Place {
        std::int64_t index, count;
        std::size_t label;
    };
    std::vector<Place> places;
    for (std::size_t label = 0; label < files.size(); ++label)
        for (std::int64_t i = 0; i < std::ssize(files[label]); ++i)
            places.push_back({i, std::ssize(files[label]), label});
    std::ranges::sort(places, [](const Place& a, const Place& b) { // (2 i + 1) / n, in whole numbers
        const std::int64_t left = (2 * a.index + 1) * b.count;
        const std::int64_t right = (2 * b.index + 1) * a.count;
        return left != right ? left < right : a.label < b.label;
    });
    std::vector<LabelledFile> mixed;
    mixed.reserve(places.size());
    for (const Place& place : places)
        mixed.push_back(
            {files[place.label][static_cast<std::size_t>(place.index)], static_cast<std::uint8_t>(place.label)});
    return mixed;
}

/// The files of test/ in the order of the classes of train/.
Result<std::vector<Files>> matchTest(const fs::path& folder, const std::vector<std::string>& names) {
    ACCUMULUS_TRY_ASSIGN(auto test, listClasses(folder / "test"));
    std::vector<Files> files(names.size());
    std::size_t total = 0;
    for (std::size_t i = 0; i < test.names.size(); ++i) {
        const auto known = std::ranges::find(names, test.names[i]);
        if (known == names.end())
            return refuse(folder, {"reason.test-class", {{"class", test.names[i]}}});
        total += test.files[i].size();
        files[static_cast<std::size_t>(known - names.begin())] = std::move(test.files[i]);
    }
    if (total == 0)
        return refuse(folder, {"reason.test-empty", {}});
    return files;
}

/// Takes the last tenth of each class off.
Result<std::vector<Files>> splitTest(const fs::path& folder, Classes& classes) {
    std::vector<Files> test;
    for (std::size_t i = 0; i < classes.names.size(); ++i) {
        Files& files = classes.files[i];
        if (files.size() < 2)
            return refuse(folder, {"reason.one-image", {{"class", classes.names[i]}}});
        const auto first = files.end() - std::max<std::ptrdiff_t>(1, std::ssize(files) / 10);
        test.emplace_back(first, files.end());
        files.erase(first, files.end());
    }
    return test;
}

std::string sizeText(const ImageSize& size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

/// Decodes the first `count` files. Memory grows with what was really decoded.
Result<ImageSet> readImages(const std::vector<LabelledFile>& files, std::int64_t count, const ImageSize& size,
                            std::int64_t resize) {
    ImageSet set;
    set.count = count;
    set.channels = channelCount;
    set.height = size.height;
    set.width = size.width;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        ACCUMULUS_TRY_ASSIGN(auto image, readImageFile(files[i].path));
        if (resize > 0)
            image = resizeSquare(image, resize);
        else if (const ImageSize own{image.height, image.width}; own != size)
            return failure("data.image.size",
                           {{"file", files[i].path.string()}, {"size", sizeText(own)}, {"first", sizeText(size)}});
        if (i == 0)
            set.pixels.reserve(static_cast<std::size_t>(count * set.imageSize()));
        set.pixels.insert(set.pixels.end(), image.pixels.begin(), image.pixels.end());
        set.labels.push_back(files[i].label);
    }
    return set;
}

} // namespace

Result<ImageFolder> findImageFolder(const fs::path& folder) {
    std::error_code ignored;
    const auto missing = [&](Message reason) {
        return failureBecause("data.folder.missing", {{"folder", folder.string()}}, std::move(reason));
    };
    if (folder.empty())
        return missing({"reason.no-path", {}});
    if (!fs::is_directory(folder, ignored))
        return missing({"reason.no-folder", {}});
    const bool hasTrain = fs::is_directory(folder / "train", ignored);
    const bool hasTest = fs::is_directory(folder / "test", ignored);
    if (hasTrain != hasTest)
        return refuse(folder, {hasTrain ? "reason.train-without-test" : "reason.test-without-train", {}});
    ACCUMULUS_TRY_ASSIGN(auto classes, listClasses(hasTrain ? folder / "train" : folder));
    if (classes.names.size() < 2 || classes.names.size() > maxClasses)
        return refuse(folder, {"reason.class-count", {{"classes", std::to_string(classes.names.size())}}});
    for (std::size_t i = 0; i < classes.names.size(); ++i)
        if (classes.files[i].empty())
            return refuse(folder, {"reason.class-empty", {{"class", classes.names[i]}}});
    ACCUMULUS_TRY_ASSIGN(const auto test, hasTrain ? matchTest(folder, classes.names) : splitTest(folder, classes));
    return ImageFolder{classes.names, mixClasses(classes.files), mixClasses(test)};
}

Result<DataSource> openImageFolder(const DataConfig& config) {
    ACCUMULUS_TRY_ASSIGN(auto found, findImageFolder(pathOfText(config.path)));
    ImageSize size{config.resize, config.resize};
    if (config.resize <= 0) {
        ACCUMULUS_TRY_ASSIGN(const auto first, readImageSize(found.train.front().path));
        size = first;
    }
    const auto folder = std::make_shared<const ImageFolder>(std::move(found));
    DataSource source;
    DatasetSizes& sizes = source.sizes;
    sizes.train = limitedCount(std::ssize(folder->train), config.trainLimit);
    sizes.test = limitedCount(std::ssize(folder->test), config.testLimit);
    sizes.height = size.height;
    sizes.width = size.width;
    sizes.channels = channelCount;
    sizes.classes = std::ssize(folder->classes);
    sizes.facts = imageFacts(config.dataset, sizes);
    sizes.facts.push_back(
        {"fact.images",
         {{"train", std::to_string(folder->train.size())}, {"test", std::to_string(folder->test.size())}}});
    sizes.facts.push_back({"fact.place", {{"path", config.path}}});
    source.read = [config, size, folder, counts = std::array{sizes.train, sizes.test}](Dataset& set) -> Status {
        set.mean = {0.485, 0.456, 0.406};
        set.deviation = {0.229, 0.224, 0.225};
        ACCUMULUS_TRY_ASSIGN(auto train, readImages(folder->train, counts[0], size, config.resize));
        ACCUMULUS_TRY_ASSIGN(auto test, readImages(folder->test, counts[1], size, config.resize));
        set.train = std::move(train);
        set.test = std::move(test);
        return {};
    };
    return source;
}

} // namespace accumulus
