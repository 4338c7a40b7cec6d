// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/live/live_header.h"

#include "widgets/models/field_words.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr int kNumbersInterval = 250;  ///< ms
constexpr int kBarInterval = 100;      ///< ms
constexpr double kVisibleWindow = 0.4; ///< s; a faster window would only flicker
constexpr int kStateIcon = 18;
constexpr int kProgressScale = 1000;
constexpr int kBarWidth = 420;

struct StateLook {
    QString icon;
    QColor color;
    TextRole role;
};

StateLook lookOf(RunState state, const ThemeColors& colors) {
    switch (state) {
    case RunState::Starting:
    case RunState::Running:
        return {QStringLiteral("play"), colors.accent, TextRole::Body};
    case RunState::Paused:
    case RunState::Stopping:
        return {QStringLiteral("pause"), colors.warning, TextRole::Warning};
    case RunState::Completed:
        return {QStringLiteral("success"), colors.good, TextRole::Good};
    case RunState::Failed:
        return {QStringLiteral("error"), colors.bad, TextRole::Bad};
    case RunState::Stopped:
    case RunState::Interrupted:
        return {QStringLiteral("stop"), colors.warning, TextRole::Warning};
    case RunState::Draft:
    case RunState::Queued:
        break;
    }
    return {QStringLiteral("clock"), colors.secondary, TextRole::Caption};
}

} // namespace

LiveHeader::LiveHeader(const Theme& theme, QWidget* parent)
    : Card(theme, {}, parent), m_theme(theme), m_name(new RoleLabel(theme, TextRole::PageTitle)),
      m_stateIcon(new QLabel), m_state(new RoleLabel(theme, TextRole::Body)),
      m_run(new RoleLabel(theme, TextRole::Caption)), m_updates(new RoleLabel(theme, TextRole::Body)),
      m_progressText(new RoleLabel(theme, TextRole::Body)), m_bar(new BatchBar(theme)), m_progress(new QProgressBar),
      m_pause(new QPushButton), m_stop(new QPushButton), m_stopNow(new QPushButton), m_compare(new QPushButton),
      m_resumeStudy(new QPushButton) {
    m_name->setObjectName(QStringLiteral("liveStudy"));
    m_state->setObjectName(QStringLiteral("liveState"));
    m_run->setObjectName(QStringLiteral("liveRun"));
    m_updates->setObjectName(QStringLiteral("liveUpdates"));
    m_progressText->setObjectName(QStringLiteral("liveProgressText"));
    m_bar->setObjectName(QStringLiteral("liveBatchBar"));
    m_progress->setObjectName(QStringLiteral("liveProgress"));
    m_pause->setObjectName(QStringLiteral("livePause"));
    m_stop->setObjectName(QStringLiteral("liveStop"));
    m_stopNow->setObjectName(QStringLiteral("liveStopNow"));
    m_compare->setObjectName(QStringLiteral("liveCompare"));
    m_resumeStudy->setObjectName(QStringLiteral("liveResumeStudy"));
    m_resumeStudy->hide();
    m_progress->setTextVisible(false);
    m_progress->setRange(0, kProgressScale);
    m_numbersClock.setSingleShot(true);
    m_numbersClock.setInterval(kNumbersInterval);
    m_barClock.setInterval(kBarInterval);
    buildRows();
    connect(&m_numbersClock, &QTimer::timeout, this, &LiveHeader::refreshNumbers);
    connect(&m_barClock, &QTimer::timeout, this, &LiveHeader::fillBar);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (m_shownState == RunState::Paused)
            Q_EMIT resumeRequested();
        else
            Q_EMIT pauseRequested();
    });
    connect(m_stop, &QPushButton::clicked, this, &LiveHeader::stopRequested);
    connect(m_stopNow, &QPushButton::clicked, this, &LiveHeader::stopNowRequested);
    connect(m_compare, &QPushButton::clicked, this, &LiveHeader::compareRequested);
    connect(m_resumeStudy, &QPushButton::clicked, this, &LiveHeader::resumeStudyRequested);
    connect(&theme, &Theme::changed, this, &LiveHeader::refreshState);
    retranslate();
}

void LiveHeader::buildRows() {
    layout()->setContentsMargins(space::l, space::m, space::l, space::m);
    content()->setSpacing(space::s);
    auto* title = new QHBoxLayout;
    title->setSpacing(space::s);
    title->addWidget(m_name);
    title->addSpacing(space::s);
    title->addWidget(m_stateIcon);
    title->addWidget(m_state);
    title->addStretch(1);
    for (QPushButton* button : {m_resumeStudy, m_compare, m_pause, m_stop, m_stopNow})
        title->addWidget(button);
    content()->addLayout(title);
    content()->addWidget(m_run);
    auto* numbers = new QHBoxLayout;
    numbers->setSpacing(space::l);
    m_bar->setMaximumWidth(kBarWidth);
    numbers->addWidget(m_bar, 2);
    numbers->addWidget(m_updates);
    numbers->addWidget(m_progress, 3);
    numbers->addWidget(m_progressText);
    content()->addLayout(numbers);
    for (RoleLabel* label : {m_state, m_updates, m_progressText})
        label->setWordWrap(false);
}

void LiveHeader::retranslate() {
    m_stop->setText(tr("Stop"));
    m_stop->setToolTip(tr("Stops at the next update and keeps a checkpoint"));
    m_stopNow->setText(tr("Stop now"));
    m_stopNow->setToolTip(tr("Stops after the current micro-step and saves what can be kept of the open window"));
    m_compare->setText(tr("Compare arms"));
    m_resumeStudy->setText(tr("Resume the study"));
    m_progress->setAccessibleName(tr("Progress of the study"));
    refreshState();
}

void LiveHeader::setStudy(const QString& name, bool comparable) {
    m_name->setText(name);
    m_compare->setVisible(comparable);
}

void LiveHeader::setState(RunState state, bool active) {
    m_shownState = state;
    m_active = active;
    if (!active || state != RunState::Running)
        m_barClock.stop();
    refreshState();
}

void LiveHeader::refreshState() {
    const ThemeColors& colors = m_theme.colors();
    const StateLook look = lookOf(m_shownState, colors);
    m_stateIcon->setPixmap(icon(look.icon, look.color).pixmap(QSize(kStateIcon, kStateIcon), devicePixelRatioF()));
    m_state->setRole(look.role);
    m_state->setText(format::stateTitle(m_shownState));
    const bool paused = m_shownState == RunState::Paused;
    const bool stopping = m_shownState == RunState::Stopping;
    m_pause->setText(paused ? tr("Resume") : tr("Pause"));
    m_pause->setIcon(icon(paused ? QStringLiteral("play") : QStringLiteral("pause"), colors.text));
    m_stop->setIcon(icon(QStringLiteral("stop"), colors.text));
    m_compare->setIcon(icon(QStringLiteral("compare"), colors.text));
    m_resumeStudy->setIcon(icon(QStringLiteral("play"), colors.text));
    m_pause->setEnabled(!stopping);
    m_stop->setEnabled(!stopping);
    for (QPushButton* button : {m_pause, m_stop, m_stopNow})
        button->setVisible(m_active);
}

void LiveHeader::setRun(const RunRecord* run, std::size_t number, std::size_t count) {
    if (!run) {
        m_run->setText(tr("Waiting for the first run"));
        m_bar->setMicroSizes({});
        return;
    }
    QStringList parts{format::armTitle(run->arm), tr("seed %1").arg(run->seed)};
    if (count > 1)
        parts << tr("run %1 of %2").arg(number).arg(count);
    m_batch = run->batch;
    if (m_batch.effective > 0)
        parts << format::batchSummary(m_batch);
    if (m_batch.devices > 1)
        parts << tr("%1 ranks").arg(format::count(m_batch.devices));
    parts << tr("%1 on %2").arg(choiceTitle(run->config.model.name), choiceTitle(run->config.data.dataset));
    m_run->setText(parts.join(QStringLiteral("  ·  ")));
    m_bar->setArm(run->arm);
    showWindowOf(m_active ? run->summary.updates + 1 : run->summary.updates);
    m_bar->setFilled(m_active ? 0 : m_microSteps);
    m_bar->setWindowClosed(!m_active);
    m_windowSeconds = 0.0;
}

/// The bar takes the batch of that update: under a ramp it changes during the run.
void LiveHeader::showWindowOf(std::int64_t update) {
    if (m_batch.effective <= 0)
        return;
    std::vector<std::int64_t> sizes = microSizes(m_batch.effectiveAt(std::max<std::int64_t>(1, update)), m_batch.micro);
    m_microSteps = sizes.size();
    m_bar->setMicroSizes(std::move(sizes));
}

void LiveHeader::setProgress(const RunProgress& progress) {
    m_numbers = progress;
    if (!m_numbersClock.isActive())
        m_numbersClock.start();
}

void LiveHeader::refreshNumbers() {
    if (!m_active)
        return;
    const RunProgress::Counters& counters = m_numbers.counters();
    m_updates->setText(
        tr("update %1 of %2").arg(format::count(counters.updates), format::count(counters.totalUpdates)));
    if (!m_batch.ramp.empty())
        showWindowOf(counters.updates + 1);
    const double share = m_numbers.fraction();
    m_progress->setValue(static_cast<int>(std::lround(share * kProgressScale)));
    QStringList parts{format::number(std::floor(share * 100.0), 3) + QStringLiteral(" %")};
    if (const auto left = m_numbers.remaining()) {
        const QString shortest = format::duration(left->shortest);
        const QString longest = format::duration(left->longest);
        parts << (shortest == longest ? tr("%1 left").arg(longest) : tr("%1 to %2 left").arg(shortest, longest));
    } else {
        parts << tr("estimating");
    }
    if (const double rate = m_numbers.samplesPerSecond(); rate > 0.0)
        parts << format::rate(rate);
    m_progressText->setText(parts.join(QStringLiteral("  ·  ")));
    fillBar();
}

void LiveHeader::setFinished(std::int64_t updates, std::int64_t totalUpdates, double fraction, const QString& note) {
    m_numbersClock.stop();
    m_barClock.stop();
    m_updates->setText(tr("update %1 of %2").arg(format::count(updates), format::count(totalUpdates)));
    m_progress->setValue(static_cast<int>(std::lround(fraction * kProgressScale)));
    m_progressText->setText(note);
    showWindowOf(updates);
    m_bar->setFilled(m_microSteps);
    m_bar->setWindowClosed(true);
}

void LiveHeader::setUnfinished(int runs) {
    m_resumeStudy->setVisible(runs > 0);
    m_resumeStudy->setToolTip(tr("%n run(s) that did not come to their end go on", nullptr, runs));
}

void LiveHeader::windowClosed(double seconds) {
    m_windowSeconds = m_windowSeconds > 0.0 ? 0.7 * m_windowSeconds + 0.3 * seconds : seconds;
    m_sinceWindow.start();
    if (m_windowSeconds >= kVisibleWindow && !m_barClock.isActive())
        m_barClock.start();
}

/// Events tell closed windows only. Inside a slow one the bar fills at the pace of the windows before; a fast one is
/// shown closed, filling would only flicker.
void LiveHeader::fillBar() {
    if (!m_active || !m_sinceWindow.isValid())
        return;
    if (m_windowSeconds < kVisibleWindow || m_microSteps < 2) {
        m_barClock.stop();
        m_bar->setFilled(m_microSteps);
        m_bar->setWindowClosed(true);
        return;
    }
    const double elapsed = static_cast<double>(m_sinceWindow.elapsed()) / 1000.0;
    const double done = std::floor(elapsed / m_windowSeconds * static_cast<double>(m_microSteps));
    const auto last =
        static_cast<double>(m_microSteps - 1); // the last block waits for the word that the window has closed
    m_bar->setFilled(static_cast<std::size_t>(std::clamp(done, 0.0, last)));
    m_bar->setWindowClosed(elapsed < std::min(0.25, 0.2 * m_windowSeconds));
}

} // namespace accumulus::ui
