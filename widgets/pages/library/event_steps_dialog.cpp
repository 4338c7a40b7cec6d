// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/event_steps_dialog.h"

#include "widgets/style/controls.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

namespace accumulus::ui {

EventStepsDialog::EventStepsDialog(const QString& why, QWidget* parent)
    : QDialog(parent), m_step(new QComboBox(this)), m_effective(new QSpinBox(this)) {
    constexpr int widest = 480, largest = 100'000'000;
    setObjectName(QStringLiteral("eventSteps"));
    setWindowTitle(tr("Import an event file"));
    auto* words = new QLabel(why, this);
    words->setWordWrap(true);
    words->setMinimumWidth(widest);
    m_step->setObjectName(QStringLiteral("eventStepsCounter"));
    m_step->addItems({tr("updates"), tr("samples")});
    m_effective->setObjectName(QStringLiteral("eventStepsEffective"));
    m_effective->setRange(1, largest);
    m_effective->setValue(1);
    auto* form = new QFormLayout;
    form->setVerticalSpacing(space::m);
    const auto addRow = [&](const QString& text, QWidget* field) {
        auto* label = new QLabel(text, this);
        label->setBuddy(field);
        label->setMinimumHeight(field->sizeHint().height()); // on the field's middle
        field->setAccessibleName(QString(text).remove(QLatin1Char('&')));
        form->addRow(label, field);
    };
    addRow(tr("&Effective batch (samples of an update)"), m_effective);
    addRow(tr("The file's &steps count"), m_step);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("&Import"));
    buttons->button(QDialogButtonBox::Ok)->setObjectName(QStringLiteral("eventStepsImport"));
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(space::l);
    column->addWidget(words);
    column->addLayout(form);
    column->addWidget(buttons);
}

ImportOptions EventStepsDialog::options() const {
    return {.step = m_step->currentIndex() == 0 ? EventStep::Updates : EventStep::Samples,
            .effective = m_effective->value()};
}

} // namespace accumulus::ui
