// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a pickle, as PyTorch writes them into its files. Nothing is ever called: of the names that a pickle may
// hold, those of tensors, parameters and dictionaries are understood, a few harmless ones become values that nobody
// looks at, and any other ends the reading. LibTorch's own unpickler turns an OrderedDict, and so every state dict,
// into None, and trusts sizes. Free of torch. Any thread.
#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

namespace accumulus::pickle {

struct Value;

/// A function or class by its name; never called.
struct Global {
    std::string name; ///< "torch._utils._rebuild_tensor_v2"
};
/// Tuple, list or set.
struct Sequence {
    std::vector<const Value*> values;
};
/// In the order in which the keys came. A key may come twice; the last one counts.
struct Dictionary {
    std::vector<std::pair<const Value*, const Value*>> entries;
};
/// What a tensor lies in.
struct Storage {
    std::string type; ///< "Float" of torch.FloatStorage
    std::string key;  ///< of the record that holds its bytes
    std::int64_t elements = 0;
};
/// Not yet checked against its storage, except that no number is negative.
struct Tensor {
    Storage storage;
    std::int64_t offset = 0;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;
};
/// Of a harmless kind that nobody looks at.
struct Other {};

struct Value {
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Global, Sequence, Dictionary, Storage, Tensor,
                 Other>
        is;
};

/// Owns its values.
struct Document {
    std::deque<Value> values;
    const Value* root = nullptr;
};

inline constexpr std::size_t maximumBytes = 16U << 20;  ///< of a pickle: names and shapes only
inline constexpr std::size_t maximumValues = 2'000'000; ///< of about 150 bytes each

/// Which functions and classes a pickle may name.
enum class Names {
    OfWeights, ///< those of tensors, and some harmless ones; any other ends the reading
    Any,       ///< all: what is made of unknown ones is Other. To look through the pickle of a TorchScript module
};

/// Every element that shape, strides and offset lead to is one of the storage's.
[[nodiscard]] bool liesInStorage(const Tensor& tensor);

/// Is it a function of PyTorch of which the values that it makes are understood as tensors?
[[nodiscard]] bool makesTensor(std::string_view function);

/// Bytes of an element of a storage of this type ("Float"); nothing of an unknown one.
[[nodiscard]] std::optional<std::uint64_t> elementSize(std::string_view type);

/// The value of a pickle of protocol 2 to 5, or why it is none, as a reason of the catalogue. Takes memory for
/// maximumValues values at most, and for numbers and texts in proportion to `bytes`.
[[nodiscard]] tl::expected<Document, Message> read(std::span<const char> bytes, Names names = Names::OfWeights);

} // namespace accumulus::pickle
