// SPDX-License-Identifier: GPL-3.0-or-later
// The batch in figures: every text is the arithmetic it shows.
#include "core/config/batch_words.h"

#include <QRegularExpression>
#include <QTest>

namespace test_batch_words {
using namespace accumulus;

namespace {

BatchPlan planOf(BatchConfig batch) { return resolveBatch(batch).value(); }

QString text(const std::string& words) { return QString::fromStdString(words); }

/// "32 x 7 + 26" worked out.
qint64 valueOf(const QString& split) {
    qint64 sum = 0;
    for (const QString& term : split.split(QStringLiteral(" + "))) {
        qint64 product = 1;
        for (const QString& factor : term.split(QStringLiteral(" x ")))
            product *= factor.toLongLong();
        sum += product;
    }
    return sum;
}

BatchConfig ramped() {
    BatchConfig batch;
    batch.effective = 128;
    batch.micro = 32;
    batch.ramp = {{100, 512}};
    return batch;
}

/// As a study plans the partner of `ramped`: every window is one micro-batch.
BatchConfig rampedLarge() {
    BatchConfig batch = ramped();
    batch.micro = 512;
    batch.ragged = RaggedPolicy::Weight;
    return batch;
}

} // namespace

class TestBatchWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aConstantBatchIsOneProduct() {
        BatchConfig batch;
        batch.effective = 256;
        const BatchPlan plan = planOf(batch);
        QCOMPARE(text(splitText(plan, plainSigns())), QString("32 x 8"));
        QCOMPARE(text(effectiveText(plan, plainSigns())), QString("256"));
        QCOMPARE(text(batchEquation(plan, fineSigns())), QString::fromUtf8("32 × 8 = 256"));
        QCOMPARE(text(batchSentence(plan)),
                 QString("micro-batch 32 x 8 accumulation steps x 1 device = 256 samples per update"));
    }

    void theLargeArmOfARampIsNoLargerThanItsWindows() {
        const BatchPlan plan = planOf(rampedLarge());
        QCOMPARE(text(batchEquation(plan, plainSigns())), QString("128 x 1 = 128 -> 512"));
        QCOMPARE(text(splitText(plan, plainSigns())), QString("128 x 1 -> 512 x 1"));
        QCOMPARE(text(batchSentence(plan)),
                 QString("micro-batch 128 x 1 accumulation step x 1 device = 128 samples per "
                         "update, from update 100 on 512 x 1 = 512"));
    }

    void aRampTellsItsChanges() {
        const BatchPlan plan = planOf(ramped());
        QCOMPARE(text(splitText(plan, plainSigns())), QString("32 x 4 -> 32 x 16"));
        QCOMPARE(text(batchSentence(plan)),
                 QString("micro-batch 32 x 4 accumulation steps x 1 device = 128 samples per "
                         "update, from update 100 on 32 x 16 = 512"));
        BatchConfig long_ = ramped();
        long_.ramp = {{10, 64}, {20, 128}, {30, 256}, {40, 512}, {50, 1024}};
        QCOMPARE(text(effectiveText(planOf(long_), plainSigns())), QString("128 -> ... -> 1024"));
        QVERIFY(text(batchSentence(planOf(long_))).endsWith(QString("from update 30 on 32 x 8 = 256, and 2 more")));
        long_.ramp = {{10, 64}, {20, 256}};
        QCOMPARE(text(effectiveText(planOf(long_), plainSigns())), QString("128 -> 64 -> 256"));
    }

    void everySplitWorksOut() {
        for (std::int64_t effective = 1; effective <= 130; ++effective)
            for (std::int64_t micro = 1; micro <= effective; ++micro)
                for (const std::int64_t devices : {1, 2, 3}) {
                    BatchConfig batch;
                    batch.effective = effective;
                    batch.micro = micro;
                    batch.devices = devices;
                    batch.ragged = RaggedPolicy::Weight;
                    const auto plan = resolveBatch(batch);
                    if (!plan)
                        continue;
                    for (const std::int64_t window : {effective, std::int64_t{1}, effective / 2 + 1})
                        QCOMPARE(valueOf(text(windowSplit(*plan, window, plainSigns()))), window);
                }
    }

    void aPlanThatWasNeverResolvedHasWordsToo() {
        QCOMPARE(splitText(BatchPlan{}, plainSigns()), std::string("..."));
        QVERIFY(!batchSentence(BatchPlan{}).empty());
        QVERIFY(!batchEquation(BatchPlan{}, plainSigns()).empty());
    }
};

QTEST_APPLESS_MAIN(TestBatchWords)
} // namespace test_batch_words
#include "test_batch_words.moc"
