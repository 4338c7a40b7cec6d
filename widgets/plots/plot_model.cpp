// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_model.h"

#include "widgets/style/format.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::PlotModel)
};

constexpr std::size_t kMostArrows = 200;

double toScale(double value, bool logarithmic) { return logarithmic ? std::log10(value) : value; }
double fromScale(double value, bool logarithmic) { return logarithmic ? std::pow(10.0, value) : value; }

/// Widens the range, which is on the axis' scale, by the finite points; a logarithmic axis cannot show all of them.
void includeSpan(AxisRange& range, const CurvePoints& points, const IndexRange& inside, bool logY) {
    const Extremes found = points.extremes.of(points.y, inside.begin, inside.end);
    if (found.minimum == Extremes::none)
        return;
    if (!logY || points.y[found.minimum] > 0.0) {
        range.include(toScale(points.y[found.minimum], logY));
        range.include(toScale(points.y[found.maximum], logY));
        return;
    }
    for (std::size_t i = inside.begin; i < inside.end; ++i)
        if (points.y[i] > 0.0)
            range.include(toScale(points.y[i], logY));
}

/// x of the first points outside [lower, upper]; stretches without any are passed over.
void findOutside(const CurvePoints& points, const IndexRange& inside, const AxisRange& shown, bool logY,
                 CurveFit& fit) {
    constexpr std::size_t stretch = 1024;
    for (std::size_t begin = inside.begin; begin < inside.end; begin += stretch) {
        const std::size_t end = std::min(begin + stretch, inside.end);
        const Extremes found = points.extremes.of(points.y, begin, end);
        if (found.minimum == Extremes::none ||
            (points.y[found.minimum] >= shown.lower && points.y[found.maximum] <= shown.upper))
            continue;
        for (std::size_t i = begin; i < end; ++i) {
            const double y = points.y[i];
            if (!std::isfinite(y))
                continue;
            if (y > shown.upper && fit.aboveAt.size() < kMostArrows)
                fit.aboveAt.push_back(points.x[i]);
            else if (y < shown.lower && (!logY || y > 0.0) && fit.belowAt.size() < kMostArrows)
                fit.belowAt.push_back(points.x[i]);
        }
        if (fit.aboveAt.size() + fit.belowAt.size() >= 2 * kMostArrows)
            return;
    }
}

/// Extends the fit by the raw points of a curve but far outliers, which are counted.
void includeRobust(const CurveData& data, const IndexRange& inside, bool logY, CurveFit& fit) {
    const CurvePoints& points = data.raw();
    const RobustRange robust = data.values().robustRange(points.y, inside.begin, inside.end, logY);
    fit.left = robust.above + robust.below;
    if (fit.left == 0)
        return includeSpan(fit.range, points, inside, logY);
    const AxisRange kept{fromScale(robust.lower, logY), fromScale(robust.upper, logY)};
    for (const double y : data.values().ends(points.y, inside.begin, inside.end, kept.lower, kept.upper))
        fit.range.include(toScale(y, logY));
    findOutside(points, inside, kept, logY, fit);
}

const CurveFit& fitCurve(const ModelCurve& curve, const AxisRange& x, bool logY, bool showAll) {
    const IndexRange inside = pointsInside(curve.data.raw(), x);
    const ModelCurve::Fitted asked{curve.data.version(), inside, logY, showAll, curve.drawsRawBehind()};
    if (asked == curve.fittedFor)
        return curve.fitted;
    CurveFit fit;
    if (curve.data.smoothed())
        includeSpan(fit.range, curve.data.front(), inside, logY);
    if (!curve.data.smoothed() || curve.drawsRawBehind())
        showAll ? includeSpan(fit.range, curve.data.raw(), inside, logY) : includeRobust(curve.data, inside, logY, fit);
    curve.fittedFor = asked;
    curve.fitted = std::move(fit);
    return curve.fitted;
}

void addArrows(std::vector<double>& to, const std::vector<double>& from) {
    const std::size_t room = kMostArrows - std::min(kMostArrows, to.size());
    to.insert(to.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(std::min(room, from.size())));
}

void includeBand(const PlotBand& band, const AxisRange& x, bool logY, AxisRange& range) {
    for (std::size_t i = 0; i < band.x.size(); ++i) {
        if (band.x[i] < x.lower || band.x[i] > x.upper)
            continue;
        for (const double value : {band.lower[i], band.upper[i]})
            if (!logY || value > 0.0)
                range.include(toScale(value, logY));
    }
}

/// Air above and below; a range that holds no negative value does not get any below zero.
AxisRange padded(AxisRange range, bool logY) {
    if (!range.valid())
        return logY ? AxisRange{0.1, 10.0} : AxisRange{0.0, 1.0};
    constexpr double kAir = 0.06;
    double span = range.upper - range.lower;
    if (span <= 0.0)
        span = logY ? 1.0 : (range.upper != 0.0 ? std::abs(range.upper) : 1.0);
    const bool noNegative = !logY && range.lower >= 0.0;
    const AxisRange wide{range.lower - kAir * span, range.upper + kAir * span};
    if (noNegative && wide.lower < 0.0)
        return {0.0, wide.upper};
    return {fromScale(wide.lower, logY), fromScale(wide.upper, logY)};
}

/// "loss: 2 curves, last 0.231 and 0.229, difference 0.002".
QString lastValues(const QString& title, const std::vector<double>& last, bool someHidden) {
    if (last.empty())
        return someHidden ? title : Words::tr("%1: no points yet").arg(title);
    if (last.size() == 1)
        return Words::tr("%1: 1 curve, last %2").arg(title, format::number(last[0]));
    if (last.size() == 2)
        return Words::tr("%1: 2 curves, last %2 and %3, difference %4")
            .arg(title, format::number(last[0]), format::number(last[1]), format::number(last[0] - last[1]));
    QStringList values;
    for (const double value : last)
        values << format::number(value);
    return Words::tr("%1: %2 curves, last %3")
        .arg(title, format::count(static_cast<qint64>(last.size())), values.join(QStringLiteral(", ")));
}

} // namespace

bool PlotModel::empty() const {
    return !std::any_of(curves.begin(), curves.end(), [](const ModelCurve& curve) {
        return curve.data.size() > curve.data.nonFiniteAt().size();
    }) && !std::any_of(bands.begin(), bands.end(), [](const PlotBand& band) { return !band.x.empty(); });
}

void PlotModel::dropHidden() {
    std::erase_if(curves, [this](const ModelCurve& curve) { return !shows(curve); });
    std::erase_if(bands, [this](const PlotBand& band) { return !shows(band); });
}

AxisRange xExtent(const PlotModel& model) {
    AxisRange range;
    for (const ModelCurve& curve : model.curves) {
        const std::vector<double>& x = curve.data.raw().x;
        if (x.empty() || !model.shows(curve) || (model.logX && x.back() <= 0.0))
            continue;
        range.include(model.logX ? curve.data.smallestPositiveX() : x.front());
        range.include(x.back());
    }
    for (const PlotBand& band : model.bands)
        for (const double x : band.x)
            if (model.shows(band) && (!model.logX || x > 0.0))
                range.include(x);
    return range;
}

YFit fitY(const PlotModel& model, const AxisRange& x, bool showAll) {
    YFit fit;
    AxisRange range; // on the axis' scale
    std::size_t left = 0;
    for (const ModelCurve& curve : model.curves) {
        if (!model.shows(curve))
            continue;
        const CurveFit& own = fitCurve(curve, x, model.logY, showAll);
        range.include(own.range);
        left += own.left;
        addArrows(fit.aboveAt, own.aboveAt);
        addArrows(fit.belowAt, own.belowAt);
    }
    for (const PlotBand& band : model.bands)
        if (model.shows(band))
            includeBand(band, x, model.logY, range);
    if (!model.logY && model.zeroLine)
        range.include(0.0);
    if (!model.logY && model.margin) {
        range.include(*model.margin);
        range.include(-*model.margin);
    }
    fit.range = padded(range, model.logY);
    // What one curve leaves out may lie in the range of another, or in the air: count what is really outside.
    if (left > 0) {
        for (const ModelCurve& curve : model.curves) {
            if (!model.shows(curve) || (curve.data.smoothed() && !curve.drawsRawBehind()))
                continue;
            const Series& raw = curve.data.raw();
            const IndexRange inside = pointsInside(raw, x);
            const ValueIndex::Outside outside = curve.data.values().outside(
                raw.y, inside.begin, inside.end, fit.range.lower, fit.range.upper, model.logY);
            fit.above += outside.above;
            fit.below += outside.below;
        }
    }
    return fit;
}

std::size_t hiddenByLog(const PlotModel& model) {
    std::size_t hidden = 0;
    for (const ModelCurve& curve : model.curves) {
        if (!model.shows(curve))
            continue;
        if (model.logY)
            hidden += curve.data.nonPositive();
        if (model.logX)
            hidden += model.logY ? curve.data.positiveAtNonPositiveX() : curve.data.atNonPositiveX();
    }
    return hidden;
}

QString summaryOf(const PlotModel& model) {
    if (!model.summary.isEmpty())
        return model.summary;
    std::vector<double> last;
    int hidden = 0;
    for (const ModelCurve& curve : model.curves) {
        if (curve.look.thin)
            continue;
        const std::vector<double>& y = curve.data.front().y;
        const auto finite = std::find_if(y.rbegin(), y.rend(), [](double value) { return std::isfinite(value); });
        if (finite == y.rend())
            continue;
        if (model.shows(curve))
            last.push_back(*finite);
        else
            ++hidden;
    }
    const QString said = lastValues(model.title, last, hidden > 0);
    return hidden == 0 ? said : Words::tr("%1; %n curve(s) hidden", "a sentence about the others", hidden).arg(said);
}

} // namespace accumulus::ui
