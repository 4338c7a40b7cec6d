// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_delegate.h"

#include "widgets/models/audit_text.h"
#include "widgets/plots/verdict_mark.h"
#include "widgets/style/controls.h"
#include "widgets/style/icons.h"
#include "widgets/style/run_color.h"

#include <QApplication>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QTableView>
#include <algorithm>

namespace accumulus::ui {
namespace {

constexpr int dotSize = 10;
constexpr int stepSize = 12; ///< of the marks beside a name

QColor stateColor(const ThemeColors& colors, RunState state) {
    switch (state) {
    case RunState::Completed:
        return colors.good;
    case RunState::Failed:
        return colors.bad;
    case RunState::Interrupted:
    case RunState::Stopped:
    case RunState::Paused:
        return colors.warning;
    case RunState::Starting:
    case RunState::Running:
    case RunState::Stopping:
        return colors.accent;
    case RunState::Draft:
    case RunState::Queued:
        return colors.secondary;
    }
    return colors.secondary;
}

RunColumn columnOf(const QModelIndex& index) { return static_cast<RunColumn>(index.column()); }

/// Where the mark of a group is, in the cell of its name.
QRect chevronRect(const QRect& cell) {
    return {cell.left() + space::s, cell.center().y() - stepSize / 2, stepSize, stepSize};
}

void setMark(QStyleOptionViewItem* option, const QPixmap& mark) {
    option->icon = QIcon(mark);
    option->decorationSize = mark.deviceIndependentSize().toSize();
    option->features |= QStyleOptionViewItem::HasDecoration;
}

QPixmap blank(const QStyleOptionViewItem* option, int width) {
    const qreal ratio = option->widget ? option->widget->devicePixelRatioF() : 1.0;
    QPixmap pixmap(QSize(width, RunDelegate::markSize) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    return pixmap;
}

QPixmap signMark(Verdict shape, const QColor& color, const QStyleOptionViewItem* option) {
    QPixmap pixmap = blank(option, RunDelegate::markSize);
    QPainter painter(&pixmap);
    paintVerdictSign(painter, QRectF(0, 0, RunDelegate::markSize, RunDelegate::markSize), shape, color);
    return pixmap;
}

/// Surface and selection of a cell, without its content.
void paintSurface(QPainter* painter, QStyleOptionViewItem option) {
    option.text.clear();
    option.icon = QIcon();
    option.features &= ~(QStyleOptionViewItem::HasDecoration | QStyleOptionViewItem::HasDisplay);
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
}

bool reservesDifference(const QModelIndex& index) {
    const auto* model = qobject_cast<const RunListModel*>(index.model());
    return model && model->hasBaselineRow() && isMeasured(columnOf(index));
}

} // namespace

RunDelegate::RunDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

int RunDelegate::differenceWidth(const QFontMetrics& metrics) {
    int words = 0;
    for (const int judgement : {1, -1})
        words = std::max(words, metrics.horizontalAdvance(judgementText({1.0, judgement})));
    return metrics.horizontalAdvance(QStringLiteral("  ▼ −00.00 MB ")) + words;
}

int RunDelegate::roomBesideText(RunColumn column) {
    switch (column) {
    case RunColumn::Name: // a run below its group, with one mark
        return space::s + stepSize + space::l + stepSize + 3 * space::xs;
    case RunColumn::Status:
    case RunColumn::Arm:
    case RunColumn::Audit:
    case RunColumn::Verdict:
        return markSize + 4 * space::s;
    default:
        return 3 * space::s;
    }
}

QWidget* RunDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    auto* line = new QLineEdit(parent);
    line->setObjectName(QLatin1String(nameEditor));
    line->setAccessibleName(index.model()->headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString());
    line->setAutoFillBackground(true);
    return line;
}

void RunDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    const auto* line = qobject_cast<QLineEdit*>(editor);
    if (!line || !line->isModified()) // a run that trains is read again while a person types
        QStyledItemDelegate::setEditorData(editor, index);
}

void RunDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    option->state &= ~QStyle::State_HasFocus;
    if (!index.data(RunListModel::GroupRole).toString().isEmpty() || index.data(RunListModel::BaselineRole).toBool())
        option->font.setWeight(QFont::DemiBold);
    const RunColumn column = columnOf(index);
    if (column == RunColumn::Status) {
        if (const int state = index.data(RunListModel::StateRole).toInt(); state >= 0)
            setMark(option, stateMark(static_cast<RunState>(state), option));
    } else if (column == RunColumn::Arm) {
        if (const int arm = index.data(RunListModel::ArmRole).toInt(); arm >= 0)
            setMark(option, armMark(static_cast<Arm>(arm), option));
    } else if (column == RunColumn::Audit) {
        if (const int audit = index.data(RunListModel::AuditRole).toInt(); audit >= 0) {
            const AuditSign sign = auditSign(m_theme.colors(), static_cast<AuditVerdict>(audit));
            setMark(option, signMark(sign.shape, sign.color, option));
        }
    } else if (column == RunColumn::Verdict) {
        if (const int kept = index.data(RunListModel::VerdictRole).toInt(); kept >= 0) {
            const auto verdict = static_cast<Verdict>(kept);
            setMark(option, signMark(verdict, verdictColor(m_theme.colors(), verdict), option));
        }
    }
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    if (columnOf(index) == RunColumn::Name)
        paintName(painter, option, index);
    else if (reservesDifference(index))
        paintMeasured(painter, option, index);
    else
        QStyledItemDelegate::paint(painter, option, index);
    const ThemeColors& colors = m_theme.colors();
    if (index.data(RunListModel::BaselineRole).toBool()) // set apart from what is measured against it
        painter->fillRect(QRect(option.rect.left(), option.rect.bottom() - 1, option.rect.width(), 2), colors.border);
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    if (!view || !view->hasFocus() || view->currentIndex().row() != index.row())
        return;
    // The focus is a row's: one frame around all its cells.
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), option.rect.width(), 1), colors.accent);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), colors.accent);
}

void RunDelegate::paintText(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect,
                            Qt::Alignment alignment, const QString& text, const QColor& color) const {
    if (rect.width() <= 0)
        return;
    painter->save();
    painter->setFont(option.font);
    painter->setPen(color);
    painter->drawText(rect, static_cast<int>(alignment | Qt::TextSingleLine),
                      QFontMetrics(option.font).elidedText(text, option.textElideMode, rect.width()));
    painter->restore();
}

void RunDelegate::paintIcon(QPainter* painter, const QString& name, const QRect& rect, const QColor& color) const {
    icon(name, color).paint(painter, rect);
}

void RunDelegate::paintName(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    paintSurface(painter, option);
    const ThemeColors& colors = m_theme.colors();
    int left = option.rect.left() + space::s;
    const auto nextMark = [&] {
        const QRect place(left, option.rect.center().y() - stepSize / 2, stepSize, stepSize);
        left += stepSize + space::xs;
        return place;
    };
    const int expanded = index.data(RunListModel::ExpandedRole).toInt();
    const bool grouped = !index.data(RunListModel::GroupRole).toString().isEmpty();
    if (grouped && expanded >= 0)
        paintIcon(painter, expanded == 1 ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), nextMark(),
                  colors.secondary);
    else if (index.data(RunListModel::ChildRole).toBool())
        left += stepSize + space::l;
    if (index.data(RunListModel::BaselineRole).toBool())
        paintIcon(painter, QStringLiteral("pin"), nextMark(), colors.accent);
    if (const QColor chosen = runColor(colors, index.data(RunListModel::ColorRole).toString().toStdString(), QColor());
        chosen.isValid()) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(colors.border, 1.0));
        painter->setBrush(chosen);
        painter->drawRoundedRect(QRectF(nextMark()).adjusted(1, 1, -1, -1), 3, 3);
        painter->restore();
    }
    if (index.data(RunListModel::ProtectedRole).toBool())
        paintIcon(painter, QStringLiteral("lock"), nextMark(), colors.secondary);
    const QRect rest(left, option.rect.top(), option.rect.right() - space::xs - left, option.rect.height());
    paintText(painter, option, rest, Qt::AlignLeft | Qt::AlignVCenter, option.text, colors.text);
}

void RunDelegate::paintMeasured(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    paintSurface(painter, option);
    const ThemeColors& colors = m_theme.colors();
    const int room = differenceWidth(QFontMetrics(given.font));
    const QRect cell = option.rect.adjusted(space::xs, 0, -space::xs, 0);
    const QRect beside(cell.right() - room + 1, cell.top(), room, cell.height());
    paintText(painter, option, cell.adjusted(0, 0, -room, 0), Qt::AlignRight | Qt::AlignVCenter, option.text,
              colors.text);
    const QString difference = index.data(RunListModel::DifferenceRole).toString();
    if (difference.isEmpty())
        return;
    const int judgement = index.data(RunListModel::JudgementRole).toInt();
    option.font.setWeight(QFont::Normal);
    paintText(painter, option, beside, Qt::AlignRight | Qt::AlignVCenter,
              difference + QLatin1Char(' ') + judgementText({0.0, judgement}),
              judgement > 0   ? colors.good
              : judgement < 0 ? colors.bad
                              : colors.secondary);
}

bool RunDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                              const QModelIndex& index) {
    auto* runs = qobject_cast<RunListModel*>(model);
    if (runs && event->type() == QEvent::MouseButtonRelease && columnOf(index) == RunColumn::Name) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const int expanded = index.data(RunListModel::ExpandedRole).toInt();
        if (mouse->button() == Qt::LeftButton && expanded >= 0 &&
            chevronRect(option.rect).adjusted(-space::s, -space::s, space::xs, space::s).contains(mouse->pos())) {
            runs->setExpanded(index.row(), expanded == 0);
            return true;
        }
    }
    return QStyledItemDelegate::editorEvent(event, model, option, index);
}

QPixmap RunDelegate::stateMark(RunState state, const QStyleOptionViewItem* option) const {
    QPixmap pixmap = blank(option, dotSize);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = stateColor(m_theme.colors(), state);
    const QRectF dot(1, 4, 8, 8);
    if (state == RunState::Queued || state == RunState::Draft) {
        painter.setPen(QPen(color, 1.5));
        painter.drawEllipse(dot);
    } else if (state == RunState::Failed || state == RunState::Interrupted) {
        painter.setPen(QPen(color, 2.0, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(dot.topLeft(), dot.bottomRight());
        painter.drawLine(dot.topRight(), dot.bottomLeft());
    } else if (state == RunState::Stopped || state == RunState::Paused) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRect(QRectF(1.5, 4.5, 7, 7));
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(dot);
    }
    return pixmap;
}

QPixmap RunDelegate::armMark(Arm arm, const QStyleOptionViewItem* option) const {
    QPixmap pixmap = blank(option, markSize);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = m_theme.colors();
    QPen pen(arm == Arm::Accumulated ? colors.accumulated : colors.largeBatch, 2.5);
    pen.setCapStyle(Qt::FlatCap);
    if (arm == Arm::LargeBatch)
        pen.setDashPattern({1.8, 1.0});
    painter.setPen(pen);
    painter.drawLine(QPointF(1, 8), QPointF(15, 8));
    return pixmap;
}

} // namespace accumulus::ui
