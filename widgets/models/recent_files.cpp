// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/recent_files.h"

#include <QSettings>

namespace accumulus::ui {

namespace {

QString keyOf(FileRole role) {
    switch (role) {
    case FileRole::Model:
        return QStringLiteral("recent/model");
    case FileRole::Weights:
        return QStringLiteral("recent/weights");
    case FileRole::Data:
        return QStringLiteral("recent/data");
    case FileRole::Library:
        return QStringLiteral("recent/library");
    case FileRole::None:
    case FileRole::Experiment:
        break;
    }
    return {};
}

} // namespace

QStringList recentFiles(FileRole role) {
    const QString key = keyOf(role);
    return key.isEmpty() ? QStringList() : QSettings().value(key).toStringList().mid(0, keptRecentFiles);
}

void rememberFile(FileRole role, const QString& file) {
    const QString key = keyOf(role);
    if (key.isEmpty() || file.isEmpty())
        return;
    QStringList files = recentFiles(role);
    files.removeAll(file);
    files.prepend(file);
    QSettings().setValue(key, files.mid(0, keptRecentFiles));
}

void forgetRecentFiles(FileRole role) {
    if (const QString key = keyOf(role); !key.isEmpty())
        QSettings().remove(key);
}

} // namespace accumulus::ui
