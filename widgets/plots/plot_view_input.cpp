// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, keys and crosshair of PlotView.
#include "widgets/plots/plot_table.h"
#include "widgets/plots/plot_view_impl.h"

#include <QAbstractScrollArea>
#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr double kWheelZoom = 0.85; ///< per notch
constexpr double kKeyZoom = 0.7;
constexpr int kSmallestBox = 6; ///< pixels

/// There the wheel belongs to the page until somebody has clicked into the plot.
bool isOnScrollingPage(const QWidget& plot) {
    for (const QWidget* widget = plot.parentWidget(); widget != nullptr; widget = widget->parentWidget())
        if (const auto* area = qobject_cast<const QAbstractScrollArea*>(widget))
            if (area->verticalScrollBar()->maximum() > area->verticalScrollBar()->minimum())
                return true;
    return false;
}

/// `range` moved so that what was at `from` lies at `to`; both are shares of the range, from its lower end.
AxisRange moved(const AxisRange& range, double share, bool logarithmic) {
    if (logarithmic) {
        const double factor = std::pow(range.upper / range.lower, share);
        return {range.lower * factor, range.upper * factor};
    }
    const double shift = (range.upper - range.lower) * share;
    return {range.lower + shift, range.upper + shift};
}

} // namespace

void PlotView::Impl::panTo(const QPoint& position) {
    const QRect area = canvas.plotArea();
    const QPoint way = position - pressed;
    group->setX(moved(pressedX, -static_cast<double>(way.x()) / std::max(1, area.width()), group->logX()));
    // y follows the visible points unless somebody has zoomed it.
    if (manualY)
        manualY = moved(pressedY, static_cast<double>(way.y()) / std::max(1, area.height()), model.logY);
    group->interacted();
}

void PlotView::Impl::zoomIntoBox(const QRect& box) {
    if (box.width() < kSmallestBox || box.height() < kSmallestBox)
        return;
    remember();
    const AxisRange x{canvas.xAt(box.left()), canvas.xAt(box.right())};
    manualY = AxisRange{canvas.yAt(box.bottom()), canvas.yAt(box.top())};
    group->setX(x);
}

std::optional<double> PlotView::Impl::nearestX(double pixel) const {
    std::optional<double> best;
    double distance = 0.0;
    const double at = canvas.xAt(pixel);
    for (const ModelCurve& curve : model.curves) {
        const std::vector<double>& x = curve.data.raw().x;
        if (curve.look.thin || x.empty() || !model.shows(curve))
            continue;
        const auto after = std::lower_bound(x.begin(), x.end(), at);
        for (const auto candidate : {after, after == x.begin() ? after : after - 1}) {
            if (candidate == x.end())
                continue;
            const double away = std::abs(canvas.xPixel(*candidate) - pixel);
            if (!best || away < distance) {
                best = *candidate;
                distance = away;
            }
        }
    }
    return best;
}

void PlotView::Impl::moveCrosshair(int points) {
    const auto shown =
        std::ranges::find_if(model.curves, [this](const ModelCurve& curve) { return model.shows(curve); });
    const std::size_t index = overlay.selected.value_or(static_cast<std::size_t>(shown - model.curves.begin()));
    if (index >= model.curves.size() || model.curves[index].data.size() == 0)
        return;
    const std::vector<double>& x = model.curves[index].data.raw().x;
    const IndexRange inside = pointsInside(model.curves[index].data.raw(), group->x());
    if (inside.begin >= inside.end)
        return;
    const auto first = static_cast<std::ptrdiff_t>(inside.begin);
    const auto last = static_cast<std::ptrdiff_t>(inside.end) - 1;
    std::ptrdiff_t at = (first + last) / 2;
    if (const auto& here = group->crosshair())
        at = std::lower_bound(x.begin(), x.end(), *here) - x.begin() + points;
    at = std::clamp(at, first, last);
    overlay.cursorY.reset();
    group->setCrosshair(x[static_cast<std::size_t>(at)]);
    announceCrosshair();
}

void PlotView::Impl::selectCurve(int direction) {
    if (model.curves.empty())
        return;
    const auto count = static_cast<int>(model.curves.size());
    int index = overlay.selected ? static_cast<int>(*overlay.selected) : (direction > 0 ? -1 : count);
    for (int tried = 0; tried < count; ++tried) {
        index = (index + direction + count) % count;
        const ModelCurve& curve = model.curves[static_cast<std::size_t>(index)];
        if (!curve.look.label.isEmpty() && model.shows(curve)) {
            overlay.selected = static_cast<std::size_t>(index);
            break;
        }
    }
    moveCrosshair(0);
    overlay.update();
    if (const auto& x = group->crosshair())
        tellRun(*x, {}, overlay.selected);
}

void PlotView::Impl::announceCrosshair() {
    const auto& x = group->crosshair();
    if (!x)
        return;
    view.setAccessibleDescription(
        readoutText(model.xTitle, *x, readoutAt(model, canvas, *x, overlay.cursorY, overlay.selected)));
}

void PlotView::mousePressEvent(QMouseEvent* event) {
    Impl& impl = *m_impl;
    impl.pressed = event->pos();
    impl.pressedX = impl.group->x();
    impl.pressedY = impl.y;
    if (event->button() == Qt::LeftButton && impl.canvas.legendRect().contains(event->pos())) {
        impl.gesture = Impl::Gesture::LegendPress;
        impl.legendGrip = event->pos() - impl.canvas.legendRect().topLeft();
        return;
    }
    if (event->button() != Qt::LeftButton && event->button() != Qt::RightButton)
        return;
    impl.gesture = Impl::Gesture::Press;
    impl.boxPossible = event->button() == Qt::RightButton || event->modifiers().testFlag(Qt::ShiftModifier);
}

void PlotView::mouseMoveEvent(QMouseEvent* event) {
    Impl& impl = *m_impl;
    const QPoint position = event->pos();
    if (impl.gesture == Impl::Gesture::Press &&
        (position - impl.pressed).manhattanLength() >= QApplication::startDragDistance()) {
        impl.gesture = impl.boxPossible ? Impl::Gesture::Box : Impl::Gesture::Pan;
        if (impl.gesture == Impl::Gesture::Pan)
            impl.remember();
        impl.group->setCrosshair({});
    }
    if (impl.gesture == Impl::Gesture::LegendPress) {
        if ((position - impl.pressed).manhattanLength() < QApplication::startDragDistance())
            return;
        impl.gesture = Impl::Gesture::Legend;
    }
    switch (impl.gesture) {
    case Impl::Gesture::Legend:
        impl.canvas.moveLegend(position - impl.legendGrip);
        impl.canvas.replot();
        return;
    case Impl::Gesture::Pan:
        impl.panTo(position);
        return;
    case Impl::Gesture::Box:
        impl.overlay.rubberBand = QRect(impl.pressed, position).normalized() & impl.canvas.plotArea();
        impl.overlay.update();
        return;
    default:
        break;
    }
    const bool inside = impl.canvas.plotArea().contains(position);
    const bool onLegend = impl.canvas.legendRect().contains(position);
    setCursor(!onLegend                                       ? Qt::ArrowCursor
              : impl.canvas.legendEntryAt(position).isEmpty() ? Qt::SizeAllCursor
                                                              : Qt::PointingHandCursor);
    impl.overlay.cursorY = position.y();
    impl.group->setCrosshair(inside && !onLegend ? impl.nearestX(position.x()) : std::nullopt);
    impl.overlay.update();
}

void PlotView::mouseReleaseEvent(QMouseEvent* event) {
    Impl& impl = *m_impl;
    const Impl::Gesture gesture = std::exchange(impl.gesture, Impl::Gesture::None);
    if (gesture == Impl::Gesture::Box) {
        const QRect box = std::exchange(impl.overlay.rubberBand, QRect());
        impl.overlay.update();
        impl.zoomIntoBox(box);
    } else if (gesture == Impl::Gesture::LegendPress) {
        if (const QString id = impl.canvas.legendEntryAt(impl.pressed); !id.isEmpty())
            setCurveHidden(id, !impl.model.hidden.contains(id));
    } else if (gesture == Impl::Gesture::Press && event->button() == Qt::LeftButton &&
               impl.canvas.plotArea().contains(event->pos())) {
        const std::optional<double> x = impl.nearestX(event->pos().x());
        impl.group->setPin(x == impl.group->pin() ? std::nullopt : x);
        if (x)
            impl.tellRun(*x, event->pos().y(), {});
    }
    // Platforms send the menu event with the press or with the release; a right drag wants none, a right click one.
    if (event->button() == Qt::RightButton && gesture == Impl::Gesture::Press)
        showMenu(event->globalPosition().toPoint());
}

void PlotView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    if (m_impl->canvas.legendRect().contains(event->pos())) // two clicks on an entry
        return mousePressEvent(event);
    m_impl->gesture = Impl::Gesture::None;
    m_impl->group->setPin({});
    m_impl->showAll = false;
    fit();
}

void PlotView::leaveEvent(QEvent*) {
    m_impl->overlay.cursorY.reset();
    m_impl->group->setCrosshair({});
}

void PlotView::wheelEvent(QWheelEvent* event) {
    Impl& impl = *m_impl;
    const double notches = event->angleDelta().y() / 120.0;
    const QRect area = impl.canvas.plotArea();
    const QPointF at = event->position();
    if (notches == 0.0 || impl.model.empty() || (!hasFocus() && isOnScrollingPage(*this))) {
        event->ignore();
        return;
    }
    const double factor = std::pow(kWheelZoom, notches);
    const bool vertical = at.x() < area.left() || event->modifiers().testFlag(Qt::ControlModifier);
    impl.zoom(!vertical, factor, vertical ? impl.canvas.yAt(at.y()) : impl.canvas.xAt(at.x()));
    event->accept();
}

void PlotView::keyPressEvent(QKeyEvent* event) {
    Impl& impl = *m_impl;
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const bool plain = modifiers == Qt::NoModifier;
    const bool shift = modifiers == Qt::ShiftModifier;
    const bool control = modifiers == Qt::ControlModifier;
    const bool alt = modifiers == Qt::AltModifier;
    const AxisRange x = impl.group->x();
    const double middle =
        impl.group->crosshair().value_or(impl.group->logX() ? std::sqrt(x.lower * x.upper) : (x.lower + x.upper) / 2.0);
    const int key = event->key();
    if (key == Qt::Key_F && plain)
        fit();
    else if (key == Qt::Key_L && plain)
        setLogY(!logY());
    else if (key == Qt::Key_L && shift)
        setLogX(!logX());
    else if (key == Qt::Key_O && plain)
        setShowAll(!showAll());
    else if (key == Qt::Key_G && plain)
        setGuides(!guides());
    else if (key == Qt::Key_T && plain)
        showTable();
    else if (key == Qt::Key_Left && alt)
        zoomBack();
    else if (key == Qt::Key_Right && alt)
        zoomForward();
    else if ((key == Qt::Key_Left || key == Qt::Key_Right) && (plain || shift))
        impl.moveCrosshair((key == Qt::Key_Left ? -1 : 1) * (shift ? 10 : 1));
    else if ((key == Qt::Key_Up || key == Qt::Key_Down) && control)
        impl.selectCurve(key == Qt::Key_Down ? 1 : -1);
    else if ((key == Qt::Key_Left || key == Qt::Key_Right) && control)
        impl.selectCurve(key == Qt::Key_Right ? 1 : -1);
    else if ((key == Qt::Key_Plus || key == Qt::Key_Equal) && (plain || shift))
        impl.zoom(true, kKeyZoom, middle);
    else if (key == Qt::Key_Minus && (plain || shift))
        impl.zoom(true, 1.0 / kKeyZoom, middle);
    else if (key == Qt::Key_Escape && (impl.group->crosshair() || impl.group->pin())) {
        impl.group->setCrosshair({});
        impl.group->setPin({});
        impl.overlay.selected.reset();
    } else if (key == Qt::Key_E && control)
        exportWithDialog();
    else {
        QWidget::keyPressEvent(event);
        return;
    }
    event->accept();
}

bool PlotView::event(QEvent* event) {
    // A plot with the focus saves itself; the window has the same key for its export.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<const QKeyEvent*>(event);
        if (key->key() == Qt::Key_E && key->modifiers() == Qt::ControlModifier) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<const QHelpEvent*>(event);
        if (m_impl->canvas.legendRect().contains(help->pos())) {
            QToolTip::showText(help->globalPos(),
                               tr("Click an entry to hide or show its curve. Drag to move the legend."), this,
                               m_impl->canvas.legendRect());
            return true;
        }
        if (toolTip().isEmpty())
            QToolTip::hideText();
    }
    return QWidget::event(event);
}

void PlotView::focusInEvent(QFocusEvent* event) {
    m_impl->overlay.focused = event->reason() != Qt::MouseFocusReason;
    m_impl->overlay.update();
    QWidget::focusInEvent(event);
}

void PlotView::focusOutEvent(QFocusEvent* event) {
    m_impl->overlay.focused = false;
    m_impl->overlay.update();
    QWidget::focusOutEvent(event);
}

void PlotView::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Keyboard)
        showMenu(mapToGlobal(m_impl->canvas.plotArea().center()));
    event->accept();
}

void PlotView::showTable() {
    if (preparing()) { // the axis titles are those of the new curves already
        m_impl->heldTable = true;
        return;
    }
    showPlotTable(m_impl->model, m_impl->group->x(), this);
}

void PlotView::showMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("plotMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString& name, const QString& text, const QString& keys, auto&& act) {
        QAction* action = menu->addAction(keys.isEmpty() ? text : text + QLatin1Char('\t') + keys);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    const auto addSwitch = [&](const QString& name, const QString& text, const QString& keys, bool on, auto&& act) {
        QAction* action = add(name, text, keys, act);
        action->setCheckable(true);
        action->setChecked(on);
    };
    add(QStringLiteral("plotFit"), tr("Fit to the data"), tr("F"), [this] { fit(); });
    add(QStringLiteral("plotZoomBack"), tr("Zoom back"), tr("Alt+Left"), [this] {
        zoomBack();
    })->setEnabled(!m_impl->past.empty());
    menu->addSeparator();
    addSwitch(QStringLiteral("plotLogY"), tr("Logarithmic y axis"), tr("L"), logY(), [this] { setLogY(!logY()); });
    addSwitch(QStringLiteral("plotLogX"), tr("Logarithmic x axis"), tr("Shift+L"), logX(),
              [this] { setLogX(!logX()); });
    addSwitch(QStringLiteral("plotShowAll"), tr("Show outliers"), tr("O"), showAll(),
              [this] { setShowAll(!showAll()); });
    addSwitch(QStringLiteral("plotGuides"), tr("Guides"), tr("G"), guides(), [this] { setGuides(!guides()); });
    addCurves(*menu);
    menu->addSeparator();
    add(QStringLiteral("plotTableAction"), tr("Show as table"), tr("T"), [this] { showTable(); });
    add(QStringLiteral("plotCopy"), tr("Copy picture"), {}, [this] { copyToClipboard(); });
    add(QStringLiteral("plotExport"), tr("Save as PNG, SVG, PDF or CSV…"), tr("Ctrl+E"),
        [this] { exportWithDialog(); });
    menu->popup(at);
}

/// The legend's entries, for who has no mouse.
void PlotView::addCurves(QMenu& menu) {
    QMenu* curves = menu.addMenu(tr("Curves"));
    curves->setObjectName(QStringLiteral("plotCurves"));
    for (const ModelCurve& curve : m_impl->model.curves) {
        const PlotCurve& look = curve.look;
        if (look.thin || look.label.isEmpty())
            continue;
        QAction* action = curves->addAction(QString(look.label).replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setObjectName(QStringLiteral("plotCurve.") + look.id);
        action->setCheckable(true);
        action->setChecked(m_impl->model.shows(look));
        connect(action, &QAction::toggled, this, [this, id = look.id](bool on) { setCurveHidden(id, !on); });
    }
    curves->menuAction()->setVisible(!curves->isEmpty());
}

} // namespace accumulus::ui
