// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/help_dialogs.h"

#include "core/run/study_runner.h"
#include "widgets/pages/file_drop.h"
#include "widgets/pages/home/own_network.h"
#include "widgets/plots/plot_keys.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <utility>
#include <vector>

namespace accumulus::ui {
namespace {

struct Help {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::Help)
};

using Rows = std::vector<std::pair<QString, QString>>;

/// A window with two columns of text below `head`; a second call brings the first one to the front.
/// The dialog, or null where it was open already.
QDialog* showTable(const Theme& theme, const QString& name, const QString& title, QWidget* head, const Rows& rows,
                   QWidget* parent) {
    if (auto* open = parent->findChild<QDialog*>(name)) {
        open->raise();
        open->activateWindow();
        delete head;
        return nullptr;
    }
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(name);
    dialog->setWindowTitle(title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, space::m, 0);
    grid->setHorizontalSpacing(space::xl);
    grid->setVerticalSpacing(space::s);
    grid->setColumnStretch(1, 1);
    int line = 0;
    for (const auto& [left, right] : rows) {
        auto* term = new RoleLabel(theme, TextRole::Body, left);
        term->setWordWrap(false);
        QFont strong = term->font();
        strong.setWeight(QFont::DemiBold);
        term->setFont(strong);
        auto* text = new RoleLabel(theme, TextRole::Body, right);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        grid->addWidget(term, line, 0, Qt::AlignTop);
        grid->addWidget(text, line, 1);
        ++line;
    }
    grid->setRowStretch(line, 1);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(space::xl, space::xl, space::xl, space::l);
    column->setSpacing(space::l);
    column->addWidget(new RoleLabel(theme, TextRole::PageTitle, title));
    column->addWidget(head);
    column->addWidget(scroll, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setText(QCoreApplication::translate("accumulus::ui::Dialogs", "Close"));
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    column->addWidget(buttons);
    dialog->resize(700, 580);
    dialog->show();
    return dialog;
}

void showTable(const Theme& theme, const QString& name, const QString& title, const QString& intro, const Rows& rows,
               QWidget* parent) {
    showTable(theme, name, title, new RoleLabel(theme, TextRole::Body, intro), rows, parent);
}

} // namespace

void showOwnNetwork(const Theme& theme, QWidget* parent, const std::function<void(const QStringList&)>& bring) {
    const Rows rows = {
        {Help::tr("Networks"),
         Help::tr("TorchScript: torch.jit.script(net).save(\"net.pt\") or, for networks without dropout and BatchNorm, "
                  "torch.jit.trace(net.eval(), example). For other networks, use export() above.")},
        {Help::tr("Weights"), Help::tr("safetensors, or a state dict that torch.save has written (.pt, .pth). They are "
                                       "read without running any code.")},
        {Help::tr("Data"),
         Help::tr("inputs and targets as .npz, .safetensors or a folder of .npy; a table (.csv, .tsv); "
                  "a text (.txt) or tokens (.bin); a folder of images by class; MNIST, CIFAR.")},
        {Help::tr("Experiment"), Help::tr("The folder that export() writes, or the .toml in it, names all of them: "
                                          "drop only that, and the form is filled in.")},
        {Help::tr("Getting the weights back"),
         Help::tr("Library: export a run's weights as safetensors; their names are those of "
                  "your network.")},
    };
    auto* head = new OwnNetwork(theme);
    QObject::connect(head, &OwnNetwork::filesChosen, parent, [bring](const QStringList& files) { bring(files); });
    auto* dialog =
        showTable(theme, QStringLiteral("ownNetworkDialog"), Help::tr("Bring your own network"), head, rows, parent);
    if (dialog)
        QObject::connect(new FileDrop(theme, *dialog), &FileDrop::dropped, parent, bring);
}

void showWords(const Theme& theme, QWidget* parent) {
    const Rows rows = {
        {Help::tr("Micro-batch m"),
         Help::tr("The samples of one forward and backward pass; what has to fit into memory.")},
        {Help::tr("Micro-step"), Help::tr("One forward and backward pass on one micro-batch.")},
        {Help::tr("Accumulation steps K"), Help::tr("How many micro-batches are added up before the weights change.")},
        {Help::tr("Effective batch B"), Help::tr("m × K × devices: the samples behind one update.")},
        {Help::tr("Window"), Help::tr("The micro-steps behind one update.")},
        {Help::tr("Update"), Help::tr("One change of the weights by the optimizer.")},
        {Help::tr("Samples"), Help::tr("Training samples seen since the start.")},
        {Help::tr("Arm"), Help::tr("One of the two ways to train: accumulated, or with the large batch at once.")},
        {Help::tr("Pair"),
         Help::tr(
             "Two runs, one of each arm, with the same seed, the same initial weights and the same sample order.")},
        {Help::tr("Margin δ"), Help::tr("The largest difference that would not matter to you, fixed before the runs.")},
        {Help::tr("Equivalent"),
         Help::tr("The difference was shown to lie within the margin. “No difference found” alone never says that.")},
    };
    showTable(theme, QStringLiteral("wordsDialog"), Help::tr("The words of Accumulus"),
              Help::tr("They mean the same everywhere: in the workbench, the library, exports and reports."), rows,
              parent);
}

void showKeys(const Theme& theme, const QList<QAction*>& actions, QWidget* parent) {
    Rows rows;
    for (const QAction* action : actions) {
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys << key.toString(QKeySequence::NativeText);
        if (!keys.isEmpty())
            rows.emplace_back(keys.join(QStringLiteral(", ")), action->text().remove(QLatin1Char('&')));
    }
    const auto named = [](int key) { return QKeySequence(key).toString(QKeySequence::NativeText); };
    rows.emplace_back(named(Qt::Key_Space), Help::tr("Tables: select the row; buttons: press, as Enter does"));
    rows.emplace_back(QStringLiteral("%1, %2").arg(named(Qt::Key_Tab), named(int(Qt::SHIFT) | Qt::Key_Tab)),
                      Help::tr("Next or previous control"));
    rows.emplace_back(named(Qt::Key_Escape), Help::tr("Close a dialog or a menu"));
    for (const auto* owner : parent->findChildren<QWidget*>()) // keys that act on one table only
        for (const QAction* action : owner->findChildren<QAction*>(QString(), Qt::FindDirectChildrenOnly))
            if (action->shortcutContext() == Qt::WidgetShortcut && !action->shortcut().isEmpty())
                rows.emplace_back(
                    action->shortcut().toString(QKeySequence::NativeText),
                    QStringLiteral("%1: %2").arg(owner->accessibleName(), action->text().remove(QLatin1Char('&'))));
    for (const auto* shortcut : parent->findChildren<QShortcut*>()) // likewise, of a table that has buttons for them
        if (const auto* owner = qobject_cast<QWidget*>(shortcut->parent()); owner && !shortcut->whatsThis().isEmpty())
            rows.emplace_back(shortcut->key().toString(QKeySequence::NativeText),
                              QStringLiteral("%1: %2").arg(owner->accessibleName(), shortcut->whatsThis()));
    rows.emplace_back(QStringLiteral("%1–%2").arg(named(Qt::Key_A), named(Qt::Key_H)),
                      Help::tr("Compare, choose runs: put the selected runs into that group"));
    rows.emplace_back(named(Qt::Key_F2), Help::tr("Saved comparisons and presets: rename"));
    rows.emplace_back(named(Qt::Key_X), Help::tr("Live and Compare: next x axis"));
    rows.emplace_back(named(Qt::Key_S), Help::tr("Live and Compare: smoothing"));
    for (const auto& [keys, words] : plotKeys())
        rows.emplace_back(keys, words);
    showTable(theme, QStringLiteral("keysDialog"), Help::tr("Keys"),
              Help::tr("Single letters act while a table or a plot has the focus."), rows, parent);
}

void showAbout(const Theme& theme, QWidget* parent) {
    const Environment environment = currentEnvironment();
    const Rows rows = {
        {Help::tr("Program"), format::fromUtf8(environment.program)},
        {QStringLiteral("LibTorch"), format::fromUtf8(environment.libtorch)},
        {QStringLiteral("Qt"), QString::fromLatin1(qVersion())},
        {Help::tr("Hardware"), format::fromUtf8(environment.hardware)},
        {Help::tr("System"), format::fromUtf8(environment.system)},
        {Help::tr("Licence"), Help::tr("GNU General Public License, version 3 or later; without any warranty.")},
    };
    showTable(
        theme, QStringLiteral("aboutDialog"), Help::tr("About Accumulus"),
        Help::tr(
            "A workbench for one question: what does gradient accumulation do to training, what does it cost, and is "
            "it really the large batch?"),
        rows, parent);
}

} // namespace accumulus::ui
