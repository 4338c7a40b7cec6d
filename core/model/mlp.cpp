// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/mlp.h"

#include "core/model/keyed_dropout.h"

#include <ATen/ATen.h>

namespace accumulus {
namespace {

constexpr std::int64_t hidden = 512;

class Mlp final : public Model {
public:
    Mlp(std::int64_t inputs, std::int64_t classes, double dropout)
        : Model({{"fc1.weight", {hidden, inputs}, inputs, false},
                 {"fc1.bias", {hidden}, inputs, true},
                 {"fc2.weight", {hidden, hidden}, hidden, false},
                 {"fc2.bias", {hidden}, hidden, true},
                 {"fc3.weight", {classes, hidden}, hidden, false},
                 {"fc3.bias", {classes}, hidden, true}}),
          m_dropout(dropout) {}

    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        at::Tensor x = keyedDropout(at::relu(at::linear(input.flatten(1), p[0], p[1])), m_dropout, 1, context);
        x = keyedDropout(at::relu(at::linear(x, p[2], p[3])), m_dropout, 2, context);
        return at::linear(x, p[4], p[5]);
    }

private:
    double m_dropout;
};

} // namespace

Result<std::shared_ptr<const Model>> makeMlp(const InputShape& input, double dropout) {
    return std::make_shared<Mlp>(input.channels * input.height * input.width, input.classes, dropout);
}

} // namespace accumulus
