// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <random>

namespace accumulus {

struct Hasher::State {
    XXH3_state_t xxh;
};

Hasher::Hasher() : m_state(std::make_unique<State>()) { XXH3_128bits_reset(&m_state->xxh); }
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;

Hasher& Hasher::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(&m_state->xxh, bytes.data(), bytes.size());
    return *this;
}

Hasher& Hasher::add(std::string_view text) { return add(std::as_bytes(std::span(text.data(), text.size()))); }

namespace {
std::string hexDigits(std::span<const unsigned char> bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}
} // namespace

std::string Hasher::hex() const {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&m_state->xxh));
    return hexDigits(canonical.digest);
}

std::string hashOf(std::string_view text) { return Hasher().add(text).hex(); }

std::string newUuid() {
    std::random_device device;
    std::array<unsigned char, 16> bytes;
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
        const unsigned int word = device();
        for (std::size_t j = 0; j < 4; ++j)
            bytes[i + j] = static_cast<unsigned char>(word >> (8 * j));
    }
    bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0F) | 0x40); // version 4
    bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3F) | 0x80); // RFC 4122 variant
    std::string text = hexDigits(bytes);
    for (const std::size_t position : {8U, 13U, 18U, 23U})
        text.insert(position, 1, '-');
    return text;
}

} // namespace accumulus
