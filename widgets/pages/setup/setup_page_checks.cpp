// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with the form, what keeps Start from working, and what the buttons beside it mend.
#include "core/analysis/lr_rules.h"
#include "core/config/config_check.h"
#include "core/config/memory_check.h"
#include "core/launch/remote_command.h"
#include "core/run/fact_findings.h"
#include "widgets/models/field_words.h"
#include "widgets/models/library_rights.h"
#include "widgets/pages/setup/setup_page_impl.h"
#include "widgets/style/format.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

namespace accumulus::ui {

namespace {

/// What is told of stored values is stale where something else stands in their fields.
bool isStale(const Finding& finding, const std::map<std::string, QString>& refused) {
    const bool batchRefused =
        std::ranges::any_of(refused, [](const auto& problem) { return problem.first.starts_with("batch."); });
    const bool ofTheBatch = finding.id.starts_with('B') || finding.id.starts_with('M') || finding.id == "O01" ||
                            finding.id == "O02"; // memory, learning rate and warm-up follow from it
    return refused.contains(finding.key) || (batchRefused && ofTheBatch);
}

} // namespace

void SetupPage::Impl::refresh() {
    const bool here = !view->summary().place();
    std::vector<Finding> findings =
        checkConfig(form.config(), facts.trainSamples(), here ? machine : featuresElsewhere());
    // Here several devices are no mistake: what is missing to start them is told instead.
    if (const auto single = std::ranges::find(findings, "D04", &Finding::id); single != findings.end())
        if (const auto command = localRanksCommand(form.config().run.batch.devices, {}); !command)
            single->message = command.error();
    if (auto lr = checkLrOfBatch(settled, form.config().run)) {
        const auto infos = std::ranges::find(findings, FindingLevel::Info, &Finding::level);
        findings.insert(infos, *std::move(lr));
    }
    std::ranges::move(starts.findings(here), std::back_inserter(findings));
    if (here) {
        std::ranges::move(factFindings(findings), std::back_inserter(findings));
        std::ranges::move(checkMemory(form.config(), memory.facts()), std::back_inserter(findings));
    }
    markKept(findings);
    std::erase_if(findings, [this](const Finding& finding) { return isStale(finding, form.problems()); });
    std::ranges::stable_sort(findings, std::ranges::greater{}, &Finding::level);
    time.ask(form.config(), planSetup(form.config(), facts.trainSamples()).samples);
    const std::vector<Finding> refused = refusals();
    view->showState(form.config(), facts, memory, time, findings, refused);
    showRefused(refused);
    blocked = blockedBy(refused, findings);
    std::erase_if(findings,
                  [](const Finding& finding) { return finding.id == "D01"; }); // the device may be free by then
    queueBlocked = blockedBy(refused, findings);
    if (services.runs.busy()) // Start adds to the queue
        blocked = queueBlocked;
    view->summary().setBlocked(blocked, queueBlocked);
    view->summary().setQueues(services.runs.busy());
}

/// Whoever has said that the BatchNorm of this network stays is not warned of it any more.
void SetupPage::Impl::markKept(std::vector<Finding>& findings) const {
    const auto norm = std::ranges::find(findings, "B03", &Finding::id);
    if (norm == findings.end() || keptNorm != form.config().run.model)
        return;
    norm->level = FindingLevel::Info;
    norm->message.code = "finding.batch-norm-kept";
    std::erase_if(norm->fixes, [](const Fix& fix) { return fix.id == "keep-norm"; });
}

/// `before`: of the settings. What contradicts another setting of data or model, the network refuses as well: told
/// once.
std::vector<Finding> SetupPage::Impl::factFindings(const std::vector<Finding>& before) const {
    std::vector<Finding> found = checkFacts(form.config(), facts.data(), facts.model());
    const bool told = std::ranges::any_of(before, [](const Finding& finding) {
        return finding.level == FindingLevel::Error &&
               (finding.key.starts_with("data.") || finding.key.starts_with("model."));
    });
    if (told)
        std::erase_if(found, [](const Finding& finding) { return finding.id == "D14"; });
    return found;
}

/// Why nothing can be started whatever the settings are, and what was typed and cannot be stored.
std::vector<Finding> SetupPage::Impl::refusals() const {
    std::vector<Finding> refused;
    const auto refuse = [&refused](const std::string& id, const std::string& key, const QString& why) {
        refused.push_back({id, FindingLevel::Error, key, {why.toStdString(), {}}, {}});
    };
    if (const QString why = whyNoWriting(services.library); !why.isEmpty())
        refuse("library", {}, why);
    for (const auto& [key, reason] : form.problems())
        refuse("refused." + key, key, QStringLiteral("%1: %2").arg(fieldTitle(*findField(key)), reason));
    return refused;
}

/// The form keeps the value of before: it is not copied, saved or audited in place of what is read in the field.
void SetupPage::Impl::showRefused(const std::vector<Finding>& refused) {
    const auto typed =
        std::ranges::find_if(refused, [](const Finding& finding) { return finding.id.starts_with("refused."); });
    refusedText = typed == refused.end() ? QString() : findingText(*typed);
    view->summary().setRefused(refusedText);
    if (presetDialog)
        presetDialog->setRefused(refusedText);
}

void SetupPage::Impl::requestAudit() {
    if (refusedText.isEmpty())
        Q_EMIT page.auditRequested(page.experiment());
    else
        view->summary().tell(refusedText);
}

QString SetupPage::Impl::blockedBy(const std::vector<Finding>& refused, const std::vector<Finding>& findings) const {
    if (!refused.empty())
        return findingText(refused.front());
    const auto error = std::ranges::find(findings, FindingLevel::Error, &Finding::level);
    if (error != findings.end())
        return findingText(*error);
    const Result<DataSummary>* data = facts.data(); // told by the summary, with ways to other data
    return data && !*data && !view->summary().place() ? format::error(data->error()) : QString();
}

void SetupPage::Impl::applyFix(const Finding& finding, const Fix& fix) {
    const std::string key = finding.key;
    if (fix.id == "keep-lr") {
        report(form.apply(fix.assignments));
        settle(form.config().run);
        refresh();
        keepDraft();
    } else if (fix.id == "keep-norm") {
        keptNorm = form.config().run.model;
        refresh();
    } else if (fix.id == "refresh-device") {
        facts.askDevice();
        askStarts();
    } else if (fix.id == "choose-library") {
        chooseLibrary();
        return;
    } else if (fix.id == "start-anyway") {
        memory.accept();
        page.start();
        return;
    } else if (fix.id == "audit-only") {
        requestAudit();
        return;
    } else if (fix.id == "probe") {
        Q_EMIT page.planRequested();
        return;
    } else if (fix.id != fieldLink().id) {
        report(form.apply(fix.assignments));
    }
    view->focusSetting(key);
}

/// Each once: a person goes back and forth between batches.
void SetupPage::Impl::settle(const RunConfig& run) {
    std::erase(settled, run);
    settled.push_back(run);
}

void SetupPage::Impl::load(const FormContent& content) {
    settle(content.config.run);
    form.load(content);
}

/// A learning rate that was tuned for another batch is no better for a restart.
void SetupPage::Impl::restoreDraft(const ExperimentConfig& experiment) {
    RunConfig tuned = experiment.run;
    if (const std::int64_t batch = draft.lrTunedFor(); batch > 0) {
        tuned.batch = {};
        tuned.batch.micro = 1;
        tuned.batch.effective = batch;
    }
    settle(tuned);
    form.load({experiment, std::make_shared<FormStart>()});
}

void SetupPage::Impl::keepDraft() {
    const auto warned = checkLrOfBatch(settled, form.config().run);
    draft.keep(form.config(), warned ? std::stoll(warned->message.argument("before")) : 0);
}

void SetupPage::Impl::askStarts() { starts.ask(form.config().run.device, services.library.path()); }

} // namespace accumulus::ui
