// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Library page that looks after the library as a whole: checks it, copies it, brings a copy back.
#include "widgets/pages/library/library_page_impl.h"
#include "widgets/style/format.h"

#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QUndoStack>

namespace accumulus::ui {
namespace {

QString fileFilter() { return LibraryPage::tr("Accumulus libraries (*.sqlite *.db);;All files (*)"); }

QString folderOf(const LibraryGateway& library) {
    return QFileInfo(QString::fromStdString(library.path().string())).absolutePath();
}

QString healthText(const LibraryHealth& health) {
    return LibraryPage::tr("%1, %2.").arg(
        LibraryPage::tr("%n run(s)", nullptr, static_cast<int>(health.runs)),
        LibraryPage::tr("%n checkpoint(s)", nullptr, static_cast<int>(health.checkpoints)));
}

} // namespace

void LibraryPage::Impl::connectCare() {
    LibraryChores& chores = services.session.chores;
    connect(check, &QAction::triggered, &page, [this, &chores] {
        chores.check();
        showChores();
    });
    connect(&chores, &LibraryChores::checked, &page,
            [this](const CheckedLibrary& library) { tellChecked(library.health); });
    connect(&chores, &LibraryChores::backedUp, &page, [this](const WrittenBackup& written) { tellBackedUp(written); });
    connect(backUp, &QAction::triggered, &page, [this] {
        const QString name = QStringLiteral("library-%1.sqlite").arg(QDate::currentDate().toString(Qt::ISODate));
        const QString file = QFileDialog::getSaveFileName(
            &page, LibraryPage::tr("Back up library"), QDir(folderOf(services.library)).filePath(name), fileFilter());
        if (!file.isEmpty())
            page.backUp(file);
    });
    connect(backingUp, &NoticeBar::actionTriggered, &chores, &LibraryChores::cancelBackup);
    connect(restoreAll, &QAction::triggered, &page, [this] {
        const QString file = QFileDialog::getOpenFileName(&page, LibraryPage::tr("Restore library from"),
                                                          folderOf(services.library), fileFilter());
        if (!file.isEmpty())
            page.restoreFrom(file);
    });
    showChores(); // asked for on a page before this one
}

void LibraryPage::Impl::showChores() {
    if (services.session.chores.isChecking())
        notice->showNotice(NoticeLevel::Info, LibraryPage::tr("Checking the library…"));
    if (services.session.chores.isBackingUp())
        backingUp->showNotice(NoticeLevel::Info, LibraryPage::tr("Backing up the library…"), LibraryPage::tr("Cancel"));
}

void LibraryPage::Impl::tellChecked(const Result<LibraryHealth>& health) {
    if (!health)
        return notice->showNotice(NoticeLevel::Error, format::error(health.error()));
    if (!health->problems.empty())
        return notice->showNotice(NoticeLevel::Error,
                                  LibraryPage::tr("The library is damaged: %1. Restore it from a copy.")
                                      .arg(format::fromUtf8(health->problems.front())));
    if (!health->missing.empty())
        return notice->showNotice(NoticeLevel::Warning,
                                  LibraryPage::tr("The library is sound, but %n checkpoint file(s) are gone.", nullptr,
                                                  static_cast<int>(health->missing.size())) +
                                      QLatin1Char(' ') + healthText(*health));
    notice->showNotice(NoticeLevel::Success,
                       LibraryPage::tr("The library is sound:") + QLatin1Char(' ') + healthText(*health));
}

void LibraryPage::backUp(const QString& file) {
    LibraryChores& chores = m_impl->services.session.chores;
    if (chores.isBackingUp())
        return m_impl->notice->showNotice(NoticeLevel::Info, tr("A backup is being written. Wait until it has ended."));
    chores.backUp(file);
    m_impl->showChores();
}

void LibraryPage::Impl::tellBackedUp(const WrittenBackup& written) {
    backingUp->clear();
    if (written.status)
        notice->showNotice(NoticeLevel::Success,
                           LibraryPage::tr("Backed up as %1. Checkpoint files are not part of it.").arg(written.file));
    else if (written.status.error().code != "library.cancelled")
        notice->showNotice(NoticeLevel::Error, format::error(written.status.error()));
}

void LibraryPage::restoreFrom(const QString& file) {
    Impl& impl = *m_impl;
    if (impl.services.runs.busy())
        return impl.notice->showNotice(NoticeLevel::Warning, tr("Stop training first, then restore the library."));
    const QString kept = QStringLiteral("%1.before-%2.sqlite")
                             .arg(QString::fromStdString(impl.services.library.path().string()),
                                  QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss")));
    impl.services.runs.setHeld(&impl.services.session, true);
    impl.notice->showNotice(NoticeLevel::Info, tr("Restoring the library…"));
    impl.services.library.edit(
        &impl.edits, // which outlives the page
        [file, kept](RunStore& store) { return restoreLibrary(store, file.toStdString(), kept.toStdString()); },
        [services = impl.services, page = QPointer<LibraryPage>(this), kept](const Status& status) {
            if (status) {
                services.session.edits.stack().clear(); // its steps are about other contents
                services.library.announceReplaced();
            }
            services.runs.setHeld(&services.session, false);
            if (page)
                page->m_impl->tellRestored(status, kept);
        });
}

void LibraryPage::Impl::tellRestored(const Status& status, const QString& kept) {
    if (!status)
        return notice->showNotice(NoticeLevel::Error, format::error(status.error()));
    notice->showNotice(NoticeLevel::Success,
                       LibraryPage::tr("Restored. The previous library is kept as %1.").arg(kept));
}

} // namespace accumulus::ui
