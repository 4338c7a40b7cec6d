// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/initial_state.h"

#include "core/base/path_text.h"
#include "core/model/weights_file.h"

#include <ATen/ATen.h>

namespace accumulus {

InitialState drawnState(const Model& model, const ModelConfig& config, std::int64_t seed, at::ScalarType type) {
    const at::Tensor own = model.ownBuffers();
    return {initialWeights(model, config, seed, type),
            (own.defined() ? own : initialBuffers(model.buffers())).to(type)};
}

Result<InitialState> initialState(const Model& model, const ModelConfig& config, std::int64_t seed,
                                  at::ScalarType type) {
    InitialState state = drawnState(model, config, seed, type);
    if (!config.weights.empty()) {
        ACCUMULUS_TRY_ASSIGN(state.notes,
                             loadInitialWeights(pathOfText(config.weights), model.layout(), model.buffers(),
                                                config.newHead, state.parameters, state.statistics));
    }
    if (model.bringsWeights())
        for (Message& note : state.notes) // nothing is drawn
            note.code = note.code == "weights.drawn"           ? "weights.own"
                        : note.code == "weights.no-statistics" ? "weights.own-statistics"
                                                               : note.code;
    return state;
}

} // namespace accumulus
