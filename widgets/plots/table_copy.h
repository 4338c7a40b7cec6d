// SPDX-License-Identifier: GPL-3.0-or-later
// "Copy all" of a window with numbers: a short table goes to the clipboard at once, of a long one the text is made on a
// thread of its own while the window goes on answering. What takes longer shows how far it is, and the button cancels
// it; so does the window that closes. The clipboard changes when all of it is there, or not at all. GUI thread.
#pragma once

#include "widgets/bridge/newest_work.h"

#include <QTimer>
#include <QWidget>
#include <atomic>
#include <functional>
#include <memory>

class QProgressBar;
class QPushButton;

namespace accumulus::ui {

/// The text of a table, on any thread: it holds all that it needs. Now and then it tells how much of it is made (0 to
/// 1); false: nobody wants it any more, and it ends early with anything.
using TableText = std::function<QString(const std::function<bool(double)>& goesOn)>;

class TableCopy : public QWidget {
    Q_OBJECT
public:
    /// `cells` of the table: from PlotView::manyPoints on it is made elsewhere. The button belongs to the caller.
    TableCopy(qint64 cells, TableText text, QPushButton* button, QWidget* parent);
    [[nodiscard]] bool busy() const { return m_work.busy(); }
    void cancel();

private:
    void start();
    void showState();

    const qint64 m_cells;
    const TableText m_text;
    QPushButton* const m_button;
    QProgressBar* const m_bar;
    QTimer m_look; ///< at how far it is
    std::shared_ptr<std::atomic<double>> m_share;
    NewestWork m_work; ///< last: its thread is waited for before the rest goes
};

} // namespace accumulus::ui
