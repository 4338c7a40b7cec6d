// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/precision.h"

namespace accumulus {

at::ScalarType parameterType(Precision precision) { return precision == Precision::Fp64 ? at::kDouble : at::kFloat; }

std::optional<at::ScalarType> autocastType(Precision precision) {
    switch (precision) {
    case Precision::Bf16:
        return at::kBFloat16;
    case Precision::Fp16:
        return at::kHalf;
    case Precision::Fp32:
    case Precision::Fp64:
        break;
    }
    return std::nullopt;
}

at::ScalarType accumulatorType(const NumericsConfig& numerics) {
    if (numerics.accumulator == AccumulatorKind::Bf16)
        return at::kBFloat16;
    return numerics.accumulator == AccumulatorKind::Fp32 ? at::kFloat : parameterType(numerics.precision);
}

} // namespace accumulus
