// SPDX-License-Identifier: GPL-3.0-or-later
// A report laid out on the country's paper, A4 or Letter: the PDF writer and the preview paint the same pages. Text
// stays text, figures stay vectors, colours are always light. Rows of a table never break and its header is repeated; a
// figure keeps its caption; a heading is never the last thing on a page. Laid out at construction; painting changes
// nothing. GUI thread.
#pragma once

#include "core/base/result.h"
#include "core/report/report_document.h"

#include <QSizeF>
#include <QString>
#include <memory>

class QPainter;

namespace accumulus::ui {

class ReportPages {
public:
    explicit ReportPages(const ReportDocument& document);
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

/// Writes the pages as PDF, whole or not at all. Error "file.write".
[[nodiscard]] Status saveReportPdf(const ReportDocument& document, const QString& file);

} // namespace accumulus::ui
