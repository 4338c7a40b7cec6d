// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's own kernels against the functions that CPU training uses. Each test runs on the kernels' plain loops
// and, where there is a GPU, on the kernels.
#include "core/cuda/device.h"
#include "core/cuda/device_kernels.h"
#include "core/engine/batch_source.h"
#include "core/model/keyed_dropout.h"
#include "core/window/device_sums.h"
#include "core/window/flat_kernels.h"
#include "tests/support/numeric.h"

#include <ATen/ATen.h>
#include <QTest>
#include <cmath>
#include <limits>

namespace test_device_kernels {
using namespace accumulus;
using namespace accumulus::test;

namespace {

at::Tensor realsOf(std::int64_t count, at::ScalarType type, double phase) {
    return (at::arange(count, at::kDouble) * 0.37 + phase).sin().to(type);
}

/// One of each: `count` parameters of different sizes, none a multiple of a chunk.
ParameterLayout manyParameters(std::size_t count) {
    std::vector<ParameterSpec> specs;
    for (std::size_t i = 0; i < count; ++i)
        specs.push_back({"p" + std::to_string(i), {static_cast<std::int64_t>(7 + 1391 * (i % 9))}, 1, false});
    return ParameterLayout(specs);
}

struct Sample {
    std::vector<std::int64_t> ids, epochs;
    [[nodiscard]] SampleKeys keys() const { return {11, ids, epochs}; }
};

Sample sampleOf(std::int64_t count, std::int64_t from) {
    Sample sample;
    for (std::int64_t i = 0; i < count; ++i) {
        sample.ids.push_back(i * 7 % from);
        sample.epochs.push_back(i % 3);
    }
    return sample;
}

} // namespace

class TestDeviceKernels : public QObject {
    Q_OBJECT

    static void devices() {
        QTest::addColumn<bool>("gpu");
        QTest::newRow("loops") << false;
        QTest::newRow("kernels") << true;
    }
    /// The row's device; skips the test where there is none.
    static at::Device device() {
        QFETCH(bool, gpu);
        return gpu ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
    }
#define SKIP_WITHOUT_DEVICE()                                                                                          \
    if (device().is_cuda() && gpu::count() == 0)                                                                       \
    QSKIP(("No GPU to run on: " + gpu::whyNone()).c_str())

private Q_SLOTS:
    void imagesAreTheSameBits_data() { devices(); }
    void imagesAreTheSameBits() {
        SKIP_WITHOUT_DEVICE();
        auto data = std::make_shared<Dataset>();
        data->mean = {0.4914, 0.4822};
        data->deviation = {0.247, 0.2435};
        ImageSet& set = data->train;
        set = {40, 2, 13, 9, {}, {}};
        for (std::int64_t i = 0; i < set.count * set.imageSize(); ++i)
            set.pixels.push_back(static_cast<std::uint8_t>(i * 31 % 251));
        for (std::int64_t i = 0; i < set.count; ++i)
            set.labels.push_back(static_cast<std::uint8_t>(i % 10));
        const Sample sample = sampleOf(33, set.count);
        for (const at::ScalarType type : {at::kFloat, at::kDouble})
            for (const bool augment : {false, true}) {
                ResidentData resident(data, type, device());
                BatchSource here(*data, DataPart::Train, Task::Classify, augment, type, 4);
                BatchSource there(*data, DataPart::Train, Task::Classify, augment, type, 4, &resident);
                const Batch expected = here.fill(sample.keys());
                const Batch got = there.fill(sample.keys());
                QVERIFY(at::equal(got.input.cpu(), expected.input));
                QVERIFY(at::equal(got.targets.cpu(), expected.targets));
                QCOMPARE(got.bearing.targets, expected.bearing.targets);
            }
    }

    void tokensAreTheSame_data() { devices(); }
    void tokensAreTheSame() {
        SKIP_WITHOUT_DEVICE();
        auto data = std::make_shared<Dataset>();
        data->classes = 17;
        std::vector<std::uint8_t> tokens;
        for (int i = 0; i < 20 * 50 + 1; ++i)
            tokens.push_back(static_cast<std::uint8_t>(i * 5 % 17));
        data->trainText = {20, 50, ownedTokens(std::move(tokens))};
        const Sample sample = sampleOf(19, 20);
        for (const Task task : {Task::NextToken, Task::MaskedToken}) {
            ResidentData resident(data, at::kFloat, device());
            BatchSource here(*data, DataPart::Train, task, false, at::kFloat, 4);
            BatchSource there(*data, DataPart::Train, task, false, at::kFloat, 4, &resident);
            const Batch expected = here.fill(sample.keys());
            const Batch got = there.fill(sample.keys());
            QVERIFY(at::equal(got.input.cpu(), expected.input));
            QVERIFY(at::equal(got.targets.cpu(), expected.targets));
            QCOMPARE(got.bearing.targets, expected.bearing.targets); // which the device was not asked for
            QCOMPARE(got.bearing.samples, expected.bearing.samples);
            QCOMPARE(expected.targets.ne(ignoredTarget).sum().item<std::int64_t>(), expected.bearing.targets);
        }
    }

    void masksAreTheSameBits_data() { devices(); }
    void masksAreTheSameBits() {
        SKIP_WITHOUT_DEVICE();
        const Sample sample = sampleOf(21, 500);
        const at::Tensor keys = deviceKeysOf(sample.keys(), device());
        for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16})
            for (const double rate : {0.1, 0.5}) {
                const at::Tensor mask = kernels::keyedMask(keys, 1733, rate, 3, type);
                QVERIFY(at::equal(mask.cpu(), keyedMask(sample.keys(), 1733, rate, 3, type)));
                QVERIFY(!at::equal(mask.cpu(), keyedMask(sample.keys(), 1733, rate, 4, type)));
            }
    }

    void microStepsAreSelected_data() { devices(); }
    void microStepsAreSelected() {
        SKIP_WITHOUT_DEVICE();
        const auto whole = at::TensorOptions(at::kLong).device(device());
        const at::Tensor windowKeys = at::arange(24, whole).view({12, 2});
        const at::Tensor weights = at::arange(4, whole.dtype(at::kDouble)) * 0.5;
        // 3 + 3 + 4 + 2 samples: a shorter one begins where those before it end, not at a multiple of its size.
        const std::vector<std::int64_t> begins{0, 3, 6, 10}, sizes{3, 3, 4, 2};
        const at::Tensor starts = at::tensor(begins, at::kLong).to(device());
        at::Tensor row = at::full({1}, 1, whole), weight = at::zeros({1}, whole.dtype(at::kDouble));
        for (const std::size_t k : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
            at::Tensor keys = at::zeros({sizes[k], 2}, whole);
            kernels::selectMicroStep(windowKeys, starts, weights, row, keys, weight);
            QVERIFY(at::equal(keys, windowKeys.narrow(0, begins[k], sizes[k])));
            QVERIFY(compareBits(weight.item<double>(), 0.5 * static_cast<double>(k)));
        }
        QCOMPARE(row.item<std::int64_t>(), 4);
    }

    // 150 parameters are more than one launch takes. Three micro-steps, then divided and clipped; against the CPU's own
    // kernels.
    void sumsAreThoseOfTheCpu_data() { devices(); }
    void sumsAreThoseOfTheCpu() {
        SKIP_WITHOUT_DEVICE();
        for (const std::size_t parameters : {std::size_t{1}, std::size_t{150}})
            for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
                const ParameterLayout layout = manyParameters(parameters);
                const double clipNorm = 0.25;
                // Sums of squares in another order: fp64 rounding; the CPU squares fp32 values in fp32, 16 partial sums
                // of up to 256 terms each.
                const double tolerance = type == at::kDouble ? 1e-13 : 256 * 6e-8;
                at::Tensor expected = layout.allocate(at::kDouble);
                const std::vector<bool> all(layout.size(), true);
                DeviceSums sums(layout, type, type, device(), 2);
                std::vector<double> norms;
                for (int k = 0; k < 3; ++k) {
                    std::vector<at::Tensor> gradients;
                    double norm = 0.0;
                    for (std::size_t i = 0; i < layout.size(); ++i) {
                        const at::Tensor gradient =
                            realsOf(layout.specs()[i].count(), type, k + 0.1 * static_cast<double>(i));
                        layout.view(expected, i).add_(gradient.to(at::kDouble), 0.5);
                        norm += gradient.to(at::kDouble).square().sum().item<double>();
                        gradients.push_back(gradient.to(device()));
                    }
                    norms.push_back(norm);
                    sums.reserve(k + 1);
                    sums.add(gradients, 0.5, all);
                    sums.endMicroStep(1.5 * k, {});
                }
                sums.reduce();
                sums.close(all, 1.0 / 7.0, clipNorm);
                const DeviceSums::Values values = sums.values(3);
                expected /= 7.0;
                const double squared = expected.square().sum().item<double>();
                QVERIFY(compareRel(values.squaredNorm, squared, tolerance));
                QVERIFY(squared > clipNorm * clipNorm);
                expected *= clipNorm / std::sqrt(squared);
                // A few roundings of an element, and of the clip factor.
                const double rounding = type == at::kDouble ? 1e-14 : 1e-6;
                QVERIFY(at::allclose(sums.gradient().cpu().to(at::kDouble), expected, rounding, rounding));
                for (std::size_t k = 0; k < 3; ++k) {
                    QVERIFY(compareRel(values.squaredNorms[k], norms[k], tolerance));
                    QVERIFY(compareBits(values.losses[k], 1.5 * static_cast<double>(k)));
                }
                QCOMPARE(sums.foundInf().item<float>(), 0.0F);
            }
    }

    // An element is rounded as by the CPU's kernel, into fp32, fp64 and bf16.
    void oneCommitIsTheSameBits_data() { devices(); }
    void oneCommitIsTheSameBits() {
        SKIP_WITHOUT_DEVICE();
        constexpr std::int64_t count = 10007;
        const auto commitBoth = [&](at::ScalarType flatType, at::ScalarType gradientType, auto onCpu) {
            const at::Tensor gradient = realsOf(count, gradientType, 0.2);
            const at::Tensor start = realsOf(count, flatType, 0.9);
            at::Tensor expected = start.clone();
            onCpu(expected, gradient);
            at::Tensor flat = start.to(device()).clone();
            at::Tensor partials =
                at::zeros({kernels::chunksOf(count)}, at::TensorOptions(at::kDouble).device(device()));
            const kernels::Piece piece{gradient.to(device()), 0, count, 0};
            kernels::commit(flat, {&piece, 1}, {0.3, {}}, partials);
            QVERIFY(at::equal(flat.cpu(), expected));
        };
        commitBoth(at::kFloat, at::kFloat, [](at::Tensor& out, const at::Tensor& in) {
            (void)commitKernel(out.mutable_data_ptr<float>(), in.const_data_ptr<float>(), count, 0.3F, false);
        });
        commitBoth(at::kDouble, at::kDouble, [](at::Tensor& out, const at::Tensor& in) {
            (void)commitKernel(out.mutable_data_ptr<double>(), in.const_data_ptr<double>(), count, 0.3, false);
        });
        commitBoth(at::kBFloat16, at::kFloat, [](at::Tensor& out, const at::Tensor& in) {
            (void)commitKernel(out.mutable_data_ptr<at::BFloat16>(), in.const_data_ptr<float>(), count, 0.3F, false);
        });
    }

    void whatIsNotFiniteIsFound_data() { devices(); }
    void whatIsNotFiniteIsFound() {
        SKIP_WITHOUT_DEVICE();
        const ParameterLayout layout = manyParameters(3);
        const auto reals = at::TensorOptions(at::kDouble).device(device());
        const auto foundWith = [&](double loss, double value) {
            const std::vector<bool> all(3, true);
            DeviceSums sums(layout, at::kFloat, at::kFloat, device(), 4);
            for (int k = 0; k < 3; ++k) {
                std::vector<at::Tensor> gradients;
                for (const ParameterSpec& spec : layout.specs())
                    gradients.push_back(at::ones({spec.count()}, reals.dtype(at::kFloat)));
                if (k == 1)
                    gradients[2][5] = value;
                sums.add(gradients, 1.0, all);
                sums.endMicroStep(k == 1 ? loss : 1.0, {});
            }
            sums.close(all, 1.0, 0.0);
            return sums.foundInf().item<float>();
        };
        constexpr double infinity = std::numeric_limits<double>::infinity();
        QCOMPARE(foundWith(1.0, 1.0), 0.0F);
        QCOMPARE(foundWith(std::nan(""), 1.0), 1.0F);
        QCOMPARE(foundWith(-infinity, 1.0), 1.0F);
        QCOMPARE(foundWith(1.0, std::nan("")), 1.0F);
        QCOMPARE(foundWith(1.0, infinity), 1.0F);
    }

    // A micro-step that was broken off before its end leaves nothing to the next one, and a closed window no count.
    void everyWindowBeginsWithNothing_data() { devices(); }
    void everyWindowBeginsWithNothing() {
        SKIP_WITHOUT_DEVICE();
        const ParameterLayout layout = manyParameters(3);
        const auto reals = at::TensorOptions(at::kDouble).device(device());
        // Of two of three parameters: what the third one left would be counted.
        const std::vector<bool> two{true, true, false};
        const std::vector<at::Tensor> ones{
            at::ones({layout.specs()[0].count()}, reals), at::ones({layout.specs()[1].count()}, reals), {}};
        const auto count = static_cast<double>(ones[0].numel() + ones[1].numel());
        DeviceSums sums(layout, at::kDouble, at::kDouble, device(), 4);
        const auto expectOneMicroStep = [&](double loss) {
            sums.add(ones, 1.0, two);
            sums.endMicroStep(loss, {});
            sums.close(two, 1.0, 0.0);
            const DeviceSums::Values values = sums.values(1);
            QVERIFY(compareBits(values.squaredNorms.front(), count)); // sums of ones are exact
            QVERIFY(compareBits(values.squaredNorm, count));
            QVERIFY(compareBits(values.losses.front(), loss));
        };
        sums.addParameter(2, at::ones({layout.specs()[2].count()}, reals), 1.0, false); // and no end of the micro-step
        sums.clear();
        expectOneMicroStep(1.5);
        sums.queueRestart();
        sums.clear();
        expectOneMicroStep(2.5);
        sums.clear(); // as where nobody has foreseen it
        expectOneMicroStep(3.5);
    }

    // What no micro-batch touched is neither scaled nor counted, and keeps what lies there.
    void untouchedParametersAreLeftAlone_data() { devices(); }
    void untouchedParametersAreLeftAlone() {
        SKIP_WITHOUT_DEVICE();
        const ParameterLayout layout = manyParameters(5);
        const std::vector<bool> touched{true, true, false, true, false};
        DeviceSums sums(layout, at::kDouble, at::kDouble, device(), 4);
        const at::Tensor& flat = sums.gradient();
        for (std::size_t i = 0; i < 5; ++i)
            layout.view(flat, i).fill_(2.0);
        sums.close(touched, 0.5, 0.0);
        double count = 0.0;
        for (std::size_t i = 0; i < 5; ++i) {
            QVERIFY(layout.view(flat, i).eq(touched[i] ? 1.0 : 2.0).all().item<bool>());
            count += touched[i] ? static_cast<double>(layout.specs()[i].count()) : 0.0;
        }
        QVERIFY(compareBits(sums.values(0).squaredNorm, count)); // sums of ones are exact
    }
};

QTEST_APPLESS_MAIN(TestDeviceKernels)
} // namespace test_device_kernels
#include "test_device_kernels.moc"
