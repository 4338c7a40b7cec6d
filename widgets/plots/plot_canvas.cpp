// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_canvas.h"

#include "widgets/plots/plot_ticker.h"
#include "widgets/plots/qcp.h"

#include <QPainter>
#include <algorithm>

namespace accumulus::ui {

namespace {

constexpr int kPixelsPerXTick = 95;
constexpr int kPixelsPerYTick = 34;

/// Takes another size on with its next picture, when PlotCanvas says so: pictures drawn while a window lays itself out
/// would hold it up.
class PatientPlot : public QCustomPlot {
public:
    using QCustomPlot::QCustomPlot;

    /// Lays the panel out: how many points it has room for depends on its width.
    void takeSize() {
        setViewport(rect());
        updateLayout();
    }

protected:
    void resizeEvent(QResizeEvent*) override {}
    void paintEvent(QPaintEvent* event) override {
        QPainter(this).fillRect(rect(), mBackgroundBrush); // where the last picture does not reach
        QCustomPlot::paintEvent(event);
    }
};

/// Hands QCustomPlot the ticks of plot_ticker.
class PanelTicker : public QCPAxisTicker {
public:
    void setUp(bool logarithmic, int length, int pixelsPerTick) {
        m_logarithmic = logarithmic;
        m_wanted = std::max(2, length / pixelsPerTick);
        m_room = 40.0 / std::max(1, length);
    }
    void setSymmetric(const SymmetricLog& scale) { m_symmetric = scale; }
    void setGiven(std::vector<double> values) { m_given = std::move(values); }
    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>* subTicks,
                  QVector<QString>* labels) override {
        const AxisRange visible{range.lower, range.upper};
        ticks.clear();
        if (labels)
            labels->clear();
        if (subTicks)
            subTicks->clear();
        const AxisRange shown{m_symmetric.fromAxis(range.lower), m_symmetric.fromAxis(range.upper)};
        for (const Tick& tick : m_symmetric.on()   ? symmetricLogTicks(shown, m_symmetric, m_wanted)
                                : !m_given.empty() ? givenTicks(m_given, visible, m_logarithmic, m_room)
                                : m_logarithmic    ? logTicks(visible, m_wanted)
                                                   : linearTicks(visible, m_wanted)) {
            ticks.append(m_symmetric.toAxis(tick.value));
            if (labels)
                labels->append(withMinusSign(tick.label));
        }
    }

private:
    bool m_logarithmic = false;
    int m_wanted = 5;
    double m_room = 0.1;
    SymmetricLog m_symmetric;
    std::vector<double> m_given;
};

PanelTicker* tickerOf(QCPAxis* axis) { return static_cast<PanelTicker*>(axis->ticker().data()); }

} // namespace

/// Axis rectangle whose left margin several panels agree on.
class PanelRect : public QCPAxisRect {
public:
    explicit PanelRect(QCustomPlot* plot) : QCPAxisRect(plot, true) {}
    std::function<int(int)> leftMargin;

protected:
    int calculateAutoMargin(QCP::MarginSide side) override {
        const int own = QCPAxisRect::calculateAutoMargin(side);
        return side == QCP::msLeft && leftMargin ? leftMargin(own) : own;
    }
};

PlotCanvas::PlotCanvas(QWidget* parent) : m_plot(new PatientPlot(parent)) {
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setInteractions(QCP::Interactions());
    m_plot->setAutoAddPlottableToLegend(false);
    m_plot->addLayer(QStringLiteral("bands"), m_plot->layer(QStringLiteral("grid")), QCustomPlot::limAbove);
    m_bandLayer = m_plot->layer(QStringLiteral("bands"));
    m_plot->plotLayout()->clear();
    m_plot->plotLayout()->setRowSpacing(0);
    m_title = new QCPTextElement(m_plot, QString(), QFont());
    m_title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine);
    m_title->setMargins(QMargins(space::m, space::s, space::m, 0));
    m_title->setLayer(QStringLiteral("legend"));
    m_rect = new PanelRect(m_plot);
    m_rect->setMinimumMargins(QMargins(space::s, space::m, space::l, space::xs));
    m_rect->setMinimumSize(space::xxl, space::l); // a short panel keeps its title whole
    m_xAxis = m_rect->axis(QCPAxis::atBottom);
    m_yAxis = m_rect->axis(QCPAxis::atLeft);
    for (QCPAxis* axis : m_rect->axes()) {
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
        axis->setTicker(QSharedPointer<QCPAxisTicker>(new PanelTicker));
        axis->setSubTicks(false);
        axis->setTickLength(0, 4);
        axis->setTickLabelPadding(4);
        axis->setLabelPadding(4);
    }
    m_plot->plotLayout()->addElement(0, 0, m_title);
    m_plot->plotLayout()->addElement(1, 0, m_rect);
    m_zeroLine = new QCPItemStraightLine(m_plot);
    m_marginBand = new QCPItemRect(m_plot);
    for (QCPAbstractItem* item :
         {static_cast<QCPAbstractItem*>(m_zeroLine), static_cast<QCPAbstractItem*>(m_marginBand)}) {
        item->setLayer(m_bandLayer);
        item->setClipAxisRect(m_rect);
        for (QCPItemPosition* position : item->positions()) {
            position->setAxisRect(m_rect);
            position->setAxes(m_xAxis, m_yAxis);
        }
        item->setVisible(false);
    }
    for (QCPItemPosition* position : {m_marginBand->topLeft, m_marginBand->bottomRight})
        position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m_zeroLine->point1->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m_zeroLine->point2->setTypeX(QCPItemPosition::ptAxisRectRatio);
    QObject::connect(m_plot, &QCustomPlot::afterLayout, m_plot, [this] { settleLegend(); });
}

PlotCanvas::~PlotCanvas() {
    QObject::disconnect(m_plot, &QCustomPlot::afterLayout, nullptr, nullptr);
    if (!m_plot->parent())
        delete m_plot;
}

void PlotCanvas::setStyle(CanvasStyle style) {
    m_style = std::move(style);
    m_plot->setBackground(QBrush(m_style.colors.card));
    m_built.clear();
}

void PlotCanvas::setLeftMarginRule(std::function<int(int)> leftMargin) { m_rect->leftMargin = std::move(leftMargin); }

void PlotCanvas::show(const PlotModel& model, const AxisRange& x, const AxisRange& y) {
    takeSize();
    m_x = x;
    m_y = y;
    m_symmetric = model.logY ? SymmetricLog() : model.symmetric;
    QStringList wanted{QString::number(model.legend), smoothingText(model.smoothing)};
    for (const ModelCurve& curve : model.curves)
        wanted << curve.look.id << curve.look.label << QString::number(model.shows(curve))
               << curve.look.color.name(QColor::HexArgb)
               << QString::number(
                      curve.look.dashed + 2 * curve.look.points + 4 * curve.look.thin + 8 * curve.drawsRawBehind() +
                      16 * curve.look.crosses + 32 * curve.look.triangles + 64 * !curve.look.dashes.isEmpty() +
                      128 * (curve.look.mark ? 1 + static_cast<int>(*curve.look.mark) : 0) + 2048 * curve.look.raw);
    for (const PlotBand& band : model.bands)
        wanted << band.id << band.color.name(QColor::HexArgb);
    if (wanted != m_built) {
        buildGraphs(model);
        buildLegend(model);
        m_built = wanted;
    }
    styleAxes(model);
    m_xAxis->setRange(x.lower, x.upper);
    m_yAxis->setRange(m_symmetric.toAxis(y.lower), m_symmetric.toAxis(y.upper));
    for (std::size_t i = 0; i < model.curves.size(); ++i) {
        const CurveData& data = model.curves[i].data;
        fillGraph(m_curves[i].front, data.front(), model);
        if (m_curves[i].raw)
            fillGraph(m_curves[i].raw, data.raw(), model);
    }
    for (std::size_t i = 0; i < model.bands.size(); ++i)
        fillBand(m_bands[i], model.bands[i]);
    styleGraphs(model);
    showReferenceLines(model);
    showNotes(model);
}

void PlotCanvas::styleAxes(const PlotModel& model) {
    const ThemeColors& colors = m_style.colors;
    // A short panel has no room for an upright axis title: then it stands beside the panel's own.
    const bool upright = QFontMetrics(m_style.label).horizontalAdvance(model.yTitle) <= m_rect->height();
    const bool same = model.title.compare(model.yTitle, Qt::CaseInsensitive) == 0;
    m_title->setText(upright || same || model.title.isEmpty()
                         ? model.title
                         : QStringLiteral("%1 · %2").arg(model.title, model.yTitle));
    m_title->setFont(m_style.title);
    m_title->setTextColor(colors.text);
    m_title->setVisible(!model.title.isEmpty());
    m_title->setMaximumSize(QWIDGETSIZE_MAX, model.title.isEmpty() ? 0 : QWIDGETSIZE_MAX);
    const bool empty = model.empty();
    tickerOf(m_xAxis)->setGiven(model.xTicks);
    tickerOf(m_yAxis)->setSymmetric(m_symmetric);
    for (QCPAxis* axis : {m_xAxis, m_yAxis}) {
        const bool horizontal = axis == m_xAxis;
        const bool logarithmic = horizontal ? model.logX : model.logY;
        axis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        const int length = horizontal ? m_rect->width() : m_rect->height();
        tickerOf(axis)->setUp(logarithmic, length, horizontal ? kPixelsPerXTick : kPixelsPerYTick);
        axis->setBasePen(QPen(colors.axis, 1));
        axis->setTickPen(QPen(colors.axis, 1));
        axis->setTickLabelFont(m_style.tick);
        axis->setTickLabelColor(colors.secondary);
        axis->setLabelFont(m_style.label);
        axis->setLabelColor(colors.secondary);
        axis->grid()->setPen(QPen(colors.grid, 1));
        axis->grid()->setVisible(model.guides);
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->setTicks(!empty);
        const bool shown = !(horizontal && m_style.compactX);
        axis->setTickLabels(shown && !empty);
        const QString title = horizontal ? model.xTitle : (upright || model.title.isEmpty() ? model.yTitle : QString());
        axis->setLabel(shown ? title : QString());
    }
    for (QCPAxis* axis : {m_rect->axis(QCPAxis::atTop), m_rect->axis(QCPAxis::atRight)})
        axis->setVisible(false);
}

bool PlotCanvas::fits() const { return m_plot->viewport() == m_plot->rect(); }

void PlotCanvas::takeSize() {
    if (!fits())
        static_cast<PatientPlot*>(m_plot)->takeSize();
}

void PlotCanvas::replot() {
    takeSize();
    m_plot->replot(QCustomPlot::rpQueuedRefresh);
}

QWidget* PlotCanvas::widget() const { return m_plot; }

QRect PlotCanvas::plotArea() const { return m_rect->rect(); }

QCPLayoutInset* PlotCanvas::insets() const { return m_rect->insetLayout(); }

double PlotCanvas::xAt(double pixel) const { return m_xAxis->pixelToCoord(pixel); }
double PlotCanvas::yAt(double pixel) const { return m_symmetric.fromAxis(m_yAxis->pixelToCoord(pixel)); }
double PlotCanvas::xPixel(double value) const { return m_xAxis->coordToPixel(value); }
double PlotCanvas::yPixel(double value) const { return m_yAxis->coordToPixel(m_symmetric.toAxis(value)); }

} // namespace accumulus::ui
