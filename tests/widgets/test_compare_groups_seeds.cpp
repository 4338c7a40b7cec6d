// SPDX-License-Identifier: GPL-3.0-or-later
// "Add 3 seeds" in a comparison of several groups: what is trained, and which groups get it, whatever happens until
// then.
#include "tests/widgets/three_groups.h"

namespace test_compare_groups_seeds {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareGroupsSeeds : public QObject, protected ThreeGroups {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() { closePage(); }

    void moreSeedsOfAPairOfTwoStudiesFormPairs();
    void seedsThatWaitInTheQueueFindTheirGroups();
    void seedsReachTheirGroupsWhereTheirStudyIsShown();
    void withoutTheSameSettingsThereAreNoMoreSeeds();
};

void TestCompareGroupsSeeds::moreSeedsOfAPairOfTwoStudiesFormPairs() {
    startWithThree();
    family()->selectRow(1);
    QSignalSpy asked(m_page.get(), &ComparePage::moreSeedsRequested);
    child<QPushButton>(*m_page, "compare.moreSeeds")->click();
    QCOMPARE(asked.count(), 1);
    const auto experiment = asked[0][0].value<ExperimentConfig>();
    QCOMPARE(experiment.run.batch.micro, std::int64_t{64});
    QVERIFY(compareBits(experiment.study.margin, 0.01)); // by which all are judged: of A and B
    QCOMPARE(experiment.study.seeds, (std::vector<std::int64_t>{5, 6, 7}));

    SyntheticStudy more = studyOf(differentCase());
    more.name = experiment.study.name;
    more.micro = 64;
    const QString question = text("compare.marginNote");
    more.margin = experiment.study.margin;
    more.seedsA = more.seedsB = experiment.study.seeds;
    more.finalA = {0.9715, 0.9741, 0.9702};
    more.finalB = {0.9212, 0.9245, 0.9198};
    more.createdAt += 86'400.0;
    const SyntheticRuns runs = m_fixture->add(more);
    m_fixture->begin(runs, experiment.study);
    m_page->activated(); // the person comes back to the page
    QTRY_COMPARE(request().further.value(0), qtList(m_second.groupA) + qtList(runs.groupA));
    QCOMPARE(request().groupB, qtList(m_first.groupB) + qtList(runs.groupB));
    QCOMPARE(request().groupA, qtList(m_first.groupA));
    QTRY_COMPARE(verdict(1, GroupVerdictModel::Pairs), QString("8"));
    QCOMPARE(verdict(0, GroupVerdictModel::Pairs), QString("5"));
    QCOMPARE(family()->currentIndex().row(), 1); // the card stays that of the pair
    QCOMPARE(text("compare.marginNote"), question);
    m_page->undo();
    QCOMPARE(request().groupB, qtList(m_first.groupB));
}

/// Two rows ask, one after the other, before the first of them trains; and another page comes in between.
void TestCompareGroupsSeeds::seedsThatWaitInTheQueueFindTheirGroups() {
    startWithThree();
    std::vector<ExperimentConfig> asked;
    for (const int row : {0, 1}) {
        family()->selectRow(row);
        QSignalSpy spy(m_page.get(), &ComparePage::moreSeedsRequested);
        child<QPushButton>(*m_page, "compare.moreSeeds")->click();
        asked.push_back(spy.at(0).at(0).value<ExperimentConfig>());
    }
    const QVariant state = m_page->state();
    m_page = std::make_unique<ComparePage>(m_fixture->services()); // as in another language
    m_page->resize(1110, 690);
    m_page->show();
    m_page->setState(state);
    std::vector<SyntheticRuns> trained;
    for (const std::size_t i : {0U, 1U}) {
        SyntheticStudy more = studyOf(i == 0 ? equivalentCase() : differentCase());
        more.name = asked[i].study.name;
        more.micro = i == 0 ? more.micro : 64;
        more.margin = asked[i].study.margin;
        more.seedsA = more.seedsB = asked[i].study.seeds;
        more.finalA.resize(3);
        more.finalB.resize(3);
        more.createdAt += 86'400.0 * static_cast<double>(i + 1);
        trained.push_back(m_fixture->add(more));
        m_fixture->begin(trained.back(), asked[i].study);
        m_page->activated();
        if (i == 0)
            QTRY_VERIFY(request().groupA.size() == 8);
    }
    QTRY_COMPARE(request().further.value(0).size(), 8);
    QVERIFY(request().further.value(0).contains(QString::fromStdString(trained[1].groupA.front())));
}

/// "Compare arms" of the study that trained them is one way to go back.
void TestCompareGroupsSeeds::seedsReachTheirGroupsWhereTheirStudyIsShown() {
    startWithThree();
    family()->selectRow(1);
    QSignalSpy asked(m_page.get(), &ComparePage::moreSeedsRequested);
    child<QPushButton>(*m_page, "compare.moreSeeds")->click();
    const auto experiment = asked.at(0).at(0).value<ExperimentConfig>();
    SyntheticStudy more = studyOf(differentCase());
    more.name = experiment.study.name;
    more.micro = 64;
    more.margin = experiment.study.margin;
    more.seedsA = more.seedsB = experiment.study.seeds;
    more.finalA.resize(3);
    more.finalB.resize(3);
    more.createdAt += 86'400.0;
    const SyntheticRuns runs = m_fixture->add(more);
    m_fixture->begin(runs, experiment.study);
    m_page->compareStudy(QString::fromStdString(runs.study));
    m_page->activated();
    QTRY_COMPARE(request().further.value(0), qtList(m_second.groupA) + qtList(runs.groupA));
    QCOMPARE(request().groupA, qtList(m_first.groupA));
    m_page->compareStudy(QString::fromStdString(runs.study)); // nobody waits any more
    QTRY_COMPARE(request().groupA, qtList(runs.groupA));
}

void TestCompareGroupsSeeds::withoutTheSameSettingsThereAreNoMoreSeeds() {
    startWithThree();
    SyntheticStudy rate = studyOf(differentCase());
    rate.name = "rate";
    rate.learningRate = 0.1;
    m_page->addGroup(qtList(m_fixture->add(rate).groupA));
    QTRY_COMPARE(verdicts()->rowCount(), 3);
    const auto* button = child<QPushButton>(*m_page, "compare.moreSeeds");
    family()->selectRow(2); // another learning rate than the reference
    QVERIFY(button->isHidden());
    family()->selectRow(1);
    QVERIFY(!button->isHidden());
}

QTEST_MAIN(TestCompareGroupsSeeds)
} // namespace test_compare_groups_seeds
#include "test_compare_groups_seeds.moc"
