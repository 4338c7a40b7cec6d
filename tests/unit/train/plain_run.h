// SPDX-License-Identifier: GPL-3.0-or-later
// A run of the engine, followed window by window by training written out plainly.
//
// Compared at the weights that the engine really had before each window, so that no error grows from window to window:
// units, loss, norm, clipping, noise terms and the gradient of every parameter (fp64 1e-12, fp32 1e-5; 16 bits against
// the error of one 16-bit large batch); the update, from the engine's own gradient, by the optimizer's formula;
// BatchNorm's buffers at the end. A window without an update must leave every bit of the weights.
#pragma once

#include "core/model/safetensors.h"
#include "tests/support/numeric.h"
#include "tests/support/plain_optimizer.h"
#include "tests/unit/train/pairwise_rows.h"

#include <QString>
#include <atomic>

namespace accumulus::test {

inline double unitRoundoff(Precision precision) {
    return precision == Precision::Fp64   ? 0x1p-53
           : precision == Precision::Fp32 ? 0x1p-24
           : precision == Precision::Bf16 ? 0x1p-8
                                          : 0x1p-11;
}
inline bool has16Bits(Precision precision) { return precision == Precision::Bf16 || precision == Precision::Fp16; }

/// Follows a run window by window. Keeps the first thing that is wrong.
class PlainRun {
public:
    explicit PlainRun(const FactorRow& row)
        : m_row(row), m_config(configOf(row)), m_data(dataOf(row)), m_model(modelOf(row)), m_spoilt(spoiltSample(row)),
          m_planner(m_config, samples, seed) {
        for (const ParameterSpec& spec : m_model->buffers().specs())
            m_running.push_back(at::full(spec.shape, spec.initial.value, at::kDouble));
    }

    [[nodiscard]] const std::string& problem() const { return m_problem; }
    [[nodiscard]] bool stops() const { return m_stops; } ///< the run must end with training.nonfinite
    [[nodiscard]] std::int64_t windows() const { return m_windows; }
    [[nodiscard]] std::int64_t updatesMade() const { return m_updates; }

    void starts(const std::vector<double>& weights, bool resumed) {
        if (resumed && weights != m_weights)
            complain("resume has other weights");
        m_weights = weights;
        m_resumed = resumed;
    }
    /// Micro-step k of the open window is committed.
    void committed(std::int64_t k) {
        if (!m_resumed && m_windows == 1)
            m_committedBeforeStop = k + 1;
    }
    /// What the open window held was given up.
    void restarted() {
        m_firstAgain = m_firstAgain || m_windows == 0;
        if (!m_resumed) // else what the bundle held stays
            m_committedBeforeStop = 0;
    }
    void gradient(const std::vector<double>& values) { m_gradient = values; }

    void closed(const WindowRecord& record, const std::vector<double>& weights) {
        ++m_windows;
        const PlainWindow window = m_planner.next(m_updates);
        for (std::size_t k = 0; k < window.micros.size(); ++k) {
            m_open.push_back(window.micros[k]);
            m_groups.push_back(
                groupsOf(std::ssize(window.micros[k].ids), inParts(std::int64_t(k)), m_row[Net] == convnet));
        }
        if (!window.makesUpdate) {
            noUpdate(record, weights);
            return;
        }
        judge(record, weights);
        m_open.clear();
        m_groups.clear();
        m_weights = weights;
    }

    void buffersAtTheEnd(const std::string& file) {
        if (m_lostTrack || m_running.empty() || file.empty())
            return;
        const auto content = readSafetensors(file).value();
        const double tolerance = m_config.numerics.precision == Precision::Fp64 ? 1e-12
                                 : m_config.numerics.precision == Precision::Fp32
                                     ? 1e-5
                                     : 4 * unitRoundoff(m_config.numerics.precision);
        for (std::size_t i = 0; i < m_running.size(); ++i) {
            const std::string& name = m_model->buffers().specs()[i].name;
            const at::Tensor got = content.find(name)->to(at::kDouble);
            const double distance =
                (got - m_running[i]).norm().item<double>() / std::max(m_running[i].norm().item<double>(), 1e-2);
            check(distance <= tolerance, name + " is off by " + number(distance));
        }
    }

    void complain(const std::string& text) {
        if (m_problem.empty())
            m_problem = "window " + std::to_string(m_windows) + ": " + text;
    }

private:
    static std::string number(double value) { return QString::number(value).toStdString(); }
    void check(bool good, const std::string& text) {
        if (!good)
            complain(text);
    }
    [[nodiscard]] bool inParts(std::int64_t k) const {
        if (m_row[Memory] == 0)
            return false;
        if (m_windows == 1)
            return m_firstAgain || k > 0;
        return !m_resumed || (m_windows == 2 && k < m_committedBeforeStop);
    }
    /// What is computed at once and has no loss units is not looked at.
    [[nodiscard]] bool isBroken(const PlainMicro& one, const std::vector<std::int64_t>& groups) const {
        std::ptrdiff_t first = 0;
        for (const std::int64_t rows : groups) {
            const PlainMicro piece{{one.ids.begin() + first, one.ids.begin() + first + rows},
                                   {one.epochs.begin() + first, one.epochs.begin() + first + rows}};
            if (std::ranges::find(piece.ids, m_spoilt) != piece.ids.end())
                return PlainBatch(*m_data, m_config, m_model->task(), seed, {piece})
                    .targets.ne(ignoredTarget)
                    .any()
                    .item<bool>();
            first += rows;
        }
        return false;
    }

    void noUpdate(const WindowRecord& record, const std::vector<double>& weights) {
        check(!record.update, "an update was made");
        check(std::ranges::equal(weights, m_weights, compareBits), "weights changed without an update");
    }

    void judge(const WindowRecord& record, const std::vector<double>& weights) {
        std::vector<PlainMicro> kept;
        PlainArithmetic arithmetic;
        std::int64_t leftOut = 0;
        const bool skipMicro = m_config.numerics.nonfinite == NonfinitePolicy::SkipMicro;
        bool broken = false;
        for (std::size_t k = 0; k < m_open.size(); ++k) {
            if (isBroken(m_open[k], m_groups[k])) {
                broken = !skipMicro;
                ++leftOut;
                continue;
            }
            kept.push_back(m_open[k]);
            arithmetic.groups.insert(arithmetic.groups.end(), m_groups[k].begin(), m_groups[k].end());
        }
        if (broken) {
            check(record.nonfinite, "not finite, and not recorded so");
            m_stops = m_config.numerics.nonfinite == NonfinitePolicy::Stop;
            noUpdate(record, weights);
            return;
        }
        if (skipMicro)
            check(record.leftOut == leftOut, "left out " + std::to_string(record.leftOut) + " micro-batches");
        const PlainGradient wanted =
            plainGradient(*m_model, m_weights, m_running, *m_data, m_config, seed, kept, arithmetic);
        if (wanted.units == 0) {
            noUpdate(record, weights);
            return;
        }
        check(record.update == m_updates + 1, "no update");
        check(record.units == static_cast<double>(wanted.units), "units " + std::to_string(record.units));
        if (!record.update || !m_problem.empty())
            return;
        ++m_updates;
        // Which micro-batches of the first window were computed in parts is a matter of time with several lanes.
        const bool known = !(mixesSamples(m_row) && m_row[Memory] == 1 && usesLanes(m_row) && m_row[LaneCount] > 0);
        m_lostTrack = m_lostTrack || !known;
        if (known || m_windows > 1)
            judgeGradient(record, wanted, kept, arithmetic);
        judgeUpdate(record, weights);
        plainStatistics(m_running, m_config.numerics.batchNorm, wanted.statistics);
    }

    void judgeGradient(const WindowRecord& record, const PlainGradient& wanted, const std::vector<PlainMicro>& kept,
                       PlainArithmetic arithmetic) {
        const Precision precision = m_config.numerics.precision;
        const double steps = std::sqrt(static_cast<double>(std::max<std::int64_t>(1, wanted.microSteps)));
        const bool bf16Sum = m_config.numerics.accumulator == AccumulatorKind::Bf16;
        // A bf16 accumulator rounds each sum to 8 bits, an error of at most u = 2^-8 of it, and no sum exceeds the sum
        // of the weighted micro-gradients' norms. Lean adds parts one by one: at most one for each sample.
        const bool parts = m_row[Memory] == 1 && m_row[Lean] == 1;
        const double sums = static_cast<double>(wanted.microSteps * (parts ? record.microBatch : 1));
        const double rounding = bf16Sum ? 0x1p-8 * sums : 0.0;
        const double applied = wanted.clipped ? m_config.train.clipNorm : wanted.norm;
        double error = worstTensor(m_gradient, wanted, rounding);
        double tolerance = precision == Precision::Fp64 ? 1e-12 : 1e-5;
        double normTolerance = 0.0;
        const bool cancels = m_row[Net] == convnet && mixesSamples(m_row);
        if (has16Bits(precision) || (precision == Precision::Fp32 && cancels)) {
            // err_acc <= 2 err_large + 0.5 u sqrt(K): of the whole gradient, since single tensors of 16-bit gradients
            // may be all rounding. In fp32 where BatchNorm sees two single values: what a value changes, their
            // variance takes back.
            if (has16Bits(precision)) {
                arithmetic.autocast = precision == Precision::Bf16 ? at::kBFloat16 : at::kHalf;
                arithmetic.lossScale = 64.0;
            } else {
                arithmetic.single = true;
            }
            const PlainGradient rounded =
                plainGradient(*m_model, m_weights, m_running, *m_data, m_config, seed, kept, arithmetic);
            const double draws = has16Bits(precision) ? 2.0 : 4.0; // one draw of rounding errors against another
            tolerance = std::max(tolerance, draws * relativeL2(flat(rounded), flat(wanted)) +
                                                0.5 * unitRoundoff(precision) * steps);
            normTolerance = std::abs(rounded.norm / wanted.norm - 1.0); // the gradient's length does not show clipped
            error = std::max(0.0, relativeL2(m_gradient, flat(wanted)) - rounding * wanted.scale / applied);
        }
        check(error <= tolerance, "gradient is off by " + number(error) + ", allowed " + number(tolerance));
        const double loose =
            std::max(10.0 * std::max(tolerance, normTolerance) + rounding * wanted.scale / applied, 1e-12);
        check(compareRel(record.loss, wanted.loss, loose), "loss " + number(record.loss));
        check(compareRel(record.gradNorm, wanted.norm, loose), "norm " + number(record.gradNorm));
        check(record.clipped == wanted.clipped || compareRel(wanted.norm, m_config.train.clipNorm, loose), "clipping");
        const bool counted = !(m_row[Memory] == 1 && m_row[Lean] == 1); // parts are estimates of their own
        check(!counted || record.microSteps == wanted.microSteps, "micro-steps " + std::to_string(record.microSteps));
        if (precision == Precision::Fp64 && counted) {
            check(record.noiseS.has_value() == wanted.noiseS.has_value(), "noise terms");
            if (record.noiseS && wanted.noiseS) {
                const double size = std::abs(*wanted.noiseS) + std::abs(*wanted.noiseG2);
                check(compareAbs(*record.noiseS, *wanted.noiseS, 1e-10 * size), "S " + number(*record.noiseS));
                check(compareAbs(*record.noiseG2, *wanted.noiseG2, 1e-10 * size), "G2 " + number(*record.noiseG2));
            }
        }
    }

    /// The formula from the engine's own gradient and weights. fp32: rounding of the state and of the result.
    void judgeUpdate(const WindowRecord& record, const std::vector<double>& weights) {
        const bool fp64 = m_config.numerics.precision == Precision::Fp64;
        const double u = fp64 ? 0x1p-53 : 0x1p-24;
        // Adam divides by 1 - beta2^t, which keeps u / (1 - beta2) of its digits at first; half of it below a root.
        const double digits =
            m_config.optimizer.name == OptimizerKind::Sgd ? 64.0 : 0.5 / (1.0 - m_config.optimizer.beta2);
        std::vector<double> wanted = m_weights;
        plainUpdate(m_config.optimizer, record.lr, wanted, m_gradient, m_moments);
        double step = 0.0, error = 0.0;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            step = std::max(step, std::abs(wanted[i] - m_weights[i]));
        const OptimizerConfig& optimizer = m_config.optimizer;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            // Where gradient and decay cancel, Adam divides what their sum was rounded by.
            double divisor = 1.0;
            if (optimizer.name != OptimizerKind::Sgd)
                divisor = std::sqrt(m_moments.second[i] /
                                    (1.0 - std::pow(optimizer.beta2, static_cast<double>(m_moments.updates)))) +
                          optimizer.eps;
            const double sum = std::abs(m_gradient[i]) + optimizer.weightDecay * std::abs(m_weights[i]);
            const double rounding =
                4 * u * std::abs(wanted[i]) + 2 * digits * u * step + 4 * u * record.lr * sum / divisor;
            error = std::max(error, std::abs(wanted[i] - weights[i]) / rounding);
        }
        check(error <= 1.0, "update is off by " + number(error) + " of its rounding");
    }

    static std::vector<double> flat(const PlainGradient& gradient) {
        std::vector<double> values;
        for (const at::Tensor& tensor : gradient.gradients) {
            const at::Tensor dense = tensor.contiguous();
            values.insert(values.end(), dense.const_data_ptr<double>(), dense.const_data_ptr<double>() + dense.numel());
        }
        return values;
    }

    FactorRow m_row;
    RunConfig m_config;
    std::shared_ptr<const Dataset> m_data;
    std::shared_ptr<const Model> m_model;
    std::int64_t m_spoilt;
    PlainPlanner m_planner;
    std::vector<at::Tensor> m_running;
    PlainMoments m_moments;
    std::vector<double> m_weights, m_gradient;
    std::vector<PlainMicro> m_open; ///< with what leaked into it
    std::vector<std::vector<std::int64_t>> m_groups;
    std::int64_t m_windows = 0, m_updates = 0, m_committedBeforeStop = 0;
    bool m_firstAgain = false; ///< the first window was computed again, after memory had run out
    bool m_resumed = false, m_stops = false, m_lostTrack = false;
    std::string m_problem;
};

struct FollowingObserver final : RecordingObserver {
    FollowingObserver(PlainRun* of, bool stop) : plain(of), stopInSecondWindow(stop) {}
    Wish proceed() override {
        if (stopInSecondWindow && closedWindows == 1 && ++asked >= 3)
            return Wish::StopNow;
        return Wish::GoOn;
    }
    Status windowClosed(const WindowRecord& record) override {
        ++closedWindows;
        windows.push_back(record);
        if (plain)
            plain->closed(record, trainer->weights());
        return windows.size() > 60 ? failure("test.endless") : Status();
    }
    PlainRun* plain;
    bool stopInSecondWindow;
    const Trainer* trainer = nullptr;
    std::atomic<int> asked{0}, closedWindows{0};
};

} // namespace accumulus::test
