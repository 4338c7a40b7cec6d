// SPDX-License-Identifier: GPL-3.0-or-later
// What Help opens: the words of the program, the list of keys, what the program is. Non-modal. GUI thread.
#pragma once

#include "widgets/style/theme.h"

#include <QList>
#include <QString>

class QAction;
class QWidget;

namespace accumulus::ui {

void showWords(const Theme& theme, QWidget* parent);
/// `actions`: those of the menus; the keys that pages handle themselves are added.
void showKeys(const Theme& theme, const QList<QAction*>& actions, QWidget* parent);
void showAbout(const Theme& theme, QWidget* parent);

} // namespace accumulus::ui
