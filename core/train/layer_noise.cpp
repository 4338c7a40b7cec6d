// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/layer_noise.h"

#include "core/data/sampler.h"
#include "core/engine/engine.h"
#include "core/engine/engine_trial.h"
#include "core/model/batch_norm.h"
#include "core/train/audit_plan.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>

namespace accumulus {
namespace {

constexpr std::int64_t splitOfOneMicroBatch = 4;

/// The trial's batch: B and m of the run on one device, m smaller where the window is one micro-batch, but of `least`
/// samples or more.
Result<BatchPlan> chooseBatch(RunConfig& config, std::int64_t least) {
    ACCUMULUS_TRY_ASSIGN(const auto plan, resolveBatch(config.batch));
    BatchConfig& batch = config.batch;
    batch = {};
    batch.effective = plan.effective;
    batch.micro = plan.micro;
    batch.ragged = RaggedPolicy::Weight;
    if (plan.effective < 2)
        return failure("noise.one-sample");
    if (plan.micro >= plan.effective) {
        batch.micro = std::max<std::int64_t>(1, plan.effective / splitOfOneMicroBatch);
        if (least > 1) {
            const std::int64_t smaller = largestCut(plan.effective, std::max(batch.micro, least), 2, least);
            batch.micro = smaller > 0 ? smaller : largestCut(plan.effective, plan.effective, 2, least);
        }
        if (batch.micro == 0)
            return failure("model.batch-norm-cut", {{"effective", std::to_string(plan.effective)}});
    }
    return resolveBatch(batch);
}

std::vector<double> squaredNorms(const ParameterLayout& layout, const at::Tensor& gradient) {
    const at::NoGradGuard noGrad;
    std::vector<at::Tensor> norms;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const at::Tensor view = layout.specs()[i].trainable ? layout.view(gradient, i) : gradient.narrow(0, 0, 0);
        norms.push_back(at::linalg_vector_norm(view, 2, std::nullopt, false, at::kDouble).square());
    }
    const at::Tensor dense = at::stack(norms).cpu(); // one wait for a device
    return {dense.const_data_ptr<double>(), dense.const_data_ptr<double>() + dense.numel()};
}

/// A and Q of one window, by parameter.
class WindowTerms {
public:
    explicit WindowTerms(std::size_t parameters) : m_a(parameters, 0.0) {}

    void add(const WindowGradient& micro, const std::vector<double>& squared) {
        m_finite = m_finite && micro.finite;
        m_units += micro.units;
        ++m_steps;
        for (std::size_t i = 0; i < m_a.size(); ++i)
            m_a[i] += micro.units * squared[i];
    }
    [[nodiscard]] bool usable() const { return m_finite && m_steps > 1; }
    [[nodiscard]] double units() const { return m_units; }
    void addTo(LayerNoise& noise, const std::vector<double>& squared, const std::vector<std::size_t>& kept) const {
        const auto steps = static_cast<double>(m_steps);
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const double a = m_a[kept[i]] / m_units;
            const double q = squared[kept[i]];
            noise.parameters[i].s.push_back(m_units * (a - q) / (steps - 1.0));
            noise.parameters[i].g2.push_back((steps * q - a) / (steps - 1.0));
        }
    }

private:
    std::vector<double> m_a; ///< sum n_k |g_k|^2, g_k the gradient of micro-batch k's mean loss
    double m_units = 0.0;
    int m_steps = 0;
    bool m_finite = true;
};

/// Ids of window after window, epoch after epoch; a short rest of an epoch is left out.
class Windows {
public:
    Windows(const EngineSetup& setup, std::int64_t effective, std::int64_t epoch)
        : m_setup(setup), m_effective(effective), m_epoch(epoch - 1), m_at(setup.data->trainCount()) {}

    [[nodiscard]] std::span<const std::int64_t> next() {
        if (m_at + m_effective > m_setup.data->trainCount()) {
            ++m_epoch;
            m_order = epochOrder(m_setup.data->trainCount(), m_setup.config.data.shuffle, m_setup.seed, m_epoch);
            m_at = 0;
        }
        const auto from = static_cast<std::size_t>(m_at);
        m_at += m_effective;
        return std::span(m_order).subspan(from, static_cast<std::size_t>(m_effective));
    }
    [[nodiscard]] std::int64_t epoch() const { return m_epoch; }

private:
    const EngineSetup& m_setup;
    std::int64_t m_effective;
    std::int64_t m_epoch;
    std::int64_t m_at;
    std::vector<std::int64_t> m_order;
};

} // namespace

Result<LayerNoise> layerNoise(EngineSetup setup, const LayerNoiseSettings& settings, std::stop_token stop) {
    ACCUMULUS_TRY_ASSIGN(const auto model, modelOf(setup, at::kCPU));
    ACCUMULUS_TRY_ASSIGN(const auto batch,
                         chooseBatch(setup.config, leastSamples(*model, setup.config.numerics.batchNorm)));
    if (batch.effective > setup.data->trainCount())
        return failure("config.batch.exceeds-data", {{"effective", std::to_string(batch.effective)},
                                                     {"samples", std::to_string(setup.data->trainCount())}});
    setup.config.train.clipNorm = 0.0;
    setup.config.loss.normalise =
        setup.config.loss.normalise == Normalise::Tokens ? Normalise::Tokens : Normalise::Samples;
    setup.weightsFollow = !settings.weights.empty();
    ACCUMULUS_TRY_ASSIGN(const auto trial, EngineTrial::create(setup, {.micro = batch.micro, .lanes = setup.lanes}));
    if (!settings.weights.empty())
        ACCUMULUS_TRY(trial->loadWeights(settings.weights));

    const ParameterLayout& layout = trial->state().model->layout();
    LayerNoise noise;
    noise.effective = batch.effective;
    noise.micro = batch.micro;
    noise.steps = batch.steps;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < layout.size(); ++i)
        if (layout.specs()[i].trainable) {
            kept.push_back(i);
            noise.parameters.push_back({layout.specs()[i].name, layout.specs()[i].shape, {}, {}});
        }
    Windows windows(setup, batch.effective, settings.epoch);
    double units = 0.0;
    for (std::int64_t w = 0; w < settings.windows; ++w) {
        const auto ids = windows.next();
        WindowTerms terms(layout.size());
        std::size_t at = 0;
        for (const std::int64_t size : batch.microSizes) {
            if (stop.stop_requested())
                return failure("noise.cancelled");
            ACCUMULUS_TRY_ASSIGN(const auto micro,
                                 trial->compute(ids.subspan(at, static_cast<std::size_t>(size)), windows.epoch()));
            at += static_cast<std::size_t>(size);
            if (micro.units > 0) // else it holds nothing, and the gradient is the last one's
                terms.add(micro, squaredNorms(layout, trial->gradient()));
        }
        if (stop.stop_requested())
            return failure("noise.cancelled");
        ACCUMULUS_TRY_ASSIGN(const auto whole, trial->compute(ids, windows.epoch()));
        if (!whole.finite || !whole.noiseS || !terms.usable()) {
            ++noise.nonfinite;
            continue;
        }
        terms.addTo(noise, squaredNorms(layout, trial->gradient()), kept);
        noise.whole.s.push_back(*whole.noiseS);
        noise.whole.g2.push_back(*whole.noiseG2);
        units += terms.units();
    }
    if (!noise.whole.s.empty())
        noise.unitsPerSample = units / static_cast<double>(batch.effective * std::ssize(noise.whole.s));
    return noise;
}

} // namespace accumulus
