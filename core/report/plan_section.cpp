// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_section.h"

#include "core/analysis/number_text.h"
#include "core/config/byte_size.h"
#include "core/report/report_parts.h"
#include "core/report/report_words.h"

#include <cmath>
#include <fmt/format.h>

namespace accumulus {

void addPlan(ReportDocument& document, const std::optional<MicroPlan>& plan) {
    if (!plan)
        return;
    ReportTable table;
    table.caption = say("Sizes that were tried on {}, {}. Peak memory is that of tensors.", plan->device,
                        dateText(plan->createdAt));
    table.header = {"m",
                    "K",
                    say("Lanes"),
                    say("Peak memory"),
                    say("Samples/s"),
                    say("Time per update"),
                    say("Over the best"),
                    say("Result")};
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
                              recommended     ? say("recommended")
                              : point.problem ? said(*point.problem)
                                              : say("fits")});
    }
    document.blocks.emplace_back(ReportHeading{say("Micro-batch")});
    document.blocks.emplace_back(ReportParagraph{said(plan->sentence)});
    if (!plan->notes.empty())
        document.blocks.emplace_back(ReportList{said(plan->notes)});
    document.blocks.emplace_back(std::move(table));
}

} // namespace accumulus
