// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/file_kind_parts.h"

#include <algorithm>
#include <array>

namespace accumulus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostEntries = 400; ///< of one folder

struct Listed {
    std::vector<fs::path> files, folders;
    std::error_code problem;
};

Listed listFolder(const fs::path& folder) {
    Listed listed;
    std::size_t seen = 0;
    for (fs::directory_iterator entry(folder, listed.problem), end;
         !listed.problem && entry != end && seen < mostEntries; entry.increment(listed.problem), ++seen) {
        std::error_code ignored;
        if (entry->path().filename().string().starts_with('.'))
            continue;
        (entry->is_directory(ignored) ? listed.folders : listed.files).push_back(entry->path());
    }
    std::ranges::sort(listed.files);
    std::ranges::sort(listed.folders);
    return listed;
}

bool isPicture(const fs::path& file) {
    return hasSuffix(file, ".png") || hasSuffix(file, ".jpg") || hasSuffix(file, ".jpeg");
}

bool holdsPictures(const fs::path& folder) { return std::ranges::any_of(listFolder(folder).files, isPicture); }

/// Is one of these files in the folder, plain or packed?
bool holds(const fs::path& folder, std::initializer_list<const char*> names) {
    std::error_code ignored;
    return std::ranges::any_of(names, [&](const char* name) {
        return fs::is_regular_file(folder / name, ignored) ||
               fs::is_regular_file(folder / (std::string(name) + ".gz"), ignored);
    });
}

/// CLASS/*.png, or train/CLASS/*.png.
bool isImageFolder(const Listed& listed) {
    constexpr std::size_t looked = 8;
    for (std::size_t i = 0; i < std::min(looked, listed.folders.size()); ++i) {
        if (holdsPictures(listed.folders[i]))
            return true;
        const Listed inner = listFolder(listed.folders[i]);
        for (std::size_t j = 0; j < std::min(looked, inner.folders.size()); ++j)
            if (holdsPictures(inner.folders[j]))
                return true;
    }
    return false;
}

std::optional<FileKind> knownSet(const fs::path& folder) {
    for (const fs::path& place : {folder, folder / "train"})
        if (holds(place, {"train-images-idx3-ubyte", "train-images.idx3-ubyte"}))
            return idxKind(folder);
    for (const fs::path& place : {folder, folder / "cifar-10-batches-bin", folder / "train"})
        if (holds(place, {"data_batch_1.bin", "data_batch_2.bin"}))
            return usedFile(FileRole::Data, "kind.cifar10", folder, "cifar10");
    for (const fs::path& place : {folder, folder / "cifar-100-binary"})
        if (holds(place, {"train.bin"}) && holds(place, {"test.bin"}) && holds(place, {"fine_label_names.txt"}))
            return usedFile(FileRole::Data, "kind.cifar100", folder, "cifar100");
    if (holds(folder, {"inputs.npy"}) && holds(folder, {"targets.npy"}))
        return usedFile(FileRole::Data, "kind.npy-folder", folder, "tensors");
    return std::nullopt;
}

} // namespace

FileKind idxKind(const fs::path& folder) {
    const std::string name = folder.filename().string();
    const bool inner = name == "train" || name == "test" || name == "raw";
    const std::string told = inner ? folder.parent_path().filename().string() : name;
    const bool fashion = told.find("ashion") != std::string::npos;
    return usedFile(FileRole::Data, "kind.mnist", folder, fashion ? "fashion-mnist" : "mnist");
}

FileKind folderKind(const fs::path& folder) {
    const Listed listed = listFolder(folder);
    if (listed.problem && listed.files.empty() && listed.folders.empty()) {
        FileKind kind = refusedFile(folder, "kind.folder", "kind.cure.folder");
        kind.refusal = Error{"file.open", {{"file", folder.string()}, {"reason", listed.problem.message()}}};
        return kind;
    }
    // What accumulus_export.py writes: network, data and experiment together.
    if (std::error_code ignored; fs::is_regular_file(folder / "experiment.toml", ignored))
        return kindOfFile(folder / "experiment.toml");
    if (auto known = knownSet(folder))
        return *std::move(known);
    if (isImageFolder(listed))
        return usedFile(FileRole::Data, "kind.image-folder", folder, "image-folder");
    if (std::ranges::any_of(listed.files, isPicture))
        return refusedFile(folder, "kind.pictures", "kind.cure.picture");
    if (holds(folder, {"model.safetensors", "pytorch_model.bin"}))
        return refusedFile(folder, "kind.model-folder", "kind.cure.model-folder");
    if (holds(folder, {"saved_model.pb"}))
        return refusedFile(folder, "kind.saved-model", "kind.cure.module");
    if (holds(folder, {"train.bin"}) ||
        std::ranges::count_if(listed.files, [](const fs::path& file) { return hasSuffix(file, ".txt"); }) == 1)
        return usedFile(FileRole::Data, "kind.text", folder, "text");
    const bool empty = listed.files.empty() && listed.folders.empty();
    return refusedFile(folder, empty ? "kind.folder-empty" : "kind.folder", "kind.cure.folder");
}

} // namespace accumulus
