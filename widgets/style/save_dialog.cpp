// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/save_dialog.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>

namespace accumulus::ui {
namespace {

QString endingOf(const QString& filter) {
    static const QRegularExpression pattern(QStringLiteral("\\(\\*\\.(\\w+)\\)"));
    return pattern.match(filter).captured(1);
}

} // namespace

SaveChoice askWhereToSave(QWidget* parent, const QString& title, const QString& proposal, const QStringList& filters,
                          const QStringList& endings) {
    QFileDialog dialog(parent, title);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setFileMode(QFileDialog::AnyFile);
    dialog.setNameFilters(filters);
    if (const QFileInfo file(proposal); file.isAbsolute())
        dialog.setDirectory(file.absolutePath());
    dialog.selectFile(QFileInfo(proposal).fileName());
    dialog.setDefaultSuffix(endingOf(filters.value(0)));
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog,
                     [&dialog](const QString& filter) { dialog.setDefaultSuffix(endingOf(filter)); });
    while (dialog.exec() == QDialog::Accepted) {
        const QString file = dialog.selectedFiles().value(0);
        if (file.isEmpty() || endings.contains(QFileInfo(file).suffix().toLower()))
            return {file, dialog.selectedNameFilter()};
        const QString named = file + QLatin1Char('.') + endingOf(dialog.selectedNameFilter());
        if (!QFileInfo::exists(named))
            return {named, dialog.selectedNameFilter()};
        dialog.selectFile(QFileInfo(named).fileName()); // asks about this one
    }
    return {};
}

} // namespace accumulus::ui
