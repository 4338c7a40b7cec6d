// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cast_weights.h"

#include "core/window/precision.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>

namespace accumulus {

CastWeights::CastWeights(const ParameterLayout& layout, Precision precision) {
    if (const auto type = autocastType(precision); type && layout.anyAutocast())
        m_flat = layout.allocate(*type);
}

void CastWeights::refresh(const at::Tensor& parameters, Workers* workers) {
    if (!m_flat.defined())
        return;
    const std::int64_t elements = parameters.numel();
    Workers* const helpers = worthwhile(workers, elements);
    const std::int64_t size = stretchSize(elements, helpers);
    forEachPart(helpers, (elements + size - 1) / size, [&](std::int64_t part) {
        const at::NoGradGuard noGrad; // of this thread
        const std::int64_t begin = part * size, count = std::min(size, elements - begin);
        m_flat.narrow(0, begin, count).copy_(parameters.narrow(0, begin, count));
    });
}

} // namespace accumulus
