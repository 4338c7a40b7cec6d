// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tensor_files.h"

#include "core/base/safetensors_header.h"
#include "core/data/column_reader.h"
#include "core/data/npz.h"
#include "core/data/reason.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

namespace accumulus {
namespace {

constexpr std::array<std::string_view, 4> names{"inputs", "targets", "test_inputs", "test_targets"};

tl::unexpected<Error> formatError(const std::filesystem::path& file, Message reason) {
    return failureBecause("data.tensors.format", {{"file", file.string()}}, std::move(reason));
}

Result<std::shared_ptr<const MappedFile>> mapped(const std::filesystem::path& path) {
    auto file = MappedFile::open(path);
    if (!file)
        return failureBecause("data.tensors.open", {{"file", path.string()}}, std::move(file).error());
    return *std::move(file);
}

std::string_view textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::optional<ElementType> safetensorsType(std::string_view name) {
    using enum ElementType;
    struct Named {
        std::string_view name;
        ElementType type;
    };
    constexpr std::array<Named, 12> known{{{"BOOL", Bool},
                                           {"U8", UInt8},
                                           {"I8", Int8},
                                           {"U16", UInt16},
                                           {"I16", Int16},
                                           {"U32", UInt32},
                                           {"I32", Int32},
                                           {"I64", Int64},
                                           {"F16", Float16},
                                           {"BF16", BFloat16},
                                           {"F32", Float32},
                                           {"F64", Float64}}};
    const auto* found = std::ranges::find(known, name, &Named::name);
    return found == known.end() ? std::nullopt : std::optional(found->type);
}

Result<std::vector<ArrayEntry>> openSafetensors(const std::shared_ptr<const MappedFile>& file) {
    const auto bytes = file->bytes();
    std::uint64_t length = 0;
    if (bytes.size() < sizeof length)
        return formatError(file->path(), {"reason.shorter-than-header", {}});
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length > SafetensorsHeader::longest || length > bytes.size() - sizeof length)
        return formatError(file->path(), {"reason.unknown-format", {}});
    const auto words = bytes.subspan(sizeof length, length);
    const auto data = bytes.subspan(sizeof length + length);
    std::vector<std::byte> copy;
    forEachBlock(file.get(), words, [&](std::span<const std::byte> block) {
        copy.insert(copy.end(), block.begin(), block.end());
        return true;
    });
    auto header = parseSafetensorsHeader(textOf(copy), data.size());
    if (!header)
        return formatError(file->path(), {header.error().reason, {{"detail", header.error().detail}}});
    std::vector<ArrayEntry> entries;
    for (SafetensorsHeader::Tensor& tensor : header->tensors) {
        const std::string name = tensor.name;
        entries.push_back(
            {name, [file, data, tensor = std::move(tensor)]() -> Result<StoredArray> {
                 const auto type = safetensorsType(tensor.type);
                 if (!type)
                     return arrayError(file->path(), tensor.name,
                                       {"reason.npy-type", {{"type", tensor.type}, {"cure", "cure.npy-plain"}}});
                 const auto own = data.subspan(tensor.begin, tensor.end - tensor.begin);
                 return StoredArray{*type, tensor.shape, std::ssize(own), false, [file, own]() -> Result<ArrayBytes> {
                                        return ArrayBytes{own.data(), file, file};
                                    }};
             }});
    }
    return entries;
}

std::vector<ArrayEntry> openFolder(const std::filesystem::path& folder) {
    std::vector<ArrayEntry> entries;
    for (const std::string_view name : names) {
        const auto path = folder / (std::string(name) + ".npy");
        std::error_code ignored;
        if (std::filesystem::exists(path, ignored))
            entries.push_back({std::string(name), [path, name]() -> Result<StoredArray> {
                                   ACCUMULUS_TRY_ASSIGN(const auto file, mapped(path));
                                   return mappedNpy(file, std::string(name), file->bytes());
                               }});
    }
    return entries;
}

} // namespace

Result<std::vector<ArrayEntry>> openTensorFiles(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto missing = [&](Message reason) {
        return failureBecause("data.tensors.missing", {{"path", path.string()}}, std::move(reason));
    };
    if (path.empty())
        return missing({"reason.no-path-tensors", {}});
    if (std::filesystem::is_directory(path, ignored)) {
        auto entries = openFolder(path);
        if (entries.empty())
            return missing({"reason.folder-no-arrays", {}});
        return entries;
    }
    if (!std::filesystem::exists(path, ignored))
        return missing({"reason.no-file-or-folder", {}});
    ACCUMULUS_TRY_ASSIGN(const auto file, mapped(path));
    const std::string_view beginning = textOf(file->bytes().first(std::min<std::size_t>(8, file->bytes().size())));
    if (beginning.starts_with("\x93NUMPY")) {
        auto entries = openFolder(path.parent_path());
        if (entries.empty())
            return failure("data.tensors.alone", {{"file", path.string()}});
        return entries;
    }
    return beginning.starts_with("PK") ? openNpz(file) : openSafetensors(file);
}

} // namespace accumulus
