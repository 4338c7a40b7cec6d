// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/csv_file.h"

#include "core/base/error_thrown.h"
#include "core/base/readable_text.h"
#include "core/data/reason.h"
#include "core/data/text_window.h"

#include <algorithm>
#include <array>
#include <csv.h>
#include <new>

namespace accumulus {
namespace {

tl::unexpected<Error> wrong(const CsvFile& file, std::int64_t line, Message reason) {
    return failureBecause("data.table.form", {{"file", file.path.string()}, {"line", std::to_string(line)}},
                          std::move(reason));
}

constexpr std::size_t longestLine = largestRecord + 8; // more than lineLength() looks at

/// Behind a byte order mark.
TextWindow windowOf(const MappedFile& file) {
    TextWindow window(file, longestLine);
    if (window.text().starts_with("\xEF\xBB\xBF"))
        window.removePrefix(3);
    return window;
}

/// What libcsv says while it is fed; it is C, so nothing may be thrown through it.
struct Collector {
    std::string text; ///< the fields of one record, one after the other
    std::vector<std::size_t> ends;
    bool complete = false;
    bool outOfMemory = false;

    static void field(void* bytes, std::size_t size, void* self) noexcept {
        auto& collector = *static_cast<Collector*>(self);
        if (collector.ends.size() > largestFieldCount)
            return;
        try {
            collector.text.append(static_cast<const char*>(bytes), size);
            collector.ends.push_back(collector.text.size());
        } catch (const std::bad_alloc&) {
            collector.outOfMemory = true;
        }
    }
    static void record(int, void* self) noexcept { static_cast<Collector*>(self)->complete = true; }
};

class Parser {
public:
    explicit Parser(char separator) {
        if (csv_init(&m_parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
            throw std::bad_alloc();
        csv_set_delim(&m_parser, static_cast<unsigned char>(separator));
        constexpr std::size_t step = 1 << 14; // by which its buffer grows
        csv_set_blk_size(&m_parser, step);
    }
    ~Parser() { csv_free(&m_parser); }
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;

    /// One line with its end. Whether the text is well formed so far.
    bool feed(std::string_view line, Collector& collector) {
        return checked(csv_parse(&m_parser, line.data(), line.size(), Collector::field, Collector::record,
                                 &collector) == line.size(),
                       collector);
    }
    bool finish(Collector& collector) {
        return checked(csv_fini(&m_parser, Collector::field, Collector::record, &collector) == 0, collector);
    }

private:
    bool checked(bool wellFormed, const Collector& collector) {
        if (collector.outOfMemory || csv_error(&m_parser) == CSV_ENOMEM)
            throw std::bad_alloc();
        return wellFormed;
    }

    csv_parser m_parser{};
};

/// Bytes of the line at the front of `text`, with its end; of a long one the first largestRecord + 1. Error: what is no
/// text.
Result<std::size_t> lineLength(const CsvFile& file, std::string_view text, std::int64_t line) {
    const std::size_t most = std::min(text.size(), static_cast<std::size_t>(largestRecord) + 1);
    std::size_t at = 0;
    while (at < most) {
        const char byte = text[at];
        if (byte == '\n')
            return at + 1;
        if (byte == '\r')
            return at + (at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1);
        if (byte == '\0')
            return wrong(file, line, {"reason.zero-byte", {}});
        const std::size_t length = static_cast<signed char>(byte) > 0 ? 1 : utf8Length(text.substr(at, 4));
        if (length == 0)
            return wrong(file, line, {"reason.not-utf8", {}});
        at += length;
    }
    return at;
}

/// Hands over what was collected, and begins anew.
Result<bool> handOver(Collector& collector, std::vector<std::string_view>& fields, std::int64_t line,
                      const std::function<Result<bool>(const CsvRecord&)>& use) {
    fields.clear();
    std::size_t begin = 0;
    for (const std::size_t end : collector.ends) {
        fields.emplace_back(collector.text.data() + begin, end - begin);
        begin = end;
    }
    ACCUMULUS_TRY_ASSIGN(const bool more, use({line, fields}));
    collector.text.clear();
    collector.ends.clear();
    collector.complete = false;
    return more;
}

/// The separator that the header line has most of.
Result<char> separatorOf(const CsvFile& file) {
    const TextWindow window = windowOf(*file.content);
    std::string_view text = window.text();
    while (!text.empty() && (text.front() == '\n' || text.front() == '\r'))
        text.remove_prefix(1);
    ACCUMULUS_TRY_ASSIGN(const auto length, lineLength(file, text, 1));
    std::array<std::size_t, 3> counts{};
    constexpr std::string_view separators = ",;\t";
    bool quoted = false;
    for (const char byte : text.substr(0, length)) {
        quoted = quoted != (byte == '"');
        if (const auto which = separators.find(byte); !quoted && which != std::string_view::npos)
            ++counts[which];
    }
    return separators[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())];
}

Status readRecords(const CsvFile& file, const std::function<Result<bool>(const CsvRecord&)>& use) {
    Parser parser(file.separator);
    Collector collector;
    std::vector<std::string_view> fields;
    TextWindow window = windowOf(*file.content);
    std::int64_t begun = 1; // where the present record begins
    std::int64_t size = 0;  // of it so far
    for (std::int64_t line = 1; !window.text().empty(); ++line) {
        const std::string_view text = window.text();
        ACCUMULUS_TRY_ASSIGN(const auto length, lineLength(file, text, line));
        size += static_cast<std::int64_t>(length);
        if (size > largestRecord)
            return wrong(file, begun, {"reason.record-long", {}});
        const std::string_view content = text.substr(0, length);
        if (!parser.feed(content, collector))
            return wrong(file, line, {"reason.stray-quote", {}});
        const bool empty = size <= 2 && content.find_first_not_of("\r\n") == std::string_view::npos;
        window.removePrefix(length);
        if (!collector.complete && !empty)
            continue;
        if (collector.complete) {
            ACCUMULUS_TRY_ASSIGN(const bool more, handOver(collector, fields, begun, use));
            if (!more)
                return {};
        }
        begun = line + 1;
        size = 0;
    }
    if (!parser.finish(collector))
        return wrong(file, begun, {"reason.open-quote", {}});
    if (collector.complete)
        ACCUMULUS_TRY(handOver(collector, fields, begun, use));
    return {};
}

} // namespace

Result<CsvFile> openCsv(const std::filesystem::path& path) {
    CsvFile file{path, {}, ','};
    ACCUMULUS_TRY_ASSIGN(file.content, mapFile(path, "data.table"));
    try {
        ACCUMULUS_TRY_ASSIGN(file.separator, separatorOf(file));
    } catch (const ErrorThrown& problem) {
        return failure(problem.error());
    }
    return file;
}

Status readCsv(const CsvFile& file, const std::function<Result<bool>(const CsvRecord&)>& use) {
    try {
        return readRecords(file, use);
    } catch (const ErrorThrown& problem) {
        return failure(problem.error());
    }
}

} // namespace accumulus
