// SPDX-License-Identifier: GPL-3.0-or-later
// The planner without a machine: sizes are "tried" on curves of which the truth is known.
#include "core/analysis/micro_search.h"
#include "core/config/byte_size.h"
#include "tests/support/numeric.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>

namespace test_micro_plan {
using namespace accumulus;
using accumulus::test::compareRel;

namespace {

using Curve = std::function<std::int64_t(std::int64_t micro)>; ///< bytes

/// Seconds of an update: t = K a + b B + c.
struct Clock {
    double a = 2e-3, b = 1e-4, c = 5e-3;
    [[nodiscard]] double update(std::int64_t effective, std::int64_t micro) const {
        return static_cast<double>(stepsOf(effective, micro)) * a + static_cast<double>(effective) * b + c;
    }
};

/// What a trial of `micro` would find on this curve under the limit.
MicroPoint tried(std::int64_t effective, std::int64_t micro, const Curve& memory, std::int64_t limit,
                 const Clock& clock = {}) {
    MicroPoint point;
    point.micro = micro;
    point.steps = stepsOf(effective, micro);
    point.lanes = std::min<std::int64_t>(2, point.steps);
    point.threads = 2 / point.lanes;
    if (memory(micro) > limit) {
        point.problem = Message{"plan.needs-more", {{"limit", bytesText(limit)}}};
        return point;
    }
    point.fits = true;
    point.peakBytes = memory(micro);
    point.updateSeconds = clock.update(effective, micro);
    point.fixedSeconds = clock.c;
    point.samplesPerSecond = static_cast<double>(effective) / *point.updateSeconds;
    return point;
}

struct Searched {
    std::vector<MicroPoint> points;
    std::size_t trials = 0;
    [[nodiscard]] std::int64_t largest() const {
        const auto found = largestPoint(points);
        return found ? points[*found].micro : 0;
    }
};

Searched search(MicroSearchSettings settings, const Curve& memory, std::int64_t limit) {
    auto created = MicroSearch::create(settings);
    if (!created)
        qFatal("%s", describe(created.error()).c_str());
    Searched result;
    while (const auto micro = created->next()) {
        created->add(tried(settings.effective, *micro, memory, limit), limit);
        if (++result.trials > 1000)
            qFatal("the search does not end");
    }
    result.points = created->points();
    return result;
}

/// The largest of all sizes up to B whose memory is within the limit, one by one.
std::int64_t trueLargest(std::int64_t effective, const Curve& memory, std::int64_t limit, bool divides) {
    std::int64_t largest = 0;
    for (std::int64_t micro = 1; micro <= effective; ++micro)
        if ((!divides || effective % micro == 0) && memory(micro) <= limit)
            largest = micro;
    return largest;
}

constexpr std::int64_t mega = 1'000'000;

Curve straight() {
    return [](std::int64_t m) { return 20 * mega + m * mega; };
}
/// A maximum of two lines: the secant through the first sizes promises far too much.
Curve twoSlopes() {
    return [](std::int64_t m) { return std::max(100 * mega + m * mega / 10, 3 * m * mega); };
}
/// Memory comes in pages of 16 samples.
Curve steps() {
    return [](std::int64_t m) { return 30 * mega + (m + 15) / 16 * 16 * mega; };
}
/// Each size is off by up to 3 %, the same whenever it is tried, and a larger one never takes less.
Curve noisy(unsigned seed) {
    std::vector<std::int64_t> bytes{0};
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> factor(1.0, 1.03);
    for (std::int64_t m = 1; m <= 4096; ++m)
        bytes.push_back(std::max(
            bytes.back(), static_cast<std::int64_t>(factor(generator) * static_cast<double>(20 * mega + m * mega))));
    return [bytes](std::int64_t m) { return bytes[static_cast<std::size_t>(m)]; };
}

MicroPlan planOn(std::int64_t effective, const Curve& memory, std::int64_t limit, const Clock& clock = {}) {
    MicroPlan plan;
    plan.effective = effective;
    plan.memoryLimit = limit;
    auto search = MicroSearch::create({effective});
    while (const auto micro = search->next())
        search->add(tried(effective, *micro, memory, limit, clock), limit);
    plan.points = search->points();
    conclude(plan);
    return plan;
}

} // namespace

class TestMicroPlan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatGrowsWithTheSizeIsTold() {
        const MicroPlan plan = planOn(256, straight(), 300 * mega);
        for (const std::int64_t micro : {1, 8, 64, 128})
            QCOMPARE(growingBytes(plan.points, micro), std::optional(micro * mega));
        QVERIFY(!growingBytes(plan.points, 3));   // not tried
        QVERIFY(!growingBytes(plan.points, 256)); // the only one on a single lane

        const MicroPlan bent = planOn(1024, twoSlopes(), 4000 * mega);
        QCOMPARE(growingBytes(bent.points, 512), std::optional(3 * 512 * mega));
        QVERIFY(!growingBytes(bent.points, 2)); // below the bend

        std::vector<MicroPoint> lanes = plan.points; // each computes so many activations at once
        for (MicroPoint& point : lanes)
            point.lanes = point.micro >= 64 ? 1 : 4;
        QVERIFY(growingBytes(lanes, 8).has_value());
        QVERIFY(growingBytes(lanes, 64).has_value());
        lanes[lanes.size() - 2].lanes = 2; // 128: nothing to compare it with
        QVERIFY(!growingBytes(lanes, 128));
        QVERIFY(!growingBytes(lanes, 64)); // a line through two sizes is none
    }

    void theTrueLargestSizeIsFound_data() {
        QTest::addColumn<int>("curve");
        for (int curve = 0; curve < 4; ++curve)
            QTest::newRow(qPrintable(QString::number(curve))) << curve;
    }
    void theTrueLargestSizeIsFound() {
        QFETCH(int, curve);
        for (std::int64_t limit = 22 * mega; limit < 9000 * mega; limit = limit * 9 / 8) {
            const Curve memory = curve == 0   ? straight()
                                 : curve == 1 ? twoSlopes()
                                 : curve == 2 ? steps()
                                              : noisy(static_cast<unsigned>(limit / mega));
            for (const std::int64_t effective : {256, 360, 1000}) {
                const Searched divisors = search({.effective = effective}, memory, limit);
                std::int64_t expected = 0; // thinned where there are many
                for (const MicroPoint& point : divisors.points)
                    expected = memory(point.micro) <= limit ? point.micro : expected;
                QCOMPARE(divisors.largest(), expected);
                if (effective == 256) // few enough to be tried all
                    QCOMPARE(divisors.largest(), trueLargest(effective, memory, limit, true));
                const Searched ragged =
                    search({.effective = effective, .ragged = true, .resolution = 0.0}, memory, limit);
                QCOMPARE(ragged.largest(), trueLargest(effective, memory, limit, false));
                // Powers of two, and two attempts for each halving of what lies between two of them.
                QVERIFY2(ragged.trials <= 11 + 2 * 10, qPrintable(QString::number(ragged.trials)));
            }
        }
    }

    void withoutBeingAskedForMoreTheLargestSizeIsFoundToASixteenth() {
        for (std::int64_t limit = 130 * mega; limit < 3000 * mega; limit = limit * 9 / 8) {
            const Searched found = search({.effective = 1000, .ragged = true}, twoSlopes(), limit);
            const std::int64_t truth = trueLargest(1000, twoSlopes(), limit, false);
            QVERIFY(found.largest() <= truth);
            QVERIFY(static_cast<double>(truth) <= static_cast<double>(found.largest()) * 17.0 / 16.0 + 1.0);
        }
    }

    void sizesAboveOneThatLacksMemoryAreNotTried() {
        const Searched found = search({.effective = 256}, straight(), 90 * mega); // 64 fits, 128 does not
        QCOMPARE(found.points.size(), std::size_t{9});
        QCOMPARE(found.trials, std::size_t{8});
        QCOMPARE(found.points[7].problem->code, "plan.needs-more");
        QCOMPARE(found.points[8].micro, 256);
        QCOMPARE(found.points[8].problem->code, "plan.not-tried");
        QCOMPARE(found.points[8].problem->argument("micro"), "128");
    }

    void aSizeThatBreaksOffForAnotherReasonEndsNothing() {
        auto created = MicroSearch::create({.effective = 8});
        MicroPoint broken;
        broken.micro = 1;
        broken.problem = Message{"plan.crashed", {}};
        QCOMPARE(created->next().value_or(0), 1);
        created->add(broken);
        QCOMPARE(created->next().value_or(0), 2);
    }

    void sizesThatCannotMakeUpTheBatchAreRefused() {
        QCOMPARE(MicroSearch::create({.effective = 256, .sizes = {8, 48}}).error().code, "plan.size");
        QCOMPARE(MicroSearch::create({.effective = 256, .ragged = true, .sizes = {512}}).error().code, "plan.size");
        QVERIFY(MicroSearch::create({.effective = 256, .ragged = true, .sizes = {8, 48}}).has_value());
    }

    void manyDivisorsAreThinnedAndBothEndsStay() {
        const auto found = search(
            {.effective = 5040}, [](std::int64_t) { return mega; }, 2 * mega);
        QVERIFY(found.points.size() <= 13);
        QCOMPARE(found.points.front().micro, 1);
        QCOMPARE(found.points.back().micro, 5040);
        QVERIFY(std::ranges::all_of(found.points, [](const MicroPoint& point) { return 5040 % point.micro == 0; }));
    }

    /// The points lie on the lines: what is left is rounding, of bytes to whole numbers (1e-8 of 1e8) and of about ten
    /// operations of 2^-53 that the difference of nearby weights amplifies by at most 1e4.
    void theLinesAreTheOnesThatThePointsLieOn() {
        const Clock clock;
        const MicroPlan plan = planOn(256, twoSlopes(), 10'000 * mega, clock);
        QVERIFY(compareRel(plan.memory->b, 3.0 * mega, 1e-7)); // the last piece, not the first
        QVERIFY(std::abs(plan.memory->a) < 10.0);
        QVERIFY(plan.memory->largestResidual < 1e-7);
        QCOMPARE(memoryLine(plan.points).value().from, 64); // at 32 it is the other piece
        QVERIFY(compareRel(plan.time->b, clock.a, 1e-9));
        QVERIFY(compareRel(plan.time->a, clock.b * 256 + clock.c, 1e-9));
        // Where the limit is met from below: a line through the smaller sizes would promise 4 000.
        QCOMPARE(largestPromised(*plan.memory, 500 * mega).value_or(0), 166);
    }

    void sizesOnOtherLanesDoNotBendTheLine() {
        // Two lanes hold the activations of two micro-batches, except where a window is a single one.
        MicroPlan plan = planOn(256, straight(), 10'000 * mega);
        for (MicroPoint& point : plan.points)
            point.peakBytes = 20 * mega + point.lanes * point.micro * mega;
        conclude(plan);
        QVERIFY(compareRel(plan.memory->b, 2.0 * mega, 1e-7)); // rounding, as above
        QVERIFY(compareRel(plan.memory->a, 20.0 * mega, 1e-7));
        QVERIFY(memoryLine(plan.points).value().from == 1 && memoryLine(plan.points).value().otherLanes);
    }

    /// Each time is off by a normal error of 1 %. The intercept's relative error is about 0.01 / sqrt(n) of it, the
    /// slope's less than 0.01 sqrt(2) x t / (K a) <= 0.05 at these sizes; four deviations are allowed.
    void noiseOfTheTimesIsAveraged() {
        std::mt19937 generator(7);
        std::normal_distribution<double> off(1.0, 0.01);
        MicroPlan plan = planOn(256, straight(), 10'000 * mega);
        for (MicroPoint& point : plan.points)
            *point.updateSeconds *= off(generator);
        plan.time = fitTime(plan.points);
        QVERIFY(compareRel(plan.time->a, 256e-4 + 5e-3, 0.04));
        QVERIFY(compareRel(plan.time->b, 2e-3, 0.2));
    }

    void theSmallestOfEquallyFastSizesIsRecommended() {
        // t(256, m) = K 2 ms + 30.6 ms: m = 256 is the fastest at 32.6 ms, 128 takes 6 % more, 64 takes 18 % more.
        const MicroPlan plan = planOn(256, straight(), 10'000 * mega);
        QCOMPARE(plan.points[*plan.recommended].micro, 256);
        QCOMPARE(plan.points[*kneePoint(plan.points)].micro, 256);
        QVERIFY(compareRel(*overheadOf(plan, plan.points[7]), 2.0 / 32.6, 1e-9));
        // With a tenth of the overhead, 64 is within 2 % of the fastest and within 5 % of the best speed 32 is, too.
        const MicroPlan flat = planOn(256, straight(), 10'000 * mega, {.a = 2e-4});
        QCOMPARE(flat.points[*flat.recommended].micro, 64);
        QCOMPARE(flat.points[*kneePoint(flat.points)].micro, 32);
    }

    void nothingIsRecommendedThatWasNotProven() {
        const MicroPlan plan = planOn(256, straight(), 90 * mega);
        QCOMPARE(plan.points[*plan.recommended].micro, 64);
        const MicroPlan none = planOn(256, straight(), 5 * mega);
        QVERIFY(!none.recommended);
        QCOMPARE(none.sentence.code, "plan.none-fits");
        // A size that did not pass its second trial, and those above it, are no candidates.
        MicroPlan again = plan;
        again.points[6].fits = false;
        conclude(again, 64);
        QCOMPARE(again.points[*again.recommended].micro, 32);
    }

    void theRecommendationIsASentence() {
        MicroPlan plan = planOn(256, straight(), 90 * mega);
        QCOMPARE(messageText(plan.sentence), "m = 64, K = 4, 2 lanes: 100 % of top speed, 84.0 MB of 90.0 MB.");
        plan.memoryLimit = 0;
        plan.points[6].lanes = 1;
        conclude(plan);
        QCOMPARE(messageText(plan.sentence), "m = 64, K = 4, 1 lane: 100 % of top speed, 84.0 MB.");
        QCOMPARE(messageText(plan.notes.back()), "The largest micro-batch that was shown to fit: 64.");
        QCOMPARE(bytesText(5'140'000'000), "5.1 GB");
        QCOMPARE(bytesText(999'700'000), "1.0 GB");
    }

    /// B* = sqrt(B_noise c / (a / m + b)), here with a / m = 2e-3 / 64 and b = 1e-4; the fit gives a and b to 1e-9, and
    /// a root halves relative errors.
    void theCheapestBatchFollowsFromTheNoiseScale() {
        MicroPlan plan = planOn(256, straight(), 90 * mega);
        setNoiseScale(plan, 900.0);
        QVERIFY(compareRel(*plan.cheapestEffective, std::sqrt(900.0 * 5e-3 / (2e-3 / 64 + 1e-4)), 1e-7));
        setNoiseScale(plan, 1.0);
        QCOMPARE(*plan.cheapestEffective, 64.0); // never below m
        setNoiseScale(plan, {});
        QVERIFY(!plan.cheapestEffective);
        QVERIFY(std::ranges::none_of(plan.notes, [](const Message& note) { return note.code == "plan.cheapest"; }));
    }

    void aPlanComesBackFromItsJson() {
        MicroPlan plan = planOn(256, straight(), 90 * mega);
        plan.subject = {"plan.subject", {{"model", "LeNet-5"}, {"dataset", "MNIST"}, {"precision", "fp32"}}};
        plan.device = "CPU: \"a\" processor";
        plan.createdAt = 1'790'000'000.25;
        plan.verified = true;
        plan.notes.push_back({"plan.one-device", {{"devices", "4"}}});
        setNoiseScale(plan, 900.0);
        const std::string json = planJson(plan);
        QVERIFY(json.find('\n') == std::string::npos);
        const auto back = planFromJson(json);
        QVERIFY2(back.has_value(), json.c_str());
        QCOMPARE(*back == plan, true);
        const MicroPlan empty;
        QCOMPARE(planFromJson(planJson(empty)).value() == empty, true);
        for (const char* foreign : {"", "{", "[]", "{}", R"({"points": 3})"})
            QCOMPARE(planFromJson(foreign).error().code, "plan.format");
    }

    void aTrialAndItsErrorComeBackFromTheirJson() {
        const MicroTrialReport report{planOn(256, straight(), 90 * mega).points[8], 90 * mega};
        QCOMPARE(trialFromJson(trialJson(report)).value() == report, true);
        const Error error{"model.unknown", {{"model", "x"}, {"known", "y"}}};
        QCOMPARE(trialFromJson(trialJson(failure(error))).error() == error, true);
        QCOMPARE(trialFromJson("Illegal instruction").error().code, "plan.format");
    }
};

QTEST_APPLESS_MAIN(TestMicroPlan)
} // namespace test_micro_plan
#include "test_micro_plan.moc"
