// SPDX-License-Identifier: GPL-3.0-or-later
// The scrolling result of an audit: head line, weights beside the errors by tensor, table, error against K. Shows what
// it is given. GUI thread.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "widgets/pages/audit/audit_headline.h"
#include "widgets/pages/audit/audit_tensor_table.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/weight_bars.h"

#include <QScrollArea>
#include <optional>

class QBoxLayout;
class QComboBox;

namespace accumulus::ui {

class AuditView : public QScrollArea {
    Q_OBJECT
public:
    explicit AuditView(const Theme& theme, QWidget* parent = nullptr);
    void setAudit(const GradientAudit& audit);
    void clear() { m_audit.reset(); } ///< before it is hidden
    [[nodiscard]] const std::optional<GradientAudit>& audit() const { return m_audit; }
    [[nodiscard]] QAction* columnAction() const; ///< of the table of tensors

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] Card* weightCard();
    void showWindow();
    void showPlots();

    const Theme& m_theme;
    std::optional<GradientAudit> m_audit;
    AuditHeadline* m_headline;
    QComboBox* m_window;
    WeightBars* m_bars;
    RoleLabel* m_residual;
    PlotView* m_errors;
    AuditTensorTable* m_table;
    PlotView* m_splits;
    Card* m_splitCard;
    QBoxLayout* m_pictures; ///< weights beside errors; one above the other in a narrow window
};

/// The second part: how far the weights of both ways part over some updates, beside the permutation control.
class AuditUpdatesView : public QScrollArea {
    Q_OBJECT
public:
    explicit AuditUpdatesView(const Theme& theme, QWidget* parent = nullptr);
    void setAudit(const GradientAudit& audit);

private:
    void showPlot();

    const Theme& m_theme;
    std::optional<GradientAudit> m_audit;
    RoleLabel* m_sentence;
    PlotView* m_plot;
};

} // namespace accumulus::ui
