// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunReader that reads what a run has measured: windows, ranks, micro-steps, evaluations.
#include "core/store/run_reader_impl.h"

#include "core/config/experiment_file.h"
#include "core/config/metric_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace accumulus {
namespace {

using Connection = Library::Connection;

/// Calls `read(attempt)` for each attempt that has windows, in order. Attempts never overlap in windows that are not
/// superseded, so reading them one after the other gives all windows in order, and each is a range of the primary key.
template <class Read>
Status forEachAttempt(Connection& connection, std::int64_t run, Read&& read) {
    std::int64_t attempt = std::numeric_limits<std::int64_t>::min();
    for (;;) {
        std::optional<std::int64_t> next;
        {
            Query query(connection, "SELECT min(attempt) FROM windows WHERE run = ? AND attempt > ?", run, attempt);
            next = query.step() ? query.optionalInteger() : std::nullopt;
        }
        if (!next)
            return {};
        if (*next <= attempt) // only a broken index says so; without this check it could go on for ever
            return failure(connection.corrupt({"reason.attempts-order", {}}));
        attempt = *next;
        ACCUMULUS_TRY(read(attempt));
    }
}

/// Rows of all attempts of a run: of a query with the run's number, the attempt and `afterWindow`.
template <class Row>
Result<std::vector<Row>> rowsOfAttempts(Connection& connection, std::int64_t run, std::int64_t afterWindow,
                                        const std::string& sql, Row (*read)(Query&)) {
    std::vector<Row> rows;
    ACCUMULUS_TRY(forEachAttempt(connection, run, [&](std::int64_t attempt) -> Status {
        Query query(connection, sql, run, attempt, afterWindow);
        while (query.step())
            rows.push_back(read(query));
        return {};
    }));
    return rows;
}

/// SQLite has no NaN: it is null, like what was not measured. Where the loss is NaN, what it is measured by was
/// measured and is NaN, too.
void restoreNotANumber(Connection& connection, std::int64_t run, std::vector<EvaluationRecord>& evaluations) {
    const auto diverged = [](const EvaluationRecord& evaluation) { return std::isnan(evaluation.loss); };
    if (std::ranges::none_of(evaluations, diverged))
        return;
    Query query(connection, "SELECT config FROM runs WHERE number = ?", run);
    if (!query.step())
        return;
    const auto config = runConfigFromJson(query.text());
    if (!config)
        return; // reading the run says so
    constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
    const auto restore = [&](CompareMetric metric, std::optional<double>& value) {
        if (!value && hasMetric(*config, metric))
            value = notANumber;
    };
    for (EvaluationRecord& evaluation : evaluations) {
        if (!diverged(evaluation))
            continue;
        restore(CompareMetric::TestAccuracy, evaluation.accuracy);
        restore(CompareMetric::TestMae, evaluation.mae);
        restore(CompareMetric::TestRmse, evaluation.rmse);
        if (evaluation.count > 1) // one sample has none
            restore(CompareMetric::TestR2, evaluation.r2);
    }
}

/// A column of windows that is read as numbers, and where they go.
struct NumberColumn {
    const char* name;
    unsigned metric;
    std::vector<double> WindowColumns::*values;
};
constexpr std::array<NumberColumn, 11> numberColumns{{
    {"update_number", MetricUpdate, &WindowColumns::update},
    {"epoch_position", MetricEpochs, &WindowColumns::epochs},
    {"wall_time", MetricWallTime, &WindowColumns::wallTime},
    {"active_seconds", MetricActiveSeconds, &WindowColumns::activeSeconds},
    {"loss", MetricLoss, &WindowColumns::loss},
    {"grad_norm", MetricGradNorm, &WindowColumns::gradNorm},
    {"lr", MetricLr, &WindowColumns::lr},
    {"noise_s", MetricNoise, &WindowColumns::noiseS},
    {"noise_g2", MetricNoise, &WindowColumns::noiseG2},
    {"peak_bytes", MetricMemory, &WindowColumns::peakBytes},
    {"units", MetricUnits, &WindowColumns::units},
}};

/// One row per rank: windows, updates, seconds, then what readRank reads.
std::string rankTotalsSql() {
    std::string columns = "count(*), count(w.update_number), sum(w.seconds)";
    for (const RankValue& value : rankValues())
        columns += value.column == "window" ? std::string(", 0")
                   : value.column == "rank" ? std::string(", r.rank")
                                            : fmt::format(", sum(r.{})", value.column);
    return fmt::format("SELECT {} FROM rank_windows AS r JOIN windows AS w ON w.run = r.run AND w.attempt = r.attempt "
                       "AND w.window = r.window WHERE r.run = ? AND r.attempt = ? AND w.superseded = 0 GROUP BY r.rank "
                       "ORDER BY r.rank",
                       columns);
}

/// The end of a query for some of an attempt's windows: each is found in the primary key, without a look at those
/// between.
std::string outlineSql() {
    constexpr const char* one = "(SELECT window FROM windows WHERE run = ?1 AND attempt = ?2 AND superseded = 0 {} "
                                "ORDER BY window {} LIMIT 1)";
    const std::string first = fmt::format(fmt::runtime(one), "", "");
    const std::string next = fmt::format(fmt::runtime(one), "AND window >= (at / ?3 + 1) * ?3", "");
    const std::string last = fmt::format(fmt::runtime(one), "", "DESC");
    return fmt::format(
        "AND window IN (WITH RECURSIVE picked(at) AS (SELECT {} UNION ALL SELECT {} FROM picked WHERE at "
        "IS NOT NULL) SELECT at FROM picked UNION SELECT {}) ORDER BY window",
        first, next, last);
}

/// Appends rows to columns. Samples per second need the row before, so reading starts at afterWindow itself and leaves
/// it out.
class ColumnFiller {
public:
    ColumnFiller(WindowColumns& columns, unsigned metrics, std::int64_t afterWindow)
        : m_columns(columns), m_speed((metrics & MetricSamplesPerSecond) != 0), m_afterWindow(afterWindow),
          m_samplesBefore(afterWindow > 0 ? unknown : 0.0) {
        m_sql = m_speed ? "SELECT window, samples, seconds" : "SELECT window, samples";
        for (const NumberColumn& column : numberColumns)
            if (metrics & column.metric) {
                m_sql += std::string(", ") + column.name;
                m_targets.push_back(&(columns.*column.values));
            }
        m_sql += " FROM windows WHERE run = ?1 AND attempt = ?2 AND superseded = 0 ";
    }

    void read(Connection& connection, std::int64_t run, std::int64_t attempt) {
        Query query(connection, m_sql + "AND window >= ?3 ORDER BY window", run, attempt, m_afterWindow);
        while (query.step())
            add(query);
    }
    void readOutline(Connection& connection, std::int64_t run, std::int64_t attempt, std::int64_t every) {
        Query query(connection, m_sql + outlineSql(), run, attempt, every);
        while (query.step())
            add(query);
    }

private:
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    void add(Query& row) {
        const std::int64_t window = row.integer();
        const double samples = row.real();
        const double windowSamples = samples - std::exchange(m_samplesBefore, samples);
        if (window <= m_afterWindow)
            return;
        m_columns.window.push_back(window);
        m_columns.samples.push_back(samples);
        if (m_speed) {
            const double seconds = row.real();
            m_columns.samplesPerSecond.push_back(seconds > 0.0 ? windowSamples / seconds : unknown);
        }
        for (std::vector<double>* target : m_targets)
            target->push_back(row.real());
    }

    WindowColumns& m_columns;
    bool m_speed;
    std::int64_t m_afterWindow;
    double m_samplesBefore;
    std::vector<std::vector<double>*> m_targets; ///< of the columns after these
    std::string m_sql;
};

} // namespace

Result<std::vector<WindowRecord>> RunReader::windows(const std::string& run, std::int64_t afterWindow) {
    static const std::string sql = fmt::format(
        "SELECT {} FROM windows WHERE run = ? AND attempt = ? AND window > ? AND superseded = 0 ORDER BY window",
        windowColumnList());
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) {
        return rowsOfAttempts(connection, number, afterWindow, sql, readWindow);
    });
}

Result<std::vector<RankTimes>> RunReader::rankTimes(const std::string& run, std::int64_t afterWindow) {
    static const std::string sql =
        fmt::format("SELECT {} FROM rank_windows AS r WHERE run = ? AND attempt = ? AND window > ? AND EXISTS "
                    "(SELECT 1 FROM windows AS w WHERE w.run = r.run AND w.attempt = r.attempt AND w.window = "
                    "r.window AND w.superseded = 0) ORDER BY window, rank",
                    rankColumnList());
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) {
        return rowsOfAttempts(connection, number, afterWindow, sql, readRank);
    });
}

Result<RankTotals> RunReader::rankTotals(const std::string& run) {
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) -> Result<RankTotals> {
        static const std::string sql = rankTotalsSql();
        RankTotals totals;
        // All windows of an attempt have as many ranks.
        ACCUMULUS_TRY(forEachAttempt(connection, number, [&](std::int64_t attempt) -> Status {
            RankTotals part;
            Query query(connection, sql, number, attempt);
            while (query.step()) {
                part.windows = query.integer();
                part.updates = query.integer();
                part.seconds = query.realOrZero();
                part.ranks.push_back(readRank(query));
            }
            totals.add(part);
            return {};
        }));
        return totals;
    });
}

Result<std::vector<MicroStepRecord>> RunReader::microSteps(const std::string& run, std::int64_t afterWindow) {
    return m_impl->readRun(
        run, [&](Connection& connection, std::int64_t number) -> Result<std::vector<MicroStepRecord>> {
            std::vector<MicroStepRecord> rows;
            Query query(connection,
                        "SELECT window, micro_step, parameter_values FROM micro_steps AS m WHERE run = ? AND window > "
                        "? AND attempt = (SELECT max(attempt) "
                        "FROM micro_steps WHERE run = m.run AND window = m.window AND micro_step = m.micro_step) ORDER "
                        "BY window, micro_step",
                        number, afterWindow);
            while (query.step()) {
                MicroStepRecord record;
                record.window = query.integer();
                record.microStep = query.integer();
                const auto values = nlohmann::json::parse(query.text(), nullptr, /*allow_exceptions=*/false);
                if (!values.is_array())
                    return failure(connection.corrupt({"reason.parameter-values", {}}));
                for (const auto& value : values)
                    record.values.push_back(value.is_number() ? value.get<double>() : std::nan(""));
                rows.push_back(std::move(record));
            }
            return rows;
        });
}

Result<WindowColumns> RunReader::windowColumns(const std::string& run, unsigned metrics, std::int64_t afterWindow) {
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) -> Result<WindowColumns> {
        WindowColumns columns;
        ColumnFiller filler(columns, metrics, afterWindow);
        ACCUMULUS_TRY(forEachAttempt(connection, number, [&](std::int64_t attempt) -> Status {
            filler.read(connection, number, attempt);
            return {};
        }));
        return columns;
    });
}

Result<WindowColumns> RunReader::windowOutline(const std::string& run, unsigned metrics, std::int64_t every) {
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) -> Result<WindowColumns> {
        WindowColumns columns;
        ColumnFiller filler(columns, metrics & ~static_cast<unsigned>(MetricSamplesPerSecond), 0);
        ACCUMULUS_TRY(forEachAttempt(connection, number, [&](std::int64_t attempt) -> Status {
            filler.readOutline(connection, number, attempt, every);
            return {};
        }));
        return columns;
    });
}

Result<std::int64_t> RunReader::windowCount(const std::string& run) {
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) -> Result<std::int64_t> {
        Query query(connection, "SELECT count(*) FROM windows WHERE run = ? AND superseded = 0", number);
        return query.step() ? query.integer() : 0;
    });
}

std::vector<EvaluationRecord> evaluationsOf(Connection& connection, std::int64_t run) {
    // max() makes SQLite take the other columns from the latest attempt's row: a resume may evaluate its starting point
    // again.
    static const std::string sql =
        fmt::format("SELECT {}, max(attempt) FROM evaluations WHERE run = ? AND superseded = 0 GROUP BY update_number, "
                    "split ORDER BY update_number, split",
                    evaluationColumnList());
    std::vector<EvaluationRecord> evaluations;
    Query query(connection, sql, run);
    while (query.step())
        evaluations.push_back(readEvaluation(query));
    restoreNotANumber(connection, run, evaluations);
    return evaluations;
}

Result<std::vector<EvaluationRecord>> RunReader::evaluations(const std::string& run) {
    return m_impl->readRun(run,
                           [](Connection& connection, std::int64_t number) -> Result<std::vector<EvaluationRecord>> {
                               return evaluationsOf(connection, number);
                           });
}

} // namespace accumulus
