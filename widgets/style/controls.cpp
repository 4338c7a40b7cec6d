// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/controls.h"

#include "widgets/style/icons.h"
#include "widgets/style/workbench_style.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace accumulus::ui {

namespace {

constexpr qreal kCardRadius = 8.0;
constexpr int kNoticeIcon = 20;

void paintSurface(QPainter& painter, const QRect& rect, const QColor& fill, const QColor& border) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(border, 1.0));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), kCardRadius, kCardRadius);
}

QColor mixed(const QColor& a, const QColor& b, qreal share) {
    return QColor::fromRgbF(static_cast<float>(a.redF() * (1 - share) + b.redF() * share),
                            static_cast<float>(a.greenF() * (1 - share) + b.greenF() * share),
                            static_cast<float>(a.blueF() * (1 - share) + b.blueF() * share));
}

QColor levelColor(const ThemeColors& colors, NoticeLevel level) {
    switch (level) {
    case NoticeLevel::Info:
        return colors.accent;
    case NoticeLevel::Success:
        return colors.good;
    case NoticeLevel::Warning:
        return colors.warning;
    case NoticeLevel::Error:
        break;
    }
    return colors.bad;
}

bool wraps(TextRole role) { return role == TextRole::Body || role == TextRole::Caption; }

QString levelIcon(NoticeLevel level) {
    switch (level) {
    case NoticeLevel::Info:
        return QStringLiteral("info");
    case NoticeLevel::Success:
        return QStringLiteral("success");
    case NoticeLevel::Warning:
        return QStringLiteral("warning");
    case NoticeLevel::Error:
        break;
    }
    return QStringLiteral("error");
}

} // namespace

Card::Card(const Theme& theme, const QString& title, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_title(new RoleLabel(theme, TextRole::CardTitle, title, this)),
      m_content(new QVBoxLayout) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(space::cardPadding, space::cardPadding, space::cardPadding, space::cardPadding);
    outer->setSpacing(space::m);
    outer->addWidget(m_title);
    outer->addLayout(m_content);
    m_content->setSpacing(space::fieldGap);
    setTitle(title);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QVBoxLayout* Card::content() const { return m_content; }

void Card::setTitle(const QString& title) {
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
    setAccessibleName(title);
}

void Card::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintSurface(painter, rect(), m_theme.colors().card, m_theme.colors().border);
}

RoleLabel::RoleLabel(const Theme& theme, TextRole role, const QString& text, QWidget* parent)
    : QLabel(text, parent), m_theme(theme), m_role(role) {
    setTextFormat(Qt::PlainText);
    setWordWrap(wraps(role));
    connect(&theme, &Theme::changed, this, &RoleLabel::refresh);
    refresh();
}

void RoleLabel::setRole(TextRole role) {
    if (m_role == role)
        return;
    m_role = role;
    setWordWrap(wraps(role));
    refresh();
}

// The wrap of a label is its owner's: a change of theme leaves it as it is.
void RoleLabel::refresh() {
    const ThemeColors& colors = m_theme.colors();
    QColor color = colors.text;
    QFont font = m_theme.numberFont();
    switch (m_role) {
    case TextRole::PageTitle:
        font = m_theme.pageTitleFont();
        break;
    case TextRole::CardTitle:
        font = m_theme.cardTitleFont();
        break;
    case TextRole::Body:
        break;
    case TextRole::Caption:
        font = m_theme.captionFont();
        color = colors.secondary;
        break;
    case TextRole::Good:
        color = colors.good;
        break;
    case TextRole::Warning:
        color = colors.warning;
        break;
    case TextRole::Bad:
        color = colors.bad;
        break;
    }
    setFont(font);
    QPalette own;
    own.setColor(QPalette::WindowText, color);
    own.setColor(QPalette::Text, color);
    setPalette(own);
}

QPushButton* primaryButton(const Theme& theme, const QString& text, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setProperty(kPrimaryProperty, true);
    const auto recolor = [button, &theme] {
        QPalette own = button->palette();
        own.setColor(QPalette::Active, QPalette::ButtonText, theme.colors().onAccent);
        own.setColor(QPalette::Inactive, QPalette::ButtonText, theme.colors().onAccent);
        own.setColor(QPalette::Disabled, QPalette::ButtonText, theme.colors().secondary);
        button->setPalette(own);
    };
    QObject::connect(&theme, &Theme::changed, button, recolor);
    recolor();
    return button;
}

NoticeBar::NoticeBar(const Theme& theme, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_icon(new QLabel(this)), m_text(new RoleLabel(theme, TextRole::Body, {}, this)),
      m_action(new QPushButton(this)), m_close(new QToolButton(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space::l, space::s, space::s, space::s);
    row->setSpacing(space::m);
    row->addWidget(m_icon, 0, Qt::AlignVCenter);
    row->addWidget(m_text, 1);
    row->addWidget(m_action, 0, Qt::AlignVCenter);
    row->addWidget(m_close, 0, Qt::AlignVCenter);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setObjectName(QStringLiteral("noticeText"));
    m_action->setObjectName(QStringLiteral("noticeAction"));
    m_close->setObjectName(QStringLiteral("noticeClose"));
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Close this message"));
    m_close->setToolTip(tr("Close this message"));
    connect(m_action, &QPushButton::clicked, this, &NoticeBar::actionTriggered);
    connect(m_close, &QToolButton::clicked, this, [this] {
        clear();
        Q_EMIT closed();
    });
    connect(&theme, &Theme::changed, this, &NoticeBar::refresh);
    refresh();
    hide();
}

void NoticeBar::showNotice(NoticeLevel level, const QString& text, const QString& action) {
    m_level = level;
    m_text->setText(text);
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    setAccessibleName(text);
    refresh();
    show();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void NoticeBar::clear() {
    m_text->clear();
    hide();
}

void NoticeBar::refresh() {
    const QColor color = levelColor(m_theme.colors(), m_level);
    m_icon->setPixmap(icon(levelIcon(m_level), color).pixmap(QSize(kNoticeIcon, kNoticeIcon), devicePixelRatioF()));
    m_close->setIcon(icon(QStringLiteral("close"), m_theme.colors().secondary));
    update();
}

void NoticeBar::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = m_theme.colors();
    const QColor color = levelColor(colors, m_level);
    QPainter painter(this);
    paintSurface(painter, rect(), mixed(colors.card, color, 0.07), mixed(colors.card, color, 0.45));
}

EmptyState::EmptyState(const Theme& theme, const QString& title, const QString& reason, const QString& action,
                       QWidget* parent)
    : QWidget(parent), m_title(new RoleLabel(theme, TextRole::PageTitle, {}, this)),
      m_reason(new RoleLabel(theme, TextRole::Body, {}, this)), m_button(primaryButton(theme, {}, this)) {
    constexpr int kReasonWidth = 480;
    auto* column = new QVBoxLayout(this);
    column->setSpacing(space::l);
    column->addStretch(2);
    for (QLabel* label : {static_cast<QLabel*>(m_title), static_cast<QLabel*>(m_reason)})
        label->setAlignment(Qt::AlignCenter);
    m_title->setWordWrap(true);
    m_reason->setFixedWidth(kReasonWidth);
    m_button->setObjectName(QStringLiteral("emptyStateAction"));
    column->addWidget(m_title);
    auto* middle = new QHBoxLayout; // an alignment would ignore the height that the wrapped text needs
    middle->addStretch(1);
    middle->addWidget(m_reason);
    middle->addStretch(1);
    column->addLayout(middle);
    column->addWidget(m_button, 0, Qt::AlignHCenter);
    column->addStretch(3);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::actionTriggered);
    setTexts(title, reason, action);
}

void EmptyState::setTexts(const QString& title, const QString& reason, const QString& action) {
    m_title->setText(title);
    m_reason->setText(reason);
    m_reason->setVisible(!reason.isEmpty());
    m_button->setText(action);
    m_button->setVisible(!action.isEmpty());
}

} // namespace accumulus::ui
