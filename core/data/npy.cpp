// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/npy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace accumulus {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t maximumDimensions = 32; // NumPy's own limit

using Problem = tl::unexpected<Message>;

Problem problem(const char* reason, const char* cure, std::vector<std::pair<std::string, std::string>> arguments = {}) {
    arguments.emplace_back("cure", cure);
    return tl::unexpected(Message{reason, std::move(arguments)});
}

Problem damaged() { return problem("reason.npy-header", "cure.save-again"); }

/// The literals of a header, front to back.
class HeaderText {
public:
    explicit HeaderText(std::string_view text) : m_rest(text) {}

    bool take(char wanted) {
        skipSpace();
        if (!m_rest.starts_with(wanted))
            return false;
        m_rest.remove_prefix(1);
        return true;
    }
    [[nodiscard]] bool isNext(char wanted) {
        skipSpace();
        return m_rest.starts_with(wanted);
    }
    std::optional<std::string_view> text() {
        skipSpace();
        if (m_rest.empty() || (m_rest.front() != '\'' && m_rest.front() != '"'))
            return std::nullopt;
        const std::size_t end = m_rest.find(m_rest.front(), 1);
        if (end == std::string_view::npos)
            return std::nullopt;
        const std::string_view word = m_rest.substr(1, end - 1);
        m_rest.remove_prefix(end + 1);
        return word;
    }
    std::optional<bool> truth() {
        skipSpace();
        for (const bool value : {false, true}) {
            const std::string_view word = value ? "True" : "False";
            if (m_rest.starts_with(word)) {
                m_rest.remove_prefix(word.size());
                return value;
            }
        }
        return std::nullopt;
    }
    std::optional<std::int64_t> number() {
        skipSpace();
        std::int64_t value = 0;
        const auto [end, code] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), value);
        if (code != std::errc() || value < 0)
            return std::nullopt;
        m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
        if (m_rest.starts_with('L')) // as Python 2 wrote
            m_rest.remove_prefix(1);
        return value;
    }
    /// (), (3,) or (3, 4).
    std::optional<std::vector<std::int64_t>> shape() {
        if (!take('('))
            return std::nullopt;
        std::vector<std::int64_t> sides;
        bool comma = true;
        while (!take(')')) {
            const auto side = comma ? number() : std::nullopt;
            if (!side || sides.size() == maximumDimensions)
                return std::nullopt;
            sides.push_back(*side);
            comma = take(',');
        }
        return sides;
    }
    bool atEnd() {
        skipSpace();
        return m_rest.empty();
    }

private:
    void skipSpace() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \n\t\r"), m_rest.size())); }

    std::string_view m_rest;
};

struct Fields {
    std::optional<std::string> type;
    std::optional<bool> fortranOrder;
    std::optional<std::vector<std::int64_t>> shape;
};

/// Each key once, nothing else.
tl::expected<Fields, Message> fieldsOf(std::string_view words) {
    HeaderText text(words);
    Fields fields;
    if (!text.take('{'))
        return damaged();
    bool comma = true;
    while (!text.take('}')) {
        const auto key = comma ? text.text() : std::nullopt;
        if (!key || !text.take(':'))
            return damaged();
        if (*key == "descr" && !fields.type) {
            if (text.isNext('['))
                return problem("reason.npy-structured", "cure.npy-plain");
            const auto type = text.text();
            if (!type)
                return damaged();
            fields.type = *type;
        } else if (*key == "fortran_order" && !fields.fortranOrder) {
            if (!(fields.fortranOrder = text.truth()))
                return damaged();
        } else if (*key == "shape" && !fields.shape) {
            if (!(fields.shape = text.shape()))
                return damaged();
        } else {
            return damaged();
        }
        comma = text.take(',');
    }
    if (!text.atEnd() || !fields.type || !fields.fortranOrder || !fields.shape)
        return damaged();
    return fields;
}

tl::expected<ElementType, Message> typeOf(const std::string& text) {
    using enum ElementType;
    struct Named {
        std::string_view name;
        ElementType type;
    };
    constexpr std::array<Named, 11> known{{{"b1", Bool},
                                           {"u1", UInt8},
                                           {"i1", Int8},
                                           {"u2", UInt16},
                                           {"i2", Int16},
                                           {"u4", UInt32},
                                           {"i4", Int32},
                                           {"i8", Int64},
                                           {"f2", Float16},
                                           {"f4", Float32},
                                           {"f8", Float64}}};
    const std::string_view name = std::string_view(text).substr(std::min<std::size_t>(1, text.size()));
    const auto* found = std::ranges::find(known, name, &Named::name);
    const bool oneByte = name.ends_with('1');
    if (found != known.end() && text.front() == '>' && !oneByte)
        return problem("reason.npy-big-endian", "cure.npy-little-endian", {{"type", text}});
    if (found != known.end() && (text.front() == '<' || text.front() == '=' || oneByte))
        return found->type;
    if (text.starts_with("|O") || text == "O")
        return problem("reason.npy-objects", "cure.npy-plain");
    return problem("reason.npy-type", "cure.npy-plain", {{"type", text}});
}

/// Bytes of the header's length, behind magic and version.
tl::expected<std::string_view, Message> wordsOf(std::string_view bytes, std::int64_t size) {
    if (!bytes.starts_with(magic) || bytes.size() < magic.size() + 2)
        return problem("reason.npy-magic", "cure.save-again");
    const auto version = static_cast<unsigned>(static_cast<unsigned char>(bytes[magic.size()]));
    if (version < 1 || version > 3)
        return problem("reason.npy-version", "cure.save-again", {{"version", std::to_string(version)}});
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    const std::size_t begin = magic.size() + 2 + lengthBytes;
    if (bytes.size() < begin)
        return damaged();
    std::size_t length = 0;
    for (std::size_t i = lengthBytes; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(bytes[magic.size() + 2 + i]);
    if (length > longestNpyHeader - begin || static_cast<std::int64_t>(begin + length) > size ||
        begin + length > bytes.size())
        return damaged();
    return bytes.substr(begin, length);
}

} // namespace

std::int64_t bytesOfShape(const std::vector<std::int64_t>& shape, ElementType type) {
    std::int64_t bytes = elementBytes(type);
    bool empty = false;
    for (const std::int64_t side : shape) {
        // Sides of 0 do not hide the others: strides are products too.
        if (side < 0 || __builtin_mul_overflow(bytes, std::max<std::int64_t>(1, side), &bytes))
            return -1;
        empty = empty || side == 0;
    }
    return empty ? 0 : bytes;
}

tl::expected<NpyHeader, Message> parseNpy(std::span<const std::byte> beginning, std::int64_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(beginning.data()), beginning.size());
    const auto words = wordsOf(bytes, size);
    if (!words)
        return tl::unexpected(words.error());
    const auto fields = fieldsOf(*words);
    if (!fields)
        return tl::unexpected(fields.error());
    const auto type = typeOf(*fields->type);
    if (!type)
        return tl::unexpected(type.error());
    if (*fields->fortranOrder && fields->shape->size() > 1)
        return problem("reason.npy-fortran", "cure.npy-c-order");
    NpyHeader header;
    header.type = *type;
    header.shape = *fields->shape;
    header.dataBegin = words->data() + words->size() - bytes.data();
    header.dataBytes = bytesOfShape(header.shape, header.type);
    if (header.dataBytes < 0 || header.dataBytes > size - header.dataBegin)
        return problem("reason.npy-promise", "cure.save-again",
                       {{"promised", header.dataBytes < 0 ? "2^63" : std::to_string(header.dataBytes)},
                        {"size", std::to_string(size - header.dataBegin)}});
    if (header.dataBytes < size - header.dataBegin)
        return problem("reason.npy-longer", "cure.save-again",
                       {{"bytes", std::to_string(size - header.dataBegin - header.dataBytes)}});
    return header;
}

} // namespace accumulus
