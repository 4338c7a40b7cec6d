// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader finds in the window: every control with a name and a role, every plot with a summary.
#pragma once

#include "widgets/plots/plot_view.h"

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QWidget>
#include <set>

namespace accumulus::ui {

/// A part of another control, which has the focus in its place.
[[nodiscard]] inline bool isPartOfAnother(const QWidget& widget) {
    const QWidget* parent = widget.parentWidget();
    return qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QComboBox*>(parent);
}

[[nodiscard]] inline QString nameOf(const QWidget& widget) {
    return QStringLiteral("%1 (%2)").arg(widget.objectName(), QLatin1String(widget.metaObject()->className()));
}

struct ReadTree {
    QStringList problems;
    int controls = 0, plots = 0;
};

/// This interface and what is below it, as far as it is shown.
inline void read(QAccessibleInterface& shown, const QString& page, ReadTree& tree) {
    const QAccessible::State state = shown.state();
    if (state.invisible)
        return;
    static const std::set<QAccessible::Role> speaking{
        QAccessible::Button,   QAccessible::PushButton, QAccessible::CheckBox,    QAccessible::RadioButton,
        QAccessible::ComboBox, QAccessible::SpinBox,    QAccessible::Slider,      QAccessible::EditableText,
        QAccessible::Table,    QAccessible::Tree,       QAccessible::List,        QAccessible::PageTab,
        QAccessible::MenuItem, QAccessible::Chart,      QAccessible::ProgressBar, QAccessible::ButtonMenu};
    auto* widget = qobject_cast<QWidget*>(shown.object());
    const QString name = shown.text(QAccessible::Name);
    const QString who = QStringLiteral("%1: %2, role %3")
                            .arg(page, widget ? nameOf(*widget) : name)
                            .arg(static_cast<int>(shown.role()));
    const bool separator = shown.role() == QAccessible::Separator;
    if (shown.role() == QAccessible::NoRole)
        tree.problems << who + QStringLiteral(" has no role");
    const bool takesFocus = widget && (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && !widget->focusProxy();
    const bool part = widget && isPartOfAnother(*widget);
    if ((speaking.contains(shown.role()) || takesFocus) && !part && !separator) {
        ++tree.controls;
        if (name.trimmed().isEmpty())
            tree.problems << who + QStringLiteral(" has no name");
        if (takesFocus && shown.role() == QAccessible::Client)
            tree.problems << who + QStringLiteral(" is of no kind");
    }
    if (const auto* plot = qobject_cast<PlotView*>(widget)) {
        ++tree.plots;
        if (shown.role() != QAccessible::Chart)
            tree.problems << who + QStringLiteral(" is no chart");
        if (shown.text(QAccessible::Description).isEmpty() ||
            shown.text(QAccessible::Description) != plot->summaryText())
            tree.problems << who + QStringLiteral(" has no summary");
    }
    if (shown.role() == QAccessible::Table || shown.role() == QAccessible::Tree || shown.role() == QAccessible::List)
        return; // cells are the model's
    for (int child = 0; child < shown.childCount(); ++child)
        if (QAccessibleInterface* below = shown.child(child))
            read(*below, page, tree);
}

} // namespace accumulus::ui
