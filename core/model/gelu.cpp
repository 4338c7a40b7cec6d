// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/gelu.h"

#include "core/model/gelu_kernels.h"
#include "core/model/microkernel.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

namespace accumulus {
namespace {

constexpr std::int64_t grain = 1 << 14; // elements of a thread's share, at least

template <class Real, GeluForm Form>
struct Gelu final : torch::autograd::Function<Gelu<Real, Form>> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input) {
        context->save_for_backward({input});
        at::Tensor output = at::empty_like(input);
        const Real* from = input.const_data_ptr<Real>();
        Real* to = output.mutable_data_ptr<Real>();
        at::parallel_for(0, input.numel(), grain, [&](std::int64_t begin, std::int64_t end) {
            if constexpr (Form == GeluForm::Exact)
                geluExact(from + begin, end - begin, to + begin);
            else
                geluTanh(from + begin, end - begin, to + begin);
        });
        return output;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const at::Tensor input = context->get_saved_variables()[0], gradient = gradients[0].contiguous();
        at::Tensor result = at::empty_like(input);
        const Real *from = input.const_data_ptr<Real>(), *back = gradient.const_data_ptr<Real>();
        Real* to = result.mutable_data_ptr<Real>();
        at::parallel_for(0, input.numel(), grain, [&](std::int64_t begin, std::int64_t end) {
            if constexpr (Form == GeluForm::Exact)
                geluExactBack(from + begin, back + begin, end - begin, to + begin);
            else
                geluTanhBack(from + begin, back + begin, end - begin, to + begin);
        });
        return {result};
    }
};

} // namespace

at::Tensor geluOf(const at::Tensor& input, GeluForm form) {
    const bool exact = form == GeluForm::Exact;
    if (input.scalar_type() == at::kFloat && microkernelTakes(input) && input.is_contiguous())
        return exact ? Gelu<float, GeluForm::Exact>::apply(input) : Gelu<float, GeluForm::Tanh>::apply(input);
    if (!exact && input.scalar_type() == at::kBFloat16 && machineFeatures().vectors && input.is_cpu() &&
        input.is_contiguous())
        return Gelu<at::BFloat16, GeluForm::Tanh>::apply(input);
    return at::gelu(input, exact ? "none" : "tanh");
}

at::Tensor geluBack(const at::Tensor& input, GeluForm form, at::Tensor& gradient) {
    at::Tensor value = at::empty_like(input);
    const float* from = input.const_data_ptr<float>();
    float *back = gradient.mutable_data_ptr<float>(), *to = value.mutable_data_ptr<float>();
    at::parallel_for(0, input.numel(), grain, [&](std::int64_t begin, std::int64_t end) {
        (form == GeluForm::Exact ? geluExactBackInPlace : geluTanhBackInPlace)(from + begin, end - begin, back + begin,
                                                                               to + begin);
    });
    return value;
}

} // namespace accumulus
