// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/layer_watch.h"

#include "core/engine/nonfinite_place.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string_view>

namespace accumulus {
namespace {

thread_local LayerWatch* watching = nullptr;

template <class Visit>
void eachTensor(const c10::IValue& value, const Visit& visit) {
    if (value.isTensor()) {
        if (value.toTensor().defined())
            visit(value.toTensor());
    } else if (value.isList()) {
        for (const c10::IValue& element : value.toListRef())
            eachTensor(element, visit);
    }
}

/// Minus infinity and nothing else that is not finite.
bool isMask(const at::Tensor& tensor) {
    return !isFinite(tensor) && at::isfinite(tensor).logical_or_(at::isneginf(tensor)).all().item<bool>();
}

/// What an operator makes of a mask.
enum class Way { Spoils, Adds, Fills };

Way wayOf(std::string_view name) {
    constexpr std::array<std::string_view, 4> adds{"aten::add", "aten::add_", "aten::sub", "aten::sub_"};
    constexpr std::array<std::string_view, 6> fills{"aten::masked_fill", "aten::masked_fill_", "aten::where",
                                                    "aten::fill_",       "aten::copy_",        "aten::cat"};
    if (std::ranges::find(adds, name) != adds.end())
        return Way::Adds;
    return std::ranges::find(fills, name) != fills.end() ? Way::Fills : Way::Spoils;
}

} // namespace

bool isFinite(const at::Tensor& tensor) {
    const bool hasValues = tensor.defined() && tensor.is_floating_point() && tensor.layout() == at::kStrided;
    return !hasValues || at::isfinite(tensor.detach()).all().item<bool>();
}

/// What an operator takes.
struct LayerWatch::Inputs {
    std::vector<const Owner*> weights;
    std::vector<at::Tensor> others;
    std::vector<at::Tensor> masks; ///< of the weights: buffers that mask, and what was filled in
    bool fillsIn = false;          ///< minus infinity itself
};

/// What the end of an operator needs to know of its beginning.
struct LayerWatch::Call final : at::ObserverContext {
    const Owner* onlyWeights = nullptr; ///< null: it computes with other values as well
    std::string before;                 ///< the layer that was used before
    Way way = Way::Spoils;
    bool masked = false;           ///< of what it takes, masks alone are not finite
    std::vector<at::Tensor> holes; ///< of an addition: where they are
};

LayerWatch::LayerWatch(const Model& model, const at::Tensor& parameters, const at::Tensor& buffers)
    : m_layout(model.layout()), m_uses(model.layout().size(), 0) {
    add(model.layout(), parameters, true);
    add(model.buffers(), buffers, false);
}

void LayerWatch::add(const ParameterLayout& layout, const at::Tensor& flat, bool trained) {
    if (!flat.defined() || layout.size() == 0)
        return;
    auto& arena = m_arenas[flat.storage().unsafeGetStorageImpl()];
    for (std::size_t i = 0; i < layout.size(); ++i)
        arena[flat.storage_offset() + layout.offset(i)] = {layerOf(layout.specs()[i].name),
                                                           trained ? std::optional(i) : std::nullopt};
}

std::string LayerWatch::layer(std::size_t parameter) const { return layerOf(m_layout.specs()[parameter].name); }

const LayerWatch::Owner* LayerWatch::ownerOf(const at::Tensor& tensor) const {
    if (!tensor.has_storage())
        return nullptr;
    const c10::StorageImpl* storage = tensor.storage().unsafeGetStorageImpl();
    if (const auto made = m_derived.find(storage); made != m_derived.end())
        return made->second.owner;
    const auto arena = m_arenas.find(storage);
    if (arena == m_arenas.end())
        return nullptr;
    const auto behind = arena->second.upper_bound(tensor.storage_offset());
    return behind == arena->second.begin() ? nullptr : &std::prev(behind)->second;
}

LayerWatch::Scope::Scope(LayerWatch& watch)
    : m_handle(at::addThreadLocalCallback(at::RecordFunctionCallback(&LayerWatch::begin, &LayerWatch::end)
                                              .needsInputs(true)
                                              .needsOutputs(true)
                                              .scopes({at::RecordScope::FUNCTION}))) {
    watching = &watch;
    watch.m_found.reset();
    watch.m_masked.reset();
    watch.m_last.clear();
    watch.m_inside = watch.m_failed = false;
}

LayerWatch::Scope::~Scope() {
    watching = nullptr;
    at::removeCallback(m_handle);
}

std::unique_ptr<at::ObserverContext> LayerWatch::begin(const at::RecordFunction& call) {
    if (!watching || watching->m_inside)
        return nullptr;
    const at::DisableRecordFunctionGuard unwatched;
    const at::NoGradGuard noGrad;
    try {
        return watching->entered(call);
    } catch (...) { // LibTorch would drop it without a word
        watching->m_failed = true;
        return nullptr;
    }
}

void LayerWatch::end(const at::RecordFunction& call, at::ObserverContext* context) {
    if (!watching || !context)
        return;
    watching->m_inside = false;
    const at::DisableRecordFunctionGuard unwatched;
    const at::NoGradGuard noGrad;
    try {
        watching->left(call, static_cast<const Call&>(*context));
    } catch (...) {
        watching->m_failed = true;
    }
}

bool LayerWatch::mayMask(const at::Tensor& tensor, const Owner& owner) const {
    const auto made = m_derived.find(tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr);
    return !owner.parameter || (made != m_derived.end() && made->second.masks);
}

LayerWatch::Inputs LayerWatch::inputsOf(const at::RecordFunction& call) const {
    Inputs found;
    const bool overwritesFirst = std::string_view(call.name()) == "aten::copy_"; // whatever it holds
    // TorchScript hands over all that its stack holds; the operator's own are the last ones.
    const auto all = call.inputs();
    const auto inputs = all.slice(all.size() - std::min(all.size(), call.num_inputs()));
    for (std::size_t i = overwritesFirst ? 1 : 0; i < inputs.size(); ++i) {
        found.fillsIn =
            found.fillsIn || (inputs[i].isDouble() && inputs[i].toDouble() == -std::numeric_limits<double>::infinity());
        eachTensor(inputs[i], [&](const at::Tensor& tensor) {
            const Owner* owner = ownerOf(tensor);
            if (!owner)
                found.others.push_back(tensor);
            else
                found.weights.push_back(owner);
            if (owner && mayMask(tensor, *owner) && isMask(tensor))
                found.masks.push_back(tensor);
        });
    }
    return found;
}

std::unique_ptr<at::ObserverContext> LayerWatch::entered(const at::RecordFunction& call) {
    Inputs inputs = inputsOf(call);
    if (inputs.weights.empty())
        return nullptr;
    auto entering = std::make_unique<Call>();
    entering->way = wayOf(call.name());
    entering->before = m_last;
    if (inputs.others.empty()) {
        entering->onlyWeights = inputs.weights.front();
        entering->masked = inputs.fillsIn || !inputs.masks.empty();
        m_inside = true;
        return entering;
    }
    for (const at::Tensor& input : inputs.others) {
        if (m_found || isFinite(input))
            continue;
        if (isMask(input))
            inputs.masks.push_back(input);
        else
            m_found = m_last;
    }
    entering->masked = inputs.fillsIn || !inputs.masks.empty();
    if (!entering->masked)
        m_masked.reset();           // the last one has been used up
    if (entering->way == Way::Adds) // now: what adds in place overwrites them
        for (const at::Tensor& mask : inputs.masks)
            entering->holes.push_back(at::isneginf(mask));
    m_last = inputs.weights.front()->layer;
    for (const Owner* used : inputs.weights)
        if (used->parameter)
            m_uses[*used->parameter] = ++m_count;
    m_inside = true;
    return entering;
}

void LayerWatch::judge(const at::Tensor& output, const Call& entered) {
    bool own = !entered.masked;
    if (!own && entered.way == Way::Adds) { // what is finite in all that was added is not in the sum
        at::Tensor broken = at::isfinite(output).logical_not_();
        for (const at::Tensor& hole : entered.holes)
            broken.logical_and_(hole.logical_not());
        own = broken.any().item<bool>();
    }
    if (own)
        m_found = m_last;
    else if (entered.way != Way::Spoils && isMask(output))
        m_masked = m_masked.value_or(entered.before);
    else
        m_found = m_masked.value_or(entered.before);
}

void LayerWatch::left(const at::RecordFunction& call, const Call& entered) {
    const c10::ArrayRef<c10::IValue> all(call.outputs());
    for (const c10::IValue& output : all.slice(all.size() - std::min(all.size(), call.num_outputs())))
        eachTensor(output, [&](const at::Tensor& tensor) {
            if (entered.onlyWeights) {
                if (tensor.has_storage() && !ownerOf(tensor))
                    m_derived[tensor.storage().unsafeGetStorageImpl()] = {tensor, entered.onlyWeights,
                                                                          entered.masked && isMask(tensor)};
            } else if (!m_found && !isFinite(tensor)) {
                judge(tensor, entered);
            }
        });
}

} // namespace accumulus
