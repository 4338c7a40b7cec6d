// SPDX-License-Identifier: GPL-3.0-or-later
// A module from a file, run on samples that are made up. Internal to the trial of such a module.
#pragma once

#include "core/model/model.h"
#include "core/model/scripted_module.h"

#include <ATen/ATen.h>
#include <string>
#include <vector>

namespace accumulus {

constexpr std::int64_t trialRows = 4; ///< samples of a trial's batch

/// Shape of one sample.
[[nodiscard]] std::vector<std::int64_t> sampleShape(const InputShape& input);
[[nodiscard]] bool isWhole(const InputShape& input); ///< whole numbers: tokens, classes

class TrialRun {
public:
    /// `module` and `input` must outlive it. May throw what LibTorch throws.
    TrialRun(const ScriptedModule& module, const InputShape& input, at::ScalarType type)
        : m_module(module), m_input(input), m_type(type), m_instance(module, type, at::kCPU) {}

    /// Samples `first`, `first` + 1, ...: [count, ...], the same in every run.
    [[nodiscard]] at::Tensor samples(std::int64_t count, std::int64_t first = 0) const;

    struct Returned {
        at::Tensor tensor;
        bool withCount = false; ///< a sum and the count behind it
    };
    /// Throws what the module throws, and std::runtime_error with a reason when it returns other things.
    [[nodiscard]] Returned run(const at::Tensor& input, std::uint64_t seed = 1);
    [[nodiscard]] at::Tensor output(const at::Tensor& input, bool training, std::uint64_t seed = 1,
                                    bool frozenStatistics = false); ///< in fp64
    /// What a training pass and its way back do with the parameters that shall be trained, by their names.
    struct Trained {
        bool any = false;                   ///< one at least got a gradient
        std::vector<std::string> unreached; ///< those that got none
        std::string sparse;                 ///< one whose gradient is a sparse tensor, or empty
        std::string changed;                ///< one that the pass has written to, or empty
    };
    /// Throws as run() does. The parameters need gradients from then on.
    [[nodiscard]] Trained train(const at::Tensor& input);
    [[nodiscard]] ScriptedInstance& instance() { return m_instance; }
    [[nodiscard]] at::ScalarType type() const { return m_type; }

private:
    [[nodiscard]] at::Tensor targets(std::int64_t count) const;
    [[nodiscard]] Returned forward(const at::Tensor& input, std::uint64_t seed);

    const ScriptedModule& m_module;
    const InputShape& m_input;
    at::ScalarType m_type;
    ScriptedInstance m_instance;
};

} // namespace accumulus
