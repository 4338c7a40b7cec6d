// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/audit_text.h"

#include "widgets/models/run_configurations.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <numeric>

namespace accumulus::ui::audit_text {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::AuditText)
};

double unitsOf(const AuditedWindow& window) { return std::accumulate(window.units.begin(), window.units.end(), 0.0); }

QString precisionTitle(Precision precision) {
    RunConfig config;
    config.numerics.precision = precision;
    return precisionName(config);
}

} // namespace

QString verdictTitle(AuditVerdict verdict) {
    switch (verdict) {
    case AuditVerdict::Equivalent:
        return Words::tr("Equivalent");
    case AuditVerdict::NotEquivalent:
        return Words::tr("Not equivalent");
    case AuditVerdict::Expected:
        break;
    }
    return Words::tr("Expected");
}

QString badge(AuditVerdict verdict, bool ofSetup) {
    switch (verdict) {
    case AuditVerdict::Equivalent:
        return ofSetup ? Words::tr("Set-up passed") : Words::tr("Weights passed");
    case AuditVerdict::NotEquivalent:
        return ofSetup ? Words::tr("Set-up failed") : Words::tr("Weights failed");
    case AuditVerdict::Expected:
        break;
    }
    return ofSetup ? Words::tr("Set-up as expected") : Words::tr("Weights as expected");
}

QString patternTitle(std::string_view code) { return format::message({"audit.pattern." + std::string(code), {}}); }

QString patternWhy(std::string_view code) {
    return format::message({"audit.pattern." + std::string(code) + ".why", {}});
}

QString checkpointTitle(const std::string& checkpoint) {
    if (checkpoint == "best")
        return Words::tr("best weights");
    return checkpoint == "last" ? Words::tr("last weights") : Words::tr("initial weights");
}

bool isShort(const GradientAudit& audit, std::size_t window) {
    const auto longest = std::ranges::max_element(audit.windows, {}, unitsOf);
    return longest != audit.windows.end() && unitsOf(audit.windows[window]) < unitsOf(*longest);
}

QString windowTitle(const GradientAudit& audit, std::size_t window) {
    const QString number = QString::number(window + 1);
    return isShort(audit, window) ? Words::tr("Window %1 (short)").arg(number) : Words::tr("Window %1").arg(number);
}

QString circumstances(const GradientAudit& audit) {
    QStringList parts{format::message(audit.subject), checkpointTitle(audit.checkpoint),
                      Words::tr("seed %1").arg(audit.seed), precisionTitle(audit.precision)};
    if (audit.createdAt > 0.0)
        parts << format::dateTime(audit.createdAt);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

} // namespace accumulus::ui::audit_text
