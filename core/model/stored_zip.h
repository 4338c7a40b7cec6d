// SPDX-License-Identifier: GPL-3.0-or-later
// A zip archive whose entries are not compressed, as PyTorch writes them. Every size and offset is checked against the
// file before anything is allocated, and together the entries are no larger than the file.
#pragma once

#include "core/base/input_file.h"
#include "core/base/message.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <tl/expected.hpp>

namespace accumulus {

class StoredZip {
public:
    struct Entry {
        std::uint64_t begin = 0; ///< of its local header
        std::uint64_t size = 0;
        std::uint32_t checksum = 0; ///< CRC-32; 0: PyTorch was told not to compute it
        bool readable = true;       ///< neither compressed nor encrypted
    };

    explicit StoredZip(const std::filesystem::path& file) : m_file(file) {}
    /// Reads the directory. A reason of the catalogue where it is none. Once.
    [[nodiscard]] tl::expected<void, Message> open();

    [[nodiscard]] int problem() const { return m_file.problem(); } ///< errno of the file; 0: none
    [[nodiscard]] const std::map<std::string, Entry>& entries() const { return m_entries; }
    [[nodiscard]] const Entry* find(const std::string& name) const;
    /// `target`: of the entry's size. Checks the checksum.
    [[nodiscard]] tl::expected<void, Message> read(const std::string& name, std::span<char> target);

private:
    struct Directory {
        std::uint64_t begin = 0, size = 0, entries = 0;
    };
    [[nodiscard]] tl::expected<Directory, Message> findDirectory();
    [[nodiscard]] tl::expected<void, Message> readEntries(const Directory& directory);

    InputFile m_file;
    std::map<std::string, Entry> m_entries;
};

} // namespace accumulus
