// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/live/live_header.h"

#include "widgets/models/field_words.h"
#include "widgets/style/elided_label.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>
#include <cmath>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr int kNumbersInterval = 250;  ///< ms
constexpr double kVisibleWindow = 0.4; ///< s; a faster window would only flicker
constexpr int kStateIcon = 18;
constexpr int kProgressScale = 1000;
constexpr int kBarWidth = 420;
constexpr int kProgressHeight = 8; ///< with a line of text below as tall as the batch bar

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
    : Card(theme, {}, parent), m_theme(theme), m_name(new ElidedLabel(theme, TextRole::PageTitle)),
      m_stateIcon(new QLabel), m_state(new RoleLabel(theme, TextRole::Body)),
      m_run(new RoleLabel(theme, TextRole::Caption)), m_updates(new RoleLabel(theme, TextRole::Body)),
      m_progressText(new RoleLabel(theme, TextRole::Body)), m_bar(new BatchBar(theme)),
      m_microSteps(new RoleLabel(theme, TextRole::Caption)), m_progress(new QProgressBar), m_pause(new QPushButton),
      m_stop(new QPushButton), m_stopNow(new QPushButton), m_compare(new QPushButton), m_resumeStudy(new QPushButton) {
    m_name->setObjectName(QStringLiteral("liveStudy"));
    m_state->setObjectName(QStringLiteral("liveState"));
    m_run->setObjectName(QStringLiteral("liveRun"));
    m_updates->setObjectName(QStringLiteral("liveUpdates"));
    m_progressText->setObjectName(QStringLiteral("liveProgressText"));
    m_bar->setObjectName(QStringLiteral("liveBatchBar"));
    m_microSteps->setObjectName(QStringLiteral("liveMicroSteps"));
    m_microSteps->hide();
    m_progress->setObjectName(QStringLiteral("liveProgress"));
    m_pause->setObjectName(QStringLiteral("livePause"));
    m_stop->setObjectName(QStringLiteral("liveStop"));
    m_stopNow->setObjectName(QStringLiteral("liveStopNow"));
    m_compare->setObjectName(QStringLiteral("liveCompare"));
    m_resumeStudy->setObjectName(QStringLiteral("liveResumeStudy"));
    m_resumeStudy->hide();
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(kProgressHeight);
    m_progress->setRange(0, kProgressScale);
    m_numbersClock.setSingleShot(true);
    m_numbersClock.setInterval(kNumbersInterval);
    buildRows();
    connect(&m_numbersClock, &QTimer::timeout, this, &LiveHeader::refreshNumbers);
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
    connect(&theme, &Theme::animationsChanged, this, &LiveHeader::showOpenWindow);
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
    auto* window = new QVBoxLayout;
    window->setSpacing(space::xs);
    window->addWidget(m_bar);
    window->addWidget(m_microSteps);
    auto* study = new QVBoxLayout;
    study->setSpacing(space::xs);
    study->addWidget(m_progress);
    study->addWidget(m_progressText);
    numbers->addLayout(window, 2);
    numbers->addWidget(m_updates);
    numbers->addLayout(study, 3);
    content()->addLayout(numbers);
    for (RoleLabel* label : {m_state, m_updates, m_microSteps, m_progressText})
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
    m_name->setWhole(name);
    m_compare->setVisible(comparable);
}

void LiveHeader::setState(RunState state, bool active) {
    m_shownState = state;
    m_active = active;
    refreshState();
    showOpenWindow();
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
        m_microSteps->hide();
        return;
    }
    QStringList parts{format::armTitle(run->arm), tr("seed %1").arg(run->seed)};
    if (count > 1)
        parts << tr("run %1 of %2").arg(number).arg(count);
    m_batch = run->batch;
    m_barSamples = 0;
    if (m_batch.effective > 0)
        parts << format::batchSummary(m_batch);
    if (m_batch.devices > 1)
        parts << tr("%1 ranks").arg(format::count(m_batch.devices));
    parts << tr("%1 on %2").arg(choiceTitle(run->config.model.name), choiceTitle(run->config.data.dataset));
    m_run->setText(parts.join(QStringLiteral("  ·  ")));
    m_bar->setArm(run->arm);
    if (std::exchange(m_shownRun, run->id) != run->id)
        m_windowSeconds = 0.0;
    showWindowOf(m_active ? run->summary.updates + 1 : run->summary.updates);
    m_bar->setFilled(m_active ? 0 : m_blocks);
    m_bar->setWindowClosed(!m_active);
    showOpenWindow();
}

/// The bar takes the batch of that update: under a ramp it changes during the run.
void LiveHeader::showWindowOf(std::int64_t update) {
    if (m_batch.effective > 0)
        showBlocks(m_batch.effectiveAt(std::max<std::int64_t>(1, update)));
}

void LiveHeader::showBlocks(std::int64_t samples) {
    if (std::exchange(m_barSamples, samples) == samples)
        return;
    std::vector<std::int64_t> sizes = microSizes(samples, m_batch.micro);
    m_blocks = sizes.size();
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
    const QString total = format::count(counters.totalUpdates); // the widest text to come: nothing beside it moves
    m_updates->setMinimumWidth(m_updates->fontMetrics().horizontalAdvance(tr("update %1 of %2").arg(total, total)));
    m_updates->setText(
        tr("update %1 of %2").arg(format::count(counters.updates), format::count(counters.totalUpdates)));
    const double share = m_numbers.fraction();
    m_progress->setValue(static_cast<int>(std::lround(share * kProgressScale)));
    QStringList parts{format::number(std::floor(share * 100.0), 3) + QStringLiteral(" %")};
    if (const auto left = m_numbers.shownRemaining()) {
        const QString shortest = format::duration(std::round(left->shortest));
        const QString longest = format::duration(std::round(left->longest));
        parts << (shortest == longest ? tr("%1 left").arg(longest) : tr("%1 to %2 left").arg(shortest, longest));
    } else {
        parts << tr("estimating");
    }
    if (const double rate = m_numbers.samplesPerSecond(); rate > 0.0)
        parts << format::rate(rate);
    m_progressText->setText(parts.join(QStringLiteral("  ·  ")));
    showOpenWindow();
}

void LiveHeader::setFinished(std::int64_t updates, std::int64_t totalUpdates, double fraction, const QString& note) {
    m_numbersClock.stop();
    m_updates->setText(tr("update %1 of %2").arg(format::count(updates), format::count(totalUpdates)));
    m_progress->setValue(static_cast<int>(std::lround(fraction * kProgressScale)));
    m_progressText->setText(note);
    showWindowOf(updates);
    m_bar->setFilled(m_blocks);
    m_bar->setParts({});
    m_bar->setWindowClosed(true);
    m_microSteps->hide();
}

void LiveHeader::setUnfinished(int runs) {
    m_resumeStudy->setVisible(runs > 0);
    m_resumeStudy->setToolTip(tr("Continues %n unfinished run(s)", nullptr, runs));
}

void LiveHeader::windowClosed(double seconds) {
    m_windowSeconds = m_windowSeconds > 0.0 ? 0.7 * m_windowSeconds + 0.3 * seconds : seconds;
}

void LiveHeader::setOpenWindow(const WindowProgress& window) {
    m_open.take(window);
    showOpenWindow();
}

/// Windows that pass faster than one can look are shown closed: filling would only flicker. In a pause nothing moves.
bool LiveHeader::isOpenWindowShown() const {
    if (!m_open.isTold() || m_open.progress().update < m_numbers.counters().updates) // of a run that comes later
        return false;
    return m_windowSeconds == 0.0 || m_windowSeconds >= kVisibleWindow || m_shownState != RunState::Running;
}

void LiveHeader::showOpenWindow() {
    if (!m_active || m_batch.effective <= 0)
        return;
    const WindowProgress& open = m_open.progress();
    const bool shown = isOpenWindowShown();
    if (shown && (m_theme.animations() || m_shownState != RunState::Running)) {
        showBlocks(open.samples);
        m_bar->setFilled(static_cast<std::size_t>(open.committed));
        m_bar->setParts(m_open.parts());
        m_bar->setWindowClosed(open.closed || open.committed == 0); // until the next one's first block
    } else {
        showWindowOf(m_numbers.counters().updates + 1);
        const bool anyClosed = m_windowSeconds > 0.0;
        m_bar->setFilled(anyClosed ? m_blocks : 0);
        m_bar->setParts({});
        m_bar->setWindowClosed(anyClosed);
    }
    const bool told = m_open.isTold();
    m_microSteps->setText(
        shown ? tr("micro-step %1/%2 of update %3")
                    .arg(format::count(open.committed), format::count(open.microSteps), format::count(open.update))
        : told ? tr("%n micro-step(s) per update", nullptr, static_cast<int>(m_blocks))
               : tr("shown update by update"));
    m_microSteps->setToolTip(told ? QString() : tr("When other processes train, only complete windows are reported."));
    m_microSteps->show();
}

} // namespace accumulus::ui
