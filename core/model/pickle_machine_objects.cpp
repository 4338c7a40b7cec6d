// SPDX-License-Identifier: GPL-3.0-or-later
// What a pickle names and calls in Python, understood without calling it.
#include "core/base/printable.h"
#include "core/model/pickle_machine.h"

#include <algorithm>
#include <array>
#include <optional>

namespace accumulus::pickle {
namespace {

constexpr std::size_t longestText = 256; // of what many values keep a copy of
constexpr std::size_t mostDimensions = 16;
constexpr std::string_view storageSuffix = "Storage";

constexpr std::string_view rebuildTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view rebuildTensorOld = "torch._utils._rebuild_tensor";
constexpr std::string_view rebuildParameter = "torch._utils._rebuild_parameter";
constexpr std::string_view rebuildFromType = "torch._tensor._rebuild_from_type_v2";
constexpr std::string_view restoreTypeTag = "torch.jit._pickle.restore_type_tag"; // as LibTorch writes dictionaries
constexpr std::string_view orderedDict = "collections.OrderedDict";

/// What checkpoints hold beside weights. Nobody looks at what is made of them.
constexpr std::array harmless{
    std::string_view("torch.Tensor"),        std::string_view("torch.nn.parameter.Parameter"),
    std::string_view("torch.Size"),          std::string_view("torch.device"),
    std::string_view("torch.float16"),       std::string_view("torch.bfloat16"),
    std::string_view("torch.float32"),       std::string_view("torch.float64"),
    std::string_view("torch.int64"),         std::string_view("argparse.Namespace"),
    std::string_view("collections.Counter"), std::string_view("collections.defaultdict"),
    std::string_view("builtins.set"),        std::string_view("__builtin__.set"),
    std::string_view("pathlib.PosixPath"),   std::string_view("pathlib.WindowsPath"),
};

bool isUnderstood(std::string_view name) {
    return makesTensor(name) || name == restoreTypeTag || name == orderedDict ||
           (name.size() < longestText && name.starts_with("torch.") && name.ends_with(storageSuffix)) ||
           std::ranges::find(harmless, name) != harmless.end();
}

} // namespace

bool makesTensor(std::string_view function) {
    return function == rebuildTensor || function == rebuildTensorOld || function == rebuildParameter ||
           function == rebuildFromType;
}

namespace {

/// Whole numbers that are not negative.
std::optional<std::vector<std::int64_t>> counts(const Value* value) {
    const auto* sequence = as<Sequence>(value);
    if (!sequence || sequence->values.size() > mostDimensions)
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const Value* element : sequence->values) {
        const auto* number = as<std::int64_t>(element);
        if (!number || *number < 0)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

/// A tensor from the arguments of the function that would make it in Python.
std::optional<Tensor> tensorOf(const std::vector<const Value*>& arguments) {
    if (arguments.size() < 4)
        return std::nullopt;
    const auto* storage = as<Storage>(arguments[0]);
    const auto* offset = as<std::int64_t>(arguments[1]);
    auto shape = counts(arguments[2]);
    auto strides = counts(arguments[3]);
    if (!storage || !offset || *offset < 0 || !shape || !strides || shape->size() != strides->size())
        return std::nullopt;
    return Tensor{*storage, *offset, std::move(*shape), std::move(*strides)};
}

/// What PyTorch computes with when the tensor is used, such as {"neg": true} of z.conj().imag.
bool hasMetadata(const std::vector<const Value*>& arguments) {
    constexpr std::size_t place = 6;
    const auto* metadata = arguments.size() > place ? as<Dictionary>(arguments[place]) : nullptr;
    return metadata && !metadata->entries.empty();
}

} // namespace

Step Machine::global(const std::string& module, const std::string& name) {
    const std::string full = module + "." + name;
    if (m_broken)
        return {};
    if (m_names == Names::OfWeights && !isUnderstood(full))
        return Failed(Message{"reason.pickle-code", {{"name", printable(full.substr(0, longestText))}}});
    push(Value{Global{full}});
    return {};
}

Step Machine::reduce() {
    const Value* argument = pop();
    const Value* function = pop();
    if (m_broken)
        return {};
    if (std::holds_alternative<Other>(function->is)) {
        push(Value{Other{}});
        return {};
    }
    const auto* global = as<Global>(function);
    const auto* arguments = as<Sequence>(argument);
    if (!global || !arguments)
        return broken();
    const auto& values = arguments->values;
    if (global->name == rebuildTensor || global->name == rebuildTensorOld) {
        auto tensor = tensorOf(values);
        if (!tensor)
            return broken();
        if (m_names == Names::OfWeights && hasMetadata(values))
            return Failed(Message{"reason.pickle-unresolved", {}});
        if ((m_copied += 2 * tensor->shape.size()) > m_bytes.size())
            return broken();
        push(Value{std::move(*tensor)});
    } else if (global->name == rebuildParameter) {
        if (values.empty() || !as<Tensor>(values[0]))
            return broken();
        push(values[0]);
    } else if (global->name == rebuildFromType) { // function, type, arguments, attributes
        const auto* inner = values.size() > 2 ? as<Sequence>(values[2]) : nullptr;
        auto tensor = inner ? tensorOf(inner->values) : std::nullopt;
        if (tensor && m_names == Names::OfWeights && hasMetadata(inner->values))
            return Failed(Message{"reason.pickle-unresolved", {}});
        if (tensor && (m_copied += 2 * tensor->shape.size()) > m_bytes.size())
            return broken();
        tensor ? push(Value{std::move(*tensor)}) : push(Value{Other{}});
    } else if (global->name == restoreTypeTag) { // value, type
        if (values.empty())
            return broken();
        push(values[0]);
    } else if (global->name == orderedDict) {
        return orderedDictionary(values.empty() ? nullptr : as<Sequence>(values[0]));
    } else {
        push(Value{Other{}});
    }
    return {};
}

/// Empty without pairs.
Step Machine::orderedDictionary(const Sequence* pairs) {
    Dictionary dictionary;
    if (pairs && (m_copied += pairs->values.size()) > m_bytes.size())
        return broken();
    for (const Value* pair : pairs ? pairs->values : std::vector<const Value*>()) {
        const auto* both = as<Sequence>(pair);
        if (!both || both->values.size() != 2)
            return broken();
        dictionary.entries.emplace_back(both->values[0], both->values[1]);
    }
    push(Value{std::move(dictionary)});
    return {};
}

/// ("storage", torch.FloatStorage, key, "cpu", elements)
Step Machine::persistent() {
    const Value* value = pop();
    if (m_broken)
        return {};
    const auto* tuple = as<Sequence>(value);
    if (!tuple || tuple->values.size() < 5)
        return broken();
    const auto& parts = tuple->values;
    const auto* kind = as<std::string>(parts[0]);
    const auto* type = as<Global>(parts[1]);
    const auto* key = as<std::string>(parts[2]);
    const auto* elements = as<std::int64_t>(parts[4]);
    if (!kind || *kind != "storage" || !type || !key || key->size() > longestText || !elements || *elements < 0)
        return broken();
    const std::string_view name = type->name;
    constexpr std::string_view torch = "torch.";
    if (!name.starts_with(torch) || !name.ends_with(storageSuffix))
        return broken();
    push(Value{Storage{std::string(name.substr(torch.size(), name.size() - torch.size() - storageSuffix.size())), *key,
                       *elements}});
    return {};
}

Step Machine::execute(unsigned char code) {
    switch (code) {
    case 'c': {
        const std::string module = line();
        const std::string name = line();
        return global(module, name);
    }
    case 0x93: {
        const auto* name = as<std::string>(pop());
        const auto* module = as<std::string>(pop());
        // The two texts may be used again and again.
        if (!name || !module || (m_copied += module->size() + name->size()) > m_bytes.size())
            return broken();
        return global(*module, *name);
    }
    case 'R':
    case 0x81: // a new object: the same, as nothing is called
        return reduce();
    case 'b': // attributes of an object: nobody looks at them
        (void)pop();
        return {};
    case 'Q':
        return persistent();
    default:
        if (executeSimple(code) || executeNumber(code) || executeText(code) || executeContainer(code))
            return {};
        return broken();
    }
}

tl::expected<Document, Message> Machine::run() {
    if (take(1) != "\x80" || little(1) > 5 || m_broken)
        return broken();
    for (;;) {
        const auto code = static_cast<unsigned char>(little(1));
        if (m_broken)
            return broken();
        if (code == '.') {
            const Value* root = pop();
            if (m_broken)
                return broken();
            m_document.root = root;
            return std::move(m_document);
        }
        if (auto done = execute(code); !done)
            return Failed(std::move(done.error()));
        if (m_broken)
            return broken();
        if (m_document.values.size() > maximumValues)
            return Failed(Message{"reason.pickle-large", {}});
    }
}

} // namespace accumulus::pickle
