// SPDX-License-Identifier: GPL-3.0-or-later
// Where no font has Chinese letters, the window stays in English and says how to get them, instead of showing boxes.
#include "tests/workbench/remote_workbench.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/style/chinese_letters.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QDir>
#include <QFontDatabase>
#include <QLabel>
#include <QTemporaryDir>

namespace test_chinese_letters {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

const QString languageKey = QStringLiteral("view/language"), chinese = QStringLiteral("zh_CN");
const QString cure = QStringLiteral("sudo apt install fonts-noto-cjk");

/// On the fixture's library, with or without such letters.
std::unique_ptr<Application> workbenchOf(const WorkbenchFixture& fixture, bool letters) {
    auto workbench = std::make_unique<Application>(
        *qApp, ApplicationOptions{fixture.library(), false, {}, [letters] { return letters; }});
    workbench->start();
    if (!QTest::qWaitFor([&] { return workbench->library().isOpen(); }, patience))
        qWarning("the library is not open");
    return workbench;
}

QString noticeOf(Application& workbench) {
    const auto* notice = workbench.window().findChild<NoticeBar*>(QStringLiteral("windowNotice"));
    QString text;
    for (const QLabel* label : notice->findChildren<QLabel*>())
        if (label->isVisible())
            text += label->text();
    return text;
}

QAction* actionOf(Application& workbench, const char* name) {
    return workbench.window().findChild<QAction*>(QString::fromLatin1(name));
}

} // namespace

class TestChineseLetters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void choosingChineseWithoutThemStaysInEnglish() {
        WorkbenchFixture fixture;
        fixture.quit();
        const auto workbench = workbenchOf(fixture, false);
        const MainWindow* before = &workbench->window();
        QCOMPARE(noticeOf(*workbench), QString());
        actionOf(*workbench, "actionLanguageChinese")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(noticeOf(*workbench).contains(cure), patience);
        QCOMPARE(workbench->language(), QStringLiteral("en"));
        QCOMPARE(&workbench->window(), before);
        QVERIFY(actionOf(*workbench, "actionLanguageEnglish")->isChecked());
        QVERIFY(!actionOf(*workbench, "actionLanguageChinese")->isChecked());
        QCOMPARE(QSettings().value(languageKey).toString(), QStringLiteral("en"));
    }

    /// Chosen before, on another machine perhaps: English for now, and Chinese again once its letters are there.
    void aChineseWindowStartsInEnglishWithoutThem() {
        WorkbenchFixture fixture;
        fixture.quit();
        QSettings().setValue(languageKey, chinese);
        {
            const auto workbench = workbenchOf(fixture, false);
            QCOMPARE(workbench->language(), QStringLiteral("en"));
            QTRY_VERIFY_WITH_TIMEOUT(noticeOf(*workbench).contains(cure), patience);
            QVERIFY(actionOf(*workbench, "actionLanguageEnglish")->isChecked());
        }
        QCOMPARE(QSettings().value(languageKey).toString(), chinese);
        {
            const auto workbench = workbenchOf(fixture, true);
            QCOMPARE(workbench->language(), chinese);
            QVERIFY(!noticeOf(*workbench).contains(cure));
        }
        // Who is content with English says so once.
        const auto workbench = workbenchOf(fixture, false);
        actionOf(*workbench, "actionLanguageEnglish")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(QSettings().value(languageKey).toString(), QStringLiteral("en"), patience);
    }

    void choosingChineseWithThemSaysNothing() {
        WorkbenchFixture fixture;
        fixture.quit();
        const auto workbench = workbenchOf(fixture, true);
        const MainWindow* before = &workbench->window();
        actionOf(*workbench, "actionLanguageChinese")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(&workbench->window() != before, patience);
        QCOMPARE(workbench->language(), chinese);
        QCOMPARE(noticeOf(*workbench), QString());
    }

    void theFontsOfTheSystemDecide() {
        if (!QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty())
            QVERIFY(drawsChinese());
    }

    /// The real program in a Chinese locale, where DejaVu is all that is installed.
    void aSystemWithoutThemSaysSo() {
        const QString latin = QStringLiteral("/usr/share/fonts/truetype/dejavu");
        if (!QDir(latin).exists())
            QSKIP("DejaVu is not installed in its usual folder");
        QVERIFY2(!test::programPath("accumulus").isEmpty(), "accumulus is not built");
        const QTemporaryDir home;
        QFile fonts(home.filePath("fonts.conf"));
        QVERIFY(fonts.open(QIODevice::WriteOnly));
        fonts.write(QStringLiteral("<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">"
                                   "<fontconfig><dir>%1</dir><cachedir>%2</cachedir></fontconfig>")
                        .arg(latin, home.filePath("cache"))
                        .toUtf8());
        fonts.close();
        test::RemoteWorkbench window(home.path());
        QVERIFY(window.start({}, {"env", "LC_ALL=zh_CN.UTF-8", "FONTCONFIG_FILE=" + fonts.fileName()}));
        QTRY_VERIFY_WITH_TIMEOUT(window.isVisible("windowNotice"), patience);
        QVERIFY2(window.text("windowNotice").contains(cure), qPrintable(window.text("windowNotice")));
        QCOMPARE(window.text("homeOpenLibraryButton").remove('&').left(4), QString("Open"));
        QCOMPARE(window.quit(), 0);
    }
};

QTEST_MAIN(TestChineseLetters)
} // namespace test_chinese_letters
#include "test_chinese_letters.moc"
