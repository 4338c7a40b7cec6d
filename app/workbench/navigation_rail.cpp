// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/navigation_rail.h"

#include "widgets/style/icons.h"
#include "widgets/style/workbench_style.h"

#include <QButtonGroup>
#include <QPainter>
#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace accumulus::ui {
namespace {
constexpr int entryHeight = 44;
constexpr int railIcon = 20;
constexpr int textFrom = space::l + railIcon + space::m;
constexpr int narrowest = 148;

/// The style's surface, with icon and text on the grid of the rail.
class RailButton : public QToolButton {
public:
    [[nodiscard]] QSize sizeHint() const override {
        return {textFrom + fontMetrics().horizontalAdvance(text()) + space::s, entryHeight};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionToolButton option;
        initStyleOption(&option);
        painter.drawPrimitive(QStyle::PE_PanelButtonTool, option);
        const QRect iconRect = QStyle::visualRect(layoutDirection(), rect(),
                                                  QRect(space::l, (height() - railIcon) / 2, railIcon, railIcon));
        icon().paint(&painter, iconRect);
        const QRect textRect =
            QStyle::visualRect(layoutDirection(), rect(), rect().adjusted(textFrom, 0, -space::xs, 0));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(textRect, static_cast<int>(Qt::AlignVCenter) | Qt::AlignLeading, text());
    }
};

} // namespace

NavigationRail::NavigationRail(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_group(new QButtonGroup(this)), m_column(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("rail"));
    setAccessibleName(tr("Pages"));
    setFixedWidth(narrowest);
    m_column->setContentsMargins(space::s, space::l, space::s, space::l);
    m_column->setSpacing(space::xs);
    m_column->addStretch(1);
    connect(&theme, &Theme::changed, this, &NavigationRail::recolor);
    connect(m_group, &QButtonGroup::idClicked, this, &NavigationRail::chosen);
    connect(m_group, &QButtonGroup::idToggled, this, &NavigationRail::recolor);
}

void NavigationRail::addEntry(const QString& iconName, const QString& text, const QString& name, const QString& keys) {
    auto* button = new RailButton;
    button->setObjectName(name);
    button->setText(text);
    button->setAccessibleName(text);
    button->setToolTip(QStringLiteral("%1 (%2)").arg(text, keys));
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setProperty(kRailProperty, true);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setFixedHeight(entryHeight);
    button->setFocusPolicy(Qt::TabFocus);
    m_group->addButton(button, static_cast<int>(m_entries.size()));
    m_column->insertWidget(static_cast<int>(m_entries.size()), button);
    // Made together with its page, but Tab goes through the rail before the notices and the pages. Qt knows an order of
    // widgets only that take the focus.
    setFocusPolicy(Qt::TabFocus);
    setTabOrder(m_entries.empty() ? static_cast<QWidget*>(this) : m_entries.back().button, button);
    setFocusPolicy(Qt::NoFocus);
    setFixedWidth(std::max(minimumWidth(), button->sizeHint().width() + 2 * space::s)); // in any language
    m_entries.push_back({button, iconName});
    recolor();
}

void NavigationRail::setCurrent(int entry) {
    for (QAbstractButton* button :
         m_group->buttons()) // Tab comes to the one of the page in front, arrows to the others
        button->setFocusPolicy(m_group->id(button) == entry ? Qt::TabFocus : Qt::NoFocus);
    if (QAbstractButton* button = m_group->button(entry))
        button->setChecked(true);
}

void NavigationRail::recolor() {
    for (const Entry& entry : m_entries)
        entry.button->setIcon(
            icon(entry.iconName, entry.button->isChecked() ? m_theme.colors().accent : m_theme.colors().secondary));
    update();
}

void NavigationRail::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.colors().card);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), m_theme.colors().border);
}

} // namespace accumulus::ui
