// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/audit/audit_options.h"

#include "core/config/batch_plan.h"
#include "widgets/models/audit_text.h"
#include "widgets/models/field_words.h"
#include "widgets/style/format.h"
#include "widgets/style/number_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QResizeEvent>
#include <algorithm>

namespace accumulus::ui {
namespace {

constexpr double mostUpdates = 1000;

QVBoxLayout* labelled(const Theme& theme, const QString& text, QWidget* field, QWidget* parent) {
    auto* label = new RoleLabel(theme, TextRole::Caption, text, parent);
    label->setWordWrap(false);
    label->setBuddy(field);
    field->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    auto* column = new QVBoxLayout;
    column->setSpacing(space::xs);
    column->addWidget(label);
    column->addWidget(field);
    return column;
}

QComboBox* comboBox(const char* objectName, QWidget* parent) {
    auto* box = new QComboBox(parent);
    box->setObjectName(QLatin1String(objectName));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(10);
    return box;
}

/// "LeNet-5, MNIST, 32 × 4 = 128"
QString configTitle(const RunConfig& config) {
    QString title = QStringLiteral("%1, %2").arg(choiceTitle(config.model.name), choiceTitle(config.data.dataset));
    if (const auto batch = resolveBatch(config.batch))
        title += QStringLiteral(", ") + format::batchEquation(*batch);
    return title;
}

} // namespace

AuditRequest auditRequest(const AuditChoice& choice) {
    const RunRecord run = auditedRun(choice);
    AuditRequest request;
    request.config = run.config;
    request.seed = run.seed;
    request.run = run.id;
    request.checkpoint = choice.ofRun ? choice.checkpoint : "initial";
    request.fault = choice.fault;
    request.tolerance = choice.tolerance;
    request.reference = choice.reference;
    request.updates = choice.updates;
    return request;
}

RunRecord auditedRun(const AuditChoice& choice) {
    if (choice.ofRun && choice.run)
        return *choice.run;
    RunRecord run;
    if (!choice.setup)
        return run;
    run.config = choice.setup->run;
    run.seed = choice.setup->study.seeds.empty() ? 0 : choice.setup->study.seeds.front();
    return run;
}

AuditOptions::AuditOptions(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_subject(comboBox("auditSubject", this)), m_checkpoint(comboBox("auditCheckpoint", this)),
      m_tolerance(new NumberBox(NumberBox::Kind::Real, this)), m_reference(new QCheckBox(tr("fp&64 reference"), this)),
      m_updates(new NumberBox(NumberBox::Kind::Integer, this)), m_fault(comboBox("auditFault", this)),
      m_rows(new QBoxLayout(QBoxLayout::LeftToRight, this)) {
    setObjectName(QStringLiteral("auditOptions"));
    build(theme);
    show();
}

void AuditOptions::build(const Theme& theme) {
    m_tolerance->setObjectName(QStringLiteral("auditTolerance"));
    m_tolerance->setRange(0.0, 1.0);
    m_tolerance->setToolTip(tr("Largest relative error of a tensor that counts as rounding, or three times the noise "
                               "floor where that is more. 0: by the precision."));
    m_reference->setObjectName(QStringLiteral("auditReference"));
    m_reference->setToolTip(
        tr("Computes the gradient once more in double precision, and how far both gradients are from it"));
    m_updates->setObjectName(QStringLiteral("auditUpdates"));
    m_updates->setRange(0.0, mostUpdates);
    m_updates->setUnit({}, tr("none"));
    for (QWidget* box : {static_cast<QWidget*>(m_tolerance), static_cast<QWidget*>(m_updates)})
        box->setMinimumWidth(fontMetrics().averageCharWidth() * 21);
    m_updates->setToolTip(tr("Then makes this many updates both ways and measures how far the weights drift apart"));
    m_fault->setToolTip(tr("Builds a known mistake into the audited loop, to see what it does. Training is not "
                           "touched, and the result is not kept."));
    m_fault->addItem(tr("None"));
    for (const AuditPattern& pattern : auditPatterns())
        if (pattern.canPlant)
            m_fault->addItem(audit_text::patternTitle(pattern.code),
                             QString::fromUtf8(pattern.code.data(), qsizetype(pattern.code.size())));

    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(space::fieldGap);
    auto* subject = new QHBoxLayout;
    subject->setSpacing(space::fieldGap);
    subject->addLayout(labelled(theme, tr("&What"), m_subject, this), 6);
    subject->addLayout(labelled(theme, tr("Wei&ghts"), m_checkpoint, this), 2);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::fieldGap);
    row->addLayout(labelled(theme, tr("T&olerance"), m_tolerance, this), 2);
    row->addLayout(labelled(theme, tr("Also u&pdates"), m_updates, this), 2);
    row->addLayout(labelled(theme, tr("&Mistake built in"), m_fault, this), 3);
    row->addWidget(m_reference, 0, Qt::AlignBottom);
    m_rows->addLayout(subject, 8);
    m_rows->addLayout(row, 7);

    const auto changed = [this] { read(); };
    connect(m_subject, &QComboBox::currentIndexChanged, this, [this] {
        if (m_showing)
            return;
        m_choice.ofRun = m_subject->currentData().toBool();
        show();
        Q_EMIT subjectChanged();
    });
    connect(m_checkpoint, &QComboBox::currentIndexChanged, this, changed);
    connect(m_fault, &QComboBox::currentIndexChanged, this, changed);
    connect(m_reference, &QCheckBox::toggled, this, changed);
    connect(m_tolerance, &NumberBox::numberEdited, this, changed);
    connect(m_updates, &NumberBox::numberEdited, this, changed);
}

QSize AuditOptions::minimumSizeHint() const {
    const QSize subject = m_rows->itemAt(0)->minimumSize(), row = m_rows->itemAt(1)->minimumSize();
    return {std::max(subject.width(), row.width()), QWidget::minimumSizeHint().height()};
}

void AuditOptions::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // The set-up needs a third of the line to be told: model, data and batch.
    const int inOneLine = m_rows->itemAt(1)->minimumSize().width() * 3 / 2 + m_checkpoint->minimumSizeHint().width();
    m_rows->setDirection(width() < inOneLine ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void AuditOptions::setChoice(const AuditChoice& choice) {
    m_choice = choice;
    show();
}

void AuditOptions::setFault(const std::optional<std::string>& fault) {
    m_choice.fault = fault;
    show();
}

void AuditOptions::show() {
    m_showing = true;
    showSubjects();
    showCheckpoints();
    const double usual = defaultAuditTolerance(auditedRun(m_choice).config.numerics.precision);
    const QString automatic = tr("auto: %1").arg(format::number(usual, 2));
    m_tolerance->setUnit({}, automatic);
    m_tolerance->setMinimumWidth(std::max(m_updates->minimumWidth(), fontMetrics().horizontalAdvance(automatic) +
                                                                         fontMetrics().averageCharWidth() * 8));
    m_tolerance->setReal(m_choice.tolerance.value_or(0.0));
    m_updates->setInteger(m_choice.updates);
    m_reference->setChecked(m_choice.reference);
    m_fault->setCurrentIndex(m_choice.fault ? std::max(0, m_fault->findData(QString::fromStdString(*m_choice.fault)))
                                            : 0);
    m_showing = false;
    Q_EMIT choiceShown();
}

void AuditOptions::showSubjects() {
    m_subject->clear();
    if (m_choice.setup)
        m_subject->addItem(tr("Set-up: %1").arg(configTitle(m_choice.setup->run)), false);
    if (m_choice.run)
        m_subject->addItem(tr("Run: %1").arg(format::fromUtf8(m_choice.run->name)), true);
    m_subject->setCurrentIndex(m_subject->findData(m_choice.ofRun));
    m_subject->setEnabled(m_subject->count() > 0);
    m_subject->setToolTip(m_subject->currentText());
}

void AuditOptions::showCheckpoints() {
    m_checkpoint->clear();
    m_checkpoint->addItem(tr("Initial"), QStringLiteral("initial"));
    if (m_choice.ofRun && m_choice.hasBest)
        m_checkpoint->addItem(tr("Best"), QStringLiteral("best"));
    if (m_choice.ofRun && m_choice.hasLast)
        m_checkpoint->addItem(tr("Last"), QStringLiteral("last"));
    m_checkpoint->setCurrentIndex(std::max(0, m_checkpoint->findData(QString::fromStdString(m_choice.checkpoint))));
    m_checkpoint->setEnabled(m_choice.ofRun && m_checkpoint->count() > 1);
    m_checkpoint->setToolTip(tr("The weights at which the gradients are compared; a run has those of its checkpoints"));
}

void AuditOptions::read() {
    if (m_showing)
        return;
    m_choice.checkpoint = m_checkpoint->currentData().toString().toStdString();
    const double tolerance = m_tolerance->real().value_or(0.0);
    m_choice.tolerance = tolerance > 0.0 ? std::optional(tolerance) : std::nullopt;
    m_choice.updates = std::clamp<std::int64_t>(m_updates->integer().value_or(0), 0, std::int64_t(mostUpdates));
    m_choice.reference = m_reference->isChecked();
    const QString fault = m_fault->currentData().toString();
    m_choice.fault = fault.isEmpty() ? std::nullopt : std::optional(fault.toStdString());
}

} // namespace accumulus::ui
