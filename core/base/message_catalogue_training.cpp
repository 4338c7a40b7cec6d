// SPDX-License-Identifier: GPL-3.0-or-later
// Why training cannot begin or go on, and what helps.
#include "core/base/message_catalogue.h"

namespace accumulus {

std::span<const Sentence> trainingSentences() {
    // clang-format off
    static constexpr Sentence sentences[] = {
        // data files that change
        {"reason.file-changed", "its size or content has changed since it was opened"},
        {"reason.file-shorter", "a part of it can no longer be read"},

        // weights
        {"reason.weights-repeated", "the tensor {parameter} repeats its elements (stride 0). Save it after tensor.contiguous()"},
        {"reason.pickle-unresolved", "it holds a tensor whose sign or conjugate PyTorch has not written out. Save it after tensor.resolve_neg() and tensor.resolve_conj()"},

        // loss scale
        {"reason.loss-scale-range", "fp32, in which the loss is multiplied, cannot hold it"},

        // memory
        {"reason.memory-of-weights", "its {#parameters} parameters take {needed} with gradients and the optimizer's state, {@room}"},
        {"reason.memory-of-classes", "its {#parameters} parameters take {needed} with gradients and the optimizer's state, {@room}; most of them belong to the last layer, which has an output for each of {#classes} classes"},
        {"reason.memory-of-lanes", "the weights, the gradients of {lanes} lanes and the optimizer's state take {needed}, {@room}"},
        {"cure.smaller-network", "Use a smaller network; batch.lean = true saves one copy of the gradient, optimizer.name = \"sgd\" without momentum the optimizer's state"},
        {"cure.fewer-classes", "Check the targets: the largest is {#largest}; where that is right, use narrower layers before the last one"},
        {"cure.fewer-tokens", "Check the tokens and data.vocabulary: the largest token may be {#largest}; where that is right, use a smaller model.width"},
    };
    // clang-format on
    return sentences;
}

} // namespace accumulus
