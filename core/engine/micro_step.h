// SPDX-License-Identifier: GPL-3.0-or-later
// One lane's work: gather a micro-batch, forward, sum of unit losses, backward. Each lane owns one; nothing is shared
// but the parameters' memory.
#pragma once

#include "core/engine/batch_source.h"
#include "core/engine/fault_injection.h"
#include "core/engine/losses.h"
#include "core/engine/nonfinite_place.h"
#include "core/model/model.h"
#include "core/window/gradient_window.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accumulus {

class LayerWatch;

/// What a micro-step is told by the run's settings; the same for every lane.
struct MicroStepSettings {
    Precision precision = Precision::Fp32;
    LossSettings loss;
    BatchNormMode batchNorm = BatchNormMode::Micro;
    std::int64_t ghost = 0;
    PlantedBug bug = PlantedBug::None;
    bool checkFinite =
        false; ///< look for values that are not finite before the gradient is handed over; on a GPU that waits for it
    bool deferred = false; ///< losses stay on the device
    FaultInjector fault;   ///< tests: called before each phase
};

/// Which micro-step of which window.
struct MicroStepPlace {
    std::int64_t window = 0;
    std::int64_t microStep = 0;
};

class MicroStep {
public:
    /// `parameters` and `buffers`: the flat arenas that all lanes read. `cast`: the parameters in 16 bits, see
    /// CastWeights; undefined: autocast casts what it needs in each call. What is taken from it has 16-bit gradients.
    MicroStep(const Model& model, const at::Tensor& parameters, const at::Tensor& buffers, BatchSource source,
              MicroStepSettings settings, const at::Tensor& cast = {});

    /// Gradient of `lossScale` x the SUM of the samples' losses. Runs in the calling thread. `part` > 0: computed in
    /// parts of at most so many samples, none below `smallestPart`, and added up: less memory for activations.
    /// BatchNorm sees the parts.
    [[nodiscard]] MicroGradient gradient(const SampleKeys& keys, const MicroStepPlace& place, double lossScale = 1.0,
                                         std::int64_t part = 0, std::int64_t smallestPart = 1);
    /// Lean: adds the gradient straight into `window`, parameter by parameter as the backward pass frees them. What is
    /// returned holds no tensors. `units`: of the whole micro-step, where `keys` are a part of it; nothing where `keys`
    /// are all of it and the model tells. When this throws, the window holds a part and must be cleared.
    [[nodiscard]] MicroGradient gradientInto(GradientWindow& window, const SampleKeys& keys,
                                             const MicroStepPlace& place, double lossScale,
                                             std::optional<double> units);
    /// The gradient from keys that lie on the device (see device_kernels.h), where the data lie too. Queues work only,
    /// so that it can be recorded. `lossScale`: of one element in the parameters' type; undefined for 1. What the host
    /// has to know (units, scale) is not filled in.
    [[nodiscard]] MicroGradient gradientOnDevice(const at::Tensor& deviceKeys, const at::Tensor& lossScale);

    /// Computes the samples' gradient again, unscaled and in the same parts, to find what of it is not finite first.
    /// Nothing is handed over. Throws what gradient() throws.
    [[nodiscard]] NonfinitePlace whereNonfinite(LayerWatch& watch, const SampleKeys& keys, std::int64_t part,
                                                std::int64_t smallestPart);

    [[nodiscard]] const BatchSource& source() const { return m_source; }
    /// Loss units of the samples, as a micro-step over them will count them; nothing where only the model knows.
    [[nodiscard]] std::optional<double> unitsOf(const SampleKeys& keys) const;

private:
    struct Forward {
        at::Tensor loss; ///< scaled sum; undefined without units
        MicroGradient result;
    };
    [[nodiscard]] MicroGradient gradientOfPart(const SampleKeys& keys, const MicroStepPlace& place, double lossScale);
    [[nodiscard]] Forward forward(const SampleKeys& keys, const MicroStepPlace& place, double lossScale);
    /// Outputs of `batch`, in a type that losses are taken in.
    [[nodiscard]] at::Tensor outputOf(const Batch& batch);
    [[nodiscard]] std::vector<at::Tensor> backward(const at::Tensor& loss) const;
    [[nodiscard]] NonfinitePlace whereInPart(LayerWatch& watch, const SampleKeys& keys);

    std::vector<at::Tensor> m_leaves;    ///< of all parameters
    std::vector<at::Tensor> m_trainable; ///< those that are not frozen
    std::unique_ptr<ModelInstance> m_model;
    BatchSource m_source;
    MicroStepSettings m_settings;
    ForwardContext m_context;
    std::int64_t m_calls = 0; ///< for PlantedBug::DrawsByCallOrder
};

} // namespace accumulus
