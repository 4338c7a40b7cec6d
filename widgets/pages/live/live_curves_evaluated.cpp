// SPDX-License-Identifier: GPL-3.0-or-later
// What evaluations have measured, split by split.
#include "core/config/metric_rows.h"
#include "widgets/pages/live/live_curves.h"

#include <algorithm>

namespace accumulus::ui {

void EvaluatedCurve::add(const EvaluationRecord& record, const RunRecord& run) {
    if (!at.updates.empty() && static_cast<double>(record.update) <= at.updates.back())
        return;
    at.samples.push_back(static_cast<double>(record.samples));
    at.updates.push_back(static_cast<double>(record.update));
    at.epochs.push_back(record.epochPosition);
    at.wallTime.push_back(record.wallTime - run.startedAt);
    at.activeSeconds.push_back(record.activeSeconds);
    const CompareMetric judged = mainMetric(run.config);
    const double unit = metricRow(judged).isShare ? 100.0 : 1.0;
    auto value = metricOf(record, judged);
    if (value)
        *value *= unit;
    metric.push_back(value);
    loss.push_back(record.loss);
}

void EvaluatedCurve::append(const EvaluatedCurve& later) {
    const double last = at.updates.empty() ? -1.0 : at.updates.back();
    const auto from = std::ranges::upper_bound(later.at.updates, last) - later.at.updates.begin();
    at.append(later.at, static_cast<std::size_t>(from));
    metric.insert(metric.end(), later.metric.begin() + from, later.metric.end());
    loss.insert(loss.end(), later.loss.begin() + from, later.loss.end());
}

void EvaluatedCurve::truncate(std::int64_t update) {
    const auto kept = static_cast<std::size_t>(std::ranges::upper_bound(at.updates, static_cast<double>(update)) -
                                               at.updates.begin());
    at.truncate(kept);
    metric.resize(kept);
    loss.resize(kept);
}

} // namespace accumulus::ui
