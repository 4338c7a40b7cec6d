// SPDX-License-Identifier: GPL-3.0-or-later
// Tab in the order in which a page reads: the order of its layouts, whatever was created, moved or shown last. GUI
// thread.
#pragma once

#include <QList>

class QWidget;

namespace accumulus::ui {

/// Visible, enabled widgets below `root` that take the focus by Tab, in the order of the layouts.
[[nodiscard]] QList<QWidget*> readingOrder(QWidget* root);

/// For QWidget::focusNextPrevChild of `root`: moves the focus to the next or previous of them, at the ends out of
/// `root`. False when there is nowhere to go.
[[nodiscard]] bool focusInReadingOrder(QWidget* root, bool next);

} // namespace accumulus::ui
