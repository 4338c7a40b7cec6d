// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scripted_kernels.h"

#include "core/model/attention.h"
#include "core/model/convolution.h"
#include "core/model/gelu.h"
#include "core/model/linear_layer.h"
#include "core/model/pooling.h"
#include "core/model/winograd.h"

#include <ATen/ATen.h>
#include <optional>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/library.h>
#include <vector>

namespace accumulus {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;

at::Tensor plainConvolution(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias) {
    return bias ? smallConvolution(input, weight, *bias, /*margin=*/0)
                : convolution2d(input, weight, {}, /*stride=*/1, /*padding=*/0);
}

at::Tensor paddedConvolution(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias) {
    if (input.dim() != 4 || !winogradWins(input, weight, 1, 1))
        return convolution2d(input, weight, bias.value_or(at::Tensor()), /*stride=*/1, /*padding=*/1);
    const at::Tensor output = winogradConvolution(input, weight);
    return bias ? (output + bias->view({1, -1, 1, 1})).to(output.scalar_type()) : output; // 16 bits stay so
}

at::Tensor anyConvolution(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                          std::int64_t stride, std::int64_t padding) {
    return convolution2d(input, weight, bias.value_or(at::Tensor()), stride, padding);
}

at::Tensor anyLinear(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias) {
    return linearLayer(input, weight, bias.value_or(at::Tensor()));
}

at::Tensor geluExactOf(const at::Tensor& input) { return geluOf(input, GeluForm::Exact); }
at::Tensor geluTanhOf(const at::Tensor& input) { return geluOf(input, GeluForm::Tanh); }

at::Tensor linearOfGeluOf(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                          bool exact) {
    return linearOfGelu(input, exact ? GeluForm::Exact : GeluForm::Tanh, weight, bias.value_or(at::Tensor()));
}

TORCH_LIBRARY(accumulus, library) {
    library.def("attention(Tensor query, Tensor key, Tensor value, bool causal) -> Tensor", &attention);
    library.def("gelu_exact(Tensor input) -> Tensor", &geluExactOf);
    library.def("gelu_tanh(Tensor input) -> Tensor", &geluTanhOf);
    library.def("relu_max_pool2x2(Tensor input) -> Tensor", &reluMaxPool2x2);
    library.def("plain_convolution(Tensor input, Tensor weight, Tensor? bias) -> Tensor", &plainConvolution);
    library.def("linear(Tensor input, Tensor weight, Tensor? bias) -> Tensor", &anyLinear);
    library.def("linear_of_gelu(Tensor input, Tensor weight, Tensor? bias, bool exact) -> Tensor", &linearOfGeluOf);
    library.def("convolution(Tensor input, Tensor weight, Tensor? bias, int stride, int padding) -> Tensor",
                &anyConvolution);
    library.def("padded_convolution(Tensor input, Tensor weight, Tensor? bias) -> Tensor", &paddedConvolution);
}

std::optional<std::vector<std::int64_t>> integersOf(Value* value) {
    if (const auto constant = torch::jit::toIValue(value); constant && constant->isIntList())
        return constant->toIntVector();
    if (value->node()->kind() != c10::prim::ListConstruct)
        return std::nullopt;
    std::vector<std::int64_t> integers;
    for (Value* element : value->node()->inputs()) {
        const auto constant = torch::jit::toIValue(element);
        if (!constant || !constant->isInt())
            return std::nullopt;
        integers.push_back(constant->toInt());
    }
    return integers;
}

/// The one number that the list repeats `length` times; nothing of any other list.
std::optional<std::int64_t> repeated(Value* list, std::size_t length = 2) {
    const auto integers = integersOf(list);
    if (!integers || integers->empty() || *integers != std::vector<std::int64_t>(length, integers->front()))
        return std::nullopt;
    return integers->front();
}
/// Is the list so long and each of its numbers `wanted`?
bool isAll(Value* list, std::int64_t wanted, std::size_t length = 2) {
    const auto integers = integersOf(list);
    return integers && *integers == std::vector<std::int64_t>(length, wanted);
}
bool isFalse(Value* value) {
    const auto constant = torch::jit::toIValue(value);
    return constant && constant->isBool() && !constant->toBool();
}
bool isOne(Value* value) {
    const auto constant = torch::jit::toIValue(value);
    return constant && constant->isInt() && constant->toInt() == 1;
}

/// Attention without a mask, dropout, a scale of its own or shared heads.
bool isSimpleAttention(const Node& node) {
    constexpr std::size_t mask = 3, dropout = 4, scale = 6, shared = 7;
    if (node.kind() != c10::aten::scaled_dot_product_attention)
        return false;
    const auto rate = torch::jit::toIValue(node.input(dropout));
    return node.input(mask)->mustBeNone() && rate && rate->isDouble() && rate->toDouble() == 0.0 &&
           node.input(scale)->mustBeNone() && isFalse(node.input(shared));
}

/// Which of ours computes a GELU; nothing of any other node.
const char* geluKernel(const Node& node) {
    const auto form = node.kind() == c10::aten::gelu ? torch::jit::toIValue(node.input(1)) : std::nullopt;
    if (!form || !form->isString())
        return nullptr;
    return form->toStringRef() == "tanh" ? "accumulus::gelu_tanh" : "accumulus::gelu_exact";
}

struct Geometry {
    std::int64_t stride, padding;
};

/// Of a 2d convolution with neither dilation nor groups, alike in both directions; nothing of any other node.
std::optional<Geometry> simpleGeometry(const Node& node) {
    constexpr std::size_t strideInput = 3, paddingInput = 4, dilation = 5;
    const bool scripted = node.kind() == c10::aten::conv2d;
    if (!scripted && node.kind() != c10::aten::_convolution) // as traced
        return std::nullopt;
    const std::size_t groups = scripted ? 6 : 8;
    if (!isAll(node.input(dilation), 1) || !isOne(node.input(groups)) || (!scripted && !isFalse(node.input(6))))
        return std::nullopt;
    const auto stride = repeated(node.input(strideInput)), padding = repeated(node.input(paddingInput));
    return stride && padding ? std::optional(Geometry{*stride, *padding}) : std::nullopt;
}

/// max_pool2d over 2x2 without overlap, padding or a last smaller row.
bool isSimplePooling(const Node& node) {
    return node.kind() == c10::aten::max_pool2d && isAll(node.input(1), 2) &&
           (isAll(node.input(2), 2) || isAll(node.input(2), 0, 0)) && isAll(node.input(3), 0) &&
           isAll(node.input(4), 1) && isFalse(node.input(5));
}

/// Nothing is computed between the two, which could write over what the first one reads.
bool follows(const Node* node, Node* before) {
    if (before->owningBlock() != node->owningBlock())
        return false;
    const Node* next = before->next();
    while (next != node && (next->kind() == c10::prim::Constant || next->kind() == c10::prim::ListConstruct))
        next = next->next();
    return next == node;
}

class Rewriting {
public:
    Rewriting(torch::jit::Graph& graph, ConvolutionChoice choice) : m_graph(graph), m_choice(choice) {}

    int all() {
        visit(m_graph.block());
        return m_places;
    }

private:
    void visit(Block* block) {
        for (auto it = block->nodes().begin(); it != block->nodes().end();) {
            Node* node = *it++; // which may go
            for (Block* inner : node->blocks())
                visit(inner);
            rewrite(node);
        }
    }

    void rewrite(Node* node) {
        if (const auto geometry = simpleGeometry(*node)) {
            replaceConvolution(node, *geometry);
        } else if (node->kind() == c10::aten::linear) {
            replaceLinear(node);
        } else if (isSimpleAttention(*node)) {
            replace(node, "accumulus::attention", {node->input(0), node->input(1), node->input(2), node->input(5)});
        } else if (const char* gelu = geluKernel(*node)) {
            replace(node, gelu, {node->input(0)});
        } else if (isSimplePooling(*node)) {
            Node* before = node->input(0)->node();
            if (before->kind() != c10::aten::relu || before->output()->uses().size() != 1 || !follows(node, before))
                return;
            replace(node, "accumulus::relu_max_pool2x2", {before->input(0)});
            before->destroy();
        }
    }

    void replaceLinear(Node* node) {
        Node* before = node->input(0)->node(); // rewritten by now
        const bool exact = before->kind() == c10::Symbol::fromQualString("accumulus::gelu_exact");
        const bool gelu = exact || before->kind() == c10::Symbol::fromQualString("accumulus::gelu_tanh");
        if (!gelu || before->output()->uses().size() != 1 || !follows(node, before)) {
            replace(node, "accumulus::linear", {node->input(0), node->input(1), node->input(2)});
            return;
        }
        const torch::jit::WithInsertPoint here(node);
        replace(node, "accumulus::linear_of_gelu",
                {before->input(0), node->input(1), node->input(2), m_graph.insertConstant(exact)});
        before->destroy();
    }

    void replaceConvolution(Node* node, const Geometry& geometry) {
        const std::vector<Value*> operands{node->input(0), node->input(1), node->input(2)};
        if (geometry.stride == 1 && geometry.padding == 0) {
            replace(node, "accumulus::plain_convolution", operands);
        } else if (geometry.stride == 1 && geometry.padding == 1 && m_choice.winograd) {
            replace(node, "accumulus::padded_convolution", operands);
        } else {
            const torch::jit::WithInsertPoint before(node);
            replace(node, "accumulus::convolution",
                    {operands[0], operands[1], operands[2], m_graph.insertConstant(geometry.stride),
                     m_graph.insertConstant(geometry.padding)});
        }
    }

    void replace(Node* node, const char* kernel, at::ArrayRef<Value*> inputs) {
        Node* own = m_graph.create(c10::Symbol::fromQualString(kernel), inputs);
        own->insertBefore(node);
        own->output()->setType(node->output()->type());
        node->output()->replaceAllUsesWith(own->output());
        node->destroy();
        ++m_places;
    }

    torch::jit::Graph& m_graph;
    ConvolutionChoice m_choice;
    int m_places = 0;
};

} // namespace

int useOwnKernels(torch::jit::Module& module, ConvolutionChoice convolutions) {
    auto graph = module.get_method("forward").graph();
    torch::jit::Inline(*graph);
    torch::jit::ConstantPropagationImmutableTypes(graph); // which branch of F.relu and F.max_pool2d it is
    const int places = Rewriting(*graph, convolutions).all();
    torch::jit::EliminateDeadCode(graph);
    return places;
}

} // namespace accumulus
