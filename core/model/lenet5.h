// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

namespace accumulus {

/// The classic 6-16-120-84-10 network (LeCun et al. 1998) with ReLU and max-pooling. 32x32 inputs as published; 28x28
/// inputs are padded by 2 in the first convolution, which gives the same sizes. Error "model.input".
[[nodiscard]] Result<std::shared_ptr<Model>> makeLenet5(const InputShape& input, double dropout = 0.0);

} // namespace accumulus
