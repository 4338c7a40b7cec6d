// SPDX-License-Identifier: GPL-3.0-or-later
// The checkpoints of a run with their files: formats, sizes, what retention keeps. Has one verified (by the session's
// CheckpointVerifier) and deletes one, after asking. GUI thread.
#pragma once

#include "core/store/run_reader.h"
#include "widgets/pages/page.h"

#include <QTimer>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QAction;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace accumulus::ui {

class CheckpointVerifier;
class RoleLabel;

/// A checkpoint as it lies on the disk. Read on the query thread.
struct CheckpointFiles {
    CheckpointRecord record;
    std::int64_t weightsBytes = 0, bundleBytes = 0; ///< 0: there is no such file here
    bool operator==(const CheckpointFiles&) const = default;
};
[[nodiscard]] std::vector<CheckpointFiles> checkpointFiles(RunReader& reader, const std::string& run);

class CheckpointList : public QWidget {
    Q_OBJECT
public:
    explicit CheckpointList(Services services, QWidget* parent = nullptr);

    void showRun(const RunRecord& run, std::vector<CheckpointFiles> checkpoints);
    void clear();
    [[nodiscard]] QString selectedFile() const;    ///< of its weights; empty: none is selected
    void keepSelected(const QString& weightsFile); ///< once it is shown
    void exportWeights(const QString& file);       ///< of the selected checkpoint; how it went stands below the list

private:
    void build();
    void fill();
    void selectNewest(CheckpointKind kind);
    void updateButtons();
    [[nodiscard]] const CheckpointFiles* selected() const;
    void verifySelected();
    void showVerification(); ///< what is being verified, of whichever run, and what came of the selected one
    [[nodiscard]] QString resultText(const CheckpointRecord& checkpoint) const; ///< empty: nothing to tell
    void askToDelete();
    void remove(const std::string& run, const CheckpointRecord& checkpoint);
    void showFolder() const;
    void askToExport();
    void copyTo(const QString& file, const std::string& from); ///< `from`: weights, which may be gone by now
    [[nodiscard]] QString titleOf(const CheckpointRecord& checkpoint) const;
    [[nodiscard]] QString retention() const;

    Services m_services;
    CheckpointVerifier& m_verifier;
    std::optional<RunRecord> m_run;
    std::vector<CheckpointFiles> m_checkpoints;
    QString m_wanted;                          ///< file that is selected once it is there
    std::map<std::string, Error> m_notDeleted; ///< by file of weights
    QString m_exported;                        ///< how the last export went, until another checkpoint is selected
    QAction* m_export;
    QTimer m_clock; ///< shows how far it has come
    QTreeWidget* m_tree;
    QPushButton *m_verify, *m_delete, *m_folder, *m_cancel;
    QProgressBar* m_progress;
    QWidget* m_progressRow;
    RoleLabel* m_result;
    RoleLabel* m_retention;
};

} // namespace accumulus::ui
