// SPDX-License-Identifier: GPL-3.0-or-later
// What a data set looks like to a model. Any thread.
#pragma once

#include "core/data/dataset.h"
#include "core/model/model.h"

namespace accumulus {

[[nodiscard]] InputShape inputShape(const Dataset& data, LossKind loss);
/// The same from headers alone.
[[nodiscard]] InputShape inputShape(const DatasetSizes& sizes, LossKind loss);

} // namespace accumulus
