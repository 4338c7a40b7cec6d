// SPDX-License-Identifier: GPL-3.0-or-later
// What a configuration tells of its learning rate stays true under every edit, and is nothing that training reads.
#include "core/analysis/lr_note.h"
#include "core/analysis/lr_rules.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "tests/support/numeric.h"

#include <QtTest>

namespace test_lr_note {
using namespace accumulus;
using accumulus::test::compareBits;

namespace {

RunConfig runOf(std::int64_t effective, double lr, std::int64_t lrBatch = 0, LrRule rule = LrRule::Keep) {
    RunConfig run;
    run.batch.effective = effective;
    run.optimizer.lr = lr;
    run.optimizer.lrBatch = lrBatch;
    run.optimizer.lrRule = rule;
    return run;
}

bool notes(const RunConfig& run, LrRule rule, std::int64_t batch) {
    return run.optimizer.lrRule == rule && run.optimizer.lrBatch == batch;
}

} // namespace

class TestLrNote : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFactorsAreThoseOfTheRules() {
        QVERIFY(compareBits(lrFactor(LrRule::Keep, 4.0), 1.0));
        QVERIFY(compareBits(lrFactor(LrRule::Linear, 4.0), 4.0));
        QVERIFY(compareBits(lrFactor(LrRule::SquareRoot, 4.0), 2.0)); // the root of a square is exact
        const OptimizerConfig optimizer = runOf(64, 0.01).optimizer;
        QVERIFY(compareBits(linearLr(optimizer, 4.0).lr, optimizer.lr * lrFactor(LrRule::Linear, 4.0)));
        QVERIFY(compareBits(squareRootLr(optimizer, 4.0).lr, optimizer.lr * lrFactor(LrRule::SquareRoot, 4.0)));
    }

    void aRuleThatIsChosenScalesOnce() {
        const RunConfig kept = runOf(256, 0.01, 64);
        RunConfig linear = kept;
        linear.optimizer.lrRule = LrRule::Linear;
        keepLrNoteTrue(kept, linear);
        QVERIFY(compareBits(linear.optimizer.lr, 0.04));
        QVERIFY(notes(linear, LrRule::Linear, 64));
        RunConfig again = linear;
        keepLrNoteTrue(linear, again); // no edit: nothing is multiplied a second time
        QVERIFY(again == linear);
        RunConfig root = linear;
        root.optimizer.lrRule = LrRule::SquareRoot;
        keepLrNoteTrue(linear, root);
        QVERIFY(compareBits(root.optimizer.lr, 0.02));
        RunConfig back = root;
        back.optimizer.lrRule = LrRule::Keep;
        keepLrNoteTrue(root, back);
        QVERIFY(back == kept);
    }

    void everyRuleLeadsBack() {
        for (const double lr : {0.1, 0.01, 0.003, 0.00314159})
            for (const std::int64_t batch : {96, 128, 192, 512})
                for (const LrRule rule : {LrRule::Linear, LrRule::SquareRoot}) {
                    const RunConfig kept = runOf(batch, lr, 64);
                    RunConfig scaled = kept;
                    scaled.optimizer.lrRule = rule;
                    keepLrNoteTrue(kept, scaled);
                    QVERIFY(scaled.optimizer.lr > lr);
                    RunConfig back = scaled;
                    back.optimizer.lrRule = LrRule::Keep;
                    keepLrNoteTrue(scaled, back);
                    QVERIFY2(back == kept, qPrintable(QString::number(back.optimizer.lr, 'g', 17)));
                }
        const RunConfig suggested = runOf(128, 0.0141, 64, LrRule::SquareRoot); // 0.01, in three digits
        RunConfig back = suggested;
        back.optimizer.lrRule = LrRule::Keep;
        keepLrNoteTrue(suggested, back);
        QVERIFY(compareBits(back.optimizer.lr, 0.01));
    }

    void aRuleThatLeadsOutOfTheRangeIsNotTaken() {
        const RunConfig kept = runOf(65536, 900.0, 64);
        RunConfig linear = kept;
        linear.optimizer.lrRule = LrRule::Linear; // 921600; 1000 is the most
        keepLrNoteTrue(kept, linear);
        QVERIFY(linear == kept);
    }

    void whatIsNotKnownIsNotScaled() {
        const RunConfig none = runOf(256, 0.01);
        RunConfig linear = none;
        linear.optimizer.lrRule = LrRule::Linear;
        keepLrNoteTrue(none, linear); // no batch is noted
        QVERIFY(compareBits(linear.optimizer.lr, 0.01));
    }

    void aTypedLearningRateForgetsTheRule() {
        const RunConfig before = runOf(256, 0.04, 64, LrRule::Linear);
        RunConfig typed = before;
        typed.optimizer.lr = 0.05;
        keepLrNoteTrue(before, typed);
        QVERIFY(notes(typed, LrRule::Keep, 0));
        QVERIFY(compareBits(typed.optimizer.lr, 0.05));
        RunConfig other = before; // that a batch was the one of tuning says that nothing was scaled since
        other.optimizer.lrBatch = 128;
        keepLrNoteTrue(before, other);
        QVERIFY(notes(other, LrRule::Keep, 128));
        QVERIFY(compareBits(other.optimizer.lr, 0.04));
    }

    void anotherBatchIsNotWhatTheRuleLedTo() {
        const RunConfig before = runOf(256, 0.04, 64, LrRule::Linear);
        RunConfig larger = before;
        larger.batch.effective = 512;
        keepLrNoteTrue(before, larger);
        QVERIFY(notes(larger, LrRule::Keep, 256));
        QVERIFY(compareBits(larger.optimizer.lr, 0.04));
        RunConfig half = before; // "5" of "512": no batch of micro-batches of 32
        half.batch.effective = 5;
        keepLrNoteTrue(before, half);
        QVERIFY(notes(half, LrRule::Keep, 256));
        RunConfig split = before;
        split.batch.micro = 8;
        keepLrNoteTrue(before, split);
        QVERIFY(notes(split, LrRule::Linear, 64));
        const RunConfig kept = runOf(256, 0.01, 64);
        RunConfig moved = kept; // kept is kept, whatever the batch
        moved.batch.effective = 512;
        keepLrNoteTrue(kept, moved);
        QVERIFY(notes(moved, LrRule::Keep, 64));
    }

    void theFindingFollowsTheNote() {
        // Loaded, and settled as it is.
        const RunConfig loaded = runOf(256, 0.01, 64);
        QVERIFY(!checkLrOfBatch(std::vector{loaded}, loaded));
        RunConfig larger = loaded;
        larger.batch.effective = 512;
        const auto finding = checkLrOfBatch(std::vector{loaded}, larger);
        QVERIFY(finding);
        QCOMPARE(finding->message.argument("before"), std::string("64")); // not 256
        // Nothing is wrong at the batch that it was tuned for.
        RunConfig home = loaded;
        home.batch.effective = 64;
        QVERIFY(!checkLrOfBatch(std::vector{loaded}, home));
        // A noted batch alone asks for a rule; a chosen rule is an answer.
        QVERIFY(checkLrOfBatch(std::vector<RunConfig>{}, loaded));
        QVERIFY(!checkLrOfBatch(std::vector<RunConfig>{}, runOf(256, 0.04, 64, LrRule::Linear)));
        QVERIFY(!checkLrOfBatch(std::vector<RunConfig>{}, runOf(256, 0.04)));
        // Either answer settles it.
        const auto open = checkLrOfBatch(std::vector<RunConfig>{}, loaded);
        QCOMPARE(open->fixes.size(), std::size_t{3}); // keep, linear, square root
        for (const Fix& fix : open->fixes) {
            ExperimentConfig fixed{loaded, {}};
            for (const std::string& assignment : fix.assignments)
                QVERIFY(applyAssignment(fixed, assignment));
            QCOMPARE(fixed.run.optimizer.lrBatch, std::int64_t{64});
            QVERIFY(!checkLrOfBatch(std::vector{fixed.run}, fixed.run));
        }
    }

    void theNoteIsASettingOfTheExperiment() {
        ExperimentConfig config;
        for (const std::string& assignment : lrNote(LrRule::SquareRoot, 64))
            QVERIFY(applyAssignment(config, assignment));
        QVERIFY(notes(config.run, LrRule::SquareRoot, 64));
        QVERIFY(compareBits(config.run.optimizer.lr, ExperimentConfig{}.run.optimizer.lr)); // a note scales nothing
        const std::string toml = experimentToml(config);
        QVERIFY(toml.find("lr_rule = \"square-root\"") != std::string::npos);
        const auto again = parseExperiment(toml, "note.toml");
        QVERIFY(again && *again == config);
        // A file of before knows of no note, nor does a run in the library.
        const auto old = parseExperiment("[optimizer]\nlr = 0.04\n", "old.toml");
        QVERIFY(old && notes(old->run, LrRule::Keep, 0));
        const auto stored = runConfigFromJson(R"({"optimizer": {"lr": 0.04}})");
        QVERIFY(stored && notes(*stored, LrRule::Keep, 0));
        QVERIFY(!applyAssignment(config, "optimizer.lr_rule=cubic"));
        // Runs that differ in the note alone train the same, and are partners.
        QCOMPARE(pairHash(config.run, 0), pairHash(ExperimentConfig{}.run, 0));
        const auto differences = configDifferences(config.run, ExperimentConfig{}.run);
        QCOMPARE(differences.size(), std::size_t{2});
        QCOMPARE(differences[0].key, std::string("optimizer.lr_batch"));
        QCOMPARE(differences[1].key, std::string("optimizer.lr_rule"));
        QVERIFY(differences[0].expected && differences[1].expected);
    }
};

QTEST_APPLESS_MAIN(TestLrNote)
} // namespace test_lr_note
#include "test_lr_note.moc"
