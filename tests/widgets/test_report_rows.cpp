// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a table and items of a list that are taller than a page of the report: none of their lines is cut.
#include "tests/widgets/page_fixture.h"
#include "widgets/print/report_pages.h"

#include <QImage>
#include <QMap>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

namespace test_report_rows {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

/// "cell_0 cell_1 ...", some ten a line.
std::string wordsOf(const std::string& name, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += (i > 0 ? " " : "") + name + "_" + std::to_string(i);
    return text;
}

/// A tall row between two others, and a tall item of a list.
ReportDocument documentOf(int words) {
    ReportDocument document;
    document.title = "A tall row";
    ReportTable table;
    table.header = {"Setting", "Of the run"};
    table.rows = {{"first", "1"}, {"tall", wordsOf("cell", words)}, {"last row", "2"}};
    document.blocks = {table, ReportList{{"short", wordsOf("item", words)}}};
    return document;
}

/// The text of a PDF page by page.
QStringList pdfPages(const QString& file) {
    QProcess tool;
    tool.start(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), file, QStringLiteral("-")});
    tool.waitForFinished();
    return QString::fromUtf8(tool.readAllStandardOutput()).split(QChar('\f'), Qt::SkipEmptyParts);
}

} // namespace

class TestReportRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void eachWordIsThereOnce_data() {
        QTest::addColumn<int>("words");
        for (int words = 400; words <= 800; words += 20) // among them those that fit a page, but not below the header
            QTest::addRow("%d words", words) << words;
        QTest::newRow("four pages") << 2400;
    }
    void eachWordIsThereOnce() {
        if (QStandardPaths::findExecutable(QStringLiteral("pdftotext")).isEmpty())
            QSKIP("pdftotext is not installed");
        QFETCH(const int, words);
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("tall.pdf"));
        QVERIFY(reportPdfWriter(documentOf(words), file)().has_value());
        QMap<QString, int> next;
        for (const QString& page : pdfPages(file)) {
            const bool ofTheTable = page.contains(QStringLiteral("first")) || page.contains(QStringLiteral("cell_")) ||
                                    page.contains(QStringLiteral("last row"));
            QCOMPARE(page.contains(QStringLiteral("Of the run")), ofTheTable);
            static const QRegularExpression part(QStringLiteral("(cell|item)_(\\d+)"));
            auto matches = part.globalMatch(page);
            while (matches.hasNext()) {
                const auto match = matches.next();
                QCOMPARE(match.captured(2).toInt(), next[match.captured(1)]++);
            }
        }
        QCOMPARE(next[QStringLiteral("cell")], words);
        QCOMPARE(next[QStringLiteral("item")], words);
    }

    /// A PDF holds what lies beside its paper, too: this is what a person sees.
    void nothingLiesInTheLowerMargin_data() { eachWordIsThereOnce_data(); }
    void nothingLiesInTheLowerMargin() {
        constexpr int margin = 60, footer = 42; // points: the margin, and as much of it as the footer takes
        QFETCH(const int, words);
        const ReportPages pages(documentOf(words));
        for (int page = 0; page < pages.count(); ++page) {
            QImage paper(ReportPages::pageSize().toSize(), QImage::Format_RGB32);
            paper.fill(Qt::white);
            QPainter painter(&paper);
            pages.paint(painter, page);
            painter.end();
            for (int y = paper.height() - margin + 2; y < paper.height() - footer; ++y)
                for (int x = 0; x < paper.width(); ++x)
                    if (paper.pixelColor(x, y) != Qt::white)
                        QFAIL(qPrintable(QStringLiteral("page %1, y = %2").arg(page).arg(y)));
        }
    }
};

QTEST_MAIN(TestReportRows)
} // namespace test_report_rows
#include "test_report_rows.moc"
