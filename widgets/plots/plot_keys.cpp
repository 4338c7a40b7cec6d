// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_keys.h"

#include "widgets/plots/plot_view.h"

#include <QKeySequence>

namespace accumulus::ui {

namespace {

QString named(QKeyCombination keys) { return QKeySequence(keys).toString(QKeySequence::NativeText); }

QString either(QKeyCombination one, QKeyCombination other) {
    return QStringLiteral("%1, %2").arg(named(one), named(other));
}

} // namespace

std::vector<std::pair<QString, QString>> plotKeys() {
    return {
        {named(Qt::Key_F), PlotView::tr("Plots: fit")},
        {named(Qt::Key_L), PlotView::tr("Plots: logarithmic y axis")},
        {named(Qt::SHIFT | Qt::Key_L), PlotView::tr("Plots: logarithmic x axis")},
        {named(Qt::Key_O), PlotView::tr("Plots: show outliers")},
        {named(Qt::Key_G), PlotView::tr("Plots: guides")},
        {named(Qt::Key_T), PlotView::tr("Plots: show as table")},
        {either(Qt::Key_Left, Qt::Key_Right), PlotView::tr("Plots: move the crosshair; with Shift by ten points")},
        {either(Qt::CTRL | Qt::Key_Up, Qt::CTRL | Qt::Key_Down), PlotView::tr("Plots: another curve")},
        {either(Qt::CTRL | Qt::Key_Left, Qt::CTRL | Qt::Key_Right), PlotView::tr("Plots: another curve")},
        {either(Qt::Key_Plus, Qt::Key_Minus), PlotView::tr("Plots: zoom")},
        {either(Qt::ALT | Qt::Key_Left, Qt::ALT | Qt::Key_Right), PlotView::tr("Plots: zoom back and forth")},
        {named(Qt::Key_Escape), PlotView::tr("Plots: remove crosshair and marker")},
        {named(Qt::CTRL | Qt::Key_E), PlotView::tr("Plots: save as PNG, SVG, PDF or CSV")},
        {named(Qt::Key_Menu), PlotView::tr("Plots: menu")},
    };
}

} // namespace accumulus::ui
