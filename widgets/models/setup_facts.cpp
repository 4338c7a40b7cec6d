// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/setup_facts.h"

#include "core/config/config_fields.h"
#include "core/run/file_stamps.h"

#include <algorithm>

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

/// Without what the first samples do not depend on: a number that is typed must not make them vanish.
RunConfig previewPart(const RunConfig& run) {
    RunConfig part;
    part.data = run.data;
    part.data.trainLimit = part.data.testLimit = part.data.dropMultiple = 0;
    part.data.validation = std::min<std::int64_t>(run.data.validation, 1);
    part.data.shuffle = part.data.dropLast = false;
    part.data.augment = "none";
    return part;
}

} // namespace

SetupFacts::SetupFacts(SetupQueries queries, QObject* parent) : QObject(parent), m_queries(std::move(queries)) {
    askDevice();
}

void SetupFacts::tellThrown(const Error& error) {
    if (LookUps::wasThrown(error))
        Q_EMIT failed(error);
}

template <class Answer>
void SetupFacts::askOnce(std::map<std::string, Result<Answer>>& answers, const std::string& kind,
                         const std::string& key, std::function<Result<Answer>()> question) {
    if (answers.contains(key) || !m_asked.insert(kind + key).second)
        return;
    m_lookUps.ask<Answer>(std::move(question), [this, &answers, kind, key](Result<Answer> answer) {
        m_asked.erase(kind + key);
        const auto kept = answers.insert_or_assign(key, std::move(answer)).first;
        Q_EMIT changed();
        if (!kept->second)
            tellThrown(kept->second.error());
    });
}

void SetupFacts::ask(const RunConfig& run) {
    m_run = run;
    m_files = filesOf(run);
    setKeys();
    askStamps();
    if (m_stamps.contains(m_files))
        askAll();
}

// A path says nothing of what lies there: files are written anew under their old names. Disks may be slow, so until
// they have answered the files count as those of the last time.
void SetupFacts::askStamps() {
    m_lookUps.ask<std::string>([run = m_run]() -> Result<std::string> { return fileStamps(run); },
                               [this, files = m_files](const Result<std::string>& stamp) {
                                   if (!stamp)
                                       tellThrown(stamp.error());
                                   takeStamp(files, stamp.value_or(std::string()));
                               });
}

void SetupFacts::takeStamp(const std::string& files, const std::string& stamp) {
    const auto known = m_stamps.find(files);
    if (known != m_stamps.end() && known->second == stamp)
        return;
    m_stamps.insert_or_assign(files, stamp);
    if (files != m_files)
        return;
    setKeys();
    askAll();
    Q_EMIT changed();
}

void SetupFacts::setKeys() {
    const auto known = m_stamps.find(m_files);
    const std::string stamp = known == m_stamps.end() ? std::string() : known->second;
    m_dataKey = settingsOf(m_run, {"data.", "model.name"}) + stamp;
    m_modelKey = settingsOf(m_run, {"data.", "model.", "loss.kind"}) + stamp;
    m_previewKey = settingsOf(previewPart(m_run), {"data."}) + stamp;
}

// Samples and the network's facts come last: what Start waits for is answered first.
void SetupFacts::askAll() {
    const RunConfig& run = m_run;
    askOnce<DataSummary>(m_data, "data\n", m_dataKey,
                         [probe = m_queries.data, run] { return probe(run.data, run.model.name); });
    askOnce<std::int64_t>(m_parameters, "parameters\n", m_modelKey,
                          [probe = m_queries.parameters, run] { return probe(run); });
    if (m_queries.preview)
        askOnce<SamplePreview>(m_previews, "preview\n", m_previewKey,
                               [probe = m_queries.preview, run] { return probe(run.data); });
    if (m_queries.model)
        askOnce<ModelFacts>(m_models, "model\n", m_modelKey, [probe = m_queries.model, run] { return probe(run); });
}

void SetupFacts::forgetFailures() {
    std::erase_if(m_data, [](const auto& entry) { return !entry.second; });
    std::erase_if(m_parameters, [](const auto& entry) { return !entry.second; });
    std::erase_if(m_models, [](const auto& entry) { return !entry.second; });
    std::erase_if(m_previews, [](const auto& entry) { return !entry.second; });
}

void SetupFacts::askDevice() {
    m_lookUps.ask<DeviceSummary>([query = m_queries.device]() -> Result<DeviceSummary> { return query(); },
                                 [this](const Result<DeviceSummary>& answer) {
                                     m_device = answer.value_or(DeviceSummary());
                                     Q_EMIT changed();
                                     if (!answer)
                                         tellThrown(answer.error());
                                 });
}

const Result<DataSummary>* SetupFacts::data() const {
    const auto known = m_data.find(m_dataKey);
    return known == m_data.end() ? nullptr : &known->second;
}

const Result<ModelFacts>* SetupFacts::model() const {
    const auto known = m_models.find(m_modelKey);
    return known == m_models.end() ? nullptr : &known->second;
}

const Result<SamplePreview>* SetupFacts::preview() const {
    const auto known = m_previews.find(m_previewKey);
    return known == m_previews.end() ? nullptr : &known->second;
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
