// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/setup_time.h"

#include "widgets/models/plan_facts.h"
#include "widgets/models/queue_estimate.h"

#include <utility>

namespace accumulus::ui {

namespace {

constexpr int askDelay = 120;

} // namespace

SetupTime::SetupTime(LibraryGateway& library, QObject* parent) : QObject(parent), m_library(library) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(askDelay);
    connect(&m_rest, &QTimer::timeout, this, &SetupTime::askNow);
    connect(&library, &LibraryGateway::opened, this, &SetupTime::forget);
}

void SetupTime::ask(const ExperimentConfig& experiment, std::int64_t samples) {
    Question question{experiment, samples};
    question.experiment.study.name.clear(); // no run trains longer for its name, and all runs are looked through
    if (question == m_question)
        return;
    m_question = std::move(question);
    m_byRuns.reset();
    m_settled = false;
    m_rest.start();
}

void SetupTime::forget() { m_rest.start(); }

void SetupTime::askNow() {
    if (m_question.samples <= 0)
        return;
    if (!m_library.isOpen())
        return settle(std::nullopt);
    m_library.query<std::optional<double>>(
        this, QStringLiteral("setup.time"),
        [question = m_question](RunReader& reader) {
            return secondsBySpeed(question.experiment, question.samples,
                                  reader.runs().value_or(std::vector<RunRecord>{}));
        },
        [this, asked = m_question](std::optional<double> seconds) {
            if (asked == m_question)
                settle(seconds);
        },
        [](const Error&) {}); // a time that is not known is no failure
}

void SetupTime::settle(std::optional<double> byRuns) {
    const bool first = !std::exchange(m_settled, true);
    if (std::exchange(m_byRuns, byRuns) != byRuns || first)
        Q_EMIT changed();
}

QString SetupTime::unknownText() { return tr("Time: not known yet. Plan micro-batch measures it."); }

std::optional<StudyTime> SetupTime::time(const SetupPlan& setup, const std::optional<MicroPlan>& plan) const {
    if (plan)
        if (const auto seconds = studySeconds(setup, *plan))
            return StudyTime{*seconds, StudyTime::Source::Plan};
    return m_byRuns ? std::optional(StudyTime{*m_byRuns, StudyTime::Source::Runs}) : std::nullopt;
}

} // namespace accumulus::ui
