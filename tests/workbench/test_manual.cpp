// SPDX-License-Identifier: GPL-3.0-or-later
// The manual says what is true: its names are those of the window, its commands those of the program, its links and
// pictures are there, in both languages; and F1 opens it where the person is.
#include "app/workbench/manual.h"
#include "app/workbench/page_table.h"
#include "tests/support/cli_program.h"
#include "tests/workbench/workbench_fixture.h"

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>
#include <QXmlStreamReader>

namespace test_manual {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

const QStringList languages{QStringLiteral("en"), QStringLiteral("zh_CN")};

QString textOf(const QString& language, const QString& page) {
    QFile file(manualFolder(language) + QLatin1Char('/') + page + QStringLiteral(".md"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList all(const QString& text, const char* pattern) {
    QStringList found;
    for (auto match = QRegularExpression(QString::fromUtf8(pattern)).globalMatch(text); match.hasNext();)
        found << match.next().captured(1);
    return found;
}

/// Without the mark of the key that chooses it.
QString plain(QString text) {
    text.remove(QRegularExpression(QStringLiteral("\\(&.\\)")));
    return text.remove(QLatin1Char('&'));
}

/// What the window says, in a language: every sentence that can be translated.
QStringList sentences(const QString& language) {
    QFile file(qEnvironmentVariable("ACCUMULUS_SOURCE") + QStringLiteral("/resources/translations/accumulus_zh_CN.ts"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QLatin1String wanted(language == QLatin1String("en") ? "source" : "translation");
    QStringList said;
    for (QXmlStreamReader xml(&file); !xml.atEnd();)
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == wanted)
            said << plain(xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed());
    return said;
}

} // namespace

class TestManual : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothLanguagesHaveEveryPage() {
        for (const QString& language : languages) {
            QVERIFY(manualFolder(language).endsWith(language));
            for (const QString& page : manualPages())
                QVERIFY2(textOf(language, page).startsWith(QLatin1String("# ")), qPrintable(language + page));
        }
        for (const PageEntry& page : pageTable())
            QVERIFY2(manualPages().contains(QLatin1String(page.id)), page.id);
        QVERIFY(manualFolder(QStringLiteral("fr")).endsWith(QLatin1String("/en")));
    }

    void linksAndPicturesAreThere() {
        for (const QString& language : languages) {
            for (const QString& page : manualPages()) {
                const QStringList links = all(textOf(language, page), "\\]\\(([^)]*)\\)");
                for (const QString& link : links) {
                    const QString id = link.startsWith(QLatin1String("page:")) ? link.mid(5) : QString();
                    const bool isThere = id.isEmpty()
                                             ? QFileInfo::exists(manualFolder(language) + QLatin1Char('/') + link)
                                             : std::ranges::any_of(pageTable(), [&](const PageEntry& entry) {
                                                   return id == QLatin1String(entry.id);
                                               });
                    QVERIFY2(isThere, qPrintable(language + page + QStringLiteral(": ") + link));
                }
                // The same ones in both languages.
                QCOMPARE(links, all(textOf(languages.front(), page), "\\]\\(([^)]*)\\)"));
            }
        }
    }

    /// What stands in bold is the name of something in the window.
    void namesAreThoseOfTheWindow() {
        for (const QString& language : languages) {
            const QStringList said = sentences(language);
            QVERIFY2(said.size() > 500, "run by ctest");
            for (const QString& page : manualPages()) {
                const QStringList names = all(textOf(language, page), "\\*\\*([^*\\n]+)\\*\\*");
                for (const QString& name : names)
                    QVERIFY2(said.contains(name), qPrintable(language + QLatin1Char('/') + page + ": " + name));
                QCOMPARE(names.size(), all(textOf(languages.front(), page), "\\*\\*([^*\\n]+)\\*\\*").size());
            }
        }
    }

    void commandsAreThoseOfTheProgram() {
        QVERIFY2(!programPath(QStringLiteral("accumulus-cli")).isEmpty(),
                 "accumulus-cli is not built, or ACCUMULUS_TEST_PROGRAMS is not set");
        const QTemporaryDir folder;
        int commands = 0;
        QHash<QString, QString> help;
        for (const QString& language : languages) {
            for (const QString& page : manualPages()) {
                for (const QString& line : all(textOf(language, page), "\n(?:mpirun -n 4 )?accumulus-cli ([^#\n]*)")) {
                    const QString verb = line.section(QLatin1Char(' '), 0, 0);
                    if (!help.contains(verb)) {
                        const CliResult result = runCli({verb, QStringLiteral("--help")}, folder.path());
                        QCOMPARE(result.exitCode, 0);
                        help[verb] = result.output;
                    }
                    for (const QString& option : all(line, "(--[a-z-]+)"))
                        QVERIFY2(help[verb].contains(option), qPrintable(line));
                    ++commands;
                }
            }
        }
        QVERIFY(commands > 20);
    }

    void f1OpensThePageAboutTheCurrentOne() {
        WorkbenchFixture fixture;
        fixture.window().showPage(QStringLiteral("compare"));
        QTest::keyClick(&fixture.window(), Qt::Key_F1);
        auto* manual = fixture.window().findChild<Manual*>();
        QVERIFY(manual && manual->isVisible());
        auto* shown = manual->findChild<QTextBrowser*>("manualPage");
        auto* contents = manual->findChild<QListWidget*>("manualContents");
        QVERIFY(shown->toPlainText().contains("TOST"));
        QCOMPARE(contents->currentItem()->data(Qt::UserRole).toString(), "compare");
        // Pictures are shown, no wider than the page.
        bool hasPicture = false;
        for (QTextBlock block = shown->document()->begin(); block.isValid(); block = block.next())
            for (auto piece = block.begin(); !piece.atEnd(); ++piece)
                if (const QTextCharFormat format = piece.fragment().charFormat(); format.isImageFormat()) {
                    const QUrl name(format.toImageFormat().name());
                    const auto image = shown->loadResource(QTextDocument::ImageResource, name).value<QImage>();
                    QVERIFY(!image.isNull() && image.deviceIndependentSize().width() < shown->viewport()->width());
                    hasPicture = true;
                }
        QVERIFY(hasPicture);
        // A second F1, elsewhere, turns the page of the same window.
        fixture.window().showPage(QStringLiteral("library"));
        QTest::keyClick(&fixture.window(), Qt::Key_F1);
        QCOMPARE(fixture.window().findChildren<Manual*>().size(), 1);
        QCOMPARE(contents->currentItem()->data(Qt::UserRole).toString(), "library");
        // Links: to a page of the manual, back, and to a page of the workbench.
        Q_EMIT shown->anchorClicked(shown->source().resolved(QUrl("audit.md")));
        QCOMPARE(contents->currentItem()->data(Qt::UserRole).toString(), "audit");
        QTest::mouseClick(manual->findChild<QWidget*>("manualBack"), Qt::LeftButton);
        QCOMPARE(contents->currentItem()->data(Qt::UserRole).toString(), "library");
        Q_EMIT shown->anchorClicked(QUrl("page:setup"));
        QCOMPARE(fixture.window().currentPage(), "setup");
    }

    void theSearchLeavesThePagesThatHaveTheWords() {
        WorkbenchFixture fixture;
        QTest::keyClick(&fixture.window(), Qt::Key_F1);
        auto* manual = fixture.window().findChild<Manual*>();
        auto* contents = manual->findChild<QListWidget*>("manualContents");
        auto* shown = manual->findChild<QTextBrowser*>("manualPage");
        QTest::keyClicks(manual->findChild<QLineEdit*>("manualSearch"), "safetensors");
        QStringList left;
        for (int row = 0; row < contents->count(); ++row)
            if (!contents->item(row)->isHidden())
                left << contents->item(row)->data(Qt::UserRole).toString();
        QStringList expected;
        for (const QString& page : manualPages())
            if (textOf("en", page).contains("safetensors"))
                expected << page;
        QVERIFY(expected.size() > 1 && expected.size() < manualPages().size());
        QCOMPARE(left, expected);
        QCOMPARE(contents->currentItem()->data(Qt::UserRole).toString(), expected.front());
        QVERIFY(!shown->extraSelections().isEmpty());
        QCOMPARE(shown->extraSelections().front().cursor.selectedText(), "safetensors");
        QTest::keyClick(manual->findChild<QLineEdit*>("manualSearch"), Qt::Key_Return);
        QVERIFY(manual->isVisible());
        // The colour of what was found is the theme's, also of one that comes later.
        for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
            fixture.workbench().theme().setMode(mode);
            const QColor selection = fixture.workbench().theme().colors().selection();
            QCOMPARE(shown->extraSelections().front().format.background().color(), selection);
        }
    }
};

QTEST_MAIN(TestManual)
} // namespace test_manual
#include "test_manual.moc"
