// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds that were asked for go to the groups that asked, to no others, and nobody waits for what is not trained.
#include "widgets/pages/compare/awaited_seeds.h"

#include "core/run/study_runner.h"
#include "tests/widgets/three_groups.h"

namespace test_awaited_seeds {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

/// Of one name: they differ in the micro-batch only.
ExperimentConfig moreSeedsOf(std::int64_t micro) {
    ExperimentConfig experiment;
    experiment.run.batch.effective = 256;
    experiment.run.batch.micro = micro;
    experiment.run.batch.steps = 0; // follows
    experiment.study.name = "demo, more seeds";
    experiment.study.seeds = {5, 6, 7};
    experiment.study.largeBatch = true;
    return experiment;
}

PairChoice groupsOf(std::int64_t micro) {
    PairChoice groups;
    groups.groupA = QStringList{QStringLiteral("m = %1").arg(micro)};
    return groups;
}

} // namespace

class TestAwaitedSeeds : public QObject, protected ThreeGroups {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init() { m_fixture = std::make_unique<PageFixture>(); }
    void cleanup() { closePage(); }

    void studiesOfOneNameAreToldApart();
    void whatIsRemovedIsNotAnswered();
    void whatIsRefusedIsNotAnswered();
    void whatHasItsTurnIsNotRemoved();
    void whatComesToNothingIsNotAnswered();
    void aStudyWithoutAnArmIsAskedForOnce();

private:
    [[nodiscard]] AwaitedSeeds& seeds() const { return m_fixture->services().session.seeds; }
    [[nodiscard]] RunController& runs() const { return m_fixture->services().runs; }
    /// As the page does; the queue is paused.
    void ask(std::int64_t micro, bool queued = true) const {
        seeds().ask(moreSeedsOf(micro), groupsOf(micro));
        if (queued)
            runs().enqueue(moreSeedsOf(micro));
        seeds().forgetRefused();
    }
    /// Who gets the seeds of a study that begins.
    [[nodiscard]] QStringList begin(std::int64_t micro) const {
        StudyRecord study;
        study.id = "study of " + std::to_string(micro);
        study.config = moreSeedsOf(micro).study;
        std::vector<RunRecord> planned;
        const std::vector<PlannedRun> plans = planStudy(moreSeedsOf(micro)).value();
        for (const PlannedRun& plan : plans) {
            RunRecord& run = planned.emplace_back();
            run.arm = plan.arm;
            run.seed = plan.seed;
            run.config = plan.config;
        }
        seeds().started(study, planned);
        const auto by = seeds().take(QString::fromStdString(study.id));
        return by ? by->groupA : QStringList();
    }
};

/// The mistake that this is to catch: the first that asked gets what the second asked for.
void TestAwaitedSeeds::studiesOfOneNameAreToldApart() {
    ask(64);
    ask(16);
    QCOMPARE(begin(16), groupsOf(16).groupA);
    QCOMPARE(begin(64), groupsOf(64).groupA);
    QVERIFY(begin(64).isEmpty()); // once
}

void TestAwaitedSeeds::whatIsRemovedIsNotAnswered() {
    ask(64);
    StudyQueue& queue = runs().queue();
    const auto removed = queue.remove(queue.waiting().front().id);
    QVERIFY(removed.has_value());
    QVERIFY(begin(64).isEmpty());
    queue.insert(0, *removed, true); // by undo
    QCOMPARE(begin(64), groupsOf(64).groupA);
}

void TestAwaitedSeeds::whatIsRefusedIsNotAnswered() {
    ask(64, false);
    QVERIFY(begin(64).isEmpty());
}

/// It leaves the queue before it is known as a study.
void TestAwaitedSeeds::whatHasItsTurnIsNotRemoved() {
    runs().setHeld(this, true); // nothing is trained here
    ask(64);
    StudyQueue& queue = runs().queue();
    queue.setPaused(false);
    QVERIFY(queue.take(1e12).has_value());
    queue.begun();
    QCOMPARE(queue.kept().size(), std::size_t{0});
    QCOMPARE(begin(64), groupsOf(64).groupA);
}

void TestAwaitedSeeds::whatComesToNothingIsNotAnswered() {
    runs().setHeld(this, true);
    ask(64);
    StudyQueue& queue = runs().queue();
    queue.setPaused(false);
    QVERIFY(queue.take(1e12).has_value());
    queue.putBack(failure("file.open", {{"file", "data"}, {"reason", "gone"}}).value());
    Q_EMIT runs().studyFinished({}, true);
    QVERIFY(queue.take(1e12) == std::nullopt); // it waits until it is tried again
    queue.tryAgain(queue.waiting().front().id);
    QVERIFY(queue.take(1e12).has_value());
    queue.begun();
    Q_EMIT runs().studyFinished({}, true); // without a study
    QVERIFY(begin(64).isEmpty());
}

/// The mistake that this is to catch: the library is asked for it again every second.
void TestAwaitedSeeds::aStudyWithoutAnArmIsAskedForOnce() {
    startWithThree();
    QSignalSpy asked(m_page.get(), &ComparePage::moreSeedsRequested);
    child<QPushButton>(*m_page, "compare.moreSeeds")->click();
    const auto experiment = asked.at(0).at(0).value<ExperimentConfig>();
    SyntheticStudy more = studyOf(equivalentCase());
    more.name = experiment.study.name;
    more.seedsA = more.seedsB = experiment.study.seeds;
    more.finalA.resize(3);
    more.finalB.resize(3);
    more.createdAt += 86'400.0;
    const SyntheticRuns trained = m_fixture->add(more);
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(store.moveToTrash(trained.groupB, more.createdAt + 1.0).has_value());
    m_fixture->begin(trained, experiment.study);
    QCOMPARE(seeds().studies(), QStringList{QString::fromStdString(trained.study)});
    m_page->activated();
    QTRY_VERIFY(seeds().studies().isEmpty());
    QCOMPARE(request().groupA, qtList(m_first.groupA));
}

QTEST_MAIN(TestAwaitedSeeds)
} // namespace test_awaited_seeds
#include "test_awaited_seeds.moc"
