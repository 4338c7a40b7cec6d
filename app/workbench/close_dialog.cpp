// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/close_dialog.h"

#include <QPushButton>

namespace accumulus::ui {

CloseDialog::CloseDialog(What what, QWidget* parent) : QMessageBox(parent) {
    const bool elsewhere = what == What::TrainsElsewhere;
    const bool waits = what == What::Waits;
    setIcon(QMessageBox::Question);
    setObjectName(QStringLiteral("closeDialog"));
    setWindowTitle(waits ? tr("Studies wait for their time") : tr("A study is running"));
    setText(waits       ? tr("Studies of the queue wait for their time. They start only while this window is open.")
            : elsewhere ? tr("A study is training in another place. It goes on there when this window closes.")
                        : tr("A study is still training. What do you want to do?"));
    setAttribute(Qt::WA_DeleteOnClose);
    const auto button = [this](const QString& text, const char* name, ButtonRole role, void (CloseDialog::*chosen)()) {
        QPushButton* made = addButton(text, role);
        made->setObjectName(QLatin1String(name));
        connect(made, &QPushButton::clicked, this, chosen);
        return made;
    };
    QPushButton* usual = nullptr;
    if (elsewhere)
        usual = button(tr("Let it go on and quit"), "closeLeave", AcceptRole, &CloseDialog::leave);
    else
        button(tr("Keep running until done"), "closeKeepRunning", ActionRole, &CloseDialog::keepRunning);
    QPushButton* save = button(waits       ? tr("Pause the queue and quit")
                               : elsewhere ? tr("Stop it and quit")
                                           : tr("Checkpoint and quit"),
                               "closeCheckpoint", elsewhere ? ActionRole : AcceptRole, &CloseDialog::save);
    setDefaultButton(usual ? usual : save);
    setEscapeButton(button(tr("Cancel"), "closeCancel", RejectRole, &CloseDialog::cancel));
}

} // namespace accumulus::ui
