// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/interrupted_bar.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace accumulus::ui {

InterruptedBar::InterruptedBar(const Theme& theme, QWidget* parent) : NoticeBar(theme, parent) {
    setObjectName(QStringLiteral("interruptedBar"));
    auto* row = static_cast<QHBoxLayout*>(layout());
    const int beforeClose = row->count() - 1;
    QWidget* before = findChild<QWidget*>(QStringLiteral("noticeAction"));
    const auto addButton = [&](int place, const QString& text, const QString& name,
                               void (InterruptedBar::*asked)(const QStringList&)) {
        auto* button = new QPushButton(text);
        button->setObjectName(name);
        row->insertWidget(beforeClose + place, button, 0, Qt::AlignVCenter);
        setTabOrder(before, button); // what closes the bar comes last
        before = button;
        connect(button, &QPushButton::clicked, this, [this, asked] {
            const QStringList runs = m_runs;
            if (asked == &InterruptedBar::resumeRequested || asked == &InterruptedBar::markStoppedRequested)
                clear();
            Q_EMIT(this->*asked)(runs);
        });
    };
    addButton(0, tr("Resume"), QStringLiteral("interruptedResume"), &InterruptedBar::resumeRequested);
    addButton(1, tr("Mark stopped"), QStringLiteral("interruptedMarkStopped"), &InterruptedBar::markStoppedRequested);
    addButton(2, tr("Show"), QStringLiteral("interruptedShow"), &InterruptedBar::showRequested);
    addButton(3, tr("Show log"), QStringLiteral("interruptedLog"), &InterruptedBar::logRequested);
}

void InterruptedBar::showRuns(const QStringList& runs, int notStarted) {
    m_runs = runs;
    const int interrupted = static_cast<int>(runs.size()) - notStarted;
    if (interrupted == 0)
        showNotice(NoticeLevel::Warning,
                   tr("%n run(s) of a study left unfinished have not started.", nullptr, notStarted));
    else if (notStarted == 0)
        showNotice(NoticeLevel::Warning, tr("%n run(s) were interrupted before their end.", nullptr, interrupted));
    else
        showNotice(NoticeLevel::Warning, tr("A study was left unfinished: %1, %2.")
                                             .arg(tr("%n run(s) interrupted", nullptr, interrupted),
                                                  tr("%n run(s) not started", nullptr, notStarted)));
}

void InterruptedBar::focusResume() {
    findChild<QPushButton*>(QStringLiteral("interruptedResume"))->setFocus(Qt::OtherFocusReason);
}

} // namespace accumulus::ui
