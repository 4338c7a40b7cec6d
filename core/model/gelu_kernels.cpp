// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/gelu_kernels.h"

#include "core/base/machine_features.h"
#include "core/base/widest_vectors.h"
#include "core/model/vector_math.h"
#include "core/model/vectors.h"

namespace accumulus {
namespace {

/// Phi(x), and e^(-x^2 / 2).
template <int Lanes>
ACCUMULUS_PART_OF_CALLER void normal(const VectorOf<Lanes>& x, VectorOf<Lanes>& phi, VectorOf<Lanes>& bell) {
    using Vector = VectorOf<Lanes>;
    const Vector size = x < 0.0F ? -x : x;
    const Vector t = 1.0F / (1.0F + 0.3F * size);
    bell = -0.5F * x * x;
    exponential<Lanes>(bell);
    Vector p = t * 0.0375478516F - 0.165076674F;
    p = p * t + 0.220083599F;
    p = p * t - 0.0665227876F;
    p = p * t + 0.13549545F;
    p = p * t + 0.0977563976F;
    p = p * t + 0.121111144F;
    p = p * t + 0.119605044F;
    const Vector tail = p * t * bell;
    phi = x < 0.0F ? tail : 1.0F - tail;
}

constexpr float slope = 1.5957691216F; ///< 2 sqrt(2 / pi)
constexpr float cubic = 0.044715F;

/// 1 / (1 + e^(-2u)), and e^(-2u).
template <int Lanes>
ACCUMULUS_PART_OF_CALLER void logistic(const VectorOf<Lanes>& x, VectorOf<Lanes>& part, VectorOf<Lanes>& power) {
    power = -slope * x * (1.0F + cubic * x * x);
    exponential<Lanes>(power);
    part = 1.0F / (1.0F + power);
}

/// `x` becomes the value; `slopes`: where they go, null for none.
struct Exact {
    template <int Lanes>
    static ACCUMULUS_PART_OF_CALLER void apply(VectorOf<Lanes>& x, VectorOf<Lanes>* slopes) {
        constexpr float density = 0.398942280F; // 1 / sqrt(2 pi)
        VectorOf<Lanes> phi, bell;
        normal<Lanes>(x, phi, bell);
        if (slopes)
            *slopes = phi + x * (density * bell);
        x *= phi;
    }
};

struct Tanh {
    template <int Lanes>
    static ACCUMULUS_PART_OF_CALLER void apply(VectorOf<Lanes>& x, VectorOf<Lanes>* slopes) {
        VectorOf<Lanes> part, power;
        logistic<Lanes>(x, part, power);
        const VectorOf<Lanes> rest = part * power; // 1 - part, without cancellation
        if (slopes)
            *slopes = part + x * part * rest * (slope * (1.0F + 3.0F * cubic * x * x));
        x *= part;
    }
};

/// What a pass hands on of Form: values, slopes times the gradient, or these in place of the gradient and the values.
enum class Pass { Values, Back, BackInPlace };

template <int Lanes, class Form, Pass Kind, class Real>
ACCUMULUS_PART_OF_CALLER void compute(const Real* from, const Real* gradient, Real* to, Real* value) {
    VectorOf<Lanes> x;
    load(from, x);
    if constexpr (Kind == Pass::Values) {
        Form::template apply<Lanes>(x, nullptr);
        store(x, to);
    } else {
        VectorOf<Lanes> g, slopes;
        load(gradient, g);
        Form::template apply<Lanes>(x, &slopes);
        slopes *= g;
        store(slopes, to);
        if constexpr (Kind == Pass::BackInPlace)
            store(x, value);
    }
}

/// The last elements in a vector that zeros fill up.
template <int Lanes, class Form, Pass Kind, class Real>
ACCUMULUS_PART_OF_CALLER void each(const Real* from, const Real* gradient, std::int64_t count, Real* to, Real* value) {
    constexpr bool back = Kind != Pass::Values, both = Kind == Pass::BackInPlace;
    std::int64_t i = 0;
    for (; i + Lanes <= count; i += Lanes)
        compute<Lanes, Form, Kind, Real>(from + i, back ? gradient + i : nullptr, to + i, both ? value + i : nullptr);
    Real rest[Lanes] = {}, restGradient[Lanes] = {}, restValue[Lanes] = {}; // NOLINT
    for (std::int64_t j = i; j < count; ++j) {
        rest[j - i] = from[j];
        if constexpr (back)
            restGradient[j - i] = gradient[j];
    }
    if (i < count)
        compute<Lanes, Form, Kind, Real>(rest, restGradient, restGradient, restValue);
    for (std::int64_t j = i; j < count; ++j) {
        to[j] = restGradient[j - i];
        if constexpr (both)
            value[j] = restValue[j - i];
    }
}

template <class Form, Pass Kind, class Real>
ACCUMULUS_PART_OF_CALLER void all(const Real* from, const Real* gradient, std::int64_t count, Real* to,
                                  Real* value = nullptr) {
    if (machineFeatures().wideVectors)
        each<16, Form, Kind, Real>(from, gradient, count, to, value);
    else
        each<8, Form, Kind, Real>(from, gradient, count, to, value);
}

} // namespace

ACCUMULUS_WIDEST void geluExact(const float* from, std::int64_t count, float* to) {
    all<Exact, Pass::Values, float>(from, nullptr, count, to);
}
ACCUMULUS_WIDEST void geluExactBack(const float* from, const float* gradient, std::int64_t count, float* to) {
    all<Exact, Pass::Back>(from, gradient, count, to);
}
ACCUMULUS_WIDEST void geluExactBackInPlace(const float* from, std::int64_t count, float* gradient, float* value) {
    all<Exact, Pass::BackInPlace>(from, gradient, count, gradient, value);
}
ACCUMULUS_WIDEST void geluTanh(const float* from, std::int64_t count, float* to) {
    all<Tanh, Pass::Values, float>(from, nullptr, count, to);
}
ACCUMULUS_WIDEST void geluTanhBack(const float* from, const float* gradient, std::int64_t count, float* to) {
    all<Tanh, Pass::Back>(from, gradient, count, to);
}
ACCUMULUS_WIDEST void geluTanhBackInPlace(const float* from, std::int64_t count, float* gradient, float* value) {
    all<Tanh, Pass::BackInPlace>(from, gradient, count, gradient, value);
}

ACCUMULUS_WIDEST void geluTanh(const c10::BFloat16* from, std::int64_t count, c10::BFloat16* to) {
    all<Tanh, Pass::Values, c10::BFloat16>(from, nullptr, count, to);
}
ACCUMULUS_WIDEST void geluTanhBack(const c10::BFloat16* from, const c10::BFloat16* gradient, std::int64_t count,
                                   c10::BFloat16* to) {
    all<Tanh, Pass::Back>(from, gradient, count, to);
}

} // namespace accumulus
