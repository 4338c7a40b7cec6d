// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of any micro-batch on any lanes, computed at fixed weights by the very code that trains, and leaving nothing
// behind: an engine of its own beside the run's. For calibration and memory trials. The calling thread is lane 0.
#pragma once

#include "core/engine/engine.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace accumulus {

class EngineTrial {
public:
    struct Settings {
        std::int64_t micro = 0; ///< 0: the setup's
        LanePlan lanes;
        std::int64_t memoryLimit = 0; ///< bytes of CPU tensors of the process, while it computes; 0: no limit
        std::function<bool()>
            goOn{}; ///< asked by any lane before each micro-step; false ends the call, "audit.cancelled"
    };
    /// At the setup's initial weights. Errors of configuration, model and device; "training.memory" where not even the
    /// weights fit.
    [[nodiscard]] static Result<std::unique_ptr<EngineTrial>> create(EngineSetup setup, const Settings& settings);
    ~EngineTrial();

    /// Parameters and running statistics of a checkpoint instead, in the setup's precision. After an error they are
    /// what they were. Errors "checkpoint.mismatch", "checkpoint.open", "checkpoint.format".
    [[nodiscard]] Status loadWeights(const std::filesystem::path& safetensors);

    /// The closed window of these samples of `epoch`: gradient() is then its mean gradient, clipped if the settings
    /// clip. Weights, statistics and moments stay as they are. Errors "training.memory", "training.engine".
    [[nodiscard]] Result<WindowGradient> compute(std::span<const std::int64_t> ids, std::int64_t epoch = 0);
    /// A window among others.
    struct Window {
        std::span<const std::int64_t> ids;
        std::int64_t epoch = 0;
        std::int64_t nominal = 0, nominalSteps = 0; ///< samples and micro-steps of a full window; 0: this one is full
        bool leftOpen = false;                      ///< makes no update: the next window takes up what it holds
    };
    /// The same, one after the other: what a window leaves behind is the next one's. Nothing of one that is left open.
    [[nodiscard]] Result<std::optional<WindowGradient>> compute(const Window& window);
    /// The window, and an update with it.
    [[nodiscard]] Status update(std::span<const std::int64_t> ids, std::int64_t epoch, double lr);
    [[nodiscard]] const at::Tensor& gradient() const { return m_engine->state().window.gradient(); } ///< flat
    [[nodiscard]] const ModelState& state() const { return m_engine->state(); }

    /// Seconds per sample of accumulating windows of two micro-steps a lane (fewer where the run's windows have fewer),
    /// over at least `enough` seconds.
    [[nodiscard]] Result<double> secondsPerSample(double enough);
    /// Peak bytes of tensors over two such windows, each with an update of learning rate 0: a size is proven only by
    /// the second micro-batch of a window after an optimizer step (trap T13). The lanes meet between forward and
    /// backward, so that their activations are there at once. `tooEarly`: PlantedBug::ProbesTooEarly.
    [[nodiscard]] Result<std::int64_t> peakBytes(bool tooEarly = false);

private:
    class Rendezvous;
    EngineTrial();
    [[nodiscard]] WindowPlan planOf(std::span<const std::int64_t> ids, std::int64_t epoch) const;
    [[nodiscard]] WindowPlan firstSamples(std::int64_t steps) const;
    [[nodiscard]] std::int64_t usualSteps() const;

    std::unique_ptr<Rendezvous> m_rendezvous;
    gpu::WorkStream m_stream;
    at::Device m_device;
    std::int64_t m_samples = 0; ///< of the training set
    std::int64_t m_micro = 0;
    std::int64_t m_steps = 0; ///< of the run's largest window
    std::int64_t m_memoryLimit = 0;
    bool m_leftOpen = false; ///< the last window
    std::function<bool()> m_goOn;
    std::unique_ptr<Engine> m_engine;
};

} // namespace accumulus
