// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/desktop_attention.h"

#include <QApplication>
#include <QSystemTrayIcon>
#include <QTimer>

namespace accumulus::ui {
namespace {

constexpr int shownFor = 15'000; ///< ms

} // namespace

DesktopAttention::DesktopAttention() = default;
DesktopAttention::~DesktopAttention() = default;

void DesktopAttention::alert(QWidget& window) { QApplication::alert(&window); }

void DesktopAttention::showMessage(const QString& title, const QString& text, bool failure) {
    if (!QSystemTrayIcon::isSystemTrayAvailable() || !QSystemTrayIcon::supportsMessages())
        return;
    if (!m_tray) {
        m_tray = std::make_unique<QSystemTrayIcon>(QApplication::windowIcon());
        connect(m_tray.get(), &QSystemTrayIcon::messageClicked, this, &DesktopAttention::messageClicked);
    }
    m_tray->show();
    m_tray->showMessage(title, text, failure ? QSystemTrayIcon::Warning : QSystemTrayIcon::Information, shownFor);
    QTimer::singleShot(shownFor, m_tray.get(), &QSystemTrayIcon::hide);
}

} // namespace accumulus::ui
