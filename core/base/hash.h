// SPDX-License-Identifier: GPL-3.0-or-later
// 128-bit content hashes (XXH3, not cryptographic): weights, configurations, data files. Stable across machines and
// versions.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace accumulus {

/// Streaming XXH3-128. hex() may be called at any time and does not end the stream.
class Hasher {
public:
    Hasher();
    ~Hasher();
    Hasher(Hasher&&) noexcept;
    Hasher& operator=(Hasher&&) noexcept;

    Hasher& add(std::span<const std::byte> bytes);
    Hasher& add(std::string_view text);
    /// 32 lower-case hexadecimal digits.
    [[nodiscard]] std::string hex() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

[[nodiscard]] std::string hashOf(std::string_view text);

/// Random UUID (version 4) as 36 lower-case characters.
[[nodiscard]] std::string newUuid();

/// Stateless 64-bit mixing (SplitMix64 finaliser): keys random streams by (seed, epoch, ...) so that no draw depends on
/// call order.
[[nodiscard]] constexpr unsigned long long mixKey(unsigned long long a, unsigned long long b = 0,
                                                  unsigned long long c = 0) {
    auto mix = [](unsigned long long x) {
        x += 0x9E3779B97F4A7C15ULL;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
        return x ^ (x >> 31);
    };
    return mix(mix(mix(a) ^ b) ^ c);
}

} // namespace accumulus
