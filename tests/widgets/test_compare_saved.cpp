// SPDX-License-Identifier: GPL-3.0-or-later
// What a person keeps and changes on the Compare page: saved comparisons, the last one, groups, more seeds.
#include "widgets/pages/compare/compare_page.h"

#include "core/base/clock.h"
#include "tests/support/numeric.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/group_model.h"
#include "widgets/models/saved_comparison_model.h"
#include "widgets/models/saved_comparisons.h"
#include "widgets/style/controls.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareSaved : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void aSavedOneComesBackAsItWas();
    void renamingAndDeletingCanBeUndone();
    void aReadOnlyLibraryKeepsNothing();
    void deletedRunsAreNamed();
    void anotherMarginThanTheSavedOneIsTold();
    void whatIsStillReadIsNotSaved();
    void whatCannotBeReadIsNotAskedFor();
    void runsInTheTrashDoNotCount();
    void whatWasComparedLastComesBack();
    void ofAnotherLibraryNothingComesBack();
    void runsArePutIntoGroupsAndTakenOut();
    void theFilterFindsRuns();
    void anEmptyGroupComparesNothing();
    void moreSeedsEndOnAllSeeds();
    void otherQuestionsAreNotPooled();
    void theFacesFitTheirPage_data();
    void theFacesFitTheirPage();

private:
    void start() {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        makePage();
    }
    /// As after a restart: nothing is kept but the library and the settings.
    void makePage() {
        m_page.reset();
        m_page = std::make_unique<ComparePage>(m_fixture->services());
        m_page->resize(1110, 690);
        m_page->show();
        m_page->activateWindow(); // keys go to the widget with the focus
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        m_page->activated();
    }
    void showCase(const VerdictCase& verdictCase) {
        start();
        m_runs = m_fixture->add(studyOf(verdictCase));
        m_page->compareStudy(QString::fromStdString(m_runs.study));
        QVERIFY(waitUntilShown(verdictCase.a.size()));
    }
    [[nodiscard]] QString text(const char* name) const {
        const auto* label = child<QLabel>(*m_page, name);
        return label == nullptr ? QString() : label->text();
    }
    [[nodiscard]] bool waitUntilShown(std::size_t pairs) const {
        const auto* table = child<QTableView>(*m_page, "compare.seedTable");
        const int rows = pairs > 0 ? static_cast<int>(pairs) + 1 : 0;
        return QTest::qWaitFor([&] { return table->model()->rowCount() == rows; }, 10'000) &&
               QTest::qWaitFor([&] { return child<QScrollArea>(*m_page, "compare.scroll")->isVisible(); }, 10'000);
    }
    void click(const char* name) const {
        auto* button = child<QPushButton>(*m_page, name);
        QVERIFY2(button->isVisible() && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }
    void choose(const char* box, const QString& shown) const {
        auto* combo = child<QComboBox>(*m_page, box);
        combo->setCurrentIndex(combo->findText(shown));
        QCOMPARE(combo->currentText(), shown);
        Q_EMIT combo->activated(combo->currentIndex());
    }
    void typeMargin(const char* typed) const {
        auto* margin = child<QDoubleSpinBox>(*m_page, "compare.margin");
        margin->setFocus();
        margin->selectAll();
        QTest::keyClicks(margin, QString::fromLatin1(typed));
        QTest::keyClick(margin, Qt::Key_Return);
        QTRY_VERIFY(text("compare.marginNote").startsWith("Margin changed after the results were seen"));
    }
    /// Saves what is compared and takes the name that is offered.
    void save() const {
        const int before = savedModel()->rowCount();
        click("compare.save");
        QTRY_COMPARE(savedModel()->rowCount(), before + 1);
        QTRY_VERIFY(nameEditor() != nullptr);
        QTest::keyClick(nameEditor(), Qt::Key_Escape);
        QTRY_VERIFY(nameEditor() == nullptr);
    }
    /// Null while no name is being typed.
    [[nodiscard]] QLineEdit* nameEditor() const {
        for (auto* editor : child<QTableView>(*m_page, "compare.savedTable")->findChildren<QLineEdit*>())
            if (editor->isVisible())
                return editor;
        return nullptr;
    }
    [[nodiscard]] SavedComparisonModel* savedModel() const {
        return qobject_cast<SavedComparisonModel*>(child<QTableView>(*m_page, "compare.savedTable")->model());
    }
    [[nodiscard]] std::vector<ComparisonRecord> stored() const {
        RunReader reader(Library::open(m_fixture->file(), Library::Mode::Read).value());
        return savedComparisons(reader).value();
    }
    [[nodiscard]] ComparisonRequest request() const { return m_page->state().value<ComparisonRequest>(); }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ComparePage> m_page;
    SyntheticRuns m_runs;
};

void TestCompareSaved::aSavedOneComesBackAsItWas() {
    showCase(equivalentCase());
    typeMargin("0.05");
    QTRY_COMPARE(text("compare.verdictWord"), QString("Inconclusive"));
    choose("compare.axis", "Updates");
    choose("compare.band", "mean ± SE");
    QTRY_VERIFY(text("compare.curvesNote").contains("mean ± SE"));
    QTRY_VERIFY(text("compare.curvesNote").contains("at equal updates"));
    const double typedAt = request().marginSetAt;
    QVERIFY(std::abs(typedAt - unixTime()) < 60.0);
    save();

    QCOMPARE(stored().size(), std::size_t{1});
    const ComparisonRecord record = stored().front();
    QVERIFY2(record.name.find("32 × 8 against large batch 256 × 1") != std::string::npos, record.name.c_str());
    QCOMPARE(record.groupA, m_runs.groupA);
    QCOMPARE(record.groupB, m_runs.groupB);
    QCOMPARE(record.metric, std::string("test_accuracy"));
    QVERIFY(compareRel(record.margin, 0.0005, 1e-12));
    QVERIFY(record.ownMargin && record.marginAfterResults);
    QVERIFY(compareBits(record.marginSetAt, typedAt));
    QCOMPARE(record.axis, std::string("updates"));
    QCOMPARE(record.band, std::string("se"));
    const QString note = savedModel()->index(0, SavedComparisonModel::Margin).data().toString();
    QVERIFY2(note.contains(QString::fromUtf8("0.05\u00A0points")) && note.contains("after the results were seen"),
             qPrintable(note));
    takePicture(*m_page, "compare-saved");

    // Everything is changed, and the saved one is opened again.
    click("compare.saved");
    click("compare.marginReset");
    QTRY_VERIFY(text("compare.verdictWord").startsWith("Equivalent"));
    choose("compare.axis", "Samples");
    click("compare.swap");
    QTRY_VERIFY(text("compare.curvesNote").contains("at equal samples"));
    click("compare.saved");
    child<QTableView>(*m_page, "compare.savedTable")->selectRow(0);
    click("compare.savedOpen");
    QTRY_COMPARE(text("compare.verdictWord"), QString("Inconclusive"));
    QVERIFY(child<QScrollArea>(*m_page, "compare.scroll")->isVisible());
    QVERIFY(compareAbs(child<QDoubleSpinBox>(*m_page, "compare.margin")->value(), 0.05, 1e-9));
    QVERIFY(text("compare.marginNote").startsWith("Margin changed after the results were seen"));
    QTRY_COMPARE(child<QComboBox>(*m_page, "compare.axis")->currentText(), QString("Updates"));
    QCOMPARE(child<QComboBox>(*m_page, "compare.band")->currentText(), QString::fromUtf8("mean ± SE"));
    QCOMPARE(request().groupA, qtList(m_runs.groupA));
    // The report is told when the margin was set: not when it was opened.
    QSignalSpy report(m_page.get(), &ComparePage::reportRequested);
    click("compare.report");
    QVERIFY(compareBits(report[0][0].value<ComparisonRequest>().marginSetAt, typedAt));
}

void TestCompareSaved::renamingAndDeletingCanBeUndone() {
    showCase(equivalentCase());
    save();
    const ComparisonRecord record = stored().front();
    const QAbstractItemModelTester tester(savedModel());
    auto* table = child<QTableView>(*m_page, "compare.savedTable");
    table->selectRow(0);
    click("compare.savedRename");
    QTRY_VERIFY(nameEditor() != nullptr);
    QLineEdit* name = nameEditor();
    name->selectAll();
    QTest::keyClicks(name, "first try");
    QTest::keyClick(name, Qt::Key_Return);
    QTRY_COMPARE(stored().front().name, std::string("first try"));
    QTRY_COMPARE(savedModel()->index(0, 0).data().toString(), QString("first try"));
    // Saved once more, it stands beside the first.
    click("compare.saved");
    save();
    QCOMPARE(stored().size(), std::size_t{2});

    const std::string gone = savedModel()->records()[0].id;
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Delete);
    QTRY_COMPARE(stored().size(), std::size_t{1});
    auto* toast = child<NoticeBar>(*m_page, "compare.toast");
    QTRY_VERIFY(toast->isVisible());
    QTRY_COMPARE(savedModel()->rowCount(), 1);
    QTest::mouseClick(child<QPushButton>(*toast, "noticeAction"), Qt::LeftButton);
    QTRY_COMPARE(stored().size(), std::size_t{2});
    QVERIFY(std::ranges::any_of(stored(), [&](const ComparisonRecord& one) { return one.id == gone; }));
    QVERIFY(!toast->isVisible());
    QTRY_COMPARE(savedModel()->rowCount(), 2);
    // Runs are untouched all the while.
    RunReader reader(Library::open(m_fixture->file(), Library::Mode::Read).value());
    QCOMPARE(reader.runs().value().size(), std::size_t{10});
    QVERIFY(record.id != gone);
}

void TestCompareSaved::aReadOnlyLibraryKeepsNothing() {
    showCase(equivalentCase());
    save();
    const Services own = m_fixture->services();
    LibraryGateway second; // the first holds the library
    QVERIFY(second.open(m_fixture->file()));
    QVERIFY(second.readOnly());
    ComparePage page({own.theme, second, own.runs});
    page.resize(1110, 690);
    page.show();
    page.compareStudy(QString::fromStdString(m_runs.study));
    page.activated();
    auto* table = child<QTableView>(page, "compare.savedTable");
    QTRY_COMPARE(table->model()->rowCount(), 1);
    QTRY_VERIFY(child<QScrollArea>(page, "compare.scroll")->isVisible());
    QVERIFY(!child<QPushButton>(page, "compare.save")->isEnabled());
    QTest::mouseClick(child<QPushButton>(page, "compare.saved"), Qt::LeftButton);
    table->selectRow(0);
    QVERIFY(child<QPushButton>(page, "compare.savedOpen")->isEnabled());
    QVERIFY(!child<QPushButton>(page, "compare.savedRename")->isEnabled());
    QVERIFY(!child<QPushButton>(page, "compare.savedDelete")->isEnabled());
    QVERIFY((table->model()->flags(table->model()->index(0, 0)) & Qt::ItemIsEditable) == 0);
}

void TestCompareSaved::deletedRunsAreNamed() {
    showCase(equivalentCase());
    save();
    click("compare.saved");
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(store.moveToTrash(std::vector{m_runs.groupA[1]}, unixTime()));
    QCOMPARE(store.emptyTrash().value().removed, std::int64_t{1});
    click("compare.saved");
    child<QTableView>(*m_page, "compare.savedTable")->selectRow(0);
    click("compare.savedOpen");
    QVERIFY(waitUntilShown(4));
    const QString left = text("compare.unpaired");
    QVERIFY2(left.contains(
                 QString("Run %1 was deleted from the library.").arg(QString::fromStdString(m_runs.groupA[1]).left(8))),
             qPrintable(left));
    QVERIFY2(left.contains("seed 1") && left.contains("no partner"), qPrintable(left));
}

void TestCompareSaved::anotherMarginThanTheSavedOneIsTold() {
    showCase(equivalentCase());
    save();
    auto* bar = child<NoticeBar>(*m_page, "compare.savedMargin");
    const auto openSaved = [this] {
        if (!child<QPushButton>(*m_page, "compare.saved")->isChecked())
            click("compare.saved");
        child<QTableView>(*m_page, "compare.savedTable")->selectRow(0);
        click("compare.savedOpen");
    };
    openSaved();
    QVERIFY(waitUntilShown(5));
    QVERIFY(!bar->isVisible()); // the study's, then as now

    // As if the study had had another margin when it was saved.
    ComparisonRecord record = stored().front();
    QVERIFY(!record.ownMargin);
    record.margin = 0.0005;
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(putComparison(store, record));
    m_page->activated();
    QTRY_VERIFY(savedModel()->records().front().margin < 0.001);
    openSaved();
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->accessibleName().contains(QString::fromUtf8("±0.05\u00A0points; ±1")),
             qPrintable(bar->accessibleName()));
    QVERIFY(text("compare.verdictWord").startsWith("Equivalent"));
    QTest::mouseClick(child<QPushButton>(*bar, "noticeAction"), Qt::LeftButton);
    QTRY_COMPARE(text("compare.verdictWord"), QString("Inconclusive"));
    QVERIFY(compareRel(request().margin.value(), 0.0005, 1e-12));
    QVERIFY(compareBits(request().marginSetAt, record.marginSetAt));
    QTRY_VERIFY(!bar->isVisible());
    QVERIFY(!text("compare.marginNote").contains("changed after"));
}

void TestCompareSaved::whatIsStillReadIsNotSaved() {
    showCase(equivalentCase());
    for (const char* button : {"compare.save", "compare.report"})
        QVERIFY(child<QPushButton>(*m_page, button)->isEnabled());
    auto* margin = child<QDoubleSpinBox>(*m_page, "compare.margin");
    margin->setFocus();
    margin->selectAll();
    QTest::keyClicks(margin, "0.05");
    QTest::keyClick(margin, Qt::Key_Return);
    for (const char* button : {"compare.save", "compare.report"}) // its answer is on its way
        QVERIFY(!child<QPushButton>(*m_page, button)->isEnabled());
    QTRY_COMPARE(text("compare.verdictWord"), QString("Inconclusive"));
    save();
    QVERIFY(stored().front().ownMargin && compareRel(stored().front().margin, 0.0005, 1e-12));
}

void TestCompareSaved::whatCannotBeReadIsNotAskedFor() {
    showCase(equivalentCase());
    const ComparisonRequest before = request();
    m_page->compareGroups({"no such run"}, {"nor such a one"});
    QVERIFY(!child<QPushButton>(*m_page, "compare.save")->isEnabled());
    QTRY_VERIFY(child<NoticeBar>(*m_page, "compare.notice")->isVisible());
    QVERIFY(request() == before); // as on screen
    QVERIFY(child<QScrollArea>(*m_page, "compare.scroll")->isVisible());
    save();
    QCOMPARE(stored().front().groupA, m_runs.groupA);
}

void TestCompareSaved::runsInTheTrashDoNotCount() {
    showCase(equivalentCase());
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(store.moveToTrash(std::vector{m_runs.groupA[1]}, unixTime()));
    m_page->activated();
    QVERIFY(waitUntilShown(4));
    const QString left = text("compare.unpaired");
    QVERIFY2(left.contains(QString("Run %1 is in the Trash.").arg(QString::fromStdString(m_runs.groupA[1]).left(8))),
             qPrintable(left));
    QVERIFY(store.restoreFromTrash(std::vector{m_runs.groupA[1]}));
    m_page->activated();
    QVERIFY(waitUntilShown(5));
    QVERIFY(!text("compare.unpaired").contains("Trash"));
}

void TestCompareSaved::whatWasComparedLastComesBack() {
    showCase(equivalentCase());
    typeMargin("0.05");
    choose("compare.axis", "Epochs");
    QTRY_VERIFY(text("compare.curvesNote").contains("at equal epochs"));
    click("compare.swap");
    QTRY_VERIFY(text("compare.groupA").contains("large batch"));
    const double typedAt = request().marginSetAt;

    makePage();
    QVERIFY(waitUntilShown(5));
    QCOMPARE(text("compare.verdictWord"), QString("Inconclusive"));
    QVERIFY(text("compare.groupA").contains("large batch"));
    QVERIFY(compareBits(request().marginSetAt, typedAt));
    QVERIFY(compareRel(request().margin.value(), 0.0005, 1e-12));
    QCOMPARE(child<QComboBox>(*m_page, "compare.axis")->currentText(), QString("Epochs"));

    // Where its runs are gone there is nothing to say about it.
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(store.moveToTrash(m_runs.groupA, unixTime()));
    QCOMPARE(store.emptyTrash().value().removed, std::int64_t{5});
    makePage();
    QTRY_VERIFY(request().groupA.isEmpty());
    QVERIFY(child<EmptyState>(*m_page, "compare.empty")->isVisible());
    QVERIFY(!child<NoticeBar>(*m_page, "compare.notice")->isVisible());
}

void TestCompareSaved::ofAnotherLibraryNothingComesBack() {
    showCase(equivalentCase());
    QTRY_VERIFY(lastCompared(m_fixture->file()).has_value());
    QVERIFY(!lastCompared(m_fixture->path("other.sqlite").toStdString()).has_value());
}

void TestCompareSaved::runsArePutIntoGroupsAndTakenOut() {
    showCase(equivalentCase());
    typeMargin("0.7");
    SyntheticStudy other = studyOf(equivalentCase());
    other.name = "other rate";
    other.learningRate = 0.1;
    other.createdAt += 1000.0;
    const SyntheticRuns more = m_fixture->add(other);
    click("compare.editGroups");
    auto* table = child<QTableView>(*m_page, "compare.runTable");
    QTRY_COMPARE(table->model()->rowCount(), 20);
    QVERIFY(table->isVisible());
    auto* model = m_page->findChild<GroupModel*>();
    const QAbstractItemModelTester tester(model);
    QCOMPARE(text("compare.groupCounts"), QString::fromUtf8("A: 5 run(s)   ·   B: 5 run(s)"));
    // Members stand first.
    for (int row = 0; row < 10; ++row)
        QCOMPARE(table->model()->index(row, GroupModel::Group).data().toString(), QString(row < 5 ? "A" : "B"));
    QVERIFY(table->model()->index(10, GroupModel::Group).data().toString().isEmpty());
    const auto rowOf = [&](const std::string& run) {
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->run(row).id == run)
                return row;
        return -1;
    };
    takePicture(*m_page, "compare-groups");

    table->setFocus();
    table->selectRow(rowOf(m_runs.groupB[4]));
    QTest::keyClick(table, Qt::Key_Delete);
    QTRY_COMPARE(request().groupB.size(), 4);
    QTRY_VERIFY2(text("compare.editorLeftOut").contains("seed 4") &&
                     text("compare.editorLeftOut").contains("no partner"),
                 qPrintable(text("compare.editorLeftOut")));
    // The other study's seed 4 takes its place: another rate, so a warning.
    table->selectRow(rowOf(more.groupB[4]));
    click("compare.intoB");
    QTRY_COMPARE(request().groupB.last(), QString::fromStdString(more.groupB[4]));
    QTRY_VERIFY(!child<QLabel>(*m_page, "compare.editorLeftOut")->isVisible());
    click("compare.groupsDone");
    QVERIFY(waitUntilShown(5));
    auto* banner = child<NoticeBar>(*m_page, "compare.banner");
    QTRY_VERIFY2(banner->isVisible() &&
                     banner->accessibleName().contains("Inside a group the runs differ in: optimizer.lr"),
                 qPrintable(banner->accessibleName()));
    // The margin stays: another run is no other question.
    QVERIFY(compareRel(request().margin.value(), 0.007, 1e-9));

    // One run is in one group at most.
    click("compare.editGroups");
    table->setFocus();
    table->selectRow(rowOf(m_runs.groupA[0]));
    QTest::keyClick(table, Qt::Key_B);
    QTRY_COMPARE(request().groupA.size(), 4);
    QCOMPARE(request().groupB.size(), 6);
    QTest::keyClick(table, Qt::Key_A);
    QTRY_COMPARE(request().groupA.size(), 5);
    QCOMPARE(request().groupB.size(), 5);
}

void TestCompareSaved::theFilterFindsRuns() {
    showCase(equivalentCase());
    click("compare.editGroups");
    auto* table = child<QTableView>(*m_page, "compare.runTable");
    QTRY_COMPARE(table->model()->rowCount(), 10);
    auto* filter = child<QLineEdit>(*m_page, "compare.runFilter");
    QVERIFY(filter->hasFocus());
    QTest::keyClicks(filter, "LARGE 256");
    QCOMPARE(table->model()->rowCount(), 5);
    for (int row = 0; row < 5; ++row)
        QCOMPARE(table->model()->index(row, GroupModel::Arm).data().toString(), QString("large batch"));
    QTest::keyClicks(filter, " nothing");
    QCOMPARE(table->model()->rowCount(), 0);
    QVERIFY(!child<QPushButton>(*m_page, "compare.intoA")->isEnabled());
    QCOMPARE(request().groupA.size(), 5); // what is hidden stays in its group
}

void TestCompareSaved::anEmptyGroupComparesNothing() {
    showCase(equivalentCase());
    click("compare.editGroups");
    auto* table = child<QTableView>(*m_page, "compare.runTable");
    QTRY_COMPARE(table->model()->rowCount(), 10);
    table->selectAll();
    click("compare.takeOut");
    QTRY_VERIFY(request().groupA.isEmpty() && request().groupB.isEmpty());
    click("compare.groupsDone");
    QTRY_VERIFY(child<EmptyState>(*m_page, "compare.empty")->isVisible());
    QVERIFY(!child<QPushButton>(*m_page, "compare.report")->isEnabled());
    QVERIFY(!child<QPushButton>(*m_page, "compare.save")->isEnabled());
}

void TestCompareSaved::moreSeedsEndOnAllSeeds() {
    showCase(inconclusiveCase());
    QSignalSpy asked(m_page.get(), &ComparePage::moreSeedsRequested);
    click("compare.moreSeeds");
    QCOMPARE(asked.count(), 1);
    const auto experiment = asked[0][0].value<ExperimentConfig>();

    // The study begins and is in the library; its last run still trains.
    SyntheticStudy more = studyOf(inconclusiveCase());
    more.name = experiment.study.name;
    more.seedsA = more.seedsB = experiment.study.seeds;
    more.finalA = {0.90, 0.91, 0.92};
    more.finalB = {0.91, 0.90, 0.92};
    more.createdAt += 86'400.0;
    more.lastState = RunState::Running;
    const SyntheticRuns runs = m_fixture->add(more);
    StudyRecord started;
    started.id = runs.study;
    started.name = experiment.study.name;
    started.config = experiment.study;
    Q_EMIT m_fixture->services().runs.studyStarted(started);
    m_page->activated(); // the person comes back to the page
    QVERIFY(waitUntilShown(7));
    QCOMPARE(request().groupA.size(), 8);
    QCOMPARE(text("compare.pairsDone"), QString("7 of 8 pair(s) done; the verdict is of these."));
    QVERIFY(child<QLabel>(*m_page, "compare.pairsDone")->isVisible());
    auto* banner = child<NoticeBar>(*m_page, "compare.banner");
    QTRY_VERIFY2(banner->accessibleName().contains("Seeds were added after results had been seen"),
                 qPrintable(banner->accessibleName()));
    QVERIFY(text("compare.marginNote").startsWith("Margin fixed on")); // that of the first study
    takePicture(*m_page, "compare-more-seeds");

    // After a restart, and from "Compare arms" of either study.
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    RunSummary summary;
    summary.testAccuracy = 0.92;
    QVERIFY(store.finishRun(runs.groupB.back(), RunState::Completed, summary, more.createdAt + 100.0).has_value());
    makePage();
    QVERIFY(waitUntilShown(8));
    QVERIFY(!child<QLabel>(*m_page, "compare.pairsDone")->isVisible());
    for (const std::string& study : {m_runs.study, runs.study}) {
        m_page->compareGroups(qtList(m_runs.groupA), qtList(m_runs.groupB));
        QVERIFY(waitUntilShown(5));
        m_page->compareStudy(QString::fromStdString(study));
        QVERIFY(waitUntilShown(8));
    }
}

void TestCompareSaved::otherQuestionsAreNotPooled() {
    showCase(equivalentCase());
    SyntheticStudy other = studyOf(equivalentCase());
    other.seedsA = other.seedsB = {5, 6, 7, 8, 9};
    other.createdAt += 86'400.0;
    const auto pairsWith = [&](const SyntheticStudy& added) {
        const SyntheticRuns runs = m_fixture->add(added);
        RunReader reader(Library::open(m_fixture->file(), Library::Mode::Read).value());
        return loadStudyArms(reader, QString::fromStdString(runs.study)).value().groupA.size();
    };
    SyntheticStudy margin = other;
    margin.name = "margin";
    margin.margin = 0.02;
    QCOMPARE(pairsWith(margin), 5);
    SyntheticStudy rate = other;
    rate.name = "rate";
    rate.learningRate = 0.1;
    QCOMPARE(pairsWith(rate), 5);
    SyntheticStudy repeated = other;
    repeated.name = "repeated";
    repeated.seedsA = repeated.seedsB = {4, 5, 6, 7, 8}; // seed 4 was asked before
    QCOMPARE(pairsWith(repeated), 5);
}

void TestCompareSaved::theFacesFitTheirPage_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::newRow("light, 1280 x 720") << false << QSize(1110, 640);
    QTest::newRow("dark, 1600 x 1000") << true << QSize(1430, 920);
    QTest::newRow("light, narrow") << false << QSize(790, 640);
}

void TestCompareSaved::theFacesFitTheirPage() {
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    showCase(equivalentCase());
    m_fixture->theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
    m_page->resize(size);
    QVERIFY2(m_page->minimumSizeHint().width() <= size.width(),
             qPrintable(QString::number(m_page->minimumSizeHint().width())));
    save();
    const QString name = QString(QTest::currentDataTag()).replace(", ", "-").replace(' ', '-');
    takePicture(*m_page, "compare-saved-" + name);
    click("compare.editGroups");
    QTRY_COMPARE(child<QTableView>(*m_page, "compare.runTable")->model()->rowCount(), 10);
    QVERIFY(!child<QPushButton>(*m_page, "compare.saved")->isChecked()); // one face at a time
    QVERIFY(!child<QTableView>(*m_page, "compare.savedTable")->isVisible());
    takePicture(*m_page, "compare-groups-" + name);
}

QTEST_MAIN(TestCompareSaved)
#include "test_compare_saved.moc"
