// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/checkpoint_list.h"

#include "core/run/checkpoint_keeper.h"
#include "widgets/models/library_rights.h"
#include "widgets/pages/library/run_exports.h"
#include "widgets/pages/library_session.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"
#include "widgets/style/row_copy.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTreeWidget>
#include <QUrl>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace accumulus::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto clockInterval = 100ms;
const QString exportFolderKey = QStringLiteral("library/exportFolder"); ///< that of exported runs

QString kindTitle(CheckpointKind kind) { return format::message({"checkpoint.kind-" + checkpointKindName(kind), {}}); }

QString nameOf(const CheckpointRecord& checkpoint) {
    return CheckpointList::tr("%1, update %2", "kind of a checkpoint")
        .arg(kindTitle(checkpoint.kind), format::count(checkpoint.update));
}

/// File of the weights that a row or the one above it stands for; empty: there is no row.
std::string weightsOf(const QTreeWidgetItem* row) {
    if (row && row->parent())
        row = row->parent();
    return row ? row->data(0, Qt::UserRole).toString().toStdString() : std::string();
}

std::int64_t sizeOf(const std::filesystem::path& file) {
    std::error_code missing;
    const auto size = std::filesystem::file_size(file, missing);
    return missing ? 0 : static_cast<std::int64_t>(size);
}

QString sizeText(std::int64_t bytes) {
    return bytes > 0 ? format::bytes(bytes) : CheckpointList::tr("not here", "a file of a checkpoint");
}

/// What came of it, as a sentence; errors say by themselves why it cannot be told.
QString outcomeText(const VerifyOutcome& outcome) {
    if (!outcome.weightsHashAgrees)
        return CheckpointList::tr("Differs: the weights are not those that were saved.");
    if (!outcome.recorded)
        return CheckpointList::tr("Equal: the weights are those that were saved. The library has no evaluation at this "
                                  "update to compare with.");
    const QString now = format::loss(outcome.now.loss);
    if (outcome.agrees())
        return CheckpointList::tr("Equal: the weights are those that were saved, and the test loss is %1 as before.")
            .arg(now);
    return CheckpointList::tr("Differs: the test loss is %1 now and was %2, though the weights are those that were "
                              "saved.")
        .arg(now, format::loss(outcome.recorded->loss));
}

} // namespace

std::vector<CheckpointFiles> checkpointFiles(RunReader& reader, const std::string& run) {
    std::vector<CheckpointFiles> found;
    for (CheckpointRecord& record : reader.checkpoints(run).value_or(std::vector<CheckpointRecord>())) {
        const std::int64_t weights = sizeOf(record.weightsPath);
        const std::int64_t bundle = record.bundlePath.empty() ? 0 : sizeOf(record.bundlePath);
        found.push_back({std::move(record), weights, bundle});
    }
    return found;
}

CheckpointList::CheckpointList(Services services, QWidget* parent)
    : QWidget(parent), m_services(services), m_verifier(services.session.verifier),
      m_export(new QAction(tr("Export weights…"), this)), m_tree(new QTreeWidget),
      m_verify(new QPushButton(tr("Verify"))), m_delete(new QPushButton(tr("Delete…"))),
      m_folder(new QPushButton(tr("Folder"))), m_cancel(new QPushButton(tr("Cancel"))), m_progress(new QProgressBar),
      m_progressRow(new QWidget), m_result(new RoleLabel(services.theme, TextRole::Body)),
      m_retention(new RoleLabel(services.theme, TextRole::Caption)) {
    build();
    m_clock.setInterval(clockInterval);
    connect(&m_clock, &QTimer::timeout, this, [this] { m_progress->setValue(m_verifier.percent()); });
    connect(m_tree, &QTreeWidget::currentItemChanged, this,
            [this](const QTreeWidgetItem* now, const QTreeWidgetItem* before) {
                if (now && before && weightsOf(now) != weightsOf(before)) // a person has read how its export went
                    m_exported.clear();
                updateButtons();
            });
    connect(m_verify, &QPushButton::clicked, this, &CheckpointList::verifySelected);
    connect(m_delete, &QPushButton::clicked, this, &CheckpointList::askToDelete);
    connect(m_folder, &QPushButton::clicked, this, &CheckpointList::showFolder);
    connect(m_export, &QAction::triggered, this, &CheckpointList::askToExport);
    connect(m_cancel, &QPushButton::clicked, &m_verifier, &CheckpointVerifier::cancel);
    connect(&m_verifier, &CheckpointVerifier::changed, this, &CheckpointList::showVerification);
    connect(&m_services.runs, &RunController::stateChanged, this, &CheckpointList::updateButtons);
    connect(&m_services.runs, &RunController::studyFinished, this, &CheckpointList::updateButtons);
    showVerification();
}

void CheckpointList::build() {
    m_tree->setObjectName(QStringLiteral("inspectorCheckpoints"));
    m_tree->setAccessibleName(tr("Checkpoints"));
    m_tree->setHeaderLabels({tr("Checkpoint"), tr("Update"), tr("Size"), tr("Saved")});
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_verify->setObjectName(QStringLiteral("checkpointVerify"));
    m_delete->setObjectName(QStringLiteral("checkpointDelete"));
    m_folder->setObjectName(QStringLiteral("checkpointFolder"));
    m_cancel->setObjectName(QStringLiteral("checkpointCancel"));
    m_progress->setObjectName(QStringLiteral("checkpointProgress"));
    m_progress->setAccessibleName(tr("Verifying the checkpoint"));
    m_result->setObjectName(QStringLiteral("checkpointResult"));
    m_result->setWordWrap(true);
    m_result->hide();
    m_retention->setObjectName(QStringLiteral("checkpointRetention"));
    m_retention->setWordWrap(true);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(space::s);
    addCopy(*m_tree);
    m_export->setObjectName(QStringLiteral("checkpointExport"));
    m_tree->addAction(m_export);
    for (QPushButton* button : {m_verify, m_delete, m_folder}) {
        buttons->addWidget(button);
        addToMenu(*m_tree, *button);
    }
    buttons->addStretch(1);
    auto* progress = new QHBoxLayout(m_progressRow);
    progress->setContentsMargins(0, 0, 0, 0);
    progress->setSpacing(space::s);
    progress->addWidget(m_progress, 1);
    progress->addWidget(m_cancel);
    m_progressRow->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::s);
    column->addWidget(m_tree, 1);
    column->addWidget(m_retention);
    column->addLayout(buttons);
    column->addWidget(m_progressRow);
    column->addWidget(m_result);
}

void CheckpointList::showRun(const RunRecord& run, std::vector<CheckpointFiles> checkpoints) {
    if (m_run && m_run->id != run.id)
        clear();
    const CheckpointRecord before = selected() ? selected()->record : CheckpointRecord{};
    m_run = run;
    if (std::exchange(m_checkpoints, std::move(checkpoints)) != m_checkpoints) // else the list keeps its place
        fill();
    if (!before.weightsPath.empty() && !selected()) // a better one has taken its place
        selectNewest(before.kind);
    updateButtons();
    m_retention->setText(retention());
}

void CheckpointList::clear() {
    m_run.reset();
    m_checkpoints.clear();
    m_exported.clear();
    fill();
    m_retention->clear();
}

QString CheckpointList::selectedFile() const {
    const CheckpointFiles* chosen = selected();
    return chosen ? QString::fromStdString(chosen->record.weightsPath) : QString();
}

void CheckpointList::keepSelected(const QString& weightsFile) { m_wanted = weightsFile; }

void CheckpointList::fill() {
    const QString before = selectedFile();
    const std::string chosen = (before.isEmpty() ? m_wanted : before).toStdString();
    m_tree->clear();
    for (const CheckpointFiles& files : m_checkpoints) {
        const CheckpointRecord& record = files.record;
        auto* item = new QTreeWidgetItem(m_tree, {titleOf(record), format::count(record.update),
                                                  format::bytes(record.bytes), format::dateTime(record.wallTime)});
        item->setData(0, Qt::UserRole, QString::fromStdString(record.weightsPath));
        item->setToolTip(0, format::fromUtf8(record.weightsPath));
        const auto addFile = [item](const QString& what, const std::string& path, std::int64_t bytes) {
            auto* file = new QTreeWidgetItem(item, {what, {}, sizeText(bytes)});
            file->setToolTip(0, format::fromUtf8(path));
        };
        addFile(tr("weights, safetensors"), record.weightsPath, files.weightsBytes);
        if (!record.bundlePath.empty())
            addFile(tr("resume bundle"), record.bundlePath, files.bundleBytes);
        item->setExpanded(true);
        if (record.weightsPath == chosen) {
            m_tree->setCurrentItem(item);
            m_wanted.clear();
        }
    }
    updateButtons();
}

void CheckpointList::selectNewest(CheckpointKind kind) {
    for (int row = 0; row < m_tree->topLevelItemCount(); ++row) // it stands last
        if (m_checkpoints[static_cast<std::size_t>(row)].record.kind == kind)
            m_tree->setCurrentItem(m_tree->topLevelItem(row));
}

const CheckpointFiles* CheckpointList::selected() const {
    const std::string file = weightsOf(m_tree->currentItem());
    const auto found =
        std::ranges::find_if(m_checkpoints, [&](const CheckpointFiles& one) { return one.record.weightsPath == file; });
    return found == m_checkpoints.end() ? nullptr : &*found;
}

void CheckpointList::updateButtons() {
    const CheckpointFiles* chosen = selected();
    const auto enable = [](QPushButton* button, const QString& whyNot, const QString& tip) {
        button->setEnabled(whyNot.isEmpty());
        button->setToolTip(whyNot.isEmpty() ? tip : whyNot);
        button->setAccessibleDescription(button->toolTip());
    };
    m_export->setEnabled(chosen && chosen->weightsBytes > 0);
    const QString none = chosen ? QString() : tr("Select a checkpoint.");
    enable(m_verify,
           !none.isEmpty()          ? none
           : m_verifier.verifying() ? tr("A checkpoint is being verified.")
           : m_services.runs.busy() ? tr("A study is training, and this would slow it down. Wait until it has ended.")
                                    : QString(),
           tr("Loads the weights, evaluates them once more and compares with what was recorded"));
    const QString noWriting = whyNoWriting(m_services.library);
    const bool busy = m_run && (isActive(m_run->state) || m_run->state == RunState::Queued);
    enable(m_delete,
           !noWriting.isEmpty()     ? noWriting
           : !none.isEmpty()        ? none
           : m_run->isProtected     ? tr("The run is protected.")
           : busy                   ? tr("The run is not over.")
           : m_run->trashed         ? tr("The run is in the Trash.")
           : m_verifier.verifying() ? tr("A checkpoint is being verified.")
                                    : QString(),
           tr("Removes its files for good"));
    enable(m_folder, m_checkpoints.empty() ? tr("The run has no checkpoints.") : QString(),
           tr("Opens the folder of the run's files"));
    const QString result = !m_exported.isEmpty() ? m_exported : chosen ? resultText(chosen->record) : QString();
    m_result->setVisible(!result.isEmpty() && !m_verifier.verifying());
    m_result->setText(result);
}

QString CheckpointList::resultText(const CheckpointRecord& checkpoint) const {
    if (const auto failed = m_notDeleted.find(checkpoint.weightsPath); failed != m_notDeleted.end())
        return format::error(failed->second);
    const CheckpointVerifier::Verified* result = m_verifier.resultOf(checkpoint.weightsPath);
    if (!result)
        return {};
    return *result ? outcomeText(**result)
           : result->error().code == "library.cancelled"
               ? tr("Not verified: it was cancelled.")
               : tr("Cannot be verified. %1").arg(format::error(result->error()));
}

void CheckpointList::verifySelected() {
    const CheckpointFiles* chosen = selected();
    if (!chosen)
        return;
    m_notDeleted.erase(chosen->record.weightsPath);
    m_exported.clear();
    m_verifier.verify(*m_run, chosen->record);
}

void CheckpointList::showVerification() {
    const CheckpointRecord* checkpoint = m_verifier.verifying();
    m_progressRow->setVisible(checkpoint != nullptr);
    if (checkpoint) {
        m_progress->setFormat(tr("Verifying %1: %p %").arg(nameOf(*checkpoint)));
        m_progress->setValue(m_verifier.percent());
        m_clock.start();
    } else {
        m_clock.stop();
    }
    updateButtons();
}

void CheckpointList::askToDelete() {
    const CheckpointFiles* chosen = selected();
    if (!chosen)
        return;
    const CheckpointRecord record = chosen->record; // of this run, whichever is shown when the answer comes
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Delete a checkpoint"),
                                tr("Delete the checkpoint “%1” with %2 for good?")
                                    .arg(nameOf(record), format::bytes(chosen->weightsBytes + chosen->bundleBytes)),
                                QMessageBox::NoButton, this);
    box->setObjectName(QStringLiteral("deleteCheckpointDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(record.bundlePath.empty()
                                ? tr("This cannot be undone.")
                                : tr("This cannot be undone, and the run can no longer continue from there."));
    QPushButton* yes = box->addButton(tr("Delete for good"), QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("deleteCheckpointConfirm"));
    box->setDefaultButton(box->addButton(tr("Cancel"), QMessageBox::RejectRole));
    connect(yes, &QPushButton::clicked, this, [this, run = m_run->id, record] { remove(run, record); });
    box->open();
}

void CheckpointList::remove(const std::string& run, const CheckpointRecord& checkpoint) {
    m_services.library.edit(
        this,
        [run, checkpoint](RunStore& store) -> Status {
            ACCUMULUS_TRY(store.removeCheckpoint(run, checkpoint.weightsPath)); // the row first: files may stay alone
            removeCheckpointFiles(checkpoint, store.library().runFolder(run));
            return {};
        },
        [this, file = checkpoint.weightsPath](const Status& status) {
            m_exported.clear();
            if (!status) {
                m_notDeleted[file] = status.error();
                return updateButtons();
            }
            std::erase_if(m_checkpoints, [&](const CheckpointFiles& one) { return one.record.weightsPath == file; });
            m_notDeleted.erase(file);
            m_verifier.forget(file);
            fill();
        });
}

/// Each attempt of a run leaves one as it ends: only the newest is its last.
QString CheckpointList::titleOf(const CheckpointRecord& checkpoint) const {
    const bool passed = std::ranges::any_of(m_checkpoints, [&](const CheckpointFiles& other) {
        return other.record.kind == checkpoint.kind && other.record.wallTime > checkpoint.wallTime;
    });
    return checkpoint.kind == CheckpointKind::Last && passed ? tr("before a resume", "kind of a checkpoint")
                                                             : kindTitle(checkpoint.kind);
}

void CheckpointList::askToExport() {
    const CheckpointFiles* chosen = selected();
    if (!chosen)
        return;
    const std::string from = chosen->record.weightsPath; // a better one may come while the dialog is open
    const QString name = QStringLiteral("%1-%2-%3.safetensors")
                             .arg(QString::fromStdString(m_run->id.substr(0, 8)),
                                  QString::fromStdString(checkpointKindName(chosen->record.kind)))
                             .arg(chosen->record.update);
    const QString folder = QSettings().value(exportFolderKey, QDir::homePath()).toString();
    const QString file = QFileDialog::getSaveFileName(this, tr("Export weights"), QDir(folder).filePath(name));
    if (file.isEmpty())
        return;
    QSettings().setValue(exportFolderKey, QFileInfo(file).absolutePath());
    copyTo(file, from);
}

void CheckpointList::exportWeights(const QString& file) {
    if (const CheckpointFiles* chosen = selected())
        copyTo(file, chosen->record.weightsPath);
}

void CheckpointList::copyTo(const QString& file, const std::string& from) {
    m_notDeleted.erase(from);
    m_services.library.start(
        this,
        [from, file](RunReader&, const std::stop_token& stop) { return copyWeights(from, file.toStdString(), stop); },
        [this, file](const Status& status) {
            m_exported = status ? tr("Saved as %1.").arg(file) : format::error(status.error());
            updateButtons();
        });
}

void CheckpointList::showFolder() const {
    if (m_run)
        QDesktopServices::openUrl(QUrl::fromLocalFile(
            QString::fromStdString(m_services.library.reader().library().runFolder(m_run->id).string())));
}

QString CheckpointList::retention() const {
    if (m_checkpoints.empty())
        return tr("The run has no checkpoints.");
    std::int64_t bytes = 0;
    for (const CheckpointFiles& files : m_checkpoints)
        bytes += files.weightsBytes + files.bundleBytes;
    const CheckpointConfig& config = m_run->config.checkpoint;
    const QString size = tr("%1 together.").arg(format::bytes(bytes));
    const QString kept = config.every.count > 0
                             ? tr("The newest %n periodic checkpoint(s) stay(s), besides the best, the last and the "
                                  "initial one where they are saved.",
                                  nullptr, static_cast<int>(config.keep))
                             : tr("No periodic checkpoints were asked for.");
    return size + QLatin1Char(' ') + kept;
}

} // namespace accumulus::ui
