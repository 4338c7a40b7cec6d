// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/rounded_row_delegate.h"

#include <QAbstractItemView>
#include <QIcon>
#include <QPainter>

namespace accumulus::ui {

namespace {

constexpr int iconSize = 18;

/// Of the text, at its left: the margin, and the icon where there is one.
int indentOf(const QModelIndex& index) {
    return space::m + (index.data(Qt::DecorationRole).isNull() ? 0 : iconSize + space::s);
}

QRect textBounds(const QStyleOptionViewItem& option, int width, const QModelIndex& index) {
    return option.fontMetrics.boundingRect(QRect(0, 0, width - indentOf(index) - space::m, 10'000), Qt::TextWordWrap,
                                           index.data(Qt::DisplayRole).toString());
}

} // namespace

RoundedRowDelegate::RoundedRowDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent), m_theme(theme) {}

void RoundedRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const ThemeColors& colors = m_theme.colors();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF surface = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    if (selected || option.state.testFlag(QStyle::State_MouseOver)) {
        QColor fill = colors.accent;
        fill.setAlphaF(selected ? 0.16F : 0.07F);
        painter->setPen(selected && option.state.testFlag(QStyle::State_HasFocus) ? QPen(colors.accent, 1.0)
                                                                                  : QPen(Qt::NoPen));
        painter->setBrush(fill);
        painter->drawRoundedRect(surface, 6.0, 6.0);
    }
    if (selected) { // not by colour alone
        painter->setPen(Qt::NoPen);
        painter->setBrush(colors.accent);
        painter->drawRoundedRect(QRectF(surface.left() + 2.0, surface.top() + 6.0, 3.0, surface.height() - 12.0), 1.5,
                                 1.5);
    }
    const QRect icon(option.rect.left() + space::m, option.rect.center().y() - iconSize / 2, iconSize, iconSize);
    index.data(Qt::DecorationRole).value<QIcon>().paint(painter, icon);
    painter->setPen(colors.text);
    painter->setFont(option.font);
    painter->drawText(option.rect.adjusted(indentOf(index), 0, -space::m, 0), Qt::AlignVCenter | Qt::TextWordWrap,
                      index.data(Qt::DisplayRole).toString());
    painter->restore();
}

QSize RoundedRowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const int width = view != nullptr ? view->viewport()->width() : option.rect.width();
    return {space::xxl, textBounds(option, width, index).height() + 2 * space::s};
}

} // namespace accumulus::ui
