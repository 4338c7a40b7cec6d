// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/column_reader.h"

#include "core/base/error_thrown.h"

#include <algorithm>
#include <cstring>

namespace accumulus {
namespace {

[[noreturn]] void throwChanged(const MappedFile& file, const char* reason) {
    throw ErrorThrown({"data.changed", {{"file", file.path().string()}, {"reason", reason}}});
}

} // namespace

ColumnReader::ColumnReader(const MappedFile* file) : m_file(file), m_copies(file && !file->isSmall()) {
    if (file && !file->isUnchanged())
        throwChanged(*file, "reason.file-changed");
}

const std::byte* ColumnReader::copied(std::span<const std::byte> bytes) {
    if (m_copy.size() < bytes.size())
        m_copy.resize(bytes.size());
    copy(bytes, m_copy.data());
    return m_copy.data();
}

void ColumnReader::copy(std::span<const std::byte> bytes, std::byte* out) const {
    if (!m_copies)
        std::memcpy(out, bytes.data(), bytes.size());
    else
        readBytes(*m_file, bytes, out);
}

void readBytes(const MappedFile& file, std::span<const std::byte> bytes, std::byte* out) {
    if (!file.read(bytes, out))
        throwChanged(file, "reason.file-shorter");
}

void forEachBlock(const MappedFile* file, std::span<const std::byte> bytes,
                  const std::function<bool(std::span<const std::byte>)>& use) {
    if (!file) {
        if (!bytes.empty())
            (void)use(bytes);
        return;
    }
    constexpr std::size_t most = std::size_t{1} << 18; // whole elements of any type
    std::vector<std::byte> copy(std::min(most, bytes.size()));
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(most, bytes.size()))) {
        const auto block = bytes.first(std::min(most, bytes.size()));
        readBytes(*file, block, copy.data());
        if (!use(std::span(copy).first(block.size())))
            return;
    }
}

} // namespace accumulus
