// SPDX-License-Identifier: GPL-3.0-or-later
// The one final act: what "Empty trash" will delete, confirmed by typing the number of runs. GUI thread.
#pragma once

#include "widgets/pages/library/library_rows.h"
#include "widgets/style/theme.h"

#include <QDialog>
#include <vector>

namespace accumulus::ui {

class EmptyTrashDialog : public QDialog {
    Q_OBJECT
public:
    EmptyTrashDialog(const Theme& theme, const std::vector<RunFiles>& runs, QWidget* parent);
};

} // namespace accumulus::ui
