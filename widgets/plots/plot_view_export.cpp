// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and numbers that leave the program. Pictures are drawn afresh by a hidden canvas: light colours, thicker
// lines, all axis titles.
#include "core/base/atomic_file.h"
#include "widgets/plots/plot_csv.h"
#include "widgets/plots/plot_file.h"
#include "widgets/plots/plot_view_impl.h"
#include "widgets/plots/qcp.h"

#include <QBuffer>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QTimer>
#include <optional>
#include <utility>
#include <vector>

namespace accumulus::ui {

namespace {

constexpr double kExportLineWidth = 1.5;
constexpr QSize kSmallestPicture(640, 320);
constexpr double kPointsPerInch = 72.0;

/// A colour that stands for a role of the dark theme becomes that role's light colour; others stay.
QColor lightTwin(const QColor& color) {
    const ThemeColors dark = darkColors();
    const ThemeColors light = lightColors();
    const std::pair<QColor, QColor> roles[] = {
        {dark.accumulated, light.accumulated}, {dark.largeBatch, light.largeBatch}, {dark.difference, light.difference},
        {dark.control, light.control},         {dark.accent, light.accent},         {dark.text, light.text}};
    for (const auto& [from, to] : roles)
        if (color.rgb() == from.rgb())
            return to;
    for (qsizetype i = 0; i < dark.series.size() && i < light.series.size(); ++i)
        if (color.rgb() == dark.series[i].rgb())
            return light.series[i];
    return color;
}

PlotModel forPaper(PlotModel model) {
    model.dropHidden();
    model.legend = model.legend || model.curves.size() > 1; // on paper no panel beside it has one
    for (ModelCurve& curve : model.curves)
        curve.look.color = lightTwin(curve.look.color);
    for (PlotBand& band : model.bands)
        band.color = lightTwin(band.color);
    return model;
}

CanvasStyle paperStyle(const Theme& theme) {
    CanvasStyle style;
    style.colors = lightColors();
    style.title = theme.numberFont();
    style.title.setWeight(QFont::DemiBold);
    style.label = theme.captionFont();
    style.tick = theme.captionFont();
    style.lineWidth = kExportLineWidth;
    return style;
}

/// Lays the hidden canvas out in `size`, then fills it: thinning and ticks need the panel's width.
void layOut(PlotCanvas& canvas, const PlotModel& model, const AxisRange& x, const AxisRange& y, const QSize& size) {
    canvas.plot()->setViewport(QRect(QPoint(0, 0), size));
    canvas.show(model, x, y);
    canvas.plot()->toPixmap(size.width(), size.height());
    canvas.plot()->setViewport(QRect(QPoint(0, 0), size));
    canvas.show(model, x, y);
}

QPixmap picture(const PlotModel& model, const Theme& theme, const AxisRange& x, const AxisRange& y, const QSize& size,
                double scale) {
    PlotCanvas canvas;
    CanvasStyle style = paperStyle(theme);
    style.pointsPerPixel = scale;
    canvas.setStyle(style);
    layOut(canvas, model, x, y, size);
    return canvas.plot()->toPixmap(size.width(), size.height(), scale);
}

/// What a CSV of the plot holds, for any thread: what a person sees, as a picture and the table do.
std::vector<CsvCurve> numbersOf(const PlotModel& model) {
    std::vector<CsvCurve> curves;
    for (const ModelCurve& curve : model.curves)
        if (model.shows(curve))
            curves.push_back({curve.look.label.isEmpty() ? curve.look.id : curve.look.label, curve.data});
    return curves;
}

CsvTitles titlesOf(const PlotModel& model) { return {model.xTitle, model.yTitle}; }

Status writePng(const QImage& image, const QString& file, const FileWriter::Cancelled& cancelled) {
    if (cancelled())
        return failure("library.cancelled");
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG"))
        return failure("file.write", {{"file", file.toStdString()}, {"reason", "PNG"}});
    if (cancelled()) // a large picture takes a while
        return failure("library.cancelled");
    return writeFileAtomically(file.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

} // namespace

bool PlotView::savePng(const QString& file, double scale) const {
    m_impl->bringUpToDate();
    const QPixmap pixmap = picture(forPaper(m_impl->model), m_impl->theme, m_impl->group->x(), m_impl->y,
                                   size().expandedTo(kSmallestPicture), scale);
    QSaveFile out(file);
    return out.open(QIODevice::WriteOnly) && pixmap.save(&out, "PNG") && out.commit();
}

bool PlotView::saveSvg(const QString& file) const {
    m_impl->bringUpToDate();
    const QSize size = this->size().expandedTo(kSmallestPicture);
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return false;
    const PlotModel model = forPaper(m_impl->model);
    PlotCanvas canvas;
    CanvasStyle style = paperStyle(m_impl->theme);
    style.cutLines = true; // QSvgGenerator ignores clip paths
    canvas.setStyle(style);
    layOut(canvas, model, m_impl->group->x(), m_impl->y, size);
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(model.title);
    generator.setDescription(summaryText());
    QCPPainter painter;
    if (!painter.begin(&generator))
        return false;
    painter.setMode(QCPPainter::pmVectorized);
    canvas.plot()->toPainter(&painter, size.width(), size.height());
    painter.end();
    return out.commit();
}

bool PlotView::savePdf(const QString& file) const {
    m_impl->bringUpToDate();
    const QSize size = this->size().expandedTo(kSmallestPicture);
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return false;
    const PlotModel model = forPaper(m_impl->model);
    PlotCanvas canvas;
    canvas.setStyle(paperStyle(m_impl->theme));
    layOut(canvas, model, m_impl->group->x(), m_impl->y, size);
    QPdfWriter writer(&out);
    const int dotsPerInch = logicalDpiX(); // a unit of the PDF is a pixel of the plot
    writer.setResolution(dotsPerInch);
    writer.setPageSize(QPageSize(QSizeF(size) * kPointsPerInch / dotsPerInch, QPageSize::Point));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(model.title);
    writer.setCreator(QStringLiteral("Accumulus"));
    QCPPainter painter;
    if (!painter.begin(&writer))
        return false;
    painter.setMode(QCPPainter::pmVectorized);
    canvas.plot()->toPainter(&painter, size.width(), size.height());
    painter.end();
    return out.commit();
}

bool PlotView::saveCsv(const QString& file, bool visibleOnly) const {
    m_impl->bringUpToDate();
    const auto visible = visibleOnly ? std::optional(m_impl->group->x()) : std::nullopt;
    return writePlotCsv(file.toStdString(), numbersOf(m_impl->model), visible, {}, titlesOf(m_impl->model)).has_value();
}

void PlotView::copyToClipboard() const {
    m_impl->bringUpToDate();
    QGuiApplication::clipboard()->setPixmap(picture(forPaper(m_impl->model), m_impl->theme, m_impl->group->x(),
                                                    m_impl->y, size().expandedTo(kSmallestPicture), 2.0));
    m_impl->confirm(tr("Picture copied"));
}

void PlotView::exportWithDialog() {
    if (const auto wanted = askForPlotFile(this, m_impl->model.title, true))
        saveInBackground(wanted->file, wanted->format);
}

bool PlotView::saveAs(QString file, const PlotFormat& format) {
    file = withPlotEnding(file, format);
    const QString ending = QFileInfo(file).suffix().toLower();
    const bool saved = ending == QStringLiteral("svg")   ? saveSvg(file)
                       : ending == QStringLiteral("pdf") ? savePdf(file)
                       : ending == QStringLiteral("csv") ? saveCsv(file, format.visibleOnly)
                                                         : savePng(file, format.scale);
    if (!saved)
        Q_EMIT exportFailed(file);
    return saved;
}

void PlotView::saveInBackground(const QString& file, const PlotFormat& format) {
    Impl& impl = *m_impl;
    if (impl.work.busy()) { // what is on its way shall be in the file
        impl.heldFiles.push_back({file, format});
        return;
    }
    const QString name = withPlotEnding(file, format);
    const QString ending = QFileInfo(name).suffix().toLower();
    if (ending == QStringLiteral("csv")) {
        const auto visible = format.visibleOnly ? std::optional(impl.group->x()) : std::nullopt;
        impl.files.start(name, [name, visible, titles = titlesOf(impl.model),
                                curves = numbersOf(impl.model)](const FileWriter::Cancelled& cancelled) {
            return writePlotCsv(name.toStdString(), curves, visible, cancelled, titles);
        });
    } else if (ending == QStringLiteral("png")) {
        const QImage image = picture(forPaper(impl.model), impl.theme, impl.group->x(), impl.y,
                                     size().expandedTo(kSmallestPicture), format.scale)
                                 .toImage();
        impl.files.start(
            name, [name, image](const FileWriter::Cancelled& cancelled) { return writePng(image, name, cancelled); });
    } else if (saveAs(name, format)) { // lines of as many points as the panel has columns
        Q_EMIT exportFinished(name);
    }
}

bool PlotView::saving() const { return !m_impl->files.files().isEmpty() || !m_impl->heldFiles.empty(); }

void PlotView::cancelSaving() {
    m_impl->heldFiles.clear();
    m_impl->files.cancel();
}

/// A badge for a few seconds.
void PlotView::Impl::confirm(const QString& what) {
    constexpr int shownFor = 4000; // ms
    doneBadge.setText(what);
    doneBadge.setAccessibleName(what);
    doneBadge.show();
    updateBadges();
    forgetDone.start(shownFor);
}

void PlotView::Impl::updateSaving() {
    constexpr int patience = 300; // ms; nobody need read of what is done by then
    const QStringList now = files.files();
    if (now.isEmpty()) {
        savingBadge.hide();
        return;
    }
    savingBadge.setText(PlotView::tr("Saving %1…").arg(QFileInfo(now.first()).fileName()));
    savingBadge.setToolTip(PlotView::tr("Click to cancel"));
    QTimer::singleShot(patience, &savingBadge, [this] {
        savingBadge.setVisible(!files.files().isEmpty());
        updateBadges();
    });
}

} // namespace accumulus::ui
