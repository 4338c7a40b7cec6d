// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_section.h"

#include "core/analysis/number_text.h"
#include "core/config/byte_size.h"
#include "core/report/report_parts.h"

#include <cmath>
#include <fmt/format.h>

namespace accumulus {

void addPlan(ReportDocument& document, const std::optional<MicroPlan>& plan) {
    if (!plan)
        return;
    ReportTable table;
    table.caption = fmt::format("Sizes that were tried on {}, {}. Peak memory is that of tensors.", plan->device,
                                dateText(plan->createdAt));
    table.header = {"m", "K", "Lanes", "Peak memory", "Samples/s", "Time per update", "Over the best", "Result"};
    table.numeric = {true, true, true, true, true, true, true, false};
    for (std::size_t i = 0; i < plan->points.size(); ++i) {
        const MicroPoint& point = plan->points[i];
        const auto overhead = overheadOf(*plan, point);
        const bool recommended = plan->recommended == i;
        table.rows.push_back({std::to_string(point.micro), std::to_string(point.steps),
                              point.fits ? std::to_string(point.lanes) : "-",
                              point.peakBytes ? bytesText(*point.peakBytes) : "-",
                              point.samplesPerSecond ? countText(std::llround(*point.samplesPerSecond)) : "-",
                              point.updateSeconds ? fmt::format("{:.3g} ms", 1e3 * *point.updateSeconds) : "-",
                              overhead ? fmt::format("{:+.0f} %", 100.0 * *overhead) : "-",
                              recommended     ? "recommended"
                              : point.problem ? messageText(*point.problem)
                                              : "fits"});
    }
    document.blocks.emplace_back(ReportHeading{"Micro-batch"});
    document.blocks.emplace_back(ReportParagraph{messageText(plan->sentence)});
    if (!plan->notes.empty())
        document.blocks.emplace_back(ReportList{sentencesOf(plan->notes)});
    document.blocks.emplace_back(std::move(table));
}

} // namespace accumulus
