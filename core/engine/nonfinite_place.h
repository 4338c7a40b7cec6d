// SPDX-License-Identifier: GPL-3.0-or-later
// Where the first value of a window that is not finite came up. A layer is what owns parameters: their names without
// the last part ("conv2" of "conv2.weight"; a name without a dot is its own layer). What is computed between two layers
// (activations, pooling, attention) belongs to the one before. Values; free of torch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace accumulus {

/// A micro-step is computed again to find it, so values that come by chance may stay Unknown.
struct NonfinitePlace {
    enum class Part {
        Unknown,  ///< everything was finite when it was computed again, or that failed
        Samples,  ///< the input holds it
        Before,   ///< the model, before its first layer
        Forward,  ///< the first layer, in the order in which they are computed, whose output is not finite
        Loss,     ///< the outputs are finite, their loss is not
        Backward, ///< the loss is finite; of the layers whose gradient is not, the last one in forward order
        Sum       ///< each micro-step is finite, the sum of their gradients or its norm is not; the first layer of it
    };
    Part part = Part::Unknown;
    std::string layer;           ///< of Forward, Backward and, where one is known, Sum
    std::int64_t microStep = 0;  ///< the first one, from 1; 0: of Sum, or not known
    std::int64_t microSteps = 0; ///< of the window

    bool operator==(const NonfinitePlace&) const = default;
};

/// The layer of a parameter or buffer.
[[nodiscard]] inline std::string layerOf(std::string_view parameter) {
    return std::string(parameter.substr(0, parameter.rfind('.')));
}

} // namespace accumulus
