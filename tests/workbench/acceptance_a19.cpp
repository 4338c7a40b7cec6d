// SPDX-License-Identifier: GPL-3.0-or-later
// While a run is live: Chinese, dark, letters of 150 %, 1280 x 720. Every string changes, no letter is missing, no
// label is cut, every text can be read, the plots follow, and the run goes on.
#include "app/workbench/page_table.h"
#include "tests/support/synthetic_library.h"
#include "tests/widgets/screenshot.h"
#include "tests/workbench/library_in_window.h"
#include "tests/workbench/visible_texts.h"
#include "tests/workbench/window_by_hand.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/plots/plot_view.h"

#include <QFile>
#include <QFontInfo>
#include <QHash>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTreeWidget>
#include <QXmlStreamReader>
#include <map>
#include <set>

namespace acceptance_a19 {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr double readable = 4.5;
const QRegularExpression chineseLetter(QStringLiteral("\\p{Han}"));

/// English sentences of the catalogue with the Chinese ones that differ from them.
class Catalogue {
public:
    explicit Catalogue(const QString& file) {
        QFile source(file);
        m_found = source.open(QIODevice::ReadOnly);
        QXmlStreamReader xml(&source);
        QString english;
        while (!xml.atEnd())
            if (xml.readNextStartElement()) {
                if (xml.name() == QLatin1String("source"))
                    english = xml.readElementText();
                else if (xml.name() == QLatin1String("translation") || xml.name() == QLatin1String("numerusform"))
                    add(english, xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed());
            }
    }
    [[nodiscard]] bool isFound() const { return m_found && !m_whole.isEmpty(); }

    /// A whole sentence, of any length, that is another one in Chinese wherever it stands.
    [[nodiscard]] bool mustChange(const QString& text) const {
        return m_changed.contains(text) && !m_same.contains(text);
    }

    /// The English sentence that the text is, with or without values; empty where it is none.
    [[nodiscard]] QString sentenceOf(const QString& text) const {
        if (m_whole.contains(text))
            return text;
        for (const auto& [pattern, english] : m_patterns)
            if (pattern.match(text).hasMatch())
                return english;
        return {};
    }

private:
    void add(const QString& english, const QString& chinese) {
        static const QRegularExpression value(QStringLiteral("%(n|L?\\d)"));
        const QString plain = plainText(english);
        (plainText(chinese) == plain ? m_same : m_changed).insert(plain);
        if (chinese == english || !plain.contains(latinWord))
            return;
        if (!plain.contains(value)) {
            m_whole.insert(plain);
            return;
        }
        QString pattern;
        qsizetype from = 0;
        for (auto match = value.globalMatch(plain); match.hasNext();) {
            const auto one = match.next();
            pattern += QRegularExpression::escape(plain.mid(from, one.capturedStart() - from)) + QStringLiteral(".+");
            from = one.capturedEnd();
        }
        pattern += QRegularExpression::escape(plain.mid(from));
        m_patterns.append({QRegularExpression(QRegularExpression::anchoredPattern(pattern)), plain});
    }

    bool m_found = false;
    QSet<QString> m_whole;
    QSet<QString> m_changed, m_same; ///< in Chinese, whatever their length
    QList<std::pair<QRegularExpression, QString>> m_patterns;
};

/// Latin words that are no names. A part with Chinese letters is a Chinese one, whatever it names.
QStringList foreignParts(const QString& text) {
    static const QRegularExpression parts(QStringLiteral("\\s*[·\\n]\\s*"));
    QStringList words;
    for (const QString& part : text.split(parts))
        if (!part.contains(chineseLetter))
            words << foreignWords(part);
    return words;
}

/// The colour that most pixels have, and the best contrast of another one with it.
struct Ink {
    QColor ground;
    double best = 1.0;
};

Ink inkOf(const QImage& picture) {
    QHash<QRgb, int> counted;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            ++counted[picture.pixel(x, y)];
    QRgb ground = 0;
    for (auto colour = counted.begin(); colour != counted.end(); ++colour)
        if (colour.value() > counted.value(ground))
            ground = colour.key();
    Ink ink{QColor(ground)};
    for (auto colour = counted.begin(); colour != counted.end(); ++colour)
        ink.best = std::max(ink.best, contrast(QColor(colour.key()), ink.ground));
    return ink;
}

} // namespace

class AcceptanceA19 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everythingFollowsWhileTheRunGoesOn() {
        const Catalogue catalogue(qEnvironmentVariable("ACCUMULUS_SOURCE") +
                                  QStringLiteral("/resources/translations/accumulus_zh_CN.ts"));
        QVERIFY2(catalogue.isFound(), "ACCUMULUS_SOURCE is not set");
        WorkbenchFixture fixture;
        test::SyntheticStudy study = test::studyOf(test::equivalentCase());
        const Message skipped{"training.skipped", {{"window", "7"}, {"place", ""}}};
        study.events = {{1.0, "warning", skipped.code, messageText(skipped), 6, skipped.arguments}};
        QVERIFY(test::addSyntheticStudy(fixture.library(), study));
        fixture.reopen();
        fixture.workbench().theme().setMode(ThemeMode::Light);
        RunController& runs = fixture.workbench().runs();
        std::size_t windows = 0;
        connect(&runs, &RunController::eventsArrived, this, [&windows](const std::vector<RunEvent>& events) {
            for (const RunEvent& event : events)
                windows += std::holds_alternative<WindowClosed>(event) ? 1U : 0U;
        });
        runs.start(endless());
        QTRY_VERIFY_WITH_TIMEOUT(windows > 0, runTimeout);
        const QString run = runs.currentRun();
        const auto goesOn = [&] {
            const std::size_t before = windows;
            QTRY_VERIFY_WITH_TIMEOUT(windows > before, runTimeout);
            QCOMPARE(runs.state(), RunState::Running);
            QCOMPARE(runs.currentRun(), run);
        };
        Texts english = textsOfAllPages(fixture);

        const MainWindow* before = &fixture.window();
        choose(fixture, "actionLanguageChinese");
        QTRY_VERIFY_WITH_TIMEOUT(&fixture.window() != before, patience);
        QCOMPARE(fixture.workbench().language(), QStringLiteral("zh_CN"));
        QVERIFY(fixture.window().isVisible());
        goesOn();
        choose(fixture, "actionThemeDark");
        QVERIFY(fixture.workbench().theme().colors().dark);
        goesOn();
        before = &fixture.window();
        choose(fixture, "actionTextSize-150");
        QTRY_VERIFY_WITH_TIMEOUT(&fixture.window() != before, patience);
        QCOMPARE(fixture.workbench().theme().textSize(), 150);
        fixture.window().resize(1280, 720);
        goesOn();
        QCOMPARE(fixture.window().size(), QSize(1280, 720)); // it asks for no more

        QStringList problems;
        for (const PageEntry& entry : pageTable()) {
            const QString page = QLatin1String(entry.id);
            fixture.window().showPage(page);
            if (page == QStringLiteral("library"))
                openEvents(fixture);
            fixture.settle();
            test::saveScreenshot(fixture.window(), QStringLiteral("a19-") + page);
            for (const VisibleText& shown : VisibleTexts(fixture.window()).all()) {
                if (isOfTheUser(shown))
                    continue;
                const QString where = QStringLiteral("%1, %2: “%3”").arg(page, shown.where, shown.text);
                if (const QString sentence = catalogue.sentenceOf(shown.text); !sentence.isEmpty())
                    problems << where + QStringLiteral(" is English");
                else if (const QStringList words = foreignParts(shown.text); !words.isEmpty())
                    problems << where + QStringLiteral(" is not Chinese: ") + words.join(QLatin1Char(' '));
                else if (english[placeOf(page, shown)].contains(shown.text) && catalogue.mustChange(shown.text))
                    problems << where + QStringLiteral(" stays as it was");
                if (hasMissingGlyph(shown))
                    problems << where + QStringLiteral(" has a letter that no font has");
                if (shown.font.weight() == QFont::Normal && shown.text.contains(chineseLetter))
                    for (const QString& face : familiesOf(shown.text, shown.font))
                        if (face.contains(QStringLiteral("Bold")))
                            problems << where + QStringLiteral(" is heavy: ") + face;
            }
            look(fixture, page, problems);
        }
        fixture.window().showPage(QStringLiteral("live"));
        plotsAreDark(fixture);
        goesOn();
        problems.removeDuplicates();
        QVERIFY2(problems.isEmpty(),
                 qPrintable(QStringLiteral("%1 problems\n%2").arg(problems.size()).arg(problems.join('\n'))));
        runs.stopNow();
        fixture.waitUntilIdle(runTimeout);
    }

    // Latin letters keep the system's family; Chinese ones come from a regular face behind it, in every size and
    // weight.
    void chineseStandsBehindTheSystemsLetters() {
        const QString own = QFontInfo(QApplication::font()).family();
        const Theme theme(*qApp);
        const QStringList families = QApplication::font().families();
        QCOMPARE(families.front(), own);
        if (families.size() < 2)
            QSKIP("no family with Chinese letters is installed");
        for (const QFont& font : {QApplication::font(), theme.numberFont(), theme.captionFont()}) {
            QCOMPARE(QFontInfo(font).family(), own);
            QCOMPARE(QFontInfo(font).weight(), int(QFont::Normal));
            const QStringList latin = familiesOf(QStringLiteral("Loss 0.25"), font);
            QVERIFY2(latin.size() == 1 && latin.front().startsWith(own), qPrintable(latin.join(", ")));
            const QStringList chinese = familiesOf(QStringLiteral("训练损失"), font);
            QVERIFY2(chinese.size() == 1 && chinese.front().startsWith(families[1]), qPrintable(chinese.join(", ")));
            QVERIFY2(!chinese.front().contains(QStringLiteral("Bold")), qPrintable(chinese.front()));
        }
    }

    void theTextGrowsAndShrinksAtOnceAndStaysSo() {
        WorkbenchFixture fixture;
        fixture.workbench().theme().setTextSize(text_size::usual);
        const double usual = QApplication::font().pointSizeF();
        const auto sized = [&](int percent) {
            return std::abs(QApplication::font().pointSizeF() - usual * percent / 100.0) < 1e-6 &&
                   std::abs(fixture.find<QLabel>("statusState")->font().pointSizeF() - 0.9 * usual * percent / 100.0) <
                       1e-6;
        };
        for (const int percent : {80, 200, 150}) {
            const MainWindow* before = &fixture.window();
            choose(fixture, qPrintable(QStringLiteral("actionTextSize-%1").arg(percent)));
            QTRY_VERIFY_WITH_TIMEOUT(&fixture.window() != before, patience);
            QTRY_VERIFY2_WITH_TIMEOUT(sized(percent), qPrintable(QString::number(QApplication::font().pointSizeF())),
                                      patience);
            QVERIFY(fixture.find<QAction>(qPrintable(QStringLiteral("actionTextSize-%1").arg(percent)))->isChecked());
        }
        fixture.reopen();
        QVERIFY(sized(150));
        QTest::keyClick(&fixture.window(), Qt::Key_Plus, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(sized(175), patience);
        QTest::keyClick(&fixture.window(), Qt::Key_Minus, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(sized(150), patience);
        fixture.workbench().theme().setTextSize(1000);
        QCOMPARE(fixture.workbench().theme().textSize(), text_size::largest);
        fixture.workbench().theme().setTextSize(1);
        QCOMPARE(fixture.workbench().theme().textSize(), text_size::smallest);
    }

private:
    static ExperimentConfig endless() {
        ExperimentConfig experiment = tinyExperiment();
        experiment.run.model.name = "lenet5";
        experiment.run.train.length = {100'000, Extent::Unit::Epochs};
        experiment.run.device.lanes = 1;
        experiment.run.device.threads = 1;
        experiment.study.name = "1";
        return experiment;
    }

    /// As the menu does it.
    static void choose(WorkbenchFixture& fixture, const char* action) {
        auto* chosen = fixture.find<QAction>(action);
        QVERIFY2(chosen && chosen->isEnabled(), action);
        chosen->trigger();
    }

    /// Of the oldest run, beside which what happened in it is to be read.
    static void openEvents(WorkbenchFixture& fixture) {
        QTRY_VERIFY_WITH_TIMEOUT(runList(fixture).rowCount() > 0, patience);
        fixture.find<QTableView>("runTable")->selectRow(runList(fixture).rowCount() - 1);
        auto* events = fixture.find<QTreeWidget>("inspectorEvents");
        fixture.find<QTabWidget>("inspectorTabs")->setCurrentWidget(events);
        QTRY_COMPARE_WITH_TIMEOUT(events->topLevelItemCount(), 1, patience);
        QVERIFY2(events->isVisible(), "the Events tab");
    }

    using Texts = std::map<QString, std::set<QString>>; ///< by page and name of what shows them

    /// Names of studies and lines of Python are the same in every language.
    static bool isOfTheUser(const VisibleText& shown) {
        static const QRegularExpression study(QStringLiteral("^(equal|1, accumulated)\\b"));
        return shown.text.contains(study) || shown.where == QStringLiteral("ownNetworkLines");
    }

    static QString placeOf(const QString& page, const VisibleText& shown) {
        return page + QLatin1Char('/') + shown.where;
    }

    static Texts textsOfAllPages(WorkbenchFixture& fixture) {
        Texts texts;
        for (const PageEntry& entry : pageTable()) {
            const QString page = QLatin1String(entry.id);
            fixture.window().showPage(page);
            fixture.settle();
            for (const VisibleText& shown : VisibleTexts(fixture.window()).all())
                texts[placeOf(page, shown)].insert(shown.text);
        }
        return texts;
    }

    /// Labels and buttons are whole and can be read, by their palette and by the pixels.
    static void look(WorkbenchFixture& fixture, const QString& page, QStringList& problems) {
        const QImage picture = fixture.window().grab().toImage();
        int sampled = 0;
        for (const QWidget* widget : fixture.window().findChildren<QWidget*>()) {
            const auto* label = qobject_cast<const QLabel*>(widget);
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            if (!widget->isVisible() || (!label && !button))
                continue;
            const QString text = label ? label->text() : button->text();
            const QString where = QStringLiteral("%1, %2: “%3”").arg(page, widget->objectName(), text);
            if (const QString cut = cutOf(*widget); !cut.isEmpty())
                problems << where + QStringLiteral(" is cut: ") + cut;
            const QRect place(widget->mapTo(&fixture.window(), QPoint(0, 0)), widget->size());
            const bool whole = widget->visibleRegion() == QRegion(widget->rect());
            if (!widget->isEnabled() || plainText(text).size() < 2 || !whole)
                continue;
            ++sampled;
            const Ink ink = inkOf(picture.copy(place));
            const QColor named = widget->palette().color(widget->foregroundRole());
            if (contrast(named, ink.ground) < readable)
                problems << where + QStringLiteral(" by its palette: contrast %1").arg(contrast(named, ink.ground));
            if (ink.best < readable)
                problems << where + QStringLiteral(" by its pixels: contrast %1").arg(ink.best);
        }
        if (sampled < 15)
            problems << page + QStringLiteral(": only %1 texts were looked at").arg(sampled);
    }

    static void plotsAreDark(WorkbenchFixture& fixture) {
        const ThemeColors dark = darkColors();
        auto* plot = fixture.find<PlotView>("liveLoss");
        const auto drawn = [&](const QColor& colour) {
            plot->refreshNow();
            return columnsLike(plot->grab().toImage(), colour, plot->rect(), 24).size();
        };
        QTRY_VERIFY_WITH_TIMEOUT(drawn(dark.accumulated) > 20, 10'000);
        const QImage picture = plot->grab().toImage();
        QVERIFY(distance(picture.pixelColor(picture.width() - 3, picture.height() - 3), dark.card) <= 2);
        QCOMPARE(drawn(lightColors().card), 0);
        QCOMPARE(drawn(lightColors().accumulated), 0);
    }
};

QTEST_MAIN(AcceptanceA19)
} // namespace acceptance_a19
#include "acceptance_a19.moc"
