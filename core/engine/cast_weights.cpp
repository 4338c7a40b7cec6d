// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cast_weights.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>

namespace accumulus {

CastWeights::CastWeights(const ParameterLayout& layout, Precision precision) {
    const bool sixteenBits = precision == Precision::Bf16 || precision == Precision::Fp16;
    if (sixteenBits && layout.anyAutocast())
        m_flat = layout.allocate(precision == Precision::Bf16 ? at::kBFloat16 : at::kHalf);
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
