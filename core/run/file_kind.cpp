// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/file_kind.h"

#include "core/base/readable_text.h"
#include "core/config/experiment_file.h"
#include "core/run/file_kind_parts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <ranges>
#include <system_error>

namespace accumulus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t headBytes = std::size_t{64} << 10;
constexpr std::uintmax_t largestExperiment = std::uintmax_t{1} << 20;

/// The lines of the head without the last one, which may be cut; of a whole file all.
std::vector<std::string_view> wholeLines(std::string_view head, bool whole) {
    std::vector<std::string_view> lines;
    while (!head.empty()) {
        const std::size_t end = head.find('\n');
        if (end == std::string_view::npos && !whole)
            break;
        std::string_view line = head.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.push_back(line);
        head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    }
    return lines;
}

enum class Writing { Utf8, OtherText, Binary };

Writing writingOf(std::string_view head, bool whole) {
    std::size_t strange = 0;
    for (std::size_t at = 0; at < head.size();) {
        const auto byte = static_cast<std::uint8_t>(head[at]);
        if (byte < 0x20 && std::string_view("\t\n\r\f\v\x1b").find(head[at]) == std::string_view::npos)
            return Writing::Binary;
        const std::size_t length = utf8Length(head.substr(at));
        const bool cut = !whole && head.size() - at < 4; // a letter may go on behind the head
        if (length == 0 && !cut)
            ++strange;
        at += std::max<std::size_t>(1, length);
    }
    if (strange == 0)
        return Writing::Utf8;
    // Letters of another encoding are a part of a text; in compressed data most bytes are none of a text.
    return strange * 2 < head.size() ? Writing::OtherText : Writing::Binary;
}

/// Separators outside quotation marks.
std::ptrdiff_t countSeparators(std::string_view line, char separator) {
    std::ptrdiff_t count = 0;
    bool quoted = false;
    for (const char letter : line) {
        quoted ^= letter == '"';
        count += !quoted && letter == separator ? 1 : 0;
    }
    return count;
}

/// Columns that the first lines have alike; 0: no table.
std::ptrdiff_t columnsOf(const std::vector<std::string_view>& lines, char separator, bool named) {
    constexpr std::size_t looked = 20;
    std::ptrdiff_t columns = 0;
    std::size_t rows = 0;
    for (const std::string_view line : lines | std::views::take(looked)) {
        if (line.empty())
            continue;
        const std::ptrdiff_t here = countSeparators(line, separator) + 1;
        if (here < 2 || (columns > 0 && here != columns))
            return 0;
        columns = here;
        ++rows;
    }
    return rows >= (named ? 2U : 4U) ? columns : 0;
}

bool looksLikePython(const fs::path& file, const std::vector<std::string_view>& lines) {
    return hasSuffix(file, ".py") || std::ranges::any_of(lines, [](std::string_view line) {
               return line.starts_with("import torch") || line.starts_with("from torch");
           });
}

bool looksLikeJson(std::string_view head) {
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t first = head.find_first_not_of(blank);
    if (first == std::string_view::npos || (head[first] != '{' && head[first] != '['))
        return false;
    const std::size_t next = head.find_first_not_of(blank, first + 1);
    return next != std::string_view::npos &&
           std::string_view("\"{[]}-0123456789").find(head[next]) != std::string_view::npos;
}

/// A text is an experiment when it says something in our words, or calls itself one.
std::optional<FileKind> experimentKind(const fs::path& file, std::uintmax_t size) {
    const bool named = hasSuffix(file, ".toml");
    if (size > largestExperiment)
        return std::nullopt;
    const auto experiment = readExperiment(file);
    if (experiment && (named || *experiment != ExperimentConfig{}))
        return usedFile(FileRole::Experiment, "kind.experiment", file);
    if (!named)
        return std::nullopt;
    FileKind kind = refusedFile(file, "kind.experiment", "cure.other-file");
    kind.refusal = experiment.error();
    return kind;
}

FileKind textKind(const fs::path& file, std::string_view head, std::uintmax_t size) {
    const bool whole = head.size() == size;
    const auto lines = wholeLines(head, whole);
    if (auto experiment = experimentKind(file, size))
        return *experiment;
    if (looksLikeJson(head))
        return refusedFile(file, "kind.json", "kind.cure.json");
    if (looksLikePython(file, lines))
        return refusedFile(file, "kind.python", "kind.cure.python");
    const bool tabs = hasSuffix(file, ".tsv"), commas = hasSuffix(file, ".csv");
    for (const auto& [separator, named] : {std::pair{'\t', tabs}, std::pair{',', commas}, std::pair{';', commas}})
        // Sentences have a comma, too.
        if (const auto columns = columnsOf(lines, separator, named || commas || tabs);
            columns > 2 || (columns > 0 && (separator == '\t' || !hasSuffix(file, ".txt")))) {
            FileKind kind = usedFile(FileRole::Data, "kind.table", file, "table");
            kind.what.arguments = {{"columns", std::to_string(columns)}};
            return kind;
        }
    return usedFile(FileRole::Data, "kind.text", file, "text");
}

FileKind unopened(const fs::path& file, const std::string& reason) {
    FileKind kind;
    kind.path = file;
    kind.what = {"kind.unknown", {}};
    kind.refusal = Error{"file.open", {{"file", file.string()}, {"reason", reason}}};
    return kind;
}

} // namespace

FileKind usedFile(FileRole role, const char* what, fs::path path, std::string dataset) {
    return {role, {what, {}}, std::move(path), std::move(dataset), std::nullopt};
}

FileKind refusedFile(const fs::path& file, const char* what, const char* cure,
                     std::vector<std::pair<std::string, std::string>> arguments) {
    FileKind kind;
    kind.path = file;
    kind.what = {what, arguments};
    arguments.insert(arguments.begin(), {{"file", file.filename().string()}, {"what", what}, {"cure", cure}});
    kind.refusal = Error{"file.kind", std::move(arguments)};
    return kind;
}

bool hasSuffix(const fs::path& file, std::string_view suffix) {
    std::string name = file.filename().string();
    std::ranges::transform(name, name.begin(), [](char letter) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    });
    return name.ends_with(suffix);
}

std::string readPart(const fs::path& file, std::uintmax_t offset, std::size_t bytes) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream || offset > static_cast<std::uintmax_t>(std::numeric_limits<std::streamoff>::max()))
        return {};
    std::string part(bytes, '\0');
    stream.seekg(static_cast<std::streamoff>(offset));
    stream.read(part.data(), static_cast<std::streamsize>(bytes));
    part.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
    return part;
}

FileKind kindOfFile(const fs::path& file) {
    std::error_code problem;
    const fs::file_status status = fs::status(file, problem);
    if (!fs::exists(status))
        return unopened(file, problem ? problem.message()
                                      : std::make_error_code(std::errc::no_such_file_or_directory).message());
    if (fs::is_directory(status))
        return folderKind(file);
    if (!fs::is_regular_file(status)) // a pipe would be waited for
        return refusedFile(file, "kind.special", "cure.other-file");
    const std::uintmax_t size = fs::file_size(file, problem);
    if (problem)
        return unopened(file, problem.message());
    if (size == 0)
        return refusedFile(file, "kind.empty", "cure.other-file");
    if (!std::ifstream(file, std::ios::binary))
        return unopened(file, std::make_error_code(std::errc::permission_denied).message());
    const std::string head = readPart(file, 0, headBytes);
    if (head.empty())
        return unopened(file, std::make_error_code(std::errc::io_error).message());
    if (auto binary = binaryKind(file, head, size))
        return *std::move(binary);
    switch (writingOf(head, head.size() == size)) {
    case Writing::Utf8:
        return textKind(file, head, size);
    case Writing::OtherText:
        if (!hasSuffix(file, ".bin"))
            return refusedFile(file, "kind.other-encoding", "kind.cure.other-encoding");
        break;
    case Writing::Binary:
        break;
    }
    if (auto unmarked = unmarkedKind(file, head, size))
        return *std::move(unmarked);
    return refusedFile(file, "kind.unknown", "kind.cure.unknown");
}

} // namespace accumulus
