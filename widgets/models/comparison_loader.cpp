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

/// Those that the library has; the others go into `loaded`.
Result<QStringList> knownRuns(RunReader& reader, const QStringList& runs, LoadedComparison& loaded) {
    QStringList known;
    for (const QString& id : runs) {
        if (const auto run = reader.run(id.toStdString()))
            (run->trashed ? loaded.trashed : known) << id;
        else if (run.error().code == "library.no-run")
            loaded.missing << id;
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

} // namespace

Result<std::vector<PairChoice>> loadPairChoices(RunReader& reader) {
    ACCUMULUS_TRY_ASSIGN(const auto runs, reader.runs());
    ACCUMULUS_TRY_ASSIGN(const auto studies, reader.studies());
    std::map<std::string, std::string> names;
    for (const StudyRecord& study : studies)
        names[study.id] = study.name;
    std::map<std::string, const RunRecord*> byId;
    for (const RunRecord& run : runs)
        byId[run.id] = &run;

    std::vector<PairChoice> choices;
    for (const SuggestedPair& pair : suggestPairs(runs)) {
        const RunRecord& a = *byId.at(pair.groupA.front());
        const QString title = pairTitle(a, *byId.at(pair.groupB.front()));
        std::set<std::string> together;
        for (const std::vector<std::string>* group : {&pair.groupA, &pair.groupB})
            for (const std::string& id : *group)
                together.insert(byId.at(id)->study);
        const QString name =
            together.size() > 1
                ? Words::tr("%1 studies together").arg(format::count(static_cast<qint64>(together.size())))
                : format::fromUtf8(names[a.study]);
        choices.push_back({name.isEmpty() ? title : QStringLiteral("%1: %2").arg(name, title), idList(pair.groupA),
                           idList(pair.groupB)});
    }
    return choices;
}

Result<PairChoice> loadStudyArms(RunReader& reader, const QString& study) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.study(study.toStdString()));
    ACCUMULUS_TRY_ASSIGN(auto runs, reader.runs({.trashed = false, .study = record.id}));
    ACCUMULUS_TRY(addSeedsOfOthers(reader, record, runs));
    std::sort(runs.begin(), runs.end(), [](const RunRecord& a, const RunRecord& b) { return a.seed < b.seed; });
    PairChoice choice;
    choice.title = format::fromUtf8(record.name);
    for (const RunRecord& run : runs)
        (run.arm == Arm::Accumulated ? choice.groupA : choice.groupB) << QString::fromStdString(run.id);
    return choice;
}

Result<LoadedComparison> loadComparisonView(RunReader& reader, const ComparisonRequest& request) {
    LoadedComparison loaded;
    ACCUMULUS_TRY_ASSIGN(const auto groupA, knownRuns(reader, request.groupA, loaded));
    ACCUMULUS_TRY_ASSIGN(const auto groupB, knownRuns(reader, request.groupB, loaded));
    ACCUMULUS_TRY_ASSIGN(
        auto input,
        loadComparison(reader, ids(groupA), ids(groupB), request.metric.toStdString(), request.margin,
                       {.marginSetAt = request.marginSetAt, .together = ids(request.together), .axis = request.axis}));
    loaded.input = std::move(input);
    loaded.comparison = compareGroups(loaded.input, request.band, request.lossSmoothing);
    for (const QStringList* group : {&groupA, &groupB})
        for (const QString& id : *group) {
            ACCUMULUS_TRY_ASSIGN(const auto run, reader.run(id.toStdString()));
            loaded.live = loaded.live || isToBeTrained(run.state);
            if (loaded.study.id.empty() && run.arm == Arm::Accumulated && !run.study.empty())
                if (auto study = reader.study(run.study))
                    loaded.study = std::move(*study);
        }
    return loaded;
}

std::optional<ExperimentConfig> moreSeeds(const LoadedComparison& loaded, int count) {
    const std::vector<ComparedRun>& a = loaded.input.groupA;
    const std::vector<ComparedRun>& b = loaded.input.groupB;
    if (a.empty() || b.empty() || a.front().arm == b.front().arm)
        return std::nullopt;
    std::int64_t last = -1;
    for (const std::vector<ComparedRun>* group : {&a, &b})
        for (const ComparedRun& run : *group)
            last = std::max(last, run.seed);

    ExperimentConfig experiment;
    experiment.run = a.front().arm == Arm::Accumulated ? a.front().config : b.front().config;
    // Metric and margin as they were fixed, not as they were tried afterwards: the new seeds belong to the same
    // question.
    if (!loaded.study.id.empty())
        experiment.study = loaded.study.config;
    const QString name = format::fromUtf8(loaded.study.name);
    experiment.study.name =
        (name.isEmpty() ? Words::tr("More seeds") : Words::tr("%1, more seeds").arg(name)).toStdString();
    experiment.study.largeBatch = true;
    experiment.study.seeds.clear();
    for (int i = 1; i <= count; ++i)
        experiment.study.seeds.push_back(last + i);
    return experiment;
}

} // namespace accumulus::ui
