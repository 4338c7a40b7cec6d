// SPDX-License-Identifier: GPL-3.0-or-later
// The question that closing the window asks while a study trains. GUI thread.
#pragma once

#include <QMessageBox>

namespace accumulus::ui {

class CloseDialog : public QMessageBox {
    Q_OBJECT
public:
    /// `elsewhere`: the study trains in another place, and goes on without this window.
    CloseDialog(bool elsewhere, QWidget* parent);

Q_SIGNALS:
    void keepRunning(); ///< the window stays until all is done
    void save();        ///< a checkpoint, then the window closes
    void leave();       ///< the window closes, the study goes on
    void cancel();
};

} // namespace accumulus::ui
