// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include "core/base/hash.h"
#include "core/config/model_rows.h"
#include "core/model/bert_mini.h"
#include "core/model/char_gpt.h"
#include "core/model/lenet5.h"
#include "core/model/mlp.h"
#include "core/model/resnet.h"
#include "core/model/scripted_model.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace accumulus {

namespace {

using Made = Result<std::shared_ptr<Model>>;

struct Builder {
    std::string_view name;
    Made (*make)(const ModelConfig&, const InputShape&, ConvolutionChoice);
};

/// Tensors that the built-in networks can take: real numbers, of `dimensions` (0: any).
Status checkTensors(const ModelConfig& config, const InputShape& input, std::size_t dimensions) {
    if (input.kind != SampleKind::Tensors)
        return {};
    std::int64_t targets = 1;
    for (const std::int64_t side : input.target)
        targets *= side;
    const auto problem = [&](const char* given, const char* wanted, const char* cure) {
        return failure("model.input", {{"model", config.name},
                                       {"input", given},
                                       {"dimensions", std::to_string(input.sample.size())},
                                       {"targets", std::to_string(targets)},
                                       {"wanted", wanted},
                                       {"cure", cure}});
    };
    if (input.wholeNumbers)
        return problem("phrase.whole-numbers", "phrase.real-numbers", "cure.whole-inputs");
    if (dimensions > 0 && input.sample.size() != dimensions)
        return problem("phrase.samples-of-dimensions", "phrase.planes", "cure.planes");
    if (input.classes <= 0)
        return problem("phrase.real-targets", "phrase.class-targets", "cure.real-targets");
    if (input.loss == LossKind::CrossEntropy && targets != 1) // one row of scores for each sample
        return problem("phrase.several-targets", "phrase.one-class", "cure.several-targets");
    return {};
}

Made lenet5(const ModelConfig& config, const InputShape& input, ConvolutionChoice) {
    ACCUMULUS_TRY(checkTensors(config, input, 3));
    return makeLenet5(input, config.dropout);
}
Made mlp(const ModelConfig& config, const InputShape& input, ConvolutionChoice) {
    ACCUMULUS_TRY(checkTensors(config, input, 0));
    return makeMlp(input, config.hidden, config.dropout);
}
Made resnet(const ModelConfig& config, const InputShape& input, ConvolutionChoice convolutions) {
    ACCUMULUS_TRY(checkTensors(config, input, 3));
    return makeResnet(config, input, convolutions);
}
Made charGpt(const ModelConfig& config, const InputShape& input, ConvolutionChoice) {
    return makeCharGpt(config, input);
}
Made file(const ModelConfig& config, const InputShape& input, ConvolutionChoice convolutions) {
    return makeScriptedModel(config, input, convolutions);
}
Made bertMini(const ModelConfig& config, const InputShape& input, ConvolutionChoice) {
    return makeBertMini(config, input);
}

constexpr std::array builders{Builder{"lenet5", lenet5},   Builder{"mlp", mlp},          Builder{"resnet18", resnet},
                              Builder{"resnet50", resnet}, Builder{"char-gpt", charGpt}, Builder{"bert-mini", bertMini},
                              Builder{"file", file}};
static_assert(std::ranges::equal(builders, modelRows, {}, &Builder::name, &ModelRow::name),
              "each model of core/config/model_rows.h has its builder here, in the same order");

} // namespace

Result<std::shared_ptr<const Model>> makeModel(const ModelConfig& config, const InputShape& input,
                                               ConvolutionChoice convolutions) {
    const auto builder = std::ranges::find(builders, config.name, &Builder::name);
    if (builder == builders.end())
        return failure("model.unknown", {{"model", config.name}});
    ACCUMULUS_TRY(checkSamples(config, input.block > 0 ? SampleKind::Text : input.kind));
    ACCUMULUS_TRY(checkSettings(config));
    ACCUMULUS_TRY_ASSIGN(auto model, builder->make(config, input, convolutions));
    ACCUMULUS_TRY(model->freeze(config.freeze));
    return model;
}

at::Tensor initialWeights(const ParameterLayout& layout, const ModelConfig& config, std::int64_t seed,
                          at::ScalarType type) {
    const at::NoGradGuard noGrad;
    at::Generator generator = at::detail::createCPUGenerator(mixKey(static_cast<std::uint64_t>(seed), 0, 0x1417));
    at::Tensor flat = layout.allocate(type);
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

at::Tensor initialWeights(const Model& model, const ModelConfig& config, std::int64_t seed, at::ScalarType type) {
    return model.bringsWeights() ? model.ownWeights(type) : initialWeights(model.layout(), config, seed, type);
}

at::Tensor initialBuffers(const ParameterLayout& buffers) {
    const at::NoGradGuard noGrad;
    at::Tensor flat = buffers.allocate(at::kDouble);
    for (std::size_t i = 0; i < buffers.size(); ++i)
        buffers.view(flat, i).fill_(buffers.specs()[i].initial.value);
    return flat;
}

} // namespace accumulus
