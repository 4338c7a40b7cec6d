// SPDX-License-Identifier: GPL-3.0-or-later
// A panel's legend: its entries, and the place where it covers no curve.
#include "core/report/free_corner.h"
#include "widgets/plots/plot_canvas.h"
#include "widgets/plots/qcp.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::PlotCanvas)
};

/// Struck out, so that the colour is not all that tells.
void greyEntry(QCPAbstractLegendItem& entry, const CanvasStyle& style) {
    QFont struck = style.tick;
    struck.setStrikeOut(true);
    entry.setFont(struck);
    entry.setTextColor(style.colors.secondary);
}

/// The lines of a graph, in pixels: what is not finite parts them, and a point alone is a piece without length.
void addPieces(const QCPGraph& graph, std::vector<Obstacle>& pieces) {
    const bool lines = graph.lineStyle() != QCPGraph::lsNone;
    bool joined = false;
    Point before;
    for (const QCPGraphData& value : *graph.data()) {
        const bool finite = std::isfinite(value.value);
        if (finite) {
            const QPointF at = graph.coordsToPixels(value.key, value.value);
            const Point point{at.x(), at.y()};
            pieces.push_back({joined ? before : point, point});
            before = point;
        }
        joined = finite && lines;
    }
}

} // namespace

QString PlotCanvas::smoothingText(const Smoothing& smoothing) {
    if (smoothing.half > 0)
        return Words::tr("mean over %1 samples").arg(format::count(smoothing.samples));
    return Words::tr("smoothed, %1").arg(format::number(smoothing.beta));
}

void PlotCanvas::buildLegend(const PlotModel& model) {
    QRectF movedTo;
    if (m_legend) {
        if (m_legendMoved)
            movedTo = insets()->insetRect(0);
        insets()->remove(m_legend);
        m_legend = nullptr;
    }
    m_legendIds.clear();
    const bool labelled = std::any_of(model.curves.begin(), model.curves.end(), [](const ModelCurve& curve) {
        return !curve.look.thin && !curve.look.label.isEmpty();
    });
    if (!model.legend || !labelled)
        return;
    m_legend = new QCPLegend;
    insets()->addElement(m_legend, model.legendAlignment);
    insets()->setMargins(QMargins(space::s, space::s, space::s, space::s));
    m_legend->setLayer(QStringLiteral("legend"));
    m_legend->setFont(m_style.tick);
    m_legend->setTextColor(m_style.colors.text);
    QColor behind = m_style.colors.card; // lines may run behind it
    behind.setAlphaF(0.85F);
    m_legend->setBrush(behind);
    m_legend->setBorderPen(QPen(m_style.colors.border));
    m_legend->setIconSize(26, 12);
    m_legend->setIconTextPadding(space::s);
    m_legend->setMargins(QMargins(space::s, space::xs, space::s, space::xs));
    m_legend->setRowSpacing(2);
    for (std::size_t i = 0; i < model.curves.size(); ++i) {
        const PlotCurve& look = model.curves[i].look;
        if (look.thin || look.label.isEmpty())
            continue;
        m_curves[i].front->setName(look.label);
        m_curves[i].front->addToLegend(m_legend);
        m_legendIds << look.id;
        if (!model.shows(look))
            greyEntry(*m_legend->item(m_legend->itemCount() - 1), m_style);
    }
    if (model.smoothing.any()) {
        auto* note = new QCPTextElement(m_plot, smoothingText(model.smoothing), m_style.tick);
        note->setTextColor(m_style.colors.secondary);
        note->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
        note->setLayer(QStringLiteral("legend"));
        m_legend->addElement(m_legend->rowCount(), 0, note);
    }
    if (m_legendMoved) {
        insets()->setInsetPlacement(0, QCPLayoutInset::ipFree);
        insets()->setInsetRect(0, movedTo);
    }
}

/// Where a curve runs behind the legend and a corner is free of them, the legend moves there and stays, until one runs
/// behind it again: a place that followed every picture of a live run would jump.
void PlotCanvas::settleLegend() {
    if (!m_legend || m_legendMoved)
        return;
    std::vector<Obstacle> pieces;
    for (int i = 0; i < m_plot->graphCount(); ++i)
        if (const QCPGraph* graph = m_plot->graph(i); graph->visible() && graph->pen().style() != Qt::NoPen)
            addPieces(*graph, pieces);
    const QRect taken = m_legend->outerRect();
    const Box box{1.0 * taken.left(), 1.0 * taken.top(), 1.0 * taken.width(), 1.0 * taken.height()};
    if (std::ranges::none_of(pieces, [&](const Obstacle& piece) { return crosses(box, piece); }))
        return;
    const QRect area = plotArea();
    const Box plot{1.0 * area.left(), 1.0 * area.top(), 1.0 * area.width(), 1.0 * area.height()};
    const auto corner = freeCorner(plot, box.width, box.height, pieces);
    if (!corner)
        return;
    const Qt::Alignment across = corner->x - plot.left <= legendDistance ? Qt::AlignLeft : Qt::AlignRight;
    const Qt::Alignment down = corner->y - plot.top <= legendDistance ? Qt::AlignTop : Qt::AlignBottom;
    insets()->setInsetAlignment(0, across | down);
    insets()->update(QCPLayoutElement::upLayout);
}

QRect PlotCanvas::legendRect() const { return m_legend ? m_legend->outerRect() : QRect(); }

QString PlotCanvas::legendEntryAt(const QPoint& at) const {
    for (int i = 0; m_legend != nullptr && i < m_legend->itemCount() && i < m_legendIds.size(); ++i)
        if (m_legend->item(i)->outerRect().contains(at))
            return m_legendIds[i];
    return {};
}

void PlotCanvas::moveLegend(const QPoint& topLeft) {
    if (!m_legend)
        return;
    const QRect area = plotArea();
    const QSize size = m_legend->outerRect().size();
    const int x = std::clamp(topLeft.x() - area.left(), 0, std::max(0, area.width() - size.width()));
    const int y = std::clamp(topLeft.y() - area.top(), 0, std::max(0, area.height() - size.height()));
    m_legendMoved = true;
    insets()->setInsetPlacement(0, QCPLayoutInset::ipFree);
    insets()->setInsetRect(
        0, QRectF(static_cast<double>(x) / area.width(), static_cast<double>(y) / area.height(), 0.0, 0.0));
}

} // namespace accumulus::ui
