// SPDX-License-Identifier: GPL-3.0-or-later
// The model behind the set-up form: one ExperimentConfig that is edited through the field table, with undo. It knows
// nothing about widgets; editors (field_editor.h) and pages listen to it. Texts that cannot become a value are kept
// beside the configuration as problems. Every edit keeps the note of the learning rate true (lr_note.h): choosing a
// rule scales the learning rate, typing one forgets the rule. GUI thread.
#pragma once

#include "core/base/result.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_config.h"

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace accumulus::ui {

/// What a new set-up starts from: LeNet-5 on MNIST, 32 x 8 = 256, five seeds, the large batch beside it.
[[nodiscard]] ExperimentConfig newExperiment();

class ConfigForm : public QObject {
    Q_OBJECT
public:
    explicit ConfigForm(ExperimentConfig start, QObject* parent = nullptr);

    [[nodiscard]] const ExperimentConfig& config() const { return m_config; }
    /// What "Reset" returns to, and what changed fields are marked against.
    [[nodiscard]] const ExperimentConfig& start() const { return m_start; }
    [[nodiscard]] bool differsFromStart(const ConfigField& field) const;

    /// One value typed by the person. Consecutive edits of one key are one entry of the history. Errors of setField;
    /// the value then stays.
    Status edit(const std::string& key, const FieldValue& value);
    /// Several settings that belong together (the batch triple), merged like edit() under `group`.
    void editTogether(const std::string& group, const std::function<void(ExperimentConfig&)>& change);
    /// The next edit starts a new entry of the history, whatever its key.
    void closeEdit();

    /// Replaces everything; one entry of the history.
    void replace(const ExperimentConfig& config);
    /// Assignments of a fix, all or none; one entry of the history.
    Status apply(const std::vector<std::string>& assignments);
    /// Back to the start.
    void reset(const std::vector<std::string>& keys);

    /// A text that is no value of `key`; an empty reason withdraws it.
    void refuse(const std::string& key, const QString& reason);
    [[nodiscard]] const std::map<std::string, QString>& problems() const { return m_problems; }

    [[nodiscard]] bool canUndo() const;
    [[nodiscard]] bool canRedo() const;
    void undo(); ///< refused texts first, then the last entry of the history
    void redo();

Q_SIGNALS:
    void changed();  ///< configuration, problems or history
    void reloaded(); ///< before changed(): the change did not come from an editor, so editors drop what was typed

private:
    void store(const ExperimentConfig& config, const std::string& group);
    void reload();

    ExperimentConfig m_start;
    ExperimentConfig m_config;
    std::vector<ExperimentConfig> m_undo;
    std::vector<ExperimentConfig> m_redo;
    std::string m_group; ///< of the open entry of the history; empty: none
    std::map<std::string, QString> m_problems;
};

} // namespace accumulus::ui
