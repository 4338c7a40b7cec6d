// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/audit.h"

#include "core/train/auditor.h"

namespace accumulus {

Result<GradientAudit> auditTraining(const AuditSetup& setup) { return Auditor(setup).run(); }

} // namespace accumulus
