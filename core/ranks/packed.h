// SPDX-License-Identifier: GPL-3.0-or-later
// Values in a message between ranks, bit by bit: all ranks run the same program, so both ends know the order. Reading
// past the end throws std::out_of_range.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace accumulus {

class Packed {
public:
    template <class T>
    requires std::is_trivially_copyable_v<T> Packed& put(const T& value) {
        m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    Packed& put(std::string_view text) {
        put(std::uint64_t{text.size()});
        m_bytes += text;
        return *this;
    }
    template <class T>
    Packed& put(const std::vector<T>& values) {
        put(std::uint64_t{values.size()});
        for (const T& value : values) // vector<bool>, too
            put(value);
        return *this;
    }
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

class Unpacked {
public:
    explicit Unpacked(std::string_view bytes) : m_bytes(bytes) {}

    template <class T>
    requires std::is_trivially_copyable_v<T>
    [[nodiscard]] T get() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    [[nodiscard]] std::string getText() { return std::string(take(get<std::uint64_t>())); }
    template <class T>
    [[nodiscard]] std::vector<T> getList() {
        std::vector<T> values;
        for (auto count = get<std::uint64_t>(); count > 0; --count)
            if constexpr (std::is_same_v<T, std::string>)
                values.push_back(getText());
            else
                values.push_back(get<T>());
        return values;
    }
    [[nodiscard]] bool atEnd() const { return m_bytes.empty(); }

private:
    std::string_view take(std::uint64_t size) {
        if (size > m_bytes.size())
            throw std::out_of_range("a message between ranks is too short");
        const std::string_view taken = m_bytes.substr(0, size);
        m_bytes.remove_prefix(size);
        return taken;
    }

    std::string_view m_bytes;
};

} // namespace accumulus
