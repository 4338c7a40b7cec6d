// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/bert_mini.h"

#include "core/model/attention.h"
#include "core/model/gelu.h"
#include "core/model/linear_layer.h"
#include "core/model/transformer_block.h"

#include <ATen/ATen.h>

namespace accumulus {
namespace {

constexpr double bertEpsilon = 1e-12; // of LayerNorm

/// Where the parts of a block begin among the parameters.
struct BertBlock {
    std::size_t query, key, value, attentionOut, norm1, feed, feedOut, norm2;
};

struct BertPlan {
    TransformerLayout layout;
    std::size_t tokens = 0, positions = 0, embeddingNorm = 0;
    std::vector<BertBlock> blocks;
    std::size_t headBias = 0, headDense = 0, headNorm = 0;
    std::int64_t vocabulary = 0;
};

BertPlan bertPlan(const ModelConfig& config, const InputShape& input) {
    BertPlan plan;
    TransformerLayout& layout = plan.layout;
    const std::int64_t width = config.width;
    plan.vocabulary = input.classes;
    plan.tokens = layout.embedding("bert.embeddings.word_embeddings", input.classes + 1, width);
    plan.positions = layout.embedding("bert.embeddings.position_embeddings", input.block, width);
    plan.embeddingNorm = layout.layerNorm("bert.embeddings.LayerNorm", width);
    for (std::int64_t i = 0; i < config.layers; ++i) {
        const std::string name = "bert.encoder.layer." + std::to_string(i) + ".";
        BertBlock block{};
        block.query = layout.dense(name + "attention.self.query", width, width);
        block.key = layout.dense(name + "attention.self.key", width, width);
        block.value = layout.dense(name + "attention.self.value", width, width);
        block.attentionOut = layout.dense(name + "attention.output.dense", width, width);
        block.norm1 = layout.layerNorm(name + "attention.output.LayerNorm", width);
        block.feed = layout.dense(name + "intermediate.dense", width, 4 * width);
        block.feedOut = layout.dense(name + "output.dense", 4 * width, width);
        block.norm2 = layout.layerNorm(name + "output.LayerNorm", width);
        plan.blocks.push_back(block);
    }
    plan.headBias = layout.bias("cls.predictions.bias", input.classes);
    plan.headDense = layout.dense("cls.predictions.transform.dense", width, width);
    plan.headNorm = layout.layerNorm("cls.predictions.transform.LayerNorm", width);
    return plan;
}

class BertMini final : public Model {
public:
    BertMini(BertPlan plan, std::int64_t heads, double dropout)
        : Model(plan.layout.specs()), m_plan(std::move(plan)), m_heads(heads), m_dropout(dropout) {}

    [[nodiscard]] Task task() const override { return Task::MaskedToken; }

    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        ResidualLayers layers(p, m_dropout, context);
        at::Tensor x = layers.dropped(
            layerNorm(embed(input, p[m_plan.tokens], p[m_plan.positions]), p, m_plan.embeddingNorm, bertEpsilon));
        for (const BertBlock& block : m_plan.blocks) {
            const at::Tensor seen =
                attentionSideBySide(dense(x, p, block.query), dense(x, p, block.key), dense(x, p, block.value), m_heads,
                                    /*causal=*/false);
            x = layerNorm(layers.added(x, seen, block.attentionOut), p, block.norm1, bertEpsilon);
            const at::Tensor inner = dense(x, p, block.feed);
            x = layerNorm(layers.added(x, inner, block.feedOut, GeluForm::Exact), p, block.norm2, bertEpsilon);
        }
        x = layerNorm(geluOf(dense(x, p, m_plan.headDense), GeluForm::Exact), p, m_plan.headNorm, bertEpsilon);
        const at::Tensor words = p[m_plan.tokens].narrow(0, 0, m_plan.vocabulary); // the mask is no answer
        return linearLayer(x, words, p[m_plan.headBias]).flatten(0, 1);
    }

private:
    BertPlan m_plan;
    std::int64_t m_heads;
    double m_dropout;
};

} // namespace

std::shared_ptr<Model> makeBertMini(const ModelConfig& config, const InputShape& input) {
    return std::make_shared<BertMini>(bertPlan(config, input), config.heads, config.dropout);
}

} // namespace accumulus
