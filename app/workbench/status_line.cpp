// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/status_line.h"

#include "core/base/available_memory.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QFileInfo>
#include <QProgressBar>
#include <QToolButton>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace accumulus::ui {
namespace {
using namespace std::chrono_literals;
constexpr auto refreshInterval = 250ms;
constexpr int barWidth = 120;
constexpr int barSteps = 1000;
} // namespace

StatusLine::StatusLine(Services services, GpuMemory::Query gpuMemory, QWidget* parent)
    : QStatusBar(parent), m_services(services), m_gpuMemory(std::move(gpuMemory)) {
    setObjectName(QStringLiteral("statusLine"));
    setSizeGripEnabled(false);
    setContentsMargins(space::m, 0, space::m, 0);
    m_state = addField(QStringLiteral("statusState"), tr("Run state"));
    m_counters = addField(QStringLiteral("statusCounters"), tr("Counters of the run"));
    m_bar = new QProgressBar;
    m_bar->setObjectName(QStringLiteral("statusProgress"));
    m_bar->setAccessibleName(tr("Progress of the study"));
    m_bar->setRange(0, barSteps);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(barWidth);
    addWidget(m_bar);
    m_remaining = addField(QStringLiteral("statusRemaining"), tr("Remaining time"));
    m_speed = addField(QStringLiteral("statusSpeed"), tr("Speed"));
    m_queue = new QToolButton;
    m_queue->setObjectName(QStringLiteral("statusQueue"));
    m_queue->setAccessibleName(tr("Waiting studies"));
    m_queue->setToolTip(tr("Show the queue"));
    m_queue->setAutoRaise(true);
    connect(m_queue, &QToolButton::clicked, this, &StatusLine::queueClicked);
    addWidget(m_queue);
    m_library = addField(QStringLiteral("statusLibrary"), tr("Library"));
    m_memory = addField(QStringLiteral("statusMemory"), tr("Memory"));
    m_device = addField(QStringLiteral("statusDevice"), tr("Device"));
    for (QLabel* field : {m_library, m_memory, m_device}) {
        removeWidget(field);
        addPermanentWidget(field);
        field->show();
    }

    connect(&m_services.runs, &RunController::eventsArrived, this,
            [this](const std::vector<RunEvent>& events) { m_progress.take(events); });
    connect(
        &m_services.runs, &RunController::studyResumed, this,
        [this](const std::vector<RunRecord>& runs, const QStringList& resumed) { m_progress.resume(runs, resumed); });
    connect(&m_services.runs, &RunController::stateChanged, this, [this](RunState state) {
        if (state == RunState::Starting) // what was shown is of the study before
            m_progress = RunProgress();
        refresh();
    });
    connect(&m_services.runs, &RunController::studyFinished, this, &StatusLine::refresh);
    connect(&m_services.runs, &RunController::queueChanged, this, &StatusLine::refresh);
    connect(&m_services.library, &LibraryGateway::opened, this, &StatusLine::refresh);
    connect(&m_timer, &QTimer::timeout, this, &StatusLine::refresh);
    m_timer.start(refreshInterval);
    refresh();
}

QLabel* StatusLine::addField(const QString& name, const QString& accessibleName) {
    auto* label = new RoleLabel(m_services.theme, TextRole::Caption);
    label->setObjectName(name);
    label->setAccessibleName(accessibleName);
    label->setWordWrap(false);
    label->setContentsMargins(space::xs, 0, space::s, 0);
    addWidget(label);
    return label;
}

void StatusLine::showDevice(const DeviceSummary& device) {
    // Home and the tool tip show all of it; here there is room for the first fact only.
    m_device->setText(device.facts.empty() ? QString() : format::message(device.facts.front()));
    QStringList lines{format::facts(device.facts)};
    if (device.note)
        lines << format::note(*device.note);
    m_device->setToolTip(lines.join(QLatin1Char('\n')));
}

void StatusLine::takeOver(const RunProgress& progress) {
    m_progress = progress;
    refresh();
}

QString StatusLine::stateText() const {
    const QString state = format::stateTitle(m_services.runs.state());
    if (m_services.runs.busy() && m_progress.runCount() > 1)
        return tr("%1, run %2 of %3")
            .arg(state, format::count(static_cast<qint64>(m_progress.currentNumber())),
                 format::count(static_cast<qint64>(m_progress.runCount())));
    return m_services.runs.busy() || m_progress.runCount() > 0 ? state : tr("Ready");
}

QString StatusLine::remainingText() const {
    if (!m_services.runs.busy())
        return {};
    const auto range = m_progress.shownRemaining();
    if (!range)
        return tr("estimating…");
    const QString shortest = format::duration(std::round(range->shortest));
    const QString longest = format::duration(std::round(range->longest));
    return shortest == longest ? tr("%1 left").arg(longest) : tr("%1 to %2 left").arg(shortest, longest);
}

QString StatusLine::libraryText() const {
    if (!m_services.library.isOpen())
        return tr("No library");
    if (m_services.library.readOnly())
        return tr("Library is read-only");
    const double seconds = m_services.library.secondsSinceCommit();
    if (m_services.runs.busy() && seconds >= 0)
        return tr("saved %1 ago").arg(format::duration(seconds));
    return format::fromUtf8(m_services.library.path().filename().string());
}

void StatusLine::refreshQueue() {
    const auto waiting = static_cast<qint64>(m_services.runs.queued());
    const QString count = format::count(waiting);
    m_queue->setVisible(waiting > 0);
    m_queue->setText(m_services.runs.queue().isPaused() ? tr("Queue: %1, paused").arg(count)
                                                        : tr("Queue: %1").arg(count));
}

/// The card of the run that this process trains.
void StatusLine::watchGpu() {
    const RunController& runs = m_services.runs;
    const std::string current = runs.currentRun().toStdString();
    const auto run = std::ranges::find(runs.runs(), current, &RunRecord::id);
    const bool trains = runs.busy() && !runs.isElsewhere() && run != runs.runs().end();
    m_gpuMemory.watch(trains ? std::optional(run->config.device) : std::nullopt);
}

bool StatusLine::refreshMemory() {
    watchGpu();
    const MemoryUse memory = memoryUse();
    QString text = tr("Memory %1 of %2").arg(format::bytes(memory.used), format::bytes(memory.total));
    if (const auto& gpu = m_gpuMemory.use())
        text += tr(" · GPU %1 of %2").arg(format::bytes(gpu->used), format::bytes(gpu->total));
    m_memory->setText(text);
    const std::int64_t peak = m_progress.peakBytes();
    m_memory->setToolTip(peak > 0 ? tr("Used by all programs of this computer. Tensors of this training: at most %1.")
                                        .arg(format::bytes(peak))
                                  : tr("Used by all programs of this computer."));
    return memory.total > 0;
}

void StatusLine::refresh() {
    const bool busy = m_services.runs.busy();
    const bool known = m_progress.runCount() > 0;
    const RunProgress::Counters& counters = m_progress.counters();
    m_state->setText(stateText());
    m_counters->setVisible(known);
    m_counters->setText(
        tr("Updates %1 · Micro-steps %2 · Samples %3")
            .arg(counters.totalUpdates > 0 && busy
                     ? tr("%1/%2").arg(format::count(counters.updates), format::count(counters.totalUpdates))
                     : format::count(counters.updates),
                 counters.microSteps ? format::count(*counters.microSteps) : QStringLiteral("–"),
                 format::count(counters.samples)));
    m_bar->setVisible(busy);
    m_bar->setValue(static_cast<int>(m_progress.fraction() * barSteps));
    m_remaining->setText(remainingText());
    const double speed = m_progress.samplesPerSecond();
    m_speed->setText(format::rate(speed));
    refreshQueue();
    const bool memory = refreshMemory();
    m_library->setText(libraryText());
    m_library->setToolTip(format::fromUtf8(m_services.library.path().string()));
    leaveOutWhatHasNoRoom(busy, busy && speed > 0, memory);
}

/// Words that are cut tell nothing. What a person can do without goes first: Home tells the device, too.
void StatusLine::leaveOutWhatHasNoRoom(bool remaining, bool speed, bool memory) {
    const auto width = [](const QWidget* field) { return field->sizeHint().width() + space::s; };
    int room = contentsRect().width();
    for (const QWidget* field : {static_cast<QWidget*>(m_state), static_cast<QWidget*>(m_counters),
                                 static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_queue)})
        room -= field->isHidden() ? 0 : width(field);
    for (const auto& [field, wanted] : {std::pair{m_remaining, remaining},
                                        {m_speed, speed},
                                        {m_library, true},
                                        {m_memory, memory},
                                        {m_device, true}}) {
        const bool fits = wanted && width(field) <= room;
        room -= fits ? width(field) : 0;
        field->setVisible(fits);
    }
}

void StatusLine::resizeEvent(QResizeEvent* event) {
    QStatusBar::resizeEvent(event);
    refresh();
}

} // namespace accumulus::ui
