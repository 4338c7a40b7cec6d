// SPDX-License-Identifier: GPL-3.0-or-later
// A panel's curves and bands: QCustomPlot's graphs for them, their look, and the points that are drawn.
#include "widgets/plots/plot_canvas.h"
#include "widgets/plots/qcp.h"

#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr float kRawOpacity = 0.30F;
constexpr float kBandOpacity = 0.18F;
constexpr float kThinOpacity = 0.45F;
constexpr float kHiddenOpacity = 0.30F; ///< in the legend
constexpr double kMarkerSize = 5.0;

QColor faded(QColor color, float opacity) {
    color.setAlphaF(opacity);
    return color;
}

GroupMark markOf(const PlotCurve& look) {
    if (look.mark)
        return *look.mark;
    if (look.triangles)
        return look.dashed ? GroupMark::HollowInverted : GroupMark::Triangle;
    return look.dashed ? GroupMark::HollowSquare : GroupMark::Disc;
}

QCPScatterStyle::ScatterShape shapeOf(GroupMark mark) {
    switch (mark) {
    case GroupMark::Disc:
        return QCPScatterStyle::ssCircle;
    case GroupMark::HollowSquare:
        return QCPScatterStyle::ssSquare;
    case GroupMark::Triangle:
        return QCPScatterStyle::ssTriangle;
    case GroupMark::HollowInverted:
        return QCPScatterStyle::ssTriangleInverted;
    case GroupMark::Diamond:
    case GroupMark::HollowDiamond:
        return QCPScatterStyle::ssDiamond;
    case GroupMark::Plus:
        return QCPScatterStyle::ssPlus;
    case GroupMark::Cross:
        return QCPScatterStyle::ssCross;
    }
    return QCPScatterStyle::ssCircle;
}

bool isHollow(GroupMark mark) {
    return mark == GroupMark::HollowSquare || mark == GroupMark::HollowInverted || mark == GroupMark::HollowDiamond;
}

} // namespace

void PlotCanvas::buildGraphs(const PlotModel& model) {
    m_plot->clearGraphs();
    m_curves.assign(model.curves.size(), {});
    m_bands.clear();
    const auto add = [this] {
        QCPGraph* graph = m_plot->addGraph(m_xAxis, m_yAxis);
        graph->setSelectable(QCP::stNone);
        graph->setAdaptiveSampling(false); // the points are thinned already
        return graph;
    };
    for (std::size_t i = 0; i < model.bands.size(); ++i) {
        BandGraphs graphs{add(), add()};
        for (QCPGraph* graph : {graphs.lower, graphs.upper})
            graph->setLayer(m_bandLayer);
        m_bands.push_back(graphs);
    }
    // Behind first: single seeds, raw curves, then what the eye shall follow.
    for (std::size_t i = 0; i < model.curves.size(); ++i)
        if (model.curves[i].look.thin)
            m_curves[i].front = add();
    for (std::size_t i = 0; i < model.curves.size(); ++i)
        if (model.curves[i].drawsRawBehind())
            m_curves[i].raw = add();
    for (std::size_t i = 0; i < model.curves.size(); ++i)
        if (!model.curves[i].look.thin)
            m_curves[i].front = add();
}

void PlotCanvas::styleGraphs(const PlotModel& model) {
    for (std::size_t i = 0; i < model.curves.size(); ++i) {
        const PlotCurve& look = model.curves[i].look;
        QCPGraph* front = m_curves[i].front;
        const bool shown = model.shows(look);
        QPen pen(!shown      ? faded(m_style.colors.secondary, kHiddenOpacity)
                 : look.thin ? faded(look.color, look.raw ? kRawOpacity : kThinOpacity)
                             : look.color,
                 m_style.lineWidth);
        if (look.dashed || !look.dashes.isEmpty())
            pen.setDashPattern(look.dashes.isEmpty() ? QList<qreal>{5.0, 3.0} : look.dashes);
        front->setPen(pen);
        front->setVisible(shown);
        // On the screen a crisp line of one pixel stands out against its raw curve; wide lines cost eight times as
        // much.
        front->setAntialiased(m_style.lineWidth > 1.0 || !(model.curves[i].drawsRawBehind() || look.raw));
        const bool single = front->data()->size() == 1;
        QCPScatterStyle marker(QCPScatterStyle::ssNone);
        const GroupMark mark = markOf(look);
        if (look.points || single)
            marker = QCPScatterStyle(shapeOf(mark), QPen(pen.color(), 1.2),
                                     isHollow(mark) ? m_style.colors.card : pen.color(),
                                     look.thin ? kMarkerSize - 1.5 : kMarkerSize);
        if (look.crosses)
            marker = QCPScatterStyle(QCPScatterStyle::ssCross, QPen(pen.color(), 2.0), Qt::NoBrush, 2 * kMarkerSize);
        front->setLineStyle(look.crosses ? QCPGraph::lsNone : QCPGraph::lsLine);
        front->setScatterStyle(marker);
        if (QCPGraph* raw = m_curves[i].raw) {
            raw->setVisible(shown);
            raw->setPen(QPen(faded(look.color, kRawOpacity), m_style.lineWidth));
            raw->setAntialiased(m_style.lineWidth > 1.0); // soft edges of a dense line add up to a solid surface
        }
    }
    for (std::size_t i = 0; i < model.bands.size(); ++i) {
        m_bands[i].upper->setVisible(model.shows(model.bands[i]));
        m_bands[i].lower->setPen(Qt::NoPen);
        m_bands[i].upper->setPen(Qt::NoPen);
        m_bands[i].upper->setBrush(faded(model.bands[i].color, kBandOpacity));
        m_bands[i].upper->setChannelFillGraph(m_bands[i].lower);
    }
}

void PlotCanvas::fillGraph(QCPGraph* graph, const CurvePoints& curve, const PlotModel& model) {
    const auto columns = static_cast<std::size_t>(std::max(100.0, plotArea().width() * m_style.pointsPerPixel));
    Series points = visiblePoints(curve, m_x, columns, model.logX, model.logY);
    if (m_style.cutLines)
        points = clippedLine(points, m_x, m_y);
    QVector<QCPGraphData> data(static_cast<qsizetype>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i)
        data[static_cast<qsizetype>(i)] =
            QCPGraphData(points.x[i], std::isfinite(points.y[i]) ? m_symmetric.toAxis(points.y[i]) : std::nan(""));
    graph->data()->set(data, true);
}

void PlotCanvas::fillBand(const BandGraphs& graphs, const PlotBand& band) {
    // One pixel column is drawn as one point: the lowest lower and the highest upper value in it.
    const int columns = std::max(100, plotArea().width());
    const double columnWidth = (m_x.upper - m_x.lower) / columns;
    QVector<QCPGraphData> lower;
    QVector<QCPGraphData> upper;
    double column = 0.0;
    const auto inside = [this](double y) { return m_style.cutLines ? std::clamp(y, m_y.lower, m_y.upper) : y; };
    for (std::size_t i = 0; i < band.x.size(); ++i) {
        const bool hidden =
            (i + 1 < band.x.size() && band.x[i + 1] < m_x.lower) || (i > 0 && band.x[i - 1] > m_x.upper);
        if (hidden || (m_style.cutLines && (band.x[i] < m_x.lower || band.x[i] > m_x.upper)))
            continue;
        double low = inside(band.lower[i]);
        const double high = inside(band.upper[i]);
        if (m_yAxis->scaleType() == QCPAxis::stLogarithmic)
            low = std::max(low, m_y.lower / 10.0);
        if (const double here = std::floor((band.x[i] - m_x.lower) / columnWidth); lower.isEmpty() || here != column) {
            lower.append(QCPGraphData(band.x[i], low));
            upper.append(QCPGraphData(band.x[i], high));
            column = here;
        } else {
            lower.last().value = std::min(lower.last().value, low);
            upper.last().value = std::max(upper.last().value, high);
        }
    }
    for (QVector<QCPGraphData>* side : {&lower, &upper})
        for (QCPGraphData& point : *side)
            point.value = m_symmetric.toAxis(point.value);
    graphs.lower->data()->set(lower, true);
    graphs.upper->data()->set(upper, true);
}

} // namespace accumulus::ui
