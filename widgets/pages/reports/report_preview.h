// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of a report on a desk: white paper in any theme, fitted to the width, painted when they come into view. GUI
// thread.
#pragma once

#include "widgets/print/report_pages.h"
#include "widgets/style/theme.h"

#include <QScrollArea>
#include <optional>

namespace accumulus::ui {

class ReportPreview : public QScrollArea {
    Q_OBJECT
public:
    explicit ReportPreview(const Theme& theme, QWidget* parent = nullptr);
    void setDocument(const ReportDocument& document);
    void clear();
    [[nodiscard]] int pageCount() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class Desk;
    Desk* m_desk;
};

} // namespace accumulus::ui
