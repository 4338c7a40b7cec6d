// SPDX-License-Identifier: GPL-3.0-or-later
// A language that does not exist: every text of the program, 40 % longer and between « and ». At 1280 x 720 and 100 %
// no label, button or title of a column is cut, nothing covers its neighbour or lies outside of the window, and what
// stands outside of the brackets is a name, a number or a person's own.
#include "app/workbench/page_table.h"
#include "tests/support/synthetic_library.h"
#include "tests/widgets/screenshot.h"
#include "tests/workbench/library_in_window.h"
#include "tests/workbench/visible_texts.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/library/run_table.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTableWidget>
#include <QTranslator>
#include <QTreeWidget>
#include <algorithm>
#include <cstring>

namespace test_pseudo_language {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr QChar opening(0xAB), closing(0xBB); // in every font, and nowhere in the program's own texts

/// The text, 40 % longer; one of a few letters gets its brackets alone. Words stay words, so that what wraps can wrap.
QString lengthened(const QString& text) {
    const QString letters = text.contains(QLatin1Char(' ')) ? QStringLiteral(" more room for other words")
                                                            : QStringLiteral("erationstempo");
    const qsizetype wanted = std::max(text.size() + 2, (14 * text.size() + 9) / 10);
    QString filling;
    while (filling.size() < wanted - text.size() - 2)
        filling += letters[filling.size() % letters.size()];
    if (filling.endsWith(QLatin1Char(' ')))
        filling.back() = QLatin1Char('e');
    return opening + text + filling + closing;
}

class PseudoLanguage : public QTranslator {
public:
    /// The program's own texts, not those of Qt. A text without letters, such as a comma between two facts, stays.
    QString translate(const char* context, const char* source, const char*, int) const override {
        static constexpr const char* own[] = {"messages",     "choices",     "fields",      "examples",
                                              "reports",      "units",       "FieldEditor", "FormStart",
                                              "SetupSection", "TrainPlaces", "Words"};
        const bool isOwn =
            std::strncmp(context, "accumulus::", 11) == 0 ||
            std::ranges::any_of(own, [context](const char* one) { return std::strcmp(context, one) == 0; });
        if (!isOwn)
            return {};
        static const QRegularExpression letter(QStringLiteral("\\p{L}"));
        static const QRegularExpression values(QStringLiteral("%(n|L?\\d)|\\{[@#~]?\\w+\\}"));
        const QString text = QString::fromUtf8(source);
        return QString(text).remove(values).contains(letter) ? lengthened(text) : text;
    }
    [[nodiscard]] bool isEmpty() const override { return false; }
};

/// What of a text no translator has said. Either end of it may be cut off.
QString untranslatedPart(const QString& text) {
    QString rest;
    int depth = 0;
    for (const QChar letter : text) {
        if (letter == opening)
            ++depth;
        else if (letter == closing && depth == 0)
            rest.clear();
        else if (letter == closing)
            --depth;
        else if (depth == 0)
            rest += letter;
    }
    return rest;
}

/// Words that a translator should have said: neither names nor paths nor what belongs to the study of that name.
QStringList untranslatedWords(const QString& text, const QString& study) {
    static const QRegularExpression path(QStringLiteral("~?/[\\w./-]+")), tag(QStringLiteral("<[^<>]*>"));
    QString rest = untranslatedPart(text).remove(path).remove(tag);
    if (!study.isEmpty())
        rest.remove(QRegularExpression(QRegularExpression::escape(study) + QStringLiteral("(, seed \\d+)?")));
    return foreignWords(rest);
}

} // namespace

class TestPseudoLanguage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTextIsLongerAndKeepsWhatItHolds() {
        const PseudoLanguage language;
        const auto said = [&](const char* source) {
            return language.translate("accumulus::ui::Menu", source, nullptr, -1);
        };
        for (const char* source : {"&Open library…", "Log y", "%n run(s)", "Updates %1 · Samples %2", "s",
                                   "A network of <b>your own</b>, from a file", "{#count} tensors of {file}"}) {
            const QString text = QString::fromUtf8(source);
            QVERIFY2(said(source).contains(text), source);
            QVERIFY2(10 * said(source).size() >= 14 * text.size(), source);
            QVERIFY2(untranslatedPart(said(source)).isEmpty(), source);
        }
        QCOMPARE(said(", "), QStringLiteral(", "));
        QCOMPARE(said("%1 × %2"), QStringLiteral("%1 × %2"));
        QVERIFY(language.translate("QPlatformTheme", "Cancel", nullptr, -1).isNull());
        // Placeholders hold translated texts in turn.
        QCOMPARE(untranslatedPart(said("%1 of 5").arg(said("samples"))), QString());
        QCOMPARE(untranslatedPart(QStringLiteral("MNIST: ") + said("10 classes")), QStringLiteral("MNIST: "));
        QCOMPARE(untranslatedPart(said("Best result").left(6)), QString());
        QCOMPARE(untranslatedPart(said("Best result").right(6)), QString());
    }

    /// Each kind of problem in a window that has one of them.
    void faultsAreFound() {
        QCOMPARE(untranslatedWords("Show curves", "equal"), (QStringList{"Show", "curves"}));
        QCOMPARE(untranslatedWords("equal, seed 3 · MNIST · /tmp/a.sqlite · 12 MB", "equal"), QStringList());

        QMainWindow window;
        auto* inside = new QWidget;
        auto* row = new QHBoxLayout(inside);
        auto* narrow = new QLabel("A text that does not fit");
        auto* button = new QPushButton("Another one");
        auto* table = new QTableWidget(1, 2);
        table->setHorizontalHeaderLabels({"A title that is longer than its column", "b"});
        row->addWidget(narrow);
        row->addWidget(button);
        row->addWidget(table);
        window.setCentralWidget(inside);
        window.resize(800, 300);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(cutOf(*narrow), QString());
        QCOMPARE(overlapsIn(window), QStringList());
        QCOMPARE(cutTitlesOf(*table->horizontalHeader()).size(), 1);
        table->horizontalHeaderItem(0)->setToolTip("A title that is longer than its column");
        QVERIFY(cutTitlesOf(*table->horizontalHeader()).isEmpty());
        button->setGeometry(narrow->geometry());
        QCOMPARE(overlapsIn(window).size(), 1);
        button->move(790, 10);
        QVERIFY(isClipped(*button));
        narrow->setFixedWidth(20);
        QTRY_VERIFY(!cutOf(*narrow).isEmpty());
        const QList<VisibleText> texts = VisibleTexts(window).all();
        QVERIFY(std::ranges::any_of(texts, [](const VisibleText& shown) { return shown.text == "Another one"; }));
    }

    void everyPageHoldsLongerTexts_data() {
        QTest::addColumn<bool>("filled");
        QTest::newRow("nothing yet") << false;
        QTest::newRow("a study") << true;
    }
    void everyPageHoldsLongerTexts() {
        QFETCH(const bool, filled);
        WorkbenchFixture fixture;
        const test::SyntheticStudy study = studyWithEvents();
        if (filled) {
            QVERIFY(test::addSyntheticStudy(fixture.library(), study));
            fixture.reopen();
        }
        PseudoLanguage language;
        QVERIFY(QCoreApplication::installTranslator(&language));
        speakAnew(fixture);

        QStringList problems;
        int translated = 0;
        for (const PageEntry& entry : pageTable()) {
            const QString page = QLatin1String(entry.id);
            fixture.window().showPage(page);
            if (filled && page == QStringLiteral("library"))
                openEvents(fixture);
            if (page == QStringLiteral("library")) // widths are a person's, whatever the language
                fixture.window().findChild<RunTable*>()->resetColumns();
            fixture.settle();
            test::saveScreenshot(fixture.window(), QStringLiteral("pseudo-%1-%2").arg(page).arg(filled));
            if (fixture.window().size() != size)
                problems << QStringLiteral("%1 asks for %2 x %3")
                                .arg(page)
                                .arg(fixture.window().width())
                                .arg(fixture.window().height());
            for (const VisibleText& shown : VisibleTexts(fixture.window()).all()) {
                translated += shown.text.contains(opening) ? 1 : 0;
                const QStringList words = untranslatedWords(shown.text, QString::fromStdString(study.name));
                if (!words.isEmpty() && shown.where != QStringLiteral("ownNetworkLines")) // lines of Python
                    problems << QStringLiteral("%1, %2: “%3” is not translated: %4")
                                    .arg(page, shown.where, shown.text, words.join(QLatin1Char(' ')));
            }
            look(fixture.window(), page, problems);
        }
        QVERIFY2(translated > 300, qPrintable(QString::number(translated))); // the window speaks that language
        problems.removeDuplicates();
        for (const QString& problem : problems)
            qInfo("%s", qPrintable(problem)); // a failure's own text is cut off
        QVERIFY2(problems.isEmpty(),
                 qPrintable(QStringLiteral("%1 problems\n%2").arg(problems.size()).arg(problems.join('\n'))));
    }

private:
    static constexpr QSize size{1280, 720};

    static test::SyntheticStudy studyWithEvents() {
        test::SyntheticStudy study = test::studyOf(test::equivalentCase());
        const Message skipped{"training.skipped", {{"window", "7"}, {"place", ""}}};
        study.events = {{1.0, "warning", skipped.code, messageText(skipped), 6, skipped.arguments}};
        return study;
    }

    /// Texts are asked for when a window is built: by way of another text size to one of the usual size. The window's
    /// own translations are not loaded again, which would come before those of the test.
    static void speakAnew(WorkbenchFixture& fixture) {
        for (const int percent : {110, 100}) {
            const MainWindow* before = &fixture.window();
            fixture.workbench().theme().setTextSize(percent);
            QTRY_VERIFY_WITH_TIMEOUT(&fixture.window() != before, patience);
        }
        fixture.window().resize(size);
    }

    /// Of a run, in the inspector.
    static void openEvents(WorkbenchFixture& fixture) {
        QTRY_VERIFY_WITH_TIMEOUT(runList(fixture).rowCount() > 0, patience);
        fixture.find<QTableView>("runTable")->selectRow(runList(fixture).rowCount() - 1);
        auto* events = fixture.find<QTreeWidget>("inspectorEvents");
        fixture.find<QTabWidget>("inspectorTabs")->setCurrentWidget(events);
        QTRY_COMPARE_WITH_TIMEOUT(events->topLevelItemCount(), 1, patience);
    }

    static void look(const MainWindow& window, const QString& page, QStringList& problems) {
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            if (!widget->isVisible())
                continue;
            const auto* header = qobject_cast<const QHeaderView*>(widget);
            const QString where = QStringLiteral("%1, %2").arg(page, widget->objectName());
            if (header)
                for (const QString& title : cutTitlesOf(*header))
                    problems << QStringLiteral("%1, column of %2: ").arg(page, header->parent()->objectName()) + title;
            else if (const QString cut = cutOf(*widget); !cut.isEmpty())
                problems << QStringLiteral("%1: “%2” is cut: ").arg(where, widget->property("text").toString()) + cut;
            else if (holdsText(*widget) && isClipped(*widget))
                problems << where + QStringLiteral(" reaches beyond what holds it");
        }
        for (const QString& overlap : overlapsIn(window))
            problems << QStringLiteral("%1, %2").arg(page, overlap);
    }
};

QTEST_MAIN(TestPseudoLanguage)
} // namespace test_pseudo_language
#include "test_pseudo_language.moc"
