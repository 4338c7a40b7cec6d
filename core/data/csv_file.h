// SPDX-License-Identifier: GPL-3.0-or-later
// Comma-separated values (RFC 4180) record by record, by libcsv: quoted fields with separators, quotes and line ends
// inside, lines that end in LF, CRLF or CR, spaces around fields left out, empty lines skipped. Chosen among Debian's
// libraries: libfccp needs to know the columns when it is compiled and reads no line ends in quotes.
//
// The separator is the one of , ; and tab that the header line has most of. The text is UTF-8; a byte order mark is
// left out. One thread.
#pragma once

#include "core/data/mapped_file.h"

#include <functional>
#include <string_view>

namespace accumulus {

struct CsvFile {
    std::filesystem::path path;
    std::shared_ptr<const MappedFile> content;
    char separator = ',';
};

struct CsvRecord {
    std::int64_t line = 0;                    ///< on which it begins, from 1
    std::span<const std::string_view> fields; ///< valid until the next record
};

/// More fields than this are not read: the record then has one more than this.
inline constexpr std::size_t largestFieldCount = 10'000;
/// Bytes of one record: a quote that is never closed would swallow the rest of the file otherwise.
inline constexpr std::int64_t largestRecord = std::int64_t{16} << 20;

/// Errors "data.table.open", "data.table.form", "data.changed".
[[nodiscard]] Result<CsvFile> openCsv(const std::filesystem::path& path);

/// Calls `use` with every record, the header first, until it returns false or an error. Errors "data.table.form",
/// "data.changed".
[[nodiscard]] Status readCsv(const CsvFile& file, const std::function<Result<bool>(const CsvRecord&)>& use);

} // namespace accumulus
