// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces a report page is set from, in order: lines, table rows, figures. Internal to report_pages. Lengths are in
// set units (a tenth of a point): fonts of a hundred pixels have exact metrics, whatever device they are painted on
// later.
#pragma once

#include "core/report/report_document.h"

#include <QFont>
#include <QPainter>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

namespace accumulus::ui {

inline constexpr double kUnitsPerPoint = 10.0;

struct ReportPiece {
    double height = 0.0;
    double before = 0.0;       ///< space above, dropped at the top of a page
    bool keepWithNext = false; ///< never the last piece of a page
    std::function<void(QPainter&, QPointF)> paint;
    std::shared_ptr<const ReportPiece> tableHeader; ///< painted again above this row when it opens a page
};

/// What the fonts of a report are called. Asking for them is a matter of the GUI thread.
struct ReportFamilies {
    QStringList text;
    QString code;
};
[[nodiscard]] ReportFamilies reportFamilies();

/// Fonts of a report, for the thread that makes them: two threads must not share one.
class ReportFonts {
public:
    explicit ReportFonts(const ReportFamilies& named);
    QFont body, bold, title, heading, caption, code, verdict;
};

/// Every piece of a document for pages of `width` x `height` set units.
[[nodiscard]] std::vector<ReportPiece> setReport(const ReportDocument& document, const ReportFonts& fonts, double width,
                                                 double height);

} // namespace accumulus::ui
