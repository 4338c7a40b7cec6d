// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sample_preview.h"

#include "core/base/path_text.h"
#include "core/base/readable_text.h"
#include "core/data/csv_file.h"

#include <algorithm>
#include <optional>

namespace accumulus {
namespace {

constexpr std::size_t mostColumns = 64, longestCell = 80;

std::string shownCell(std::string_view cell) {
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
    ACCUMULUS_TRY_ASSIGN(const auto file, openCsv(pathOfText(data.path)));
    SamplePreview preview;
    std::optional<std::size_t> target;
    std::int64_t rows = -1; // the header comes first
    ACCUMULUS_TRY(readCsv(file, [&](const CsvRecord& record) -> Result<bool> {
        PreviewSample sample;
        for (std::size_t i = 0; i < std::min(record.fields.size(), mostColumns); ++i)
            sample.cells.push_back(shownCell(record.fields[i]));
        if (rows < 0) {
            if (const auto at = std::ranges::find(record.fields, data.target); at != record.fields.end())
                target = static_cast<std::size_t>(at - record.fields.begin());
            preview.columns = std::move(sample.cells);
        } else {
            if (target && *target < record.fields.size())
                sample.label = shownCell(record.fields[*target]);
            sample.cells.resize(preview.columns.size());
            preview.samples.push_back(std::move(sample));
        }
        return ++rows < count;
    }));
    return preview;
}

} // namespace accumulus
