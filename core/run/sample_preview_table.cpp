// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sample_preview.h"

#include "core/base/path_text.h"
#include "core/base/readable_text.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace accumulus {
namespace {

constexpr std::size_t looked = std::size_t{256} << 10, mostColumns = 64, longestCell = 80;

/// The separator that stands most often in the first line.
char separatorOf(const std::string& text) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(text.find('\n'), text.size()));
    const auto often = [&](char one, char other) {
        return std::count(text.begin(), end, one) < std::count(text.begin(), end, other);
    };
    return std::ranges::max({',', '\t', ';'}, often);
}

/// RFC 4180: a quoted cell may hold separators, line ends and doubled quotation marks. Up to `rows` rows that end
/// within the text.
std::vector<std::vector<std::string>> readRows(const std::string& text, bool whole, std::size_t rows) {
    const char separator = separatorOf(text);
    std::vector<std::vector<std::string>> table;
    std::vector<std::string> row(1);
    bool quoted = false;
    for (std::size_t at = 0; at < text.size() && table.size() < rows; ++at) {
        const char letter = text[at];
        if (quoted && letter == '"' && at + 1 < text.size() && text[at + 1] == '"') {
            row.back() += text[++at];
        } else if (letter == '"') {
            quoted = !quoted;
        } else if (!quoted && letter == separator) {
            row.emplace_back();
        } else if (!quoted && letter == '\n') {
            if (row.size() > 1 || !row.front().empty())
                table.push_back(std::move(row));
            row.assign(1, {});
        } else if (quoted || letter != '\r') {
            row.back() += letter;
        }
    }
    if (whole && table.size() < rows && (row.size() > 1 || !row.front().empty()))
        table.push_back(std::move(row));
    return table;
}

std::string shownCell(const std::string& cell) {
    const std::string text = readableText(cell);
    if (text.size() <= longestCell)
        return text;
    std::size_t end = 0; // whole letters only
    while (end + utf8Length(std::string_view(text).substr(end)) <= longestCell)
        end += utf8Length(std::string_view(text).substr(end));
    return text.substr(0, end) + "...";
}

} // namespace

Result<SamplePreview> previewTable(const DataConfig& data, std::int64_t count) {
    const std::filesystem::path file = pathOfText(data.path);
    std::error_code problem;
    std::ifstream stream(file, std::ios::binary);
    if (!std::filesystem::is_regular_file(file, problem) || !stream)
        return failure("file.open", {{"file", file.string()},
                                     {"reason", std::make_error_code(std::errc::no_such_file_or_directory).message()}});
    std::string text(looked, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
    const bool whole = text.size() < looked;
    if (text.starts_with("\xef\xbb\xbf"))
        text.erase(0, 3);
    auto rows = readRows(text, whole, static_cast<std::size_t>(count) + 1);
    SamplePreview preview;
    if (rows.empty())
        return preview;
    const auto target = std::ranges::find(rows.front(), data.target) - rows.front().begin();
    for (std::vector<std::string>& row : rows) {
        PreviewSample sample;
        if (!data.target.empty() && target < std::ssize(row))
            sample.label = shownCell(row[static_cast<std::size_t>(target)]);
        row.resize(std::min(rows.front().size(), mostColumns));
        std::ranges::transform(row, std::back_inserter(sample.cells), shownCell);
        preview.samples.push_back(std::move(sample));
    }
    preview.columns = std::move(preview.samples.front().cells);
    preview.samples.erase(preview.samples.begin());
    return preview;
}

} // namespace accumulus
