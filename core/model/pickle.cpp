// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pickle.h"

#include "core/model/pickle_machine.h"

#include <algorithm>
#include <array>

namespace accumulus::pickle {

std::optional<std::uint64_t> elementSize(std::string_view type) {
    struct Size {
        std::string_view type;
        std::uint64_t bytes;
    };
    static constexpr std::array sizes{
        Size{"Float", 4}, Size{"Double", 8}, Size{"Half", 2},         Size{"BFloat16", 2},       Size{"Long", 8},
        Size{"Int", 4},   Size{"Short", 2},  Size{"Char", 1},         Size{"Byte", 1},           Size{"Bool", 1},
        Size{"QInt8", 1}, Size{"QUInt8", 1}, Size{"ComplexFloat", 8}, Size{"ComplexDouble", 16}, Size{"QInt32", 4}};
    const auto known = std::ranges::find(sizes, type, &Size::type);
    return known == sizes.end() ? std::nullopt : std::optional(known->bytes);
}

bool liesInStorage(const Tensor& tensor) {
    std::int64_t count = 1;
    std::int64_t last = tensor.offset;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        std::int64_t reach = 0;
        if (__builtin_mul_overflow(count, tensor.shape[i], &count) ||
            __builtin_mul_overflow(std::max<std::int64_t>(0, tensor.shape[i] - 1), tensor.strides[i], &reach) ||
            __builtin_add_overflow(last, reach, &last))
            return false;
    }
    return count == 0 || last < tensor.storage.elements;
}

tl::expected<Document, Message> read(std::span<const char> bytes, Names names) {
    if (bytes.size() > maximumBytes)
        return Failed(Message{"reason.pickle-large", {}});
    return Machine(bytes, names).run();
}

} // namespace accumulus::pickle
