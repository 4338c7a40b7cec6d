// SPDX-License-Identifier: GPL-3.0-or-later
// The two pictures of a verdict, painted as vectors on screen and on paper: its sign in a circle, and the interval of
// the difference against the margin.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "core/analysis/statistics.h"
#include "widgets/style/theme.h"

#include <QIcon>
#include <QPainter>
#include <QString>
#include <optional>
#include <utility>

namespace accumulus::ui {

/// The sign of the verdict: each has a shape of its own, so that colour is never needed to tell them apart.
void paintVerdictSign(QPainter& painter, const QRectF& rect, Verdict verdict, const QColor& color);
[[nodiscard]] QColor verdictColor(const ThemeColors& colors, Verdict verdict);
/// As on the card, for the row of a list.
[[nodiscard]] QIcon verdictIcon(const ThemeColors& colors, Verdict verdict);

/// Sign and colour of an audit's verdict.
struct AuditSign {
    Verdict shape = Verdict::Equivalent;
    QColor color;
};
[[nodiscard]] AuditSign auditSign(const ThemeColors& colors, AuditVerdict verdict);

/// Interval and margin in the unit that is shown.
struct IntervalPicture {
    bool hasInterval = false;
    double lower = 0.0, mean = 0.0, upper = 0.0, margin = 0.0;
    std::optional<std::pair<double, double>> wide; ///< a wider interval, drawn as a thin line
    /// The verdict, in whose colour the interval is drawn where lying inside the margin shows no equivalence: a step of
    /// the metric is larger than the margin.
    std::optional<Verdict> coarse{};
    QString marginText;         ///< label at the margin's ends, without sign
    QString lessText, moreText; ///< what the left and right half mean
};
/// Uses the painter's font for the labels.
void paintInterval(QPainter& painter, const QRectF& rect, const IntervalPicture& picture, const ThemeColors& colors);

} // namespace accumulus::ui
