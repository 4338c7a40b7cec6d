// SPDX-License-Identifier: GPL-3.0-or-later
// Reads parts of a column wherever it lies: in memory, or in a file that may be cut or written over meanwhile. Made for
// each batch; one thread.
#pragma once

#include "core/data/mapped_file.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace accumulus {

class ColumnReader {
public:
    /// `file`: where the column lies; null: in memory. Throws ErrorThrown "data.changed" where it is no longer what was
    /// opened.
    explicit ColumnReader(const MappedFile* file);

    /// These bytes of the column. Those of a large file are a copy that is valid until the next call. Throws
    /// ErrorThrown "data.changed" where they can no longer be read.
    [[nodiscard]] const std::byte* at(std::span<const std::byte> bytes) {
        return m_copies ? copied(bytes) : bytes.data();
    }
    /// The same into `out`.
    void copy(std::span<const std::byte> bytes, std::byte* out) const;

private:
    [[nodiscard]] const std::byte* copied(std::span<const std::byte> bytes);

    const MappedFile* m_file;
    bool m_copies;
    std::vector<std::byte> m_copy;
};

/// Copies bytes of `file`. Throws ErrorThrown "data.changed" where it no longer has them.
void readBytes(const MappedFile& file, std::span<const std::byte> bytes, std::byte* out);

/// Hands `bytes` over in blocks, in their order, until `use` returns false. `file`: where they lie, of which it gets
/// copies of whole elements, so that a file that becomes shorter meanwhile does no harm; null: in memory. Throws
/// ErrorThrown "data.changed" where they can no longer be read.
void forEachBlock(const MappedFile* file, std::span<const std::byte> bytes,
                  const std::function<bool(std::span<const std::byte>)>& use);

} // namespace accumulus
