// SPDX-License-Identifier: GPL-3.0-or-later
// By what a window's gradient is divided. Pure; any thread.
#pragma once

#include "core/config/experiment_config.h"

#include <cstdint>

namespace accumulus {

/// Weight of one committed micro-gradient and divisor of the whole: the named policies of loss.normalise.
class Normaliser {
public:
    explicit Normaliser(Normalise policy) : m_policy(policy) {}
    [[nodiscard]] double commitWeight(double units) const;
    /// `nominalSteps`: K of a full window, by which the tutorials divide whatever the window holds.
    [[nodiscard]] double divisor(double units, std::int64_t microSteps, std::int64_t nominalSteps) const;
    /// The divided gradient is the mean over units, so norms and noise estimates mean what they say.
    [[nodiscard]] bool isMean() const { return m_policy == Normalise::Samples || m_policy == Normalise::Tokens; }
    [[nodiscard]] Normalise policy() const { return m_policy; }

private:
    Normalise m_policy;
};

} // namespace accumulus
