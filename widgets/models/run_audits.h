// SPDX-License-Identifier: GPL-3.0-or-later
// Which audit a run shows: the newest one of its checkpoints or of its set-up. Owned by one thread at a time.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "core/store/run_reader.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace accumulus::ui {

class RunAudits {
public:
    void setAudits(std::vector<AuditRecord> audits); ///< newest first
    /// Null where there is none. The hash of a run's settings is worked out once, and only where a set-up was audited.
    [[nodiscard]] const AuditRecord* of(const RunRecord& run);

private:
    std::vector<AuditRecord> m_audits;
    std::unordered_map<std::string, std::size_t> m_byRun, m_byConfiguration; ///< newest, index into m_audits
    std::unordered_map<std::string, std::string> m_hashes;                   ///< configHash() at seed 0 by run
};

/// That audit with all it found; nothing where there is none. A set-up is a run without id. The results are read only
/// where there is one.
[[nodiscard]] std::optional<GradientAudit> newestAudit(RunReader& reader, const RunRecord& run);

/// UUID of the audit that was made at that time, of which a result knows no more; empty where there is none. Without
/// those with a mistake built in.
[[nodiscard]] std::string auditOfMoment(RunReader& reader, double createdAt);

} // namespace accumulus::ui
