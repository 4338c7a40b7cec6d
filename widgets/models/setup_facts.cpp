// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/setup_facts.h"

#include "core/config/config_fields.h"

#include <QMetaObject>

namespace accumulus::ui {

namespace {

/// All settings whose key begins with one of the prefixes, as text.
std::string settingsOf(const RunConfig& run, std::initializer_list<std::string_view> prefixes) {
    const ExperimentConfig experiment{run, {}};
    std::string text;
    for (const ConfigField& field : configFields())
        for (const std::string_view prefix : prefixes)
            if (field.key.starts_with(prefix))
                text += field.key + '=' + fieldText(field.get(experiment)) + '\n';
    return text;
}

} // namespace

SetupFacts::SetupFacts(SetupQueries queries, QObject* parent) : QObject(parent), m_queries(std::move(queries)) {
    m_pool.setMaxThreadCount(1);
    askDevice();
}

SetupFacts::~SetupFacts() {
    m_pool.clear();
    m_pool.waitForDone();
}

template <class Answer>
void SetupFacts::inBackground(std::function<Answer()> question, std::function<void(Answer)> answered) {
    m_pool.start([this, question = std::move(question), answered = std::move(answered)] {
        // The destructor waits for this, so `this` is alive here; what is still queued then is dropped by QObject.
        QMetaObject::invokeMethod(
            this, [answered, answer = question()] { answered(answer); }, Qt::QueuedConnection);
    });
}

void SetupFacts::ask(const RunConfig& run) {
    m_dataKey = settingsOf(run, {"data.", "model.name"});
    m_modelKey = settingsOf(run, {"data.dataset", "data.resize", "model."});
    if (!m_data.contains(m_dataKey) && m_asked.insert(m_dataKey).second)
        inBackground<Result<DataSummary>>([probe = m_queries.data, run] { return probe(run.data, run.model.name); },
                                          [this, key = m_dataKey](Result<DataSummary> answer) {
                                              m_asked.erase(key);
                                              m_data.insert_or_assign(key, std::move(answer));
                                              Q_EMIT changed();
                                          });
    if (!m_parameters.contains(m_modelKey) && m_asked.insert("parameters\n" + m_modelKey).second)
        inBackground<Result<std::int64_t>>([probe = m_queries.parameters, run] { return probe(run); },
                                           [this, key = m_modelKey](Result<std::int64_t> answer) {
                                               m_asked.erase("parameters\n" + key);
                                               m_parameters.insert_or_assign(key, std::move(answer));
                                               Q_EMIT changed();
                                           });
}

void SetupFacts::forgetFailures() {
    std::erase_if(m_data, [](const auto& entry) { return !entry.second; });
    std::erase_if(m_parameters, [](const auto& entry) { return !entry.second; });
}

void SetupFacts::askDevice() {
    inBackground<DeviceSummary>(m_queries.device, [this](DeviceSummary answer) {
        m_device = std::move(answer);
        Q_EMIT changed();
    });
}

const Result<DataSummary>* SetupFacts::data() const {
    const auto known = m_data.find(m_dataKey);
    return known == m_data.end() ? nullptr : &known->second;
}

std::optional<std::int64_t> SetupFacts::parameters() const {
    const auto known = m_parameters.find(m_modelKey);
    return known == m_parameters.end() || !known->second ? std::nullopt : std::optional(*known->second);
}

std::int64_t SetupFacts::trainSamples() const {
    const Result<DataSummary>* found = data();
    return found && *found ? (*found)->trainSamples : 0;
}

} // namespace accumulus::ui
