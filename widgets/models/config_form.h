// SPDX-License-Identifier: GPL-3.0-or-later
// The model behind the set-up form: one ExperimentConfig that is edited through the field table, with undo. It knows
// nothing about widgets; editors (field_editor.h) and pages listen to it. Texts that cannot become a value are kept
// beside the configuration as problems. Every edit keeps the note of the learning rate true (lr_note.h): choosing a
// rule scales the learning rate, typing one forgets the rule. GUI thread.
#pragma once

#include "core/base/result.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_config.h"
#include "widgets/models/form_start.h"

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace accumulus::ui {

/// The values of a form and what it was filled from.
struct FormContent {
    ExperimentConfig config;
    std::shared_ptr<const FormStart> start; ///< never null; shared by the entries of the history
};

/// What a form holds and held.
struct FormHistory {
    FormContent now;
    std::vector<FormContent> undo = {}, redo = {}; ///< the next step last
};

class ConfigForm : public QObject {
    Q_OBJECT
public:
    explicit ConfigForm(const ExperimentConfig& start, QObject* parent = nullptr);

    [[nodiscard]] const FormContent& content() const { return m_history.now; }
    [[nodiscard]] const ExperimentConfig& config() const { return m_history.now.config; }
    /// What "Reset" returns to, and what changed fields are marked against.
    [[nodiscard]] const FormStart& start() const { return *m_history.now.start; }
    [[nodiscard]] bool differsFromStart(const ConfigField& field) const;

    /// One value typed by the person. Consecutive edits of one key are one entry of the history. Errors of setField;
    /// the value then stays.
    Status edit(const std::string& key, const FieldValue& value);
    /// Several settings that belong together (the batch triple), merged like edit() under `group`.
    void editTogether(const std::string& group, const std::function<void(ExperimentConfig&)>& change);
    /// The next edit starts a new entry of the history, whatever its key.
    void closeEdit();

    /// Replaces everything but the start; one entry of the history.
    void replace(const ExperimentConfig& config);
    /// Fills the form from elsewhere; one entry of the history, which brings back the start of before as well.
    void load(const FormContent& content);
    /// Assignments of a fix, all or none; one entry of the history.
    Status apply(const std::vector<std::string>& assignments);
    /// These settings back to the start.
    void reset(const std::vector<std::string>& keys);

    /// A text that is no value of `key`; an empty reason withdraws it.
    void refuse(const std::string& key, const QString& reason);
    [[nodiscard]] const std::map<std::string, QString>& problems() const { return m_problems; }

    [[nodiscard]] bool canUndo() const;
    [[nodiscard]] bool canRedo() const;
    /// Settings that the next step changes, refused texts first; none where it concerns the start only.
    [[nodiscard]] std::vector<std::string> undoKeys() const;
    [[nodiscard]] std::vector<std::string> redoKeys() const;
    void undo(); ///< refused texts first, then the last entry of the history
    void redo();
    [[nodiscard]] const FormHistory& history() const { return m_history; }
    void takeOver(const FormHistory& history); ///< of the form in whose place this one stands

Q_SIGNALS:
    void changed();  ///< configuration, problems or history
    void reloaded(); ///< before changed(): the change did not come from an editor, so editors drop what was typed

private:
    [[nodiscard]] std::vector<std::string> keysThatDiffer(const ExperimentConfig& other) const;
    void store(const ExperimentConfig& config, const std::string& group);
    void reload();

    FormHistory m_history;
    std::string m_group; ///< of the open entry of the history; empty: none
    std::map<std::string, QString> m_problems;
};

} // namespace accumulus::ui
