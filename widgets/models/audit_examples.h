// SPDX-License-Identifier: GPL-3.0-or-later
// What the known mistakes do to a small window, as weights: pictures for the gallery. Formulas are those of the
// patterns (core/analysis/gradient_audit). Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace accumulus::ui {

struct AuditExample {
    std::vector<double> units;
    std::vector<double> weights, rightWeights, earlier;
};

/// Nothing for a mistake that no weights describe.
[[nodiscard]] std::optional<AuditExample> auditExample(std::string_view pattern);

} // namespace accumulus::ui
