// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/stored_audits.h"

#include "core/config/config_fields.h"

namespace accumulus {

Result<std::vector<GradientAudit>> auditsOf(RunReader& reader, const RunRecord& run) {
    ACCUMULUS_TRY_ASSIGN(const auto records, reader.audits());
    const std::string configuration = records.empty() ? std::string() : configHash(run.config, 0);
    std::vector<GradientAudit> audits;
    for (const AuditRecord& record : records)
        if ((!run.id.empty() && record.run == run.id) || (record.run.empty() && record.configuration == configuration))
            if (auto audit = auditFromJson(record.result))
                audits.push_back(std::move(*audit));
    return audits;
}

} // namespace accumulus
