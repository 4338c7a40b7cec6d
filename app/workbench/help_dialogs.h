// SPDX-License-Identifier: GPL-3.0-or-later
// What Help opens: how a network comes here, the words of the program, the list of keys, what the program is.
// Non-modal. GUI thread.
#pragma once

#include "widgets/style/theme.h"

#include <QList>
#include <QString>
#include <functional>

class QAction;
class QWidget;

namespace accumulus::ui {

/// `bring`: takes files that the person chooses there.
void showOwnNetwork(const Theme& theme, QWidget* parent, const std::function<void(const QStringList&)>& bring);
void showWords(const Theme& theme, QWidget* parent);
/// `actions`: those of the menus; the keys that pages handle themselves are added.
void showKeys(const Theme& theme, const QList<QAction*>& actions, QWidget* parent);
void showAbout(const Theme& theme, QWidget* parent);

} // namespace accumulus::ui
