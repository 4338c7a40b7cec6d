// SPDX-License-Identifier: GPL-3.0-or-later
// A report as one HTML file: styles and figures inside, no script, nothing to fetch.
#include "core/report/report_document.h"

#include "core/report/figure.h"
#include "core/report/small_figures.h"

#include <fmt/format.h>

namespace accumulus {
namespace {

constexpr const char* styles = R"css(
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #F7F8FA; color: #1B1F24; font: 16px/1.55 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 860px; margin: 32px auto; padding: 40px 48px 56px; background: #FFFFFF; border: 1px solid #E2E5EA; border-radius: 8px; }
h1 { margin: 0; font-size: 1.7em; line-height: 1.25; font-weight: 650; }
h2 { margin: 40px 0 12px; font-size: 1.2em; font-weight: 650; }
.subtitle { margin: 6px 0 24px; color: #5A6472; }
p { margin: 12px 0; }
ul { margin: 12px 0; padding-left: 24px; }
figure { margin: 24px 0; }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption, caption { color: #5A6472; font-size: 0.9em; line-height: 1.45; text-align: left; }
figcaption { margin-top: 8px; }
caption { padding-bottom: 8px; }
.table { overflow-x: auto; margin: 20px 0; }
table { border-collapse: collapse; min-width: 50%; font-size: 0.92em; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 20px 6px 0; border-bottom: 1px solid #E2E5EA; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; min-width: 64px; }
th { color: #5A6472; font-weight: 600; }
th.number, td.number { text-align: right; white-space: nowrap; }
pre { margin: 12px 0; padding: 12px 16px; background: #F2F4F7; border-radius: 6px; font: 0.88em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.verdict { display: flex; gap: 20px; margin: 24px 0; padding: 20px 24px; border: 1px solid #E2E5EA; border-left-width: 6px; border-radius: 8px; }
.verdict .icon { flex: none; }
.verdict .words { flex: 1; min-width: 0; }
.verdict h2 { margin: 4px 0 8px; font-size: 1.3em; }
.verdict p { margin: 8px 0; }
.verdict figure { margin: 16px 0 0; }
@media (max-width: 700px) { main { margin: 0; padding: 24px 16px; border: 0; border-radius: 0; } .verdict { flex-direction: column; gap: 8px; } }
@media print { body { background: #FFFFFF; font-size: 11pt; } main { max-width: none; margin: 0; padding: 0; border: 0; } figure, .verdict, tr { break-inside: avoid; } h2 { break-after: avoid; } }
)css";

/// A drawing with its text alternative.
std::string image(const std::string& svg, const std::string& alternative) {
    return fmt::format("<div role=\"img\" aria-label=\"{}\">\n{}</div>\n", escapeMarkup(alternative), svg);
}

struct HtmlWriter {
    std::string out;

    void operator()(const ReportHeading& heading) { out += "<h2>" + escapeMarkup(heading.text) + "</h2>\n"; }
    void operator()(const ReportParagraph& paragraph) { out += "<p>" + escapeMarkup(paragraph.text) + "</p>\n"; }
    void operator()(const ReportList& list) {
        out += "<ul>\n";
        for (const std::string& item : list.items)
            out += "<li>" + escapeMarkup(item) + "</li>\n";
        out += "</ul>\n";
    }
    void operator()(const ReportVerdict& verdict) {
        const std::string colour = verdictColour(verdict.verdict);
        out += fmt::format(
            "<section class=\"verdict\" style=\"border-left-color: {0}\">\n<div class=\"icon\" "
            "aria-hidden=\"true\">\n{1}</div>\n<div class=\"words\">\n<h2 style=\"color: {0}\">{2}</h2>\n<p>{3}</p>\n",
            colour, verdictIconSvg(verdict.verdict), escapeMarkup(verdict.headline), escapeMarkup(verdict.sentence));
        if (!verdict.intervalSvg.empty())
            out += "<figure>\n" + image(verdict.intervalSvg, verdict.headline + ". " + verdict.sentence) +
                   "<figcaption>" + escapeMarkup(verdict.intervalCaption) + "</figcaption>\n</figure>\n";
        out += "</div>\n</section>\n";
    }
    void operator()(const ReportFigure& figure) {
        out += "<figure>\n" + image(figure.svg, figure.alternative.empty() ? figure.caption : figure.alternative);
        if (!figure.caption.empty())
            out += "<figcaption>" + escapeMarkup(figure.caption) + "</figcaption>\n";
        out += "</figure>\n";
    }
    void operator()(const ReportTable& table) {
        const auto cellClass = [&](std::size_t column) {
            return column < table.numeric.size() && table.numeric[column] ? " class=\"number\"" : "";
        };
        out += "<div class=\"table\"><table>\n";
        if (!table.caption.empty())
            out += "<caption>" + escapeMarkup(table.caption) + "</caption>\n";
        out += "<thead><tr>";
        for (std::size_t i = 0; i < table.header.size(); ++i)
            out += fmt::format("<th scope=\"col\"{}>{}</th>", cellClass(i), escapeMarkup(table.header[i]));
        out += "</tr></thead>\n<tbody>\n";
        for (const auto& row : table.rows) {
            out += "<tr>";
            for (std::size_t i = 0; i < row.size(); ++i)
                out += fmt::format("<td{}>{}</td>", cellClass(i), escapeMarkup(row[i]));
            out += "</tr>\n";
        }
        out += "</tbody></table></div>\n";
    }
    void operator()(const ReportCode& code) { out += "<pre><code>" + escapeMarkup(code.text) + "</code></pre>\n"; }
};

} // namespace

std::string reportHtml(const ReportDocument& document) {
    HtmlWriter writer;
    const std::string title = escapeMarkup(document.title);
    writer.out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{2}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n"
        "<body>\n<main>\n<h1>{0}</h1>\n",
        title, styles, escapeMarkup(document.language));
    if (!document.subtitle.empty())
        writer.out += "<p class=\"subtitle\">" + escapeMarkup(document.subtitle) + "</p>\n";
    for (const ReportBlock& block : document.blocks)
        std::visit(writer, block);
    return std::move(writer.out) + "</main>\n</body>\n</html>\n";
}

} // namespace accumulus
