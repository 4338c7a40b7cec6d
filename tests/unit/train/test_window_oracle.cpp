// SPDX-License-Identifier: GPL-3.0-or-later
// Is the accumulated gradient that of the whole batch? Every window's gradient against core/train/reference: one pass
// over the whole batch in fp64. Tolerances (at initial weights): fp64 1e-12 relative L2 of each
// parameter (measured 1e-15 to 6e-15), fp32 1e-5 (measured up to 5.4e-6).
#include "core/train/reference.h"
#include "core/window/window_planner.h"

#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>

namespace test_window_oracle {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr double fp64Tolerance = 1e-12;
constexpr double fp32Tolerance = 1e-5;

struct Worst {
    double gradient = 0.0; ///< largest distance of a parameter's gradient from the oracle, of any window
    double loss = 0.0;
    std::size_t windows = 0;
};

/// Parameter by parameter: relative L2, measured by a thousandth of the whole gradient where a parameter's vanishes
/// (tests/README.md, Tolerances; test_every_split measures by the micro-batches' own).
double worstTensor(const std::vector<double>& got, const std::vector<at::Tensor>& wanted) {
    double whole = 0.0, worst = 0.0;
    for (const at::Tensor& tensor : wanted)
        whole += tensor.square().sum().item<double>();
    std::size_t place = 0;
    for (const at::Tensor& tensor : wanted) {
        const at::Tensor dense = tensor.contiguous();
        const double* values = dense.const_data_ptr<double>();
        double off = 0.0;
        for (std::int64_t i = 0; i < dense.numel(); ++i, ++place)
            off += (got[place] - values[i]) * (got[place] - values[i]);
        const double size = std::max(dense.norm().item<double>(), 1e-3 * std::sqrt(whole));
        if (!std::isfinite(off))
            return std::numeric_limits<double>::infinity();
        worst = std::max(worst, std::sqrt(off) / size);
    }
    return worst;
}

/// Trains one epoch at lr 0 (the weights stay initial) and compares every window with the oracle.
Worst compareWithOracle(RunConfig config, LanePlan lanes, PlantedBug bug = PlantedBug::None) {
    QTemporaryDir folder;
    config.optimizer.lr = 1e-30; // positive, and far below one rounding of any weight
    TrainerSetup setup = makeSetup(config, folder, lanes);
    setup.bug = bug;
    const ImageSet& images = setup.data->train;
    const auto model = makeModel(config.model, {images.channels, images.height, images.width, 10}).value();
    const at::Tensor initial = initialWeights(model->layout(), config.model, 0)
                                   .to(config.numerics.precision == Precision::Fp64 ? at::kDouble : at::kFloat);
    WindowPlanner planner(resolveBatch(config.batch).value(), config.batch.tail, images.count, true, 0,
                          config.train.length.count);
    Worst worst;
    setup.gradientProbe = [&](const WindowRecord& record, const std::vector<double>& gradient) {
        const auto plan = planner.next();
        const ReferenceGradient reference =
            referenceGradient(*model, initial, *setup.data, plan->ids, {.labelSmoothing = config.loss.labelSmoothing});
        worst.gradient = std::max(worst.gradient, worstTensor(gradient, reference.gradients));
        worst.loss = std::max(worst.loss, std::abs(record.loss - reference.loss) / reference.loss);
        ++worst.windows;
    };
    RecordingObserver observer;
    const auto trainer = Trainer::create(setup).value();
    if (trainer->train(observer).error)
        worst.gradient = std::numeric_limits<double>::infinity();
    return worst;
}

} // namespace

class TestWindowOracle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // D = 97: with B = 32 the last window is short, with B = 97 the only window is ragged for most m.
    void everyWindowIsTheLargeBatch_data() {
        QTest::addColumn<std::int64_t>("effective");
        QTest::addColumn<std::int64_t>("micro");
        for (const std::int64_t effective : {32, 97})
            for (const std::int64_t micro : {1, 3, 5, 8, 13, 32})
                QTest::addRow("B=%d m=%d", int(effective), int(micro)) << effective << micro;
    }
    void everyWindowIsTheLargeBatch() {
        QFETCH(std::int64_t, effective);
        QFETCH(std::int64_t, micro);
        RunConfig config = smallConfig(97, effective, micro);
        const std::size_t windows = effective == 32 ? 4 : 1;
        const Worst fp64 = compareWithOracle(config, {2, 1});
        QCOMPARE(fp64.windows, windows);
        qInfo("fp64 %.2e", fp64.gradient);
        QVERIFY2(fp64.gradient <= fp64Tolerance, qPrintable(QString::number(fp64.gradient)));
        QVERIFY(fp64.loss <= fp64Tolerance);
        config.numerics.precision = Precision::Fp32;
        const Worst fp32 = compareWithOracle(config, {2, 1});
        qInfo("fp32 %.2e", fp32.gradient);
        QVERIFY2(fp32.gradient <= fp32Tolerance, qPrintable(QString::number(fp32.gradient)));
    }

    void convolutionsToo() {
        RunConfig config = smallConfig(97, 32, 5);
        config.model.name = "lenet5";
        QVERIFY(compareWithOracle(config, {2, 1}).gradient <= fp64Tolerance);
        config.numerics.precision = Precision::Fp32;
        QVERIFY(compareWithOracle(config, {2, 1}).gradient <= fp32Tolerance);
    }

    void labelSmoothingToo() {
        RunConfig config = smallConfig(97, 32, 5);
        config.loss.labelSmoothing = 0.1;
        QVERIFY(compareWithOracle(config, {1, 1}).gradient <= fp64Tolerance);
    }

    // The oracle must see each planted bug: T1 mean of means, T2 sum and double division, T3 nominal divisor, T4
    // leaking tail.
    void theOracleSeesMistakes_data() {
        QTest::addColumn<int>("normalise");
        QTest::addColumn<int>("tail");
        QTest::addColumn<int>("bug");
        const int samples = int(Normalise::Samples);
        const int apply = int(TailPolicy::Apply);
        const int none = int(PlantedBug::None);
        QTest::newRow("T1 mean of means") << int(Normalise::MeanOfMeans) << apply << none;
        QTest::newRow("T2 sum of means") << int(Normalise::SumOfMeans) << apply << none;
        QTest::newRow("T2 sum") << samples << apply << int(PlantedBug::NotDivided);
        QTest::newRow("T2 divided twice") << samples << apply << int(PlantedBug::DividedTwice);
        QTest::newRow("T3 nominal divisor") << samples << apply << int(PlantedBug::NominalDivisor);
    }
    void theOracleSeesMistakes() {
        QFETCH(int, normalise);
        QFETCH(int, tail);
        QFETCH(int, bug);
        RunConfig config = smallConfig(97, 32, 5);
        config.loss.normalise = static_cast<Normalise>(normalise);
        config.batch.tail = static_cast<TailPolicy>(tail);
        const Worst worst = compareWithOracle(config, {1, 1}, static_cast<PlantedBug>(bug));
        QVERIFY2(worst.gradient > 1e-3, qPrintable(QString::number(worst.gradient)));
    }

    // In an fp64 run everything is fp64: pixels normalised in fp32 would show as 3e-9 to 2e-8.
    void anFp64RunHasNoFp32InIt() {
        const RunConfig config = smallConfig(97, 97, 97);
        QVERIFY(compareWithOracle(config, {1, 1}).gradient <= 1e-13);
    }
};

QTEST_APPLESS_MAIN(TestWindowOracle)
} // namespace test_window_oracle
#include "test_window_oracle.moc"
