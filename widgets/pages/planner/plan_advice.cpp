// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/planner/plan_advice.h"

#include "widgets/style/format.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

bool isCpu(const MicroPlan& plan) { return plan.device.starts_with("CPU") || plan.device.starts_with("cpu"); }

QString measuredText(const MicroPlan& plan) {
    QStringList parts;
    if (plan.createdAt > 0.0)
        parts << PlanAdvice::tr("measured %1").arg(format::dateTime(plan.createdAt));
    if (!plan.device.empty())
        parts << format::fromUtf8(plan.device);
    if (isCpu(plan))
        parts << PlanAdvice::tr("CPU: process memory, of tensors");
    if (plan.memoryLimit > 0)
        parts << PlanAdvice::tr("limit %1").arg(format::bytes(plan.memoryLimit));
    return parts.join(QStringLiteral(" · "));
}

QString fitText(const MicroPlan& plan) {
    const auto memory = memoryLine(plan.points);
    if (!memory)
        return {};
    const QString text =
        memory->otherLanes
            ? PlanAdvice::tr("Memory from m = %1 on, on %n lane(s): %2 + %3 per sample, at most %4 % off. Sizes with "
                             "another number of lanes need different amounts: each lane has its own activations.",
                             nullptr, static_cast<int>(memory->lanes))
            : PlanAdvice::tr("Memory from m = %1 on: %2 + %3 per sample, at most %4 % off.");
    return text.arg(QLocale().toString(static_cast<qlonglong>(memory->from)),
                    format::bytes(std::llround(std::max(0.0, memory->line.a))),
                    format::bytes(std::llround(std::max(0.0, memory->line.b))),
                    QLocale().toString(100.0 * memory->line.largestResidual, 'f', 1));
}

} // namespace

PlanAdvice::PlanAdvice(const Theme& theme, QWidget* parent)
    : Card(theme, {}, parent), m_sentence(new RoleLabel(theme, TextRole::CardTitle, {}, this)),
      m_measured(new RoleLabel(theme, TextRole::Caption, {}, this)),
      m_notes(new RoleLabel(theme, TextRole::Caption, {}, this)),
      m_use(primaryButton(theme, tr("&Use in set-up"), this)) {
    setObjectName(QStringLiteral("plannerAdvice"));
    m_sentence->setObjectName(QStringLiteral("plannerSentence"));
    m_measured->setObjectName(QStringLiteral("plannerMeasured"));
    m_notes->setObjectName(QStringLiteral("plannerNotes"));
    m_use->setObjectName(QStringLiteral("plannerUse"));
    m_use->setToolTip(tr("Fills in the micro-batch and the accumulation steps; the effective batch stays"));
    m_sentence->setWordWrap(true);
    connect(&theme, &Theme::changed, m_sentence, [this] { m_sentence->setWordWrap(true); });
    auto* words = new QVBoxLayout;
    words->setSpacing(space::xs);
    words->addWidget(m_sentence);
    words->addWidget(m_measured);
    words->addWidget(m_notes);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::l);
    row->addLayout(words, 1);
    row->addWidget(m_use, 0, Qt::AlignTop);
    content()->addLayout(row);
    connect(m_use, &QPushButton::clicked, this, &PlanAdvice::useClicked);
}

void PlanAdvice::showPlan(const MicroPlan& plan, bool running) {
    QString sentence;
    if (running)
        sentence = tr("%Ln size(s) tried so far", nullptr, static_cast<int>(plan.points.size()));
    else if (!plan.sentence.code.empty())
        sentence = format::message(plan.sentence);
    else
        sentence = tr("No size is recommended.");
    if (!running && plan.cancelled && plan.sentence.code != "plan.cancelled")
        sentence = plan.recommended ? tr("Cancelled. Best of the sizes tried: %1").arg(sentence)
                                    : tr("Cancelled. %1").arg(sentence);
    m_sentence->setText(sentence);
    m_measured->setText(measuredText(plan));
    QStringList notes;
    if (!running) {
        for (const Message& note : plan.notes)
            notes << format::note(note);
        if (const QString fit = fitText(plan); !fit.isEmpty())
            notes << fit;
    }
    m_notes->setText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
    m_use->setEnabled(!running && plan.recommended.has_value() && *plan.recommended < plan.points.size());
}

} // namespace accumulus::ui
