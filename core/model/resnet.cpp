// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/resnet.h"

#include "core/model/batch_norm.h"
#include "core/model/convolution.h"
#include "core/model/keyed_dropout.h"
#include "core/model/linear_layer.h"
#include "core/model/winograd.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace accumulus {
namespace {

/// A convolution and the normalisation behind it. Their parameters lie together: convolution weight, scale, shift.
struct NormalisedConvolution {
    std::size_t first = 0; ///< of the three parameters
    std::size_t layer = 0; ///< number of the normalisation layer
    std::int64_t stride = 1;
    std::int64_t padding = 0;
};

struct ResNetBlock {
    std::vector<NormalisedConvolution> path;
    std::optional<NormalisedConvolution> shortcut; ///< where size or channels change; else the input itself
};

/// The network as data: what is trained, and in which order it is applied.
struct ResNetPlan {
    std::vector<ParameterSpec> parameters, buffers;
    NormalisedConvolution stem;
    bool pooled = true; ///< max-pooling behind the stem
    std::vector<ResNetBlock> blocks;
    std::size_t last = 0; ///< fc.weight, fc.bias
    bool batchNorm = true;
    ConvolutionChoice convolutions;
    std::int64_t minArea = 0; ///< height x width of the last block
};

constexpr std::array<std::int64_t, 4> depths18{2, 2, 2, 2};
constexpr std::array<std::int64_t, 4> depths50{3, 4, 6, 3};

class Planner {
public:
    Planner(const ModelConfig& config, const InputShape& input, ConvolutionChoice convolutions)
        : m_bottleneck(config.name == "resnet50") {
        m_plan.batchNorm = config.norm == "batch";
        m_plan.convolutions = convolutions;
        m_plan.pooled = config.stem == "imagenet";
        m_plan.stem = convolution("conv1", "bn1", input.channels, 64, m_plan.pooled ? 7 : 3, m_plan.pooled ? 2 : 1);
        const std::array<std::int64_t, 4>& depths = m_bottleneck ? depths50 : depths18;
        std::int64_t channels = 64;
        for (std::size_t stage = 0; stage < depths.size(); ++stage)
            for (std::int64_t i = 0; i < depths[stage]; ++i)
                channels = block("layer" + std::to_string(stage + 1) + "." + std::to_string(i) + ".", channels,
                                 std::int64_t{64} << stage, stage > 0 && i == 0 ? 2 : 1);
        m_plan.last = m_plan.parameters.size();
        m_plan.parameters.push_back({"fc.weight", {input.classes, channels}, channels, false});
        m_plan.parameters.push_back({"fc.bias", {input.classes}, channels, true});
        m_plan.parameters[m_plan.last].autocast = m_plan.parameters[m_plan.last + 1].autocast = true;
        // Each layer of stride 2 halves a side, rounding up: the last three stages, and with pooling the stem twice.
        const std::int64_t reduction = m_plan.pooled ? 32 : 8;
        m_plan.minArea = ((input.height + reduction - 1) / reduction) * ((input.width + reduction - 1) / reduction);
    }

    [[nodiscard]] ResNetPlan take() && { return std::move(m_plan); }

private:
    NormalisedConvolution convolution(const std::string& name, const std::string& norm, std::int64_t in,
                                      std::int64_t out, std::int64_t kernel, std::int64_t stride) {
        const NormalisedConvolution result{m_plan.parameters.size(), m_layers++, stride, kernel / 2};
        const double deviation = std::sqrt(2.0 / static_cast<double>(out * kernel * kernel)); // He et al. 2015, fan-out
        m_plan.parameters.push_back({name + ".weight",
                                     {out, in, kernel, kernel},
                                     in * kernel * kernel,
                                     false,
                                     InitialValue::normal(deviation),
                                     m_plan.convolutions.channelsLast});
        m_plan.parameters.back().autocast = true;
        m_plan.parameters.push_back({norm + ".weight", {out}, out, true, InitialValue::constant(1.0)});
        m_plan.parameters.push_back({norm + ".bias", {out}, out, true, InitialValue::constant(0.0)});
        if (m_plan.batchNorm) {
            m_plan.buffers.push_back({norm + ".running_mean", {out}, out, true, InitialValue::constant(0.0)});
            m_plan.buffers.push_back({norm + ".running_var", {out}, out, true, InitialValue::constant(1.0)});
        }
        return result;
    }

    /// Returns its output channels.
    std::int64_t block(const std::string& name, std::int64_t in, std::int64_t width, std::int64_t stride) {
        ResNetBlock result;
        const std::int64_t out = m_bottleneck ? 4 * width : width;
        const auto add = [&](std::int64_t from, std::int64_t to, std::int64_t kernel, std::int64_t step) {
            const std::string number = std::to_string(result.path.size() + 1);
            result.path.push_back(convolution(name + "conv" + number, name + "bn" + number, from, to, kernel, step));
        };
        if (m_bottleneck) {
            add(in, width, 1, 1);
            add(width, width, 3, stride);
            add(width, out, 1, 1);
        } else {
            add(in, width, 3, stride);
            add(width, width, 3, 1);
        }
        if (stride != 1 || in != out)
            result.shortcut = convolution(name + "downsample.0", name + "downsample.1", in, out, 1, stride);
        m_plan.blocks.push_back(std::move(result));
        return out;
    }

    ResNetPlan m_plan;
    bool m_bottleneck;
    std::size_t m_layers = 0;
};

class Resnet final : public Model {
public:
    Resnet(ResNetPlan plan, double dropout)
        : Model(plan.parameters, plan.buffers), m_plan(std::move(plan)), m_dropout(dropout) {}

    [[nodiscard]] std::int64_t leastNormalisedArea() const override { return m_plan.batchNorm ? m_plan.minArea : 0; }

    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        const bool readsBuffers = hasBatchNorm() && (!context.training || context.batchNorm == BatchNormMode::Frozen);
        if (readsBuffers && context.buffers.size() != buffers().size())
            throw std::logic_error("BatchNorm was given no running statistics");
        at::Tensor x = m_plan.convolutions.channelsLast ? input.contiguous(at::MemoryFormat::ChannelsLast) : input;
        x = apply(m_plan.stem, p, x, context, {{}, /*rectify=*/true});
        if (m_plan.pooled)
            x = at::max_pool2d(x, 3, 2, 1);
        for (const ResNetBlock& block : m_plan.blocks)
            x = apply(block, p, x, context);
        x = keyedDropout(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1), m_dropout, 1, context);
        return linearLayer(x, p[m_plan.last], p[m_plan.last + 1]);
    }

private:
    [[nodiscard]] at::Tensor apply(const NormalisedConvolution& layer, std::span<const at::Tensor> p,
                                   const at::Tensor& input, ForwardContext& context, const AfterNorm& after) const {
        const bool winograd =
            m_plan.convolutions.winograd && winogradWins(input, p[layer.first], layer.stride, layer.padding);
        const at::Tensor x = winograd ? winogradConvolution(input, p[layer.first])
                                      : convolution2d(input, p[layer.first], {}, layer.stride, layer.padding);
        const at::Tensor& weight = p[layer.first + 1];
        const at::Tensor& bias = p[layer.first + 2];
        if (m_plan.batchNorm)
            return batchNorm(x, weight, bias, layer.layer, context, after);
        return followed(at::group_norm(x, std::min<std::int64_t>(32, x.size(1)), weight, bias, normEpsilon), after);
    }

    [[nodiscard]] at::Tensor apply(const ResNetBlock& block, std::span<const at::Tensor> p, const at::Tensor& input,
                                   ForwardContext& context) const {
        at::Tensor x = input;
        for (std::size_t i = 0; i + 1 < block.path.size(); ++i)
            x = apply(block.path[i], p, x, context, {{}, /*rectify=*/true});
        const at::Tensor added = block.shortcut ? apply(*block.shortcut, p, input, context, {}) : input;
        return apply(block.path.back(), p, x, context, {added, /*rectify=*/true});
    }

    ResNetPlan m_plan;
    double m_dropout;
};

} // namespace

std::shared_ptr<Model> makeResnet(const ModelConfig& config, const InputShape& input, ConvolutionChoice convolutions) {
    return std::make_shared<Resnet>(Planner(config, input, convolutions).take(), config.dropout);
}

} // namespace accumulus
