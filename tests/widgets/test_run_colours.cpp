// SPDX-License-Identifier: GPL-3.0-or-later
// A colour that a person gives a run is the run's on every page and in reports, in both themes.
#include "core/base/run_colours.h"
#include "core/report/report_document.h"
#include "core/run/library_views.h"
#include "core/store/run_store.h"
#include "tests/widgets/page_fixture.h"
#include "tests/workbench/window_by_hand.h"
#include "widgets/models/report_loader.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/settings_plot.h"
#include "widgets/style/run_color.h"

#include <QCheckBox>
#include <QFile>
#include <QPushButton>
#include <QTableView>

namespace test_run_colours {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

const RunColour& pink = runColours[3];

/// Does a picture have this colour?
bool has(const QString& file, std::string_view colour) {
    QFile svg(file);
    return svg.open(QIODevice::ReadOnly) &&
           QString::fromUtf8(svg.readAll())
               .contains(QString::fromLatin1(colour.data(), static_cast<qsizetype>(colour.size())),
                         Qt::CaseInsensitive);
}

/// In its light colours.
bool draws(PageFixture& fixture, PlotView* plot, std::string_view colour) {
    plot->refreshNow();
    const QString file = fixture.path(QStringLiteral("plot.svg"));
    return plot->saveSvg(file) && has(file, colour);
}

} // namespace

class TestRunColours : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theyCanBeSeenInBothThemes() {
        for (const RunColour& colour : runColours) {
            for (const ThemeColors& theme : {lightColors(), darkColors()}) {
                const QColor drawn = runColor(theme, std::string(colour.stored), Qt::black);
                QVERIFY2(contrast(drawn, theme.card) >= 3.0, qPrintable(drawn.name()));
            }
            QCOMPARE(runColor(lightColors(), std::string(colour.stored), {}).name().toStdString(),
                     QColor(QString::fromStdString(drawnColour(std::string(colour.stored)))).name().toStdString());
        }
        QCOMPARE(runColor(lightColors(), {}, Qt::red), QColor(Qt::red));
        QCOMPARE(runColor(darkColors(), "#123456", Qt::red), QColor(0x12, 0x34, 0x56)); // of another program
    }

    void liveDrawsTheRunInIt() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        const SyntheticRuns runs = fixture.add(studyOf(equivalentCase()));
        LivePage page(fixture.services());
        page.resize(1200, 760);
        page.show();
        page.showStudy(QString::fromStdString(runs.study));
        auto* loss = child<PlotView>(page, "liveLoss");
        QTRY_COMPARE(loss->curveCount(), std::size_t{10});
        QVERIFY(!draws(fixture, loss, pink.onLight));
        // While the page is there: an edit, and its undo.
        RunRecord run =
            RunReader(Library::open(fixture.file(), Library::Mode::Read).value()).run(runs.groupA[4]).value();
        LibraryEdits& edits = fixture.services().session.edits;
        LibraryEdits::Change change;
        change.color = QString::fromLatin1(pink.stored.data(), static_cast<qsizetype>(pink.stored.size()));
        edits.change({run}, change);
        QTRY_VERIFY(draws(fixture, loss, pink.onLight));
        edits.stack().undo();
        QTRY_VERIFY(!draws(fixture, loss, pink.onLight));
    }

    void compareDrawsSingleTracesInIt() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        const SyntheticRuns runs = fixture.add(studyOf(equivalentCase()));
        colour(fixture, runs.groupA[1]);
        ComparePage page(fixture.services());
        page.resize(1200, 760);
        page.show();
        page.compareStudy(QString::fromStdString(runs.study));
        QTRY_COMPARE(child<QTableView>(page, "compare.seedTable")->model()->rowCount(), 6);
        auto* loss = child<PlotView>(page, "compare.loss");
        QVERIFY(!draws(fixture, loss, pink.onLight)); // means are their groups'
        child<QCheckBox>(page, "compare.singles")->click();
        QTRY_VERIFY(draws(fixture, loss, pink.onLight));
    }

    void compareDrawsMarksAndLinesOfSettingsInIt() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        const SyntheticRuns runs = fixture.add(studyOf(equivalentCase()));
        ComparePage page(fixture.services());
        page.resize(1200, 760);
        page.show();
        page.compareStudy(QString::fromStdString(runs.study));
        auto* plot = child<SettingsPlot>(page, "compare.settingsPlot");
        QTRY_COMPARE(plot->figure().axes.runs.size(), std::size_t{10});
        const QString file = fixture.path(QStringLiteral("settings.svg"));
        const auto drawn = [&](const char* view, std::string_view what) {
            child<QPushButton>(page, view)->click();
            return plot->saveAs(file) && has(file, what);
        };
        constexpr std::string_view legend = "runs in colours of their own";
        const QString words = QStringLiteral("1 run(s) in a colour of their own");
        for (const char* view : {"compare.settingsScatter", "compare.settingsParallel"})
            QVERIFY(!drawn(view, pink.onLight) && !drawn(view, legend));
        QVERIFY(!plot->summaryText().contains(words));

        colour(fixture, runs.groupA[1]);
        page.compareStudy(QString::fromStdString(runs.study));
        page.activated();
        QTRY_VERIFY(plot->summaryText().contains(words));
        for (const char* view : {"compare.settingsScatter", "compare.settingsParallel"})
            QVERIFY2(drawn(view, pink.onLight) && drawn(view, legend), view);
        plot->chooseRun(QString::fromStdString(runs.groupA[1]));
        QVERIFY(runSummary(plot->figure(), *plot->highlighted()).contains(QStringLiteral("colour of its own")));
        plot->chooseRun(QString::fromStdString(runs.groupB[1]));
        QVERIFY(!runSummary(plot->figure(), *plot->highlighted()).contains(QStringLiteral("colour of its own")));
    }

    void theReportOfARunIsInIt() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        const SyntheticRuns runs = fixture.add(studyOf(equivalentCase()));
        RunReader reader(Library::open(fixture.file(), Library::Mode::Read).value());
        const auto report = [&] {
            const auto document = loadReport(reader, {{}, QString::fromStdString(runs.groupA[0]), {}}, "en");
            return document ? reportHtml(*document) : std::string();
        };
        QVERIFY(report().find("#0072B2") != std::string::npos);
        QVERIFY(report().find(pink.onLight) == std::string::npos);
        colour(fixture, runs.groupA[0]);
        QVERIFY(report().find(pink.onLight) != std::string::npos);
    }

private:
    static void colour(const PageFixture& fixture, const std::string& run) {
        RunStore store(Library::open(fixture.file(), Library::Mode::Write).value());
        QVERIFY(store.setColor(run, std::string(pink.stored)));
    }
};

QTEST_MAIN(TestRunColours)
} // namespace test_run_colours
#include "test_run_colours.moc"
