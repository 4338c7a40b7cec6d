// SPDX-License-Identifier: GPL-3.0-or-later
// Holds the notices of the window and takes no room while none is shown. GUI thread.
#pragma once

#include "widgets/style/controls.h"

#include <QList>
#include <QWidget>

namespace accumulus::ui {

class NoticeArea : public QWidget {
    Q_OBJECT
public:
    explicit NoticeArea(const QList<NoticeBar*>& bars);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QList<NoticeBar*> m_bars;
};

} // namespace accumulus::ui
