// SPDX-License-Identifier: GPL-3.0-or-later
// How the desktop wants programs to look: dark or light, and with more contrast or not. Asks xdg-desktop-portal
// (org.freedesktop.portal.Settings, https://flatpak.github.io/xdg-desktop-portal), which Qt 6.4 does not, and goes on
// listening to it. Without a portal nothing is known. GUI thread; never waits for an answer.
#pragma once

#include <QObject>

class QDBusVariant;

namespace accumulus::ui {

class DesktopSettings : public QObject {
    Q_OBJECT
public:
    enum class Scheme { Unknown, Dark, Light };

    explicit DesktopSettings(QObject* parent = nullptr);

    [[nodiscard]] Scheme scheme() const { return m_scheme; }
    [[nodiscard]] bool moreContrast() const { return m_moreContrast; }

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void takeSignal(const QString& name, const QString& key, const QDBusVariant& value);

private:
    void ask();
    bool take(const QString& key, const QVariant& value); ///< true: another one than before

    Scheme m_scheme = Scheme::Unknown;
    bool m_moreContrast = false;
};

} // namespace accumulus::ui
