// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/column_reader.h"

#include <cstring>
#include <stdexcept>

namespace accumulus {

ColumnReader::ColumnReader(const MappedFile* file) : m_file(file), m_copies(file && !file->isSmall()) {
    if (file && !file->isUnchanged())
        throw std::runtime_error(file->path().string() + " was changed while it was read");
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
    else if (!m_file->read(bytes, out))
        throw std::runtime_error(m_file->path().string() + " can no longer be read");
}

} // namespace accumulus
