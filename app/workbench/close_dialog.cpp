// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/close_dialog.h"

#include <QPushButton>

namespace accumulus::ui {
namespace {

/// What comes of each button, in the buttons' order.
QStringList consequences(CloseDialog::What what) {
    const QString keep =
        CloseDialog::tr("Keep running until done: the window stays open and closes by itself after the last study.");
    switch (what) {
    case CloseDialog::What::TrainsElsewhere:
        return {CloseDialog::tr("Let it go on and quit: the next start offers to follow it."),
                CloseDialog::tr("Stop it and quit: it stops there at its next update.")};
    case CloseDialog::What::Waits:
        return {keep, CloseDialog::tr("Pause the queue and quit: the studies wait until the next start.")};
    case CloseDialog::What::Works:
        return {CloseDialog::tr("Wait and quit: the window stays open and closes by itself after that."),
                CloseDialog::tr("Discard it and quit: what is not finished is lost.")};
    case CloseDialog::What::Trains:
        break;
    }
    return {keep, CloseDialog::tr("Checkpoint and quit: the study stops at its next update, and the next start offers "
                                  "to resume it.")};
}

} // namespace

CloseDialog::CloseDialog(What what, QWidget* parent) : QMessageBox(parent) {
    const bool elsewhere = what == What::TrainsElsewhere;
    const bool waits = what == What::Waits;
    const bool works = what == What::Works;
    setIcon(QMessageBox::Question);
    setObjectName(QStringLiteral("closeDialog"));
    setWindowTitle(works   ? tr("Something is not finished")
                   : waits ? tr("Studies wait for their time")
                           : tr("A study is running"));
    setText(works   ? tr("Something is still running: an audit, a plan, a report, a backup, an export or similar work.")
            : waits ? tr("Studies of the queue wait for their time. They start only while this window is open.")
            : elsewhere ? tr("A study is training elsewhere. It continues there when this window closes.")
                        : tr("A study is still training. What do you want to do?"));
    setAttribute(Qt::WA_DeleteOnClose);
    const auto button = [this](const QString& text, const char* name, ButtonRole role, void (CloseDialog::*chosen)()) {
        QPushButton* made = addButton(text, role);
        made->setObjectName(QLatin1String(name));
        connect(made, &QPushButton::clicked, this, chosen);
        return made;
    };
    setInformativeText(consequences(what).join(QStringLiteral("\n\n")));
    QPushButton* usual = nullptr;
    if (elsewhere)
        usual = button(tr("Let it go on and quit"), "closeLeave", AcceptRole, &CloseDialog::leave);
    else
        usual = button(works ? tr("Wait and quit") : tr("Keep running until done"), "closeKeepRunning",
                       works ? AcceptRole : ActionRole, &CloseDialog::keepRunning);
    QPushButton* save = works
                            ? button(tr("Discard it and quit"), "closeDiscard", DestructiveRole, &CloseDialog::discard)
                            : button(waits       ? tr("Pause the queue and quit")
                                     : elsewhere ? tr("Stop it and quit")
                                                 : tr("Checkpoint and quit"),
                                     "closeCheckpoint", elsewhere ? ActionRole : AcceptRole, &CloseDialog::save);
    setDefaultButton(elsewhere || works ? usual : save);
    setEscapeButton(button(tr("Cancel"), "closeCancel", RejectRole, &CloseDialog::cancel));
}

} // namespace accumulus::ui
