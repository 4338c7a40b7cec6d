// SPDX-License-Identifier: GPL-3.0-or-later
// The checkpoints of a run with their files: formats, sizes, what retention keeps. Verifies one (a long job of the
// gateway, which can be cancelled) and deletes one, after asking. GUI thread.
#pragma once

#include "core/run/verify.h"
#include "widgets/pages/page.h"

#include <QTimer>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace accumulus::ui {

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
    ~CheckpointList() override; ///< ends what is verified

    void showRun(const RunRecord& run, std::vector<CheckpointFiles> checkpoints);
    void clear();

private:
    struct Job {
        std::string file; ///< that is verified
        std::stop_source stop;
        std::shared_ptr<std::atomic<int>> percent = std::make_shared<std::atomic<int>>(0);
    };

    void build();
    void fill();
    void updateButtons();
    [[nodiscard]] const CheckpointFiles* selected() const;
    void verifySelected();
    void verified(const std::string& file, const Status& status, const std::optional<VerifyOutcome>& outcome);
    void askToDelete();
    void remove(const std::string& run, const CheckpointRecord& checkpoint);
    void showFolder() const;
    [[nodiscard]] QString retention() const;

    Services m_services;
    std::optional<RunRecord> m_run;
    std::vector<CheckpointFiles> m_checkpoints;
    std::map<std::string, QString> m_results; ///< by file, of this session
    std::optional<Job> m_job;
    QTimer m_clock; ///< shows how far it has come
    QTreeWidget* m_tree;
    QPushButton *m_verify, *m_delete, *m_folder, *m_cancel;
    QProgressBar* m_progress;
    QWidget* m_progressRow;
    RoleLabel* m_result;
    RoleLabel* m_retention;
};

} // namespace accumulus::ui
