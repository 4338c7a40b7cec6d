// SPDX-License-Identifier: GPL-3.0-or-later
// The heart: what happens to gradients between the first micro-step of a window and its update. Micro-batches commit
// the gradient of the SUM of their unit losses, in micro-batch order; close() divides once by the real N and clips
// once. The sums themselves, and where they lie, are WindowSums. One thread at a time; no I/O.
#pragma once

#include "core/config/experiment_config.h"
#include "core/ranks/communicator.h"
#include "core/window/micro_gradient.h"
#include "core/window/normaliser.h"
#include "core/window/planted_bug.h"
#include "core/window/planted_weights.h"
#include "core/window/window_sums.h"

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accumulus {

/// The closed window.
struct WindowGradient {
    double units = 0.0;          ///< N
    std::int64_t microSteps = 0; ///< K, those with units only
    double loss = 0.0;           ///< sum_k n_k l_k / N
    double norm = 0.0;           ///< L2 of the divided gradient, before clipping
    bool clipped = false;
    bool finite = true;
    // The first micro-step whose loss or gradient was not finite, from 0; -1: none, only the sum or its norm is not.
    std::int64_t firstNonfinite = -1; ///< counted among those with units
    std::int64_t nonfinitePlace = -1; ///< its number in the plan; -1, too, where an earlier plan brought it
    std::int64_t leftOut = 0;         ///< micro-steps left out because they were not finite (skip-micro)
    std::int64_t firstLeftOut =
        -1; ///< number in the plan of the first of them; -1: none, an earlier plan's, or unknown
    std::optional<double> noiseS,
        noiseG2; ///< McCandlish et al. 2018, arXiv 1812.06162, for any sizes
};

class GradientWindow {
public:
    struct Settings {
        Normalise normalise = Normalise::Samples;
        double clipNorm = 0.0;          ///< 0: no clipping
        bool leaveOutNonfinite = false; ///< a micro-gradient that is not finite is left out, N does not count it
        PlantedBug bug = PlantedBug::None;
    };
    GradientWindow(const ParameterLayout& layout, std::unique_ptr<WindowSums> sums, const Settings& settings);

    // While it is open.
    /// Adds one micro-gradient, unscaled; one without units adds nothing. A micro-gradient whose tensors came through
    /// addParameter() brings none. False: it was left out, and so must be what else belongs to it.
    bool commit(const MicroGradient& micro);
    /// Weight of a micro-step's gradient before it is unscaled, for addParameter().
    [[nodiscard]] double commitWeight(double units) const { return m_normaliser.commitWeight(units); }
    /// Lean: weight x gradient of one parameter of the micro-step that the next commit() completes.
    void addParameter(std::size_t parameter, const at::Tensor& gradient, double weight);
    /// A CUDA graph has added micro-step `microStep` (number in the plan) to the sums.
    void countMicroStep(const std::vector<bool>& touched, double units, double scale, std::int64_t microStep);
    /// More micro-steps are coming. B and K of the open window were it full, for the policy and the planted bug that
    /// divide by them.
    void setNominal(std::int64_t units, std::int64_t steps) {
        m_nominalUnits = units;
        m_nominalSteps = steps;
    }

    // On several ranks.
    /// Takes up what the other ranks' windows hold, in micro-step order: from now on all that is said of this window is
    /// of all ranks, but the sums are its own until close().
    void merge(Communicator& ranks);
    /// A merged window stays open, for more micro-steps: one rank counts as its own what all have brought so far.
    /// `done`: how many micro-steps of the plan that is open it holds, or has left out; 0: another plan begins.
    void goOn(bool owner, std::int64_t done);
    /// Alone: the micro-steps of another plan follow those that a leaking tail has left here.
    void beginPlan();
    [[nodiscard]] bool isMerged() const { return m_merged; }
    /// Sums that couple meet the other ranks with each micro-step; this rank has none left.
    void commitNothing() { m_sums->addNothing(); }
    [[nodiscard]] bool couples() const { return m_sums->couples(); }

    // At the boundary.
    /// Divides and clips. gradient() is then what the optimizer gets; nothing may be committed before clear().
    WindowGradient close();
    /// What close() divides and clips by, for a CUDA graph that does both; then closed() tells of it.
    [[nodiscard]] double closingFactor() const;
    [[nodiscard]] double closingClip() const;
    [[nodiscard]] WindowGradient closed();
    /// Empties the window; the next commit overwrites.
    void clear();

    [[nodiscard]] bool empty() const { return m_pieces.empty() && m_leftOut == 0; }
    [[nodiscard]] double units() const { return m_units; }
    [[nodiscard]] std::int64_t microSteps() const { return m_microSteps; }
    /// Committed micro-steps, or parts of them, that bore units.
    [[nodiscard]] std::int64_t pieces() const { return std::ssize(m_pieces); }
    /// What is not finite among the pieces from number `first` on; waits for a device.
    enum class Nonfinite { Loss, Gradient };
    [[nodiscard]] std::optional<Nonfinite> nonfiniteSince(std::int64_t first);
    /// Of what was committed so far; waits for a device. Nothing without units.
    [[nodiscard]] std::optional<double> meanLoss();
    /// Of the committed micro-steps, but for those that are known to overflow at every scale; 0 when there are none.
    [[nodiscard]] double smallestScale() const { return m_smallestScale; }
    /// Something of it overflows at every loss scale, committed or left out; on all ranks alike. save() tells.
    void setOverflowed(bool overflowed) { m_overflowed = overflowed; }
    /// Of a merged window: what this rank's accumulator holds.
    [[nodiscard]] const std::vector<bool>& touchedHere() const { return m_touchedHere; }
    /// touched()[i]: parameter i received a gradient in this window.
    [[nodiscard]] const std::vector<bool>& touched() const { return m_touched; }
    [[nodiscard]] const at::Tensor& gradient() const { return m_sums->gradient(); }
    [[nodiscard]] const WindowSums& sums() const { return *m_sums; }

    /// An open window, for a resume bundle or to start again from.
    struct Saved {
        std::vector<double> units; ///< of each micro-step, or part of one, that bore any
        std::vector<double> squaredNorms, lossSums;
        std::vector<std::int64_t> places{}; ///< on several ranks: what orders the pieces; else empty
        std::int64_t firstPlace = 0;        ///< of the micro-steps to come
        std::vector<bool> touched;
        std::int64_t microSteps = 0;
        std::int64_t leftOut = 0;
        std::int64_t firstLeftOut = -1; ///< its place; -1: none, or not known (bundles of before)
        double smallestScale = 0.0;
        bool overflowed = false;
        at::Tensor accumulator{}; ///< flat (or this rank's shard), shares memory; undefined when the window is empty
    };
    /// Waits for a device.
    [[nodiscard]] Saved save();
    /// `merged`: it is a merged window's, of which this rank holds the accumulator's part.
    void restore(const Saved& saved, bool merged = false);

private:
    /// A micro-step, or a part of one where lean accumulation ran short of memory.
    struct Piece {
        double units;
        double scale;             ///< that the sums' norm still carries
        std::int64_t place = 0;   ///< orders the pieces of all ranks
        double squaredNorm = 0.0; ///< |sum of unit gradients|^2
        double lossSum = 0.0;
    };
    void fetchPieces(const WindowSums::Values& values);
    void findNonfinite(WindowGradient& result) const;
    /// Number in the open plan of what has this place; -1: an earlier plan's.
    [[nodiscard]] std::int64_t inPlan(std::int64_t place) const {
        return std::max<std::int64_t>(place - m_firstPlace, -1);
    }
    [[nodiscard]] std::int64_t openPieces() const { return pieces() - m_settled; }
    [[nodiscard]] double divisor() const;
    void estimateNoise(double squaredNorm, WindowGradient& result) const;

    const ParameterLayout& m_layout;
    std::unique_ptr<WindowSums> m_sums;
    Settings m_settings;
    Normaliser m_normaliser;
    std::optional<PlantedWeights> m_planted;
    std::int64_t m_nominalUnits = 0;
    std::int64_t m_nominalSteps = 1;
    std::vector<bool> m_touched;
    std::vector<bool> m_touchedHere; ///< of a merged window: on this rank
    std::vector<Piece> m_pieces;
    std::int64_t m_settled = 0; ///< pieces whose norm and loss are known
    double m_unitsHere = 0.0;   ///< of a merged window
    int m_ranks = 1;
    std::int64_t m_firstPlace = 0;
    bool m_merged = false;
    double m_units = 0.0;
    std::int64_t m_microSteps = 0;
    bool m_openMicroStep = false; ///< a part with units was committed, the last part was not
    std::int64_t m_leftOut = 0;
    std::int64_t m_firstLeftOut = -1; ///< place; -1: none, or not known
    double m_smallestScale = 0.0;
    bool m_overflowed = false;
};

} // namespace accumulus
