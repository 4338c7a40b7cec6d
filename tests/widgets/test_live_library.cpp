// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does in the Library with the study that Live shows: a new name, runs that go to the Trash and come
// back.
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/live/live_page.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

namespace test_live_library {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestLiveLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init() {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        SyntheticStudy study = studyOf(equivalentCase());
        study.lastState = RunState::Stopped;
        m_runs = m_fixture->add(study);
        m_page = std::make_unique<LivePage>(m_fixture->services());
        m_page->resize(1240, 780);
        m_page->show();
        m_page->showStudy(QString::fromStdString(m_runs.study));
        QTRY_VERIFY(resume()->isVisible());
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void whatIsInTheTrashIsNotResumed() {
        const QStringList stopped{QString::fromStdString(m_runs.groupB.back())};
        edits().moveToTrash(stopped);
        QTRY_VERIFY(!resume()->isVisible());
        edits().stack().undo();
        QTRY_VERIFY(resume()->isVisible());
        QSignalSpy asked(m_page.get(), &LivePage::resumeRequested);
        resume()->click();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].toStringList(), stopped);
    }

    /// Moved away and deleted while another page is in front.
    void whatIsGoneIsNotResumed() {
        m_page->hide();
        edits().moveToTrash({QString::fromStdString(m_runs.groupB.back())});
        edits().emptyTrash({QString::fromStdString(m_runs.groupB.back())});
        QTRY_VERIFY(m_fixture->services().library.idle());
        m_page->show();
        m_page->activated();
        QTRY_VERIFY(!resume()->isVisible());
    }

    void anArmInTheTrashIsNotCompared() {
        const auto* compare = child<QPushButton>(*m_page, "liveCompare");
        QTRY_VERIFY(compare->isVisible());
        edits().moveToTrash(qtList(m_runs.groupB));
        QTRY_VERIFY(!compare->isVisible());
        edits().stack().undo();
        QTRY_VERIFY(compare->isVisible());
    }

    void theTitleIsTheNameOfNow() {
        const auto* title = child<QLabel>(*m_page, "liveStudy");
        edits().renameStudy(QString::fromStdString(m_runs.study), title->text(), QStringLiteral("renamed"));
        QTRY_COMPARE(title->text(), QStringLiteral("renamed"));
    }

private:
    [[nodiscard]] LibraryEdits& edits() { return m_fixture->services().session.edits; }
    [[nodiscard]] QPushButton* resume() { return child<QPushButton>(*m_page, "liveResumeStudy"); }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LivePage> m_page;
    SyntheticRuns m_runs;
};

QTEST_MAIN(TestLiveLibrary)
} // namespace test_live_library
#include "test_live_library.moc"
