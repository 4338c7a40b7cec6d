// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/char_gpt.h"

#include "core/model/attention.h"
#include "core/model/linear_layer.h"
#include "core/model/transformer_block.h"

#include <ATen/ATen.h>
#include <cmath>

namespace accumulus {
namespace {

constexpr double gptEpsilon = 1e-5; // of LayerNorm

/// Where the parts of a block begin among the parameters.
struct GptBlock {
    std::size_t norm1, attention, attentionOut, norm2, feed, feedOut;
};

struct GptPlan {
    TransformerLayout layout;
    std::size_t tokens = 0, positions = 0;
    std::vector<GptBlock> blocks;
    std::size_t lastNorm = 0;
};

GptPlan gptPlan(const ModelConfig& config, const InputShape& input) {
    GptPlan plan;
    TransformerLayout& layout = plan.layout;
    const std::int64_t width = config.width;
    // Each block adds twice to the residual stream: so scaled, its variance does not grow with depth.
    const double residual = TransformerLayout::deviation / std::sqrt(2.0 * static_cast<double>(config.layers));
    plan.tokens = layout.embedding("transformer.wte", input.classes, width);
    plan.positions = layout.embedding("transformer.wpe", input.block, width);
    for (std::int64_t i = 0; i < config.layers; ++i) {
        const std::string name = "transformer.h." + std::to_string(i) + ".";
        GptBlock block{};
        block.norm1 = layout.layerNorm(name + "ln_1", width);
        block.attention = layout.dense(name + "attn.c_attn", width, 3 * width);
        block.attentionOut = layout.dense(name + "attn.c_proj", width, width, residual);
        block.norm2 = layout.layerNorm(name + "ln_2", width);
        block.feed = layout.dense(name + "mlp.c_fc", width, 4 * width);
        block.feedOut = layout.dense(name + "mlp.c_proj", 4 * width, width, residual);
        plan.blocks.push_back(block);
    }
    plan.lastNorm = layout.layerNorm("transformer.ln_f", width);
    return plan;
}

class CharGpt final : public Model {
public:
    CharGpt(GptPlan plan, std::int64_t heads, double dropout)
        : Model(plan.layout.specs()), m_plan(std::move(plan)), m_heads(heads), m_dropout(dropout) {}

    [[nodiscard]] Task task() const override { return Task::NextToken; }

    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        ResidualLayers layers(p, m_dropout, context);
        at::Tensor x = layers.dropped(embed(input, p[m_plan.tokens], p[m_plan.positions]));
        for (const GptBlock& block : m_plan.blocks) {
            const at::Tensor parts = dense(layerNorm(x, p, block.norm1, gptEpsilon), p, block.attention);
            x = layers.added(x, attentionPacked(parts, m_heads, /*causal=*/true), block.attentionOut);
            const at::Tensor inner = dense(layerNorm(x, p, block.norm2, gptEpsilon), p, block.feed);
            x = layers.added(x, inner, block.feedOut, GeluForm::Tanh);
        }
        return linearLayer(layerNorm(x, p, m_plan.lastNorm, gptEpsilon), p[m_plan.tokens], {}).flatten(0, 1);
    }

private:
    GptPlan m_plan;
    std::int64_t m_heads;
    double m_dropout;
};

} // namespace

std::shared_ptr<Model> makeCharGpt(const ModelConfig& config, const InputShape& input) {
    return std::make_shared<CharGpt>(gptPlan(config, input), config.heads, config.dropout);
}

} // namespace accumulus
