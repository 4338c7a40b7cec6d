// SPDX-License-Identifier: GPL-3.0-or-later
// The few own controls every page is built from. They follow the theme by themselves.
#pragma once

#include "widgets/style/theme.h"

#include <QFrame>
#include <QLabel>
#include <QVBoxLayout>

class QPushButton;
class QToolButton;

namespace accumulus::ui {

/// Rounded surface with border and padding; add content to layout().
class Card : public QFrame {
    Q_OBJECT
public:
    explicit Card(const Theme& theme, const QString& title = {}, QWidget* parent = nullptr);
    [[nodiscard]] QVBoxLayout* content() const; ///< below the title
    void setTitle(const QString& title);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QLabel* m_title;
    QVBoxLayout* m_content;
};

enum class TextRole { PageTitle, CardTitle, Body, Caption, Good, Warning, Bad };
/// Label in one of the type roles, recoloured with the theme. Word wrap is on for Body and Caption unless switched off.
class RoleLabel : public QLabel {
    Q_OBJECT
public:
    RoleLabel(const Theme& theme, TextRole role, const QString& text = {}, QWidget* parent = nullptr);
    void setRole(TextRole role);

private:
    void refresh();
    const Theme& m_theme;
    TextRole m_role;
};

/// Accent-filled button for the one main action of a page.
[[nodiscard]] QPushButton* primaryButton(const Theme& theme, const QString& text, QWidget* parent = nullptr);

enum class NoticeLevel { Info, Success, Warning, Error };
/// In-page bar with icon, sentence, optional action button and close button; hidden until show…() is called. Never a
/// modal box.
class NoticeBar : public QFrame {
    Q_OBJECT
public:
    explicit NoticeBar(const Theme& theme, QWidget* parent = nullptr);
    void showNotice(NoticeLevel level, const QString& text, const QString& action = {});
    void clear();

Q_SIGNALS:
    void actionTriggered();
    void closed(); ///< by the person

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    const Theme& m_theme;
    NoticeLevel m_level = NoticeLevel::Info;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    QToolButton* m_close;
};

/// Centred text for an empty page: what will appear, why it is empty, one button.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(const Theme& theme, const QString& title, const QString& reason, const QString& action,
               QWidget* parent = nullptr);
    void setTexts(const QString& title, const QString& reason, const QString& action);

Q_SIGNALS:
    void actionTriggered();

private:
    RoleLabel* m_title;
    RoleLabel* m_reason;
    QPushButton* m_button;
};

} // namespace accumulus::ui
