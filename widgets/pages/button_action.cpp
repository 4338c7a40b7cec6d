// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/button_action.h"

#include <QEvent>
#include <QPushButton>

namespace accumulus::ui {

ButtonAction::ButtonAction(Page& page, QPushButton& button, const QString& text)
    : QAction(text, &page), m_page(page), m_button(&button) {
    setObjectName(button.objectName() + QStringLiteral(".action"));
    setToolTip(button.toolTip());
    setCheckable(button.isCheckable());
    setChecked(button.isChecked());
    setEnabled(button.isEnabled() && isShown());
    button.addAction(this); // the search lists one of the two
    for (QWidget* widget = &button; widget != &page; widget = widget->parentWidget())
        widget->installEventFilter(this); // a card or a page of a stack that goes takes its buttons along
    connect(&button, &QPushButton::toggled, this, &QAction::setChecked);
    connect(this, &QAction::triggered, this, &ButtonAction::press);
}

bool ButtonAction::isShown() const { return m_button && m_button->isVisibleTo(&m_page); }

void ButtonAction::press() {
    Q_EMIT m_page.frontRequested();
    if (m_button && isShown())
        m_button->click();
    if (m_button)
        setChecked(m_button->isChecked());
}

QString ButtonAction::whyNot() const {
    if (isEnabled())
        return {};
    const QString why = m_button ? m_button->accessibleDescription() : QString();
    return why.isEmpty() ? tr("Its page has nothing yet that this works with.") : why;
}

bool ButtonAction::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::EnabledChange:
    case QEvent::ShowToParent:
    case QEvent::HideToParent:
        setEnabled(m_button && m_button->isEnabled() && isShown());
        break;
    default:
        break;
    }
    return QAction::eventFilter(watched, event);
}

QAction* pressing(Page& page, const char* button, const QString& text) {
    auto* found = page.findChild<QPushButton*>(QLatin1String(button));
    Q_ASSERT_X(found, "pressing", button);
    return new ButtonAction(page, *found, text);
}

} // namespace accumulus::ui
