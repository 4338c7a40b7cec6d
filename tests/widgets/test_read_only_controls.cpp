// SPDX-License-Identifier: GPL-3.0-or-later
// What would change a library that another window writes is disabled and says why, until that window has gone.
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/home/home_page.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/style/controls.h"

#include <QDragEnterEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>

namespace test_read_only_controls {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

const QString why = QStringLiteral("Another window has this library open.");

} // namespace

class TestReadOnlyControls : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryGateway> m_other;
    SyntheticRuns m_runs;

    [[nodiscard]] bool openAgain() { return m_fixture->open(); }
    /// Disabled, and says why.
    [[nodiscard]] static bool isBarred(const QPushButton& button) {
        return !button.isEnabled() && button.toolTip() == why && button.accessibleDescription() == why;
    }

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init() {
        m_fixture = std::make_unique<PageFixture>();
        m_runs = m_fixture->add(studyOf(equivalentCase()));
        m_other = std::make_unique<LibraryGateway>();
        QVERIFY(m_other->open(m_fixture->file()));
        QVERIFY(m_fixture->open() && m_fixture->services().library.readOnly());
    }
    void cleanup() {
        m_other.reset();
        m_fixture.reset();
    }

    void theDemoOfHome() {
        HomePage page(m_fixture->services());
        const auto* demo = child<QPushButton>(page, "homeDemoButton");
        QVERIFY(isBarred(*demo));
        m_other.reset();
        QVERIFY(openAgain());
        QVERIFY(demo->isEnabled() && demo->toolTip().isEmpty());
    }

    void moreSeedsOfCompare() {
        ComparePage page(m_fixture->services());
        page.resize(1110, 690);
        page.show();
        page.compareGroups(qtList(m_runs.groupA), qtList(m_runs.groupB));
        const auto* more = child<QPushButton>(page, "compare.moreSeeds");
        QTRY_VERIFY(more->isVisible());
        QVERIFY(isBarred(*more));
        m_other.reset();
        QVERIFY(openAgain());
        page.compareGroups(qtList(m_runs.groupA), qtList(m_runs.groupB));
        QTRY_VERIFY(more->isVisible() && more->isEnabled());
        QVERIFY(more->toolTip() != why);
    }

    /// The frame says so while the file hovers, and a bar once it was dropped; nothing is read.
    void filesThatAreDroppedOnTheLibrary() {
        const QString file = m_fixture->path(QStringLiteral("more.sqlite"));
        SyntheticStudy study;
        study.name = "more";
        study.seedsA = {0};
        study.finalA = {0.9};
        study.windows = 20;
        QVERIFY(addSyntheticStudy(file.toStdString(), study));
        LibraryPage page(m_fixture->services());
        page.resize(1110, 690);
        page.show();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent entered(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&page, &entered);
        const auto* frame = child<QWidget>(page, "dropFrame");
        QVERIFY(frame->isVisible());
        QCOMPARE(frame->accessibleName(), QStringLiteral("This cannot be used"));
        QCOMPARE(child<QLabel>(page, "dropFrameWords")->text(), why);
        QDropEvent dropped(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&page, &dropped);
        QVERIFY(!frame->isVisible());
        const auto* notice = child<NoticeBar>(page, "libraryImport");
        QVERIFY(notice->isVisible());
        QVERIFY2(notice->accessibleName().contains(why), qPrintable(notice->accessibleName()));
    }
};

QTEST_MAIN(TestReadOnlyControls)
} // namespace test_read_only_controls
#include "test_read_only_controls.moc"
