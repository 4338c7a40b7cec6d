// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include "core/base/hash.h"
#include "core/model/lenet5.h"
#include "core/model/mlp.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <cmath>

namespace accumulus {

Result<std::shared_ptr<const Model>> makeModel(const ModelConfig& config, const InputShape& input, bool /*channelsLast*/) {
    if (config.name == "lenet5")
        return makeLenet5(input, config.dropout);
    if (config.name == "mlp")
        return makeMlp(input, config.dropout);
    return failure("model.unknown", {{"model", config.name}});
}

at::Tensor initialWeights(const ParameterLayout& layout, const ModelConfig& config, std::int64_t seed) {
    const at::NoGradGuard noGrad;
    at::Generator generator = at::detail::createCPUGenerator(mixKey(static_cast<std::uint64_t>(seed), 0, 0x1417));
    at::Tensor flat = layout.allocate(at::kDouble);
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const ParameterSpec& spec = layout.specs()[i];
        at::Tensor drawn = at::zeros(spec.shape, at::kDouble); // row-major: the order of the draws does not depend on the layout
        if (spec.initial.kind == InitialValue::Kind::Constant) {
            drawn.fill_(spec.initial.value);
        } else if (config.init == "normal") {
            if (!spec.bias)
                drawn.normal_(0.0, config.initStd, generator);
        } else if (spec.initial.kind == InitialValue::Kind::Normal) {
            drawn.normal_(0.0, spec.initial.value, generator);
        } else {
            const double bound = 1.0 / std::sqrt(static_cast<double>(spec.fanIn));
            drawn.uniform_(-bound, bound, generator);
        }
        layout.view(flat, i).copy_(drawn);
    }
    return flat;
}

at::Tensor initialBuffers(const ParameterLayout& buffers) {
    const at::NoGradGuard noGrad;
    at::Tensor flat = buffers.allocate(at::kDouble);
    for (std::size_t i = 0; i < buffers.size(); ++i)
        buffers.view(flat, i).fill_(buffers.specs()[i].initial.value);
    return flat;
}

} // namespace accumulus
