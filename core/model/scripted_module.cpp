// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scripted_module.h"

#include "core/base/printable.h"
#include "core/model/scripted_held.h"
#include "core/model/scripted_kernels.h"
#include "core/model/stored_module.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <array>
#include <c10/util/Exception.h>
#include <cctype>
#include <cmath>
#include <iterator>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/autocast.h>
#include <torch/csrc/jit/python/update_graph_executor_opt.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/csrc/jit/serialization/import.h>

namespace accumulus {
namespace {

struct Owner {
    torch::jit::Module module;
    std::string name; ///< of the tensor in it
};

Owner ownerOf(torch::jit::Module module, const std::string& dotted) {
    std::size_t first = 0;
    for (std::size_t dot = dotted.find('.'); dot != std::string::npos; dot = dotted.find('.', first)) {
        module = module.attr(dotted.substr(first, dot - first)).toModule();
        first = dot + 1;
    }
    return {std::move(module), dotted.substr(first)};
}

bool isSame(const at::Tensor& a, const at::Tensor& b) {
    return a.const_data_ptr() == b.const_data_ptr() && a.sizes() == b.sizes() && a.strides() == b.strides() &&
           a.scalar_type() == b.scalar_type() && a.numel() > 0;
}

template <class List>
std::vector<ScriptedTensor> tensorsOf(const List& list) {
    std::vector<ScriptedTensor> tensors;
    for (const auto& item : list) {
        const auto known = std::ranges::find_if(
            tensors, [&](const ScriptedTensor& tensor) { return isSame(tensor.value, item.value); });
        if (known != tensors.end())
            known->names.push_back(item.name);
        else
            tensors.push_back({{item.name}, item.value});
    }
    return tensors;
}

at::Tensor converted(const at::Tensor& value, at::ScalarType type, at::Device device) {
    return value.detach().to(value.is_floating_point() ? value.options().dtype(type).device(device)
                                                       : value.options().device(device));
}

tl::unexpected<Error> unreadable(const std::filesystem::path& file, const std::exception& problem) {
    const std::string reason = scriptedReason(problem);
    // LibTorch names what no loaded library has: "Unknown builtin op: torchvision::nms."
    if (const auto at = reason.find("Unknown builtin op: "); at != std::string::npos) {
        std::string name = reason.substr(at + std::string_view("Unknown builtin op: ").size());
        name = name.substr(0, name.find_first_of(" .,\n"));
        return failure("model.file-operators", {{"file", file.string()}, {"operator", printable(name)}});
    }
    return failure("model.file-open", {{"file", file.string()}, {"reason", reason}});
}

/// How the interpreter behaves in this process.
void prepareInterpreter() {
    // Layers would keep what autocast was when they ran first; operators look at it each time without it.
    torch::jit::setAutocastMode(false);
    // Exceptions keep their type: memory that ran out is mended by smaller parts.
    static const bool rethrows = FLAGS_torch_jit_enable_rethrow_caught_exception = true;
    static_cast<void>(rethrows);
}

using torch::jit::Block;
using torch::jit::Node;

template <class Predicate>
bool anyNode(const Block* block, const Predicate& wanted) {
    return std::ranges::any_of(block->nodes(), [&](const Node* node) {
        return wanted(*node) ||
               std::ranges::any_of(node->blocks(), [&](const Block* inner) { return anyNode(inner, wanted); });
    });
}

/// A number that leaves a tensor, for an if or a loop.
bool leavesTensor(const Node& node) {
    static const std::array kinds{c10::aten::item,       c10::aten::Bool,  c10::aten::Int,     c10::aten::Float,
                                  c10::aten::is_nonzero, c10::aten::equal, c10::aten::allclose};
    return std::ranges::find(kinds, node.kind()) != kinds.end() ||
           node.kind() == c10::Symbol::fromQualString("aten::ScalarImplicit");
}

bool isDraw(const Node& node) {
    const std::string_view name = node.kind().toUnqualString();
    return node.kind().is_aten() && (name.starts_with("rand") || name.starts_with("bernoulli") ||
                                     name.starts_with("multinomial") || name == "uniform_" || name == "normal_");
}

} // namespace

std::optional<double> declaredMomentum(const ScriptedModule& module, const std::string& owner) {
    const torch::jit::Module layer =
        owner.empty() ? module.module : ownerOf(module.module, owner + ".running_mean").module;
    const auto name = layer.type()->name();
    const auto slot = layer.type()->findConstantSlot("momentum");
    const auto forward = layer.find_method("forward");
    if (!name || name->qualifiedName().find("torch.nn.modules.batchnorm.") == std::string::npos || !slot || !forward)
        return std::nullopt;
    // Traced in evaluation mode it has nothing left that training wakes.
    const bool obeys = anyNode(forward->graph()->block(), [](const Node& node) {
        return node.kind() == c10::prim::GetAttr && node.s(c10::attr::name) == "training";
    });
    const c10::IValue momentum = layer.type()->getConstant(*slot);
    return obeys && momentum.isDouble() ? std::optional(momentum.toDouble()) : std::nullopt;
}

std::string scriptedReason(const std::exception& problem) {
    const auto* error = dynamic_cast<const c10::Error*>(&problem);
    std::string text = error ? error->what_without_backtrace() : problem.what();
    // The interpreter puts the trace of TorchScript before what happened.
    for (const std::string_view mark : {"RuntimeError: ", "torch.jit.Error: "})
        if (const auto at = text.rfind(mark); at != std::string::npos)
            text = text.substr(at + mark.size());
    if (const auto line = text.find('\n'); line != std::string::npos)
        text = text.substr(0, line);
    while (!text.empty() &&
           (text.back() == '.' || text.back() == ':' || std::isspace(static_cast<unsigned char>(text.back()))))
        text.pop_back();
    constexpr std::size_t longest = 300;
    return printable(text.substr(0, longest));
}

Result<ScriptedModule> readScriptedModule(const std::filesystem::path& file, ConvolutionChoice convolutions) {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(file, problem))
        return failure("model.file-missing", {{"file", file.string()}});
    if (auto checked = checkStoredModule(file); !checked) {
        Error error{"model.file-open", {{"file", file.string()}, {"reason", checked.error().code}}};
        std::ranges::move(checked.error().arguments, std::back_inserter(error.arguments));
        return failure(std::move(error));
    }
    prepareInterpreter();
    ScriptedModule result;
    result.file = file.string();
    try {
        result.module = torch::jit::load(file.string(), at::kCPU, /*load_debug_files=*/false);
        result.parameters = tensorsOf(result.module.named_parameters());
        result.buffers = tensorsOf(result.module.named_buffers());
        (void)useOwnKernels(result.module, convolutions); // from then on forward is one graph
        const Block* forward = result.module.get_method("forward").graph()->block();
        result.branchesOnValues = anyNode(forward, leavesTensor);
        result.drawsForBranches = result.branchesOnValues && anyNode(forward, isDraw);
    } catch (const std::exception& error) {
        return unreadable(file, error);
    }
    const auto broken = std::ranges::find_if(result.parameters, [](const ScriptedTensor& parameter) {
        return !parameter.value.is_floating_point() || !at::isfinite(parameter.value).all().item<bool>();
    });
    if (broken != result.parameters.end())
        return failure(
            "model.file-parameters",
            {{"file", file.string()}, {"reason", "reason.parameter-not-finite"}, {"parameter", broken->names.front()}});
    const bool any = std::ranges::any_of(
        result.parameters, [](const ScriptedTensor& parameter) { return parameter.value.requires_grad(); });
    if (!any)
        return failure("model.file-parameters", {{"file", file.string()}, {"reason", "reason.no-trained-parameter"}});
    return result;
}

ScriptedInstance::ScriptedInstance(const ScriptedModule& module, at::ScalarType type, at::Device device)
    : m_description(module), m_module(module.module.deepcopy()) {
    const at::NoGradGuard noGrad;
    std::vector<HeldTensor> held = heldTensors(module.module, m_module);
    const auto takePlaces = [&held](const ScriptedTensor& tensor) {
        Places places{tensor.names, {}};
        std::erase_if(held, [&](HeldTensor& other) {
            const bool same = isSame(other.original, tensor.value);
            if (same)
                places.held.push_back(std::move(other.hold));
            return same;
        });
        return places;
    };
    for (const ScriptedTensor& buffer : module.buffers) {
        m_bufferPlaces.push_back(takePlaces(buffer));
        put(m_bufferPlaces.back(), converted(buffer.value, type, device).clone());
    }
    for (const ScriptedTensor& parameter : module.parameters) {
        m_parameterPlaces.push_back(takePlaces(parameter));
        put(m_parameterPlaces.back(), converted(parameter.value, type, device));
    }
    for (const HeldTensor& constant : held) // as a list of masks
        constant.hold(converted(constant.original, type, device).clone());
    for (const ScriptedNorm& norm : module.norms) {
        m_layers.push_back(norm.owner.empty() ? m_module : ownerOf(m_module, norm.owner + ".running_mean").module);
        m_own.push_back(converted(norm.mean, type, device).clone());
        m_own.push_back(converted(norm.variance, type, device).clone());
    }
    useStatistics(m_own);
}

void ScriptedInstance::put(const Places& places, const at::Tensor& value) {
    for (const std::string& name : places.names) {
        Owner owner = ownerOf(m_module, name);
        owner.module.setattr(owner.name, value);
    }
    for (const auto& hold : places.held)
        hold(value);
}

void ScriptedInstance::setParameters(const std::vector<at::Tensor>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        put(m_parameterPlaces[i], values[i]);
}

void ScriptedInstance::useStatistics(std::span<const at::Tensor> values) {
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        m_layers[i].setattr("running_mean", values[2 * i]);
        m_layers[i].setattr("running_var", values[2 * i + 1]);
    }
}

void ScriptedInstance::setTraining(bool training, bool frozenStatistics) {
    if (m_modeKnown && training == m_training && frozenStatistics == m_frozen)
        return;
    m_module.train(training);
    if (training && frozenStatistics)
        for (torch::jit::Module& layer : m_layers)
            layer.train(false);
    m_training = training;
    m_frozen = frozenStatistics;
    m_modeKnown = true;
    useStatistics(m_own);
}

void ScriptedInstance::setStatistics(std::span<const at::Tensor> values) { useStatistics(values); }

void ScriptedInstance::beginStatistics() {
    const at::NoGradGuard noGrad;
    for (at::Tensor& own : m_own)
        own = at::full_like(own, -0.0);
    useStatistics(m_own);
}

std::vector<bool> ScriptedInstance::reached() const {
    const at::NoGradGuard noGrad;
    std::vector<at::Tensor> firsts;
    for (std::size_t i = 0; i < m_layers.size(); ++i)
        firsts.push_back(variance(i).flatten().narrow(0, 0, 1));
    std::vector<bool> reached(m_layers.size());
    if (firsts.empty())
        return reached;
    const at::Tensor numbers = at::cat(firsts).to(at::kDouble).cpu(); // one copy brings them over from a device
    const double* number = numbers.const_data_ptr<double>();
    for (std::size_t i = 0; i < reached.size(); ++i)
        reached[i] = number[i] != 0.0 || !std::signbit(number[i]);
    return reached;
}

at::Tensor ScriptedInstance::buffer(std::size_t place) const {
    const Owner owner = ownerOf(m_module, m_description.buffers[place].names.front());
    return owner.module.attr(owner.name).toTensor();
}

void ScriptedInstance::setBuffer(std::size_t place, const at::Tensor& value) { put(m_bufferPlaces[place], value); }

c10::IValue ScriptedInstance::run(std::vector<c10::IValue> inputs) {
    // The optimising executor compiles anew for each shape and thread, and gains nothing here.
    if (torch::jit::getGraphExecutorOptimize())
        torch::jit::setGraphExecutorOptimize(false);
    return m_module.forward(std::move(inputs));
}

std::unique_lock<std::mutex> seededStream(std::uint64_t key, at::Device device) {
    static std::mutex mutex;
    std::unique_lock taken(mutex);
    at::Generator generator = at::globalContext().defaultGenerator(device);
    const std::lock_guard lock(generator.mutex());
    generator.set_current_seed(key);
    return taken;
}

} // namespace accumulus
