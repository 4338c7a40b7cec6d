// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the library. Owned by one thread; never writes; may read while another process writes. Errors:
// "library.read", "library.no-run".
#pragma once

#include "core/base/rank_totals.h"
#include "core/store/library.h"
#include "core/store/run_records.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace accumulus {

/// Columns of the windows table in struct-of-arrays form, for plots and statistics. All vectors have one length;
/// superseded rows are left out. A value that was not finite or not measured is NaN. Only window, samples and the
/// requested columns are filled: each further one takes its time.
struct WindowColumns {
    std::vector<std::int64_t> window;
    std::vector<double> update, samples, epochs, wallTime,
        activeSeconds; ///< x axes; update counts applied updates, NaN where none
    std::vector<double> loss, gradNorm, lr, samplesPerSecond;
    std::vector<double> noiseS, noiseG2; ///< estimates of tr Sigma and |G|^2; NaN where the window gave none
    std::vector<double> units;           ///< N, loss units of the window
    std::vector<double> peakBytes;       ///< of tensors in training so far; 0: not measured
    [[nodiscard]] std::size_t size() const { return window.size(); }
};

enum WindowMetric : unsigned {
    MetricLoss = 1,
    MetricGradNorm = 2,
    MetricLr = 4,
    MetricSamplesPerSecond = 8,
    MetricNoise = 16,
    MetricMemory = 32,
    MetricUnits = 64,
    MetricUpdate = 128,
    MetricEpochs = 256,
    MetricWallTime = 512,
    MetricActiveSeconds = 1024,
    MetricAll = 2047,
};

struct RunFilter {
    bool trashed = false;
    std::string study{};      ///< only this study's runs; empty: all
    bool active = false;      ///< only runs that somebody trains, or pauses
    bool interrupted = false; ///< only runs that were interrupted here, and the others of their studies
};

class RunReader {
public:
    explicit RunReader(Library library);
    RunReader(RunReader&&) noexcept;
    RunReader& operator=(RunReader&&) noexcept;
    ~RunReader();

    [[nodiscard]] Library& library();

    /// Newest first. Never touches windows.
    [[nodiscard]] Result<std::vector<RunRecord>> runs(const RunFilter& filter = {});
    /// By UUID or an unambiguous prefix of at least 4 characters. Errors "library.no-run", "library.ambiguous-run".
    [[nodiscard]] Result<RunRecord> run(const std::string& idOrPrefix);
    [[nodiscard]] Result<std::vector<StudyRecord>> studies();
    [[nodiscard]] Result<StudyRecord> study(const std::string& id);

    /// Rows with window > afterWindow, in order, without superseded ones and without their ranks.
    [[nodiscard]] Result<std::vector<WindowRecord>> windows(const std::string& run, std::int64_t afterWindow = 0);
    /// One row per rank of the windows > afterWindow that several ranks computed, by window and rank, without
    /// superseded ones.
    [[nodiscard]] Result<std::vector<RankTimes>> rankTimes(const std::string& run, std::int64_t afterWindow = 0);
    /// Their sums over the windows that as many ranks computed as the last one; no ranks where one computed all.
    [[nodiscard]] Result<RankTotals> rankTotals(const std::string& run);
    /// Rows of the parameter probe, of each window's latest attempt.
    [[nodiscard]] Result<std::vector<MicroStepRecord>> microSteps(const std::string& run, std::int64_t afterWindow = 0);
    [[nodiscard]] Result<WindowColumns> windowColumns(const std::string& run, unsigned metrics = MetricAll,
                                                      std::int64_t afterWindow = 0);
    /// Of the first window of each attempt, of those whose number is a multiple of `every` (or the next one there is),
    /// and of the last one: runs of one length give the same windows. Looks at no others. Without samples per second.
    [[nodiscard]] Result<WindowColumns> windowOutline(const std::string& run, unsigned metrics, std::int64_t every);
    [[nodiscard]] Result<std::int64_t> windowCount(const std::string& run);
    [[nodiscard]] Result<std::vector<EvaluationRecord>> evaluations(const std::string& run);
    [[nodiscard]] Result<std::vector<EventRecord>> events(const std::string& run);
    [[nodiscard]] Result<std::vector<CheckpointRecord>> checkpoints(const std::string& run);

    /// What is or was trained elsewhere, newest first.
    [[nodiscard]] Result<std::vector<LaunchRecord>> launches();
    /// The last launch that trained this run or is to train it, without those that never began. Nothing where this
    /// machine trains it, or did last.
    [[nodiscard]] Result<std::optional<LaunchRecord>> launchOf(const RunRecord& run);

    /// What waits, in order; first the one whose turn has come and whose runs are not there yet.
    [[nodiscard]] Result<std::vector<QueueRecord>> queue();

    /// Newest first; those with a fault built in on purpose left out unless asked for. `results`: with the JSON of
    /// each.
    [[nodiscard]] Result<std::vector<AuditRecord>> audits(bool results = true, bool faults = false);
    /// Nothing where there is none of that key.
    [[nodiscard]] Result<std::optional<PlanRecord>> plan(const std::string& key);

    /// What RunStore::putNote wrote; empty where there is nothing of that key.
    [[nodiscard]] Result<std::string> note(const std::string& key);

    /// Changes whenever another connection has committed (PRAGMA data_version): a cheap poll for views.
    [[nodiscard]] Result<std::int64_t> dataVersion();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus
