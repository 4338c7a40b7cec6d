// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the window, one in front. Asks for the room that this one needs: a panel beside it has what hidden pages
// would take. GUI thread.
#pragma once

#include <QStackedWidget>

namespace accumulus::ui {

class PageStack : public QStackedWidget {
public:
    PageStack() { connect(this, &QStackedWidget::currentChanged, this, &QWidget::updateGeometry); }
    [[nodiscard]] QSize minimumSizeHint() const override {
        const QWidget* page = currentWidget();
        return page ? page->minimumSizeHint().expandedTo(page->minimumSize()) : QSize();
    }
};

} // namespace accumulus::ui
