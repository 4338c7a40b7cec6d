// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_header.h"

#include <QGuiApplication>
#include <QStyleOptionHeader>
#include <algorithm>

namespace accumulus::ui {

RunHeader::RunHeader(RunListModel& model, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), m_model(model) {
    setSectionsClickable(true);
    setHighlightSections(false);
    setSortIndicatorShown(true); // its place is kept; which arrows stand there, the model's keys say
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(this, &QHeaderView::sectionClicked, this, &RunHeader::sortBy);
    connect(&model, &RunListModel::sorted, viewport(), qOverload<>(&QWidget::update));
}

void RunHeader::sortBy(int section) {
    const std::vector<SortKey>& keys = m_model.sortKeys();
    if (QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier))
        return m_model.sortAlso(section, Qt::AscendingOrder);
    const bool again = keys.size() == 1 && static_cast<int>(keys.front().column) == section;
    m_model.sort(section, again && keys.front().order == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void RunHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int logicalIndex) const {
    QHeaderView::initStyleOptionForIndex(option, logicalIndex);
    const std::vector<SortKey>& keys = m_model.sortKeys();
    const auto key = std::ranges::find(keys, static_cast<RunColumn>(logicalIndex), &SortKey::column);
    option->sortIndicator = QStyleOptionHeader::None;
    if (key == keys.end())
        return;
    option->sortIndicator =
        key->order == Qt::AscendingOrder ? QStyleOptionHeader::SortDown : QStyleOptionHeader::SortUp;
    static const QString places = QStringLiteral("¹²³⁴⁵⁶⁷⁸⁹");
    if (const auto place = key - keys.begin(); keys.size() > 1 && place < places.size())
        option->text += QString(QChar(0x2009)) + places.at(place);
}

} // namespace accumulus::ui
