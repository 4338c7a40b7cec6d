// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/lenet5.h"

#include "core/model/convolution.h"
#include "core/model/keyed_dropout.h"
#include "core/model/linear_layer.h"
#include "core/model/pooling.h"

#include <ATen/ATen.h>

namespace accumulus {
namespace {

class Lenet5 final : public Model {
public:
    Lenet5(std::int64_t channels, std::int64_t classes, std::int64_t padding, double dropout)
        : Model(withAutocast({{"conv1.weight", {6, channels, 5, 5}, channels * 25, false},
                              {"conv1.bias", {6}, channels * 25, true},
                              {"conv2.weight", {16, 6, 5, 5}, 150, false},
                              {"conv2.bias", {16}, 150, true},
                              {"fc1.weight", {120, 400}, 400, false},
                              {"fc1.bias", {120}, 400, true},
                              {"fc2.weight", {84, 120}, 120, false},
                              {"fc2.bias", {84}, 120, true},
                              {"fc3.weight", {classes, 84}, 84, false},
                              {"fc3.bias", {classes}, 84, true}})),
          m_padding(padding), m_dropout(dropout) {}

    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        at::Tensor x = smallConvolution(input, p[0], p[1], m_padding);
        x = reluMaxPool2x2(x);
        x = smallConvolution(x, p[2], p[3], /*margin=*/0);
        x = reluMaxPool2x2(x).flatten(1);
        x = keyedDropout(at::relu(linearLayer(x, p[4], p[5])), m_dropout, 1, context);
        x = keyedDropout(at::relu(linearLayer(x, p[6], p[7])), m_dropout, 2, context);
        return linearLayer(x, p[8], p[9]);
    }

private:
    std::int64_t m_padding;
    double m_dropout;
};

} // namespace

Result<std::shared_ptr<Model>> makeLenet5(const InputShape& input, double dropout) {
    if (input.height != input.width || (input.height != 28 && input.height != 32))
        return failure("model.input", {{"model", "lenet5"},
                                       {"input", "phrase.images-of"},
                                       {"size", std::to_string(input.height) + "x" + std::to_string(input.width)},
                                       {"wanted", "phrase.images-28-or-32"},
                                       {"cure", "cure.resize-32"}});
    return std::make_shared<Lenet5>(input.channels, input.classes, input.height == 28 ? 2 : 0, dropout);
}

} // namespace accumulus
