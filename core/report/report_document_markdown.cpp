// SPDX-License-Identifier: GPL-3.0-or-later
// A report as Markdown with its figures as files, and the choice of the format by a file's name.
#include "core/report/report_document.h"

#include "core/base/atomic_file.h"
#include "core/report/figure.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace accumulus {
namespace {

std::string figureName(std::size_t number) { return fmt::format("figure-{}.svg", number); }

/// Plain text that Markdown (and the HTML it allows) shows as it is; one line.
std::string plain(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n' || c == '\r')
            out += ' ';
        else if (c == '<')
            out += "&lt;";
        else if (c == '&')
            out += "&amp;";
        else if (std::string_view("\\`*_[]|#~").find(c) != std::string_view::npos)
            out += std::string("\\") + c;
        else
            out += c;
    }
    return out;
}

/// A relative path as a link: everything but plain letters is percent-encoded.
std::string linkTo(const std::string& path) {
    std::string out;
    for (const char c : path) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || std::string_view("-._/").find(c) != std::string_view::npos)
            out += c;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

struct MarkdownWriter {
    const std::string& folder;
    std::vector<std::pair<std::string, std::string>>& files;
    std::string out;

    std::string image(const std::string& svg, const std::string& alternative) {
        const std::string name = figureName(files.size() + 1);
        files.emplace_back(name, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg);
        return fmt::format("![{}]({})", plain(alternative), linkTo(folder.empty() ? name : folder + "/" + name));
    }

    void operator()(const ReportHeading& heading) { out += "## " + plain(heading.text) + "\n\n"; }
    void operator()(const ReportParagraph& paragraph) { out += plain(paragraph.text) + "\n\n"; }
    void operator()(const ReportList& list) {
        for (const std::string& item : list.items)
            out += "- " + plain(item) + "\n";
        out += "\n";
    }
    void operator()(const ReportVerdict& verdict) {
        out += fmt::format("> **{}**\n>\n> {}\n\n", plain(verdict.headline), plain(verdict.sentence));
        if (!verdict.intervalSvg.empty())
            out += image(verdict.intervalSvg, verdict.headline + ". " + verdict.sentence) + "\n\n*" +
                   plain(verdict.intervalCaption) + "*\n\n";
    }
    void operator()(const ReportFigure& figure) {
        out += image(figure.svg, figure.alternative.empty() ? figure.caption : figure.alternative) + "\n\n";
        if (!figure.caption.empty())
            out += "*" + plain(figure.caption) + "*\n\n";
    }
    void operator()(const ReportTable& table) {
        if (!table.caption.empty())
            out += plain(table.caption) + "\n\n";
        const auto row = [&](const std::vector<std::string>& cells) {
            out += "|";
            for (std::size_t i = 0; i < table.header.size(); ++i)
                out += " " + (i < cells.size() ? plain(cells[i]) : std::string()) + " |";
            out += "\n";
        };
        row(table.header);
        out += "|";
        for (std::size_t i = 0; i < table.header.size(); ++i)
            out += i < table.numeric.size() && table.numeric[i] ? " ---: |" : " --- |";
        out += "\n";
        for (const auto& cells : table.rows)
            row(cells);
        out += "\n";
    }
    void operator()(const ReportCode& code) {
        // A fence longer than any run of backticks inside.
        std::size_t longest = 0;
        std::size_t run = 0;
        for (const char c : code.text) {
            run = c == '`' ? run + 1 : 0;
            longest = std::max(longest, run);
        }
        const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
        out += fence + "\n" + code.text + "\n" + fence + "\n\n";
    }
};

std::string lowerSuffix(const std::filesystem::path& file) {
    std::string suffix = file.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return suffix;
}

} // namespace

std::string reportMarkdown(const ReportDocument& document, const std::string& figureFolder,
                           std::vector<std::pair<std::string, std::string>>& figureFiles) {
    MarkdownWriter writer{figureFolder, figureFiles, "# " + plain(document.title) + "\n\n"};
    if (!document.subtitle.empty())
        writer.out += plain(document.subtitle) + "\n\n";
    for (const ReportBlock& block : document.blocks)
        std::visit(writer, block);
    while (writer.out.ends_with("\n\n"))
        writer.out.pop_back();
    return std::move(writer.out);
}

Status writeReport(const ReportDocument& document, const std::filesystem::path& file) {
    const std::string suffix = lowerSuffix(file);
    if (suffix == ".html" || suffix == ".htm")
        return writeFileAtomically(file, reportHtml(document));
    if (suffix != ".md" && suffix != ".markdown")
        return failure("report.format", {{"file", file.string()}});
    const std::string folder = file.stem().string() + "-figures";
    std::vector<std::pair<std::string, std::string>> figures;
    const std::string text = reportMarkdown(document, folder, figures);
    // Figures first: the text never names one that is not there.
    for (const auto& [name, svg] : figures)
        ACCUMULUS_TRY(writeFileAtomically(file.parent_path() / folder / name, svg));
    ACCUMULUS_TRY(writeFileAtomically(file, text));
    // Those of a longer report that was written here before.
    std::error_code ignored;
    for (std::size_t next = figures.size() + 1;
         std::filesystem::remove(file.parent_path() / folder / figureName(next), ignored);)
        ++next;
    return {};
}

} // namespace accumulus
