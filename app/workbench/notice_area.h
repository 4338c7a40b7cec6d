// SPDX-License-Identifier: GPL-3.0-or-later
// Holds the notices of the window and takes no room while none is shown. The hint of the page waits until nothing else
// is told. GUI thread.
#pragma once

#include "widgets/style/controls.h"

#include <QList>
#include <QWidget>

namespace accumulus::ui {

class NoticeArea : public QWidget {
    Q_OBJECT
public:
    NoticeArea(const QList<NoticeBar*>& bars, NoticeBar& hint);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QList<NoticeBar*> m_bars;
    NoticeBar& m_hint;
    QWidget* m_hintPlace; ///< hidden while another one is shown
};

} // namespace accumulus::ui
