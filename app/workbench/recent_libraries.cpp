// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/recent_libraries.h"

#include "widgets/models/recent_files.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>

namespace accumulus::ui {
namespace {

/// "study.sqlite – ~/work".
QString titleOf(const QString& file) {
    const QFileInfo info(file);
    QString folder = info.path();
    if (folder == QDir::homePath() || folder.startsWith(QDir::homePath() + QLatin1Char('/')))
        folder.replace(0, QDir::homePath().size(), QStringLiteral("~"));
    QString title = QStringLiteral("%1 – %2").arg(info.fileName(), folder);
    return title.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace

RecentLibraries::RecentLibraries(const LibraryGateway& library, QWidget* parent) : QMenu(parent), m_library(library) {
    setObjectName(QStringLiteral("recentLibraries"));
    setTitle(tr("Open re&cent"));
    setToolTipsVisible(true);
    // Queued: one of its actions may be what opened it, and is still at work.
    connect(&library, &LibraryGateway::opened, this, &RecentLibraries::fill, Qt::QueuedConnection);
    connect(this, &QMenu::aboutToShow, this, &RecentLibraries::fill);
    fill();
}

void RecentLibraries::fill() {
    clear();
    const QString open = QString::fromStdString(m_library.path().string());
    const QStringList files = recentFiles(FileRole::Library);
    for (const QString& file : files) {
        QAction* action = addAction(file == open ? tr("%1 (open now)").arg(titleOf(file)) : titleOf(file));
        action->setObjectName(QStringLiteral("recentLibrary"));
        action->setData(file);
        action->setToolTip(QDir::toNativeSeparators(file));
        action->setEnabled(file != open);
        connect(action, &QAction::triggered, this, [this, file] { Q_EMIT chosen(file); });
    }
    addSeparator();
    QAction* all = addAction(tr("&Clear the list"));
    all->setObjectName(QStringLiteral("forgetRecentLibraries"));
    all->setEnabled(files.size() > (files.contains(open) ? 1 : 0));
    connect(all, &QAction::triggered, this, &RecentLibraries::forget);
    lookFor(files);
}

void RecentLibraries::lookFor(const QStringList& files) {
    m_lookUps.clear();
    m_lookUps.ask<QStringList>(
        [files]() -> Result<QStringList> {
            QStringList gone;
            for (const QString& file : files)
                if (!QFileInfo::exists(file))
                    gone << file;
            return gone;
        },
        [this](const Result<QStringList>& found) {
            const QStringList gone = found.value_or(QStringList()); // else choosing one tells
            for (QAction* action : actions())
                if (const QString file = action->data().toString(); gone.contains(file)) {
                    action->setText(tr("%1 (not found)").arg(titleOf(file)));
                    action->setEnabled(false);
                }
        });
}

void RecentLibraries::forget() {
    const QString open = QString::fromStdString(m_library.path().string());
    const bool keeps = recentFiles(FileRole::Library).contains(open);
    forgetRecentFiles(FileRole::Library);
    if (keeps) // it is to be open at the next start
        rememberFile(FileRole::Library, open);
}

} // namespace accumulus::ui
