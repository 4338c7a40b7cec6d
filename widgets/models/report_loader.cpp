// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/report_loader.h"

#include "core/analysis/gradient_audit.h"
#include "core/analysis/micro_plan.h"
#include "core/config/batch_plan.h"
#include "core/report/report_words.h"
#include "core/store/plan_list.h"
#include "widgets/models/field_words.h"
#include "widgets/models/report_language.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::report_loader)
};

bool hasEnded(RunState state) { return state == RunState::Completed || isResumable(state); }

QString runTitle(const RunRecord& run) {
    const QString split = format::batchSplit(run.batch);
    // A run's name says arm and seed already.
    const QString title = run.name.empty()
                              ? Words::tr("%1 · %2 %3 · seed %4")
                                    .arg(choiceTitle(run.config.model.name), format::armTitle(run.arm), split)
                                    .arg(run.seed)
                              : Words::tr("%1 · %2").arg(format::fromUtf8(run.name), split);
    return run.state == RunState::Completed ? title : Words::tr("%1 · %2").arg(title, format::stateTitle(run));
}

} // namespace

ReportKind ReportSubject::kind() const {
    return !run.isEmpty()     ? ReportKind::Run
           : !audit.isEmpty() ? ReportKind::Audit
           : !plan.isEmpty()  ? ReportKind::Plan
                              : ReportKind::Comparison;
}

bool ReportSubject::sameAs(const ReportSubject& other) const {
    return run == other.run && audit == other.audit && plan == other.plan &&
           comparison.groups() == other.comparison.groups() && comparison.reference == other.comparison.reference;
}

ReportBasis loadReportBasis(RunReader& reader, const ReportSubject& subject) {
    ReportBasis basis;
    QStringList ids = subject.run.isEmpty() ? QStringList() : QStringList(subject.run);
    if (subject.kind() == ReportKind::Comparison)
        for (const QStringList& group : subject.comparison.groups())
            ids += group;
    for (const QString& id : std::as_const(ids)) {
        auto run = reader.run(id.toStdString());
        if (!run) // gone
            continue;
        run->heartbeat = 0.0;
        const bool known = std::ranges::find(basis.studies, run->study, &StudyRecord::id) != basis.studies.end();
        if (const auto study = reader.study(run->study); study && !known)
            basis.studies.push_back(*study);
        basis.runs.push_back(std::move(*run));
    }
    return basis;
}

ReportSubject reportOf(const RunRecord& run) {
    return {.title = runTitle(run),
            .run = QString::fromStdString(run.id),
            .comparison = {},
            .details = format::dateTime(run.createdAt)};
}

Result<std::vector<ReportSubject>> loadReportRuns(RunReader& reader) {
    ACCUMULUS_TRY_ASSIGN(const auto runs, reader.runs());
    std::vector<ReportSubject> subjects;
    for (const RunRecord& run : runs)
        if (hasEnded(run.state))
            subjects.push_back(reportOf(run));
    return subjects;
}

Result<std::vector<ReportSubject>> loadReportComparisons(RunReader& reader) {
    ACCUMULUS_TRY_ASSIGN(const auto choices, loadPairChoices(reader));
    std::vector<ReportSubject> subjects;
    for (const PairChoice& choice : choices) {
        ReportSubject subject;
        subject.title = choice.title;
        subject.details = briefText(choice.brief);
        subject.verdict = choice.brief.verdict;
        subject.comparison.groupA = choice.groupA;
        subject.comparison.groupB = choice.groupB;
        subjects.push_back(std::move(subject));
    }
    return subjects;
}

namespace {

Result<std::vector<ReportSubject>> loadAudits(RunReader& reader) {
    ACCUMULUS_TRY_ASSIGN(const auto audits, reader.audits(true, true));
    std::vector<ReportSubject> subjects;
    for (const AuditRecord& record : audits)
        if (const auto audit = auditFromJson(record.result)) // else another version's
            subjects.push_back(
                {Words::tr("%1 · %2").arg(format::message(audit->subject), format::dateTime(record.createdAt)),
                 {},
                 {},
                 QString::fromStdString(record.id)});
    return subjects;
}

Result<std::vector<ReportSubject>> loadPlans(RunReader& reader) {
    ACCUMULUS_TRY_ASSIGN(const auto plans, storedPlans(reader));
    std::vector<ReportSubject> subjects;
    for (const PlanRecord& record : plans)
        if (const auto plan = planFromJson(record.result))
            subjects.push_back({Words::tr("%1 · B = %2 · %3")
                                    .arg(format::message(plan->subject), format::count(plan->effective),
                                         format::dateTime(record.createdAt)),
                                {},
                                {},
                                {},
                                QString::fromStdString(record.key)});
    return subjects;
}

} // namespace

Result<std::vector<ReportSubject>> loadReportSubjects(RunReader& reader, ReportKind kind) {
    switch (kind) {
    case ReportKind::Run:
        return loadReportRuns(reader);
    case ReportKind::Audit:
        return loadAudits(reader);
    case ReportKind::Plan:
        return loadPlans(reader);
    case ReportKind::Comparison:
        break;
    }
    return loadReportComparisons(reader);
}

Result<ReportList> loadReportList(RunReader& reader, ReportKind wanted) {
    for (const ReportKind kind :
         {wanted, ReportKind::Comparison, ReportKind::Run, ReportKind::Audit, ReportKind::Plan}) {
        ACCUMULUS_TRY_ASSIGN(auto subjects, loadReportSubjects(reader, kind));
        if (!subjects.empty())
            return ReportList{kind, std::move(subjects)};
    }
    return ReportList{wanted, {}};
}

QString reportFileName(const QString& title) {
    static const QRegularExpression other(QStringLiteral("[^\\p{L}\\p{N}]+"));
    QString name = title.toLower().replace(other, QStringLiteral("-")).left(60);
    while (name.endsWith(QLatin1Char('-')))
        name.chop(1);
    return name.isEmpty() ? QStringLiteral("report") : name;
}

Result<ReportDocument> loadReport(RunReader& reader, const ReportSubject& subject, const QString& language) {
    const ReportLanguage scope(languageOf(language), languageTag(language));
    if (subject.kind() == ReportKind::Run)
        return runReport(reader, subject.run.toStdString());
    if (subject.kind() == ReportKind::Audit)
        return auditReport(reader, subject.audit.toStdString());
    if (subject.kind() == ReportKind::Plan)
        return planReport(reader, subject.plan.toStdString());
    ACCUMULUS_TRY_ASSIGN(const auto loaded, loadComparisonView(reader, subject.comparison));
    return familyReport(reader, loaded.input, loaded.family);
}

} // namespace accumulus::ui
