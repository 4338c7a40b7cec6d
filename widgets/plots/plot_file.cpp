// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_file.h"

#include "widgets/style/save_dialog.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

namespace {

/// Filters of the dialog.
std::vector<std::pair<QString, PlotFormat>> plotFormats(bool zooms) {
    const QString png = QStringLiteral("png"), csv = QStringLiteral("csv");
    std::vector<std::pair<QString, PlotFormat>> formats{
        {PlotView::tr("PNG picture (*.png)"), {png, 2.0}},
        {PlotView::tr("PNG picture as on the screen (*.png)"), {png, 1.0}},
        {PlotView::tr("PNG picture, 3 times the resolution (*.png)"), {png, 3.0}},
        {PlotView::tr("PNG picture, 4 times the resolution (*.png)"), {png, 4.0}},
        {PlotView::tr("SVG picture (*.svg)"), {QStringLiteral("svg")}},
        {PlotView::tr("PDF picture (*.pdf)"), {QStringLiteral("pdf")}},
        {PlotView::tr("CSV, all numbers (*.csv)"), {csv, 1.0, false}},
    };
    if (zooms)
        formats.push_back({PlotView::tr("CSV, numbers of the visible range (*.csv)"), {csv, 1.0, true}});
    return formats;
}

const QStringList& plotEndings() {
    static const QStringList endings{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf"),
                                     QStringLiteral("csv")};
    return endings;
}

} // namespace

std::optional<PlotFile> askForPlotFile(QWidget* parent, const QString& title, bool zooms) {
    const auto formats = plotFormats(zooms);
    QStringList names;
    for (const auto& [name, format] : formats)
        names << name;
    const SaveChoice choice = askWhereToSave(parent, PlotView::tr("Save plot"),
                                             title.simplified() + QStringLiteral(".png"), names, plotEndings());
    if (choice.file.isEmpty())
        return std::nullopt;
    const auto found = std::ranges::find(formats, choice.filter, &std::pair<QString, PlotFormat>::first);
    return PlotFile{choice.file, found == formats.end() ? PlotFormat{} : found->second};
}

QString withPlotEnding(const QString& file, const PlotFormat& format) {
    return plotEndings().contains(QFileInfo(file).suffix().toLower()) ? file : file + QLatin1Char('.') + format.suffix;
}

} // namespace accumulus::ui
