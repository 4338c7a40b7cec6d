// SPDX-License-Identifier: GPL-3.0-or-later
// How the library's table paints its cells: status as coloured mark and word, arm in its colour with solid or dashed
// stroke, groups with a mark that opens them, measured values with their difference to the baseline. GUI thread.
#pragma once

#include "widgets/models/run_list_model.h"
#include "widgets/style/theme.h"

#include <QStyledItemDelegate>

class QFontMetrics;

namespace accumulus::ui {

class RunDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int markSize = 16;
    static constexpr auto nameEditor = "runNameEditor"; ///< the object in which a name is typed

    RunDelegate(const Theme& theme, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// A click on a group's mark opens and closes it.
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
    [[nodiscard]] QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    /// What a cell needs beside its text: margins, and the marks in front of it.
    [[nodiscard]] static int roomBesideText(RunColumn column);
    /// What a difference to the baseline takes beside a value.
    [[nodiscard]] static int differenceWidth(const QFontMetrics& metrics);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    void paintName(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintMeasured(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintText(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect, Qt::Alignment alignment,
                   const QString& text, const QColor& color) const;
    void paintIcon(QPainter* painter, const QString& name, const QRect& rect, const QColor& color) const;
    [[nodiscard]] QPixmap stateMark(RunState state, const QStyleOptionViewItem* option) const;
    [[nodiscard]] QPixmap armMark(Arm arm, const QStyleOptionViewItem* option) const;

    const Theme& m_theme;
};

} // namespace accumulus::ui
