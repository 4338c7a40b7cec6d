// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/path_chooser.h"

#include "widgets/models/field_words.h"
#include "widgets/models/recent_files.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

namespace accumulus::ui {

FileRole roleOfSetting(const ConfigField& field) {
    if (field.key == "model.path")
        return FileRole::Model;
    if (field.key == "model.weights")
        return FileRole::Weights;
    return field.key == "data.path" ? FileRole::Data : FileRole::None;
}

PathChooser::PathChooser(const ConfigField& field, std::function<QString()> current, QWidget* parent)
    : QPushButton(tr("Choose…"), parent), m_field(field), m_current(std::move(current)), m_menu(new QMenu(this)) {
    setObjectName(QStringLiteral("setup.%1.choose").arg(QString::fromStdString(field.key)));
    setAccessibleName(tr("Choose: %1").arg(fieldTitle(field)));
    setAutoDefault(false);
    m_menu->setObjectName(objectName() + QStringLiteral(".menu"));
    m_menu->setToolTipsVisible(true);
    setMenu(m_menu);
    connect(m_menu, &QMenu::aboutToShow, this, &PathChooser::fill);
}

void PathChooser::fill() {
    m_menu->clear();
    connect(m_menu->addAction(tr("File…")), &QAction::triggered, this,
            [this] { take(QFileDialog::getOpenFileName(window(), fieldTitle(m_field), m_current())); });
    const FileRole role = roleOfSetting(m_field);
    if (role != FileRole::Model && role != FileRole::Weights) // those are never folders
        connect(m_menu->addAction(tr("Folder…")), &QAction::triggered, this,
                [this] { take(QFileDialog::getExistingDirectory(window(), fieldTitle(m_field), m_current())); });
    addRecent();
}

void PathChooser::addRecent() {
    const FileRole role = roleOfSetting(m_field);
    const QStringList recent = recentFiles(role);
    if (recent.isEmpty())
        return;
    m_menu->addSection(tr("Recent"));
    for (const QString& file : recent) {
        // Whether it is still there is not asked here, where a slow disk would be waited for: choosing it tells.
        QAction* action = m_menu->addAction(QFileInfo(file).fileName().replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setData(file);
        action->setToolTip(file);
        connect(action, &QAction::triggered, this, [this, file] { take(file); });
    }
    m_menu->addSeparator();
    connect(m_menu->addAction(tr("Forget these")), &QAction::triggered, this, [role] { forgetRecentFiles(role); });
}

void PathChooser::take(const QString& file) {
    if (!file.isEmpty())
        Q_EMIT chosen(file);
}

} // namespace accumulus::ui
