// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scripted_held.h"

#include <set>

namespace accumulus {
namespace {

class Search {
public:
    std::vector<HeldTensor> found;

    void objects(const c10::intrusive_ptr<c10::ivalue::Object>& original,
                 const c10::intrusive_ptr<c10::ivalue::Object>& copy) {
        if (!m_seen.insert(original.get()).second) // objects may refer to each other
            return;
        const bool isModule = original->type()->is_module();
        for (std::size_t slot = 0; slot < original->slots().size(); ++slot) {
            if (isModule && original->getSlot(slot).isTensor())
                continue; // a parameter or buffer, which has a name
            value(original->getSlot(slot), copy->getSlot(slot),
                  [copy, slot](const at::Tensor& tensor) { copy->setSlot(slot, tensor); });
        }
    }

private:
    void value(const c10::IValue& original, const c10::IValue& copy, std::function<void(const at::Tensor&)> hold) {
        if (original.isTensor()) {
            if (original.toTensor().defined())
                found.push_back({original.toTensor(), std::move(hold)});
        } else if (original.isObject()) {
            objects(original.toObject(), copy.toObject());
        } else if (original.isList()) {
            const c10::List<c10::IValue> from = original.toList();
            const c10::List<c10::IValue> to = copy.toList();
            for (std::size_t i = 0; i < from.size(); ++i)
                value(from.get(i), to.get(i), [to, i](const at::Tensor& tensor) { to.set(i, tensor); });
        } else if (original.isTuple()) {
            const auto from = original.toTuple();
            const auto to = copy.toTuple();
            for (std::size_t i = 0; i < from->elements().size(); ++i)
                value(from->elements()[i], to->elements()[i],
                      [to, i](const at::Tensor& tensor) { to->unsafeSetElement(i, tensor); });
        } else if (original.isGenericDict()) {
            const auto from = original.toGenericDict();
            const auto to = copy.toGenericDict();
            for (const auto& entry : from)
                value(entry.value(), to.at(entry.key()),
                      [to, key = entry.key()](const at::Tensor& tensor) { to.insert_or_assign(key, tensor); });
        }
    }

    std::set<const void*> m_seen;
};

} // namespace

std::vector<HeldTensor> heldTensors(const torch::jit::Module& module, const torch::jit::Module& copy) {
    Search search;
    search.objects(module._ivalue(), copy._ivalue());
    return std::move(search.found);
}

} // namespace accumulus
