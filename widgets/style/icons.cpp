// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/icons.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>
#include <memory>
#include <utility>

// A static library's resources are linked only when somebody asks for them; the macro must stand outside any namespace.
static void useResources() { Q_INIT_RESOURCE(accumulus); }

namespace accumulus::ui {

namespace {

/// One icon in one colour, parsed when it is painted first: of what another theme recolours, most is out of sight.
class Drawing {
public:
    explicit Drawing(QByteArray svg) : m_svg(std::move(svg)) {}

    void render(QPainter* painter, const QRect& square) {
        if (!m_renderer)
            m_renderer = std::make_unique<QSvgRenderer>(m_svg);
        m_renderer->render(painter, square);
    }

private:
    QByteArray m_svg;
    std::unique_ptr<QSvgRenderer> m_renderer;
};

/// Paints the drawing itself instead of a pixmap of one size: sharp at every size and device pixel ratio.
class StrokeIconEngine : public QIconEngine {
public:
    explicit StrokeIconEngine(std::shared_ptr<Drawing> drawing) : m_drawing(std::move(drawing)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const int side = qMin(rect.width(), rect.height());
        const QRect square(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side);
        painter->save();
        if (mode == QIcon::Disabled)
            painter->setOpacity(painter->opacity() * 0.4);
        m_drawing->render(painter, square);
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new StrokeIconEngine(m_drawing); }

private:
    std::shared_ptr<Drawing> m_drawing; ///< of all copies
};

QIcon read(const QString& name, const QColor& color) {
    useResources();
    QFile file(QStringLiteral(":/accumulus/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray svg = file.readAll();
    svg.replace("#000", color.name().toLatin1());
    return QIcon(new StrokeIconEngine(std::make_shared<Drawing>(std::move(svg))));
}

} // namespace

QIcon icon(const QString& name, const QColor& color) {
    // What is parsed once serves every page, every change of theme and back, and the window of another language.
    static QHash<std::pair<QString, QRgb>, QIcon> known;
    QIcon& found = known[{name, color.rgb()}];
    if (found.isNull())
        found = read(name, color);
    return found;
}

QStringList iconNames() {
    useResources();
    QStringList names;
    const QDir folder(QStringLiteral(":/accumulus/icons"));
    for (const QString& file : folder.entryList({QStringLiteral("*.svg")}, QDir::Files, QDir::Name))
        names << file.chopped(4);
    return names;
}

} // namespace accumulus::ui
