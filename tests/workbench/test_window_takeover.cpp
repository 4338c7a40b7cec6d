// SPDX-License-Identifier: GPL-3.0-or-later
// What a person is in the middle of while a window in another language takes over, and what the old one had to say.
#include "tests/workbench/workbench_fixture.h"
#include "widgets/style/controls.h"
#include "widgets/style/number_box.h"

#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QTableView>
#include <memory>

namespace test_window_takeover {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

const QString chinese = QStringLiteral("zh_CN");

QString noticeOf(WorkbenchFixture& fixture, const char* bar) {
    const auto* notice = fixture.find<NoticeBar>(bar);
    const auto* text = notice->findChild<QLabel*>(QStringLiteral("noticeText"));
    return notice->isHidden() || !text ? QString() : text->text();
}

} // namespace

class TestWindowTakeover : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itWaitsForADialogAndAMenu_data() {
        QTest::addColumn<bool>("menu");
        QTest::newRow("dialog") << false;
        QTest::newRow("menu") << true;
    }

    /// Both run events of their own, and whoever opened them goes on in the window that is there.
    void itWaitsForADialogAndAMenu() {
        QFETCH(bool, menu);
        WorkbenchFixture fixture;
        const QPointer<MainWindow> before = &fixture.window();
        fixture.workbench().setLanguage(chinese);
        std::unique_ptr<QWidget> box;
        if (menu) {
            auto popup = std::make_unique<QMenu>(before);
            popup->addAction(QStringLiteral("one"));
            popup->popup(before->mapToGlobal(QPoint(50, 50)));
            box = std::move(popup);
        } else {
            auto dialog = std::make_unique<QDialog>(before);
            dialog->open();
            box = std::move(dialog);
        }
        QTRY_VERIFY(box->isVisible());
        QTest::qWait(1500); // longer than a window takes; nothing tells that nothing happens
        QVERIFY(before && before->isVisible() && &fixture.window() == before);
        box->hide();
        box.reset();
        QTRY_VERIFY_WITH_TIMEOUT(&fixture.window() != before, patience);
        QTRY_VERIFY_WITH_TIMEOUT(!before, patience);
    }

    /// The one that is there keeps its words and its fields until then.
    void whoTypesIsNotInterrupted() {
        WorkbenchFixture fixture;
        fixture.window().showPage(QStringLiteral("setup"));
        QPointer<NumberBox> rate = fixture.find<NumberBox>("setup.optimizer.lr");
        rate->setFocus();
        QTRY_VERIFY(rate->hasFocus());
        fixture.workbench().setLanguage(chinese);
        QCoreApplication::processEvents();
        rate->selectAll();
        QTest::keyClicks(rate, QStringLiteral("0.0"));
        QCoreApplication::processEvents(); // one page more of the next
        QVERIFY(rate && rate->hasFocus());
        QTest::keyClicks(rate, QStringLiteral("25"));
        QVERIFY(rate && rate->hasFocus());
        const MainWindow* before = &fixture.window();
        QTRY_VERIFY_WITH_TIMEOUT(&fixture.window() != before, patience);
        QCOMPARE(fixture.find<NumberBox>("setup.optimizer.lr")->text(), QStringLiteral("0.025"));
    }

    void columnsMovedMeanwhileAreKept() {
        WorkbenchFixture fixture;
        fixture.window().showPage(QStringLiteral("library"));
        fixture.workbench().setLanguage(chinese);
        const MainWindow* before = &fixture.window();
        fixture.find<QTableView>("runTable")->horizontalHeader()->resizeSection(0, 333);
        QTRY_VERIFY_WITH_TIMEOUT(&fixture.window() != before, patience);
        QCOMPARE(fixture.find<QTableView>("runTable")->horizontalHeader()->sectionSize(0), 333);
    }

    void anErrorIsToldInTheOtherLanguage() {
        WorkbenchFixture fixture;
        const Error error = failure("file.open", {{"file", "/there/it.is"}, {"reason", "gone"}}).value();
        fixture.window().showError(error);
        const QString english = noticeOf(fixture, "windowNotice");
        QVERIFY(english.contains(QStringLiteral("/there/it.is")));
        fixture.setLanguage(chinese);
        const QString words = noticeOf(fixture, "windowNotice");
        QVERIFY2(words.contains(QStringLiteral("/there/it.is")) && words != english, qPrintable(words));
        // One that was closed does not come back.
        fixture.find<NoticeBar>("windowNotice")->clear();
        fixture.setLanguage(QStringLiteral("en"));
        QCOMPARE(noticeOf(fixture, "windowNotice"), QString());
    }

    /// Its button leads to the arms also from there.
    void theEndOfAStudyIsToldInTheOtherLanguage() {
        WorkbenchFixture fixture;
        ExperimentConfig experiment = tinyExperiment();
        experiment.study.largeBatch = true;
        fixture.workbench().runs().start(experiment);
        QTRY_VERIFY_WITH_TIMEOUT(!noticeOf(fixture, "finishedNotice").isEmpty(), patience);
        const QString english = noticeOf(fixture, "finishedNotice");
        fixture.setLanguage(chinese);
        const QString words = noticeOf(fixture, "finishedNotice");
        QVERIFY2(!words.isEmpty() && words != english, qPrintable(words));
        auto* button = fixture.find<NoticeBar>("finishedNotice")->findChild<QPushButton*>();
        QVERIFY(button->isVisible());
        button->click();
        QTRY_COMPARE_WITH_TIMEOUT(fixture.window().currentPage(), QStringLiteral("compare"), patience);
    }
};

QTEST_MAIN(TestWindowTakeover)
} // namespace test_window_takeover
#include "test_window_takeover.moc"
