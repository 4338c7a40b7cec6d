// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

namespace accumulus {

/// Fully connected inputs-512-512-10 with ReLU: 784 inputs for 28x28 images, as in MindSpore's gradient accumulation
/// tutorial.
[[nodiscard]] Result<std::shared_ptr<const Model>> makeMlp(const InputShape& input, double dropout = 0.0);

} // namespace accumulus
