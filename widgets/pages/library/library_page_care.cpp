// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Library page that looks after the library as a whole: checks it, copies it, brings a copy back.
#include "core/store/library_care.h"
#include "widgets/pages/library/library_page_impl.h"
#include "widgets/style/format.h"

#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QUndoStack>
#include <memory>

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
    connect(check, &QAction::triggered, &page, [this] { checkNow(); });
    connect(backUp, &QAction::triggered, &page, [this] {
        const QString name = QStringLiteral("library-%1.sqlite").arg(QDate::currentDate().toString(Qt::ISODate));
        const QString file = QFileDialog::getSaveFileName(
            &page, LibraryPage::tr("Back up library"), QDir(folderOf(services.library)).filePath(name), fileFilter());
        if (!file.isEmpty())
            page.backUp(file);
    });
    connect(backingUp, &NoticeBar::actionTriggered, &page, [this] {
        if (backup)
            backup->request_stop();
    });
    connect(restoreAll, &QAction::triggered, &page, [this] {
        const QString file = QFileDialog::getOpenFileName(&page, LibraryPage::tr("Restore library from"),
                                                          folderOf(services.library), fileFilter());
        if (!file.isEmpty())
            page.restoreFrom(file);
    });
}

void LibraryPage::Impl::checkNow() {
    auto health = std::make_shared<LibraryHealth>();
    notice->showNotice(NoticeLevel::Info, LibraryPage::tr("Checking the library…"));
    services.library.start(
        &page,
        [health](RunReader& reader, const std::stop_token& stop) -> Status {
            ACCUMULUS_TRY_ASSIGN(*health, checkLibrary(reader.library(), stop));
            return {};
        },
        [this, health](const Status& status) {
            if (!status)
                return notice->showNotice(NoticeLevel::Error, format::error(status.error()));
            if (!health->problems.empty())
                return notice->showNotice(NoticeLevel::Error,
                                          LibraryPage::tr("The library is damaged: %1. Restore it from a copy.")
                                              .arg(format::fromUtf8(health->problems.front())));
            if (!health->missing.empty())
                return notice->showNotice(NoticeLevel::Warning,
                                          LibraryPage::tr("The library is sound, but %n checkpoint file(s) are gone.",
                                                          nullptr, static_cast<int>(health->missing.size())) +
                                              QLatin1Char(' ') + healthText(*health));
            notice->showNotice(NoticeLevel::Success,
                               LibraryPage::tr("The library is sound:") + QLatin1Char(' ') + healthText(*health));
        });
}

void LibraryPage::backUp(const QString& file) {
    Impl& impl = *m_impl;
    if (impl.backup)
        return impl.notice->showNotice(NoticeLevel::Info, tr("A backup is being written. Wait until it has ended."));
    impl.backingUp->showNotice(NoticeLevel::Info, tr("Backing up the library…"), tr("Cancel"));
    impl.backup = impl.services.library.start(
        this,
        [file](RunReader& reader, const std::stop_token& stop) {
            return backUpLibrary(reader.library(), file.toStdString(), stop);
        },
        [this, file](const Status& status) {
            m_impl->backup.reset();
            m_impl->backingUp->clear();
            if (status)
                m_impl->notice->showNotice(NoticeLevel::Success,
                                           tr("Backed up as %1. Checkpoint files are not part of it.").arg(file));
            else if (status.error().code != "library.cancelled")
                m_impl->notice->showNotice(NoticeLevel::Error, format::error(status.error()));
        });
}

void LibraryPage::restoreFrom(const QString& file) {
    Impl& impl = *m_impl;
    if (impl.services.runs.busy())
        return impl.notice->showNotice(NoticeLevel::Warning, tr("Stop training first, then restore the library."));
    const QString kept = QStringLiteral("%1.before-%2.sqlite")
                             .arg(QString::fromStdString(impl.services.library.path().string()),
                                  QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss")));
    impl.services.runs.setHeld(true);
    impl.notice->showNotice(NoticeLevel::Info, tr("Restoring the library…"));
    impl.services.library.edit(
        &impl.edits, // which outlives the page
        [file, kept](RunStore& store) { return restoreLibrary(store, file.toStdString(), kept.toStdString()); },
        [services = impl.services, page = QPointer<LibraryPage>(this), kept](const Status& status) {
            if (status) {
                services.session.edits.stack().clear(); // its steps are about other contents
                services.library.announceReplaced();
            }
            services.runs.setHeld(false);
            if (page)
                page->m_impl->tellRestored(status, kept);
        });
}

void LibraryPage::Impl::tellRestored(const Status& status, const QString& kept) {
    if (!status)
        return notice->showNotice(NoticeLevel::Error, format::error(status.error()));
    notice->showNotice(NoticeLevel::Success,
                       LibraryPage::tr("Restored. The library as it was is kept as %1.").arg(kept));
}

} // namespace accumulus::ui
