// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/live/live_recovery.h"

#include "core/config/batch_plan.h"
#include "widgets/style/flow_layout.h"
#include "widgets/style/format.h"

#include <QEvent>
#include <QPushButton>

namespace accumulus::ui {
namespace {

bool isMemory(const Error& error) { return error.code == "training.memory"; }
bool isNonfinite(const Error& error) {
    return error.code == "training.nonfinite" || error.code == "training.all-skipped";
}

} // namespace

LiveRecovery::LiveRecovery(const Theme& theme, QWidget* parent)
    : Card(theme, {}, parent), m_theme(theme), m_text(new RoleLabel(theme, TextRole::Body)), m_buttons(new QWidget),
      m_flow(new FlowLayout(space::s, m_buttons)) {
    setObjectName(QStringLiteral("liveRecovery"));
    m_text->setObjectName(QStringLiteral("liveRecoveryText"));
    layout()->setContentsMargins(space::l, space::m, space::l, space::m);
    m_flow->setContentsMargins(0, 0, 0, 0);
    content()->setSpacing(space::s);
    content()->addWidget(m_text);
    content()->addWidget(m_buttons);
    hide();
}

void LiveRecovery::showFailed(const FailedRun& failed, const ExperimentConfig& experiment) {
    if (!isMemory(failed.error) && !isNonfinite(failed.error))
        return;
    m_failed = failed;
    m_experiment = experiment;
    refresh();
    show();
}

void LiveRecovery::clear() {
    m_failed.reset();
    hide();
}

QPushButton* LiveRecovery::offer(const char* name, const QString& text, const QString& tip) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    m_flow->addWidget(button);
    return button;
}

void LiveRecovery::offerSetup(const char* name, const QString& text, const QString& tip,
                              const ExperimentConfig& changed) {
    connect(offer(name, text, tip), &QPushButton::clicked, this, [this, changed] { Q_EMIT setupRequested(changed); });
}

void LiveRecovery::refresh() {
    if (!m_failed)
        return;
    while (QLayoutItem* item = m_flow->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // its click may be what led here
        delete item;
    }
    const RunRecord& run = m_failed->run;
    const QString who = tr("%1, seed %2").arg(format::armTitle(run.arm)).arg(run.seed);
    m_text->setText(
        QStringLiteral("%1: %2").arg(who, format::message({m_failed->error.code, m_failed->error.arguments})));
    isMemory(m_failed->error) ? offerForMemory() : offerForNonfinite();
}

/// Half of the micro-batch at the same effective batch; what has gone on already may be computed in smaller parts.
void LiveRecovery::offerForMemory() {
    const RunRecord& run = m_failed->run;
    if (run.config.device.onOom == OnOutOfMemory::Stop) { // else that was tried already
        QPushButton* parts =
            offer("liveRecoveryParts",
                  m_failed->update.value_or(0) > 0
                      ? tr("Resume from update %1 in smaller parts").arg(format::count(*m_failed->update))
                      : tr("Begin again in smaller parts"),
                  tr("What does not fit is computed in parts of half the size, and again of half of that. The "
                     "effective batch stays the same."));
        connect(parts, &QPushButton::clicked, this, [this, id = QString::fromStdString(run.id)] {
            clear();
            Q_EMIT smallerPartsRequested(id);
        });
    }
    const auto batch = resolveBatch(m_experiment.run.batch);
    if (!batch || batch->micro < 2)
        return;
    ExperimentConfig smaller = m_experiment;
    smaller.run.batch.effective = batch->effective;
    smaller.run.batch.micro = batch->micro / 2;
    smaller.run.batch.steps = 0;
    if (const auto split = resolveBatch(smaller.run.batch))
        offerSetup("liveRecoverySmaller", tr("Set up with %1, same effective batch").arg(format::batchSplit(*split)),
                   tr("A new study with half the micro-batch and twice the accumulation steps"), smaller);
}

void LiveRecovery::offerForNonfinite() {
    ExperimentConfig slower = m_experiment;
    slower.run.optimizer.lr /= 2.0;
    offerSetup("liveRecoveryLr", tr("Set up with learning rate %1").arg(format::number(slower.run.optimizer.lr)),
               tr("A new study with half the learning rate"), slower);
    if (m_experiment.run.numerics.nonfinite != NonfinitePolicy::Stop)
        return;
    ExperimentConfig skips = m_experiment;
    skips.run.numerics.nonfinite = NonfinitePolicy::SkipUpdate;
    offerSetup("liveRecoverySkip", tr("Set up to skip such updates"),
               tr("A new study that goes on without an update where the loss or the gradient is not finite"), skips);
}

void LiveRecovery::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        refresh();
    Card::changeEvent(event);
}

} // namespace accumulus::ui
