// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/some_of.h"
#include "core/run/file_kind_parts.h"
#include "core/run/zip_names.h"

#include "core/data/idx.h"
#include "core/store/library.h"
#include "core/store/migrations.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace accumulus {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::size_t largestHeader = std::size_t{16} << 20;
constexpr std::size_t pickleBytes = std::size_t{1} << 20;

/// A format that others know and we do not read.
struct Foreign {
    std::size_t offset;
    std::string_view mark;
    const char* what;
    const char* cure;
};

constexpr std::array foreigners{
    Foreign{0, "\x89HDF\r\n\x1a\n"sv, "kind.hdf5", "kind.cure.hdf5"},
    Foreign{0, "PAR1"sv, "kind.parquet", "kind.cure.parquet"},
    Foreign{0, "ARROW1"sv, "kind.arrow", "kind.cure.parquet"},
    Foreign{0, "MATLAB 5.0"sv, "kind.matlab", "kind.cure.arrays"},
    Foreign{4, "TFL3"sv, "kind.tflite", "kind.cure.module"},
    Foreign{0, "GGUF"sv, "kind.gguf", "kind.cure.gguf"},
    Foreign{0, "\x89PNG\r\n\x1a\n"sv, "kind.picture", "kind.cure.picture"},
    Foreign{0, "\xff\xd8\xff"sv, "kind.picture", "kind.cure.picture"},
    Foreign{0, "GIF8"sv, "kind.picture", "kind.cure.picture-format"},
    Foreign{8, "WEBP"sv, "kind.picture", "kind.cure.picture-format"},
    Foreign{0, "II*\0"sv, "kind.picture", "kind.cure.picture-format"},
    Foreign{0, "MM\0*"sv, "kind.picture", "kind.cure.picture-format"},
    Foreign{0, "%PDF"sv, "kind.pdf", "cure.other-file"},
    Foreign{0, "7z\xbc\xaf\x27\x1c"sv, "kind.archive", "kind.cure.unpack"},
    Foreign{0, "Rar!"sv, "kind.archive", "kind.cure.unpack"},
    Foreign{0, "\xfd\x37zXZ\0"sv, "kind.archive", "kind.cure.unpack"},
    Foreign{0, "BZh"sv, "kind.archive", "kind.cure.unpack"},
    Foreign{0, "\x28\xb5\x2f\xfd"sv, "kind.archive", "kind.cure.unpack"},
    Foreign{257, "ustar"sv, "kind.archive", "kind.cure.unpack"},
    Foreign{0,
            "\x7f"
            "ELF"sv,
            "kind.program", "cure.other-file"},
    Foreign{0, "\xff\xfe"sv, "kind.other-encoding", "kind.cure.other-encoding"},
    Foreign{0, "\xfe\xff"sv, "kind.other-encoding", "kind.cure.other-encoding"},
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::uint64_t littleEndian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
    return value;
}

/// The whole network pickled, whose classes only Python knows, looks like a state dict but for the classes it names.
bool picklesNetwork(std::string_view pickle) {
    return contains(pickle, "torch.nn.modules") || contains(pickle, "c__main__\n") ||
           contains(pickle, "torchvision.models");
}

FileKind archiveOfArrays(const fs::path& file, const std::vector<ZipEntry>& entries) {
    std::vector<std::string> names;
    for (const ZipEntry& entry : entries)
        names.push_back(entry.name.substr(0, entry.name.size() - std::string_view(".npy").size()));
    const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
    if (has("inputs") && has("targets"))
        return usedFile(FileRole::Data, "kind.npz", file, "tensors");
    return refusedFile(file, "kind.npz-other", "kind.cure.npz", {{"names", someOf(names, 4)}});
}

FileKind zipKind(const fs::path& file) {
    const auto entries = zipEntries(file);
    if (!entries)
        return refusedFile(file, "kind.zip-damaged", "kind.cure.again");
    const auto has = [&](std::string_view part) {
        return std::ranges::any_of(*entries, [&](const ZipEntry& entry) { return contains('/' + entry.name, part); });
    };
    if (!entries->empty() &&
        std::ranges::all_of(*entries, [](const ZipEntry& entry) { return entry.name.ends_with(".npy"); }))
        return archiveOfArrays(file, *entries);
    if (has("/serialized_exported_program.json") || has("/archive_format") || has("/models/model.json"))
        return refusedFile(file, "kind.exported-program", "kind.cure.module");
    if (has("/data.pkl")) {
        if (has("/code/") && has("/constants.pkl"))
            return usedFile(FileRole::Model, "kind.module", file);
        const auto pickle = std::ranges::find_if(
            *entries, [](const ZipEntry& entry) { return ('/' + entry.name).ends_with("/data.pkl"); });
        if (picklesNetwork(storedContent(file, *pickle, pickleBytes)))
            return refusedFile(file, "kind.pickled-network", "kind.cure.pickled-network");
        return usedFile(FileRole::Weights, "kind.state-dict", file);
    }
    if (has("/xl/workbook.xml"))
        return refusedFile(file, "kind.excel", "kind.cure.excel");
    if (has("/model.weights.h5"))
        return refusedFile(file, "kind.keras", "kind.cure.module");
    return refusedFile(file, "kind.zip", "kind.cure.unpack", {});
}

FileKind safetensorsKind(const fs::path& file, std::uint64_t length, std::uintmax_t size) {
    const std::string header =
        readPart(file, 8, static_cast<std::size_t>(std::min<std::uint64_t>(length, largestHeader)));
    const auto entries = nlohmann::json::parse(header, nullptr, false);
    if (!entries.is_object())
        return refusedFile(file, "kind.safetensors-damaged", "kind.cure.again");
    std::uint64_t end = 0;
    for (const auto& [name, entry] : entries.items()) {
        if (!entry.is_object() || !entry.contains("data_offsets"))
            continue;
        const auto& offsets = entry["data_offsets"];
        if (offsets.is_array() && offsets.size() == 2 && offsets[1].is_number_unsigned())
            end = std::max(end, offsets[1].get<std::uint64_t>());
    }
    if (end > size - 8 - length)
        return refusedFile(file, "kind.safetensors-damaged", "kind.cure.again");
    if (entries.contains("inputs") && entries.contains("targets"))
        return usedFile(FileRole::Data, "kind.safetensors", file, "tensors");
    if (entries.contains("inputs") || entries.contains("targets"))
        return refusedFile(file, "kind.safetensors-half", "kind.cure.npz");
    const auto metadata = entries.find("__metadata__");
    if (metadata != entries.end() && metadata->is_object() && metadata->contains("accumulus.run"))
        return usedFile(FileRole::Weights, "kind.checkpoint", file);
    return usedFile(FileRole::Weights, "kind.weights", file);
}

FileKind databaseKind(const fs::path& file, std::string_view head) {
    // Big-endian at byte 68 of the header (sqlite.org/fileformat.html, 1.3).
    std::uint32_t application = 0;
    for (std::size_t i = 68; i < 72 && i < head.size(); ++i)
        application = application << 8 | static_cast<std::uint8_t>(head[i]);
    // What was written last may still lie beside the file.
    std::error_code ignored;
    const bool ours = application == static_cast<std::uint32_t>(libraryApplicationId) ||
                      (fs::exists(file.string() + "-wal", ignored) && Library::open(file, Library::Mode::Read));
    if (ours)
        return usedFile(FileRole::Library, "kind.library", file);
    return refusedFile(file, "kind.database", "kind.cure.database");
}

FileKind pickleKind(const fs::path& file, std::string_view head) {
    // torch.save before 1.6 begins with a pickled number of its own.
    const bool torch = contains(head.substr(0, 32), "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv);
    return torch ? refusedFile(file, "kind.old-torch", "kind.cure.old-torch")
                 : refusedFile(file, "kind.pickle", "kind.cure.pickle");
}

std::optional<FileKind> gzipKind(const fs::path& file) {
    if (readIdxHeader(file))
        return idxKind(file.parent_path());
    return refusedFile(file, "kind.archive", "kind.cure.unpack");
}

FileKind numpyKind(const fs::path& file) {
    const fs::path folder = file.parent_path();
    std::error_code ignored;
    const auto beside = [&](const char* name) { return fs::is_regular_file(folder / name, ignored); };
    const std::string name = file.filename().string();
    const bool ours =
        name == "inputs.npy" || name == "targets.npy" || name == "test_inputs.npy" || name == "test_targets.npy";
    if (ours && beside("inputs.npy") && beside("targets.npy"))
        return usedFile(FileRole::Data, "kind.npy-folder", folder, "tensors");
    return refusedFile(file, "kind.npy", "kind.cure.npy");
}

/// ONNX is a protobuf without a mark: its version (field 1) comes first, then the producer (2) or the graph (7).
bool looksLikeOnnx(const fs::path& file, std::string_view head) {
    return head.size() > 4 && head[0] == '\x08' && head[1] > 0 && head[1] < 32 &&
           (head[2] == '\x12' || head[2] == '\x3a') &&
           (hasSuffix(file, ".onnx") || contains(head, "onnx") || contains(head, "pytorch"));
}

} // namespace

std::optional<FileKind> binaryKind(const fs::path& file, std::string_view head, std::uintmax_t size) {
    if (head.starts_with("PK\3\4"sv) || head.starts_with("PK\5\6"sv))
        return zipKind(file);
    if (head.starts_with("\x93NUMPY"sv))
        return numpyKind(file);
    if (head.starts_with("SQLite format 3\0"sv))
        return databaseKind(file, head);
    if (head.starts_with("\x1f\x8b"sv))
        return gzipKind(file);
    if (head.starts_with("\0\0\x08\x01"sv) || head.starts_with("\0\0\x08\x03"sv))
        return idxKind(file.parent_path());
    if (head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5)
        return pickleKind(file, head);
    if (head.size() > 8 && (head[8] == '{' || hasSuffix(file, ".safetensors"))) {
        const std::uint64_t length = littleEndian(head.substr(0, 8));
        if (length <= size - 8 && head[8] == '{')
            return safetensorsKind(file, length, size);
        if (hasSuffix(file, ".safetensors"))
            return refusedFile(file, "kind.safetensors-damaged", "kind.cure.again");
    }
    for (const Foreign& foreign : foreigners)
        if (head.size() >= foreign.offset && head.substr(foreign.offset).starts_with(foreign.mark))
            return refusedFile(file, foreign.what, foreign.cure);
    if (looksLikeOnnx(file, head))
        return refusedFile(file, "kind.onnx", "kind.cure.module");
    return std::nullopt;
}

std::optional<FileKind> unmarkedKind(const fs::path& file, std::string_view head, std::uintmax_t size) {
    // Records of one or two bytes of labels and 32 x 32 x 3 of pixels.
    constexpr std::uintmax_t pixels = 3072;
    const auto label = [&](std::size_t at) { return static_cast<std::uint8_t>(head[at]); };
    if (size % (pixels + 1) == 0 && label(0) <= 9 && (size == pixels + 1 || label(pixels + 1) <= 9))
        return usedFile(FileRole::Data, "kind.cifar10", file.parent_path(), "cifar10");
    if (size % (pixels + 2) == 0 && label(0) < 20 && label(1) < 100)
        return usedFile(FileRole::Data, "kind.cifar100", file.parent_path(), "cifar100");
    if (hasSuffix(file, ".bin") && size % 2 == 0)
        return usedFile(FileRole::Data, "kind.tokens", file, "text");
    return std::nullopt;
}

} // namespace accumulus
