// SPDX-License-Identifier: GPL-3.0-or-later
// How audits of gradients read in the workbench. Pure functions; GUI thread.
#pragma once

#include "core/analysis/gradient_audit.h"

#include <QString>

namespace accumulus::ui::audit_text {

[[nodiscard]] QString verdictTitle(AuditVerdict verdict); ///< "Equivalent", "Not equivalent", "Expected"
/// In a list of runs, where "equivalent" is the word of a study's verdict: what was audited is named.
[[nodiscard]] QString badge(AuditVerdict verdict, bool ofSetup); ///< "Set-up passed"
[[nodiscard]] QString patternTitle(std::string_view code);
[[nodiscard]] QString patternWhy(std::string_view code);
[[nodiscard]] QString checkpointTitle(const std::string& checkpoint);              ///< of "initial", "best", "last"
[[nodiscard]] QString windowTitle(const GradientAudit& audit, std::size_t window); ///< "Window 3 (short)"
/// What was audited and how: "LeNet-5 on MNIST, initial weights, seed 0, fp32, 22 Nov 2026 17:04".
[[nodiscard]] QString circumstances(const GradientAudit& audit);
/// Has the window fewer samples than the longest one?
[[nodiscard]] bool isShort(const GradientAudit& audit, std::size_t window);

} // namespace accumulus::ui::audit_text
