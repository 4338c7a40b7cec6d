// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/painted_picture.h"

#include "widgets/style/theme.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace accumulus::ui {

namespace {

constexpr int kDotsPerInch = 96;
constexpr double kDotsPerMetre = kDotsPerInch / 0.0254;

QImage blank(const QSize& size, QImage::Format format) {
    QImage image(size, format);
    image.setDotsPerMeterX(qRound(kDotsPerMetre));
    image.setDotsPerMeterY(qRound(kDotsPerMetre));
    return image;
}

QImage imageOf(const PaintedPicture& picture, double scale) {
    QImage image = blank(picture.size * scale, QImage::Format_RGB32);
    image.fill(lightColors().card);
    QPainter painter(&image);
    painter.scale(scale, scale);
    picture.paint(painter);
    return image;
}

bool saveSvg(const PaintedPicture& picture, QIODevice& out) {
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setResolution(kDotsPerInch);
    generator.setSize(picture.size);
    generator.setViewBox(QRect(QPoint(0, 0), picture.size));
    generator.setTitle(picture.title);
    generator.setDescription(picture.description);
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    painter.fillRect(QRect(QPoint(0, 0), picture.size), lightColors().card);
    picture.paint(painter);
    return painter.end();
}

bool savePdf(const PaintedPicture& picture, QIODevice& out) {
    QPdfWriter writer(&out);
    writer.setResolution(kDotsPerInch);
    writer.setTitle(picture.title);
    writer.setCreator(QStringLiteral("Accumulus"));
    writer.setPageSize(QPageSize(QSizeF(picture.size) / kDotsPerInch, QPageSize::Inch, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter;
    if (!painter.begin(&writer))
        return false;
    picture.paint(painter);
    return painter.end();
}

} // namespace

bool savePicture(const PaintedPicture& picture, const QString& file, double scale) {
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return false;
    const QString ending = QFileInfo(file).suffix().toLower();
    const bool drawn = ending == QLatin1String("svg")   ? saveSvg(picture, out)
                       : ending == QLatin1String("pdf") ? savePdf(picture, out)
                                                        : imageOf(picture, scale).save(&out, "PNG");
    return drawn && out.commit();
}

void copyPicture(const PaintedPicture& picture, double scale) {
    QGuiApplication::clipboard()->setImage(imageOf(picture, scale));
}

QImage pictureProbe() { return blank(QSize(1, 1), QImage::Format_ARGB32); }

} // namespace accumulus::ui
