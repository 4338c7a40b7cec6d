// SPDX-License-Identifier: GPL-3.0-or-later
// SIGINT, SIGTERM and SIGHUP as signals of Qt. The handler only writes a byte into a pipe; the event loop reads it.
// At most one at a time. GUI thread.
#pragma once

#include <QObject>

class QSocketNotifier;

namespace accumulus::ui {

class QuitSignals : public QObject {
    Q_OBJECT
public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override; ///< restores what the signals did before

Q_SIGNALS:
    void received(int count); ///< how many have come so far, this one included

private:
    void readPipe();

    QSocketNotifier* m_notifier = nullptr; ///< absent where there is no pipe: then the signals end the program as ever
    int m_count = 0;
};

} // namespace accumulus::ui
