// SPDX-License-Identifier: GPL-3.0-or-later
// One run as the library's table and its filter see it: a value per column, worked out once, so that sorting and
// filtering 10 000 runs only compare. GUI thread.
#pragma once

#include "core/analysis/statistics.h"
#include "core/store/run_records.h"

#include <QString>
#include <QStringList>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace accumulus::ui {

struct RunConfiguration;

/// Columns of the table, in their first order.
enum class RunColumn {
    Status,
    Name,
    Arm,
    Model,
    Data,
    Micro,
    Steps,
    Batch,
    Optimizer,
    Lr,
    Precision,
    Seed,
    Samples,
    Updates,
    FinalMetric, ///< what the loss is judged by: accuracy, RMSE, MAE or the loss
    BestAccuracy,
    SamplesPerSecond,
    ActiveTime,
    Date,
    Tags,
    Audit,
    Loss,       ///< of the last evaluation
    LowestLoss, ///< of all evaluations
    PeakMemory, ///< of training
    Note,       ///< a mark where there are notes
    CheckpointSize,
    DaysLeft,       ///< of a run in the trash
    EvaluationPeak, ///< memory of evaluations, which training does not need
    Verdict,        ///< of the run's study
    Validation,     ///< accuracy of the last evaluation on the validation samples,
    BestValidation, ///< the best one of all of them,
    ValidationLoss, ///< and the last loss
};
inline constexpr std::size_t runColumnCount = 32;

[[nodiscard]] constexpr std::size_t indexOf(RunColumn column) { return static_cast<std::size_t>(column); }
[[nodiscard]] bool isNumeric(RunColumn column);
/// An accuracy: shown in per cent.
[[nodiscard]] bool isShare(RunColumn column);
/// What a run's training brought: groups show its mean, and a baseline its difference.
[[nodiscard]] bool isMeasured(RunColumn column);
/// What a run stays in the trash before it is removed.
inline constexpr double trashDays = 30.0;

/// What the library knows of a run beside its record.
struct RunContext {
    std::string audit{};              ///< verdict of the newest audit of the run or of its set-up; empty: none
    bool ofSetup = false;             ///< that audit was one of the set-up, not of this run's weights
    std::optional<Verdict> verdict{}; ///< of its study
    QString study{};                  ///< name of it; empty: none
};

struct RunRow {
    RunRecord record;
    QString id;
    QString study;                                ///< name of its study
    bool setupAudited = false;                    ///< its audit is one of the set-up
    std::optional<Verdict> verdict;               ///< of its study
    QString configuration;                        ///< the same for runs that differ in nothing but their seeds
    std::array<double, runColumnCount> numbers{}; ///< NaN where not measured; text columns are unused
    std::array<QString, runColumnCount> texts;    ///< lower case, for sorting and filtering; number columns are empty
    std::array<QString, runColumnCount> shown; ///< lower case: as the table shows it, where that differs from `texts`
    QStringList tags;                          ///< lower case
    QString haystack;                          ///< lower case: all that free text looks through
};

/// `configuration`: the run's.
[[nodiscard]] RunRow makeRunRow(RunRecord record, const RunContext& context, const RunConfiguration& configuration);
/// Works the configuration out.
[[nodiscard]] RunRow makeRunRow(RunRecord record, const RunContext& context = {});
/// Would the two look, sort and filter alike?
[[nodiscard]] bool showSame(const RunRow& a, const RunRow& b);

} // namespace accumulus::ui
