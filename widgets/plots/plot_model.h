// SPDX-License-Identifier: GPL-3.0-or-later
// What a panel shows, as values: the screen and the exports draw the same model. GUI thread.
#pragma once

#include "widgets/plots/curve_data.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/symmetric_log.h"

#include <QString>
#include <optional>
#include <set>
#include <vector>

namespace accumulus::ui {

/// What one curve asks of the y range, on the axis' scale.
struct CurveFit {
    AxisRange range;
    std::size_t left = 0;                 ///< far outliers that are left out
    std::vector<double> aboveAt, belowAt; ///< x of the first of them
};

/// A curve's look (its `series` stays empty) and its points.
struct ModelCurve {
    PlotCurve look;
    CurveData data;
    /// The newest answer and what was asked: of many long curves only the one that grows is looked at for each frame.
    struct Fitted {
        std::uint64_t version = 0;
        IndexRange inside;
        bool logY = false, showAll = false, rawBehind = false;
        bool operator==(const Fitted&) const = default;
    };
    mutable Fitted fittedFor{};
    mutable CurveFit fitted{};
    /// Raw points are drawn behind the smoothed ones; not for the thin curves of single seeds, they would only be
    /// noise.
    [[nodiscard]] bool drawsRawBehind() const { return data.smoothed() && !look.thin; }
};

struct PlotModel {
    QString title, xTitle, yTitle;
    bool logX = false;
    bool logY = false;
    SymmetricLog symmetric; ///< of y, while logY is off
    Smoothing smoothing;
    bool legend = true;
    bool guides = true; ///< grid lines
    Qt::Alignment legendAlignment = Qt::AlignTop | Qt::AlignRight;
    std::vector<ModelCurve> curves;
    std::vector<PlotBand> bands;
    std::set<QString> hidden; ///< ids of curves
    std::vector<PlotNote> notes;
    std::vector<double> xTicks; ///< empty: round numbers
    QString summary;            ///< empty: of the last values
    bool zeroLine = false;
    std::optional<double> margin;

    [[nodiscard]] bool empty() const; ///< no finite point and no band
    [[nodiscard]] bool shows(const PlotCurve& look) const {
        return !hidden.contains(look.partOf.isEmpty() ? look.id : look.partOf);
    }
    [[nodiscard]] bool shows(const ModelCurve& curve) const { return shows(curve.look); }
    [[nodiscard]] bool shows(const PlotBand& band) const { return !hidden.contains(band.id); }
    void dropHidden(); ///< for a picture that nobody can switch
};

/// From the first to the last point of all curves and bands that are shown; positive x only for a logarithmic axis.
/// Invalid when empty.
[[nodiscard]] AxisRange xExtent(const PlotModel& model);

/// The y range that suits the points visible in `x`. Unless `showAll`, far outliers are left out and counted.
struct YFit {
    AxisRange range;
    std::size_t above = 0, below = 0;
    std::vector<double> aboveAt, belowAt; ///< x of the first of them, for arrows
};
[[nodiscard]] YFit fitY(const PlotModel& model, const AxisRange& x, bool showAll);

/// Values that logarithmic axes cannot show, over all curves, each counted once; 0 where both are linear.
[[nodiscard]] std::size_t hiddenByLog(const PlotModel& model);

/// "2 curves, last 0.231 and 0.229, difference 0.002".
[[nodiscard]] QString summaryOf(const PlotModel& model);

} // namespace accumulus::ui
