// SPDX-License-Identifier: GPL-3.0-or-later
// A report laid out on the country's paper, A4 or Letter: the PDF writer and the preview paint the same pages. Text
// stays text, figures stay vectors, colours are always light. Rows of a table break only where a page is too short for
// them, and its header is repeated; a figure keeps its caption; a heading is never the last thing on a page. Laid out
// at construction; painting changes nothing. Pages belong to the thread that makes them.
#pragma once

#include "core/base/result.h"
#include "core/report/report_document.h"

#include <QSizeF>
#include <QString>
#include <functional>
#include <memory>

class QPainter;

namespace accumulus::ui {

struct ReportFamilies;

class ReportPages {
public:
    explicit ReportPages(const ReportDocument& document); ///< on the GUI thread
    ReportPages(const ReportDocument& document, const ReportFamilies& fonts);
    ReportPages(ReportPages&&) noexcept;
    ReportPages& operator=(ReportPages&&) noexcept;
    ~ReportPages();

    [[nodiscard]] int count() const;
    /// The paper in points (1/72 inch).
    [[nodiscard]] static QSizeF pageSize();
    /// One page; the painter's unit is the point, its origin the upper left corner of the paper.
    void paint(QPainter& painter, int page) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// What writes the pages as PDF, whole or not at all: made on the GUI thread, which knows the fonts, and called on any.
/// Error "file.write".
[[nodiscard]] std::function<Status()> reportPdfWriter(const ReportDocument& document, const QString& file);

} // namespace accumulus::ui
