// SPDX-License-Identifier: GPL-3.0-or-later
// The window follows the desktop: dark or light, more contrast, another font. Over a message bus of this test's own,
// with a portal that the test plays.
#include "tests/support/numeric.h"
#include "widgets/style/desktop_settings.h"
#include "widgets/style/theme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMetaType>
#include <QDBusVariant>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace test_desktop_settings {
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

using PortalSettings = QMap<QString, QVariantMap>;

/// As long as it lives, programs that look for the session's bus find this one.
class Bus {
public:
    Bus() {
        FILE* daemon = popen("dbus-daemon --session --fork --nopidfile --print-address=1 --print-pid=1", "r");
        char address[1024] = {};
        if (daemon && std::fgets(address, sizeof address, daemon) && std::fscanf(daemon, "%d", &m_pid) == 1)
            qputenv("DBUS_SESSION_BUS_ADDRESS", QByteArray(address).trimmed());
        if (daemon)
            pclose(daemon);
    }
    ~Bus() {
        if (m_pid > 0)
            kill(m_pid, SIGTERM);
        qunsetenv("DBUS_SESSION_BUS_ADDRESS");
    }

private:
    int m_pid = 0;
};

class Portal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

public:
    Portal() : m_bus(QDBusConnection::connectToBus(qEnvironmentVariable("DBUS_SESSION_BUS_ADDRESS"), name())) {
        qDBusRegisterMetaType<PortalSettings>();
    }
    ~Portal() override { QDBusConnection::disconnectFromBus(name()); }

    [[nodiscard]] bool open(uint scheme, uint contrast) {
        m_values = {{QStringLiteral("color-scheme"), scheme}, {QStringLiteral("contrast"), contrast}};
        return m_bus.registerObject(QStringLiteral("/org/freedesktop/portal/desktop"), this,
                                    QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals) &&
               m_bus.registerService(QStringLiteral("org.freedesktop.portal.Desktop"));
    }
    void tell(const char* key, uint value, const char* space = "org.freedesktop.appearance") {
        Q_EMIT SettingChanged(QString::fromLatin1(space), QString::fromLatin1(key), QDBusVariant(value));
    }
    [[nodiscard]] int asked() const { return m_asked; }

public Q_SLOTS:
    PortalSettings ReadAll(const QStringList& spaces) {
        ++m_asked;
        return {{spaces.value(0), m_values}};
    }

Q_SIGNALS:
    void SettingChanged(const QString& space, const QString& key, const QDBusVariant& value);

private:
    static QString name() { return QStringLiteral("portal"); }
    QDBusConnection m_bus;
    QVariantMap m_values;
    int m_asked = 0;
};

} // namespace

class TestDesktopSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS"), "dbus-daemon could not be started");
    }

    void theWindowFollows() {
        Portal portal;
        QVERIFY(portal.open(1, 1));
        Theme theme(*qApp);
        QTRY_COMPARE(theme.colors().card, QColor(Qt::black));
        QVERIFY(theme.colors().dark);
        portal.tell("contrast", 0);
        QTRY_COMPARE(theme.colors().card, darkColors().card);
        portal.tell("color-scheme", 2);
        QTRY_COMPARE(theme.colors().card, lightColors().card);
        QCOMPARE(qApp->palette().color(QPalette::Base), lightColors().card);
        portal.tell("contrast", 1);
        QTRY_COMPARE(theme.colors().text, QColor(Qt::black));
    }

    /// What a person has chosen counts, but for the contrast.
    void aChosenThemeStays() {
        Portal portal;
        QVERIFY(portal.open(1, 0));
        Theme theme(*qApp);
        theme.setMode(ThemeMode::Light);
        QTRY_COMPARE(portal.asked(), 1);
        portal.tell("contrast", 1);
        QTRY_COMPARE(theme.colors().text, QColor(Qt::black));
        QVERIFY(!theme.colors().dark);
        theme.setMode(ThemeMode::System);
        QVERIFY(theme.colors().dark);
    }

    void otherSettingsAreNotOurs() {
        Portal portal;
        QVERIFY(portal.open(2, 0));
        DesktopSettings desktop;
        QTRY_VERIFY(desktop.scheme() == DesktopSettings::Scheme::Light);
        const QSignalSpy changed(&desktop, &DesktopSettings::changed);
        portal.tell("contrast", 1, "org.gnome.desktop.interface");
        portal.tell("accent-color", 1);
        portal.tell("color-scheme", 2); // as before
        portal.tell("color-scheme", 0);
        QTRY_VERIFY(desktop.scheme() == DesktopSettings::Scheme::Unknown);
        QCOMPARE(changed.count(), 1);
        QVERIFY(!desktop.moreContrast());
    }

    void withoutAPortalNothingIsKnown() {
        const DesktopSettings desktop;
        QTest::qWait(100); // for an answer that is an error
        QVERIFY(desktop.scheme() == DesktopSettings::Scheme::Unknown);
        QVERIFY(!desktop.moreContrast());
    }

    void anotherFontOfTheDesktop() {
        Theme theme(*qApp);
        theme.setTextSize(150);
        const QSignalSpy grown(&theme, &Theme::textSizeChanged);
        QFont larger = qApp->font();
        larger.setPointSizeF(20.0);
        theme.setSystemFont(larger);
        QVERIFY(compareAbs(qApp->font().pointSizeF(), 30.0, 0.01)); // fonts keep hundredths of a point
        QCOMPARE(grown.count(), 1);
        theme.setTextSize(100);
        QVERIFY(compareAbs(qApp->font().pointSizeF(), 20.0, 0.01));
    }
};

ACCUMULUS_TEST(TestDesktopSettings, Bus bus; QApplication application(argc, argv);)
} // namespace test_desktop_settings
#include "test_desktop_settings.moc"
