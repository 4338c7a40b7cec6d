// SPDX-License-Identifier: GPL-3.0-or-later
// What WorkbenchStyle answers Qt: dispatch, sizes and hints. The painting itself is in workbench_style_paint.cpp.
#include "widgets/style/workbench_style.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <optional>

namespace accumulus::ui {

namespace {

constexpr int kTarget = 32;    ///< height of everything that is clicked
constexpr int kRowHeight = 28; ///< rows of tables, lists and menus

// Parts of controls for left-to-right layout; empty: as Fusion has them.

constexpr int kArrowWidth = 24;
constexpr int kLongestAnimation = 150; ///< ms

std::optional<QRect> comboBoxPart(const QRect& rect, QStyle::SubControl part) {
    if (part == QStyle::SC_ComboBoxEditField)
        return rect.adjusted(space::s, 2, -kArrowWidth - 2, -2);
    if (part == QStyle::SC_ComboBoxArrow)
        return QRect(rect.right() - kArrowWidth - 2, rect.top(), kArrowWidth, rect.height());
    return {};
}

std::optional<QRect> spinBoxPart(const QStyleOptionSpinBox& spin, QStyle::SubControl part) {
    const QRect rect = spin.rect;
    const bool buttons = spin.buttonSymbols != QAbstractSpinBox::NoButtons;
    const int half = rect.height() / 2;
    const QRect right(rect.right() - kArrowWidth, rect.top() + 1, kArrowWidth, rect.height() - 2);
    switch (part) {
    case QStyle::SC_SpinBoxUp:
        return buttons ? right.adjusted(0, 0, 0, half - rect.height() + 1) : QRect();
    case QStyle::SC_SpinBoxDown:
        return buttons ? right.adjusted(0, half - 1, 0, 0) : QRect();
    case QStyle::SC_SpinBoxEditField:
        return rect.adjusted(space::s - 2, 2, buttons ? -kArrowWidth : -2, -2);
    default:
        return {};
    }
}

/// Without arrow buttons: the handle has the whole length.
std::optional<QRect> scrollBarPart(const QStyleOptionSlider& bar, QStyle::SubControl part) {
    const bool horizontal = bar.orientation == Qt::Horizontal;
    const int length = horizontal ? bar.rect.width() : bar.rect.height();
    const qint64 range = qint64(bar.maximum) - bar.minimum;
    int handle = length;
    if (range > 0)
        handle = qMax(qMin(kTarget, length), int(qint64(bar.pageStep) * length / (range + bar.pageStep)));
    const int start =
        QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition, length - handle, bar.upsideDown);
    const auto stretch = [&](int from, int size) {
        return horizontal ? QRect(bar.rect.left() + from, bar.rect.top(), size, bar.rect.height())
                          : QRect(bar.rect.left(), bar.rect.top() + from, bar.rect.width(), size);
    };
    switch (part) {
    case QStyle::SC_ScrollBarAddLine:
    case QStyle::SC_ScrollBarSubLine:
        return QRect();
    case QStyle::SC_ScrollBarGroove:
        return bar.rect;
    case QStyle::SC_ScrollBarSlider:
        return stretch(start, handle);
    case QStyle::SC_ScrollBarAddPage:
        return stretch(start + handle, length - start - handle);
    case QStyle::SC_ScrollBarSubPage:
        return stretch(0, start);
    default:
        return {};
    }
}

bool isToolTip(const QWidget* widget) { return widget->inherits("QTipLabel"); }

} // namespace

void setRichToolTip(QWidget* widget, const QString& html) {
    widget->setToolTip(html);
    widget->setProperty(kRichToolTipProperty, true);
}

WorkbenchStyle::WorkbenchStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))), m_colors(lightColors()) {}

void WorkbenchStyle::setColors(const ThemeColors& colors) { m_colors = colors; }

void WorkbenchStyle::setAnimations(bool on) { m_animations = on; }

void WorkbenchStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (widget->inherits("QAbstractButton") || widget->inherits("QComboBox") || widget->inherits("QAbstractSpinBox") ||
        widget->inherits("QSlider") || widget->inherits("QLineEdit"))
        widget->setAttribute(Qt::WA_Hover);
    if (auto* label = qobject_cast<QLabel*>(widget); label && (label->textFormat() == Qt::AutoText || isToolTip(label)))
        label->setTextFormat(isToolTip(label) && m_richToolTip ? Qt::RichText : Qt::PlainText);
}

void WorkbenchStyle::polish(QApplication* application) {
    QProxyStyle::polish(application);
    application->installEventFilter(this);
}

void WorkbenchStyle::unpolish(QApplication* application) {
    application->removeEventFilter(this);
    QProxyStyle::unpolish(application);
}

// A tooltip is a label of Qt's own, made when it is needed and used again for the next one: before either happens, the
// widget that owns the text gets this event.
bool WorkbenchStyle::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ToolTip && watched->isWidgetType()) {
        m_richToolTip = watched->property(kRichToolTipProperty).toBool();
        for (QWidget* window : QApplication::topLevelWidgets())
            if (isToolTip(window))
                polish(window);
    }
    return QProxyStyle::eventFilter(watched, event);
}

void WorkbenchStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                   const QWidget* widget) const {
    switch (element) {
    case PE_PanelButtonCommand:
        paintPushButton(painter, option, widget);
        return;
    case PE_PanelButtonTool:
        paintToolButton(painter, option, widget);
        return;
    case PE_FrameButtonTool:
    case PE_FrameDefaultButton:
        return;
    case PE_FrameFocusRect:
        paintFocusRing(painter, option->rect, 4.0);
        return;
    case PE_PanelLineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && frame->lineWidth > 0)
            paintField(painter, option->rect, option);
        return;
    case PE_FrameLineEdit:
        paintField(painter, option->rect, option);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        paintIndicator(painter, option, false);
        return;
    case PE_IndicatorRadioButton:
        paintIndicator(painter, option, true);
        return;
    case PE_Frame:
        paintFrame(painter, option, widget);
        return;
    case PE_FrameTabBarBase:
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), m_colors.border);
        return;
    case PE_FrameTabWidget:
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

/// Qt cuts what does not fit, the head of a column of numbers at its beginning: in Qt 6.4 it does so whatever
/// QHeaderView::setTextElideMode() says.
void WorkbenchStyle::paintFitting(ControlElement element, const QStyleOption* option, QPainter* painter,
                                  const QWidget* widget) const {
    if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
        const int icon = box->currentIcon.isNull() ? 0 : box->iconSize.width() + space::xs;
        const QRect field = proxy()->subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget);
        QStyleOptionComboBox fitting(*box);
        fitting.currentText = box->fontMetrics.elidedText(box->currentText, Qt::ElideMiddle, field.width() - icon - 2);
        QProxyStyle::drawControl(element, &fitting, painter, widget);
    } else if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
        QStyleOptionHeader fitting(*header);
        fitting.text = header->fontMetrics.elidedText(header->text, Qt::ElideRight, header->rect.width());
        QProxyStyle::drawControl(element, &fitting, painter, widget);
    } else {
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void WorkbenchStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
    switch (element) {
    case CE_ProgressBarGroove:
        return;
    case CE_ProgressBarContents:
        paintProgress(painter, option);
        return;
    case CE_HeaderSection:
        paintHeaderSection(painter, option);
        return;
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, m_colors.cardAlternate);
        return;
    case CE_TabBarTabShape:
        paintTab(painter, option);
        return;
    case CE_ShapedFrame:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && frame->frameShape == QFrame::HLine) {
            painter->fillRect(QRect(option->rect.left(), option->rect.center().y(), option->rect.width(), 1),
                              m_colors.border);
            return;
        }
        break;
    case CE_Splitter:
        return;
    case CE_ComboBoxLabel:
    case CE_HeaderLabel:
        paintFitting(element, option, painter, widget);
        return;
    case CE_ItemViewItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option)) {
            // A row in full accent shouts; a soft surface keeps the words' own colours readable.
            QStyleOptionViewItem calm(*item);
            for (const QPalette::ColorGroup group : {QPalette::Active, QPalette::Inactive}) {
                calm.palette.setColor(group, QPalette::Highlight, m_colors.selection());
                calm.palette.setColor(group, QPalette::HighlightedText, m_colors.text);
            }
            QProxyStyle::drawControl(element, &calm, painter, widget);
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void WorkbenchStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                        const QWidget* widget) const {
    switch (control) {
    case CC_ComboBox:
        paintComboBox(painter, option, widget);
        return;
    case CC_SpinBox:
        paintSpinBox(painter, option, widget);
        return;
    case CC_Slider:
        paintSlider(painter, option, widget);
        return;
    case CC_ScrollBar:
        paintScrollBar(painter, option, widget);
        return;
    default:
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

QRect WorkbenchStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    constexpr int kTextInset = 6;
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    if (element == SE_LineEditContents && frame && frame->lineWidth > 0)
        return rect.adjusted(kTextInset, 0, -kTextInset, 0);
    return rect;
}

QRect WorkbenchStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                     const QWidget* widget) const {
    std::optional<QRect> own;
    if (control == CC_ComboBox)
        own = comboBoxPart(option->rect, part);
    else if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option); spin && control == CC_SpinBox)
        own = spinBoxPart(*spin, part);
    else if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option); bar && control == CC_ScrollBar)
        own = scrollBarPart(*bar, part);
    return own ? visualRect(option->direction, option->rect, *own)
               : QProxyStyle::subControlRect(control, option, part, widget);
}

QSize WorkbenchStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                       const QWidget* widget) const {
    QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    switch (type) {
    case CT_PushButton:
        size.rwidth() = qMax(size.width() + 2 * space::s, 2 * kTarget);
        size.setHeight(qMax(size.height(), kTarget));
        break;
    case CT_ComboBox:
        size.rwidth() += space::l;
        size.setHeight(qMax(size.height(), kTarget));
        break;
    case CT_SpinBox:
        size.rwidth() += space::m;
        size.setHeight(qMax(size.height(), kTarget));
        break;
    case CT_LineEdit:
        size.setHeight(qMax(size.height(), kTarget));
        break;
    case CT_ToolButton:
        size = size.expandedTo(QSize(kTarget, kTarget));
        break;
    case CT_CheckBox:
    case CT_RadioButton:
        size.setHeight(qMax(size.height(), kTarget));
        break;
    case CT_TabBarTab:
        size += QSize(space::s, 0);
        size.setHeight(qMax(size.height(), kTarget + 4));
        break;
    case CT_ItemViewItem:
        size.setHeight(qMax(size.height(), kRowHeight));
        break;
    case CT_HeaderSection:
        size.setHeight(qMax(size.height(), kRowHeight + 4));
        break;
    case CT_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
            item && item->menuItemType != QStyleOptionMenuItem::Separator)
            size.setHeight(qMax(size.height(), kRowHeight));
        break;
    case CT_MenuBarItem:
        size += QSize(space::xs, space::xs);
        break;
    default:
        break;
    }
    return size;
}

int WorkbenchStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_TabBarTabShiftVertical:
        return 0;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 18;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return space::s;
    case PM_ScrollBarExtent:
        return 12;
    case PM_ScrollBarSliderMin:
        return kTarget;
    case PM_SliderThickness:
    case PM_SliderControlThickness:
        return 24;
    case PM_SliderLength:
        return 18;
    case PM_SplitterWidth:
        return space::s;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
        return 18;
    case PM_ToolTipLabelFrameWidth:
        return space::xs;
    case PM_HeaderMargin:
        return space::s;
    case PM_FocusFrameHMargin: // cells of tables begin below their header's text
        return space::s - 1;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int WorkbenchStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                              QStyleHintReturn* result) const {
    switch (hint) {
    case SH_Widget_Animate:
        return m_animations ? 1 : 0;
    case SH_Widget_Animation_Duration:
        return m_animations ? kLongestAnimation : 0;
    case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton; // a click moves the handle there
    case SH_ScrollBar_LeftClickAbsolutePosition:
        return 0;
    case SH_ComboBox_Popup:
        return 0; // a list below the field, not a menu over it
    case SH_Table_GridLineColor:
        return static_cast<int>(m_colors.border.rgb());
    case SH_ItemView_ArrowKeysNavigateIntoChildren:
    case SH_Menu_Scrollable: // on a low screen; columns would cover the menu bar
    case SH_Menu_SpaceActivatesItem:
        return 1;
    default:
        return QProxyStyle::styleHint(hint, option, widget, result);
    }
}

} // namespace accumulus::ui
