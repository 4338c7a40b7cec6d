// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/comparison_loader.h"

#include "core/config/batch_plan.h"
#include "core/config/config_fields.h"
#include "widgets/models/field_words.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace accumulus::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::comparison_loader)
};

QStringList idList(const std::vector<std::string>& ids) {
    QStringList list;
    for (const std::string& id : ids)
        list << QString::fromStdString(id);
    return list;
}

std::vector<std::string> ids(const QStringList& list) {
    std::vector<std::string> result;
    for (const QString& id : list)
        result.push_back(id.toStdString());
    return result;
}

/// "LeNet-5 on MNIST, 32 × 8 against 256 × 1".
QString pairTitle(const RunRecord& a, const RunRecord& b) {
    return Words::tr("%1 on %2, %3 against %4")
        .arg(choiceTitle(a.config.model.name), choiceTitle(a.config.data.dataset), format::batchSplit(a.batch),
             format::batchSplit(b.batch));
}

/// "accumulated 32 × 8".
QString groupTitle(const RunRecord& run) {
    return QStringLiteral("%1 %2").arg(format::armTitle(run.arm), format::batchSplit(run.batch));
}

QString named(const QString& study, const QString& title) {
    return study.isEmpty() ? title : QStringLiteral("%1: %2").arg(study, title);
}

/// Those that count; the others go into `others`.
Result<QStringList> knownRuns(RunReader& reader, const QStringList& runs, LeftOutRuns& others) {
    QStringList known;
    for (const QString& id : runs) {
        if (const auto run = reader.run(id.toStdString()))
            (run->trashed ? others.trashed : known) << id;
        else if (run.error().code == "library.no-run")
            others.missing << id;
        else
            return failure(run.error());
    }
    return known;
}

/// The question that a study asks, whatever its seeds.
StudyConfig questionOf(StudyConfig study) {
    study.name.clear();
    study.seeds.clear();
    study.largeBatch = true;
    return study;
}

/// What the runs of one arm share with those that add seeds to them.
using ArmShape = std::tuple<Arm, std::string, std::int64_t, std::int64_t>;
std::set<ArmShape> armShapes(const std::vector<RunRecord>& runs) {
    std::set<ArmShape> shapes;
    for (const RunRecord& run : runs)
        shapes.emplace(run.arm, pairHash(run.config, 0), run.batch.micro, run.batch.steps);
    return shapes;
}

/// Adds the runs of studies that differ from this one in nothing but their seeds, oldest study first.
Status addSeedsOfOthers(RunReader& reader, const StudyRecord& study, std::vector<RunRecord>& runs) {
    ACCUMULUS_TRY_ASSIGN(auto studies, reader.studies());
    std::ranges::sort(studies, {}, &StudyRecord::createdAt);
    const std::set<ArmShape> shapes = armShapes(runs);
    std::set<std::int64_t> seeds;
    for (const RunRecord& run : runs)
        seeds.insert(run.seed);
    for (const StudyRecord& other : studies) {
        const bool repeats =
            std::ranges::any_of(other.config.seeds, [&seeds](std::int64_t seed) { return seeds.contains(seed); });
        const bool unknown = other.createdAt <= 0.0; // what it asked
        if (other.id == study.id || unknown || repeats || !(questionOf(other.config) == questionOf(study.config)))
            continue;
        ACCUMULUS_TRY_ASSIGN(const auto more, reader.runs({.trashed = false, .study = other.id}));
        if (armShapes(more) != shapes)
            continue;
        for (const RunRecord& run : more) {
            seeds.insert(run.seed);
            runs.push_back(run);
        }
    }
    return {};
}

bool isToBeTrained(RunState state) { return state == RunState::Queued || isActive(state); }

PairChoice armsOf(const StudyRecord& study, std::vector<RunRecord> runs) {
    std::sort(runs.begin(), runs.end(), [](const RunRecord& a, const RunRecord& b) { return a.seed < b.seed; });
    PairChoice choice;
    choice.title = format::fromUtf8(study.name);
    for (const RunRecord& run : runs)
        (run.arm == Arm::Accumulated ? choice.groupA : choice.groupB) << QString::fromStdString(run.id);
    return choice;
}

/// The study of the first accumulated run that has one; empty where there is none. Says whether a run is still to be
/// trained.
Result<StudyRecord> studyOfGroup(RunReader& reader, const std::vector<std::string>& group, bool& live) {
    StudyRecord found;
    for (const std::string& id : group) {
        ACCUMULUS_TRY_ASSIGN(const auto run, reader.run(id));
        live = live || isToBeTrained(run.state);
        if (found.id.empty() && run.arm == Arm::Accumulated && !run.study.empty())
            if (auto study = reader.study(run.study))
                found = std::move(*study);
    }
    return found;
}

} // namespace

Result<std::vector<PairChoice>> loadPairChoices(RunReader& reader) {
    ACCUMULUS_TRY_ASSIGN(const auto runs, reader.runs());
    ACCUMULUS_TRY_ASSIGN(const auto studies, reader.studies());
    std::map<std::string, StudyRecord> known;
    for (const StudyRecord& study : studies)
        known.emplace(study.id, study);
    std::map<std::string, const RunRecord*> byId;
    for (const RunRecord& run : runs)
        byId[run.id] = &run;

    std::vector<PairChoice> choices;
    for (const SuggestedPair& pair : suggestPairs(runs)) {
        std::set<std::string> together;
        std::vector<const RunRecord*> rowsA;
        std::vector<const RunRecord*> rowsB;
        for (const auto& [group, rows] : {std::pair(&pair.groupA, &rowsA), std::pair(&pair.groupB, &rowsB)})
            for (const std::string& id : *group) {
                rows->push_back(byId.at(id));
                together.insert(rows->back()->study);
            }
        const RunRecord& a = *rowsA.front();
        const RunRecord& b = *rowsB.front();
        const auto study = known.find(a.study);
        const QString name =
            together.size() > 1
                ? Words::tr("%1 studies together").arg(format::count(static_cast<qint64>(together.size())))
                : (study == known.end() ? QString() : format::fromUtf8(study->second.name));
        choices.push_back({named(name, pairTitle(a, b)), idList(pair.groupA), idList(pair.groupB),
                           named(name, groupTitle(a)), named(name, groupTitle(b)), briefOf(rowsA, rowsB, known)});
    }
    return choices;
}

Result<SeedArms> loadSeedArms(RunReader& reader, const QString& study) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.study(study.toStdString()));
    ACCUMULUS_TRY_ASSIGN(auto runs, reader.runs({.trashed = false, .study = record.id}));
    PairChoice own = armsOf(record, runs);
    ACCUMULUS_TRY(addSeedsOfOthers(reader, record, runs));
    return SeedArms{armsOf(record, std::move(runs)), std::move(own)};
}

Result<LeftOutRuns> loadLeftOut(RunReader& reader, const ComparisonRequest& request) {
    LeftOutRuns leftOut;
    for (const QStringList& group : request.groups())
        if (const auto known = knownRuns(reader, group, leftOut); !known)
            return failure(known.error());
    return leftOut;
}

Result<LoadedComparison> loadComparisonView(RunReader& reader, const ComparisonRequest& request, bool outline) {
    LoadedComparison loaded;
    LeftOutRuns& leftOut = loaded.leftOut;
    std::vector<std::vector<std::string>> groups;
    for (const QStringList& group : request.groups()) {
        ACCUMULUS_TRY_ASSIGN(const auto known, knownRuns(reader, group, leftOut));
        groups.push_back(ids(known));
    }
    ACCUMULUS_TRY_ASSIGN(auto input, loadComparedGroups(reader, groups, request.metric.toStdString(), request.margin,
                                                        {.marginSetAt = request.marginSetAt,
                                                         .together = ids(request.together),
                                                         .curves = {request.axis, outline},
                                                         .reference = request.reference}));
    loaded.input = std::move(input);
    loaded.family = compareFamily(loaded.input, request.band, request.lossSmoothing);
    loaded.comparison = loaded.family.members.front().comparison;
    for (const auto& group : groups) {
        ACCUMULUS_TRY_ASSIGN(auto study, studyOfGroup(reader, group, loaded.live));
        if (loaded.study.id.empty())
            loaded.study = study;
        loaded.studies.push_back(std::move(study));
    }
    return loaded;
}

QList<QStringList> ComparisonRequest::groups() const {
    QList<QStringList> all{groupA, groupB};
    all += further;
    return all;
}

void ComparisonRequest::setGroups(const QList<QStringList>& groups, std::size_t wanted) {
    groupA = groups.value(0);
    groupB = groups.value(1);
    further = groups.mid(2, mostGroups - 2);
    reference = further.isEmpty() ? 1 : std::min(wanted, static_cast<std::size_t>(further.size()) + 1);
}

bool ComparisonRequest::isComparable() const {
    return !groupA.isEmpty() && !groupB.isEmpty() && !groups().value(static_cast<qsizetype>(reference)).isEmpty();
}

std::optional<ExperimentConfig> moreSeeds(const LoadedComparison& loaded, int count, std::size_t member) {
    if (member >= loaded.family.members.size())
        return std::nullopt;
    const std::size_t group = loaded.family.members[member].group;
    const std::vector<ComparedRun>& a = groupAt(loaded.input, group);
    const std::vector<ComparedRun>& b = groupAt(loaded.input, loaded.input.reference);
    if (a.empty() || b.empty() || a.front().arm == b.front().arm ||
        pairHash(a.front().config, 0) != pairHash(b.front().config, 0)) // the second arm would be another one than b
        return std::nullopt;
    std::int64_t last = -1;
    for (const std::vector<ComparedRun>* runs : {&a, &b})
        for (const ComparedRun& run : *runs)
            last = std::max(last, run.seed);

    const bool firstIsAccumulated = a.front().arm == Arm::Accumulated;
    const StudyRecord& study = loaded.studies.at(firstIsAccumulated ? group : loaded.input.reference);
    ExperimentConfig experiment;
    experiment.run = firstIsAccumulated ? a.front().config : b.front().config;
    // Metric and margin as they were fixed, not as they were tried afterwards: the new seeds belong to the same
    // question.
    if (!study.id.empty())
        experiment.study = study.config;
    // Another question of the new runs, in the reference as well, would leave A and B without one.
    const auto judging = std::ranges::find_if(loaded.studies, [](const StudyRecord& one) { return !one.id.empty(); });
    auto metric = std::optional(defaultMetric(experiment.run));
    if (judging != loaded.studies.end()) {
        metric = studyMetric(judging->config.metric, experiment.run);
        experiment.study.margin = judging->config.margin;
    }
    if (metric) // by name: "auto" of a new study may be another one
        experiment.study.metric = metricName(*metric);
    const QString name = format::fromUtf8(study.name);
    experiment.study.name =
        (name.isEmpty() ? Words::tr("More seeds") : Words::tr("%1, more seeds").arg(name)).toStdString();
    experiment.study.largeBatch = true;
    experiment.study.seeds.clear();
    for (int i = 1; i <= count; ++i)
        experiment.study.seeds.push_back(last + i);
    return experiment;
}

} // namespace accumulus::ui
