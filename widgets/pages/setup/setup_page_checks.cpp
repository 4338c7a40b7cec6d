// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with the form, what keeps Start from working, and what the buttons beside it mend.
#include "core/analysis/lr_rules.h"
#include "core/config/config_check.h"
#include "core/config/memory_check.h"
#include "core/launch/remote_command.h"
#include "core/run/fact_findings.h"
#include "widgets/models/field_words.h"
#include "widgets/pages/setup/setup_page_impl.h"
#include "widgets/style/format.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace accumulus::ui {

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
        std::ranges::move(checkFacts(form.config(), facts.data(), facts.model()), std::back_inserter(findings));
        std::ranges::move(checkMemory(form.config(), memory.facts()), std::back_inserter(findings));
    }
    std::ranges::stable_sort(findings, std::ranges::greater{}, &Finding::level);
    time.ask(form.config(), planSetup(form.config(), facts.trainSamples()).samples);
    view->showState(form.config(), facts, memory, time, findings, refusals());
    blocked = blockedBy(findings);
    std::erase_if(findings,
                  [](const Finding& finding) { return finding.id == "D01"; }); // the device may be free by then
    queueBlocked = blockedBy(findings);
    if (services.runs.busy()) // Start adds to the queue
        blocked = queueBlocked;
    view->summary().setBlocked(blocked);
    view->summary().setQueues(services.runs.busy());
}

/// What was typed and cannot be stored, each with the way to its field.
std::vector<Finding> SetupPage::Impl::refusals() const {
    std::vector<Finding> refused;
    for (const auto& [key, reason] : form.problems()) {
        Finding& finding = refused.emplace_back();
        finding.id = "refused." + key;
        finding.level = FindingLevel::Error;
        finding.key = key;
        finding.message = {QStringLiteral("%1: %2").arg(fieldTitle(*findField(key)), reason).toStdString(), {}};
    }
    return refused;
}

QString SetupPage::Impl::blockedBy(const std::vector<Finding>& findings) const {
    if (!services.library.otherWindow().isEmpty())
        return tr("Another window has this library open.");
    if (services.library.readOnly())
        return tr("This library is read-only.");
    if (!form.problems().empty()) {
        const auto& [key, reason] = *form.problems().begin();
        return QStringLiteral("%1: %2").arg(fieldTitle(*findField(key)), reason);
    }
    const auto error = std::ranges::find(findings, FindingLevel::Error, &Finding::level);
    if (error != findings.end())
        return findingText(*error);
    if (const Result<DataSummary>* data = facts.data(); data && !*data && !view->summary().place())
        return format::error(data->error());
    if (const Result<ModelFacts>* model = facts.model(); model && !*model && !view->summary().place())
        return format::error(model->error());
    return {};
}

void SetupPage::Impl::applyFix(const Finding& finding, const Fix& fix) {
    const std::string key = finding.key;
    if (fix.id == "keep-lr") {
        report(form.apply(fix.assignments));
        settle(form.config().run);
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
        Q_EMIT page.auditRequested(page.experiment());
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

void SetupPage::Impl::askStarts() { starts.ask(form.config().run.device, services.library.path()); }

} // namespace accumulus::ui
