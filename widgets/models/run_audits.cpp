// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_audits.h"

#include "core/config/config_fields.h"

#include <algorithm>
#include <cmath>

namespace accumulus::ui {

void RunAudits::setAudits(std::vector<AuditRecord> audits) {
    m_audits = std::move(audits);
    m_byRun.clear();
    m_byConfiguration.clear();
    for (std::size_t i = 0; i < m_audits.size(); ++i) {
        const AuditRecord& audit = m_audits[i];
        if (audit.run.empty())
            m_byConfiguration.try_emplace(audit.configuration, i);
        else
            m_byRun.try_emplace(audit.run, i);
    }
}

const AuditRecord* RunAudits::of(const RunRecord& run) {
    std::optional<std::size_t> newest;
    if (const auto own = m_byRun.find(run.id); own != m_byRun.end())
        newest = own->second;
    if (!m_byConfiguration.empty()) {
        auto& hash = m_hashes[run.id];
        if (hash.empty())
            hash = configHash(run.config, 0);
        if (const auto shared = m_byConfiguration.find(hash); shared != m_byConfiguration.end())
            newest = std::min(newest.value_or(shared->second), shared->second);
    }
    return newest ? &m_audits[*newest] : nullptr;
}

std::optional<GradientAudit> newestAudit(RunReader& reader, const RunRecord& run) {
    RunAudits known;
    for (const bool results : {false, true}) {
        known.setAudits(reader.audits(results).value_or(std::vector<AuditRecord>{}));
        const AuditRecord* record = known.of(run);
        if (record == nullptr)
            return std::nullopt;
        if (results)
            if (auto audit = auditFromJson(record->result))
                return std::move(*audit);
    }
    return std::nullopt;
}

std::string auditOfMoment(RunReader& reader, double createdAt) {
    constexpr double same = 1e-3; // s: it went through JSON
    const auto audits = reader.audits(false).value_or(std::vector<AuditRecord>{});
    const auto found = std::ranges::find_if(
        audits, [createdAt](const AuditRecord& audit) { return std::abs(audit.createdAt - createdAt) < same; });
    return found == audits.end() ? std::string() : found->id;
}

} // namespace accumulus::ui
