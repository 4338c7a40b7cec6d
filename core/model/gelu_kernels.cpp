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

struct Exact {
    template <int Lanes>
    static ACCUMULUS_PART_OF_CALLER void value(VectorOf<Lanes>& x) {
        VectorOf<Lanes> phi, bell;
        normal<Lanes>(x, phi, bell);
        x *= phi;
    }
    template <int Lanes>
    static ACCUMULUS_PART_OF_CALLER void slopeOf(VectorOf<Lanes>& x) {
        constexpr float density = 0.398942280F; // 1 / sqrt(2 pi)
        VectorOf<Lanes> phi, bell;
        normal<Lanes>(x, phi, bell);
        x = phi + x * (density * bell);
    }
};

struct Tanh {
    template <int Lanes>
    static ACCUMULUS_PART_OF_CALLER void value(VectorOf<Lanes>& x) {
        VectorOf<Lanes> part, power;
        logistic<Lanes>(x, part, power);
        x *= part;
    }
    template <int Lanes>
    static ACCUMULUS_PART_OF_CALLER void slopeOf(VectorOf<Lanes>& x) {
        VectorOf<Lanes> part, power;
        logistic<Lanes>(x, part, power);
        const VectorOf<Lanes> rest = part * power; // 1 - part, without cancellation
        x = part + x * part * rest * (slope * (1.0F + 3.0F * cubic * x * x));
    }
};

/// Form's values, or its slopes times the gradient; the last elements in a vector that zeros fill up.
template <int Lanes, class Form, bool Back>
ACCUMULUS_PART_OF_CALLER void compute(const float* from, const float* gradient, float* to) {
    VectorOf<Lanes> x;
    load(from, x);
    if constexpr (Back) {
        VectorOf<Lanes> g;
        load(gradient, g);
        Form::template slopeOf<Lanes>(x);
        x *= g;
    } else {
        Form::template value<Lanes>(x);
    }
    store(x, to);
}

template <int Lanes, class Form, bool Back>
ACCUMULUS_PART_OF_CALLER void each(const float* from, const float* gradient, std::int64_t count, float* to) {
    std::int64_t i = 0;
    for (; i + Lanes <= count; i += Lanes)
        compute<Lanes, Form, Back>(from + i, Back ? gradient + i : nullptr, to + i);
    float rest[Lanes] = {}, restGradient[Lanes] = {}; // NOLINT
    for (std::int64_t j = i; j < count; ++j) {
        rest[j - i] = from[j];
        if constexpr (Back)
            restGradient[j - i] = gradient[j];
    }
    if (i < count)
        compute<Lanes, Form, Back>(rest, restGradient, rest);
    for (std::int64_t j = i; j < count; ++j)
        to[j] = rest[j - i];
}

template <class Form, bool Back>
ACCUMULUS_PART_OF_CALLER void all(const float* from, const float* gradient, std::int64_t count, float* to) {
    if (machineFeatures().wideVectors)
        each<16, Form, Back>(from, gradient, count, to);
    else
        each<8, Form, Back>(from, gradient, count, to);
}

} // namespace

ACCUMULUS_WIDEST void geluExact(const float* from, std::int64_t count, float* to) {
    all<Exact, false>(from, nullptr, count, to);
}
ACCUMULUS_WIDEST void geluExactBack(const float* from, const float* gradient, std::int64_t count, float* to) {
    all<Exact, true>(from, gradient, count, to);
}
ACCUMULUS_WIDEST void geluTanh(const float* from, std::int64_t count, float* to) {
    all<Tanh, false>(from, nullptr, count, to);
}
ACCUMULUS_WIDEST void geluTanhBack(const float* from, const float* gradient, std::int64_t count, float* to) {
    all<Tanh, true>(from, gradient, count, to);
}

} // namespace accumulus
