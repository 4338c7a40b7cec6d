// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a list with room around the text, an icon where there is one, and a soft accent surface as selection, like
// the rail. GUI thread.
#pragma once

#include "widgets/style/theme.h"

#include <QStyledItemDelegate>

namespace accumulus::ui {

class RoundedRowDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit RoundedRowDelegate(const Theme& theme, QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Theme& m_theme;
};

} // namespace accumulus::ui
