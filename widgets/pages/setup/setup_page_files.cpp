// SPDX-License-Identifier: GPL-3.0-or-later
// What comes into the form from files and goes out to them: experiments, presets, whatever is dropped on the page.
#include "core/base/atomic_file.h"
#include "core/config/experiment_file.h"
#include "widgets/models/recent_files.h"
#include "widgets/pages/file_drop.h"
#include "widgets/pages/setup/preset_dialog.h"
#include "widgets/pages/setup/setup_page_impl.h"
#include "widgets/style/format.h"

#include <QFileDialog>
#include <QFileInfo>

namespace accumulus::ui {

void SetupPage::Impl::chooseSave() {
    const QString file = QFileDialog::getSaveFileName(&page, tr("Save experiment"), tr("experiment.toml"),
                                                      tr("Experiment files (*.toml)"));
    if (!file.isEmpty())
        report(page.saveExperiment(toPath(file)));
}

void SetupPage::Impl::chooseLoad() {
    const QString file =
        QFileDialog::getOpenFileName(&page, tr("Load experiment"), {}, tr("Experiment files (*.toml);;All files (*)"));
    if (file.isEmpty())
        return;
    if (const Status status = page.loadExperiment(toPath(file)); !status)
        refuseFile(status.error());
    else
        view->notice().clear();
}

void SetupPage::Impl::refuseFile(const Error& error) {
    view->notice().showNotice(NoticeLevel::Error, tr("%1 Nothing was changed.").arg(format::error(error)));
}

void SetupPage::Impl::report(const Status& status) {
    if (status)
        view->notice().clear();
    else
        view->notice().showNotice(NoticeLevel::Error, format::error(status.error()));
}

void SetupPage::Impl::offer(const QString& notice, const QString& action, std::function<void()> chosen) {
    offered = std::move(chosen);
    view->notice().showNotice(NoticeLevel::Info, notice, action);
}

Status SetupPage::Impl::applyFiles(const FileSettings& brought) {
    if (!brought.experiment.empty())
        return page.loadExperiment(brought.experiment);
    ACCUMULUS_TRY(form.apply(brought.assignments));
    for (const FileKind& kind : brought.kinds)
        rememberFile(kind.role, fromPath(kind.path));
    return {};
}

void SetupPage::Impl::useFiles(const Result<FileSettings>& brought) {
    if (!brought)
        return refuseFile(brought.error());
    if (!brought->library.empty()) {
        offer(fileWords(*brought), tr("Open library"),
              [this, library = fromPath(brought->library)] { Q_EMIT page.openLibraryRequested(library); });
        return;
    }
    if (const Status status = applyFiles(*brought); !status)
        return refuseFile(status.error());
    facts.forgetFailures(); // the same file may have been mended, or written anew
    facts.ask(form.config().run);
    memory.forget();
    view->notice().showNotice(NoticeLevel::Success, fileWords(*brought));
}

void SetupPage::Impl::showPresets() {
    if (presetDialog) {
        presetDialog->raise();
        presetDialog->activateWindow();
        return;
    }
    const QString study = format::fromUtf8(form.config().study.name);
    auto* dialog = new PresetDialog(
        services.theme, presets, [this] { return form.config(); }, preset.isEmpty() ? study : preset, &page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    presetDialog = dialog;
    dialog->setRefused(refusedText);
    QObject::connect(dialog, &PresetDialog::saved, &page, [this](const QString& name) { preset = name; });
    QObject::connect(dialog, &PresetDialog::loadRequested, &page,
                     [this](const ExperimentConfig& experiment, const QString& name) {
                         preset = name;
                         page.startFrom({experiment, FormStart::From::Preset, name});
                         view->summary().tell(tr("Loaded %1.").arg(name));
                     });
    dialog->show(); // beside it the form can be changed
}

/// Where the runs are recorded is where the library lies: another one, or a new one in another folder.
void SetupPage::Impl::chooseLibrary() {
    const QFileInfo now(fromPath(services.library.path()));
    QString file = QFileDialog::getSaveFileName(&page, tr("Choose a library"), now.absoluteFilePath(),
                                                tr("Accumulus libraries (*.sqlite *.db);;All files (*)"), nullptr,
                                                QFileDialog::DontConfirmOverwrite);
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty() && !QFileInfo::exists(file))
        file += QStringLiteral(".sqlite");
    Q_EMIT page.openLibraryRequested(file);
}

void SetupPage::openFiles(const QStringList& files) {
    const QString names = fileNames(files).join(QStringLiteral(", "));
    m_impl->view->notice().showNotice(NoticeLevel::Info, tr("Reading %1…").arg(names));
    m_impl->files.ask(files, experiment().run);
}

Status SetupPage::saveExperiment(const std::filesystem::path& file) {
    ACCUMULUS_TRY(writeFileAtomically(file, experimentToml(experiment())));
    m_impl->view->summary().tell(tr("Saved as %1.").arg(QString::fromStdU16String(file.filename().u16string())));
    return {};
}

Status SetupPage::loadExperiment(const std::filesystem::path& file) {
    ACCUMULUS_TRY_ASSIGN(auto loaded, readExperiment(file));
    const QString name = QString::fromStdU16String(file.filename().u16string());
    startFrom({loaded, FormStart::From::File, name});
    m_impl->view->summary().tell(tr("Loaded %1.").arg(name));
    return {};
}

} // namespace accumulus::ui
