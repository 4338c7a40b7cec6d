// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/start_checks.h"

#include <utility>

namespace accumulus::ui {

StartChecks::StartChecks(StartQueries queries, QObject* parent) : QObject(parent), m_queries(std::move(queries)) {}

void StartChecks::ask(const DeviceConfig& device, const std::filesystem::path& library) {
    const Question before = std::exchange(m_question, {device, library});
    Answer kept = m_answer;
    if (before.library != library)
        kept.output = {};
    if (before.library != library || before.device != device)
        kept.device = {};
    const bool other = kept != m_answer;
    m_answer = std::move(kept);
    askNow();
    if (other)
        Q_EMIT changed();
}

void StartChecks::askNow() {
    m_again = m_asking;
    if (m_asking)
        return;
    m_asking = true;
    m_lookUps.ask<Answer>(
        [question = m_question, queries = m_queries]() -> Result<Answer> {
            Answer answer;
            if (queries.output && !question.library.empty())
                answer.output = startFindings(queries.output(question.library), {});
            if (queries.device)
                answer.device = startFindings({}, queries.device(question.device, question.library));
            return answer;
        },
        [this, question = m_question](const Result<Answer>& answer) { take(question, answer); });
}

void StartChecks::take(const Question& question, const Result<Answer>& answer) {
    m_asking = false;
    const bool changes = answer && question == m_question && *answer != m_answer;
    if (changes)
        m_answer = *answer;
    if (m_again)
        askNow();
    if (changes)
        Q_EMIT changed();
    const std::optional<Error> thrown = answer ? std::nullopt : std::optional(answer.error());
    if (std::exchange(m_failed, thrown) != thrown && thrown)
        Q_EMIT failed(*thrown);
}

std::vector<Finding> StartChecks::findings(bool here) const {
    std::vector<Finding> findings = m_answer.output;
    if (here)
        findings.insert(findings.end(), m_answer.device.begin(), m_answer.device.end());
    return findings;
}

} // namespace accumulus::ui
