// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/micro_step_graph.h"

#include "core/cuda/device.h"
#include "core/engine/memory_counter.h"
#include "core/engine/update_graph.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <limits>

namespace accumulus {

MicroStepGraph::MicroStepGraph(MicroStep& step, ModelState& state, DeviceSums& sums, const Settings& settings)
    : m_step(step), m_state(state), m_sums(sums), m_settings(settings),
      m_mostBytes(settings.mostBytes > 0 ? settings.mostBytes : std::numeric_limits<std::int64_t>::max()),
      m_keys(settings.device, settings.largestWindow,
             [&step](const SampleKeys& keys) { return step.unitsOf(keys).value_or(0.0); }) {
    m_row = at::zeros({1}, m_keys.options());
    m_weight = at::zeros({1}, m_keys.options().dtype(at::kDouble));
    if (settings.scaled)
        m_lossScale = at::ones({1}, m_keys.options().dtype(settings.type));
}

void MicroStepGraph::begin(const WindowPlan& plan, const WindowRequest& request, bool wanted) {
    m_taken.clear();
    m_seed = request.seed;
    const std::int64_t steps = std::ssize(plan.microSizes);
    if (!wanted || !m_problem.empty() || request.done >= steps || !m_keys.fits(plan))
        return;
    ++m_windows;
    m_sums.reserve(m_sums.microSteps() + steps - request.done); // a leaking tail may have left some in it
    dropMoved();
    m_keys.upload(plan, request.seed, weightsAt(request.scale));
    if (m_settings.scaled && m_scale != request.scale)
        m_lossScale.fill_(request.scale);
    m_scale = request.scale;
    recordSizes(plan);
    m_taken.resize(plan.microSizes.size());
    for (std::size_t k = 0; k < m_taken.size() && m_problem.empty(); ++k) {
        Graph& graph = m_graphs[plan.microSizes[k]];
        // A micro-batch without loss units has no gradient.
        m_taken[k] = graph.captured && m_keys.units()[k] > 0.0 ? &graph : nullptr;
    }
    if (std::ranges::any_of(m_taken, [](const Graph* graph) { return graph != nullptr; }) &&
        !m_state.statistics.keeps())
        m_state.statistics.open();
}

WindowKeys::WeightOf MicroStepGraph::weightsAt(double scale) const {
    return [this, scale](double units) { return units > 0.0 ? m_state.window.commitWeight(units) / scale : 0.0; };
}

/// What was recorded on memory that has moved since.
void MicroStepGraph::dropMoved() {
    if (m_generation == m_sums.generation() && m_buffer == m_step.source().bufferAddress())
        return;
    giveBack();
    m_generation = m_sums.generation();
    m_buffer = m_step.source().bufferAddress();
}

/// The sizes of a window: that of its micro-batches, and of a shorter last one.
void MicroStepGraph::recordSizes(const WindowPlan& plan) {
    for (const std::int64_t size : {plan.microSizes.front(), plan.microSizes.back()}) {
        Graph& graph = m_graphs[size];
        const std::int64_t cameBefore = std::exchange(graph.lastWindow, m_windows);
        if (cameBefore == m_windows || graph.captured || graph.refused || !m_problem.empty())
            continue;
        // Warm-ups change the window. On several ranks one counts what another one's sums still hold.
        const std::vector<bool>& touched = m_state.window.touched();
        if (!m_state.window.empty() || std::ranges::find(touched, true) != touched.end())
            continue;
        if (isWorthIt(plan, size, cameBefore))
            record(size, cameBefore);
    }
}

/// To record costs more than a few micro-steps: what came once, as the short end of an epoch, waits until it comes
/// again.
bool MicroStepGraph::isWorthIt(const WindowPlan& plan, std::int64_t size, std::int64_t cameBefore) const {
    const bool first =
        std::ranges::none_of(m_graphs, [](const auto& entry) { return entry.second.captured != nullptr; });
    return cameBefore > 0 || first || std::ranges::count(plan.microSizes, size) > 1;
}

std::int64_t MicroStepGraph::held() const {
    std::int64_t bytes = 0;
    for (const auto& [size, graph] : m_graphs)
        bytes += graph.captured ? graph.bytes : 0;
    return bytes;
}

/// As it was the last time, or in proportion to another size.
std::int64_t MicroStepGraph::expectedBytes(std::int64_t size) const {
    if (const std::int64_t known = m_graphs.at(size).bytes; known > 0)
        return known;
    std::int64_t expected = 1;
    for (const auto& [other, graph] : m_graphs)
        expected = std::max(expected, graph.bytes / other * size);
    return expected;
}

/// Lets go of the size that came longest ago, if that is longer than this size did not come: sizes that take turns
/// must not drive each other out.
bool MicroStepGraph::dropOlder(std::int64_t size, std::int64_t cameBefore) {
    Graph* oldest = nullptr;
    for (auto& [other, graph] : m_graphs)
        if (graph.captured && other != size && graph.lastWindow < cameBefore &&
            (!oldest || graph.lastWindow < oldest->lastWindow))
            oldest = &graph;
    if (!oldest)
        return false;
    oldest->drop();
    releaseUnused();
    return true;
}

/// Room beside the others; one alone may have what it needs.
bool MicroStepGraph::makeRoom(std::int64_t size, std::int64_t bytes, std::int64_t cameBefore) {
    const auto others = [&] { return held() - (m_graphs[size].captured ? m_graphs[size].bytes : 0); };
    while (others() > 0 && others() > m_mostBytes - bytes)
        if (!dropOlder(size, cameBefore))
            return false;
    return true;
}

void MicroStepGraph::record(std::int64_t size, std::int64_t cameBefore) {
    Graph& graph = m_graphs[size];
    if (!makeRoom(size, expectedBytes(size), cameBefore))
        return;
    for (bool again = true; again;) {
        again = false;
        try {
            capture(size);
        } catch (const std::exception& problem) {
            graph.drop();
            const bool noMemory = isOutOfMemory(std::current_exception());
            again = noMemory && dropOlder(size, cameBefore);
            if (!again && held() == 0)
                m_problem = firstLineOf(problem);
            else if (!again && noMemory) // more than there are now do not fit
                m_mostBytes = std::min(m_mostBytes, held());
            else if (!again)
                graph.refused = true;
        }
        // What the warm-ups have left.
        m_nextRow = -1;
        m_state.window.clear();
        m_state.statistics.clear();
        if (graph.captured && !makeRoom(size, graph.bytes, cameBefore))
            graph.drop();
        if (!graph.captured)
            releaseUnused();
    }
}

/// Also what was a pool of a graph that is gone.
void MicroStepGraph::releaseUnused() const {
    if (m_settings.device.is_cuda())
        gpu::releaseUnused(m_settings.device);
}

void MicroStepGraph::capture(std::int64_t size) {
    Graph& graph = m_graphs[size];
    graph.keys = at::zeros({size, 2}, m_keys.options());
    graph.touched.assign(m_state.window.touched().size(), false);
    if (!m_state.statistics.keeps())
        m_state.statistics.open(); // not part of what is repeated
    const auto again = [&](const auto& work) {
        m_row.zero_();
        work();
    };
    const MemoryPeak taken;
    for (int i = 0; i < gpu::CapturedGraph::usualWarmUps; ++i)
        again([&] { body(graph); });
    m_row.zero_();
    graph.captured = std::make_unique<gpu::CapturedGraph>(
        m_settings.device, [this, &graph] { body(graph); }, 0);
    // Its first launch needs memory, too; now another way is still open.
    again([&] { graph.captured->run(); });
    // Without a GPU, what the work took at most stands for what a pool would keep.
    graph.bytes = m_settings.device.is_cuda() ? graph.captured->bytes() : taken.bytes();
    graph.bytes = std::max<std::int64_t>(graph.bytes, 1);
}

/// What is recorded.
void MicroStepGraph::body(Graph& graph) {
    m_keys.select(m_row, graph.keys, m_weight);
    const MicroGradient micro = m_step.gradientOnDevice(graph.keys, m_lossScale);
    const at::NoGradGuard noGrad;
    m_sums.queueMicroStep(micro.gradients, m_weight, micro.lossOnDevice);
    if (m_state.statistics.keeps())
        graph.statistics = micro.statistics;
    else
        m_state.statistics.commit(micro.statistics);
    for (std::size_t i = 0; i < graph.touched.size(); ++i)
        graph.touched[i] = micro.gradients[i].defined();
}

bool MicroStepGraph::takes(std::int64_t index) const {
    const auto at = static_cast<std::size_t>(index);
    return at < m_taken.size() && m_taken[at] && m_generation == m_sums.generation();
}

void MicroStepGraph::queueRow(std::int64_t row) {
    const at::NoGradGuard noGrad;
    if (m_nextRow != row)
        m_row.fill_(row);
    m_nextRow = row;
}

void MicroStepGraph::run(std::int64_t index) {
    queueRow(index);
    m_nextRow = index + 1;
    Graph& graph = *m_taken[static_cast<std::size_t>(index)];
    graph.captured->run();
    if (m_state.statistics.keeps())
        keepStatistics(graph, index);
    m_sums.countMicroStep();
    m_state.window.countMicroStep(graph.touched, m_keys.units()[static_cast<std::size_t>(index)], m_scale, index);
}

/// On several ranks, which put them together at the window's end: as they are now, before the graph runs again.
void MicroStepGraph::keepStatistics(const Graph& graph, std::int64_t index) {
    const at::NoGradGuard noGrad;
    auto statistics = graph.statistics;
    for (auto& layer : statistics)
        for (NormStatistics& group : layer) {
            group.mean = group.mean.clone();
            group.variance = group.variance.clone();
        }
    m_state.statistics.commit(statistics, index);
}

void MicroStepGraph::foresee(const WindowPlan& next) {
    if (!m_problem.empty())
        return;
    m_keys.foresee(next, m_seed, weightsAt(m_scale));
    queueRow(0);
}

void MicroStepGraph::giveBack() {
    m_taken.clear();
    for (auto& [size, graph] : m_graphs) {
        graph.drop();
        graph.refused = false;
    }
    releaseUnused();
}

} // namespace accumulus
