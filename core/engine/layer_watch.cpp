// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/layer_watch.h"

#include "core/engine/nonfinite_place.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
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

} // namespace

bool isFinite(const at::Tensor& tensor) {
    const bool hasValues = tensor.defined() && tensor.is_floating_point() && tensor.layout() == at::kStrided;
    return !hasValues || at::isfinite(tensor.detach()).all().item<bool>();
}

/// What the end of an operator needs to know of its beginning.
struct LayerWatch::Call final : at::ObserverContext {
    explicit Call(const Owner* weights) : onlyWeights(weights) {}
    const Owner* onlyWeights; ///< null: it computes with other values as well
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

std::unique_ptr<at::ObserverContext> LayerWatch::entered(const at::RecordFunction& call) {
    std::vector<const Owner*> weights;
    std::vector<at::Tensor> others;
    const bool overwritesFirst = std::string_view(call.name()) == "aten::copy_"; // whatever it holds
    // TorchScript hands over all that its stack holds; the operator's own are the last ones.
    const auto all = call.inputs();
    const auto inputs = all.slice(all.size() - std::min(all.size(), call.num_inputs()));
    for (std::size_t i = overwritesFirst ? 1 : 0; i < inputs.size(); ++i)
        eachTensor(inputs[i], [&](const at::Tensor& tensor) {
            if (const Owner* owner = ownerOf(tensor))
                weights.push_back(owner);
            else
                others.push_back(tensor);
        });
    if (weights.empty())
        return nullptr;
    if (others.empty()) {
        m_inside = true;
        return std::make_unique<Call>(weights.front());
    }
    for (const at::Tensor& input : others)
        if (!m_found && !isFinite(input))
            m_found = m_last;
    m_last = weights.front()->layer;
    for (const Owner* used : weights)
        if (used->parameter)
            m_uses[*used->parameter] = ++m_count;
    m_inside = true;
    return std::make_unique<Call>(nullptr);
}

void LayerWatch::left(const at::RecordFunction& call, const Call& entered) {
    const c10::ArrayRef<c10::IValue> all(call.outputs());
    for (const c10::IValue& output : all.slice(all.size() - std::min(all.size(), call.num_outputs())))
        eachTensor(output, [&](const at::Tensor& tensor) {
            if (entered.onlyWeights) {
                if (tensor.has_storage() && !ownerOf(tensor))
                    m_derived[tensor.storage().unsafeGetStorageImpl()] = {tensor, entered.onlyWeights};
            } else if (!m_found && !isFinite(tensor)) {
                m_found = m_last;
            }
        });
}

} // namespace accumulus
