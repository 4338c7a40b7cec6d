// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/end_notifier.h"

#include "widgets/style/format.h"

#include <QAction>
#include <QSettings>
#include <QWidget>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

EndNotifier::EndNotifier(RunController& runs, QAction& ends, QAction& failures, QWidget& window,
                         std::unique_ptr<DesktopAttention> attention)
    : QObject(&window), m_runs(runs), m_ends(ends), m_failures(failures), m_window(window),
      m_attention(std::move(attention)) {
    remember(ends, "notify/ends", false);
    remember(failures, "notify/failures", true);
    connect(&runs, &RunController::failed, this, [this](const Error& error) {
        m_failed = true;
        if (m_failures.isChecked())
            notify(tr("Training failed"), format::error(error), true);
    });
    connect(&runs, &RunController::studyFinished, this,
            [this](const QString&, bool stopped) { studyFinished(stopped); });
    connect(m_attention.get(), &DesktopAttention::messageClicked, &window, [&window] {
        window.raise();
        window.activateWindow();
    });
}

void EndNotifier::remember(QAction& action, const char* key, bool preset) {
    action.setCheckable(true);
    action.setChecked(QSettings().value(QLatin1String(key), preset).toBool());
    connect(&action, &QAction::toggled, this, [key](bool on) { QSettings().setValue(QLatin1String(key), on); });
}

void EndNotifier::studyFinished(bool stopped) {
    const bool failed = std::exchange(m_failed, false);
    if (stopped || failed || !m_ends.isChecked()) // who stops it knows
        return;
    const auto& runs = m_runs.runs();
    const auto completed = std::ranges::count(runs, RunState::Completed, &RunRecord::state);
    notify(tr("Training has ended"),
           tr("%1 of %2 runs of the study are complete.").arg(completed).arg(std::ssize(runs)), false);
}

void EndNotifier::notify(const QString& title, const QString& text, bool failure) {
    if (m_window.isActiveWindow())
        return;
    m_attention->alert(m_window);
    m_attention->showMessage(title, text, failure);
    Q_EMIT notified(title, text);
}

} // namespace accumulus::ui
