// SPDX-License-Identifier: GPL-3.0-or-later
// The batch bar, the interval against the margin, the verdict's icon.
#include "core/report/small_figures.h"

#include "core/config/metric_rows.h"
#include "core/report/report_words.h"

#include "core/analysis/number_text.h"
#include "core/report/figure.h"
#include "core/report/small_shapes.h"
#include "core/report/svg_canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace accumulus {
namespace {

constexpr const char* openTick = "#E2E5EA"; ///< of a window that is not closed

/// Decimals so that the interval and its mean are told apart, two more digits than the margin at most.
int intervalDecimals(double lower, double upper, double margin) {
    const double halfWidth = (upper - lower) / 2.0;
    const double scale = std::isfinite(halfWidth) && halfWidth > 0.0 ? halfWidth : margin;
    return std::min(decimalsFor(scale), decimalsFor(margin) + 2);
}

/// Keeps a centred text inside the drawing.
double centred(double x, const std::string& text, double size, double width) {
    const double half = textWidth(text, size) / 2.0 + 2.0;
    return 2.0 * half > width ? width / 2.0 : std::clamp(x, half, width - half);
}

} // namespace

std::string batchBarSvg(const std::vector<std::int64_t>& microSizes, std::size_t filled, double width, double height,
                        const std::string& colour) {
    const std::int64_t total = std::accumulate(microSizes.begin(), microSizes.end(), std::int64_t{0});
    SvgCanvas svg(width, height,
                  say("Batch bar: {} samples in {}, {} done", total,
                      counted(static_cast<std::int64_t>(microSizes.size()), "{} micro-batch", "{} micro-batches"),
                      std::min(filled, microSizes.size())));
    // The last units hold the tick that stands for the update.
    const Box bar{1.0, 2.0, width - 14.0, height - 4.0};
    if (total <= 0) {
        svg.rect(bar, "none", colours::frame, 1.0, 2.0);
        return svg.finish();
    }
    const BatchBarShape shape = batchBarShape(microSizes, filled, bar.width);
    for (const BarBlock& block : shape.blocks)
        svg.rect({bar.left + block.left, bar.top, block.width, bar.height}, colour, "none",
                 block.filled ? 1.0 : openBlockOpacity, shape.radius);
    for (std::size_t i = 0; shape.blocks.size() == microSizes.size() && height >= 18.0 && i < microSizes.size(); ++i) {
        const BarBlock& block = shape.blocks[i];
        const std::string label = countText(microSizes[i]);
        if (textWidth(label, 11.0) + 6.0 < block.width)
            svg.text({bar.left + block.left + block.width / 2.0, height / 2.0 + 4.0}, label, 11.0, Anchor::Middle,
                     block.filled ? "#FFFFFF" : colours::text);
    }
    const double x = width - 5.0;
    svg.line({x, 1.0}, {x, height - 1.0}, filled >= microSizes.size() ? colours::text : openTick, 3.0);
    return svg.finish();
}

std::string intervalSvg(double lower, double mean, double upper, double margin, double width, double height,
                        const std::string& unit, const std::string& colour) {
    const bool known = std::isfinite(lower) && std::isfinite(upper);
    const int decimals = intervalDecimals(lower, upper, margin);
    std::string words = say("no interval");
    if (std::isfinite(mean))
        words = signedText(mean, decimals) + unit +
                (known ? say(" (90 % interval {} to {})", signedText(lower, decimals), signedText(upper, decimals))
                       : say(" (no interval)"));
    SvgCanvas svg(width, height, say("Mean difference {}, margin ±{:.6g}{}", words, margin, unit));
    double reach = std::abs(margin);
    for (const double value : {lower, mean, upper})
        reach = std::isfinite(value) ? std::max(reach, std::abs(value)) : reach;
    reach = reach > 0.0 ? 1.15 * reach : 1.0;
    const auto place = [&](double value) { return width / 2.0 * (1.0 + std::clamp(value / reach, -1.0, 1.0)); };
    const double middle = height * 0.52;
    const double half = height * 0.2;
    const double inner = place(-std::abs(margin));
    svg.rect({inner, middle - half, place(std::abs(margin)) - inner, 2.0 * half}, colours::secondary, "none", 0.12);
    svg.line({0.0, middle}, {width, middle}, colours::frame, 1.0);
    double free = -1.0; // left of it stands a label already
    for (const double value : {-margin, 0.0, margin}) {
        const double x = place(value);
        svg.line({x, middle - half}, {x, middle + half}, colours::secondary, value == 0.0 ? 1.5 : 1.0,
                 value == 0.0 ? "" : "2,2");
        const std::string label =
            value == 0.0 ? "0" : (value < 0.0 ? "−" : "+") + fmt::format("{:.6g}", std::abs(margin));
        const double at = centred(x, label, 11.0, width);
        const double wide = textWidth(label, 11.0) / 2.0;
        if ((margin > 0.0 || value == 0.0) && at - wide > free) {
            svg.text({at, height - 4.0}, label, 11.0, Anchor::Middle, colours::secondary);
            free = at + wide + 4.0;
        }
    }
    if (known) {
        const double left = place(lower);
        const double right = std::max(place(upper), left + 1.0);
        svg.line({left, middle}, {right, middle}, colour, 4.0);
        for (const double x : {left, right})
            svg.line({x, middle - 6.0}, {x, middle + 6.0}, colour, 2.0);
    }
    if (std::isfinite(mean))
        svg.circle({place(mean), middle}, 4.5, "#FFFFFF", colour, 2.0);
    svg.text({centred(std::isfinite(mean) ? place(mean) : width / 2.0, words, 12.0, width), 12.0}, words, 12.0,
             Anchor::Middle, colours::text);
    return svg.finish();
}

std::string intervalSvg(const EquivalenceTest& test, double factor, const std::string& unit) {
    if (test.n == 0)
        return {};
    const bool coarse = !stepTellsMargin(test.step, test.margin);
    return intervalSvg(test.ci90Lower * factor, test.meanDifference * factor, test.ci90Upper * factor,
                       test.margin * factor, 560.0, 72.0, unit,
                       coarse ? verdictColour(test.verdict) : colours::accumulated);
}

std::string verdictColour(Verdict verdict) {
    switch (verdict) {
    case Verdict::Equivalent:
        return "#17733A";
    case Verdict::Different:
        return "#B3261E";
    case Verdict::DifferentWithinMargin:
    case Verdict::WithinMarginOtherMethod:
        return "#0B66C3";
    case Verdict::Inconclusive:
        return "#8A5A00";
    case Verdict::NotEnoughSeeds:
        break;
    }
    return "#5A6472";
}

std::string verdictIconSvg(Verdict verdict, double size) {
    const double scale = size / signGrid;
    const auto at = [scale](const ShapePoint& point) {
        return fmt::format("{:.2f} {:.2f} ", point.x * scale, point.y * scale);
    };
    const std::string colour = verdictColour(verdict);
    SvgCanvas svg(size, size, "");
    const Point middle{size / 2.0, size / 2.0};
    svg.circle(middle, signRadius * scale, colour, "none", 1.0, signDiscOpacity);
    svg.circle(middle, signRadius * scale, "none", colour, signCirclePen * scale);
    const VerdictSign sign = verdictSign(verdict);
    for (const SignStroke& stroke : sign.strokes) {
        std::string path = "M" + at(stroke.front());
        for (std::size_t i = 1; i < stroke.size(); ++i)
            path += (stroke.size() == 2 ? "L" : i % 3 == 1 ? "C" : "") + at(stroke[i]);
        svg.path(path, colour, sign.penWidth * scale);
    }
    return svg.finish();
}

} // namespace accumulus
