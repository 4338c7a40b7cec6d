// SPDX-License-Identifier: GPL-3.0-or-later
// char-gpt and bert-mini: names and sizes, who sees whom, tied heads, dropout by sample, derivatives. Against PyTorch's
// own encoder layers: tests/oracle/pytorch_transformers.py.
#include "core/engine/autocast.h"
#include "core/model/attention.h"
#include "core/model/transformer_block.h"
#include "tests/unit/model/probes.h"

#include <QTest>

#include <cmath>
#include <set>
#include <stdexcept>

namespace test_transformers {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr std::int64_t vocabulary = 11, block = 7;
constexpr std::int64_t maskToken = vocabulary;

std::shared_ptr<const Model> transformer(const std::string& name, double dropout = 0.0) {
    ModelConfig config;
    config.name = name;
    config.layers = 2;
    config.heads = 2;
    config.width = 8;
    config.dropout = dropout;
    return makeModel(config, {1, 0, 0, vocabulary, block}).value();
}

at::Tensor tokens(std::int64_t count) {
    return at::arange(count * block, at::kLong)
        .mul(7)
        .add(at::arange(count * block, at::kLong).square())
        .remainder(vocabulary - 1)
        .view({count, block});
}

at::Tensor targetsOf(const at::Tensor& input) { return input.add(3).remainder(vocabulary).flatten(); }

/// Rows x positions at which two sets of logits [n x block, vocabulary] differ by more than rounding.
std::set<std::int64_t> positionsThatDiffer(const at::Tensor& a, const at::Tensor& b) {
    const std::vector<double> apart = valuesOf((a - b).abs().amax(1));
    std::set<std::int64_t> positions;
    for (std::size_t i = 0; i < apart.size(); ++i)
        if (apart[i] > 1e-12) // logits are of order 0.1
            positions.insert(static_cast<std::int64_t>(i));
    return positions;
}

constexpr double tolerance = 1e-11; // fp64 sums of a few hundred terms, through some 20 operations

} // namespace

class TestTransformers : public QObject {
    Q_OBJECT

    const at::Tensor input = tokens(4);
    const at::Tensor targets = targetsOf(input);
    const at::Tensor unlike = at::arange(8, at::kDouble).square(); // for each channel another value

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void both_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("char-gpt") << "char-gpt";
        QTest::newRow("bert-mini") << "bert-mini";
    }

    // nanoGPT's names and order. 65 x 128 + 64 x 128 + 4 (12 x 128^2 + 13 x 128) + 2 x 128.
    void charGptIsNanoGpts() {
        std::string names;
        const auto model = transformer("char-gpt");
        for (const ParameterSpec& spec : model->layout().specs())
            if (!spec.name.starts_with("transformer.h.1."))
                names += spec.name + " " + std::to_string(spec.shape[0]) + "\n";
        QCOMPARE(names, std::string("transformer.wte.weight 11\ntransformer.wpe.weight 7\n"
                                    "transformer.h.0.ln_1.weight 8\ntransformer.h.0.ln_1.bias 8\n"
                                    "transformer.h.0.attn.c_attn.weight 24\ntransformer.h.0.attn.c_attn.bias 24\n"
                                    "transformer.h.0.attn.c_proj.weight 8\ntransformer.h.0.attn.c_proj.bias 8\n"
                                    "transformer.h.0.ln_2.weight 8\ntransformer.h.0.ln_2.bias 8\n"
                                    "transformer.h.0.mlp.c_fc.weight 32\ntransformer.h.0.mlp.c_fc.bias 32\n"
                                    "transformer.h.0.mlp.c_proj.weight 8\ntransformer.h.0.mlp.c_proj.bias 8\n"
                                    "transformer.ln_f.weight 8\ntransformer.ln_f.bias 8\n"));
        ModelConfig config;
        config.name = "char-gpt"; // 4 layers, 4 heads, 128 channels
        QCOMPARE(makeModel(config, {1, 0, 0, 65, 64}).value()->layout().parameterCount(), 809'856);
        QVERIFY(model->task() == Task::NextToken);
    }

    // Hugging Face's names. 66 x 128 + 64 x 128 + 256 + 4 (12 x 128^2 + 13 x 128) + 65 + 128^2 + 128 + 256.
    void bertMiniIsBerts() {
        ModelConfig config;
        config.name = "bert-mini";
        const auto model = makeModel(config, {1, 0, 0, 65, 64}).value();
        QCOMPARE(model->layout().parameterCount(), 826'817);
        std::set<std::string> names;
        for (const ParameterSpec& spec : model->layout().specs())
            names.insert(spec.name);
        for (const char* name :
             {"bert.embeddings.word_embeddings.weight", "bert.embeddings.LayerNorm.bias",
              "bert.encoder.layer.3.attention.self.query.weight", "bert.encoder.layer.0.attention.output.dense.bias",
              "bert.encoder.layer.2.intermediate.dense.weight", "bert.encoder.layer.1.output.LayerNorm.weight",
              "cls.predictions.bias", "cls.predictions.transform.LayerNorm.weight"})
            QVERIFY2(names.contains(name), name);
        QVERIFY(model->task() == Task::MaskedToken);
    }

    void initialWeightsHaveTheirDeviations() {
        ModelConfig config;
        for (const char* name : {"char-gpt", "bert-mini"}) {
            config.name = name;
            const Lane lane(makeModel(config, {1, 0, 0, 65, 64}).value());
            for (std::size_t i = 0; i < lane.leaves.size(); ++i) {
                const ParameterSpec& spec = lane.model->layout().specs()[i];
                const at::Tensor& values = lane.leaves[i];
                if (spec.shape.size() == 1) {
                    const bool scale = spec.name.ends_with("weight");
                    QVERIFY(at::equal(values, at::full_like(values, scale ? 1.0 : 0.0)));
                    continue;
                }
                const bool residual = spec.name.find("c_proj") != std::string::npos;
                const double wanted = residual ? 0.02 / std::sqrt(8.0) : 0.02;
                // Relative standard error 1 / sqrt(2 n); five of them.
                QVERIFY2(compareRel(values.std().item<double>(), wanted,
                                    5.0 / std::sqrt(2.0 * static_cast<double>(spec.count()))),
                         spec.name.c_str());
            }
        }
    }

    void logitsAreRowsOfPositions_data() { both_data(); }
    void logitsAreRowsOfPositions() {
        QFETCH(QString, name);
        const Lane lane(transformer(name.toStdString()));
        const at::Tensor logits = lane.evaluate(input);
        QCOMPARE(logits.sizes().vec(), (std::vector<std::int64_t>{4 * block, vocabulary}));
        // Row by row, position by position: sample 2's first position is row 2 x block.
        QVERIFY(distance(lane.evaluate(input.narrow(0, 2, 1)), logits.narrow(0, 2 * block, block)) < tolerance);
        // A shorter text is a beginning; a longer one has no positions.
        QCOMPARE(lane.evaluate(input.narrow(1, 0, 3)).size(0), std::int64_t{4 * 3});
        QVERIFY_EXCEPTION_THROWN((void)lane.evaluate(at::cat({input, input}, 1)), std::runtime_error);
    }

    // Attention against its definition, heads and mask spelled out.
    void attentionIsWhatItIsCalled_data() {
        QTest::addColumn<bool>("causal");
        QTest::newRow("causal") << true;
        QTest::newRow("both sides") << false;
    }
    void attentionIsWhatItIsCalled() {
        QFETCH(bool, causal);
        const auto some = [](double speed) {
            return at::arange(2 * 5 * 6, at::kDouble).mul(speed).sin().view({2, 5, 6}).mul(3.0);
        };
        const at::Tensor query = some(0.7), key = some(1.3), value = some(2.9);
        const at::Tensor got = attentionSideBySide(query, key, value, 3, causal);
        for (std::int64_t row = 0; row < 2; ++row)
            for (std::int64_t head = 0; head < 3; ++head)
                for (std::int64_t i = 0; i < 5; ++i) {
                    const auto part = [&](const at::Tensor& x, std::int64_t at) {
                        return x[row][at].narrow(0, 2 * head, 2);
                    };
                    at::Tensor total = at::zeros({2}, at::kDouble);
                    double weights = 0.0;
                    for (std::int64_t j = 0; j < (causal ? i + 1 : 5); ++j) {
                        const double weight =
                            std::exp(part(query, i).dot(part(key, j)).item<double>() / std::sqrt(2.0));
                        total += weight * part(value, j);
                        weights += weight;
                    }
                    QVERIFY(distance(part(got, i), total / weights) < 1e-12);
                }
    }

    void gptSeesThePast() {
        const Lane lane(transformer("char-gpt"));
        const at::Tensor logits = lane.evaluate(input);
        at::Tensor changed = input.clone();
        changed[1][3] = (changed[1][3] + 1).remainder(vocabulary);
        std::set<std::int64_t> wanted; // sample 1, positions 3 and later
        for (std::int64_t position = 3; position < block; ++position)
            wanted.insert(block + position);
        QVERIFY(positionsThatDiffer(lane.evaluate(changed), logits) == wanted);
    }

    void bertSeesBothSides() {
        const Lane lane(transformer("bert-mini"));
        const at::Tensor logits = lane.evaluate(input);
        at::Tensor changed = input.clone();
        changed[1][3] = maskToken;
        std::set<std::int64_t> wanted; // all of sample 1
        for (std::int64_t position = 0; position < block; ++position)
            wanted.insert(block + position);
        QVERIFY(positionsThatDiffer(lane.evaluate(changed), logits) == wanted);
    }

    // Positions count: the same token twice, and the order of tokens.
    void positionsMatter_data() { both_data(); }
    void positionsMatter() {
        QFETCH(QString, name);
        const Lane lane(transformer(name.toStdString()));
        const at::Tensor same = at::full({1, block}, 4, at::kLong);
        const at::Tensor logits = lane.evaluate(same);
        for (std::int64_t position = 1; position < block; ++position)
            QVERIFY(distance(logits[position], logits[0]) > 1e-6);
    }

    // A token that is not in the input still is an answer: its embedding is its row of the head, and nothing else.
    void theHeadIsTheEmbedding_data() { both_data(); }
    void theHeadIsTheEmbedding() {
        QFETCH(QString, name);
        Lane lane(transformer(name.toStdString()));
        const std::int64_t absent = vocabulary - 1;
        QVERIFY(!input.eq(absent).any().item<bool>());
        const at::Tensor before = lane.evaluate(input);
        lane.leaves[0].detach()[absent].add_(unlike); // LayerNorm would not see a shift of all channels
        const at::Tensor change = lane.evaluate(input) - before;
        QVERIFY(change.select(1, absent).abs().min().item<double>() > 1e-6);
        QVERIFY(compareBits(change.narrow(1, 0, absent).abs().max().item<double>(), 0.0));
    }

    void theMaskIsNoAnswer() {
        Lane lane(transformer("bert-mini"));
        QCOMPARE(lane.leaves[0].size(0), vocabulary + 1);
        const at::Tensor before = lane.evaluate(input);
        lane.leaves[0].detach()[maskToken].add_(unlike);
        QVERIFY(at::equal(lane.evaluate(input), before)); // not shown, not answered
        at::Tensor masked = input.clone();
        masked[0][2] = maskToken;
        const at::Tensor shown = lane.evaluate(masked);
        lane.leaves[0].detach()[maskToken].add_(unlike);
        QVERIFY(distance(lane.evaluate(masked), shown) > 1e-6);
    }

    void everyParameterIsTouched_data() { both_data(); }
    void everyParameterIsTouched() {
        QFETCH(QString, name);
        const Lane lane(transformer(name.toStdString()));
        ForwardContext context = lane.context(true);
        const auto gradients = lane.gradients(input, targets, context);
        for (std::size_t i = 0; i < gradients.size(); ++i)
            QVERIFY2(gradients[i].defined() && gradients[i].norm().item<double>() > 0.0,
                     lane.model->layout().specs()[i].name.c_str());
        QVERIFY(context.statistics.empty());
    }

    // The difference is good to h^2 times the third derivative, and to 1e-16 L / h: about 1e-9 beside gradients of 0.01
    // and more.
    void gradientsAreDerivatives_data() { both_data(); }
    void gradientsAreDerivatives() {
        QFETCH(QString, name);
        Lane lane(transformer(name.toStdString()));
        ForwardContext context = lane.context(true);
        const auto gradients = lane.gradients(input, targets, context);
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            const std::int64_t element = gradients[i].numel() / 3;
            const double measured = centralDifference(lane, i, element, 1e-5, [&] {
                ForwardContext again = lane.context(true);
                return lane.loss(input, targets, again).item<double>();
            });
            const double exact = gradients[i].contiguous().view(-1)[element].item<double>();
            QVERIFY2(
                compareRel(measured, exact, 1e-5) || compareAbs(measured, exact, 1e-8),
                qPrintable(
                    QString("%1: %2 %3").arg(lane.model->layout().specs()[i].name.c_str()).arg(measured).arg(exact)));
        }
    }

    // What accumulation rests on: a sample does not see its batch, dropout included.
    void microBatchesAddUp_data() { both_data(); }
    void microBatchesAddUp() {
        QFETCH(QString, name);
        const Lane lane(transformer(name.toStdString(), 0.2));
        const Samples all(4);
        ForwardContext whole = lane.context(true);
        whole.keys = all.keys();
        const auto wanted = lane.gradients(input, targets, whole);
        std::vector<at::Tensor> sum;
        for (const auto& [first, count] : {std::pair{0, 1}, {1, 3}}) {
            const Samples rows(count, first);
            ForwardContext context = lane.context(true);
            context.keys = rows.keys();
            add(sum, lane.gradients(input.narrow(0, first, count), targets.narrow(0, first * block, count * block),
                                    context));
        }
        QVERIFY(worstDistance(sum, wanted) < tolerance);
        const Lane without(transformer(name.toStdString()));
        ForwardContext plain = without.context(true);
        QVERIFY(worstDistance(without.gradients(input, targets, plain), wanted) > 1e-2);
        // Other samples drop other activations.
        const Samples others(4, 4);
        whole.keys = others.keys();
        QVERIFY(worstDistance(lane.gradients(input, targets, whole), wanted) > 1e-2);
    }

    void theSameBitsEachTime_data() { both_data(); }
    void theSameBitsEachTime() {
        QFETCH(QString, name);
        for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
            const Lane lane(transformer(name.toStdString()), 5, type);
            ForwardContext context = lane.context(true);
            const auto first = lane.gradients(input, targets, context);
            for (int i = 0; i < 3; ++i) {
                const auto again = lane.gradients(input, targets, context);
                for (std::size_t j = 0; j < first.size(); ++j)
                    QVERIFY(at::equal(again[j], first[j]));
            }
        }
    }

    void sixteenBitsWork_data() { both_data(); }
    void sixteenBitsWork() {
        QFETCH(QString, name);
        const Lane lane(transformer(name.toStdString()), 5, at::kFloat);
        const at::Tensor exact = lane.evaluate(input);
        for (const Precision precision : {Precision::Bf16, Precision::Fp16}) {
            const AutocastScope autocast(precision);
            // Products rounded to 2^-9 relative at worst, some ten in a row; ten times a random walk of them.
            QVERIFY(distance(lane.evaluate(input), exact) < 10 * std::sqrt(10.0) * 0x1p-9);
            ForwardContext context = lane.context(true);
            for (const at::Tensor& gradient : lane.gradients(input, targets, context)) {
                QCOMPARE(gradient.scalar_type(), at::kFloat);
                QVERIFY(gradient.isfinite().all().item<bool>());
            }
        }
    }

    void whatDoesNotFitIsRefused_data() { both_data(); }
    void whatDoesNotFitIsRefused() {
        QFETCH(QString, name);
        ModelConfig config;
        config.name = name.toStdString();
        const auto images = makeModel(config, {3, 32, 32, 10});
        QVERIFY(!images.has_value());
        QCOMPARE(images.error().code, std::string("model.input"));
        QVERIFY(describe(images.error()).find('{') == std::string::npos);
        config.heads = 5;
        const auto heads = makeModel(config, {1, 0, 0, 65, 64});
        QVERIFY(!heads.has_value());
        QCOMPARE(heads.error().code, std::string("model.setting"));
        const std::string words = describe(heads.error());
        QVERIFY(words.find('{') == std::string::npos);
        QVERIFY(words.find("model.heads = 4") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestTransformers)
} // namespace test_transformers
#include "test_transformers.moc"
