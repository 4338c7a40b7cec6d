// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a value: blocks in order. One writer per format; HTML is one self-contained file without script or
// network. Any thread.
#pragma once

#include "core/analysis/compare.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace accumulus {

struct ReportHeading {
    std::string text;
};
struct ReportParagraph {
    std::string text;
};
struct ReportList {
    std::vector<std::string> items;
};
/// The verdict card: word, sentence, interval against the margin.
struct ReportVerdict {
    Verdict verdict = Verdict::NotEnoughSeeds;
    std::string headline, sentence, intervalSvg;
    std::string intervalCaption = "Circle: mean difference. Bar: its 90 % interval. Grey: the margin.";
};
struct ReportFigure {
    std::string svg, caption, alternative;
};
struct ReportTable {
    std::string caption;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    std::vector<bool> numeric; ///< per column: right-aligned
};
struct ReportCode {
    std::string text;
};
using ReportBlock =
    std::variant<ReportHeading, ReportParagraph, ReportList, ReportVerdict, ReportFigure, ReportTable, ReportCode>;

struct ReportDocument {
    std::string title;
    std::string subtitle; ///< date, program
    std::vector<ReportBlock> blocks;
    std::string language = "en"; ///< of all this, as HTML names it
    std::string pageWords = "Page %1 of %2";
};

[[nodiscard]] std::string reportHtml(const ReportDocument& document);
/// Markdown text; figures become files figure-1.svg, ... in `figureFolder` (relative links). `figureFiles`: name inside
/// that folder and content of each.
[[nodiscard]] std::string reportMarkdown(const ReportDocument& document, const std::string& figureFolder,
                                         std::vector<std::pair<std::string, std::string>>& figureFiles);
/// Writes .html or .md (with its figures in NAME-figures beside it), by the suffix. Errors "file.write",
/// "report.format".
[[nodiscard]] Status writeReport(const ReportDocument& document, const std::filesystem::path& file);

} // namespace accumulus
