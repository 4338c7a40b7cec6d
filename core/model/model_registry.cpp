// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include "core/base/hash.h"
#include "core/model/bert_mini.h"
#include "core/model/char_gpt.h"
#include "core/model/lenet5.h"
#include "core/model/mlp.h"
#include "core/model/resnet.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace accumulus {

namespace {

using Made = Result<std::shared_ptr<const Model>>;

struct Entry {
    std::string_view name;
    bool readsText;
    Made (*make)(const ModelConfig&, const InputShape&, ConvolutionChoice);
};

Made lenet5(const ModelConfig& config, const InputShape& input, ConvolutionChoice) {
    return makeLenet5(input, config.dropout);
}
Made mlp(const ModelConfig& config, const InputShape& input, ConvolutionChoice) {
    return makeMlp(input, config.dropout);
}
Made resnet(const ModelConfig& config, const InputShape& input, ConvolutionChoice convolutions) {
    return makeResnet(config, input, convolutions);
}
Made charGpt(const ModelConfig& config, const InputShape& input, ConvolutionChoice) {
    return makeCharGpt(config, input);
}
Made bertMini(const ModelConfig& config, const InputShape& input, ConvolutionChoice) {
    return makeBertMini(config, input);
}

constexpr std::array<Entry, 6> entries{{{"lenet5", false, lenet5},
                                        {"mlp", false, mlp},
                                        {"resnet18", false, resnet},
                                        {"resnet50", false, resnet},
                                        {"char-gpt", true, charGpt},
                                        {"bert-mini", true, bertMini}}};

Status checkInput(const Entry& entry, const InputShape& input) {
    const bool text = input.block > 0;
    if (text == entry.readsText)
        return {};
    const std::string model(entry.name);
    if (text)
        return failure("model.input", {{"model", model},
                                       {"input", "text"},
                                       {"wanted", "images"},
                                       {"cure", "Set model.name = \"char-gpt\", or choose a data set of images"}});
    return failure("model.input", {{"model", model},
                                   {"input", "images"},
                                   {"wanted", "text"},
                                   {"cure", "Set data.dataset = \"tinyshakespeare\", or choose a model of images"}});
}

/// Every head gets the same share of the width.
Status checkHeads(const ModelConfig& config) {
    if (config.heads > 0 && config.width % config.heads == 0)
        return {};
    std::int64_t fitting = std::clamp<std::int64_t>(config.heads, 1, config.width);
    while (config.width % fitting != 0)
        --fitting;
    return failure("model.setting",
                   {{"key", "model.heads"},
                    {"value", std::to_string(config.heads)},
                    {"model", config.name},
                    {"reason", "The width of " + std::to_string(config.width) + " is not a multiple of it"},
                    {"cure", "Use for example model.heads = " + std::to_string(fitting)}});
}

} // namespace

Result<std::shared_ptr<const Model>> makeModel(const ModelConfig& config, const InputShape& input,
                                               ConvolutionChoice convolutions) {
    const auto entry = std::ranges::find(entries, config.name, &Entry::name);
    if (entry == entries.end())
        return failure("model.unknown", {{"model", config.name}});
    ACCUMULUS_TRY(checkInput(*entry, input));
    if (entry->readsText)
        ACCUMULUS_TRY(checkHeads(config));
    return entry->make(config, input, convolutions);
}

at::Tensor initialWeights(const ParameterLayout& layout, const ModelConfig& config, std::int64_t seed) {
    const at::NoGradGuard noGrad;
    at::Generator generator = at::detail::createCPUGenerator(mixKey(static_cast<std::uint64_t>(seed), 0, 0x1417));
    at::Tensor flat = layout.allocate(at::kDouble);
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const ParameterSpec& spec = layout.specs()[i];
        at::Tensor drawn =
            at::zeros(spec.shape, at::kDouble); // row-major: the order of the draws does not depend on the layout
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
