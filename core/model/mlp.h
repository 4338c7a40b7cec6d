// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

namespace accumulus {

/// Fully connected layers with ReLU between them: fc1, fc2, ... For 28x28 images and hidden layers of 512 and 512 the
/// network of MindSpore's gradient accumulation tutorial, 784-512-512-10.
[[nodiscard]] Result<std::shared_ptr<Model>>
makeMlp(const InputShape& input, const std::vector<std::int64_t>& hidden = {512, 512}, double dropout = 0.0);

} // namespace accumulus
