// SPDX-License-Identifier: GPL-3.0-or-later
// Plain literals read better here than in the program, where every string a person sees goes through tr().
#include "widgets/pages/reports/reports_page.h"

#include "core/analysis/gradient_audit.h"
#include "tests/support/made_up_plans.h"
#include "tests/support/report_saving.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/reports/report_preview.h"
#include "widgets/print/report_pages.h"
#include "widgets/print/report_table.h"
#include "widgets/style/controls.h"

#include <QComboBox>
#include <QFile>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <numeric>

namespace test_reports_page {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {
QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The text of a PDF page by page, or nothing when the tool is missing.
QStringList pdfPages(const QString& file) {
    QProcess tool;
    tool.start("pdftotext", {"-layout", file, "-"});
    tool.waitForFinished();
    return QString::fromUtf8(tool.readAllStandardOutput()).split(QChar('\f'), Qt::SkipEmptyParts);
}

bool hasPdfToText() { return !QStandardPaths::findExecutable("pdftotext").isEmpty(); }

/// A document with a table far longer than a page, a figure after it, and headings that would fall at every height.
ReportDocument longDocument(int rows) {
    ReportDocument document;
    document.title = "A long report";
    document.subtitle = "for page breaks";
    ReportTable table;
    table.caption = "Seeds";
    table.header = {"Seed of the run", "Value"};
    table.numeric = {false, true};
    for (int i = 0; i < rows; ++i)
        table.rows.push_back({"row-" + std::to_string(i), std::to_string(i)});
    document.blocks.push_back(ReportHeading{"Table heading"});
    document.blocks.push_back(table);
    document.blocks.push_back(ReportHeading{"Figure heading"});
    document.blocks.push_back(
        ReportFigure{R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 500"><rect x="0" y="0" )"
                     R"(width="720" height="500" fill="#0072B2"/></svg>)",
                     "Caption of the figure", "a blue surface"});
    return document;
}
} // namespace

class TestReportsPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void anEmptyLibraryAsksForARun();
    void theNewestComparisonIsPreviewed();
    void aRunIsChosenFromTheList();
    void auditsAndPlansHaveReports();
    void theLanguageIsChosen();
    void signsOfLifeLeaveTheListWhereItIs();
    void htmlStandsAlone();
    void pdfHoldsTheVerdictAsText();
    void markdownComesWithItsFigures();
    void aChangedMarginReachesTheReport();
    void wrongNamesAreRefusedInWords();
    void pagesStayLightInTheDark();
    void tablesRepeatTheirHeader_data();
    void tablesRepeatTheirHeader();
    void columnsFitTheirWidth();

private:
    void start() {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<ReportsPage>(m_fixture->services());
        m_page->resize(1110, 690);
        m_page->show();
        m_page->activated();
    }
    void startWith(const VerdictCase& verdictCase) {
        start();
        m_runs = m_fixture->add(studyOf(verdictCase));
        QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
        m_page->showComparison(qtList(m_runs.groupA), qtList(m_runs.groupB));
        QVERIFY(shown.wait());
    }
    [[nodiscard]] ReportPreview& preview() const { return *child<ReportPreview>(*m_page, "reports.preview"); }
    [[nodiscard]] QString notice() const { return child<NoticeBar>(*m_page, "reports.notice")->accessibleName(); }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ReportsPage> m_page;
    SyntheticRuns m_runs;
};

void TestReportsPage::anEmptyLibraryAsksForARun() {
    start();
    auto* empty = child<EmptyState>(*m_page, "reports.empty");
    QTRY_VERIFY(empty->isVisible());
    QSignalSpy asked(m_page.get(), &ReportsPage::setupRequested);
    QTest::mouseClick(child<QPushButton>(*empty, "emptyStateAction"), Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    for (const char* name : {"reports.saveHtml", "reports.savePdf", "reports.saveMarkdown"})
        QVERIFY2(!child<QPushButton>(*m_page, name)->isEnabled(), name);
    const Status status = savedBy(*m_page, m_fixture->path("nothing.html"));
    QVERIFY(!status);
    QCOMPARE(QString::fromStdString(status.error().code), QString("report.none"));
}

void TestReportsPage::theNewestComparisonIsPreviewed() {
    start();
    m_fixture->add(studyOf(equivalentCase()));
    m_page->activated();
    QTRY_VERIFY(preview().pageCount() >= 2);
    const QListWidgetItem* shown = child<QListWidget>(*m_page, "reports.list")->currentItem();
    QVERIFY(shown->text().startsWith("equal: LeNet-5 on MNIST") && shown->text().endsWith("Equivalent"));
    QVERIFY(!shown->icon().isNull() && child<QPushButton>(*m_page, "reports.saveHtml")->isEnabled());
    takePicture(*m_page, "reports-comparison");
    m_page->resize(1430, 920);
    m_fixture->theme().setMode(ThemeMode::Dark);
    QTest::qWait(50); // palettes arrive by event
    takePicture(*m_page, "reports-comparison-dark");
    m_fixture->theme().setMode(ThemeMode::Light);
}

void TestReportsPage::aRunIsChosenFromTheList() {
    startWith(equivalentCase());
    auto* kind = child<QComboBox>(*m_page, "reports.kind");
    auto* list = child<QListWidget>(*m_page, "reports.list");
    kind->setCurrentIndex(1);
    QTRY_COMPARE(list->count(), 10);
    QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
    list->setFocus();
    list->setCurrentRow(3);
    QVERIFY(shown.wait());
    QVERIFY(preview().pageCount() >= 1);
    QVERIFY(preview().accessibleDescription().size() > 0);
    takePicture(*m_page, "reports-run");

    // By name, as the library page asks for it.
    m_page->showRun(QString::fromStdString(m_runs.groupB[2]));
    QVERIFY(shown.wait());
    const QString file = m_fixture->path("run.html");
    QVERIFY(savedBy(*m_page, file).has_value());
    QVERIFY(contentOf(file).contains(m_runs.groupB[2].c_str()));
    QTRY_VERIFY(list->currentItem() != nullptr && list->currentItem()->text().contains("seed 2"));
}

void TestReportsPage::auditsAndPlansHaveReports() {
    startWith(equivalentCase());
    {
        RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
        GradientAudit audit;
        audit.createdAt = 1'790'000'000.0;
        audit.subject = subjectAsNamed("LeNet-5 on MNIST, 256 = 32 x 8");
        audit.headline = {"verdict.equivalent", {}};
        AuditRecord record;
        record.id = "11111111-aaaa-4000-8000-000000000000";
        record.createdAt = audit.createdAt;
        record.configuration = "c0ffee";
        record.verdict = "equivalent";
        record.result = auditJson(audit);
        QVERIFY(store.addAudit(record));
        const MicroPlan plan = madeUpPlan();
        QVERIFY(store.putPlan({"key", plan.createdAt, planJson(plan)}));
    }
    auto* kind = child<QComboBox>(*m_page, "reports.kind");
    auto* list = child<QListWidget>(*m_page, "reports.list");
    for (const auto& [index, words, title] :
         {std::tuple(2, "Gradient audit", "256 = 32 x 8"), std::tuple(3, "Micro-batch", "B = 256")}) {
        QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
        kind->setCurrentIndex(index);
        QTRY_VERIFY(list->count() == 1 && list->item(0)->text().contains(title));
        QVERIFY(list->item(0)->text().startsWith("LeNet-5 on MNIST"));
        list->setCurrentRow(0);
        QTRY_COMPARE(shown.count(), 1);
        const QString file = m_fixture->path(QString("kind-%1.html").arg(index));
        QVERIFY(savedBy(*m_page, file).has_value());
        const QByteArray html = contentOf(file);
        QVERIFY2(html.contains(words), html.right(2000).constData());
        QVERIFY(html.contains("LeNet-5 on MNIST") && html.contains("Accumulus "));
    }
}

void TestReportsPage::theLanguageIsChosen() {
    startWith(equivalentCase());
    auto* language = child<QComboBox>(*m_page, "reports.language");
    QCOMPARE(language->currentData().toString(), QString("en"));
    QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
    language->setCurrentIndex(language->findData("zh_CN"));
    QVERIFY(shown.wait());
    const QString file = m_fixture->path("chinese.html");
    QVERIFY(savedBy(*m_page, file).has_value());
    QVERIFY(contentOf(file).contains("lang=\"zh-CN\"")); // the words themselves are the whole program's
    language->setCurrentIndex(language->findData("en"));
    QVERIFY(shown.wait());
    QVERIFY(savedBy(*m_page, file).has_value());
    QVERIFY(contentOf(file).contains("lang=\"en\""));
}

void TestReportsPage::signsOfLifeLeaveTheListWhereItIs() {
    start();
    SyntheticRuns last;
    for (int i = 0; i < 12; ++i) {
        SyntheticStudy study = studyOf(equivalentCase());
        study.name = "study " + std::to_string(i);
        study.learningRate = 0.01 * (i + 1);
        study.windows = 5;
        last = m_fixture->add(study);
    }
    m_page->activated();
    auto* list = child<QListWidget>(*m_page, "reports.list");
    QTRY_VERIFY(list->count() >= 12);
    QTRY_VERIFY(list->verticalScrollBar()->maximum() > 0);
    list->verticalScrollBar()->setValue(list->verticalScrollBar()->maximum());
    const int scrolled = list->verticalScrollBar()->value();
    QSignalSpy refilled(list->model(), &QAbstractItemModel::rowsInserted);
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QSignalSpy noticed(&m_fixture->services().library, &LibraryGateway::changed);
    for (int beat = 1; beat <= 3; ++beat) {
        QVERIFY(store.setNotes(last.groupA.front(), "beat " + std::to_string(beat)));
        QTRY_VERIFY_WITH_TIMEOUT(noticed.count() >= beat, 60'000);
    }
    QTest::qWait(200); // what was noticed last is read
    QCOMPARE(refilled.count(), 0);
    QCOMPARE(list->verticalScrollBar()->value(), scrolled);
    SyntheticStudy more = studyOf(differentCase());
    more.name = "one more";
    QVERIFY(!m_fixture->add(more).groupA.empty());
    QTRY_VERIFY(refilled.count() > 0);
    QVERIFY(list->verticalScrollBar()->value() > 0); // it grew at the top, the eye stays
}

void TestReportsPage::htmlStandsAlone() {
    startWith(equivalentCase());
    const QString file = m_fixture->path("report.html");
    QVERIFY(savedBy(*m_page, file).has_value());
    QVERIFY2(notice().contains(file), qPrintable(notice()));
    QVERIFY(child<NoticeBar>(*m_page, "reports.notice")->isVisible());
    QVERIFY(child<NoticeBar>(*m_page, "reports.notice")->findChild<QPushButton*>()->text().contains("Open file"));
    const QString html = QString::fromUtf8(contentOf(file));
    QVERIFY(html.contains("Equivalent"));
    QVERIFY(html.contains("<svg"));
    QVERIFY(!html.contains("<script", Qt::CaseInsensitive));
    // No attribute or style fetches anything. Namespaces are names, not addresses.
    static const QRegularExpression fetches("(src|href|url\\()\\s*=?\\s*[\"'(]?\\s*(https?:|//|file:)",
                                            QRegularExpression::CaseInsensitiveOption);
    QVERIFY2(!fetches.match(html).hasMatch(), qPrintable(fetches.match(html).captured()));
    QVERIFY(!html.contains("@import"));
}

void TestReportsPage::pdfHoldsTheVerdictAsText() {
    startWith(differentWithinCase());
    const QString file = m_fixture->path("report.pdf");
    QVERIFY(savedBy(*m_page, file).has_value());
    QVERIFY(contentOf(file).startsWith("%PDF"));
    const QString folder = qEnvironmentVariable("ACCUMULUS_TEST_PICTURES");
    if (!folder.isEmpty())
        QFile::copy(file, folder + "/report.pdf");
    if (!hasPdfToText())
        QSKIP("pdftotext is not installed: the text of the PDF was not looked at");
    const QStringList pages = pdfPages(file);
    QCOMPARE(pages.size(), preview().pageCount());
    const QString text = pages.join('\n').simplified();
    QVERIFY2(text.contains("but within ±1 points"), qPrintable(text));
    QVERIFY(text.contains(QString::fromUtf8("32 × 8")) && !text.contains("32 x 8"));
    for (qsizetype i = 0; i < pages.size(); ++i)
        QVERIFY(pages[i].contains(QString("Page %1 of %2").arg(i + 1).arg(pages.size())));
}

void TestReportsPage::markdownComesWithItsFigures() {
    startWith(equivalentCase());
    const QString file = m_fixture->path("report.md");
    QVERIFY(savedBy(*m_page, file).has_value());
    const QString text = QString::fromUtf8(contentOf(file));
    static const QRegularExpression link("!\\[[^\\]]*\\]\\(([^)]+)\\)");
    auto links = link.globalMatch(text);
    int figures = 0;
    while (links.hasNext()) {
        const QString figure = links.next().captured(1);
        QVERIFY2(contentOf(m_fixture->path(figure)).contains("<svg"), qPrintable(figure));
        ++figures;
    }
    QVERIFY(figures >= 2);
}

void TestReportsPage::aChangedMarginReachesTheReport() {
    startWith(equivalentCase());
    const QString before = m_fixture->path("before.html");
    QVERIFY(savedBy(*m_page, before).has_value());
    QVERIFY(!contentOf(before).contains("after the results"));
    QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
    m_page->showComparison(qtList(m_runs.groupA), qtList(m_runs.groupB), {}, 0.0005);
    QVERIFY(shown.wait());
    const QString after = m_fixture->path("after.html");
    QVERIFY(savedBy(*m_page, after).has_value());
    const QByteArray html = contentOf(after);
    QVERIFY(html.contains("after the results"));
    QVERIFY(html.contains("Inconclusive"));
}

void TestReportsPage::wrongNamesAreRefusedInWords() {
    startWith(equivalentCase());
    const Status format = savedBy(*m_page, m_fixture->path("report.docx"));
    QVERIFY(!format);
    QCOMPARE(QString::fromStdString(format.error().code), QString("report.format"));
    QVERIFY(notice().size() > 10);
    QVERIFY(!QFile::exists(m_fixture->path("report.docx")));

    // A folder of the file's name: nothing can be written there, with any rights.
    QVERIFY(QDir(m_fixture->path("")).mkpath("taken.pdf"));
    const Status taken = savedBy(*m_page, m_fixture->path("taken.pdf"));
    QVERIFY(!taken);
    QCOMPARE(QString::fromStdString(taken.error().code), QString("file.write"));
}

void TestReportsPage::pagesStayLightInTheDark() {
    startWith(equivalentCase());
    m_fixture->theme().setMode(ThemeMode::Dark);
    const QImage picture = preview().grab().toImage();
    const QRgb paper = picture.pixel(picture.width() / 2, 30); // inside the upper margin of the first page
    m_fixture->theme().setMode(ThemeMode::Light);
    QCOMPARE(qRed(paper), 255);
    QCOMPARE(qGreen(paper), 255);
    QCOMPARE(qBlue(paper), 255);
}

void TestReportsPage::tablesRepeatTheirHeader_data() {
    QTest::addColumn<int>("rows");
    for (int rows = 20; rows <= 60; rows += 4) // the heading of the figure falls everywhere on the page
        QTest::addRow("%d rows", rows) << rows;
    QTest::newRow("five pages") << 200;
}

void TestReportsPage::tablesRepeatTheirHeader() {
    if (!hasPdfToText())
        QSKIP("pdftotext is not installed");
    QFETCH(int, rows);
    QTemporaryDir folder;
    const QString file = folder.filePath("long.pdf");
    QVERIFY(reportPdfWriter(longDocument(rows), file)().has_value());
    const QStringList pages = pdfPages(file);
    QVERIFY(!pages.isEmpty());
    int found = 0;
    for (const QString& page : pages) {
        const bool hasRows = page.contains("row-");
        QCOMPARE(page.contains("Seed of the run"), hasRows);
        // Heading, figure and caption are never parted.
        QCOMPARE(page.contains("Figure heading"), page.contains("Caption of the figure"));
        static const QRegularExpression row("row-\\d+");
        auto matches = row.globalMatch(page);
        while (matches.hasNext()) {
            QCOMPARE(matches.next().captured(), QString("row-%1").arg(found));
            ++found;
        }
    }
    QCOMPARE(found, rows);
}

void TestReportsPage::columnsFitTheirWidth() {
    const auto sum = [](const std::vector<double>& widths) {
        return std::accumulate(widths.begin(), widths.end(), 0.0);
    };
    // Sums of a few numbers of some hundred: rounding stays below 1e-9.
    for (const double width : {1000.0, 300.0, 50.0}) {
        const auto widths = columnWidths({400.0, 200.0, 100.0}, {100.0, 50.0, 20.0}, width);
        QVERIFY(std::abs(sum(widths) - width) < 1e-9);
        for (const double one : widths)
            QVERIFY(one > 0.0);
    }
    // While the words fit, no column becomes narrower than its longest word.
    const auto tight = columnWidths({400.0, 200.0, 100.0}, {100.0, 50.0, 20.0}, 200.0);
    QVERIFY(tight[0] >= 100.0 && tight[1] >= 50.0 && tight[2] >= 20.0);
}

QTEST_MAIN(TestReportsPage)
} // namespace test_reports_page
#include "test_reports_page.moc"
