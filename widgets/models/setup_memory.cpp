// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/setup_memory.h"

#include "core/config/config_fields.h"
#include "core/run/file_stamps.h"
#include "widgets/models/plan_facts.h"

#include <algorithm>

namespace accumulus::ui {

namespace {

constexpr int askDelay = 120;

std::string keyOf(const RunConfig& run) {
    std::string text;
    const ExperimentConfig experiment{run, {}};
    for (const ConfigField& field : configFields())
        text += fieldText(field.get(experiment)) + '\n';
    return text;
}

/// The large-batch arm as planStudy() plans it.
RunConfig largeArm(RunConfig run, const BatchPlan& batch) {
    run.batch.effective = run.batch.micro = batch.largestEffective();
    run.batch.steps = 0;
    run.batch.devices = 1;
    run.device.lanes = 1;
    run.device.threads = 0;
    return run;
}

std::optional<MemoryNeed> byFormula(const MemoryEstimate* formula) {
    if (!formula)
        return std::nullopt;
    return MemoryNeed{formula->total(), formula->complete ? MemorySource::Formula : MemorySource::WithoutActivations};
}

} // namespace

RunConfig memoryPart(const RunConfig& run) {
    RunConfig part;
    part.data = run.data;
    part.data.trainLimit = part.data.testLimit = 0;
    part.data.validation = std::min<std::int64_t>(run.data.validation, 1); // it may be the only test part
    part.data.dropLast = false;
    part.model = run.model;
    part.batch.micro = run.batch.micro;
    part.batch.devices = run.batch.devices;
    part.batch.lean = run.batch.lean;
    part.batch.ragged = run.batch.ragged;
    const auto batch = resolveBatch(run.batch); // K given or derived is the same
    part.batch.effective = batch ? batch->effective : run.batch.effective;
    part.batch.steps = 0;
    part.loss = run.loss;
    part.optimizer.name = run.optimizer.name;
    part.optimizer.momentum = run.optimizer.momentum > 0.0 ? 0.9 : 0.0;
    part.numerics = run.numerics;
    part.device = run.device;
    part.device.memoryLimit.clear();
    part.parallel = run.parallel;
    return part;
}

SetupMemory::SetupMemory(LibraryGateway& library, MemoryQueries queries, QObject* parent)
    : QObject(parent), m_library(library), m_queries(std::move(queries)) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(askDelay);
    connect(&m_rest, &QTimer::timeout, this, &SetupMemory::askNow);
    connect(&library, &LibraryGateway::opened, this, [this] { forget(); });
}

void SetupMemory::tellThrown(const Error& error) {
    if (LookUps::wasThrown(error))
        Q_EMIT failed(error);
}

void SetupMemory::ask(const ExperimentConfig& experiment) {
    if (experiment.run.device.kind != m_experiment.run.device.kind)
        m_roomAsked = false;
    m_experiment = experiment;
    m_part = memoryPart(experiment.run);
    m_files = filesOf(m_part);
    setKeys();
    RunConfig planned = m_part; // a plan is one of all m
    planned.batch.micro = 1;
    planned.device.memoryLimit = experiment.run.device.memoryLimit;
    if (m_planFor != planned) {
        m_planFor = planned;
        m_plan.reset();
        m_libraryAsked = false;
    }
    m_rest.start();
}

void SetupMemory::askNow() {
    if (!m_roomAsked)
        askRoom();
    if (!resolveBatch(m_experiment.run.batch))
        return;
    askStamps();
    if (!m_libraryAsked)
        askLibrary();
}

std::string SetupMemory::stampOfFiles() const {
    const auto known = m_stamps.find(m_files);
    return known == m_stamps.end() ? std::string() : known->second;
}

void SetupMemory::setKeys() {
    const std::string stamp = stampOfFiles();
    m_key = keyOf(m_part) + stamp;
    m_largeKey.clear();
    const auto batch = resolveBatch(m_experiment.run.batch);
    if (!m_experiment.study.largeBatch || !batch)
        return;
    m_largePart = memoryPart(largeArm(m_experiment.run, *batch));
    m_largeKey = keyOf(m_largePart) + stamp;
}

// Files are written anew under their old names.
void SetupMemory::askStamps() {
    m_lookUps.ask<std::string>([run = m_part]() -> Result<std::string> { return fileStamps(run); },
                               [this, files = m_files](const Result<std::string>& stamp) {
                                   takeStamps(files, stamp.value_or(std::string()));
                                   if (!stamp)
                                       tellThrown(stamp.error());
                               });
}

void SetupMemory::takeStamps(const std::string& files, const std::string& stamp) {
    const auto known = m_stamps.find(files);
    const bool rewritten = known != m_stamps.end() && known->second != stamp;
    m_stamps.insert_or_assign(files, stamp);
    if (files != m_files || !resolveBatch(m_experiment.run.batch))
        return;
    setKeys();
    askEstimate(m_part, m_key);
    askPlanned();
    if (!m_largeKey.empty())
        askEstimate(m_largePart, m_largeKey);
    if (!rewritten)
        return;
    m_plan.reset(); // of the network that stood there
    askLibrary();
    Q_EMIT changed();
}

void SetupMemory::forget() {
    m_libraryAsked = m_roomAsked = false;
    ask(ExperimentConfig(m_experiment));
}

void SetupMemory::accept() {
    m_accepted = m_part;
    Q_EMIT changed();
}

void SetupMemory::askEstimate(const RunConfig& run, const std::string& key) {
    if (!m_queries.estimate || m_estimates.contains(key) || !m_asked.insert(key).second)
        return;
    m_lookUps.ask<MemoryEstimate>([run, estimate = m_queries.estimate] { return estimate(run); },
                                  [this, key](const Result<MemoryEstimate>& answer) {
                                      m_asked.erase(key);
                                      m_estimates[key] = answer ? std::optional(*answer) : std::nullopt;
                                      Q_EMIT changed();
                                      if (!answer)
                                          tellThrown(answer.error());
                                  });
}

void SetupMemory::askRoom() {
    m_roomAsked = true;
    if (!m_queries.room)
        return;
    const DeviceConfig device = m_experiment.run.device;
    m_lookUps.ask<DeviceRoom>([device, ask = m_queries.room]() -> Result<DeviceRoom> { return ask(device); },
                              [this, kind = device.kind](const Result<DeviceRoom>& room) {
                                  if (!room)
                                      return tellThrown(room.error());
                                  if (kind != m_experiment.run.device.kind || *room == m_room)
                                      return;
                                  m_room = *room;
                                  Q_EMIT changed();
                              });
}

void SetupMemory::askLibrary() {
    if (!m_library.isOpen())
        return;
    m_libraryAsked = true;
    if (m_queries.plan)
        m_library.query<Result<std::optional<MicroPlan>>>(
            this, QStringLiteral("setup.plan"),
            [plan = m_queries.plan, file = m_library.path(),
             request = PlanRequest{.config = m_experiment.run}](RunReader&) { return plan(file, request); },
            [this, asked = m_planFor](Result<std::optional<MicroPlan>> answer) {
                if (asked != m_planFor)
                    return; // meanwhile the form is about another network
                m_plan = answer ? *std::move(answer) : std::nullopt;
                askPlanned();
                Q_EMIT changed();
            });
    using Peaks = std::vector<std::pair<RunConfig, std::int64_t>>;
    m_library.query<Peaks>(
        this, QStringLiteral("setup.peaks"),
        [](RunReader& reader) {
            Peaks peaks;
            for (const RunRecord& run : reader.runs().value_or(std::vector<RunRecord>{}))
                if (run.summary.peakBytes > 0)
                    peaks.emplace_back(memoryPart(run.config), run.summary.peakBytes);
            return peaks;
        },
        [this](Peaks peaks) {
            m_peaks = std::move(peaks);
            Q_EMIT changed();
        });
}

/// What stays depends on the lanes, which a plan has measured and a run finds alike.
void SetupMemory::askPlanned() {
    m_plannedKey.clear();
    const auto lanes = m_plan ? lanesAt(*m_plan, m_experiment.run.batch.micro) : std::nullopt;
    if (!lanes)
        return;
    RunConfig planned = m_part;
    planned.device.lanes = *lanes;
    m_plannedKey = keyOf(planned) + stampOfFiles();
    askEstimate(planned, m_plannedKey);
}

const MemoryEstimate* SetupMemory::estimateOf(const std::string& key) const {
    const auto known = m_estimates.find(key);
    return known == m_estimates.end() || !known->second ? nullptr : &*known->second;
}

const MemoryEstimate* SetupMemory::estimate() const { return estimateOf(m_key); }

std::optional<MemoryEstimate> SetupMemory::parts() const {
    const MemoryEstimate* planned = m_plannedKey.empty() ? nullptr : estimateOf(m_plannedKey);
    if (m_plan && planned)
        if (const auto measured = measuredParts(*m_plan, m_experiment.run.batch.micro, *planned))
            return measured;
    return estimate() ? std::optional(*estimate()) : std::nullopt;
}

std::optional<MemoryNeed> SetupMemory::need() const {
    if (m_plan)
        if (const auto measured = memoryAt(*m_plan, m_experiment.run.batch.micro))
            return measured;
    return byFormula(estimate());
}

/// It is computed on one lane, and the plan's sizes perhaps on several: what each of those holds is told by the
/// formula.
std::optional<MemoryNeed> SetupMemory::largeNeed() const {
    const MemoryEstimate* formula = m_largeKey.empty() ? nullptr : estimateOf(m_largeKey);
    if (!m_plan || !formula)
        return byFormula(formula);
    const MemoryEstimate* planned = m_plannedKey.empty() ? nullptr : estimateOf(m_plannedKey);
    const auto lanes = lanesAt(*m_plan, m_experiment.run.batch.micro);
    std::optional<std::int64_t> gradients;
    if (planned && lanes && *lanes > 1)
        gradients = std::max<std::int64_t>(0, planned->gradients - formula->gradients) / (*lanes - 1);
    const auto measured = memoryOnOneLane(*m_plan, m_largePart.batch.micro, gradients);
    return measured ? measured : byFormula(formula);
}

std::optional<std::int64_t> SetupMemory::lastPeak() const {
    const auto found = std::ranges::find_if(m_peaks, [this](const auto& peak) { return peak.first == m_part; });
    return found == m_peaks.end() ? std::nullopt : std::optional(found->second);
}

MemoryFacts SetupMemory::facts() const {
    MemoryFacts facts;
    facts.need = need();
    facts.largeNeed = largeNeed();
    facts.gpu = m_room.gpu;
    const std::int64_t free =
        m_room.free == 0 && m_plan ? m_plan->memoryLimit : m_room.free; // of a card that is silent
    facts.free = freeForRun(m_experiment.run, free, m_room.gpu);
    facts.limited =
        !m_room.gpu && isMemoryLimit(m_experiment.run, facts.free); // a card's allocator holds more than tensors
    const bool own = m_room.gpu || m_experiment.run.batch.devices == 1;
    if (own && m_room.free > 0 && m_room.total >= m_room.free) {
        facts.total = m_room.total;
        facts.others = m_room.total - m_room.free;
    }
    if (m_room.gpu)
        facts.freeOnCpu = m_room.freeOnCpu > 0 ? freeForRun(m_experiment.run, m_room.freeOnCpu, false) : 0;
    facts.accepted = m_accepted == m_part;
    return facts;
}

} // namespace accumulus::ui
