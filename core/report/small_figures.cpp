// SPDX-License-Identifier: GPL-3.0-or-later
// The batch bar, the interval against the margin, the verdict's icon.
#include "core/report/small_figures.h"

#include "core/report/report_words.h"

#include "core/analysis/number_text.h"
#include "core/report/figure.h"
#include "core/report/svg_canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace accumulus {
namespace {

constexpr const char* emptyBlock = "#D9E6F0";

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
    const double unit = bar.width / static_cast<double>(total);
    const double gap = bar.width / static_cast<double>(microSizes.size()) >= 4.0 ? 2.0 : 0.0;
    if (gap == 0.0) { // too many to tell apart: one bar, filled as far as it has come
        const auto end = microSizes.begin() + static_cast<std::ptrdiff_t>(std::min(filled, microSizes.size()));
        const double done = static_cast<double>(std::accumulate(microSizes.begin(), end, std::int64_t{0})) * unit;
        svg.rect(bar, emptyBlock, "none", 1.0, 2.0);
        if (done > 0.0)
            svg.rect({bar.left, bar.top, done, bar.height}, colour, "none", 1.0, 2.0);
    }
    double left = bar.left;
    for (std::size_t i = 0; gap > 0.0 && i < microSizes.size(); ++i) {
        const double block = static_cast<double>(microSizes[i]) * unit;
        const bool done = i < filled;
        svg.rect({left, bar.top, std::max(block - gap, 0.5), bar.height}, done ? colour : emptyBlock, "none", 1.0, 2.0);
        const std::string label = countText(microSizes[i]);
        if (textWidth(label, 11.0) + 6.0 < block - gap && height >= 18.0)
            svg.text({left + (block - gap) / 2.0, height / 2.0 + 4.0}, label, 11.0, Anchor::Middle,
                     done ? "#FFFFFF" : colours::text);
        left += block;
    }
    const double x = width - 5.0;
    svg.line({x, 1.0}, {x, height - 1.0}, filled >= microSizes.size() ? colours::text : emptyBlock, 3.0);
    return svg.finish();
}

std::string intervalSvg(double lower, double mean, double upper, double margin, double width, double height,
                        const std::string& unit) {
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
        svg.line({left, middle}, {right, middle}, colours::accumulated, 4.0);
        for (const double x : {left, right})
            svg.line({x, middle - 6.0}, {x, middle + 6.0}, colours::accumulated, 2.0);
    }
    if (std::isfinite(mean))
        svg.circle({place(mean), middle}, 4.5, "#FFFFFF", colours::accumulated, 2.0);
    svg.text({centred(std::isfinite(mean) ? place(mean) : width / 2.0, words, 12.0, width), 12.0}, words, 12.0,
             Anchor::Middle, colours::text);
    return svg.finish();
}

std::string verdictColour(Verdict verdict) {
    switch (verdict) {
    case Verdict::Equivalent:
        return "#007A59";
    case Verdict::Different:
        return "#B84E00";
    case Verdict::DifferentWithinMargin:
    case Verdict::WithinMarginOtherMethod:
        return "#0072B2";
    case Verdict::Inconclusive:
        return "#7A6200";
    case Verdict::NotEnoughSeeds:
        break;
    }
    return "#5A6472";
}

std::string verdictIconSvg(Verdict verdict, double size) {
    const double s = size / 40.0;
    const auto at = [s](double x, double y) { return fmt::format("{:.2f} {:.2f} ", x * s, y * s); };
    SvgCanvas svg(size, size, "");
    svg.circle({20.0 * s, 20.0 * s}, 19.0 * s, verdictColour(verdict));
    const double pen = 3.2 * s;
    switch (verdict) {
    case Verdict::Equivalent: // a tick
        svg.path("M" + at(11, 21) + "L" + at(17.5, 27.5) + "L" + at(29, 13.5), "#FFFFFF", pen);
        break;
    case Verdict::Different: // not equal
        svg.path("M" + at(11, 16) + "L" + at(29, 16) + "M" + at(11, 24) + "L" + at(29, 24) + "M" + at(25, 10) + "L" +
                     at(15, 30),
                 "#FFFFFF", pen);
        break;
    case Verdict::WithinMarginOtherMethod:
    case Verdict::DifferentWithinMargin: // a point beside the middle, between two bounds
        svg.path("M" + at(10, 12) + "L" + at(10, 28) + "M" + at(30, 12) + "L" + at(30, 28) + "M" + at(20, 16) + "L" +
                     at(20, 24),
                 "#FFFFFF", pen);
        svg.circle({25.0 * s, 20.0 * s}, 2.6 * s, "#FFFFFF");
        break;
    case Verdict::Inconclusive: // a question mark
        svg.path("M" + at(14.5, 15) + "C" + at(15, 8.5) + at(26, 8.5) + at(25.5, 15) + "C" + at(25.3, 18.5) +
                     at(20, 19) + at(20, 24),
                 "#FFFFFF", pen);
        svg.circle({20.0 * s, 30.0 * s}, 2.2 * s, "#FFFFFF");
        break;
    case Verdict::NotEnoughSeeds: // dots
        for (const double x : {12.0, 20.0, 28.0})
            svg.circle({x * s, 20.0 * s}, 2.6 * s, "#FFFFFF");
        break;
    }
    return svg.finish();
}

} // namespace accumulus
