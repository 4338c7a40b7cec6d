// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged files, and what reading them cost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <sys/resource.h>

namespace accumulus::test {

/// Largest resident set of this process so far.
inline std::int64_t peakBytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{usage.ru_maxrss} * 1024;
}

/// AddressSanitizer keeps that much of what was freed.
#ifdef __SANITIZE_ADDRESS__
constexpr std::int64_t freedButKept = 256 << 20;
#else
constexpr std::int64_t freedButKept = 0;
#endif

/// One to four changes: a bit, a byte, a cut, an insertion, a deletion, or 0xFF somewhere in the first 20 bytes.
inline std::string damaged(std::string bytes, std::mt19937_64& engine) {
    for (auto changes = engine() % 4 + 1; changes > 0 && !bytes.empty(); --changes) {
        const std::size_t at = engine() % bytes.size();
        switch (engine() % 6) {
        case 0:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << engine() % 8));
            break;
        case 1:
            bytes[at] = static_cast<char>(engine());
            break;
        case 2:
            bytes.resize(at);
            break;
        case 3:
            bytes.insert(at, 1 + engine() % 40, static_cast<char>(engine()));
            break;
        case 4:
            bytes.erase(at, 1 + engine() % 8);
            break;
        default:
            bytes[std::min<std::size_t>(engine() % 20, bytes.size() - 1)] = static_cast<char>(0xFF);
        }
    }
    return bytes;
}

inline std::string randomBytes(std::size_t size, std::mt19937_64& engine) {
    std::string bytes(size, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(engine());
    return bytes;
}

} // namespace accumulus::test
