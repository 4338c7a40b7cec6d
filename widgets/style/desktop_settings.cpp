// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/desktop_settings.h"

#include <QDBusConnection>
#include <QDBusMetaType>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFileInfo>
#include <QMap>
#include <QVariantMap>
#include <utility>

namespace accumulus::ui {

namespace {

const QString service = QStringLiteral("org.freedesktop.portal.Desktop");
const QString place = QStringLiteral("/org/freedesktop/portal/desktop");
const QString settings = QStringLiteral("org.freedesktop.portal.Settings");
const QString appearance = QStringLiteral("org.freedesktop.appearance");

/// Looking for a bus must not start one.
bool hasBus() {
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") ||
           QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
}

} // namespace

DesktopSettings::DesktopSettings(QObject* parent) : QObject(parent) {
    if (hasBus())
        ask();
}

void DesktopSettings::ask() {
    using Settings = QMap<QString, QVariantMap>; // by namespace
    qDBusRegisterMetaType<Settings>();
    qRegisterMetaType<QDBusVariant>(); // the header only names it: else the first connection does not find the slot
    QDBusConnection bus = QDBusConnection::sessionBus();
    bus.connect(service, place, settings, QStringLiteral("SettingChanged"), this,
                SLOT(takeSignal(QString, QString, QDBusVariant)));
    QDBusMessage call = QDBusMessage::createMethodCall(service, place, settings, QStringLiteral("ReadAll"));
    call << QStringList{appearance};
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<Settings> reply = *watcher;
        if (reply.isError())
            return;
        const QVariantMap values = reply.value().value(appearance);
        bool others = false;
        for (auto value = values.begin(); value != values.end(); ++value)
            others = take(value.key(), value.value()) || others;
        if (others)
            Q_EMIT changed();
    });
}

void DesktopSettings::takeSignal(const QString& name, const QString& key, const QDBusVariant& value) {
    if (name == appearance && take(key, value.variant()))
        Q_EMIT changed();
}

bool DesktopSettings::take(const QString& key, const QVariant& value) {
    if (key == QStringLiteral("contrast")) {
        const bool more = value.toUInt() == 1;
        return std::exchange(m_moreContrast, more) != more;
    }
    if (key == QStringLiteral("color-scheme")) {
        const uint wanted = value.toUInt();
        const Scheme scheme = wanted == 1 ? Scheme::Dark : wanted == 2 ? Scheme::Light : Scheme::Unknown;
        return std::exchange(m_scheme, scheme) != scheme;
    }
    return false;
}

} // namespace accumulus::ui
