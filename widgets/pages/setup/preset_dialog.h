// SPDX-License-Identifier: GPL-3.0-or-later
// Presets by name: save the form as one, load, rename, delete. Shows what a PresetList has read and asks it for
// changes; asks before one is overwritten, and takes a deletion back. GUI thread.
#pragma once

#include "widgets/models/preset_list.h"
#include "widgets/style/controls.h"

#include <QDialog>
#include <functional>

class QLineEdit;
class QPushButton;
class QTableView;

namespace accumulus::ui {

class PresetDialog : public QDialog {
    Q_OBJECT
public:
    using Form = std::function<ExperimentConfig()>;
    /// `form`: what Save writes then; `name`: proposed for it. `presets` outlives the dialog.
    PresetDialog(const Theme& theme, PresetList& presets, Form form, const QString& name, QWidget* parent);
    void setRefused(const QString& why); ///< the form cannot be saved now; empty: it can

Q_SIGNALS:
    void loadRequested(const accumulus::ExperimentConfig& experiment, const QString& name);
    void saved(const QString& name);

private:
    [[nodiscard]] QWidget* makeSaveRow();
    [[nodiscard]] QWidget* makeTableRow();
    void connectTable();
    void connectList();
    [[nodiscard]] const Preset* current() const;
    void select(const QString& name);
    void save(bool overwrite);
    void load();
    void editName();
    void removeCurrent();
    void showFailure(const Error& error);
    void offerUndo(); ///< while something that was deleted can come back
    void act();       ///< what the notice offers
    void updateState();

    enum class Offer { Nothing, Overwrite, Undo };
    PresetList& m_presets;
    Form m_form;
    QTableView* m_table;
    RoleLabel* m_empty;
    RoleLabel* m_reason; ///< why the selected one cannot be used
    NoticeBar* m_notice;
    QLineEdit* m_name;
    QPushButton* m_save;
    QPushButton* m_load;
    QPushButton* m_rename;
    QPushButton* m_remove;
    Offer m_offer = Offer::Nothing;
    QString m_refused;
    QString m_saving;      ///< the name that is being saved, or was last
    bool m_awaits = false; ///< that save has not answered yet
    QString m_selected;    ///< the row that is selected, by its name
};

} // namespace accumulus::ui
