// SPDX-License-Identifier: GPL-3.0-or-later
// Data sets of a few dozen samples and networks of a few hundred parameters: runs of milliseconds.
#pragma once

#include "core/data/dataset.h"
#include "core/model/batch_norm.h"
#include "core/model/keyed_dropout.h"
#include "core/model/model.h"

#include <ATen/ATen.h>

#include <cmath>
#include <memory>
#include <random>

namespace accumulus::test {

/// Images of 3 x 8 x 8 whose classes (4) are shades with noise.
inline std::shared_ptr<const Dataset> smallImages(std::int64_t train, std::int64_t test = 4) {
    auto data = std::make_shared<Dataset>();
    std::mt19937_64 random(11);
    const auto fill = [&](ImageSet& set, std::int64_t count) {
        set.count = count;
        set.channels = 3;
        set.height = set.width = 8;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto label = static_cast<std::uint8_t>(random() % 4);
            set.labels.push_back(label);
            for (std::int64_t j = 0; j < set.imageSize(); ++j)
                set.pixels.push_back(static_cast<std::uint8_t>(40 * label + random() % 100));
        }
    };
    fill(data->train, train);
    fill(data->test, test);
    data->name = "small images";
    data->classes = 4;
    data->mean = {0.3, 0.4, 0.5};
    data->deviation = {0.25, 0.2, 0.3};
    return data;
}

/// Samples of `block` tokens out of 11.
inline std::shared_ptr<const Dataset> smallText(std::int64_t train, std::int64_t block, std::int64_t test = 4) {
    auto data = std::make_shared<Dataset>();
    std::mt19937_64 random(13);
    const auto fill = [&](TextSet& set, std::int64_t count) {
        set.count = count;
        set.block = block;
        std::uint64_t token = 0;
        std::vector<std::uint8_t> tokens;
        for (std::int64_t i = 0; i <= count * block; ++i) { // mostly the token two on: there is something to learn
            token = random() % 3 == 0 ? random() % 11 : (token + 2) % 11;
            tokens.push_back(static_cast<std::uint8_t>(token));
        }
        set.tokens = ownedTokens(std::move(tokens));
    };
    fill(data->trainText, train);
    fill(data->testText, test);
    data->name = "small text";
    data->classes = 11;
    data->vocabulary = "abcdefghijk";
    return data;
}

/// BatchNorm, or GroupNorm of two groups with the same parameters.
class SmallNorm {
public:
    SmallNorm(bool batch, std::size_t layer) : m_batch(batch), m_layer(layer) {}
    [[nodiscard]] at::Tensor operator()(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                                        ForwardContext& context) const {
        return m_batch ? batchNorm(input, weight, bias, m_layer, context)
                       : at::group_norm(input, 2, weight, bias, normEpsilon);
    }

private:
    bool m_batch;
    std::size_t m_layer;
};

inline std::vector<ParameterSpec> normParameters(const std::string& name, std::int64_t width) {
    return {{name + ".weight", {width}, 1, true, InitialValue::constant(1.0)},
            {name + ".bias", {width}, 1, true, InitialValue::constant(0.0)}};
}

inline std::vector<ParameterSpec> normBuffers(bool batch, const std::vector<std::pair<std::string, std::int64_t>>& of) {
    std::vector<ParameterSpec> buffers;
    for (const auto& [name, width] : of) {
        if (!batch)
            break;
        buffers.push_back({name + ".running_mean", {width}, 1, false, InitialValue::constant(0.0)});
        buffers.push_back({name + ".running_var", {width}, 1, false, InitialValue::constant(1.0)});
    }
    return buffers;
}

inline std::vector<ParameterSpec> joined(std::vector<std::vector<ParameterSpec>> parts) {
    std::vector<ParameterSpec> all;
    for (const auto& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// Convolution, norm, pooling, and a fully connected layer with a norm of single values behind it.
class SmallConvNet final : public Model {
public:
    SmallConvNet(bool batch, double dropout)
        : Model(joined({{{"conv.weight", {6, 3, 3, 3}, 27, false}},
                        normParameters("norm1", 6),
                        {{"fc1.weight", {8, 96}, 96, false}},
                        normParameters("norm2", 8),
                        {{"fc2.weight", {4, 8}, 8, false}, {"fc2.bias", {4}, 8, true}}}),
                normBuffers(batch, {{"norm1", 6}, {"norm2", 8}})),
          m_dropout(dropout), m_norm1(batch, 0), m_norm2(batch, 1) {}
    [[nodiscard]] std::int64_t leastNormalisedArea() const override { return hasBatchNorm() ? 1 : 0; }
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        at::Tensor x = m_norm1(at::conv2d(input, p[0], {}, 1, 1), p[1], p[2], context);
        x = keyedDropout(at::max_pool2d(at::relu(x), 2).contiguous(), m_dropout, 1, context);
        x = at::linear(x.flatten(1), p[3]).unsqueeze(2).unsqueeze(3);
        x = at::relu(m_norm2(x, p[4], p[5], context)).flatten(1);
        return at::linear(x, p[6], p[7]);
    }

private:
    double m_dropout;
    SmallNorm m_norm1, m_norm2;
};

/// A stem and one residual block.
class SmallResNet final : public Model {
public:
    SmallResNet(bool batch, double dropout)
        : Model(joined({{{"stem.weight", {6, 3, 3, 3}, 27, false}},
                        normParameters("norm0", 6),
                        {{"conv1.weight", {6, 6, 3, 3}, 54, false}},
                        normParameters("norm1", 6),
                        {{"conv2.weight", {6, 6, 3, 3}, 54, false}},
                        normParameters("norm2", 6),
                        {{"fc.weight", {4, 6}, 6, false}, {"fc.bias", {4}, 6, true}}}),
                normBuffers(batch, {{"norm0", 6}, {"norm1", 6}, {"norm2", 6}})),
          m_dropout(dropout), m_norm0(batch, 0), m_norm1(batch, 1), m_norm2(batch, 2) {}
    [[nodiscard]] std::int64_t leastNormalisedArea() const override { return hasBatchNorm() ? 64 : 0; }
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        const at::Tensor stem = at::relu(m_norm0(at::conv2d(input, p[0], {}, 1, 1), p[1], p[2], context));
        at::Tensor x = at::relu(m_norm1(at::conv2d(stem, p[3], {}, 1, 1), p[4], p[5], context));
        x = m_norm2(at::conv2d(x, p[6], {}, 1, 1), p[7], p[8], context);
        x = keyedDropout(at::relu(x + stem).mean(at::IntArrayRef{2, 3}), m_dropout, 1, context);
        return at::linear(x, p[9], p[10]);
    }

private:
    double m_dropout;
    SmallNorm m_norm0, m_norm1, m_norm2;
};

/// Another model that is given no numbers for one sample: NaN pixels of an image, NaN logits of a text.
class WithSpoiltSample final : public Model {
public:
    WithSpoiltSample(std::shared_ptr<const Model> inner, std::int64_t id)
        : Model(inner->layout().specs(), inner->buffers().specs()), m_inner(std::move(inner)), m_id(id) {}
    [[nodiscard]] Task task() const override { return m_inner->task(); }
    [[nodiscard]] std::int64_t leastNormalisedArea() const override { return m_inner->leastNormalisedArea(); }
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        if (!context.training)
            return m_inner->forward(p, input, context);
        at::Tensor factor = at::ones({input.size(0)}, p[0].options().requires_grad(false));
        for (std::size_t row = 0; row < context.keys.size(); ++row)
            if (context.keys.ids[row] == m_id)
                factor[static_cast<std::int64_t>(row)] = std::nan("");
        if (input.is_floating_point())
            return m_inner->forward(p, input * factor.view({-1, 1, 1, 1}), context);
        const at::Tensor logits = m_inner->forward(p, input, context);
        return logits * factor.repeat_interleave(logits.size(0) / input.size(0)).unsqueeze(1);
    }

private:
    std::shared_ptr<const Model> m_inner;
    std::int64_t m_id;
};

} // namespace accumulus::test
