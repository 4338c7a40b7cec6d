// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/reports/report_preview.h"

#include "widgets/style/format.h"

#include <QAccessibleWidget>
#include <QApplication>
#include <QPaintEvent>
#include <QPainter>
#include <QResizeEvent>
#include <algorithm>
#include <cmath>
#include <map>

namespace accumulus::ui {

namespace {
constexpr int kGap = 20;             ///< between pages
constexpr double kLargestZoom = 1.6; ///< screen pixels per point

QAccessibleInterface* previewInterface(const QString& className, QObject* object) {
    if (className != QLatin1String(ReportPreview::staticMetaObject.className()) || !object->isWidgetType())
        return nullptr;
    return new QAccessibleWidget(static_cast<QWidget*>(object), QAccessible::Document);
}

} // namespace

class ReportPreview::Desk : public QWidget {
public:
    Desk(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
        connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    }

    void setPages(std::optional<ReportPages> pages) {
        m_pages = std::move(pages);
        m_images.clear();
        arrange(width());
        update();
    }

    void arrange(int available) {
        const QSizeF paper = ReportPages::pageSize();
        m_zoom = std::clamp((available - 2 * kGap) / paper.width(), 0.3, kLargestZoom);
        m_paper = QSize(static_cast<int>(paper.width() * m_zoom), static_cast<int>(paper.height() * m_zoom));
        m_images.clear();
        setFixedHeight(kGap + count() * (m_paper.height() + kGap));
    }

    [[nodiscard]] int count() const { return m_pages ? m_pages->count() : 0; }

protected:
    void paintEvent(QPaintEvent* event) override {
        QPainter painter(this);
        for (int page = 0; page < count(); ++page) {
            const QRect sheet(QPoint((width() - m_paper.width()) / 2, kGap + page * (m_paper.height() + kGap)),
                              m_paper);
            if (!sheet.adjusted(-2, -2, 2, 2).intersects(event->rect()))
                continue;
            painter.drawImage(sheet, image(page));
            const bool focused = isAncestorFocused();
            painter.setPen(QPen(focused ? m_theme.colors().accent : m_theme.colors().border, focused ? 2.0 : 1.0));
            painter.drawRect(sheet.adjusted(-1, -1, 0, 0));
        }
    }

private:
    /// The keys scroll it: the sheets say so.
    [[nodiscard]] bool isAncestorFocused() const {
        const QWidget* focus = QApplication::focusWidget();
        return focus && focus != this && focus->isAncestorOf(this) && !focus->isWindow();
    }

    const QImage& image(int page) {
        const qreal ratio = devicePixelRatioF();
        auto found = m_images.find(page);
        if (found == m_images.end()) {
            QImage sheet(m_paper * ratio, QImage::Format_RGB32);
            sheet.fill(Qt::white);
            QPainter painter(&sheet);
            painter.scale(m_zoom * ratio, m_zoom * ratio);
            m_pages->paint(painter, page);
            painter.end();
            sheet.setDevicePixelRatio(ratio);
            found = m_images.emplace(page, std::move(sheet)).first;
        }
        return found->second;
    }

    const Theme& m_theme;
    std::optional<ReportPages> m_pages;
    std::map<int, QImage> m_images;
    double m_zoom = 1.0;
    QSize m_paper;
};

ReportPreview::ReportPreview(const Theme& theme, QWidget* parent) : QScrollArea(parent), m_desk(new Desk(theme, this)) {
    static const bool told = (QAccessible::installFactory(previewInterface), true);
    Q_UNUSED(told)
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // or the fitted width would depend on itself
    setFocusPolicy(Qt::StrongFocus);
    setWidget(m_desk);
    m_desk->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
    connect(qApp, &QApplication::focusChanged, m_desk, [this](const QWidget* old, const QWidget* now) {
        if (old == this || now == this)
            m_desk->update(); // the frame that shows the focus
    });
}

void ReportPreview::setDocument(const ReportDocument& document) {
    m_desk->setPages(ReportPages(document));
    setAccessibleDescription(format::fromUtf8(document.title));
}

void ReportPreview::clear() { m_desk->setPages(std::nullopt); }

int ReportPreview::pageCount() const { return m_desk->count(); }

void ReportPreview::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        m_desk->arrange(viewport()->width());
}

} // namespace accumulus::ui
