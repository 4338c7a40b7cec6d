// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

namespace accumulus {
namespace {

/// A model that is a function of its parameters and keeps nothing between calls.
class FunctionInstance final : public ModelInstance {
public:
    FunctionInstance(const Model& model, std::vector<at::Tensor> parameters, std::vector<at::Tensor> buffers)
        : m_model(model), m_parameters(std::move(parameters)), m_buffers(std::move(buffers)) {}

    [[nodiscard]] at::Tensor forward(const at::Tensor& input, ForwardContext& context) override {
        context.buffers = m_buffers;
        return m_model.forward(m_parameters, input, context);
    }

private:
    const Model& m_model;
    std::vector<at::Tensor> m_parameters;
    std::vector<at::Tensor> m_buffers;
};

} // namespace

std::unique_ptr<ModelInstance> Model::instantiate(std::vector<at::Tensor> parameters,
                                                  std::vector<at::Tensor> buffers) const {
    return std::make_unique<FunctionInstance>(*this, std::move(parameters), std::move(buffers));
}

} // namespace accumulus
