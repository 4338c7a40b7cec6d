// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of Winograd's minimal filtering F(m, 3), m outputs of a filter of three taps, for m = 2 and 4:
// polynomials of degree m + 1 are given by their values at m + 1 points and at infinity (Toom-Cook). Points and
// rounding errors: core/model/winograd_kernels.h.
#pragma once

#include "core/model/vectors.h"

namespace accumulus {

/// The one-dimensional transforms. Each makes `to` vectors of `from`, and writes them to result[0], result[step],
/// result[2 * step], ...
template <int Outputs>
struct WinogradTransform;

/// Points 0, 1, -1 and infinity.
template <>
struct WinogradTransform<2> {
    /// Four inputs, at the points.
    struct Input {
        static constexpr int from = 4, to = 4;
        template <class Vector>
        ACCUMULUS_PART_OF_CALLER static void apply(const Vector* d, Vector* result, int step) {
            result[0] = d[0] - d[2];
            result[step] = d[1] + d[2];
            result[2 * step] = d[2] - d[1];
            result[3 * step] = d[1] - d[3];
        }
    };
    /// Three taps, at the points.
    struct Filter {
        static constexpr int from = 3, to = 4;
        template <class Vector>
        ACCUMULUS_PART_OF_CALLER static void apply(const Vector* g, Vector* result, int step) {
            const Vector outer = g[0] + g[2];
            result[0] = g[0];
            result[step] = 0.5F * (outer + g[1]);
            result[2 * step] = 0.5F * (outer - g[1]);
            result[3 * step] = g[2];
        }
    };
    /// Two outputs of four products.
    struct Output {
        static constexpr int from = 4, to = 2;
        template <class Vector>
        ACCUMULUS_PART_OF_CALLER static void apply(const Vector* m, Vector* result, int step) {
            result[0] = m[0] + m[1] + m[2];
            result[step] = m[1] - m[2] - m[3];
        }
    };
    /// The transpose of Output: gradients of four products.
    struct OutputGradient {
        static constexpr int from = 2, to = 4;
        template <class Vector>
        ACCUMULUS_PART_OF_CALLER static void apply(const Vector* y, Vector* result, int step) {
            result[0] = y[0];
            result[step] = y[0] + y[1];
            result[2 * step] = y[0] - y[1];
            result[3 * step] = -y[1];
        }
    };
    /// The transpose of Filter: gradients of three taps.
    struct FilterGradient {
        static constexpr int from = 4, to = 3;
        template <class Vector>
        ACCUMULUS_PART_OF_CALLER static void apply(const Vector* u, Vector* result, int step) {
            const Vector sum = 0.5F * (u[1] + u[2]);
            result[0] = u[0] + sum;
            result[step] = 0.5F * (u[1] - u[2]);
            result[2 * step] = sum + u[3];
        }
    };
};

/// Points 0, a, -a, b, -b and infinity: with these a and b all factors but those of the filters are exact.
template <>
struct WinogradTransform<4> {
    static constexpr float a = 0.6875F, b = 1.5F, a2 = a * a, b2 = b * b;
    static constexpr float atZero = 1 / (a2 * b2), atA = 1 / (2 * a2 * (a2 - b2)), atB = 1 / (2 * b2 * (b2 - a2));

    /// Values at a, -a, b and -b, of the even and the odd part at a and b; those at 0 and infinity are the caller's.
    template <class Vector>
    ACCUMULUS_PART_OF_CALLER static void atPoints(const Vector& evenA, const Vector& oddA, const Vector& evenB,
                                                  const Vector& oddB, Vector* result, int step) {
        result[step] = evenA + oddA;
        result[2 * step] = evenA - oddA;
        result[3 * step] = evenB + oddB;
        result[4 * step] = evenB - oddB;
    }

    /// Six inputs, at the points.
    struct Input {
        static constexpr int from = 6, to = 6;
        template <class Vector>
        ACCUMULUS_PART_OF_CALLER static void apply(const Vector* d, Vector* result, int step) {
            result[0] = a2 * b2 * d[0] + (d[4] - (a2 + b2) * d[2]);
            atPoints<Vector>(d[4] - b2 * d[2], a * (d[3] - b2 * d[1]), d[4] - a2 * d[2], b * (d[3] - a2 * d[1]), result,
                             step);
            result[5 * step] = a2 * b2 * d[1] + (d[5] - (a2 + b2) * d[3]);
        }
    };
    /// Three taps, at the points.
    struct Filter {
        static constexpr int from = 3, to = 6;
        template <class Vector>
        ACCUMULUS_PART_OF_CALLER static void apply(const Vector* g, Vector* result, int step) {
            result[0] = atZero * g[0];
            atPoints<Vector>(atA * (g[0] + a2 * g[2]), (atA * a) * g[1], atB * (g[0] + b2 * g[2]), (atB * b) * g[1],
                             result, step);
            result[5 * step] = g[2];
        }
    };
    /// Four outputs of six products.
    struct Output {
        static constexpr int from = 6, to = 4;
        template <class Vector>
        ACCUMULUS_PART_OF_CALLER static void apply(const Vector* m, Vector* result, int step) {
            const Vector sumA = m[1] + m[2], sumB = m[3] + m[4], differenceA = m[1] - m[2], differenceB = m[3] - m[4];
            result[0] = m[0] + (sumA + sumB);
            result[step] = a * differenceA + b * differenceB;
            result[2 * step] = a2 * sumA + b2 * sumB;
            result[3 * step] = (a2 * a * differenceA + b2 * b * differenceB) + m[5];
        }
    };
    /// The transpose of Output: gradients of six products.
    struct OutputGradient {
        static constexpr int from = 4, to = 6;
        template <class Vector>
        ACCUMULUS_PART_OF_CALLER static void apply(const Vector* y, Vector* result, int step) {
            result[0] = y[0];
            atPoints<Vector>(y[0] + a2 * y[2], a * (y[1] + a2 * y[3]), y[0] + b2 * y[2], b * (y[1] + b2 * y[3]), result,
                             step);
            result[5 * step] = y[3];
        }
    };
    /// The transpose of Filter: gradients of three taps.
    struct FilterGradient {
        static constexpr int from = 6, to = 3;
        template <class Vector>
        ACCUMULUS_PART_OF_CALLER static void apply(const Vector* u, Vector* result, int step) {
            const Vector sumA = atA * (u[1] + u[2]), sumB = atB * (u[3] + u[4]);
            const Vector differenceA = (atA * a) * (u[1] - u[2]), differenceB = (atB * b) * (u[3] - u[4]);
            result[0] = atZero * u[0] + (sumA + sumB);
            result[step] = differenceA + differenceB;
            result[2 * step] = (a2 * sumA + b2 * sumB) + u[5];
        }
    };
};

/// The two-dimensional transform: the one-dimensional one of all columns, and then of the rows of that.
/// fetch(row, column, vector) reads, keep(row, column, vector) writes.
template <class OneWay, class Vector, class Fetch, class Keep>
ACCUMULUS_PART_OF_CALLER void transformBothWays(const Fetch& fetch, const Keep& keep) {
    Vector columns[OneWay::to * OneWay::from];
#pragma GCC unroll 16
    for (int x = 0; x < OneWay::from; ++x) {
        Vector column[OneWay::from];
#pragma GCC unroll 16
        for (int y = 0; y < OneWay::from; ++y)
            fetch(y, x, column[y]);
        OneWay::apply(column, columns + x, OneWay::from);
    }
#pragma GCC unroll 16
    for (int y = 0; y < OneWay::to; ++y) {
        Vector row[OneWay::to];
        OneWay::apply(columns + OneWay::from * y, row, 1);
#pragma GCC unroll 16
        for (int x = 0; x < OneWay::to; ++x)
            keep(y, x, row[x]);
    }
}

} // namespace accumulus
