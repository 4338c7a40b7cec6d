// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle of whole runs, written out slowly: windows, whole-window gradients in one backward pass, clipping,
// BatchNorm's buffers. Of the engine: models, the order of samples, the draws' definition (keyed_draws.h). One thread.
#pragma once

#include "core/base/keyed_draws.h"
#include "core/data/dataset.h"
#include "core/data/sampler.h"
#include "core/model/model.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace accumulus::test {

/// Samples of one micro-batch.
struct PlainMicro {
    std::vector<std::int64_t> ids, epochs;
};

struct PlainWindow {
    std::vector<PlainMicro> micros;
    bool makesUpdate = true; ///< false: the left-over samples of a leaking tail
};

/// The windows of a run without end.
class PlainPlanner {
public:
    PlainPlanner(const RunConfig& config, std::int64_t samples, std::int64_t seed)
        : m_config(config), m_samples(samples), m_seed(seed) {}

    [[nodiscard]] PlainWindow next(std::int64_t updatesDone) {
        std::int64_t wanted = m_config.batch.effective;
        for (const RampPoint& point : m_config.batch.ramp)
            if (point.update <= updatesDone + 1)
                wanted = point.effective;
        if (m_config.batch.tail == TailPolicy::Drop && m_samples - m_position < wanted)
            nextEpoch();
        PlainWindow window;
        std::vector<std::int64_t> ids, epochs;
        while (static_cast<std::int64_t>(ids.size()) < wanted) {
            ids.push_back(
                epochOrder(m_samples, m_config.data.shuffle, m_seed, m_epoch)[static_cast<std::size_t>(m_position)]);
            epochs.push_back(m_epoch);
            if (++m_position < m_samples)
                continue;
            nextEpoch();
            if (m_config.batch.tail != TailPolicy::Carry)
                break;
        }
        window.makesUpdate = m_config.batch.tail != TailPolicy::Leak || static_cast<std::int64_t>(ids.size()) == wanted;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (i % static_cast<std::size_t>(m_config.batch.micro) == 0)
                window.micros.emplace_back();
            window.micros.back().ids.push_back(ids[i]);
            window.micros.back().epochs.push_back(epochs[i]);
        }
        return window;
    }

private:
    void nextEpoch() {
        ++m_epoch;
        m_position = 0;
    }

    RunConfig m_config;
    std::int64_t m_samples, m_seed;
    std::int64_t m_epoch = 0, m_position = 0;
};

struct PlainGradient {
    std::int64_t units = 0, microSteps = 0; ///< N and K, of micro-batches with units
    double loss = 0.0;
    double norm = 0.0; ///< before clipping
    bool clipped = false;
    std::vector<at::Tensor> gradients; ///< fp64, one per parameter
    /// sum_k (weight of micro-batch k) |its gradient|, of all parameters together: what gradients that cancel, or
    /// vanish, are measured by.
    double scale = 0.0;
    std::vector<double> scales; ///< the same of each parameter
    double clippedNorm = 0.0;   ///< what it was clipped to
    std::optional<double> noiseS, noiseG2;
    std::vector<std::vector<NormStatistics>> statistics; ///< [layer][group] in order
};

/// How the whole-window gradient is computed.
struct PlainArithmetic {
    std::optional<at::ScalarType> autocast; ///< bfloat16 or half over fp32 weights, otherwise all is fp64
    bool single = false;                    ///< all is fp32
    double lossScale = 1.0;
    /// Rows that BatchNorm sees at once, in order; empty: each micro-batch. Not looked at without BatchNorm.
    std::vector<std::int64_t> groups;
};

/// The samples of `micros` in one batch.
class PlainBatch {
public:
    PlainBatch(const Dataset& data, const RunConfig& config, Task task, std::int64_t seed,
               const std::vector<PlainMicro>& micros)
        : m_data(data), m_task(task), m_seed(seed), m_augment(config.data.augment == "crop-flip") {
        for (const PlainMicro& micro : micros) {
            ids.insert(ids.end(), micro.ids.begin(), micro.ids.end());
            epochs.insert(epochs.end(), micro.epochs.begin(), micro.epochs.end());
        }
        data.isText() ? fillText() : fillImages();
    }

    std::vector<std::int64_t> ids, epochs;
    at::Tensor input, targets; ///< targets [samples, per sample]

private:
    [[nodiscard]] std::uint64_t key(std::size_t row, std::uint64_t purpose) const {
        return rowKey(epochKey(m_seed, epochs[row]), ids[row], purpose);
    }

    void fillImages() {
        const ImageSet& set = m_data.train;
        const auto count = static_cast<std::int64_t>(ids.size());
        input = at::empty({count, set.channels, set.height, set.width}, at::kDouble);
        targets = at::empty({count, 1}, at::kLong);
        double* out = input.mutable_data_ptr<double>();
        for (std::size_t row = 0; row < ids.size(); ++row) {
            const CropFlip change = m_augment ? cropFlipOf(key(row, purposeCropFlip)) : CropFlip();
            for (std::int64_t c = 0; c < set.channels; ++c)
                for (std::int64_t y = 0; y < set.height; ++y)
                    for (std::int64_t x = 0; x < set.width; ++x) {
                        const std::int64_t fromY = y - change.down;
                        const std::int64_t fromX = (change.mirrored ? set.width - 1 - x : x) - change.right;
                        const bool inside = fromY >= 0 && fromY < set.height && fromX >= 0 && fromX < set.width;
                        const std::int64_t place =
                            ((ids[row] * set.channels + c) * set.height + fromY) * set.width + fromX;
                        const double pixel = inside ? set.pixels[static_cast<std::size_t>(place)] / 255.0 : 0.0;
                        *out++ = (pixel - m_data.mean[static_cast<std::size_t>(c)]) /
                                 m_data.deviation[static_cast<std::size_t>(c)];
                    }
            targets.mutable_data_ptr<std::int64_t>()[row] = set.labels[static_cast<std::size_t>(ids[row])];
        }
    }

    void fillText() {
        const TextSet& set = m_data.trainText;
        const auto count = static_cast<std::int64_t>(ids.size());
        input = at::empty({count, set.block}, at::kLong);
        targets = at::empty({count, set.block}, at::kLong);
        std::int64_t* in = input.mutable_data_ptr<std::int64_t>();
        std::int64_t* target = targets.mutable_data_ptr<std::int64_t>();
        for (std::size_t row = 0; row < ids.size(); ++row)
            for (std::int64_t i = 0; i < set.block; ++i) {
                const std::int64_t place = ids[row] * set.block + i;
                MaskedToken token{set.tokens[place], set.tokens[place + 1]};
                if (m_task == Task::MaskedToken)
                    token = maskedToken(key(row, purposeMask), i, set.tokens[place], m_data.classes);
                *in++ = token.shown;
                *target++ = token.target;
            }
    }

    const Dataset& m_data;
    Task m_task;
    std::int64_t m_seed;
    bool m_augment;
};

/// Autocast of this thread for the scope's lifetime.
class PlainAutocast {
public:
    explicit PlainAutocast(std::optional<at::ScalarType> type) : m_active(type.has_value()) {
        if (!m_active)
            return;
        at::autocast::set_autocast_enabled(at::kCPU, true);
        at::autocast::set_autocast_dtype(at::kCPU, *type);
        at::autocast::set_autocast_cache_enabled(false);
    }
    ~PlainAutocast() {
        if (!m_active)
            return;
        at::autocast::set_autocast_enabled(at::kCPU, false);
        at::autocast::set_autocast_cache_enabled(true);
    }
    PlainAutocast(const PlainAutocast&) = delete;
    PlainAutocast& operator=(const PlainAutocast&) = delete;

private:
    bool m_active;
};

/// Gradient of the window's loss as loss.normalise defines it, clipped as train.clip_norm says, in one backward pass
/// over all of `micros`. `weights`: in parameter order without gaps. `running`: BatchNorm's buffers in pairs.
inline PlainGradient plainGradient(const Model& model, const std::vector<double>& weights,
                                   const std::vector<at::Tensor>& running, const Dataset& data, const RunConfig& config,
                                   std::int64_t seed, const std::vector<PlainMicro>& micros,
                                   const PlainArithmetic& arithmetic = {}) {
    const at::AutoGradMode gradMode(true);
    const at::ScalarType type = arithmetic.autocast || arithmetic.single ? at::kFloat : at::kDouble;
    PlainGradient result;
    std::vector<at::Tensor> leaves;
    std::size_t place = 0;
    for (const ParameterSpec& spec : model.layout().specs()) {
        const auto count = static_cast<std::size_t>(spec.count());
        at::Tensor leaf = at::empty(spec.shape, at::kDouble);
        std::copy_n(weights.begin() + std::ptrdiff_t(place), count, leaf.mutable_data_ptr<double>());
        leaves.push_back(leaf.to(type).set_requires_grad(true));
        place += count;
        result.gradients.push_back(at::zeros(spec.shape, at::kDouble));
    }
    if (micros.empty())
        return result;
    std::vector<at::Tensor> buffers;
    for (const at::Tensor& buffer : running)
        buffers.push_back(buffer.to(type));

    // Logits of all samples. Only BatchNorm sees what is computed together.
    const PlainBatch batch(data, config, model.task(), seed, micros);
    const bool mixes = model.hasBatchNorm() && config.numerics.batchNorm != BatchNormMode::Frozen;
    std::vector<std::int64_t> groups = {static_cast<std::int64_t>(batch.ids.size())};
    if (mixes) {
        groups = arithmetic.groups;
        for (std::size_t k = 0; groups.empty() || k < (arithmetic.groups.empty() ? micros.size() : 0); ++k)
            groups.push_back(static_cast<std::int64_t>(micros[k].ids.size()));
    }
    std::vector<at::Tensor> parts;
    const at::Tensor input = data.isText() ? batch.input : batch.input.to(type);
    {
        const PlainAutocast autocast(arithmetic.autocast);
        std::int64_t first = 0;
        for (const std::int64_t rows : groups) {
            ForwardContext context;
            context.training = true;
            context.batchNorm = config.numerics.batchNorm;
            context.buffers = buffers;
            context.keys = {seed, std::span(batch.ids).subspan(std::size_t(first), std::size_t(rows)),
                            std::span(batch.epochs).subspan(std::size_t(first), std::size_t(rows))};
            parts.push_back(model.forward(leaves, input.narrow(0, first, rows), context));
            result.statistics.resize(std::max(result.statistics.size(), context.statistics.size()));
            for (std::size_t layer = 0; layer < context.statistics.size(); ++layer)
                for (const NormStatistics& seen : context.statistics[layer])
                    result.statistics[layer].push_back(seen);
            first += rows;
        }
    }
    const at::Tensor logits = at::cat(parts).to(type);

    // The loss of each target; those that bear none have weight 0.
    const at::Tensor bears = batch.targets.ne(ignoredTarget);
    const at::Tensor logProbability = at::log_softmax(logits, 1);
    const at::Tensor labels = at::where(bears, batch.targets, at::zeros_like(batch.targets)).flatten().unsqueeze(1);
    const double smoothing = config.loss.labelSmoothing;
    const at::Tensor each =
        ((smoothing - 1.0) * logProbability.gather(1, labels).squeeze(1) - smoothing * logProbability.mean(1))
            .view(batch.targets.sizes());
    const bool bySample = config.loss.normalise == Normalise::Samples;
    at::Tensor share = bears.to(type); // of a target in its unit
    if (bySample)
        share = share / share.sum(1, true).clamp_min(1);
    const at::Tensor units = bySample ? bears.any(1).to(type).unsqueeze(1) : share;

    // n_k and the weight of a unit of micro-batch k.
    std::vector<std::int64_t> counts, firsts;
    std::int64_t first = 0;
    for (const PlainMicro& micro : micros) {
        const auto rows = static_cast<std::int64_t>(micro.ids.size());
        firsts.push_back(first);
        counts.push_back(static_cast<std::int64_t>(std::llround(units.narrow(0, first, rows).sum().item<double>())));
        result.units += counts.back();
        result.microSteps += counts.back() > 0 ? 1 : 0;
        first += rows;
    }
    if (result.units == 0)
        return result;
    const auto weightOf = [&](std::size_t k) {
        switch (config.loss.normalise) {
        case Normalise::Samples:
        case Normalise::Tokens:
            return 1.0 / static_cast<double>(result.units);
        case Normalise::MeanOfMeans:
            return 1.0 / static_cast<double>(counts[k]) / static_cast<double>(result.microSteps);
        case Normalise::SumOfMeans:
            return 1.0 / static_cast<double>(counts[k]);
        case Normalise::NominalSteps: // without a ramp
            return 1.0 / static_cast<double>(counts[k]) /
                   std::ceil(static_cast<double>(config.batch.effective) / static_cast<double>(config.batch.micro));
        }
        return 0.0;
    };
    at::Tensor loss = at::zeros({}, type);
    double a = 0.0;
    for (std::size_t k = 0; k < micros.size(); ++k) {
        if (counts[k] == 0)
            continue;
        const auto rows = static_cast<std::int64_t>(micros[k].ids.size());
        const at::Tensor sum = (each * share).narrow(0, firsts[k], rows).sum();
        loss = loss + weightOf(k) * sum;
        result.loss += sum.item<double>() / static_cast<double>(result.units);
        double squared = 0.0;
        result.scales.resize(leaves.size());
        const auto own = torch::autograd::grad({sum}, leaves, {}, /*retain_graph=*/true, false, /*allow_unused=*/true);
        for (std::size_t i = 0; i < own.size(); ++i)
            if (own[i].defined()) {
                const double one = own[i].to(at::kDouble).square().sum().item<double>();
                result.scales[i] += weightOf(k) * std::sqrt(one);
                squared += one;
            }
        result.scale += weightOf(k) * std::sqrt(squared);
        a += squared / static_cast<double>(counts[k]) / static_cast<double>(result.units);
    }
    const auto whole = torch::autograd::grad({loss * arithmetic.lossScale}, leaves, {}, false, false,
                                             /*allow_unused=*/true);
    double squared = 0.0;
    for (std::size_t i = 0; i < whole.size(); ++i)
        if (whole[i].defined()) {
            result.gradients[i] = whole[i].to(at::kDouble) / arithmetic.lossScale;
            squared += result.gradients[i].square().sum().item<double>();
        }
    result.norm = std::sqrt(squared);
    const bool mean = config.loss.normalise == Normalise::Samples || config.loss.normalise == Normalise::Tokens;
    if (mean && result.microSteps > 1) {
        const auto steps = static_cast<double>(result.microSteps);
        result.noiseS = std::max(0.0, static_cast<double>(result.units) * (a - squared) / (steps - 1.0));
        result.noiseG2 = (steps * squared - a) / (steps - 1.0);
    }
    result.clipped = config.train.clipNorm > 0.0 && result.norm > config.train.clipNorm;
    if (result.clipped) {
        result.clippedNorm = config.train.clipNorm;
        for (at::Tensor& gradient : result.gradients)
            gradient = gradient * (config.train.clipNorm / result.norm);
        result.scale *= config.train.clipNorm / result.norm;
        for (double& scale : result.scales)
            scale *= config.train.clipNorm / result.norm;
    }
    return result;
}

/// What an update makes of BatchNorm's buffers, with all groups of the window at once.
inline void plainStatistics(std::vector<at::Tensor>& running, BatchNormMode mode,
                            const std::vector<std::vector<NormStatistics>>& statistics) {
    const at::NoGradGuard noGrad;
    const auto move = [](at::Tensor& r, const at::Tensor& s) { r = 0.9 * r + 0.1 * s; };
    for (std::size_t layer = 0; mode != BatchNormMode::Frozen && layer < statistics.size(); ++layer) {
        at::Tensor& mean = running[2 * layer];
        at::Tensor& variance = running[2 * layer + 1];
        if (mode == BatchNormMode::Micro) {
            for (const NormStatistics& group : statistics[layer]) {
                move(mean, group.mean.to(at::kDouble));
                move(variance, group.variance.to(at::kDouble));
            }
            continue;
        }
        double n = 0.0;
        at::Tensor mu = at::zeros_like(mean), m2 = at::zeros_like(mean);
        for (const NormStatistics& group : statistics[layer]) {
            n += static_cast<double>(group.count);
            mu = mu + static_cast<double>(group.count) * group.mean.to(at::kDouble);
        }
        mu = mu / n;
        for (const NormStatistics& group : statistics[layer]) {
            const auto count = static_cast<double>(group.count);
            m2 = m2 + (count - 1.0) * group.variance.to(at::kDouble) +
                 count * (group.mean.to(at::kDouble) - mu).square();
        }
        move(mean, mu);
        move(variance, m2 / (n - 1.0));
    }
}

/// The worst parameter of `got` (in order, without gaps): |got - wanted| / max(|wanted|, 1e-3 of what all
/// micro-batches brought).
inline double worstTensor(const std::vector<double>& got, const PlainGradient& wanted, double rounding = 0.0) {
    double worst = 0.0;
    std::size_t place = 0;
    for (std::size_t i = 0; i < wanted.gradients.size(); ++i) {
        const at::Tensor dense = wanted.gradients[i].contiguous();
        const double* values = dense.const_data_ptr<double>();
        double difference = 0.0, squared = 0.0;
        for (std::int64_t j = 0; j < dense.numel(); ++j, ++place) {
            difference += (got[place] - values[j]) * (got[place] - values[j]);
            squared += values[j] * values[j];
        }
        const double size = std::max(std::sqrt(squared), 1e-3 * wanted.scale);
        // Clipped, a tensor also feels the rounding of the whole norm.
        const double norm = wanted.clipped ? rounding * wanted.scale * std::sqrt(squared) / wanted.clippedNorm : 0.0;
        const double excess =
            std::max(0.0, std::sqrt(difference) - (rounding > 0.0 ? rounding * wanted.scales[i] + norm : 0.0));
        const double distance = std::isnan(difference) ? difference : excess / (size > 0.0 ? size : 1.0);
        if (!std::isfinite(distance))
            return std::numeric_limits<double>::infinity();
        worst = std::max(worst, distance);
    }
    return worst;
}

} // namespace accumulus::test
