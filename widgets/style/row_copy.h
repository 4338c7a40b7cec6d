// SPDX-License-Identifier: GPL-3.0-or-later
// The context menu of a table, tree or list: "Copy", also by Ctrl+C, and what its buttons do. GUI thread.
#pragma once

class QAbstractItemView;
class QPushButton;

namespace accumulus::ui {

enum class CopiedHeads { No, Yes };

/// The selected rows, or all that are shown where none is selected, go to the clipboard: a line for each, tabulators
/// between the columns that are shown.
void addCopy(QAbstractItemView& view, CopiedHeads heads = CopiedHeads::Yes);
/// What the button does, while it can be pressed.
void addToMenu(QAbstractItemView& view, QPushButton& button);

} // namespace accumulus::ui
