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
    /// A training pass and its way back to the parameters. Does any of them get a gradient? Throws as run() does. They
    /// need gradients from then on.
    [[nodiscard]] bool trains(const at::Tensor& input);
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
