// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/npz.h"

#include "core/data/column_reader.h"
#include "core/data/npy.h"
#include "core/data/reason.h"

#include <algorithm>
#include <array>
#include <minizip/unzip.h>
#include <string_view>
#include <zlib.h>

namespace accumulus {
namespace {

constexpr std::int64_t largestExpansion = 1032; // deflate cannot do better
constexpr std::uint64_t maximumMembers = 65536;
constexpr unsigned stored = 0, deflated = Z_DEFLATED, encrypted = 1;
/// A stored member up to this size is compared with its checksum, which takes about a second. A larger one is not.
constexpr std::int64_t largestChecked = std::int64_t{1} << 30;

struct CloseZip {
    void operator()(unzFile file) const { ::unzClose(file); }
};
using Zip = std::unique_ptr<std::remove_pointer_t<unzFile>, CloseZip>;

struct Member {
    std::shared_ptr<const MappedFile> file;
    std::string name; ///< without .npy
    unz64_file_pos place{};
    unz_file_info64 info{};

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(info.uncompressed_size); }
    [[nodiscard]] std::int64_t packedSize() const { return static_cast<std::int64_t>(info.compressed_size); }
    [[nodiscard]] tl::unexpected<Error> error(const char* reason, const char* cure,
                                              std::vector<std::pair<std::string, std::string>> arguments = {}) const {
        arguments.emplace_back("cure", cure);
        return arrayError(file->path(), name, {reason, std::move(arguments)});
    }
    [[nodiscard]] tl::unexpected<Error> damaged() const { return error("reason.zip-member", "cure.save-again"); }
};

/// A member, open for reading.
class MemberStream {
public:
    explicit MemberStream(const Member& member) : m_zip(::unzOpen64(member.file->path().c_str())) {
        unz64_file_pos place = member.place;
        m_open =
            m_zip && ::unzGoToFilePos64(m_zip.get(), &place) == UNZ_OK && ::unzOpenCurrentFile(m_zip.get()) == UNZ_OK;
    }
    ~MemberStream() {
        if (m_open)
            ::unzCloseCurrentFile(m_zip.get());
    }
    MemberStream(const MemberStream&) = delete;
    MemberStream& operator=(const MemberStream&) = delete;

    [[nodiscard]] bool isOpen() const { return m_open; }
    /// Where its bytes, packed or not, begin in the file.
    [[nodiscard]] std::int64_t begin() const {
        return static_cast<std::int64_t>(::unzGetCurrentFileZStreamPos64(m_zip.get()));
    }
    /// As many bytes as there are, at most those of `target`. Fewer than 0: damaged.
    [[nodiscard]] std::int64_t read(std::span<std::byte> target) {
        std::int64_t total = 0;
        while (!target.empty()) {
            const auto wanted = static_cast<unsigned>(std::min<std::size_t>(target.size(), 1U << 24));
            const int got = ::unzReadCurrentFile(m_zip.get(), target.data(), wanted);
            if (got < 0)
                return -1;
            if (got == 0)
                break;
            total += got;
            target = target.subspan(static_cast<std::size_t>(got));
        }
        return total;
    }
    /// Everything was read, and its checksum is right.
    [[nodiscard]] bool endsWell() {
        std::byte more{};
        const bool atEnd = ::unzReadCurrentFile(m_zip.get(), &more, 1) == 0;
        m_open = false;
        return ::unzCloseCurrentFile(m_zip.get()) == UNZ_OK && atEnd;
    }

private:
    Zip m_zip;
    bool m_open = false;
};

Result<ArrayBytes> unpack(const Member& member, const NpyHeader& header) {
    MemberStream stream(member);
    if (!stream.isOpen())
        return member.damaged();
    std::vector<std::byte> skipped(static_cast<std::size_t>(header.dataBegin));
    if (stream.read(skipped) != header.dataBegin)
        return member.damaged();
    const std::shared_ptr<std::byte[]> buffer(new std::byte[static_cast<std::size_t>(header.dataBytes)]);
    if (stream.read({buffer.get(), static_cast<std::size_t>(header.dataBytes)}) != header.dataBytes ||
        !stream.endsWell())
        return member.damaged();
    return ArrayBytes{buffer.get(), buffer, nullptr};
}

Result<StoredArray> openDeflated(const Member& member, MemberStream& stream) {
    if (member.size() / largestExpansion > member.packedSize())
        return member.error(
            "reason.zip-promise", "cure.save-again",
            {{"promised", std::to_string(member.size())}, {"size", std::to_string(member.packedSize())}});
    std::vector<std::byte> beginning(
        static_cast<std::size_t>(std::min<std::int64_t>(member.size(), static_cast<std::int64_t>(longestNpyHeader))));
    const std::int64_t got = stream.read(beginning);
    if (got < 0)
        return member.damaged();
    beginning.resize(static_cast<std::size_t>(got));
    auto header = parseNpy(beginning, member.size());
    if (!header)
        return arrayError(member.file->path(), member.name, std::move(header).error());
    return StoredArray{header->type, header->shape, header->dataBytes, true,
                       [member, header = *header] { return unpack(member, header); }};
}

std::uint32_t checksumOf(const MappedFile& file, std::span<const std::byte> bytes) {
    uLong sum = ::crc32_z(0, nullptr, 0);
    forEachBlock(&file, bytes, [&](std::span<const std::byte> block) {
        sum = ::crc32_z(sum, reinterpret_cast<const Bytef*>(block.data()), block.size());
        return true;
    });
    return static_cast<std::uint32_t>(sum);
}

Result<StoredArray> openStored(const Member& member, const MemberStream& stream) {
    const auto all = member.file->bytes();
    const std::int64_t begin = stream.begin();
    if (member.size() != member.packedSize() || begin < 0 || begin > std::ssize(all) ||
        member.size() > std::ssize(all) - begin)
        return member.damaged();
    const auto bytes = all.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(member.size()));
    ACCUMULUS_TRY_ASSIGN(auto array, mappedNpy(member.file, member.name, bytes));
    array.read = [member, bytes, read = std::move(array.read)]() -> Result<ArrayBytes> {
        if (member.size() <= largestChecked && checksumOf(*member.file, bytes) != member.info.crc)
            return member.damaged();
        return read();
    };
    return array;
}

Result<StoredArray> openMember(const Member& member) {
    if ((member.info.flag & encrypted) != 0)
        return member.error("reason.zip-encrypted", "cure.save-again");
    if (member.info.compression_method != stored && member.info.compression_method != deflated)
        return member.error("reason.zip-method", "cure.save-again",
                            {{"method", std::to_string(member.info.compression_method)}});
    if (member.size() < 0 || member.packedSize() < 0 || member.packedSize() > std::ssize(member.file->bytes()))
        return member.damaged();
    MemberStream stream(member);
    if (!stream.isOpen())
        return member.damaged();
    return member.info.compression_method == stored ? openStored(member, stream) : openDeflated(member, stream);
}

} // namespace

Result<StoredArray> mappedNpy(const std::shared_ptr<const MappedFile>& file, const std::string& name,
                              std::span<const std::byte> bytes) {
    auto header = parseNpy(bytes.first(std::min(bytes.size(), longestNpyHeader)), std::ssize(bytes));
    if (!header)
        return arrayError(file->path(), name, std::move(header).error());
    const std::byte* data = bytes.data() + header->dataBegin;
    return StoredArray{header->type, header->shape, header->dataBytes, false, [file, data]() -> Result<ArrayBytes> {
                           return ArrayBytes{data, file, file};
                       }};
}

Result<std::vector<ArrayEntry>> openNpz(const std::shared_ptr<const MappedFile>& file) {
    const auto damaged = [&] {
        return failureBecause("data.tensors.format", {{"file", file->path().string()}}, {"reason.zip-damaged", {}});
    };
    const Zip zip(::unzOpen64(file->path().c_str()));
    unz_global_info64 whole{};
    if (!zip || ::unzGetGlobalInfo64(zip.get(), &whole) != UNZ_OK || whole.number_entry > maximumMembers)
        return damaged();
    std::vector<ArrayEntry> entries;
    int state = ::unzGoToFirstFile(zip.get());
    for (; state == UNZ_OK; state = ::unzGoToNextFile(zip.get())) {
        std::array<char, 1024> name{};
        Member member;
        member.file = file;
        if (::unzGetCurrentFileInfo64(zip.get(), &member.info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) !=
                UNZ_OK ||
            ::unzGetFilePos64(zip.get(), &member.place) != UNZ_OK)
            return damaged();
        constexpr std::string_view suffix = ".npy";
        member.name = name.data();
        if (!member.name.ends_with(suffix))
            continue;
        member.name.resize(member.name.size() - suffix.size());
        entries.push_back({member.name, [member] { return openMember(member); }});
    }
    if (state != UNZ_END_OF_LIST_OF_FILE)
        return damaged();
    if (entries.empty())
        return failureBecause("data.tensors.format", {{"file", file->path().string()}}, {"reason.zip-no-arrays", {}});
    return entries;
}

} // namespace accumulus
