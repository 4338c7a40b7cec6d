// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and numbers that leave the program. Pictures are drawn afresh by a hidden canvas: light colours, thicker
// lines, all axis titles.
#include "widgets/plots/plot_file.h"
#include "widgets/plots/plot_view_impl.h"
#include "widgets/plots/qcp.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <cmath>
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

QByteArray numberText(double value) {
    return std::isfinite(value) ? QByteArray::number(value, 'g', QLocale::FloatingPointShortest) : QByteArray();
}

QByteArray quoted(const QString& text) {
    QByteArray utf8 = text.toUtf8();
    if (!utf8.contains(',') && !utf8.contains('"') && !utf8.contains('\n'))
        return utf8;
    utf8.replace("\"", "\"\"");
    return '"' + utf8 + '"';
}

} // namespace

bool PlotView::savePng(const QString& file, double scale) const {
    const QPixmap pixmap = picture(forPaper(m_impl->model), m_impl->theme, m_impl->group->x(), m_impl->y,
                                   size().expandedTo(kSmallestPicture), scale);
    QSaveFile out(file);
    return out.open(QIODevice::WriteOnly) && pixmap.save(&out, "PNG") && out.commit();
}

bool PlotView::saveSvg(const QString& file) const {
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
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return false;
    const AxisRange visible = m_impl->group->x();
    out.write("curve,x,y,smoothed\n");
    for (const ModelCurve& curve : m_impl->model.curves) {
        const QByteArray name = quoted(curve.look.label.isEmpty() ? curve.look.id : curve.look.label);
        const Series& raw = curve.data.raw();
        const Series& front = curve.data.front();
        for (std::size_t i = 0; i < raw.size(); ++i) {
            if (visibleOnly && !(raw.x[i] >= visible.lower && raw.x[i] <= visible.upper))
                continue;
            out.write(name + ',' + numberText(raw.x[i]) + ',' + numberText(raw.y[i]) + ',');
            if (curve.data.smoothed())
                out.write(numberText(front.y[i]));
            out.write("\n");
        }
    }
    return out.commit();
}

void PlotView::copyToClipboard() const {
    QGuiApplication::clipboard()->setPixmap(picture(forPaper(m_impl->model), m_impl->theme, m_impl->group->x(),
                                                    m_impl->y, size().expandedTo(kSmallestPicture), 2.0));
}

void PlotView::exportWithDialog() {
    if (const auto wanted = askForPlotFile(this, m_impl->model.title, true))
        saveAs(wanted->file, wanted->format);
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

} // namespace accumulus::ui
