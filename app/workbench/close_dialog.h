// SPDX-License-Identifier: GPL-3.0-or-later
// The question that closing the window asks while a study trains or waits for its time, or while other long work goes
// on. GUI thread.
#pragma once

#include <QMessageBox>

namespace accumulus::ui {

class CloseDialog : public QMessageBox {
    Q_OBJECT
public:
    /// What trains in another place goes on without this window. Works: no training, but what goes with the window.
    enum class What { Trains, TrainsElsewhere, Waits, Works };
    CloseDialog(What what, QWidget* parent);

Q_SIGNALS:
    void keepRunning(); ///< the window stays until all is done
    void save();        ///< a checkpoint, the queue pauses, then the window closes
    void discard();     ///< the window closes, and the work ends with it
    void leave();       ///< the window closes, the study goes on
    void cancel();
};

} // namespace accumulus::ui
