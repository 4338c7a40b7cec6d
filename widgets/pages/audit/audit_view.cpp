// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/audit/audit_view.h"

#include "widgets/models/audit_text.h"
#include "widgets/plots/audit_plots.h"
#include "widgets/style/format.h"
#include "widgets/style/wheel_guard.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QResizeEvent>
#include <algorithm>

namespace accumulus::ui {
namespace {

constexpr int sideBySide = 860;
constexpr int plotHeight = 280;
constexpr int digits = 3;

/// A scroll area's one column, as on the other pages.
QVBoxLayout* pageColumn(QScrollArea* area) {
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(area);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(space::pageMargin, space::m, space::pageMargin, space::pageMargin);
    column->setSpacing(space::l);
    area->setWidget(page);
    page->setAutoFillBackground(false);
    area->viewport()->setAutoFillBackground(false);
    return column;
}

} // namespace

AuditView::AuditView(const Theme& theme, QWidget* parent)
    : QScrollArea(parent), m_theme(theme), m_headline(new AuditHeadline(theme)), m_window(new QComboBox),
      m_bars(new WeightBars(theme)), m_residual(new RoleLabel(theme, TextRole::Caption)),
      m_errors(tensorErrorPlot(theme, nullptr)), m_table(new AuditTensorTable(theme)),
      m_splits(splitErrorPlot(theme, nullptr)), m_splitCard(new Card(theme)),
      m_pictures(new QBoxLayout(QBoxLayout::LeftToRight)) {
    setObjectName(QStringLiteral("auditScroll"));
    QVBoxLayout* column = pageColumn(this);
    column->addWidget(m_headline);
    m_pictures->setSpacing(space::l);
    m_pictures->addWidget(weightCard(), 1);
    auto* errors = new Card(theme);
    m_errors->setMinimumHeight(plotHeight);
    errors->content()->addWidget(m_errors);
    m_pictures->addWidget(errors, 1);
    column->addLayout(m_pictures);
    column->addWidget(m_table);
    m_splits->setMinimumHeight(plotHeight);
    m_splitCard->content()->addWidget(m_splits);
    column->addWidget(m_splitCard);
    column->addStretch(1);

    auto* guard = new WheelGuard(this);
    guard->guard(m_window);
    connect(m_window, &QComboBox::currentIndexChanged, this, [this] { showWindow(); });
    connect(&theme, &Theme::changed, this, [this] { showPlots(); });
}

Card* AuditView::weightCard() {
    auto* card = new Card(m_theme, tr("Weight of each micro-batch in the gradient"));
    m_window->setObjectName(QStringLiteral("auditWindow"));
    m_window->setAccessibleName(tr("Window of the audit"));
    m_bars->setObjectName(QStringLiteral("auditWeights"));
    m_bars->setMinimumHeight(plotHeight - 60);
    m_residual->setObjectName(QStringLiteral("auditResidual"));
    auto* row = new QHBoxLayout;
    row->setSpacing(space::m);
    row->addWidget(m_window);
    row->addWidget(m_residual, 1);
    card->content()->addLayout(row);
    card->content()->addWidget(m_bars, 1);
    return card;
}

QAction* AuditView::columnAction() const { return m_table->columnAction(); }

void AuditView::setAudit(const GradientAudit& audit) {
    m_audit = audit;
    m_headline->setAudit(audit);
    m_table->setAudit(audit);
    {
        const QSignalBlocker quiet(m_window);
        m_window->clear();
        for (std::size_t i = 0; i < audit.windows.size(); ++i)
            m_window->addItem(audit_text::windowTitle(audit, i));
        if (!audit.windows.empty())
            m_window->setCurrentIndex(static_cast<int>(std::min(audit.judgedWindow, audit.windows.size() - 1)));
    }
    m_window->setVisible(!audit.windows.empty());
    m_splitCard->setVisible(!audit.splits.empty());
    showWindow();
    showPlots();
    verticalScrollBar()->setValue(0);
}

void AuditView::showWindow() {
    const int index = m_window->currentIndex();
    if (!m_audit || index < 0) {
        m_bars->setPicture({});
        m_residual->clear();
        return;
    }
    const AuditedWindow& window = m_audit->windows[static_cast<std::size_t>(index)];
    m_bars->setPicture({window.units, window.weights, window.rightWeights, window.earlier});
    m_residual->setText(tr("Error of the sum: %1, most of it in %2. Not explained by any weights (the residual): %3.")
                            .arg(format::number(window.error, digits), format::fromUtf8(window.worstTensor),
                                 format::number(window.residual, digits)));
}

void AuditView::showPlots() {
    if (!m_audit)
        return;
    showTensorErrors(*m_errors, *m_audit, m_theme.colors());
    showSplitErrors(*m_splits, *m_audit, m_theme.colors());
}

void AuditView::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    m_pictures->setDirection(viewport()->width() >= sideBySide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

AuditUpdatesView::AuditUpdatesView(const Theme& theme, QWidget* parent)
    : QScrollArea(parent), m_theme(theme), m_sentence(new RoleLabel(theme, TextRole::Body)),
      m_plot(updateDistancePlot(theme, nullptr)) {
    setObjectName(QStringLiteral("auditUpdatesScroll"));
    QVBoxLayout* column = pageColumn(this);
    auto* card = new Card(theme, tr("Updates in both ways"));
    m_sentence->setObjectName(QStringLiteral("auditUpdatesSentence"));
    m_plot->setMinimumHeight(plotHeight);
    card->content()->addWidget(m_sentence);
    card->content()->addWidget(m_plot, 1);
    column->addWidget(card, 1);
    connect(&theme, &Theme::changed, this, [this] { showPlot(); });
}

void AuditUpdatesView::setAudit(const GradientAudit& audit) {
    m_audit = audit;
    if (audit.updates.empty()) {
        m_sentence->setText(tr("No updates were made. Set “Also updates” above 0 and audit again."));
    } else {
        const AuditedUpdate& last = audit.updates.back();
        m_sentence->setText(
            tr("After %n update(s), the weights of both ways are %1 apart. Reordering the samples of each batch moves "
               "the large batch's weights by %2; any distance below that is accumulated rounding.",
               nullptr, static_cast<int>(last.update))
                .arg(format::number(last.distance, digits), format::number(last.control, digits)));
    }
    showPlot();
}

void AuditUpdatesView::showPlot() {
    if (m_audit)
        showUpdateDistances(*m_plot, *m_audit, m_theme.colors());
}

} // namespace accumulus::ui
