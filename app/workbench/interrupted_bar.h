// SPDX-License-Identifier: GPL-3.0-or-later
// "2 runs were interrupted": found at the start, with ways out. GUI thread.
#pragma once

#include "widgets/style/controls.h"

#include <QStringList>

namespace accumulus::ui {

class InterruptedBar : public NoticeBar {
    Q_OBJECT
public:
    explicit InterruptedBar(const Theme& theme, QWidget* parent = nullptr);
    /// `notStarted`: so many of them have not begun.
    void showRuns(const QStringList& runs, int notStarted);
    void focusResume(); ///< gives it the keyboard

Q_SIGNALS:
    void resumeRequested(const QStringList& runs);
    void markStoppedRequested(const QStringList& runs);
    void showRequested(const QStringList& runs);
    void logRequested(const QStringList& runs);

private:
    QStringList m_runs;
};

} // namespace accumulus::ui
