// SPDX-License-Identifier: GPL-3.0-or-later
// Which network a run trains, and whether it fits data and loss: asked before there is an engine.
#include "core/engine/engine.h"
#include "core/engine/input_shape.h"
#include "core/engine/model_precision.h"
#include "core/model/model.h"
#include "core/window/precision.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <numeric>

namespace accumulus {
namespace {

/// GPUs have fast kernels for it in 16 bits only.
bool wantsChannelsLast(const NumericsConfig& numerics, at::Device device) {
    const bool wins = device.is_cpu() || autocastType(numerics.precision);
    return numerics.channelsLast == Layout::On || (numerics.channelsLast == Layout::Auto && wins);
}

/// What a network from a file returns for the first samples is what the loss needs.
Status checkFirstOutputs(const EngineSetup& setup, const Model& model) {
    constexpr std::int64_t few = 2;
    const at::NoGradGuard noGrad;
    const at::ScalarType type = parameterType(setup.config.numerics.precision);
    BatchSource source(*setup.data, DataPart::Train, model.task(), /*augment=*/false, type, few);
    std::vector<std::int64_t> ids(static_cast<std::size_t>(std::min(few, source.count())));
    std::iota(ids.begin(), ids.end(), 0);
    const std::vector<std::int64_t> epochs(ids.size(), 0);
    const SampleKeys keys{setup.seed, ids, epochs};
    const Batch batch = source.fill(keys);
    const at::Tensor parameters = model.ownWeights(type);
    const at::Tensor statistics = model.ownBuffers().to(type);
    const auto buffers = model.buffers().views(statistics);
    ForwardContext context;
    context.keys = keys;
    context.buffers = buffers;
    context.targets = batch.targets;
    try {
        const at::Tensor output = model.forward(model.layout().views(parameters), batch.input, context);
        return checkOutputs(output, batch, lossSettings(setup.config.loss), setup.data->classes, context.units);
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

} // namespace

Result<std::shared_ptr<const Model>> modelOf(const EngineSetup& setup, at::Device device) {
    if (setup.data->kind() == SampleKind::Tensors)
        ACCUMULUS_TRY(checkTargets(setup.config.loss, setup.data->targetValues));
    if (setup.model)
        return setup.model;
    const bool isFile = setup.config.model.name == "file"; // of which only its outputs tell
    if (setup.data->classes > 0 && !isFile)
        ACCUMULUS_TRY(checkClassWeights(setup.config.loss, setup.data->classes));
    ACCUMULUS_TRY_ASSIGN(auto model, makeModel(setup.config.model, inputShape(*setup.data, setup.config.loss.kind),
                                               {.channelsLast = wantsChannelsLast(setup.config.numerics, device),
                                                .winograd = setup.config.numerics.winograd,
                                                .onlyWide = setup.config.numerics.channelsLast == Layout::Auto}));
    ACCUMULUS_TRY(checkPrecision(*model, setup.config.model, setup.config.numerics.precision));
    if (isFile)
        ACCUMULUS_TRY(checkFirstOutputs(setup, *model));
    return model;
}

} // namespace accumulus
