// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/memory_check.h"

#include "core/config/byte_size.h"
#include "core/config/check_subject.h"

#include <algorithm>
#include <fmt/format.h>

namespace accumulus {

namespace {

constexpr double tightFrom = 0.80, exceedsFrom = 0.95; // what a machine has free changes

std::vector<std::pair<std::string, std::string>> argumentsOf(const MemoryNeed& need, const MemoryFacts& facts) {
    return {{"needed", bytesText(need.bytes)},
            {"source", memorySourceCode(need.source)},
            {"room", facts.limited ? "phrase.memory-limit" : "phrase.memory-free"},
            {"free", bytesText(facts.free)}};
}

/// m halved and K doubled, B unchanged; nothing where m is 1. An odd m becomes the next smaller one that divides B.
std::optional<Fix> halveMicro(const BatchConfig& batch) {
    const auto plan = resolveBatch(batch);
    if (!plan || plan->micro < 2)
        return std::nullopt;
    const std::int64_t share = plan->effective / plan->devices; // of one device, in a window
    std::int64_t micro = plan->micro / 2;
    while (batch.ragged == RaggedPolicy::Refuse && micro > 1 && share % micro != 0)
        --micro;
    const std::int64_t steps = (share + micro - 1) / micro;
    BatchConfig mended = batch;
    mended.micro = micro;
    mended.steps = batch.steps == 0 ? 0 : steps;
    if (const auto same = resolveBatch(mended); !same || same->effective != plan->effective)
        return std::nullopt;
    return fix("halve-micro", {"fix.halve-micro", {{"micro", std::to_string(micro)}, {"steps", std::to_string(steps)}}},
               {fmt::format("batch.micro={}", micro), fmt::format("batch.steps={}", mended.steps)});
}

/// The effective batch halved until the large-batch arm fits, by the line through what the two arms need; at least two
/// micro-steps. Nothing where that is not known, or where a ramp sets the batch.
std::optional<std::int64_t> smallerBatch(const BatchConfig& batch, const MemoryFacts& facts) {
    const auto plan = resolveBatch(batch);
    if (!plan || !plan->ramp.empty() || !facts.need || facts.need->bytes >= facts.largeNeed->bytes)
        return std::nullopt;
    const std::int64_t perMicroStep = plan->micro * plan->devices;
    const auto need = [&](std::int64_t samples) {
        const double share =
            static_cast<double>(samples - plan->micro) / static_cast<double>(plan->effective - plan->micro);
        const auto more = static_cast<double>(facts.largeNeed->bytes - facts.need->bytes);
        return MemoryNeed{facts.need->bytes + static_cast<std::int64_t>(share * more), facts.largeNeed->source};
    };
    for (std::int64_t samples = plan->effective / 2; samples >= 2 * perMicroStep; samples /= 2) {
        const std::int64_t whole = samples - samples % perMicroStep;
        if (memoryLevel(need(whole), facts.free, facts.limited) != MemoryLevel::Exceeds)
            return whole;
    }
    return std::nullopt;
}

/// M05.
Finding largeArmExceeds(const ExperimentConfig& config, const MemoryFacts& facts) {
    std::vector<Fix> fixes;
    if (const auto smaller = smallerBatch(config.run.batch, facts))
        fixes.push_back(fix("smaller-batch", {"fix.use-effective", {{"effective", std::to_string(*smaller)}}},
                            effectiveAssignments(config.run.batch, *smaller)));
    if (facts.freeOnCpu > 0 && memoryLevel(facts.largeNeed, facts.freeOnCpu) != MemoryLevel::Exceeds)
        fixes.push_back(fix("use-cpu", {"fix.use-cpu", {}}, {"device.kind=cpu"}));
    fixes.push_back(fix("audit-only", {"fix.audit-only", {}}, {}));
    fixes.push_back(fix("no-large-batch", {"fix.no-large-batch", {}}, {"study.large_batch=false"}));
    return {"M05", FindingLevel::Warning, "study.large_batch",
            Message{"finding.large-arm-memory", argumentsOf(*facts.largeNeed, facts)}, std::move(fixes)};
}

} // namespace

MemoryLevel memoryLevel(const std::optional<MemoryNeed>& need, std::int64_t free, bool limited) {
    if (!need || free <= 0)
        return MemoryLevel::Unknown;
    const double share = static_cast<double>(need->bytes) / static_cast<double>(free);
    const double most = limited ? 1.0 : exceedsFrom;
    if (need->source == MemorySource::WithoutActivations && share <= most)
        return MemoryLevel::Unknown;
    return share < tightFrom ? MemoryLevel::Fits : share <= most ? MemoryLevel::Tight : MemoryLevel::Exceeds;
}

const char* memorySourceCode(MemorySource source) {
    switch (source) {
    case MemorySource::WithoutActivations:
        return "phrase.memory-without-activations";
    case MemorySource::Formula:
        return "phrase.memory-formula";
    case MemorySource::Fit:
        return "phrase.memory-fit";
    case MemorySource::Measured:
        return "phrase.memory-measured";
    }
    return "";
}

std::int64_t freeForRun(const RunConfig& run, std::int64_t device, bool gpu) {
    const std::int64_t share = gpu ? device : device / std::max<std::int64_t>(1, run.batch.devices);
    const auto limit = parseBytes(run.device.memoryLimit);
    if (!limit || *limit <= 0)
        return share;
    return share > 0 ? std::min(share, *limit) : *limit;
}

bool isMemoryLimit(const RunConfig& run, std::int64_t free) {
    const auto limit = parseBytes(run.device.memoryLimit);
    return limit && *limit > 0 && *limit == free;
}

std::vector<Finding> checkMemory(const ExperimentConfig& config, const MemoryFacts& facts) {
    std::vector<Finding> findings;
    const bool partly = facts.need && facts.need->source == MemorySource::WithoutActivations;
    const Fix probe = fix("probe", {"fix.probe-memory", {}}, {});
    const bool exceeds = memoryLevel(facts.need, facts.free, facts.limited) == MemoryLevel::Exceeds;
    if (partly && exceeds) {
        findings.push_back({"M01",
                            FindingLevel::Warning,
                            "batch.micro",
                            {"finding.memory-without-activations", argumentsOf(*facts.need, facts)},
                            {probe}});
    } else if (exceeds) {
        std::vector<Fix> fixes;
        if (auto halved = halveMicro(config.run.batch))
            fixes.push_back(*std::move(halved));
        if (!facts.accepted)
            fixes.push_back(fix("start-anyway", {"fix.start-anyway", {}}, {}));
        const char* code = facts.accepted ? "finding.memory-accepted" : "config.memory";
        findings.push_back({"M01", facts.accepted ? FindingLevel::Warning : FindingLevel::Error, "batch.micro",
                            Message{code, argumentsOf(*facts.need, facts)}, std::move(fixes)});
    }
    if (config.study.largeBatch && memoryLevel(facts.largeNeed, facts.free, facts.limited) == MemoryLevel::Exceeds)
        findings.push_back(largeArmExceeds(config, facts));
    if (facts.need && facts.need->source <= MemorySource::Formula)
        findings.push_back({"M02",
                            FindingLevel::Info,
                            "",
                            {partly ? "finding.activations-unknown" : "finding.formula-only", {}},
                            {probe}});
    return findings;
}

} // namespace accumulus
