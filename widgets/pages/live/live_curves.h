// SPDX-License-Identifier: GPL-3.0-or-later
// The measured curves of one study, run by run, as the Live page needs them: filled from the library, then continued by
// events. Values only; GUI thread. Its columns are shared with whoever prepares a plot of them on another thread.
#pragma once

#include "core/analysis/noise_scale.h"
#include "core/run/run_events.h"
#include "core/store/run_reader.h"
#include "widgets/models/recent_windows.h"
#include "widgets/models/shared_column.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace accumulus::ui {

enum class LiveAxis { Samples, Updates, Epochs, WallTime, ActiveTime };
enum class LiveMetric { Loss, GradNorm, Lr, SamplesPerSecond, NoiseScale, Memory };

/// x of one row on every axis. Wall time counts from the start of the run.
struct AxisColumns {
    SharedColumn samples, updates, epochs, wallTime, activeSeconds;
    [[nodiscard]] const SharedColumn& of(LiveAxis axis) const;
    [[nodiscard]] std::size_t size() const { return samples.size(); }
    void append(const AxisColumns& later, std::size_t from); ///< its rows from `from` on
    void truncate(std::size_t rows);
};

/// What the evaluations of one split have measured.
struct EvaluatedCurve {
    AxisColumns at;
    std::vector<std::optional<double>> metric; ///< what the loss is judged by: mainMetric() in its unit
    std::vector<double> loss;
    [[nodiscard]] bool empty() const { return loss.empty(); }
    void add(const EvaluationRecord& record, const RunRecord& run); ///< not one that is there already
    void append(const EvaluatedCurve& later);                       ///< what comes after its own end
    void truncate(std::int64_t update);                             ///< nothing after this update
};

struct RunCurves {
    RunRecord run;
    std::vector<std::int64_t> window; ///< ascending
    AxisColumns at;
    SharedColumn loss, gradNorm, lr, samplesPerSecond;
    SharedColumn peak; ///< megabytes of tensors in training so far; NaN where they were not measured
    EvaluatedCurve test, validation;
    std::int64_t evaluationPeak = 0;     ///< bytes of tensors in evaluations; 0: none so far
    std::vector<double> noiseS, noiseG2; ///< terms of the gradient noise scale; NaN where a window gave none
    std::vector<double> units;           ///< N of each window: loss units
    SharedColumn noiseScale;             ///< running average of them, NaN where it has no value
    RecentWindows recent;

    [[nodiscard]] const SharedColumn& of(LiveMetric metric) const;
    /// Takes what `live`, curves of the same run, knows beyond this.
    void append(const RunCurves& live);
    void add(const WindowRecord& record);
    void add(const EvaluationRecord& record);
    void add(const MicroStepRecord& record) { recent.add(record); }
    /// Fills noiseScale from its terms, all of them.
    void averageNoise();
    [[nodiscard]] bool hasNoise() const;
    /// Of the newest `windows` windows that have terms.
    [[nodiscard]] NoiseScale recentNoise(std::size_t windows) const;
    /// B of the newest update in the unit of the noise scale.
    [[nodiscard]] double noiseEffective() const;
    /// Rows after window `last` and evaluations after `update` are superseded: the run resumes there.
    void truncate(std::int64_t last, std::int64_t update);

private:
    void addNoise(double s, double g2);
    NoiseScaleAverage m_noiseAverage{noiseScaleBeta};
};

/// All the library knows about a study. Query thread.
struct LoadedStudy {
    StudyRecord study;
    std::vector<RunCurves> runs;           ///< in the order in which they run
    std::optional<std::int64_t> arenaSize; ///< where a run has several ranks and the data set is there
    std::optional<Error> error;            ///< what went wrong; the rest is as far as it came
};
[[nodiscard]] LoadedStudy loadStudy(RunReader& reader, const std::string& study);
/// Elements of the parameter arena of such a run: what the formula of sent bytes needs. Reads the data set's sizes, so
/// on the query thread.
[[nodiscard]] std::optional<std::int64_t> arenaSizeOf(const RunConfig& config);

class LiveCurves {
public:
    void clear();
    /// Takes what the library knew and keeps later rows that arrived by events in the meantime.
    void install(LoadedStudy loaded);
    void start(const StudyRecord& study, const std::vector<RunRecord>& runs);
    /// A run begins or resumes.
    void start(const RunStarted& event);

    [[nodiscard]] bool empty() const { return m_runs.empty(); }
    [[nodiscard]] const StudyRecord& study() const { return m_study; }
    [[nodiscard]] const std::vector<RunCurves>& runs() const { return m_runs; }
    [[nodiscard]] RunCurves* find(const std::string& run);
    [[nodiscard]] const RunCurves* find(const std::string& run) const;
    /// A run that several ranks compute; null where there is none. All runs of a study have one model.
    [[nodiscard]] const RunCurves* shared() const;
    /// Those that a person has given the runs. True: some are others than before.
    bool takeColors(const std::vector<RunRecord>& runs);
    /// What study and runs are called; a run that is not among `runs` is in the Trash, or gone. True: something is
    /// another than before.
    bool takeNames(const std::string& study, const std::vector<RunRecord>& runs);
    [[nodiscard]] std::optional<std::int64_t> arenaSize() const { return m_arenaSize; }
    void setArenaSize(std::optional<std::int64_t> elements) { m_arenaSize = elements; }
    /// The run that trains, or the one that trained last; null before the first.
    [[nodiscard]] const RunCurves* current() const;

private:
    StudyRecord m_study;
    std::vector<RunCurves> m_runs;
    std::string m_current;
    std::optional<std::int64_t> m_arenaSize;
};

} // namespace accumulus::ui
