// SPDX-License-Identifier: GPL-3.0-or-later
// A TorchScript module as a function of parameters and running statistics. The module that a file holds is never
// changed: every instance is a deep copy whose parameters are replaced by given tensors.
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <torch/csrc/jit/api/module.h>
#include <vector>

namespace accumulus {

/// A parameter or buffer of a module; a tensor that is shared stands under several names.
struct ScriptedTensor {
    std::vector<std::string> names; ///< dotted, as in Python's state_dict(); the first one counts
    at::Tensor value;               ///< as in the file, on the CPU
};

/// Running mean and variance of a layer, which a training pass moves by r <- (1 - momentum) r + momentum s.
struct ScriptedNorm {
    std::string owner;         ///< dotted name of the layer; empty: the module itself
    at::Tensor mean, variance; ///< as in the file
    double momentum = 0.1;
    std::int64_t area = 0; ///< values per sample and channel behind a statistic; 0: not known
};

class ScriptedInstance;

/// What a file holds. Immutable once it was tried; any thread.
struct ScriptedModule {
    torch::jit::Module module;
    std::string file;
    std::vector<ScriptedTensor> parameters;
    std::vector<ScriptedTensor> buffers;
    std::vector<ScriptedNorm> norms; ///< found by trying
    bool branchesOnValues = false;   ///< which layers a pass goes through may depend on samples or draws
    bool drawsForBranches = false;   ///< on draws, as with stochastic depth: two draws may well agree
};

/// Reads a module and lets it use own kernels (see scripted_kernels.h). Errors "model.file-missing", "model.file-open",
/// "model.file-operators", "model.file-parameters".
[[nodiscard]] Result<ScriptedModule> readScriptedModule(const std::filesystem::path& file,
                                                        ConvolutionChoice convolutions = {});

/// The momentum that a BatchNorm layer of PyTorch declares, where it obeys Module.train(). For layers that no trial
/// reached.
[[nodiscard]] std::optional<double> declaredMomentum(const ScriptedModule& module, const std::string& owner);

/// What LibTorch says about a failure in a module, in one line, without the trace of TorchScript.
[[nodiscard]] std::string scriptedReason(const std::exception& problem);

/// A module to compute with. One thread at a time.
class ScriptedInstance {
public:
    /// Real parameters and buffers become `type` on `device`.
    ScriptedInstance(const ScriptedModule& module, at::ScalarType type, at::Device device);

    /// `values` follow ScriptedModule::parameters; the module computes with these very tensors.
    void setParameters(const std::vector<at::Tensor>& values);
    /// As Module.train() in Python. With frozen statistics the layers of `norms` normalise by what setStatistics()
    /// gave.
    void setTraining(bool training, bool frozenStatistics);
    /// mean, variance, mean, variance, ... for normalising by them.
    void setStatistics(std::span<const at::Tensor> values);
    /// Gives the layers means and variances of -0 for a training pass to move: new ones each time, since autograd
    /// keeps those of a pass for its way back.
    void beginStatistics();
    /// What a pass has made of them. It may have put another tensor in their place.
    [[nodiscard]] at::Tensor mean(std::size_t norm) const { return m_layers[norm].attr("running_mean").toTensor(); }
    [[nodiscard]] at::Tensor variance(std::size_t norm) const { return m_layers[norm].attr("running_var").toTensor(); }
    /// Which layers a pass since beginStatistics() went through: even a variance of zero turns -0 into +0. Waits for a
    /// device.
    [[nodiscard]] std::vector<bool> reached() const;
    /// A buffer by its place in ScriptedModule::buffers.
    [[nodiscard]] at::Tensor buffer(std::size_t place) const;
    void setBuffer(std::size_t place, const at::Tensor& value);

    /// What the module returns. Throws what LibTorch throws.
    [[nodiscard]] c10::IValue run(std::vector<c10::IValue> inputs);

private:
    /// Where the module has one tensor: under its names, and in lists and the like (scripted_held.h).
    struct Places {
        std::vector<std::string> names;
        std::vector<std::function<void(const at::Tensor&)>> held;
    };
    void put(const Places& places, const at::Tensor& value);
    void useStatistics(std::span<const at::Tensor> values);

    const ScriptedModule& m_description;
    torch::jit::Module m_module;
    std::vector<Places> m_parameterPlaces, m_bufferPlaces; ///< as ScriptedModule has them
    std::vector<torch::jit::Module> m_layers;              ///< of ScriptedModule::norms
    std::vector<at::Tensor> m_own;                         ///< statistics that training moves
    bool m_training = false, m_frozen = false, m_modeKnown = false;
};

/// Dropout draws from one stream of a device, which all threads share: takes it for as long as the result lives, and
/// seeds it. Any thread.
[[nodiscard]] std::unique_lock<std::mutex> seededStream(std::uint64_t key, at::Device device);

} // namespace accumulus
