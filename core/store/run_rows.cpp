// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_rows.h"

#include "core/base/kept_message.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/store/library_merge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

namespace accumulus {
namespace {

// One list for insert and select: bindRun and readRun follow this order.
constexpr std::string_view settingColumns =
    "id, study, name, arm, seed, config, config_hash, pair_hash, effective_batch, micro_batch, "
    "accumulation_steps, lanes, threads, train_samples, planned_updates, program, libtorch, device, "
    "hardware, system, data_hash, state, attempt, created_at, started_at, finished_at, "
    "heartbeat_at, owner_pid, owner_started, owner_host, claim, error, notes, trashed_at, dataset_hash, "
    "model_file_hash, initial_weights_hash, model_traits, color, protected, lowest_loss, driver, error_code, "
    "error_arguments, test_count, validation_count";
constexpr int settingCount = 46;
// bindSummary and readSummary follow this one.
constexpr std::string_view summaryColumns =
    "updates, micro_steps, samples, final_train_loss, test_loss, test_accuracy, best_test_accuracy, "
    "test_top5, test_mae, test_rmse, test_r2, "
    "validation_loss, validation_accuracy, best_validation_accuracy, validation_mae, validation_rmse, "
    "not_a_number, active_seconds, samples_per_second, peak_bytes, training_peak_bytes, evaluation_peak_bytes, "
    "weights_hash, checkpoint, others_share";
constexpr int summaryCount = 25;
constexpr std::string_view copiedColumns = "model, dataset, optimizer, lr, precision";
constexpr int copiedCount = 5;

constexpr std::array<std::pair<std::string_view, std::optional<double> RunSummary::*>, 13> optionalNumbers{{
    {"final_train_loss", &RunSummary::finalTrainLoss},
    {"test_loss", &RunSummary::testLoss},
    {"test_accuracy", &RunSummary::testAccuracy},
    {"best_test_accuracy", &RunSummary::bestTestAccuracy},
    {"test_top5", &RunSummary::testTop5},
    {"test_mae", &RunSummary::testMae},
    {"test_rmse", &RunSummary::testRmse},
    {"test_r2", &RunSummary::testR2},
    {"validation_loss", &RunSummary::validationLoss},
    {"validation_accuracy", &RunSummary::validationAccuracy},
    {"best_validation_accuracy", &RunSummary::bestValidationAccuracy},
    {"validation_mae", &RunSummary::validationMae},
    {"validation_rmse", &RunSummary::validationRmse},
}};

std::string placeholders(int count) {
    std::string text = "?";
    for (int i = 1; i < count; ++i)
        text += ", ?";
    return text;
}

/// Times that have not come are null in the file and 0 in the record.
std::optional<double> timeOrNull(double time) { return time == 0.0 ? std::nullopt : std::optional(time); }

std::optional<std::string> textOrNull(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<std::int64_t> numberOrNull(std::int64_t number) {
    return number == 0 ? std::nullopt : std::optional(number);
}

std::string choiceText(const RunConfig& config, std::string_view key) {
    const ConfigField* field = findField(key);
    return field == nullptr ? std::string() : std::get<std::string>(field->get(ExperimentConfig{config, {}}));
}

void bindSummary(Query& query, const Library::Connection& connection, const RunSummary& summary) {
    query.bind(summary.updates, summary.microSteps, summary.samples);
    std::string notANumber;
    for (const auto& [name, member] : optionalNumbers) {
        query.bind(summary.*member);
        if ((summary.*member) && std::isnan(*(summary.*member)))
            notANumber += (notANumber.empty() ? "" : ",") + std::string(name);
    }
    query.bind(notANumber, summary.activeSeconds, summary.samplesPerSecond,
               std::max(summary.peakBytes, summary.evaluationPeakBytes), numberOrNull(summary.peakBytes),
               numberOrNull(summary.evaluationPeakBytes), summary.weightsHash,
               connection.storedPath(summary.checkpoint), summary.othersShare);
}

RunSummary readSummary(Query& row, const Library::Connection& connection) {
    RunSummary summary;
    summary.updates = row.integer();
    summary.microSteps = row.integer();
    summary.samples = row.integer();
    for (const auto& [name, member] : optionalNumbers)
        summary.*member = row.optionalReal();
    const std::string notANumber = "," + row.text() + ",";
    for (const auto& [name, member] : optionalNumbers)
        if (notANumber.find(fmt::format(",{},", name)) != std::string::npos)
            summary.*member = std::numeric_limits<double>::quiet_NaN();
    summary.activeSeconds = row.real();
    summary.samplesPerSecond = row.real();
    const std::int64_t larger = row.integer();
    const auto training = row.optionalInteger();
    const auto evaluation = row.optionalInteger();
    summary.peakBytes = training || evaluation ? training.value_or(0) : larger; // of an earlier version
    summary.evaluationPeakBytes = evaluation.value_or(0);
    summary.weightsHash = row.text();
    summary.checkpoint = connection.fullPath(row.text()).value_or(std::string());
    summary.othersShare = row.optionalReal();
    return summary;
}

Environment readEnvironment(Query& row) {
    Environment environment;
    environment.program = row.text();
    environment.libtorch = row.text();
    environment.device = row.text();
    environment.hardware = row.text();
    environment.system = row.text();
    environment.data = row.text();
    return environment;
}

template <class Record>
std::string columnList(std::span<const MeasuredValue<Record>> values) {
    std::string list;
    for (const MeasuredValue<Record>& value : values)
        list += (list.empty() ? "" : ", ") + std::string(value.column);
    return list;
}

template <class Record>
void bindMeasured(Query& query, std::span<const MeasuredValue<Record>> values, const Record& record) {
    for (const MeasuredValue<Record>& value : values)
        std::visit([&](auto member) { query.bind(record.*member); }, value.member);
}

template <class Record>
Record readMeasured(Query& row, std::span<const MeasuredValue<Record>> values) {
    Record record;
    for (const MeasuredValue<Record>& value : values)
        std::visit(
            [&]<class Type>(Type Record::*member) {
                Type& place = record.*member;
                if constexpr (std::is_same_v<Type, double>)
                    place = row.optionalReal().value_or(value.whenNull);
                else if constexpr (std::is_same_v<Type, std::optional<double>>)
                    place = row.optionalReal();
                else if constexpr (std::is_same_v<Type, std::optional<std::int64_t>>)
                    place = row.optionalInteger();
                else if constexpr (std::is_same_v<Type, std::string>)
                    place = row.text();
                else // null in a column that the version of its row did not have
                    place = static_cast<Type>(row.optionalInteger().value_or(0));
            },
            value.member);
    return record;
}

std::optional<Arm> armOf(const std::string& name) {
    for (const Arm arm : {Arm::Accumulated, Arm::LargeBatch})
        if (name == armName(arm))
            return arm;
    return std::nullopt;
}

void readTrashed(Query& row, RunRecord& run) {
    const auto at = row.optionalReal();
    run.trashed = at.has_value();
    run.trashedAt = at.value_or(0.0);
}

} // namespace

void bindOwner(Query& query, const RunOwner& owner) {
    query.bind(numberOrNull(owner.pid), numberOrNull(owner.started), textOrNull(owner.host), textOrNull(owner.claim));
}

RunOwner readOwner(Query& row) {
    RunOwner owner;
    owner.pid = row.optionalInteger().value_or(0);
    owner.started = row.optionalInteger().value_or(0);
    owner.host = row.text();
    owner.claim = row.text();
    return owner.pid == 0 ? RunOwner{} : owner; // the claim outlives its owner: it keeps late writers out
}

bool isUsableId(std::string_view id) {
    return !id.empty() && id.size() <= 64 && std::ranges::all_of(id, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    });
}

Result<ConfigCache::Entry> ConfigCache::parse(const std::string& json) {
    if (const auto found = m_parsed.find(json); found != m_parsed.end())
        return found->second;
    ACCUMULUS_TRY_ASSIGN(auto config, runConfigFromJson(json));
    Entry entry{std::move(config), std::nullopt};
    if (auto batch = resolveBatch(entry.config.batch))
        entry.batch = std::move(*batch);
    constexpr std::size_t enough = 10'000;
    if (m_parsed.size() >= enough)
        m_parsed.clear();
    return m_parsed.emplace(json, std::move(entry)).first->second;
}

void bindErrorMessage(Query& query, const std::optional<Error>& error) {
    query.bind(error ? std::optional(error->code) : std::nullopt,
               error ? std::optional(argumentsJson(error->arguments)) : std::nullopt);
}

std::optional<Error> readErrorMessage(Query& row) {
    std::string code = row.text();
    auto arguments = argumentsFromJson(row.text());
    return arguments ? std::optional(Error{std::move(code), std::move(*arguments)}) : std::nullopt;
}

void insertRun(Library::Connection& connection, const RunRecord& run) {
    static const std::string sql =
        fmt::format("INSERT INTO runs ({}, {}, {}) VALUES ({})", settingColumns, summaryColumns, copiedColumns,
                    placeholders(settingCount + summaryCount + copiedCount));
    Query query(connection, sql, run.id, textOrNull(run.study), run.name, armName(run.arm), run.seed,
                runConfigJson(run.config), run.configHash, run.pairHash, run.batch.effective, run.batch.micro,
                run.batch.steps, run.lanes, run.threads, run.trainSamples, run.totalUpdates);
    const Environment& environment = run.environment;
    query.bind(environment.program, environment.libtorch, environment.device, environment.hardware, environment.system,
               environment.data);
    query.bind(runStateName(run.state), run.attempt, run.createdAt, timeOrNull(run.startedAt),
               timeOrNull(run.finishedAt), timeOrNull(run.heartbeat));
    bindOwner(query, run.owner);
    query.bind(run.error, run.notes, run.trashed ? std::optional(run.trashedAt) : std::nullopt,
               textOrNull(run.datasetHash));
    query.bind(textOrNull(run.modelFileHash), textOrNull(run.initialWeightsHash), textOrNull(run.modelTraits));
    query.bind(textOrNull(run.color), run.isProtected, run.lowestLoss, textOrNull(environment.driver));
    bindErrorMessage(query, run.errorMessage);
    query.bind(run.testCount, run.validationCount);
    bindSummary(query, connection, run.summary);
    query.bind(run.config.model.name, run.config.data.dataset, choiceText(run.config, "optimizer.name"),
               run.config.optimizer.lr, choiceText(run.config, "numerics.precision"));
    query.run();
}

const std::string& importedSql() {
    static const std::string sql = fmt::format(
        "EXISTS (SELECT 1 FROM events WHERE events.run = runs.number AND events.code = '{}')", importedEvent);
    return sql;
}

const std::string& selectRunsSql() {
    // Looking for an event takes as long as the run has events: only where it matters.
    static const std::string sql = fmt::format(
        "SELECT {}, {}, CASE WHEN state IN ('stopped', 'interrupted', 'failed') THEN {} ELSE 0 END, number FROM runs ",
        settingColumns, summaryColumns, importedSql());
    return sql;
}

Result<RunRecord> readRun(Query& row, const Library::Connection& connection, ConfigCache& cache) {
    RunRecord run;
    run.id = row.text();
    if (!isUsableId(run.id))
        return failure(connection.corrupt({"reason.run-id", {}}));
    const auto broken = [&](const std::string& column) {
        return failure(connection.corrupt({"reason.run-column", {{"column", column}, {"run", run.id}}}));
    };
    run.study = row.text();
    run.name = row.text();
    const auto arm = armOf(row.text());
    if (!arm)
        return broken("arm");
    run.arm = *arm;
    run.seed = row.integer();
    auto parsed = cache.parse(row.text());
    if (!parsed)
        return broken("config");
    run.config = std::move(parsed->config);
    run.configHash = row.text();
    run.pairHash = row.text();
    // Three columns for people and queries. They stand in where this version resolves the configuration to nothing.
    run.batch.effective = row.integer();
    run.batch.micro = row.integer();
    run.batch.steps = row.integer();
    if (parsed->batch)
        run.batch = std::move(*parsed->batch);
    run.lanes = row.integer();
    run.threads = row.integer();
    run.trainSamples = row.integer();
    run.totalUpdates = row.integer();
    run.environment = readEnvironment(row);
    const auto state = runStateFromName(row.text());
    if (!state)
        return broken("state");
    run.state = *state;
    run.attempt = row.integer();
    run.createdAt = row.realOrZero();
    run.startedAt = row.realOrZero();
    run.finishedAt = row.realOrZero();
    run.heartbeat = row.realOrZero();
    run.owner = readOwner(row);
    run.error = row.text();
    run.notes = row.text();
    readTrashed(row, run);
    run.datasetHash = row.text();
    run.modelFileHash = row.text();
    run.initialWeightsHash = row.text();
    run.modelTraits = row.text();
    run.color = row.text();
    run.isProtected = row.flag();
    run.lowestLoss = row.optionalReal();
    run.environment.driver = row.text();
    run.errorMessage = readErrorMessage(row);
    run.testCount = row.integer();
    run.validationCount = row.integer();
    run.summary = readSummary(row, connection);
    run.imported = row.flag();
    return run;
}

RunSummary summaryOf(Library::Connection& connection, std::int64_t run) {
    static const std::string sql = fmt::format("SELECT {} FROM runs WHERE number = ?", summaryColumns);
    Query query(connection, sql, run);
    return query.step() ? readSummary(query, connection) : RunSummary();
}

void updateSummary(Library::Connection& connection, std::int64_t run, const RunSummary& summary) {
    static const std::string sql =
        fmt::format("UPDATE runs SET ({}) = ({}) WHERE number = ?", summaryColumns, placeholders(summaryCount));
    Query query(connection, sql);
    bindSummary(query, connection, summary);
    query.bind(run).run();
}

const std::string& windowColumnList() {
    static const std::string list = columnList(windowValues());
    return list;
}

const std::string& evaluationColumnList() {
    static const std::string list = columnList(evaluationValues());
    return list;
}

const std::string& rankColumnList() {
    static const std::string list = columnList(rankValues());
    return list;
}

std::string insertSql(std::string_view verb, std::string_view table, const std::string& columns) {
    const auto count = static_cast<int>(std::ranges::count(columns, ',')) + 1;
    return fmt::format("{} INTO {} (run, attempt, {}) VALUES ({})", verb, table, columns, placeholders(count + 2));
}

void bindWindow(Query& query, const WindowRecord& window) { bindMeasured(query, windowValues(), window); }

void bindEvaluation(Query& query, const EvaluationRecord& evaluation) {
    bindMeasured(query, evaluationValues(), evaluation);
}

void bindRank(Query& query, const RankTimes& times) { bindMeasured(query, rankValues(), times); }

WindowRecord readWindow(Query& row) {
    WindowRecord window = readMeasured(row, windowValues());
    // Null: the row is older than the column, or the norm was NaN before clipping too.
    if (std::isnan(window.clippedNorm))
        window.clippedNorm = window.gradNorm;
    return window;
}

EvaluationRecord readEvaluation(Query& row) { return readMeasured(row, evaluationValues()); }

RankTimes readRank(Query& row) { return readMeasured(row, rankValues()); }

Result<std::int64_t> runNumber(Library::Connection& connection, const std::string& run) {
    Query query(connection, "SELECT number FROM runs WHERE id = ?", run);
    if (!query.step())
        return failure("library.no-run", {{"run", run}, {"file", connection.path.string()}});
    return query.integer();
}

} // namespace accumulus
