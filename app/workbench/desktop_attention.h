// SPDX-License-Identifier: GPL-3.0-or-later
// How the desktop gets a person's attention: a window that asks for it, and a message of the system where there is a
// tray that can show one. Tests put another one in its place. GUI thread.
#pragma once

#include <QObject>
#include <memory>

class QSystemTrayIcon;
class QWidget;

namespace accumulus::ui {

class DesktopAttention : public QObject {
    Q_OBJECT
public:
    DesktopAttention();
    ~DesktopAttention() override;

    virtual void alert(QWidget& window);
    virtual void showMessage(const QString& title, const QString& text, bool failure);

Q_SIGNALS:
    void messageClicked();

private:
    std::unique_ptr<QSystemTrayIcon> m_tray; ///< shown while there is something to say
};

} // namespace accumulus::ui
