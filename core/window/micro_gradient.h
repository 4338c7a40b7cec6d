// SPDX-License-Identifier: GPL-3.0-or-later
// What one micro-step hands to its window. Values.
#pragma once

#include "core/model/model.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <vector>

namespace accumulus {

/// Seconds of one micro-step, of its lane.
struct MicroTimes {
    double data = 0.0, forward = 0.0, backward = 0.0;
    MicroTimes& operator+=(const MicroTimes& other) {
        data += other.data;
        forward += other.forward;
        backward += other.backward;
        return *this;
    }
};

/// What a micro-step hands over. `gradients` follow the layout; an undefined tensor belongs to a parameter that the
/// micro-batch did not touch.
struct MicroGradient {
    std::vector<at::Tensor> gradients; ///< of scale x the SUM of unit losses
    double units = 0.0;                ///< n_k; a sum of class weights need not be whole
    double lossSum = 0.0;              ///< not scaled; not known yet where lossOnDevice is defined
    std::int64_t samples = 0;
    std::int64_t tokens = 0;                               ///< of text, with and without loss
    double scale = 1.0;                                    ///< loss scale that the gradients carry
    bool finite = true;                                    ///< as far as it was looked at
    std::vector<std::vector<NormStatistics>> statistics{}; ///< [BatchNorm layer][group]
    MicroTimes times{};
    at::Tensor lossOnDevice{};  ///< the sum of losses, fp64, one element, where it stays on the device
    std::int64_t microStep = 0; ///< number in the window, from 0
    bool continues = false;     ///< a part of a micro-step whose other parts follow (lean, when memory is short)
};

} // namespace accumulus
