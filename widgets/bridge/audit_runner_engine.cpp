// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the workbench asks the engine for an audit.
#include "widgets/bridge/audit_runner.h"

namespace accumulus::ui {

AuditEngine trainingAudits() { return {auditGradients, storeAudit}; }

} // namespace accumulus::ui
