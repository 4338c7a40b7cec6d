// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/config_form.h"

#include "core/analysis/lr_note.h"

#include <utility>

namespace accumulus::ui {

ConfigForm::ConfigForm(const ExperimentConfig& start, QObject* parent)
    : QObject(parent), m_history{.now = {start, std::make_shared<FormStart>(FormStart{.experiment = start})}} {}

bool ConfigForm::differsFromStart(const ConfigField& field) const {
    return field.get(config()) != field.get(start().experiment);
}

Status ConfigForm::edit(const std::string& key, const FieldValue& value) {
    ExperimentConfig next = m_history.now.config;
    ACCUMULUS_TRY(setField(next, key, value));
    keepLrNoteTrue(m_history.now.config.run, next.run);
    const bool withdrawn = m_problems.erase(key) > 0;
    if (next != m_history.now.config)
        store(next, key);
    else if (withdrawn)
        Q_EMIT changed();
    return {};
}

void ConfigForm::editTogether(const std::string& group, const std::function<void(ExperimentConfig&)>& change) {
    ExperimentConfig next = m_history.now.config;
    change(next);
    keepLrNoteTrue(m_history.now.config.run, next.run);
    if (next != m_history.now.config)
        store(next, group);
}

void ConfigForm::closeEdit() { m_group.clear(); }

void ConfigForm::replace(const ExperimentConfig& config) { load({config, m_history.now.start}); }

void ConfigForm::load(const FormContent& content) {
    closeEdit();
    if (content.config != m_history.now.config || *content.start != *m_history.now.start) {
        m_history.undo.push_back(m_history.now);
        m_history.redo.clear();
        m_history.now = content;
    }
    reload();
}

Status ConfigForm::apply(const std::vector<std::string>& assignments) {
    ExperimentConfig next = m_history.now.config;
    for (const std::string& assignment : assignments)
        ACCUMULUS_TRY(applyAssignment(next, assignment));
    keepLrNoteTrue(m_history.now.config.run, next.run);
    replace(next);
    return {};
}

void ConfigForm::reset(const std::vector<std::string>& keys) {
    ExperimentConfig next = m_history.now.config;
    for (const std::string& key : keys)
        if (const ConfigField* field = findField(key))
            field->set(next, field->get(start().experiment));
    keepLrNoteTrue(m_history.now.config.run, next.run);
    replace(next);
}

void ConfigForm::refuse(const std::string& key, const QString& reason) {
    const auto known = m_problems.find(key);
    if (reason.isEmpty() ? known == m_problems.end() : known != m_problems.end() && known->second == reason)
        return;
    if (reason.isEmpty())
        m_problems.erase(known);
    else
        m_problems[key] = reason;
    Q_EMIT changed();
}

bool ConfigForm::canUndo() const { return !m_problems.empty() || !m_history.undo.empty(); }

bool ConfigForm::canRedo() const { return !m_history.redo.empty(); }

std::vector<std::string> ConfigForm::keysThatDiffer(const ExperimentConfig& other) const {
    std::vector<std::string> keys;
    for (const ConfigField& field : configFields())
        if (field.get(config()) != field.get(other))
            keys.push_back(field.key);
    return keys;
}

std::vector<std::string> ConfigForm::undoKeys() const {
    if (!m_problems.empty()) // their texts go first
        return {m_problems.begin()->first};
    return m_history.undo.empty() ? std::vector<std::string>() : keysThatDiffer(m_history.undo.back().config);
}

std::vector<std::string> ConfigForm::redoKeys() const {
    return m_history.redo.empty() ? std::vector<std::string>() : keysThatDiffer(m_history.redo.back().config);
}

void ConfigForm::undo() {
    closeEdit();
    if (m_problems.empty() && !m_history.undo.empty()) {
        m_history.redo.push_back(std::exchange(m_history.now, m_history.undo.back()));
        m_history.undo.pop_back();
    }
    reload();
}

void ConfigForm::redo() {
    closeEdit();
    if (!m_history.redo.empty()) {
        m_history.undo.push_back(std::exchange(m_history.now, m_history.redo.back()));
        m_history.redo.pop_back();
    }
    reload();
}

void ConfigForm::takeOver(const FormHistory& history) {
    closeEdit();
    m_history = history;
    reload();
}

void ConfigForm::store(const ExperimentConfig& config, const std::string& group) {
    if (group != m_group || m_history.undo.empty())
        m_history.undo.push_back(m_history.now);
    m_group = group;
    m_history.redo.clear();
    m_history.now.config = config;
    Q_EMIT changed();
}

void ConfigForm::reload() {
    m_problems.clear();
    Q_EMIT reloaded();
    Q_EMIT changed();
}

} // namespace accumulus::ui
