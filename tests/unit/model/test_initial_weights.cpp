// SPDX-License-Identifier: GPL-3.0-or-later
// Initial weights from a file: names with and without prefixes, types, new heads, what is refused before anything is
// written; frozen parameters by patterns.
#include "core/base/path_text.h"
#include "core/engine/memory_counter.h"
#include "core/model/initial_state.h"
#include "core/model/safetensors.h"
#include "core/model/weights_file.h"
#include "core/model/weights_names.h"
#include "core/train/checkpoint.h"
#include "tests/support/numeric.h"
#include "tests/unit/model/weights_archive.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <limits>

namespace test_initial_weights {
using namespace accumulus;
using namespace accumulus::test;

namespace {

std::shared_ptr<const Model> modelOf(const std::string& name, std::int64_t classes,
                                     const std::vector<std::string>& freeze = {}) {
    ModelConfig config;
    config.name = name;
    config.freeze = freeze;
    const bool color = name.starts_with("resnet");
    return makeModel(config, {color ? 3 : 1, color ? 32 : 28, color ? 32 : 28, classes}).value();
}

/// What another program would have saved: names as in Python, values of another seed, counters of batches.
TensorList savedBy(const Model& model, const std::string& prefix = {}, at::ScalarType type = at::kFloat) {
    TensorList tensors;
    const at::Tensor weights = initialWeights(model.layout(), {}, 99).to(type);
    for (std::size_t i = 0; i < model.layout().size(); ++i)
        tensors.emplace_back(prefix + model.layout().specs()[i].name, model.layout().view(weights, i).contiguous());
    for (const ParameterSpec& spec : model.buffers().specs()) {
        tensors.emplace_back(prefix + spec.name, at::full(spec.shape, 0.25 + spec.initial.value, type));
        if (spec.name.ends_with("running_mean"))
            tensors.emplace_back(prefix + spec.name.substr(0, spec.name.size() - 12) + "num_batches_tracked",
                                 at::scalar_tensor(5, at::kLong));
    }
    return tensors;
}

std::vector<std::string> codesOf(const std::vector<Message>& notes) {
    std::vector<std::string> codes;
    for (const Message& note : notes)
        codes.push_back(note.code);
    return codes;
}

at::Tensor& tensorOf(TensorList& tensors, const std::string& name) {
    return std::ranges::find(tensors, name, &std::pair<std::string, at::Tensor>::first)->second;
}

} // namespace

class TestInitialWeights : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] ModelConfig configOf(const TensorList& tensors, bool newHead = false, const std::string& outer = {}) {
        const std::filesystem::path file = m_folder.path().toStdString() + "/weights.pth";
        writeBytes(file, stateDict(tensors, outer));
        ModelConfig config;
        config.weights = textOfPath(file);
        config.newHead = newHead;
        return config;
    }
    [[nodiscard]] Error errorOf(const Model& model, const TensorList& tensors, bool newHead = false) {
        const auto state = initialState(model, configOf(tensors, newHead), 1, at::kFloat);
        return state ? Error{} : state.error();
    }

private Q_SLOTS:
    void everyTypeAndPrefixGivesTheFilesWeights() {
        const auto model = modelOf("lenet5", 10);
        for (const char* prefix : {"", "module.", "_orig_mod.", "net.encoder.", "0."})
            for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16}) {
                const TensorList saved = savedBy(*model, prefix, type);
                const auto state = initialState(*model, configOf(saved, false, "state_dict"), 1, at::kDouble);
                QVERIFY2(state, state ? "" : describe(state.error()).c_str());
                for (std::size_t i = 0; i < model->layout().size(); ++i)
                    QVERIFY(at::equal(model->layout().view(state->parameters, i), saved[i].second.to(at::kDouble)));
                const auto codes = codesOf(state->notes);
                QCOMPARE(std::ranges::count(codes, "weights.prefix"), *prefix ? 1 : 0);
            }
    }

    void runningStatisticsAreLoaded() {
        const auto model = modelOf("resnet18", 10);
        const auto state = initialState(*model, configOf(savedBy(*model, "module.")), 1, at::kFloat);
        QVERIFY2(state, state ? "" : describe(state.error()).c_str());
        QVERIFY(at::allclose(model->buffers().view(state->statistics, 0), at::full({64}, 0.25)));
        QVERIFY(at::allclose(model->buffers().view(state->statistics, 1), at::full({64}, 1.25)));
        const auto codes = codesOf(state->notes);
        QCOMPARE(std::ranges::count(codes, "weights.ignored"), 0); // the counters are no surprise
    }

    void safetensorsAreTakenToo() {
        const auto model = modelOf("mlp", 10);
        NamedTensors content;
        content.tensors = savedBy(*model);
        const std::filesystem::path file = m_folder.path().toStdString() + "/any.name";
        QVERIFY(writeSafetensors(file, content).has_value());
        ModelConfig config;
        config.weights = textOfPath(file);
        const auto state = initialState(*model, config, 1, at::kFloat);
        QVERIFY(state);
        QVERIFY(at::equal(model->layout().view(state->parameters, 0), content.tensors[0].second));
    }

    void theModelsPrefixMayBeMissingInTheFile() {
        const auto found =
            findPrefixes({"inner.a.weight", "inner.a.bias", "inner.b.weight"}, {"a.weight", "a.bias", "b.weight"});
        QVERIFY(found);
        QCOMPARE(found->inModel, std::string("inner."));
        QCOMPARE(found->inFileOf("inner.b.weight"), std::string("b.weight"));
        // Two networks in one file: nobody can tell which is meant.
        const auto two = findPrefixes({"a.weight"}, {"student.a.weight", "teacher.a.weight"});
        QVERIFY(!two);
        QCOMPARE(two.error().code, std::string("reason.weights-two"));
    }

    void aHeadOfAnotherSizeIsDrawnWhenAsked() {
        const auto thousand = modelOf("resnet18", 1000), ten = modelOf("resnet18", 10);
        const TensorList saved = savedBy(*thousand);
        const Error refused = errorOf(*ten, saved);
        QCOMPARE(refused.code, std::string("weights.mismatch"));
        QCOMPARE(refused.argument("cure"), std::string("cure.weights-head"));
        QCOMPARE(refused.argument("list"), std::string("fc.weight [1000, 512] -> [10, 512], fc.bias [1000] -> [10]"));

        const auto state = initialState(*ten, configOf(saved, true), 7, at::kFloat);
        QVERIFY(state);
        const at::Tensor drawn = initialWeights(ten->layout(), {}, 7).to(at::kFloat);
        for (std::size_t i = 0; i < ten->layout().size(); ++i) {
            const bool head = ten->layout().specs()[i].name.starts_with("fc.");
            QVERIFY(at::equal(ten->layout().view(state->parameters, i),
                              head ? ten->layout().view(drawn, i) : saved[i].second));
        }
        const auto codes = codesOf(state->notes);
        QCOMPARE(std::ranges::count(codes, "weights.drawn"), 1);
    }

    // Each parameter is drawn in fp64 and rounded at once: what starts a run takes no more memory than its training.
    void aStartTakesTheMemoryOfOneParameterBesideTheWeights() {
        const auto model = modelOf("resnet18", 10);
        const ParameterLayout& layout = model->layout();
        std::int64_t largest = 0;
        for (const ParameterSpec& spec : layout.specs())
            largest = std::max(largest, spec.count());
        const auto inFp64 = static_cast<std::int64_t>(sizeof(double)) * largest;
        MemoryCounter::install();
        for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
            const std::int64_t flat = layout.flatSize() * static_cast<std::int64_t>(c10::elementSize(type));
            const MemoryPeak atOnce;
            const at::Tensor rounded = initialWeights(layout, {}, 5, type);
            QVERIFY(atOnce.bytes() <= flat + inFp64);
            const MemoryPeak together; // the way that takes too much
            const at::Tensor same = initialWeights(layout, {}, 5).to(type);
            QVERIFY(together.bytes() > flat + inFp64);
            QVERIFY(at::equal(rounded, same));
        }
    }

    void anotherNetworkIsRefused() {
        const auto model = modelOf("resnet18", 10);
        QCOMPARE(errorOf(*model, savedBy(*modelOf("lenet5", 10)), true).argument("cure"),
                 std::string("cure.weights-network"));
        TensorList two = savedBy(*model); // two layers differ: that is no new head
        tensorOf(two, "fc.weight") = at::zeros({7, 512});
        tensorOf(two, "conv1.weight") = at::zeros({64, 3, 3, 3});
        const Error refused = errorOf(*model, two, true);
        QCOMPARE(refused.code, std::string("weights.mismatch"));
        QVERIFY(refused.argument("list").find("conv1.weight [64, 3, 3, 3] -> [64, 3, 7, 7]") != std::string::npos);
        TensorList whole = savedBy(*model);
        tensorOf(whole, "fc.bias") = at::zeros({10}, at::kLong);
        QVERIFY(errorOf(*model, whole).argument("list").find("Long") != std::string::npos);
        QCOMPARE(errorOf(*model, whole).argument("cure"), std::string("cure.weights-network")); // a new head is none
        TensorList partly = savedBy(*model); // running statistics of some layers only
        std::erase_if(partly, [](const auto& one) { return one.first == "bn1.running_var"; });
        QCOMPARE(errorOf(*model, partly).argument("reason"), std::string("reason.weights-statistics"));
    }

    // A tied weight: files have one of its names, or all.
    void aTiedWeightHasSeveralNames() {
        ParameterSpec tied, other;
        tied.name = "tokens.weight";
        tied.aliases = {"out.weight"};
        tied.shape = {6, 4};
        other.name = "norm.weight";
        other.shape = {4};
        const ParameterLayout layout({tied, other});
        const at::Tensor weights = at::arange(24.0, at::kDouble).view({6, 4}), scale = at::full({4}, 2.0, at::kDouble);
        const auto read = [&](const TensorList& tensors, at::Tensor& parameters) {
            at::Tensor statistics;
            return loadInitialWeights(pathOfText(configOf(tensors).weights), layout, {}, false, parameters, statistics);
        };
        for (const char* prefix : {"", "module."})
            for (const std::vector<std::string>& names :
                 {std::vector<std::string>{"tokens.weight"}, {"out.weight"}, {"tokens.weight", "out.weight"}}) {
                TensorList tensors{{prefix + std::string("norm.weight"), scale}};
                for (const std::string& name : names)
                    tensors.emplace_back(prefix + name, weights);
                at::Tensor parameters = layout.allocate(at::kDouble);
                const auto notes = read(tensors, parameters);
                QVERIFY2(notes, notes ? "" : describe(notes.error()).c_str());
                QCOMPARE(std::ranges::count(codesOf(*notes), "weights.ignored"), 0);
                QVERIFY(at::equal(layout.view(parameters, 0), weights));
            }
        // A prefix, where the file has other names alone.
        ParameterSpec shared = other;
        shared.name = "a.weight";
        shared.aliases = {"b.weight", "c.weight"};
        const ParameterLayout block({shared});
        at::Tensor flat = block.allocate(at::kDouble), none;
        const ModelConfig second = configOf({{"module.c.weight", scale}});
        QVERIFY(loadInitialWeights(pathOfText(second.weights), block, {}, false, flat, none).has_value());
        QVERIFY(at::equal(block.view(flat, 0), scale));
        at::Tensor parameters = layout.allocate(at::kDouble);
        const auto refused =
            read({{"norm.weight", scale}, {"tokens.weight", weights}, {"out.weight", weights + 1.0}}, parameters);
        QVERIFY(!refused);
        QCOMPARE(refused.error().argument("reason"), std::string("reason.weights-untied"));
        QVERIFY(at::equal(parameters, layout.allocate(at::kDouble)));
        QVERIFY(!read({{"norm.weight", scale}}, parameters));
        // What is written has all of them, for a strict load_state_dict().
        layout.view(parameters, 0).copy_(weights);
        const std::filesystem::path file = m_folder.path().toStdString() + "/tied.safetensors";
        QVERIFY(saveWeights(file, layout, parameters, {}).has_value());
        const auto written = readSafetensors(file);
        QVERIFY(written && written->tensors.size() == 3 && written->find("out.weight"));
        QVERIFY(at::equal(*written->find("out.weight"), weights) &&
                at::equal(*written->find("tokens.weight"), weights));
    }

    void whatIsNotFiniteIsRefused() {
        const auto model = modelOf("mlp", 10);
        for (const double bad :
             {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
            TensorList saved = savedBy(*model, {}, at::kDouble);
            tensorOf(saved, "fc2.weight")
                .index_put_({at::tensor(3), at::tensor(4)}, at::scalar_tensor(bad, at::kDouble));
            const Error refused = errorOf(*model, saved);
            QCOMPARE(refused.code, std::string("weights.nonfinite"));
            QCOMPARE(refused.argument("parameter"), std::string("fc2.weight"));
        }
    }

    void nothingIsWrittenBeforeEverythingIsChecked() {
        const auto model = modelOf("mlp", 10);
        TensorList saved = savedBy(*model);
        tensorOf(saved, "fc3.bias").fill_(std::numeric_limits<float>::quiet_NaN()); // the last one
        const ModelConfig config = configOf(saved);
        at::Tensor parameters = initialWeights(model->layout(), {}, 1);
        at::Tensor statistics = initialBuffers(model->buffers());
        const at::Tensor before = parameters.clone();
        QVERIFY(!loadInitialWeights(pathOfText(config.weights), model->layout(), model->buffers(), false, parameters,
                                    statistics));
        QVERIFY(at::equal(parameters, before));
    }

    void whatIsLeftOutIsNamed() {
        const auto model = modelOf("resnet18", 10);
        TensorList saved = savedBy(*model);
        std::erase_if(saved, [](const auto& one) { return one.first.find("running_") != std::string::npos; });
        saved.emplace_back("extra.weight", at::zeros({2}));
        const auto state = initialState(*model, configOf(saved), 1, at::kFloat);
        QVERIFY(state);
        const auto codes = codesOf(state->notes);
        QVERIFY(codes == (std::vector<std::string>{"weights.loaded", "weights.no-statistics", "weights.ignored"}));
        QCOMPARE(state->notes.back().argument("first"), std::string("extra.weight"));
    }

    // Freezing.

    void patternsFreezeWhatTheyMatch() {
        const auto model = modelOf("resnet18", 10, {"conv1.*", "bn1.*", "layer1.*", "layer?.0.conv1.weight"});
        const auto free = modelOf("resnet18", 10);
        std::int64_t frozen = 0;
        for (const ParameterSpec& spec : model->layout().specs()) {
            const bool is = spec.name.starts_with("conv1.") || spec.name.starts_with("bn1.") ||
                            spec.name.starts_with("layer1.") || spec.name.ends_with(".0.conv1.weight");
            QCOMPARE(spec.trainable, !is);
            frozen += is ? spec.count() : 0;
        }
        QCOMPARE(model->layout().frozenCount(), frozen);
        QCOMPARE(model->layout().parameterCount(), free->layout().parameterCount());
        QCOMPARE(free->layout().frozenCount(), std::int64_t{0});
        QCOMPARE(free->layout().gradientSize(), free->layout().flatSize());
        // Frozen parameters lie behind the others, and gradients end where they begin.
        const ParameterLayout& layout = model->layout();
        QVERIFY(layout.gradientSize() < layout.flatSize() - frozen + 1);
        for (std::size_t i = 0; i < layout.size(); ++i)
            QCOMPARE(layout.offset(i) >= layout.gradientSize(), !layout.specs()[i].trainable);
        // The same draws, wherever they lie.
        const at::Tensor some = initialWeights(layout, {}, 3), all = initialWeights(free->layout(), {}, 3);
        for (std::size_t i = 0; i < layout.size(); ++i)
            QVERIFY(at::equal(layout.view(some, i), free->layout().view(all, i)));
    }

    void patternsThatMatchNothingAreRefused() {
        ModelConfig config;
        config.name = "resnet18";
        config.freeze = {"layer1.*", "leyer2.*"};
        const auto refused = makeModel(config, {3, 32, 32, 10});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("config.freeze"));
        QCOMPARE(refused.error().argument("nearest"), std::string("layer2.*"));
        config.freeze = {"*"};
        QCOMPARE(makeModel(config, {3, 32, 32, 10}).error().code, std::string("config.freeze-all"));
    }

    // Frozen parameters lie last, gaps are zero, and what was not touched is zero, too.
    void filesHoldArenasInRowMajorOrder() {
        ParameterSpec convolution{.name = "conv", .shape = {4, 3, 2, 2}, .channelsLast = true};
        const ParameterSpec frozen{.name = "frozen", .shape = {5}, .trainable = false},
            last{.name = "last", .shape = {3, 2}};
        const ParameterLayout layout({convolution, frozen, last});
        at::Tensor flat = layout.allocate(at::kFloat);
        for (std::size_t i = 0; i < layout.size(); ++i)
            layout.view(flat, i).copy_(at::arange(1, layout.specs()[i].count() + 1).view(layout.specs()[i].shape));
        for (const std::vector<bool>& kept :
             {std::vector<bool>{}, {true, true, true}, {false, true, true}, {true, false, false}}) {
            at::Tensor expected = at::zeros_like(flat);
            for (std::size_t i = 0; i < layout.size(); ++i)
                if (kept.empty() || kept[i])
                    expected.narrow(0, layout.offset(i), layout.specs()[i].count())
                        .copy_(at::arange(1, layout.specs()[i].count() + 1));
            QVERIFY(at::equal(layout.rowMajor(flat, kept), expected));
            const at::Tensor gradient = flat.narrow(0, 0, layout.gradientSize());
            QVERIFY(at::equal(layout.rowMajor(gradient, kept), expected.narrow(0, 0, layout.gradientSize())));
        }
        QVERIFY(!at::equal(layout.rowMajor(flat), flat)); // the convolution is stored otherwise
    }
};

QTEST_APPLESS_MAIN(TestInitialWeights)
} // namespace test_initial_weights
#include "test_initial_weights.moc"
