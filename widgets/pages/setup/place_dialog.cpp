// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/place_dialog.h"

#include "core/launch/remote_command.h"
#include "widgets/style/format.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace accumulus::ui {

namespace {

constexpr int dialogWidth = 520;

QLineEdit* line(const QString& name, const std::string& text, const QString& hint, QWidget* parent) {
    auto* edit = new QLineEdit(QString::fromStdString(text), parent);
    edit->setObjectName(QStringLiteral("place.") + name);
    edit->setPlaceholderText(hint);
    return edit;
}

} // namespace

PlaceDialog::PlaceDialog(const Theme& theme, const std::optional<LaunchPlace>& known, QWidget* parent)
    : QDialog(parent) {
    const LaunchPlace given = known.value_or(LaunchPlace());
    setObjectName(QStringLiteral("placeDialog"));
    setWindowTitle(known ? tr("Place to train at") : tr("Add a place to train at"));
    setMinimumWidth(dialogWidth);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::l, space::l, space::l, space::l);
    column->setSpacing(space::m);
    auto* what =
        new RoleLabel(theme, TextRole::Body,
                      tr("Accumulus must be installed there, and “ssh HOST” must connect without prompting. Runs are "
                         "recorded in this library. They continue when the connection is lost or this window closes."),
                      this);
    what->setWordWrap(true);
    column->addWidget(what);

    auto* form = new QFormLayout;
    form->setSpacing(space::s);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_host = line(QStringLiteral("host"), given.host, tr("user@host, or empty for this computer"), this);
    m_isSlurm = new QCheckBox(tr("Train as a job of a Slurm cluster"), this);
    m_isSlurm->setObjectName(QStringLiteral("place.isSlurm"));
    m_isSlurm->setChecked(given.slurm.has_value());
    m_slurm = line(QStringLiteral("slurm"), given.slurm.value_or(""), QStringLiteral("--partition=long --time=2:00:00"),
                   this);
    m_program = line(QStringLiteral("program"), given.program == "accumulus-cli" ? "" : given.program,
                     QStringLiteral("accumulus-cli"), this);
    m_library = line(QStringLiteral("library"), given.library, tr("the default library there"), this);
    form->addRow(tr("Host"), m_host);
    form->addRow(QString(), m_isSlurm);
    form->addRow(tr("Options of sbatch"), m_slurm);
    form->addRow(tr("Program there"), m_program);
    form->addRow(tr("Library there"), m_library);
    column->addLayout(form);
    m_problem = new RoleLabel(theme, TextRole::Bad, {}, this);
    m_problem->setObjectName(QStringLiteral("place.problem"));
    m_problem->setWordWrap(true);
    column->addWidget(m_problem);

    auto* buttons = new QDialogButtonBox(this);
    m_save = buttons->addButton(known ? tr("Save") : tr("Add"), QDialogButtonBox::AcceptRole);
    m_save->setObjectName(QStringLiteral("place.save"));
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    if (known) {
        QPushButton* remove = buttons->addButton(tr("Remove"), QDialogButtonBox::DestructiveRole);
        remove->setObjectName(QStringLiteral("place.remove"));
        connect(remove, &QPushButton::clicked, this, [this] {
            Q_EMIT removed();
            reject();
        });
    }
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_host, &QLineEdit::textChanged, this, &PlaceDialog::check);
    connect(m_isSlurm, &QCheckBox::toggled, this, &PlaceDialog::check);
    check();
}

void PlaceDialog::check() {
    m_slurm->setEnabled(m_isSlurm->isChecked());
    const bool far = !m_host->text().trimmed().isEmpty();
    m_program->setEnabled(far);
    const Status good = far ? checkHost(m_host->text().trimmed().toStdString()) : Status();
    m_problem->setText(good ? QString() : format::error(good.error()));
    m_problem->setVisible(!good);
    m_save->setEnabled(good && (far || m_isSlurm->isChecked()));
}

LaunchPlace PlaceDialog::place() const {
    LaunchPlace place;
    place.host = m_host->text().trimmed().toStdString();
    if (m_isSlurm->isChecked())
        place.slurm = m_slurm->text().simplified().toStdString();
    if (const QString program = m_program->text().trimmed(); !program.isEmpty())
        place.program = program.toStdString();
    place.library = m_library->text().trimmed().toStdString();
    return place;
}

} // namespace accumulus::ui
