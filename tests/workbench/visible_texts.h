// SPDX-License-Identifier: GPL-3.0-or-later
// Every text that a person reads in the window, with its font: labels, buttons, fields, tabs, menus, cells, plots.
// Whether it is whole, and which words of it belong to no language.
#pragma once

#include "widgets/plots/qcp.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QGlyphRun>
#include <QGroupBox>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenuBar>
#include <QRegularExpression>
#include <QStyle>
#include <QTabBar>
#include <QTextLayout>
#include <QTreeView>

namespace accumulus::ui {

/// What stays as it is in every language: names, formats, keys, and the words of the filter line.
[[nodiscard]] inline const QStringList& namesInEveryLanguage() {
    static const QStringList known{
        "Accumulus", "English",   "LibTorch", "PyTorch", "TorchScript", "MNIST",       "LeNet",    "CIFAR",
        "Fashion",   "ResNet",    "SGD",      "Adam",    "AdamW",       "CPU",         "GPU",      "CUDA",
        "BatchNorm", "GroupNorm", "CSV",      "JSON",    "HTML",        "PDF",         "Markdown", "safetensors",
        "TOML",      "SVG",       "PNG",      "Ctrl",    "Shift",       "Alt",         "TOST",     "MLP",
        "char",      "GPT",       "BERT",     "mini",    "Tiny",        "Shakespeare", "library",  "sqlite",
        "Huber",     "Nesterov",  "ZeRO",     "DDP",     "Winograd",    "accumulus",   "cli",      "AMD",
        "EPYC",      "Intel",     "Xeon",     "sgd",     "GiB"};
    return known;
}

inline const QRegularExpression latinWord(QStringLiteral("[A-Za-z]{3,}"));

/// Latin words of a text that are no names.
[[nodiscard]] inline QStringList foreignWords(const QString& text) {
    QStringList words;
    for (auto match = latinWord.globalMatch(text); match.hasNext();)
        if (const QString word = match.next().captured(); !namesInEveryLanguage().contains(word))
            words << word;
    return words;
}

struct VisibleText {
    QString text;
    QFont font;
    QString where;
    const QWidget* owner = nullptr;
};

/// Without the mark of a mnemonic and what stands behind a tab.
[[nodiscard]] inline QString plainText(QString text) {
    text = text.section(QLatin1Char('\t'), 0, 0);
    static const QRegularExpression bracketed(QStringLiteral("\\s*\\(&\\w\\)")); // as in Chinese
    text.remove(bracketed);
    return text.remove(QLatin1Char('&')).trimmed();
}

class VisibleTexts {
public:
    explicit VisibleTexts(const QMainWindow& window) {
        addMenu(window.menuBar()->actions(), window.menuBar()->font());
        for (const QWidget* widget : window.findChildren<QWidget*>())
            if (widget->isVisible())
                add(*widget);
    }
    [[nodiscard]] QList<VisibleText> all() const { return m_all; } ///< also of a temporary

private:
    void add(const QString& text, const QFont& font, const QWidget& owner) {
        if (!plainText(text).isEmpty())
            m_all << VisibleText{plainText(text), font, owner.objectName(), &owner};
    }

    void addMenu(const QList<QAction*>& actions, const QFont& font) {
        for (const QAction* action : actions) {
            if (!action->isSeparator() && !plainText(action->text()).isEmpty())
                m_all << VisibleText{plainText(action->text()), font, action->objectName()};
            if (action->menu())
                addMenu(action->menu()->actions(), action->menu()->font());
        }
    }

    void add(const QWidget& widget) {
        if (const auto* label = qobject_cast<const QLabel*>(&widget))
            add(label->text(), label->font(), widget);
        else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
            add(button->text(), button->font(), widget);
        else if (const auto* box = qobject_cast<const QComboBox*>(&widget))
            for (int item = 0; item < box->count(); ++item)
                add(box->itemText(item), box->font(), widget);
        else if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
            add(line->text().isEmpty() ? line->placeholderText() : QString(), line->font(), widget);
        else if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
            for (int tab = 0; tab < tabs->count(); ++tab)
                add(tabs->tabText(tab), tabs->font(), widget);
        else if (const auto* header = qobject_cast<const QHeaderView*>(&widget); header && header->model())
            for (int section = 0; section < header->count(); ++section)
                add(header->model()->headerData(section, header->orientation()).toString(), header->font(), widget);
        else if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget); view && view->model())
            addCells(*view);
        else if (const auto* plot = qobject_cast<const QCustomPlot*>(&widget))
            addPlot(*plot);
    }

    void addCells(const QAbstractItemView& view) {
        const QAbstractItemModel& model = *view.model();
        for (int row = 0; row < std::min(model.rowCount(), 20); ++row)
            for (int column = 0; column < model.columnCount(); ++column)
                add(model.index(row, column).data().toString(), view.font(), view);
    }

    void addPlot(const QCustomPlot& plot) {
        const QWidget& owner = *plot.parentWidget();
        if (const auto* title = dynamic_cast<const QCPTextElement*>(plot.plotLayout()->element(0, 0));
            title && title->visible())
            add(title->text(), title->font(), owner);
        auto* panel = dynamic_cast<QCPAxisRect*>(plot.plotLayout()->element(1, 0));
        if (!panel)
            return;
        for (const QCPAxis* axis : panel->axes()) {
            if (!axis->visible())
                continue;
            add(axis->label(), axis->labelFont(), owner);
            for (const QString& tick : axis->tickLabels() ? axis->tickVectorLabels() : QVector<QString>())
                add(tick, axis->tickLabelFont(), owner);
        }
        if (const auto* legend = dynamic_cast<const QCPLegend*>(panel->insetLayout()->elementAt(0)))
            for (int item = 0; item < legend->itemCount(); ++item)
                if (auto* entry = dynamic_cast<QCPPlottableLegendItem*>(legend->item(item)))
                    add(entry->plottable()->name(), legend->font(), owner);
    }

    QList<VisibleText> m_all;
};

/// Letters that no font at hand has: drawn as empty squares.
[[nodiscard]] inline bool hasMissingGlyph(const VisibleText& shown) {
    QString line = shown.text;
    line.replace(QLatin1Char('\n'), QLatin1Char(' '));
    QTextLayout layout(line, shown.font);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    for (const QGlyphRun& run : layout.glyphRuns())
        if (run.glyphIndexes().contains(0))
            return true;
    return false;
}

/// Families that draw the text.
[[nodiscard]] inline QStringList familiesOf(const QString& text, const QFont& font) {
    QTextLayout layout(text, font);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    QStringList families;
    for (const QGlyphRun& run : layout.glyphRuns())
        families << QStringLiteral("%1 %2").arg(run.rawFont().familyName(), run.rawFont().styleName());
    families.removeDuplicates();
    return families;
}

/// The widget reaches beyond one of its parents, and nothing there can be scrolled.
[[nodiscard]] inline bool isClipped(const QWidget& widget) {
    for (const QWidget* parent = widget.parentWidget(); parent; parent = parent->parentWidget()) {
        const QRect inside(widget.mapTo(parent, QPoint(0, 0)), widget.size());
        const auto* area = qobject_cast<const QAbstractScrollArea*>(parent->parentWidget());
        if (area && area->viewport() == parent)
            return false;
        if (!parent->rect().contains(inside))
            return true;
        if (parent->isWindow())
            break;
    }
    return false;
}

[[nodiscard]] inline bool holdsText(const QWidget& widget) {
    const auto* label = qobject_cast<const QLabel*>(&widget);
    return (label && !label->text().isEmpty()) || qobject_cast<const QAbstractButton*>(&widget) ||
           qobject_cast<const QComboBox*>(&widget) || qobject_cast<const QLineEdit*>(&widget) ||
           qobject_cast<const QAbstractSpinBox*>(&widget);
}

/// Neighbours in one layout of which one covers the other, by name and text.
[[nodiscard]] inline QStringList overlapsIn(const QWidget& window) {
    QHash<const QWidget*, QList<const QWidget*>> families;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && holdsText(*widget) && widget->parentWidget()->layout())
            families[widget->parentWidget()] << widget;
    const auto named = [](const QWidget& widget) {
        return QStringLiteral("%1 “%2”").arg(widget.objectName(), widget.property("text").toString());
    };
    QStringList found;
    for (const QList<const QWidget*>& family : families)
        for (qsizetype a = 0; a < family.size(); ++a)
            for (qsizetype b = a + 1; b < family.size(); ++b)
                if (family[a]->geometry().adjusted(1, 1, -1, -1).intersects(family[b]->geometry()))
                    found << named(*family[a]) + QStringLiteral(" overlaps ") + named(*family[b]);
    return found;
}

/// Titles of columns that are cut, and told by no tool tip either.
[[nodiscard]] inline QStringList cutTitlesOf(const QHeaderView& header) {
    QStringList cut;
    if (header.orientation() != Qt::Horizontal || !header.model())
        return cut;
    const QFontMetrics metrics(header.font());
    const int margins = 2 * header.style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, &header);
    const auto said = [&header](int section, int role) {
        return header.model()->headerData(section, Qt::Horizontal, role).toString();
    };
    for (int section = 0; section < header.count(); ++section) {
        const QString title = said(section, Qt::DisplayRole);
        const int needs = metrics.size(0, title).width() + margins;
        if (!header.isSectionHidden(section) && !title.isEmpty() && needs > header.sectionSize(section) + 1 &&
            said(section, Qt::ToolTipRole).isEmpty())
            cut << QStringLiteral("“%1” needs %2, has %3").arg(title).arg(needs).arg(header.sectionSize(section));
    }
    return cut;
}

/// Why a label or button shows less than its text; empty where it is whole.
[[nodiscard]] inline QString cutOf(const QWidget& widget) {
    const auto* label = qobject_cast<const QLabel*>(&widget);
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    const QString text = label ? label->text() : button ? button->text() : QString();
    if (text.isEmpty() || widget.size().isEmpty())
        return text.isEmpty() ? QString() : QStringLiteral("no room at all");
    const QSize needs = label && label->wordWrap()
                            ? QSize(widget.minimumSizeHint().width(), widget.heightForWidth(widget.width()))
                            : widget.sizeHint();
    if (needs.width() > widget.width() + 1 || needs.height() > widget.height() + 1)
        return QStringLiteral("needs %1 x %2, has %3 x %4")
            .arg(needs.width())
            .arg(needs.height())
            .arg(widget.width())
            .arg(widget.height());
    return isClipped(widget) ? QStringLiteral("reaches beyond what holds it") : QString();
}

} // namespace accumulus::ui
