// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the program while its window is dark and Chinese: reports as HTML, PDF and Markdown, plots as PNG, SVG,
// PDF and CSV, TensorBoard's event files, safetensors; and the same runs in another library. Readers are the test's
// own, poppler's and Python's. The real window over the real engine.
#include "core/base/atomic_file.h"
#include "core/base/safetensors_header.h"
#include "core/run/study_runner.h"
#include "core/run/verify.h"
#include "tests/support/event_records.h"
#include "tests/support/report_saving.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/run_exports.h"
#include "widgets/pages/library/run_imports.h"
#include "widgets/pages/reports/reports_page.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QUrl>
#include <cmath>

namespace acceptance_a18 {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

const QString studyName = QStringLiteral("梯度累积与大批量");
const QString note = QStringLiteral("等价界限：0.01，随机种子 0");

QString textOf(const QString& file) { return QString::fromStdString(readFile(file.toStdString()).value_or("")); }

/// Standard output of a tool; nothing where it failed.
QByteArray outputOf(const QString& program, const QStringList& arguments) {
    QProcess tool;
    tool.start(program, arguments);
    return tool.waitForFinished() && tool.exitCode() == 0 ? tool.readAllStandardOutput() : QByteArray();
}

/// A run's report names it and its notes; a comparison's has its verdict in words.
bool saysInChinese(const QString& text, bool comparison) {
    static const QRegularExpression words(QStringLiteral("[\\x{4e00}-\\x{9fff}]{4}"));
    // Fonts draw 大 and its radical U+2F24 by one glyph, and Qt's PDF names the radical. Viewers compare compatible
    // characters when they search, as this does.
    const auto plain = [](QString from) {
        return from.remove(QRegularExpression(QStringLiteral("\\s"))).normalized(QString::NormalizationForm_KC);
    };
    const QString joined = plain(text);
    return comparison ? words.match(joined).hasMatch()
                      : joined.contains(plain(studyName)) && joined.contains(plain(note));
}

bool isInstalled(const char* tool) { return !QStandardPaths::findExecutable(QString::fromLatin1(tool)).isEmpty(); }

/// A picture whose paper is white and whose mean is light.
void isLight(const QImage& picture) {
    QVERIFY(!picture.isNull());
    QCOMPARE(picture.pixelColor(2, 2), QColor(Qt::white));
    QCOMPARE(picture.pixelColor(picture.width() - 3, picture.height() - 3), QColor(Qt::white));
    const QImage mean = picture.scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    QVERIFY2(mean.pixelColor(0, 0).lightness() > 200, qPrintable(mean.pixelColor(0, 0).name()));
}

void namesNoDarkColour(const QString& markup) {
    for (const QColor& color : {darkColors().window, darkColors().card, darkColors().text, darkColors().accumulated})
        QVERIFY2(!markup.contains(color.name(), Qt::CaseInsensitive), qPrintable(color.name()));
}

/// Takes what another program would be asked to open.
class OpenedFiles : public QObject {
    Q_OBJECT
public:
    OpenedFiles() { QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "take"); }
    ~OpenedFiles() override { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }
    QList<QUrl> urls;

public Q_SLOTS:
    void take(const QUrl& url) { urls << url; }
};

} // namespace

class AcceptanceA18 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        m_fixture = std::make_unique<WorkbenchFixture>();
        ExperimentConfig experiment = tinyExperiment();
        experiment.study.name = studyName.toStdString();
        experiment.study.seeds = {0, 1};
        experiment.study.largeBatch = true;
        RunControl control;
        const auto outcome = runStudy(experiment, m_fixture->library(), control, [](std::span<const RunEvent>) {});
        QVERIFY2(outcome && outcome->runs.size() == 4, outcome ? "" : describe(outcome.error()).c_str());
        RunReader reader(Library::open(m_fixture->library(), Library::Mode::Read).value());
        m_runs = reader.runs().value();
        for (const RunRecord& run : m_runs)
            (run.arm == Arm::Accumulated ? m_groupA : m_groupB) << QString::fromStdString(run.id);
        RunStore store(Library::open(m_fixture->library(), Library::Mode::Write).value());
        QVERIFY(store.setNotes(m_groupA[0].toStdString(), note.toStdString()));
        m_fixture->find<QAction>("actionThemeDark")->trigger();
        m_fixture->find<QAction>("actionLanguageChinese")->trigger();
        QTRY_VERIFY(m_fixture->window().findChild<ReportsPage*>());
        QTRY_VERIFY(
            m_fixture->find<QPushButton>("libraryTrashView")->text().contains(QStringLiteral("回收站"))); // indeed
        QVERIFY(m_fixture->workbench().theme().colors().dark);
    }
    void cleanupTestCase() { m_fixture.reset(); }

    void reportsStandAlone_data() {
        QTest::addColumn<bool>("comparison");
        QTest::newRow("comparison") << true;
        QTest::newRow("run") << false;
    }
    void reportsStandAlone() {
        QFETCH(bool, comparison);
        auto* page = showReport(comparison);
        const QString html = file(QStringLiteral("report.html"));
        QVERIFY(savedBy(*page, html).has_value());
        const QString text = textOf(html);
        QVERIFY(text.contains(QStringLiteral("lang=\"zh-CN\"")));
        QVERIFY2(saysInChinese(text, comparison), qPrintable(text.left(3000)));
        QVERIFY(text.contains(QStringLiteral("<svg")) &&
                !text.contains(QStringLiteral("<script"), Qt::CaseInsensitive));
        static const QRegularExpression fetches(
            "(src|href|url\\(|@import)\\s*=?\\s*[\"'(]?\\s*(https?:|//|file:|\\.|/)",
            QRegularExpression::CaseInsensitiveOption);
        QVERIFY2(!fetches.match(text).hasMatch(), qPrintable(fetches.match(text).captured()));
        namesNoDarkColour(text);

        const QString markdown = file(QStringLiteral("report.md"));
        QVERIFY(savedBy(*page, markdown).has_value());
        const QString words = textOf(markdown);
        QVERIFY(saysInChinese(words, comparison));
        static const QRegularExpression link("!\\[[^\\]]+\\]\\(([^)]+)\\)"); // each with a text in its place
        auto links = link.globalMatch(words);
        int figures = 0;
        for (; links.hasNext(); ++figures) {
            const QString figure = textOf(file(links.next().captured(1)));
            QVERIFY(figure.contains(QStringLiteral("<svg")));
            namesNoDarkColour(figure);
        }
        QVERIFY(figures >= 2);
        // Where it came from, and how it is repeated.
        for (const QString& part :
             {QStringLiteral("Accumulus 0."), QStringLiteral("2.11"), QStringLiteral("accumulus-cli run")})
            QVERIFY2(words.contains(part), qPrintable(part));
    }

    void thePdfHoldsItsText() {
        if (!isInstalled("pdftotext") || !isInstalled("pdffonts") || !isInstalled("pdftoppm"))
            QSKIP("poppler's tools are not installed");
        for (const bool comparison : {true, false}) {
            auto* page = showReport(comparison);
            const QString pdf = file(QStringLiteral("report.pdf"));
            QVERIFY(savedBy(*page, pdf).has_value());
            const QString text = QString::fromUtf8(outputOf(QStringLiteral("pdftotext"), {pdf, QStringLiteral("-")}));
            QVERIFY2(saysInChinese(text, comparison), qPrintable(text.left(3000)));
            QVERIFY(!text.contains(QChar::ReplacementCharacter));
            // Every font is in the file and knows its characters (emb, sub, uni).
            static const QRegularExpression embedded(QStringLiteral(" yes (?:yes|no ) yes "));
            const QStringList fonts =
                QString::fromUtf8(outputOf(QStringLiteral("pdffonts"), {pdf})).split(QLatin1Char('\n')).mid(2);
            QVERIFY(fonts.size() >= 2);
            for (const QString& font : fonts)
                QVERIFY2(font.isEmpty() || embedded.match(font).hasMatch(), qPrintable(font));
            QVERIFY2(!fonts.filter(QStringLiteral("CJK")).isEmpty(), qPrintable(fonts.join(QLatin1Char('\n'))));
            const QString picture = file(QStringLiteral("page"));
            outputOf(QStringLiteral("pdftoppm"), {QStringLiteral("-r"), QStringLiteral("60"), QStringLiteral("-png"),
                                                  QStringLiteral("-singlefile"), pdf, picture});
            isLight(QImage(picture + QStringLiteral(".png")));
            keep(pdf, comparison ? QStringLiteral("a18-comparison.pdf") : QStringLiteral("a18-run.pdf"));
        }
    }

    void aSavedReportIsOpenedOrItsFailureSaid() {
        auto* page = showReport(true);
        const QString html = file(QStringLiteral("opened.html"));
        QVERIFY(savedBy(*page, html).has_value());
        OpenedFiles opened;
        auto* notice = m_fixture->find<NoticeBar>("reports.notice");
        auto* action = notice->findChild<QPushButton*>();
        QVERIFY(notice->isVisible() && action && action->isVisible());
        QTest::mouseClick(action, Qt::LeftButton);
        QCOMPARE(opened.urls, QList<QUrl>{QUrl::fromLocalFile(html)});
        QVERIFY(QDir(file(QString())).mkpath(QStringLiteral("taken.pdf"))); // a folder of that name
        QVERIFY(!savedBy(*page, file(QStringLiteral("taken.pdf"))).has_value());
        QVERIFY2(notice->accessibleName().contains(QStringLiteral("taken.pdf")), qPrintable(notice->accessibleName()));
    }

    void plotsLeaveLight() {
        m_fixture->window().showPage(QStringLiteral("compare"));
        auto* compare = m_fixture->window().findChild<ComparePage*>();
        compare->compareGroups(m_groupA, m_groupB);
        auto* plot = m_fixture->find<PlotView>("compare.accuracy");
        QTRY_VERIFY_WITH_TIMEOUT(plot->curveCount() >= 2, patience);
        plot->refreshNow();
        const QString base = file(QStringLiteral("plot."));
        QVERIFY(plot->saveAs(base + QStringLiteral("png"), {QStringLiteral("png"), 1.0}));
        const QImage once(base + QStringLiteral("png"));
        isLight(once);
        QVERIFY(plot->saveAs(base + QStringLiteral("png"), {QStringLiteral("png"), 4.0}));
        QCOMPARE(QImage(base + QStringLiteral("png")).size(), once.size() * 4);
        QVERIFY(plot->saveAs(base + QStringLiteral("svg")));
        namesNoDarkColour(textOf(base + QStringLiteral("svg")));
        QVERIFY(textOf(base + QStringLiteral("svg")).contains(QStringLiteral("样本"))); // the axis, in Chinese
        QVERIFY(plot->saveAs(base + QStringLiteral("pdf")));
        if (isInstalled("pdftotext")) {
            const QString text = QString::fromUtf8(
                outputOf(QStringLiteral("pdftotext"), {base + QStringLiteral("pdf"), QStringLiteral("-")}));
            QVERIFY2(text.contains(QStringLiteral("样本")), qPrintable(text));
            const QString picture = file(QStringLiteral("plot-page"));
            outputOf(QStringLiteral("pdftoppm"),
                     {QStringLiteral("-r"), QStringLiteral("96"), QStringLiteral("-png"), QStringLiteral("-singlefile"),
                      base + QStringLiteral("pdf"), picture});
            const QImage page(picture + QStringLiteral(".png"));
            isLight(page);
            QVERIFY(std::abs(page.width() - once.width()) <= 2);
            keep(picture + QStringLiteral(".png"), QStringLiteral("a18-plot-pdf.png"));
        }
        keep(base + QStringLiteral("png"), QStringLiteral("a18-plot.png"));

        QVERIFY(plot->saveAs(base + QStringLiteral("csv"), {QStringLiteral("csv"), 1.0, false}));
        const auto all = textOf(base + QStringLiteral("csv")).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QVERIFY(all.size() > 4);
        const auto samplesOf = [](const QString& line) { return line.section(QLatin1Char(','), -3, -3).toDouble(); };
        const double middle = samplesOf(all.last()) * 0.75;
        plot->zoomX(middle, samplesOf(all.last()) * 1.01);
        plot->refreshNow();
        QVERIFY(plot->saveAs(base + QStringLiteral("csv"), {QStringLiteral("csv"), 1.0, true}));
        const auto some = textOf(base + QStringLiteral("csv")).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QVERIFY2(some.size() > 1 && some.size() < all.size(), qPrintable(some.join(QLatin1Char('\n'))));
        for (const QString& line : some.mid(1)) {
            QVERIFY2(samplesOf(line) >= middle, qPrintable(line));
            QVERIFY(all.contains(line));
        }
    }

    void eventFilesHoldTheLibrarysValues() {
        for (const auto kind : {ExportKind::EventsByUpdates, ExportKind::EventsBySamples}) {
            const QString events = file(QStringLiteral("board/run/events.out.tfevents.1.test"));
            QVERIFY(exported(kind, events));
            const auto recorded = eventsOf(readFile(events.toStdString()).value());
            QVERIFY(recorded.has_value()); // every checksum is right
            RunReader reader(Library::open(m_fixture->library(), Library::Mode::Read).value());
            const auto windows = reader.windows(m_groupA[0].toStdString()).value();
            QVERIFY(windows.size() >= 8);
            const auto losses = recorded->of("train/loss");
            QCOMPARE(losses.size(), windows.size());
            for (std::size_t i = 0; i < windows.size(); ++i) {
                QVERIFY(losses[i].value == static_cast<float>(windows[i].loss));
                QCOMPARE(losses[i].step,
                         kind == ExportKind::EventsBySamples ? windows[i].samples : windows[i].update.value());
                QVERIFY(losses[i].wallTime == windows[i].wallTime);
            }
            const auto evaluations = reader.evaluations(m_groupA[0].toStdString()).value();
            QCOMPARE(recorded->of("test/accuracy").size(), evaluations.size());
        }
    }

    void safetensorsLoadInPython() {
        const QString weights = file(QStringLiteral("last.safetensors"));
        QVERIFY(exported(ExportKind::WeightsLast, weights));
        const QString python = qEnvironmentVariable("ACCUMULUS_PYTHON", QStringLiteral("python3"));
        const QString script = QStringLiteral("import json, sys\n"
                                              "from safetensors import safe_open\n"
                                              "with safe_open(sys.argv[1], framework='np') as f:\n"
                                              "    print(json.dumps({k: [list(f.get_tensor(k).shape), "
                                              "float(f.get_tensor(k).reshape(-1)[0])] for k in f.keys()}))\n");
        const auto loaded = QJsonDocument::fromJson(outputOf(python, {QStringLiteral("-c"), script, weights})).object();
        if (loaded.isEmpty() &&
            outputOf(python, {QStringLiteral("-c"), QStringLiteral("import safetensors, numpy; print(1)")}).isEmpty())
            QSKIP("Python has no safetensors: ACCUMULUS_PYTHON names one that has");
        const std::string content = readFile(weights.toStdString()).value();
        std::uint64_t size = 0;
        std::memcpy(&size, content.data(), sizeof size);
        const auto header =
            parseSafetensorsHeader(std::string_view(content).substr(8, size), content.size() - 8 - size);
        QVERIFY(header.has_value());
        QCOMPARE(loaded.size(), static_cast<qsizetype>(header->tensors.size()));
        for (const auto& tensor : header->tensors) {
            const auto values = loaded[QString::fromStdString(tensor.name)].toArray();
            float first = 0.0F;
            std::memcpy(&first, content.data() + 8 + size + tensor.begin, sizeof first);
            QVERIFY(static_cast<float>(values[1].toDouble()) == first);
            QCOMPARE(static_cast<std::size_t>(values[0].toArray().size()), tensor.shape.size());
        }
    }

    void reloadGivesEqualOutputs() {
        const auto outcome = verify(m_groupA[0].toStdString(), {m_fixture->library()});
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY(outcome->recorded.has_value() && outcome->agrees());
    }

    /// Out as every format and back into another library, in the window.
    void runsComeIntoAnotherLibrary() {
        const QString csv = file(QStringLiteral("one run.csv")), json = file(QStringLiteral("run.json"));
        QVERIFY(exported(ExportKind::WideCsv, csv));
        QVERIFY(exported(ExportKind::Json, json));
        QVERIFY(m_fixture->workbench().library().open(file(QStringLiteral("other.sqlite")).toStdString()).has_value());
        m_fixture->window().showPage(QStringLiteral("library"));
        auto* imports = m_fixture->window().findChild<RunImports*>();
        QSignalSpy done(imports, &RunImports::imported);
        imports->read({csv, json});
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, patience);
        auto* table = m_fixture->find<QTableView>("runTable");
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, patience);
        imports->read({QString::fromStdString(m_fixture->library().string())});
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 2, patience);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 5, patience); // one of its four was there
        auto* notice = m_fixture->find<NoticeBar>("libraryImport");
        QVERIFY2(notice->isVisible() && notice->accessibleName().contains(QLatin1Char('3')),
                 qPrintable(notice->accessibleName()));
        QVERIFY(writeFileAtomically(file(QStringLiteral("bad.csv")).toStdString(), "a,b\n1,2\n"));
        imports->read({file(QStringLiteral("bad.csv"))});
        QTRY_VERIFY_WITH_TIMEOUT(notice->accessibleName().contains(QStringLiteral("bad.csv")), patience);
        QCOMPARE(table->model()->rowCount(), 5);
        QVERIFY(m_fixture->workbench().library().open(m_fixture->library()).has_value());
    }

private:
    [[nodiscard]] QString file(const QString& name) const { return m_fixture->file(name); }

    [[nodiscard]] ReportsPage* showReport(bool comparison) {
        m_fixture->window().showPage(QStringLiteral("reports"));
        auto* page = m_fixture->window().findChild<ReportsPage*>();
        QSignalSpy shown(page, &ReportsPage::reportShown);
        if (comparison)
            page->showComparison(m_groupA, m_groupB);
        else
            page->showRun(m_groupA[0]);
        if (shown.isEmpty() && !shown.wait(patience))
            qWarning("no report was shown");
        return page;
    }

    [[nodiscard]] bool exported(ExportKind kind, const QString& path) {
        RunExports exports(m_fixture->workbench().library(), &m_fixture->window());
        QSignalSpy written(&exports, &RunExports::written);
        RunRecord run;
        run.id = m_groupA[0].toStdString();
        exports.write({run}, kind, {path});
        return written.wait(patience);
    }

    /// For looking at, where ACCUMULUS_TEST_PICTURES names a folder.
    static void keep(const QString& path, const QString& name) {
        const QString folder = qEnvironmentVariable("ACCUMULUS_TEST_PICTURES");
        if (!folder.isEmpty())
            QFile::copy(path, folder + QLatin1Char('/') + name);
    }

    std::unique_ptr<WorkbenchFixture> m_fixture;
    std::vector<RunRecord> m_runs;
    QStringList m_groupA, m_groupB;
};

QTEST_MAIN(AcceptanceA18)
} // namespace acceptance_a18
#include "acceptance_a18.moc"
