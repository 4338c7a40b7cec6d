// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/mlp.h"

#include "core/model/keyed_dropout.h"
#include "core/model/linear_layer.h"

#include <ATen/ATen.h>
#include <utility>

namespace accumulus {
namespace {

std::vector<ParameterSpec> layersOf(std::int64_t inputs, const std::vector<std::int64_t>& hidden,
                                    std::int64_t classes) {
    std::vector<ParameterSpec> specs;
    std::vector<std::int64_t> outputs = hidden;
    outputs.push_back(classes);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::string name = "fc" + std::to_string(i + 1);
        specs.push_back({name + ".weight", {outputs[i], inputs}, inputs, false});
        specs.push_back({name + ".bias", {outputs[i]}, inputs, true});
        inputs = outputs[i];
    }
    return withAutocast(std::move(specs));
}

class Mlp final : public Model {
public:
    Mlp(std::int64_t inputs, const std::vector<std::int64_t>& hidden, std::int64_t classes, double dropout)
        : Model(layersOf(inputs, hidden, classes)), m_hidden(hidden.size()), m_dropout(dropout) {}

    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        at::Tensor x = input.dim() > 1 ? input.flatten(1) : input.unsqueeze(1); // a sample may be one number
        for (std::size_t i = 0; i < m_hidden; ++i)
            x = keyedDropout(at::relu(linearLayer(x, p[2 * i], p[2 * i + 1])), m_dropout, i + 1, context);
        return linearLayer(x, p[2 * m_hidden], p[2 * m_hidden + 1]);
    }

private:
    std::size_t m_hidden;
    double m_dropout;
};

} // namespace

Result<std::shared_ptr<Model>> makeMlp(const InputShape& input, const std::vector<std::int64_t>& hidden,
                                       double dropout) {
    return std::make_shared<Mlp>(input.channels * input.height * input.width, hidden, input.classes, dropout);
}

} // namespace accumulus
