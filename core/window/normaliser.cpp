// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/normaliser.h"

namespace accumulus {

double Normaliser::commitWeight(double units) const { return isMean() ? 1.0 : 1.0 / units; }

double Normaliser::divisor(double units, std::int64_t microSteps, std::int64_t nominalSteps) const {
    switch (m_policy) {
    case Normalise::Samples:
    case Normalise::Tokens:
        return units;
    case Normalise::MeanOfMeans:
        return static_cast<double>(microSteps);
    case Normalise::SumOfMeans:
        return 1.0;
    case Normalise::NominalSteps:
        return static_cast<double>(nominalSteps);
    }
    return 1.0;
}

} // namespace accumulus
