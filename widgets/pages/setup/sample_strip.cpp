// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/sample_strip.h"

#include "widgets/style/format.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QImage>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace accumulus::ui {

namespace {

constexpr int pictureSide = 60;
constexpr int widestTile = 116;
constexpr int linePadding = 10;

QImage imageOf(const PreviewSample& sample) {
    if (sample.channels == 0)
        return {};
    QImage image(static_cast<int>(sample.width), static_cast<int>(sample.height), QImage::Format_RGB32);
    const std::uint8_t* pixel = sample.pixels.data();
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x, pixel += sample.channels)
            image.setPixel(
                x, y, sample.channels == 3 ? qRgb(pixel[0], pixel[1], pixel[2]) : qRgb(pixel[0], pixel[0], pixel[0]));
    return image;
}

/// In one line: ends of lines are shown as a sign.
QString lineOf(const PreviewSample& sample) {
    QString text = QString::fromUtf8(sample.text.data(), static_cast<qsizetype>(sample.text.size()));
    for (QChar& letter : text)
        if (letter == QLatin1Char('\n'))
            letter = QChar(0x21B5);
        else if (!letter.isPrint() && !letter.isSurrogate())
            letter = QLatin1Char(' ');
    return text;
}

QFont fixedFont() { return QFontDatabase::systemFont(QFontDatabase::FixedFont); }

} // namespace

SampleStrip::SampleStrip(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void SampleStrip::setSamples(const SamplePreview& preview) {
    if (preview.samples == m_samples)
        return;
    m_samples = preview.samples;
    m_pictures.clear();
    QStringList spoken;
    for (const PreviewSample& sample : m_samples) {
        m_pictures.push_back(imageOf(sample));
        const QString label = format::fromUtf8(sample.label);
        spoken << (sample.channels > 0 ? label
                   : label.isEmpty()   ? lineOf(sample)
                                       : lineOf(sample) + QStringLiteral(" → ") + label);
    }
    setAccessibleName(tr("The first %n sample(s)", nullptr, static_cast<int>(m_samples.size())));
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

bool SampleStrip::picturesShown() const {
    return std::ranges::any_of(m_pictures, [](const QImage& picture) { return !picture.isNull(); });
}

int SampleStrip::tileWidth() const {
    const QFontMetrics metrics(m_theme.captionFont());
    int width = pictureSide;
    for (const PreviewSample& sample : m_samples)
        width = std::max(width, metrics.horizontalAdvance(format::fromUtf8(sample.label)) + 2);
    return std::min(width, widestTile);
}

int SampleStrip::tileHeight() const { return pictureSide + space::xs + QFontMetrics(m_theme.captionFont()).height(); }

int SampleStrip::tilesInARow(int width) const { return std::max(1, (width + space::s) / (tileWidth() + space::s)); }

int SampleStrip::lineHeight() const { return QFontMetrics(fixedFont()).height() + space::s; }

int SampleStrip::heightForWidth(int width) const {
    const int count = static_cast<int>(m_samples.size());
    if (count == 0)
        return 0;
    if (!picturesShown())
        return count * lineHeight();
    const int rows = (count + tilesInARow(width) - 1) / tilesInARow(width);
    return rows * tileHeight() + (rows - 1) * space::m;
}

QSize SampleStrip::sizeHint() const {
    const int width = 10 * (tileWidth() + space::s);
    return {width, heightForWidth(width)};
}

QSize SampleStrip::minimumSizeHint() const { return {tileWidth(), m_samples.empty() ? 0 : tileHeight()}; }

QRect SampleStrip::tileRect(int index) const {
    if (!picturesShown())
        return {0, index * lineHeight(), width(), lineHeight()};
    const int inARow = tilesInARow(width());
    return {(index % inARow) * (tileWidth() + space::s), (index / inARow) * (tileHeight() + space::m), tileWidth(),
            tileHeight()};
}

void SampleStrip::paintTile(QPainter& painter, int index) const {
    const QRect tile = tileRect(index);
    const QImage& picture = m_pictures[static_cast<std::size_t>(index)];
    const QRect frame(tile.left(), tile.top(), pictureSide, pictureSide);
    if (!picture.isNull()) {
        const QSize size = picture.size().scaled(frame.size(), Qt::KeepAspectRatio);
        const QRect place(
            frame.topLeft() + QPoint((frame.width() - size.width()) / 2, (frame.height() - size.height()) / 2), size);
        // Small pictures show their pixels; what is made smaller is smoothed.
        painter.setRenderHint(QPainter::SmoothPixmapTransform, picture.width() > place.width());
        painter.drawImage(place, picture);
        painter.setPen(m_theme.colors().border);
        painter.drawRect(place.adjusted(0, 0, -1, -1));
    }
    const QFont font = m_theme.captionFont();
    painter.setFont(font);
    painter.setPen(m_theme.colors().secondary);
    const QString label = format::fromUtf8(m_samples[static_cast<std::size_t>(index)].label);
    painter.drawText(QRect(tile.left(), frame.bottom() + space::xs, tile.width(), tile.bottom() - frame.bottom()),
                     Qt::AlignLeft | Qt::AlignTop, QFontMetrics(font).elidedText(label, Qt::ElideRight, tile.width()));
}

void SampleStrip::paintLine(QPainter& painter, int index) const {
    const QRect line = tileRect(index);
    const PreviewSample& sample = m_samples[static_cast<std::size_t>(index)];
    if (index % 2 == 0) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.colors().cardAlternate);
        painter.drawRoundedRect(line, 4, 4);
    }
    const QFontMetrics metrics(fixedFont());
    painter.setFont(fixedFont());
    const QRect inside = line.adjusted(linePadding, 0, -linePadding, 0);
    int right = 0;
    if (!sample.label.empty()) {
        const QString label = metrics.elidedText(QStringLiteral("→ ") + format::fromUtf8(sample.label), Qt::ElideRight,
                                                 inside.width() / 2);
        right = metrics.horizontalAdvance(label) + space::l;
        painter.setPen(m_theme.colors().secondary);
        painter.drawText(inside, Qt::AlignRight | Qt::AlignVCenter, label);
    }
    painter.setPen(m_theme.colors().text);
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(lineOf(sample), Qt::ElideRight, inside.width() - right));
}

void SampleStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const bool pictures = picturesShown();
    for (int index = 0; index < static_cast<int>(m_samples.size()); ++index)
        pictures ? paintTile(painter, index) : paintLine(painter, index);
}

bool SampleStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    for (int index = 0; index < static_cast<int>(m_samples.size()); ++index)
        if (tileRect(index).contains(help.pos())) {
            const PreviewSample& sample = m_samples[static_cast<std::size_t>(index)];
            QToolTip::showText(help.globalPos(),
                               (lineOf(sample) + QLatin1Char('\n') + format::fromUtf8(sample.label)).trimmed(), this);
            return true;
        }
    return QWidget::event(event);
}

} // namespace accumulus::ui
