// SPDX-License-Identifier: GPL-3.0-or-later
// A hand for the scripts beside it: runs a model of ours on inputs that Python made, in evaluation mode.
//
//   model_logits INPUT OUTPUT CLASSES (WEIGHTS | SEED) [key=value ...]
//
// INPUT holds a tensor "input": images [n, channels, height, width], or tokens [n, block] (int64). WEIGHTS is a
// safetensors file; with a SEED in its place the initial weights are drawn in fp64. OUTPUT receives "logits" and all
// weights and buffers, in our order. key=value: settings as for accumulus-cli --set. The compute type is that of the
// weights.
#include "core/config/config_fields.h"
#include "core/model/model.h"
#include "core/model/safetensors.h"
#include "core/train/checkpoint.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>
#include <vector>

using namespace accumulus;

namespace {

InputShape shapeOf(const at::Tensor& input, std::int64_t classes) {
    if (input.dim() == 2)
        return {1, 0, 0, classes, input.size(1)};
    return {input.size(1), input.size(2), input.size(3), classes, 0};
}

Status run(const std::vector<std::string>& arguments) {
    ExperimentConfig config;
    for (std::size_t i = 4; i < arguments.size(); ++i)
        ACCUMULUS_TRY(applyAssignment(config, arguments[i]));
    const auto content = readSafetensors(arguments[0]);
    if (!content)
        return failure(content.error());
    if (!content->find("input"))
        return failure("checkpoint.format", {{"file", arguments[0]}, {"reason", "it has no tensor input"}});
    const at::Tensor input = *content->find("input");
    const auto model = makeModel(
        config.run.model, shapeOf(input, std::stoll(arguments[2])),
        {.channelsLast = config.run.numerics.channelsLast == Layout::On, .winograd = config.run.numerics.winograd});
    if (!model)
        return failure(model.error());
    const ParameterLayout& layout = (*model)->layout();
    const ParameterLayout& buffers = (*model)->buffers();
    at::Tensor parameters;
    at::Tensor statistics = initialBuffers(buffers);
    const std::string& weights = arguments[3];
    if (std::ranges::all_of(weights, [](unsigned char c) { return std::isdigit(c) != 0; })) {
        parameters = initialWeights(layout, config.run.model, std::stoll(weights));
    } else {
        const auto file = readSafetensors(weights);
        if (!file)
            return failure(file.error());
        const at::Tensor* first = file->find(layout.specs()[0].name);
        const at::ScalarType type = first ? first->scalar_type() : at::kDouble;
        parameters = layout.allocate(type);
        statistics = statistics.to(type);
        if (const auto loaded = loadWeights(weights, layout, parameters, buffers, statistics); !loaded)
            return failure(loaded.error());
    }

    const at::NoGradGuard noGrad;
    NamedTensors output;
    std::vector<at::Tensor> leaves, running;
    for (std::size_t i = 0; i < layout.size(); ++i)
        output.tensors.emplace_back(layout.specs()[i].name, leaves.emplace_back(layout.view(parameters, i)));
    for (std::size_t i = 0; i < buffers.size(); ++i)
        output.tensors.emplace_back(buffers.specs()[i].name, running.emplace_back(buffers.view(statistics, i)));
    ForwardContext context;
    context.buffers = running;
    const at::Tensor typed = input.is_floating_point() ? input.to(parameters.scalar_type()) : input;
    output.tensors.emplace_back("logits", (*model)->forward(leaves, typed, context));
    if (const auto written = writeSafetensors(arguments[1], output); !written)
        return failure(written.error());
    return {};
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() < 4) {
        std::fputs("model_logits INPUT OUTPUT CLASSES (WEIGHTS | SEED) [key=value ...]\n", stderr);
        return 2;
    }
    const Status status = run(arguments);
    if (!status)
        std::fprintf(stderr, "%s\n", describe(status.error()).c_str());
    return status ? 0 : 1;
}
