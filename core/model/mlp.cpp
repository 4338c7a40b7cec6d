// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/mlp.h"

#include <ATen/ATen.h>

namespace accumulus {
namespace {

constexpr std::int64_t hidden = 512;

class Mlp final : public Model {
public:
    Mlp(std::int64_t inputs, std::int64_t classes)
        : Model({{"fc1.weight", {hidden, inputs}, inputs, false},
                 {"fc1.bias", {hidden}, inputs, true},
                 {"fc2.weight", {hidden, hidden}, hidden, false},
                 {"fc2.bias", {hidden}, hidden, true},
                 {"fc3.weight", {classes, hidden}, hidden, false},
                 {"fc3.bias", {classes}, hidden, true}}) {}

    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input) const override {
        at::Tensor x = at::relu(at::linear(input.flatten(1), p[0], p[1]));
        x = at::relu(at::linear(x, p[2], p[3]));
        return at::linear(x, p[4], p[5]);
    }
};

} // namespace

Result<std::shared_ptr<const Model>> makeMlp(const InputShape& input) {
    return std::make_shared<Mlp>(input.channels * input.height * input.width, input.classes);
}

} // namespace accumulus
