// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn from a sample's key, in whole numbers: the same on the CPU and on a GPU, because both compile these
// functions. Any thread.
#pragma once

#include "core/base/hash.h"

#include <cstdint>

namespace accumulus {

// Keep the draws of one sample apart.
inline constexpr std::uint64_t purposeCropFlip = 0xC80;
inline constexpr std::uint64_t purposeDropout = 0xD20; ///< + (layer << 16)
inline constexpr std::uint64_t purposeMask = 0x3A5;

/// Part of a sample's key that all samples of an epoch share.
[[nodiscard]] constexpr std::uint64_t epochKey(std::int64_t seed, std::int64_t epoch) {
    return mixKey(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(epoch));
}
/// Key of all draws of sample `id` for one purpose.
[[nodiscard]] constexpr std::uint64_t rowKey(std::uint64_t epochKey, std::int64_t id, std::uint64_t purpose) {
    return mixKey(epochKey, static_cast<std::uint64_t>(id), purpose);
}

/// What data.augment does to one image of a training batch: shifted by (down, right) with black (0) borders, then
/// mirrored.
struct CropFlip {
    std::int64_t down = 0, right = 0; ///< -padding .. padding
    bool mirrored = false;
};
inline constexpr std::int64_t cropPadding = 4;
[[nodiscard]] constexpr CropFlip cropFlipOf(std::uint64_t key) {
    constexpr std::uint64_t places = 2 * cropPadding + 1;
    const std::uint64_t down = (mixKey(key, 1) & 0xFFFFFFFF) * places >> 32;
    const std::uint64_t right = (mixKey(key, 2) & 0xFFFFFFFF) * places >> 32;
    return {static_cast<std::int64_t>(down) - cropPadding, static_cast<std::int64_t>(right) - cropPadding,
            (key & 1) != 0};
}

/// A 32-bit mixer (two multiplications, three shifts) of a counter: cheap enough for every activation, and vectorised
/// by the compiler.
[[nodiscard]] constexpr std::uint32_t mix32(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7FEB352DU;
    x ^= x >> 15;
    x *= 0x846CA68BU;
    return x ^ (x >> 16);
}
/// Of dropout at `rate` < 1: an element is dropped when its draw lies below.
[[nodiscard]] constexpr std::uint32_t dropoutThreshold(double rate) {
    return static_cast<std::uint32_t>(rate * 4294967296.0);
}
[[nodiscard]] constexpr bool isDropped(std::uint64_t key, std::uint32_t element, std::uint32_t threshold) {
    return mix32(mix32(element + static_cast<std::uint32_t>(key)) ^ static_cast<std::uint32_t>(key >> 32)) < threshold;
}

/// In [0, 1).
[[nodiscard]] constexpr double unitDraw(std::uint64_t key) { return static_cast<double>(key >> 11) * 0x1p-53; }

inline constexpr double maskedShare = 0.15;  // BERT (Devlin et al. 2019): 15 % of the positions are to be guessed;
inline constexpr double shownAsMask = 0.8;   // of these, 80 % show the mask token,
inline constexpr double shownAsRandom = 0.1; // 10 % a random token, the others themselves

/// Target of a position that bears no loss, as in torch.nn.functional.cross_entropy.
inline constexpr std::int64_t ignoredTarget = -100;

/// What a masked-token model sees at one position and is asked for.
struct MaskedToken {
    std::int64_t shown;
    std::int64_t target;
};
/// `key`: rowKey of the sample for purposeMask. The mask token is `vocabulary`, one beyond the last.
[[nodiscard]] constexpr MaskedToken maskedToken(std::uint64_t key, std::int64_t position, std::int64_t token,
                                                std::int64_t vocabulary) {
    const auto place = static_cast<std::uint64_t>(position);
    if (unitDraw(mixKey(key, place, 1)) >= maskedShare)
        return {token, ignoredTarget};
    const double shown = unitDraw(mixKey(key, place, 2));
    if (shown < shownAsMask)
        return {vocabulary, token};
    if (shown < shownAsMask + shownAsRandom)
        return {static_cast<std::int64_t>(mixKey(key, place, 3) % static_cast<std::uint64_t>(vocabulary)), token};
    return {token, token};
}

} // namespace accumulus
