// SPDX-License-Identifier: GPL-3.0-or-later
// TorchScript files as people bring them, written by LibTorch itself: no Python is needed.
#pragma once

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <filesystem>
#include <string>
#include <torch/csrc/jit/api/module.h>

namespace accumulus::test {

struct ScriptedNet {
    torch::jit::Module module{"net"};
    at::Generator draws = at::detail::createCPUGenerator(7);

    ScriptedNet& parameter(const std::string& name, std::vector<std::int64_t> shape, bool trained = true) {
        at::Tensor value = at::randn(shape, draws) * 0.3;
        module.register_parameter(name, value.requires_grad_(trained), false);
        return *this;
    }
    ScriptedNet& buffer(const std::string& name, const at::Tensor& value) {
        module.register_buffer(name, value);
        return *this;
    }
    /// A BatchNorm's running mean, running variance and counter; of the module itself.
    ScriptedNet& statistics(std::int64_t channels) {
        return buffer("running_mean", at::zeros({channels}))
            .buffer("running_var", at::ones({channels}))
            .buffer("num_batches_tracked", at::zeros({}, at::kLong));
    }
    std::string save(const std::filesystem::path& file, const std::string& forward) {
        module.register_attribute("training", c10::BoolType::get(), true);
        module.define(forward);
        module.save(file.string());
        return file.string();
    }
};

/// Two layers over `inputs` numbers: linear, what `middle` does to x, linear to `outputs`.
inline std::string saveTwoLayers(const std::filesystem::path& file, std::int64_t inputs, std::int64_t outputs,
                                 const std::string& middle, bool statistics = false) {
    ScriptedNet net;
    net.parameter("first", {6, inputs})
        .parameter("second", {outputs, 6})
        .parameter("scale", {6})
        .parameter("shift", {6});
    if (statistics)
        net.statistics(6);
    return net.save(file, "def forward(self, x):\n"
                          "    x = torch.matmul(torch.flatten(x, 1), torch.t(self.first)) * self.scale + self.shift\n"
                          "    " +
                              middle +
                              "\n"
                              "    return torch.matmul(x, torch.t(self.second))\n");
}
inline const char* const plainMiddle = "x = torch.relu(x)";
inline const char* const dropoutMiddle = "x = torch.dropout(torch.relu(x), 0.4, self.training)";
/// With a momentum of 0.3.
inline const char* const normMiddle = "x = torch.relu(torch.batch_norm(x, None, None, self.running_mean, "
                                      "self.running_var, self.training, 0.3, 1e-5, False))";

} // namespace accumulus::test
