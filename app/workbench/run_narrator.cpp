// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/run_narrator.h"

#include "widgets/style/format.h"

#include <QDir>
#include <utility>
#include <variant>

namespace accumulus::ui {
namespace {

LogLevel levelOf(const std::string& level) {
    return level == "error" ? LogLevel::Error : level == "warning" ? LogLevel::Warning : LogLevel::Info;
}

} // namespace

RunNarrator::RunNarrator(RunController& runs, LibraryGateway& library, LogModel& log, QObject* parent)
    : QObject(parent), m_library(library), m_log(log) {
    connect(&runs, &RunController::eventsArrived, this, [this](const std::vector<RunEvent>& events) {
        for (const RunEvent& event : events)
            std::visit([this](const auto& happened) { tell(happened); }, event);
    });
    connect(&runs, &RunController::studyResumed, this,
            [this](const std::vector<RunRecord>&, const QStringList& resumed) {
                say(tr("%n run(s) of a study go on.", nullptr, static_cast<int>(resumed.size())));
            });
    connect(&runs, &RunController::failed, this, [this](const Error& error) {
        if (std::exchange(m_told, std::nullopt) != error)
            m_log.append(LogLevel::Error, format::error(error));
    });
    connect(&library, &LibraryGateway::failed, this,
            [this](const Error& error) { m_log.append(LogLevel::Error, format::error(error)); });
    connect(&library, &LibraryGateway::opened, this, [this] {
        const QString file = QDir::toNativeSeparators(format::fromUtf8(m_library.path().string()));
        say(m_library.readOnly() ? tr("Library opened, read-only: %1").arg(file) : tr("Library opened: %1").arg(file));
        if (!m_library.notice().isEmpty())
            say(m_library.notice());
    });
}

QString RunNarrator::nameOf(const std::string& run) const {
    const QString id = QString::fromStdString(run);
    return m_names.value(id, id.left(8));
}

void RunNarrator::tell(const StudyStarted& event) {
    m_names.clear();
    say(tr("The study “%1” begins: %n run(s).", nullptr, static_cast<int>(event.runs.size()))
            .arg(format::fromUtf8(event.study.name)));
}

void RunNarrator::tell(const RunStarted& event) {
    const RunRecord& run = event.run;
    m_names.insert(QString::fromStdString(run.id), format::fromUtf8(run.name));
    const QString name = nameOf(run.id);
    say(event.resumed ? tr("%1: goes on after update %2.").arg(name, format::count(event.updatesDone))
                      : tr("%1: begins.").arg(name));
    QStringList chosen{
        format::batchSummary(run.batch), tr("%n update(s)", nullptr, static_cast<int>(run.totalUpdates)),
        tr("training samples: %1").arg(format::count(run.trainSamples)),
        tr("device %1, lanes %2, threads per lane %3")
            .arg(format::fromUtf8(run.environment.device), format::count(run.lanes), format::count(run.threads))};
    say(QStringLiteral("%1: %2").arg(name, chosen.join(QStringLiteral("; "))));
}

void RunNarrator::tell(const Evaluated& event) {
    const EvaluationRecord& evaluation = event.evaluation;
    QStringList parts{tr("loss %1").arg(format::loss(evaluation.loss))};
    if (evaluation.accuracy)
        parts.prepend(tr("accuracy %1").arg(format::accuracy(evaluation.accuracy)));
    if (evaluation.rmse)
        parts.prepend(QStringLiteral("RMSE %1").arg(format::loss(evaluation.rmse)));
    if (evaluation.seconds > 0.0)
        parts << tr("took %1").arg(format::duration(evaluation.seconds));
    if (evaluation.peakBytes > 0)
        parts << tr("peak memory %1").arg(format::bytes(evaluation.peakBytes));
    say(tr("%1: evaluated (%2) after update %3: %4.")
            .arg(nameOf(event.run), evaluation.split == "validation" ? tr("validation") : tr("test"),
                 format::count(evaluation.update), parts.join(QStringLiteral(", "))));
}

void RunNarrator::tell(const CheckpointSaved& event) {
    const CheckpointRecord& saved = event.checkpoint;
    say(tr("%1: checkpoint (%2) after update %3, %4: %5")
            .arg(nameOf(event.run), format::message({"checkpoint.kind-" + checkpointKindName(saved.kind), {}}),
                 format::count(saved.update), format::bytes(saved.bytes), format::fromUtf8(saved.weightsPath)));
}

void RunNarrator::tell(const RunStateChanged& event) {
    if (event.state == RunState::Paused)
        say(tr("%1: paused.").arg(nameOf(event.run)));
    else if (event.state == RunState::Running)
        say(tr("%1: trains.").arg(nameOf(event.run)));
}

void RunNarrator::tell(const RunNoted& event) {
    const QString text = format::note(event.message);
    m_log.append(levelOf(event.event.level),
                 event.run.empty() ? text : QStringLiteral("%1: %2").arg(nameOf(event.run), text));
}

void RunNarrator::tell(const RunFinished& event) {
    const RunSummary& summary = event.summary;
    QStringList parts{tr("updates: %1").arg(format::count(summary.updates))};
    if (summary.activeSeconds > 0.0)
        parts << tr("active time %1").arg(format::duration(summary.activeSeconds));
    if (summary.samplesPerSecond > 0.0)
        parts << format::rate(summary.samplesPerSecond);
    if (summary.peakBytes > 0)
        parts << tr("peak memory of training %1").arg(format::bytes(summary.peakBytes));
    if (summary.evaluationPeakBytes > 0)
        parts << tr("of evaluations %1").arg(format::bytes(summary.evaluationPeakBytes));
    const QString line = QStringLiteral("%1: %2; %3")
                             .arg(nameOf(event.run), format::stateTitle(event.state), parts.join(QStringLiteral(", ")));
    m_told = event.error;
    m_log.append(event.error ? LogLevel::Error : LogLevel::Info,
                 event.error ? QStringLiteral("%1. %2").arg(line, format::error(*event.error)) : line);
}

} // namespace accumulus::ui
