// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_check.h"

#include "core/config/check_subject.h"
#include "core/config/config_fields.h"
#include "core/config/metric_rows.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <utility>

namespace accumulus {

namespace {

using std::int64_t;
using Subject = CheckSubject;

std::string rampAssignment(const BatchRamp& ramp) { return "batch.ramp=" + fieldText(ramp); }

/// V01. True when all values are in range.
bool checkRanges(Subject& subject) {
    bool good = true;
    for (const ConfigField& field : configFields()) {
        const Status status = checkFieldValue(field, field.get(subject.config));
        if (status)
            continue;
        good = false;
        const std::string standard = fieldText(field.get(ExperimentConfig{}));
        subject.addError("V01", field.key, status.error(),
                         {fixUse("use-default", standard, {field.key + '=' + standard})});
    }
    return good;
}

/// The value of the ramp at error.argument("update") replaced, or short micro-batches allowed.
std::vector<Fix> rampFixes(const BatchConfig& batch, const Error& error) {
    std::vector<Fix> fixes;
    const auto use = [&](const char* id, const char* name) {
        BatchRamp ramp = batch.ramp;
        for (RampPoint& point : ramp)
            if (std::to_string(point.update) == error.argument("update"))
                point.effective = std::stoll(error.argument(name));
        fixes.push_back(fixUse(id, error.argument(name), {rampAssignment(ramp)}));
    };
    const bool multiple = error.code == "config.batch.ramp-multiple";
    use("use-upper", multiple ? "upper" : "perMicroStep");
    if (multiple)
        use("use-lower", "lower");
    BatchConfig ragged = batch;
    ragged.ragged = RaggedPolicy::Weight;
    if (resolveBatch(ragged))
        fixes.push_back(fix("allow-ragged", {"fix.allow-ragged", {}}, {"batch.ragged=weight"}));
    return fixes;
}

std::vector<Fix> batchFixes(const BatchConfig& batch, const Error& error) {
    const auto number = [&error](const char* name) { return std::stoll(error.argument(name)); };
    const auto use = [&](const char* id, const char* name) {
        return fixUse(id, error.argument(name), effectiveAssignments(batch, number(name)));
    };
    std::vector<std::string> allowRagged = {"batch.ragged=weight"};
    if (batch.steps != 0)
        allowRagged.emplace_back("batch.steps=0");
    if (error.code == "config.batch.multiple")
        return {use("use-upper", "upper"), use("use-lower", "lower"),
                fix("allow-ragged", {"fix.allow-ragged", {}}, std::move(allowRagged))};
    if (error.code == "config.batch.micro-exceeds") {
        std::vector<Fix> fixes = {use("use-upper", "perMicroStep")};
        if (batch.effective % batch.devices == 0) {
            const int64_t micro = batch.effective / batch.devices;
            fixes.push_back(fix("use-micro", {"fix.use-micro", {{"micro", std::to_string(micro)}}},
                                {fmt::format("batch.micro={}", micro), "batch.steps=0"}));
        }
        return fixes;
    }
    if (error.code.starts_with("config.batch.ramp"))
        return rampFixes(batch, error);
    if (error.code != "config.batch.disagree")
        return {};
    std::vector<Fix> fixes = {
        fix("derive-steps", {"fix.use-steps", {{"steps", error.argument("derived")}}}, {"batch.steps=0"})};
    if (batch.ramp.empty() || batch.ramp.front().update > 1) // which would replace the product
        fixes.push_back(fix("use-product", {"fix.use-effective", {{"effective", error.argument("product")}}},
                            {"batch.effective=0"}));
    return fixes;
}

/// B02.
void checkBatchAgainstData(Subject& subject, const BatchPlan& plan) {
    const int64_t samples = subject.trainSamples;
    const int64_t largest = plan.largestEffective();
    if (samples <= 0 || largest <= samples)
        return;
    const BatchConfig& batch = subject.config.run.batch;
    const int64_t perMicroStep = plan.micro * plan.devices;
    const bool anyNumber = batch.ragged == RaggedPolicy::Weight && plan.micro <= samples;
    const int64_t best = anyNumber || perMicroStep > samples ? samples : samples / perMicroStep * perMicroStep;
    std::vector<std::string> assignments;
    if (plan.effective > samples)
        assignments = effectiveAssignments(batch, best);
    BatchRamp ramp = batch.ramp;
    for (RampPoint& point : ramp)
        point.effective = point.effective > samples ? best : point.effective;
    if (ramp != batch.ramp)
        assignments.push_back(rampAssignment(ramp));
    if (!anyNumber && perMicroStep > samples) {
        assignments.push_back(fmt::format("batch.micro={}", samples));
        assignments.emplace_back("batch.devices=1");
    }
    const Error error{"config.batch.exceeds-data",
                      {{"effective", std::to_string(largest)}, {"samples", std::to_string(samples)}}};
    subject.addError("B02", plan.effective > samples ? "batch.effective" : "batch.ramp", error,
                     {fixUse("use-training-set", std::to_string(best), assignments)});
}

/// B04.
void checkTail(Subject& subject, const BatchPlan& plan) {
    const TailPolicy tail = subject.config.run.batch.tail;
    const EpochPlan epoch = planEpoch(plan, subject.trainSamples, tail);
    if (epoch.tailSamples == 0 || epoch.fullWindows == 0 || tail == TailPolicy::Carry)
        return;
    std::vector<Fix> fixes;
    if (tail != TailPolicy::Apply)
        fixes.push_back(fix("tail-apply", {"fix.tail-apply", {}}, {"batch.tail=apply"}));
    if (tail != TailPolicy::Drop)
        fixes.push_back(fix("tail-drop", {"fix.tail-drop", {}}, {"batch.tail=drop"}));
    fixes.push_back(fix("tail-carry", {"fix.tail-carry", {}}, {"batch.tail=carry"}));
    // Applied by its own weight it is right, and only worth knowing.
    const FindingLevel level = tail == TailPolicy::Apply ? FindingLevel::Info : FindingLevel::Warning;
    subject.add("B04", level, "batch.tail",
                {"finding.short-window",
                 {{"tail", std::to_string(epoch.tailSamples)},
                  {"effective", std::to_string(plan.effectiveAt(epoch.fullWindows + 1))}}}, // of the first epoch's end
                std::move(fixes));
}

/// B05.
void checkNormalisation(Subject& subject, const BatchPlan& plan) {
    const RunConfig& run = subject.config.run;
    if (run.loss.normalise == Normalise::Samples || run.loss.normalise == Normalise::Tokens)
        return;
    const int64_t tailSamples = planEpoch(plan, subject.trainSamples, run.batch.tail).tailSamples;
    const bool tailCounts = run.batch.tail == TailPolicy::Apply || run.batch.tail == TailPolicy::Leak;
    const bool ragged = plan.ragged() || std::ranges::any_of(plan.ramp, [&plan](const RampPoint& point) {
                            return point.effective % plan.micro != 0;
                        });
    if (!ragged && !(tailCounts && tailSamples % plan.micro != 0))
        return;
    subject.add("B05", FindingLevel::Warning, "loss.normalise", {"finding.mean-of-means", {}},
                {fix("normalise-samples", {"fix.normalise-samples", {}}, {"loss.normalise=samples"})});
}

/// O02.
void checkWarmup(Subject& subject, const BatchPlan& plan) {
    const RunConfig& run = subject.config.run;
    const auto inUpdates = [](const Extent& extent) { return extent.unit == Extent::Unit::Updates; };
    if (run.schedule.warmup.count == 0)
        return;
    if (subject.trainSamples <= 0 && !(inUpdates(run.schedule.warmup) && inUpdates(run.train.length)))
        return;
    // Amounts in updates do not ask for the size of the data: any that fills a window will do.
    const int64_t samples = std::max(subject.trainSamples, plan.largestEffective());
    const int64_t updates = totalUpdates(plan, samples, run.batch.tail, run.train.length);
    const int64_t warmup = extentInUpdates(run.schedule.warmup, plan, samples, run.batch.tail);
    if (warmup <= updates)
        return;
    const int64_t suggested = std::max<int64_t>(1, updates / 20);
    const Error error{"config.warmup",
                      {{"warmup", std::to_string(warmup)},
                       {"updates", std::to_string(updates)},
                       {"suggested", std::to_string(suggested)}}};
    subject.addError(
        "O02", "schedule.warmup", error,
        {fixUse("warmup-5-percent", "5 %", {"schedule.warmup=" + extentText({suggested, Extent::Unit::Updates})})});
}

/// B01 and all that needs a resolved batch.
void checkBatch(Subject& subject) {
    const auto plan = resolveBatch(subject.config.run.batch);
    if (!plan) {
        const std::string& code = plan.error().code;
        const bool ramp = code.starts_with("config.batch.ramp");
        const char* key = ramp ? "batch.ramp" : code == "config.batch.disagree" ? "batch.steps" : "batch.effective";
        subject.addError("B01", key, plan.error(), batchFixes(subject.config.run.batch, plan.error()));
        checkModel(subject, nullptr);
        return;
    }
    if (const int64_t used = usedSamples(subject.config.run.data, *plan, subject.trainSamples); used > 0)
        subject.trainSamples = used;
    checkBatchAgainstData(subject, *plan);
    checkTail(subject, *plan);
    checkNormalisation(subject, *plan);
    checkWarmup(subject, *plan);
    checkModel(subject, &*plan);
}

/// D03, D04, D10.
void checkConflicts(Subject& subject) {
    const RunConfig& run = subject.config.run;
    if (run.data.trainLimit > 0 && run.data.validation >= run.data.trainLimit)
        subject.addError("D03", "data.validation",
                         conflict("data.validation", std::to_string(run.data.validation),
                                  fmt::format("data.train_limit = {}", run.data.trainLimit), "all-validation"),
                         {fixUse("no-validation", "0", {"data.validation=0"})});
    if (run.batch.devices > 1 && subject.machine.ranks == 1 && !subject.machine.launchesRanks)
        subject.addError(
            "D04", "batch.devices",
            conflict("batch.devices", std::to_string(run.batch.devices), "phrase.single-process", "single-process"),
            {fixUse("one-device", "1", {"batch.devices=1", "batch.steps=0"})});
    const ParallelConfig& parallel = run.parallel;
    const bool sendsEach = parallel.mode == ParallelMode::Zero2 || parallel.order == ReductionOrder::MicroSteps;
    if (run.batch.devices > 1 && run.batch.lean && sendsEach)
        subject.addError("D10", "batch.lean",
                         conflict("batch.lean", "true",
                                  parallel.mode == ParallelMode::Zero2 ? "parallel.mode = \"zero2\""
                                                                       : "parallel.order = \"micro-steps\"",
                                  "lean-ranks"),
                         {fixUse("not-lean", "false", {"batch.lean=false"})});
}

/// Whoever types one number may mean how many: nothing for one that hardly means that, or another fix says.
std::optional<Fix> thatManySeeds(std::int64_t number) {
    constexpr std::int64_t most = 20;
    if (number < static_cast<std::int64_t>(seedsForVerdict) || number > most || number == 5)
        return std::nullopt;
    std::vector<std::int64_t> seeds(static_cast<std::size_t>(number));
    std::iota(seeds.begin(), seeds.end(), 0);
    return fix("that-many-seeds", {"fix.that-many-seeds", {{"seeds", std::to_string(number)}}},
               {"study.seeds=" + fieldText(seeds)});
}

/// Samples that evaluations of the metric look at, as far as the settings bound them; 0: the data set does.
std::int64_t evaluatedSamples(CompareMetric metric, const DataConfig& data) {
    return metricRow(metric).ofTest ? data.validation : data.testLimit;
}

/// P03: shares of so few answers that not even equal ones show equivalence.
void checkMargin(Subject& subject) {
    const StudyConfig& study = subject.config.study;
    const RunConfig& run = subject.config.run;
    const auto metric = studyMetric(study.metric, run);
    if (!study.largeBatch || !metric)
        return;
    const double step = metricStep(*metric, run, evaluatedSamples(*metric, run.data));
    const double margin = study.margin > 0.0 ? study.margin : defaultMargin(*metric, 0.0);
    if (stepTellsMargin(step, margin))
        return;
    const bool ofTest = !metricRow(*metric).ofTest;
    std::vector<Fix> fixes;
    if (ofTest)
        fixes.push_back(fix("whole-test-set", {"fix.whole-test-set", {}}, {"data.test_limit=0"}));
    const std::string loss = metricName(ofTest ? CompareMetric::TestLoss : CompareMetric::ValidationLoss);
    if (study.margin == 0.0) // a margin of points says nothing of a loss
        fixes.push_back(fixUse("use-loss", loss, {"study.metric=" + loss}));
    const auto points = [](double share) { return fmt::format("{:.4g}", 100.0 * share); };
    subject.add("P03", FindingLevel::Warning, ofTest ? "data.test_limit" : "data.validation",
                {"finding.coarse-metric",
                 {{"step", points(step)}, {"margin", points(margin)}, {"metric", "metric." + metricName(*metric)}}},
                std::move(fixes));
}

/// P01, P03, O03.
void checkPlan(Subject& subject) {
    const StudyConfig& study = subject.config.study;
    if (study.largeBatch && study.seeds.size() < seedsForVerdict) {
        const std::string needed = std::to_string(seedsForVerdict);
        std::vector<Fix> fixes{fix("five-seeds", {"fix.five-seeds", {}}, {"study.seeds=[0,1,2,3,4]"})};
        if (study.seeds.size() == 1) {
            const std::string seed = std::to_string(study.seeds.front());
            if (auto many = thatManySeeds(study.seeds.front()))
                fixes.insert(fixes.begin(), *std::move(many));
            subject.add("P01", FindingLevel::Warning, "study.seeds",
                        {"finding.one-seed", {{"seeds", "1"}, {"needed", needed}, {"seed", seed}}}, std::move(fixes));
        } else {
            subject.add("P01", FindingLevel::Warning, "study.seeds",
                        {"finding.few-seeds", {{"seeds", std::to_string(study.seeds.size())}, {"needed", needed}}},
                        std::move(fixes));
        }
    }
    checkMargin(subject);
    if (subject.config.run.train.clipNorm > 0.0)
        subject.add("O03", FindingLevel::Info, "train.clip_norm", {"finding.clipping", {}}, {});
}

} // namespace

std::vector<Finding> checkConfig(const ExperimentConfig& config, int64_t trainSamples, const MachineFeatures& machine) {
    std::vector<Finding> findings;
    Subject subject{config, trainSamples, machine, findings};
    if (checkRanges(subject)) {
        checkBatch(subject);
        checkConflicts(subject);
        checkNumerics(subject);
        checkLoss(subject);
    }
    checkPlan(subject);
    std::ranges::stable_sort(findings, std::ranges::greater{}, &Finding::level);
    return findings;
}

Status requireValid(const ExperimentConfig& config, int64_t trainSamples, const MachineFeatures& machine) {
    const auto findings = checkConfig(config, trainSamples, machine);
    if (findings.empty() || findings.front().level != FindingLevel::Error)
        return {};
    return failure(findings.front().message);
}

} // namespace accumulus
