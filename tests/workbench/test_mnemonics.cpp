// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/page_table.h"
#include "tests/workbench/workbench_fixture.h"

#include <QAbstractButton>
#include <QLabel>
#include <QMap>
#include <QMenuBar>
#include <algorithm>

namespace test_mnemonics {
using namespace accumulus;
using namespace accumulus::ui;

class TestMnemonics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lettersBehindAltAreUniqueOnEachPage_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << "en";
        QTest::newRow("Chinese") << "zh_CN";
    }
    void lettersBehindAltAreUniqueOnEachPage() {
        QFETCH(QString, language);
        WorkbenchFixture fixture;
        fixture.setLanguage(language);
        QStringList problems;
        for (const PageEntry& entry : pageTable()) {
            const QString id = QString::fromLatin1(entry.id);
            fixture.window().showPage(id);
            QMap<QString, QStringList> letters;
            const auto note = [&letters](const QString& text) {
                if (const QKeySequence keys = QKeySequence::mnemonic(text); !keys.isEmpty())
                    letters[keys.toString()] << text;
            };
            for (const QAction* menu : fixture.window().menuBar()->actions())
                note(menu->text());
            const QList<Page*> pages = fixture.window().findChildren<Page*>();
            const auto page = std::ranges::find_if(pages, [](const Page* one) { return one->isVisible(); });
            QVERIFY(page != pages.end());
            for (const QWidget* widget : (*page)->findChildren<QWidget*>()) {
                if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
                    note(button->text());
                else if (const auto* label = qobject_cast<const QLabel*>(widget); label && label->buddy())
                    note(label->text());
            }
            for (auto letter = letters.begin(); letter != letters.end(); ++letter)
                if (letter->size() > 1)
                    problems << QStringLiteral("%1, %2: %3").arg(id, letter.key(), letter->join(QStringLiteral(" | ")));
        }
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
    }
};

QTEST_MAIN(TestMnemonics)
} // namespace test_mnemonics
#include "test_mnemonics.moc"
