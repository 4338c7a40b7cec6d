// SPDX-License-Identifier: GPL-3.0-or-later
// The one-dimensional transforms of Winograd's minimal filtering F(m, 3), m outputs of a filter of three taps, for m =
// 2 and 4: polynomials of degree m + 1 are given by their values at m + 1 points and at infinity (Toom-Cook). The
// two-dimensional transforms apply these to columns and then to rows. Points and rounding errors:
// core/model/winograd_kernels.h.
#pragma once

#include "core/model/vectors.h"

namespace accumulus {

/// Each function reads `step` apart, too, where it says so, and writes to to[0], to[step], to[2 * step], ...
template <int Outputs>
struct WinogradTransform;

/// Points 0, 1, -1 and infinity.
template <>
struct WinogradTransform<2> {
    /// Four inputs, at the points.
    template <class Vector>
    ACCUMULUS_PART_OF_CALLER static void input(const Vector* d, Vector* to, int step) {
        to[0] = d[0] - d[2];
        to[step] = d[1] + d[2];
        to[2 * step] = d[2] - d[1];
        to[3 * step] = d[1] - d[3];
    }
    /// Three taps, at the points.
    template <class Vector>
    ACCUMULUS_PART_OF_CALLER static void filter(const Vector* g, Vector* to, int step) {
        const Vector outer = g[0] + g[2];
        to[0] = g[0];
        to[step] = 0.5F * (outer + g[1]);
        to[2 * step] = 0.5F * (outer - g[1]);
        to[3 * step] = g[2];
    }
    /// Two outputs of four products.
    template <class Vector>
    ACCUMULUS_PART_OF_CALLER static void output(const Vector* m, Vector* to, int step) {
        to[0] = m[0] + m[1] + m[2];
        to[step] = m[1] - m[2] - m[3];
    }
    /// The transpose of `output`: gradients of four products.
    template <class Vector>
    ACCUMULUS_PART_OF_CALLER static void outputGradient(const Vector* y, Vector* to, int step) {
        to[0] = y[0];
        to[step] = y[0] + y[1];
        to[2 * step] = y[0] - y[1];
        to[3 * step] = -y[1];
    }
    /// The transpose of `filter`: gradients of three taps.
    template <class Vector>
    ACCUMULUS_PART_OF_CALLER static void filterGradient(const Vector* u, Vector* to, int step) {
        const Vector sum = 0.5F * (u[1] + u[2]);
        to[0] = u[0] + sum;
        to[step] = 0.5F * (u[1] - u[2]);
        to[2 * step] = sum + u[3];
    }
};

/// Points 0, a, -a, b, -b and infinity: with these a and b all factors but those of the filters are exact.
template <>
struct WinogradTransform<4> {
    static constexpr float a = 0.6875F, b = 1.5F, a2 = a * a, b2 = b * b;
    static constexpr float atZero = 1 / (a2 * b2), atA = 1 / (2 * a2 * (a2 - b2)), atB = 1 / (2 * b2 * (b2 - a2));

    /// Six inputs, at the points.
    template <class Vector>
    ACCUMULUS_PART_OF_CALLER static void input(const Vector* d, Vector* to, int step) {
        const Vector evenA = d[4] - b2 * d[2], oddA = a * (d[3] - b2 * d[1]);
        const Vector evenB = d[4] - a2 * d[2], oddB = b * (d[3] - a2 * d[1]);
        to[0] = a2 * b2 * d[0] + (d[4] - (a2 + b2) * d[2]);
        to[step] = evenA + oddA;
        to[2 * step] = evenA - oddA;
        to[3 * step] = evenB + oddB;
        to[4 * step] = evenB - oddB;
        to[5 * step] = a2 * b2 * d[1] + (d[5] - (a2 + b2) * d[3]);
    }
    /// Three taps, at the points.
    template <class Vector>
    ACCUMULUS_PART_OF_CALLER static void filter(const Vector* g, Vector* to, int step) {
        const Vector evenA = atA * (g[0] + a2 * g[2]), oddA = (atA * a) * g[1];
        const Vector evenB = atB * (g[0] + b2 * g[2]), oddB = (atB * b) * g[1];
        to[0] = atZero * g[0];
        to[step] = evenA + oddA;
        to[2 * step] = evenA - oddA;
        to[3 * step] = evenB + oddB;
        to[4 * step] = evenB - oddB;
        to[5 * step] = g[2];
    }
    /// Four outputs of six products.
    template <class Vector>
    ACCUMULUS_PART_OF_CALLER static void output(const Vector* m, Vector* to, int step) {
        const Vector sumA = m[1] + m[2], sumB = m[3] + m[4], differenceA = m[1] - m[2], differenceB = m[3] - m[4];
        to[0] = m[0] + (sumA + sumB);
        to[step] = a * differenceA + b * differenceB;
        to[2 * step] = a2 * sumA + b2 * sumB;
        to[3 * step] = (a2 * a * differenceA + b2 * b * differenceB) + m[5];
    }
    /// The transpose of `output`: gradients of six products.
    template <class Vector>
    ACCUMULUS_PART_OF_CALLER static void outputGradient(const Vector* y, Vector* to, int step) {
        const Vector evenA = y[0] + a2 * y[2], oddA = a * (y[1] + a2 * y[3]);
        const Vector evenB = y[0] + b2 * y[2], oddB = b * (y[1] + b2 * y[3]);
        to[0] = y[0];
        to[step] = evenA + oddA;
        to[2 * step] = evenA - oddA;
        to[3 * step] = evenB + oddB;
        to[4 * step] = evenB - oddB;
        to[5 * step] = y[3];
    }
    /// The transpose of `filter`: gradients of three taps.
    template <class Vector>
    ACCUMULUS_PART_OF_CALLER static void filterGradient(const Vector* u, Vector* to, int step) {
        const Vector sumA = atA * (u[1] + u[2]), sumB = atB * (u[3] + u[4]);
        const Vector differenceA = (atA * a) * (u[1] - u[2]), differenceB = (atB * b) * (u[3] - u[4]);
        to[0] = atZero * u[0] + (sumA + sumB);
        to[step] = differenceA + differenceB;
        to[2 * step] = (a2 * sumA + b2 * sumB) + u[5];
    }
};

} // namespace accumulus
