// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of what belongs to no run alone: an audit of gradients, a sweep over the micro-batch.
#include "core/base/clock.h"
#include "core/report/audit_section.h"
#include "core/report/plan_section.h"
#include "core/report/report_parts.h"
#include "core/report/report_words.h"
#include "core/run/library_views.h"
#include "core/run/program.h"

#include <algorithm>

namespace accumulus {
namespace {

ReportDocument documentNamed(std::string title) {
    ReportDocument document;
    document.title = std::move(title);
    document.subtitle = dateText(unixTime()) + " · " + programName();
    document.language = reportTag();
    document.pageWords = say("Page %1 of %2");
    return document;
}

} // namespace

Result<ReportDocument> auditReport(RunReader& reader, const std::string& id) {
    ACCUMULUS_TRY_ASSIGN(const auto audits, reader.audits(true, true));
    const auto found = std::ranges::find(audits, id, &AuditRecord::id);
    if (found == audits.end())
        return failure("report.none");
    ACCUMULUS_TRY_ASSIGN(const auto audit, auditFromJson(found->result));
    ReportDocument document = documentNamed(say("Audit of {}", said(audit.subject)));
    addAudits(document, {audit});
    return document;
}

Result<ReportDocument> planReport(RunReader& reader, const std::string& key) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.plan(key));
    if (!record)
        return failure("report.none");
    ACCUMULUS_TRY_ASSIGN(const auto plan, planFromJson(record->result));
    ReportDocument document = documentNamed(say("Plan of {}, effective batch {}", said(plan.subject), plan.effective));
    addPlan(document, plan);
    return document;
}

} // namespace accumulus
