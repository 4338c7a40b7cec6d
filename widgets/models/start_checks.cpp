// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/start_checks.h"

#include <QMetaObject>
#include <utility>

namespace accumulus::ui {

StartChecks::StartChecks(StartQueries queries, QObject* parent) : QObject(parent), m_queries(std::move(queries)) {
    m_pool.setMaxThreadCount(1);
}

StartChecks::~StartChecks() {
    m_pool.clear();
    m_pool.waitForDone();
}

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
    m_pool.start([this, question = m_question, queries = m_queries] {
        Answer answer;
        if (queries.output && !question.library.empty())
            answer.output = startFindings(queries.output(question.library), {});
        if (queries.device)
            answer.device = startFindings({}, queries.device(question.device, question.library));
        // The destructor waits for this, so `this` is alive here; what is still queued then is dropped by QObject.
        QMetaObject::invokeMethod(
            this, [this, question, answer] { take(question, answer); }, Qt::QueuedConnection);
    });
}

void StartChecks::take(const Question& question, const Answer& answer) {
    m_asking = false;
    const bool changes = question == m_question && answer != m_answer;
    if (changes)
        m_answer = answer;
    if (m_again)
        askNow();
    if (changes)
        Q_EMIT changed();
}

std::vector<Finding> StartChecks::findings(bool here) const {
    std::vector<Finding> findings = m_answer.output;
    if (here)
        findings.insert(findings.end(), m_answer.device.begin(), m_answer.device.end());
    return findings;
}

} // namespace accumulus::ui
