// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/live/live_recovery.h"

#include "core/base/error_cause.h"
#include "core/config/batch_plan.h"
#include "widgets/style/flow_layout.h"
#include "widgets/style/format.h"

#include <QPushButton>
#include <algorithm>

namespace accumulus::ui {
namespace {

bool isMemory(const Error& error) { return causeOf(error).code == "training.memory"; }
bool isNonfinite(const Error& error) {
    return error.code == "training.nonfinite" || error.code == "training.nonfinite-sum" ||
           error.code == "training.all-skipped";
}
bool isScale(const Error& error) { return error.code == "training.all-skipped-scale"; }
/// What a look at the settings, or at the samples that Set up shows, is the way to.
bool needsSetup(const Error& error) {
    return error.code == "training.nonfinite-samples" || error.code == "model.memory";
}
bool canBeMended(const Error& error) {
    return isMemory(error) || isNonfinite(error) || isScale(error) || needsSetup(error);
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
    if (!canBeMended(failed.error))
        return;
    std::erase_if(m_failed.runs, [&](const FailedRun& known) { return known.run.id == failed.run.id; });
    m_failed.runs.push_back(failed);
    m_failed.experiment = experiment;
    refresh();
}

void LiveRecovery::setFailed(const FailedRuns& failed) {
    m_failed = failed;
    refresh();
}

template <class Drops>
void LiveRecovery::drop(Drops drops) {
    if (std::erase_if(m_failed.runs, drops) > 0)
        refresh();
}

void LiveRecovery::forget(const std::string& run) {
    drop([&](const FailedRun& failed) { return failed.run.id == run; });
}

void LiveRecovery::keepOnly(const std::string& study) {
    drop([&](const FailedRun& failed) { return failed.run.study != study; });
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
    while (QLayoutItem* item = m_flow->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // its click may be what led here
        delete item;
    }
    if (m_failed.runs.empty())
        return hide();
    const FailedRun& last = m_failed.runs.back();
    const QString who = tr("%1, seed %2").arg(format::armTitle(last.run.arm)).arg(last.run.seed);
    QString text = QStringLiteral("%1: %2").arg(who, format::message({last.error.code, last.error.arguments}));
    if (const auto others = static_cast<int>(m_failed.runs.size()) - 1; others > 0)
        text += QLatin1Char(' ') + tr("%n other run(s) of this study failed, too.", nullptr, others);
    m_text->setText(text);
    const auto any = [this](const auto& fits) { return std::ranges::any_of(m_failed.runs, fits); };
    const auto lacksMemory = [](Arm arm) {
        return [arm](const FailedRun& failed) { return isMemory(failed.error) && failed.run.arm == arm; };
    };
    offerParts();
    if (any(lacksMemory(Arm::Accumulated)))
        offerSmaller();
    if (any(lacksMemory(Arm::LargeBatch)))
        offerResplit();
    if (any([](const FailedRun& failed) { return isNonfinite(failed.error); }))
        offerForNonfinite();
    offerForSettings();
    show();
}

void LiveRecovery::offerForSettings() {
    const auto any = [this](bool (*fits)(const Error&)) {
        return std::ranges::any_of(m_failed.runs, fits, &FailedRun::error);
    };
    if (any(isScale)) {
        ExperimentConfig dynamic = m_failed.experiment;
        dynamic.run.numerics.lossScale = "dynamic";
        offerSetup("liveRecoveryScale", tr("Set up with a dynamic loss scale"),
                   tr("A new study whose loss scale is lowered after an overflow"), dynamic);
    }
    if (any(needsSetup))
        offerSetup("liveRecoverySetup", tr("Open in Set up"), tr("The settings of this study and its first samples"),
                   m_failed.experiment);
}

/// What has gone on already may be computed in smaller parts, where that was not tried yet; another place cannot be
/// told.
void LiveRecovery::offerParts() {
    QStringList runs;
    std::int64_t update = 0;
    for (const FailedRun& failed : m_failed.runs)
        if (isMemory(failed.error) && failed.run.config.device.onOom == OnOutOfMemory::Stop && !failed.elsewhere) {
            runs << QString::fromStdString(failed.run.id);
            update = failed.update.value_or(0);
        }
    if (runs.isEmpty())
        return;
    const QString text = runs.size() > 1
                             ? tr("Resume %n run(s) in smaller parts", nullptr, static_cast<int>(runs.size()))
                         : update > 0 ? tr("Resume from update %1 in smaller parts").arg(format::count(update))
                                      : tr("Begin again in smaller parts");
    QPushButton* parts = offer("liveRecoveryParts", text,
                               tr("A micro-batch that does not fit is computed in parts of half the size, halved again "
                                  "as needed. The effective batch stays the same."));
    connect(parts, &QPushButton::clicked, this, [this, runs] {
        drop([&](const FailedRun& failed) { return runs.contains(QString::fromStdString(failed.run.id)); });
        Q_EMIT smallerPartsRequested(runs);
    });
}

/// Half of the micro-batch at the same effective batch.
void LiveRecovery::offerSmaller() {
    const auto batch = resolveBatch(m_failed.experiment.run.batch);
    if (!batch || batch->micro < 2)
        return;
    ExperimentConfig smaller = m_failed.experiment;
    smaller.run.batch.effective = batch->effective;
    smaller.run.batch.micro = batch->micro / 2;
    smaller.run.batch.steps = 0;
    if (const auto split = resolveBatch(smaller.run.batch))
        offerSetup("liveRecoverySmaller", tr("Set up with %1, same effective batch").arg(format::batchSplit(*split)),
                   tr("A new study with half the micro-batch and twice the accumulation steps"), smaller);
}

/// The large batch has no micro-batch that could be smaller.
void LiveRecovery::offerResplit() {
    if (m_failed.experiment.run.device.onOom == OnOutOfMemory::Resplit)
        return;
    ExperimentConfig parts = m_failed.experiment;
    parts.run.device.onOom = OnOutOfMemory::Resplit;
    offerSetup("liveRecoveryResplit", tr("Set up to split micro-batches that do not fit"),
               tr("A new study that goes on in smaller parts where memory runs out; the batches stay the same"), parts);
}

void LiveRecovery::offerForNonfinite() {
    ExperimentConfig slower = m_failed.experiment;
    slower.run.optimizer.lr /= 2.0;
    offerSetup("liveRecoveryLr", tr("Set up with learning rate %1").arg(format::number(slower.run.optimizer.lr)),
               tr("A new study with half the learning rate"), slower);
    if (m_failed.experiment.run.numerics.nonfinite != NonfinitePolicy::Stop)
        return;
    ExperimentConfig skips = m_failed.experiment;
    skips.run.numerics.nonfinite = NonfinitePolicy::SkipUpdate;
    offerSetup("liveRecoverySkip", tr("Set up to skip such updates"),
               tr("A new study that skips the update when the loss or the gradient is not finite"), skips);
}

} // namespace accumulus::ui
