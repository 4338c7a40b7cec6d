// SPDX-License-Identifier: GPL-3.0-or-later
// Who helps when a window is closed: threads that take stretches of the flat arenas. Owned and called by the trainer's
// thread.
#pragma once

#include <cstdint>
#include <functional>

namespace accumulus {

class Workers {
public:
    virtual ~Workers() = default;
    /// Parts that are worked on at the same time.
    [[nodiscard]] virtual int atOnce() const = 0;
    /// Calls work(part) for the parts 0, ..., parts - 1, in any order and in several threads, and returns when all have
    /// returned. Rethrows what one of them throws.
    virtual void forEach(std::int64_t parts, const std::function<void(std::int64_t part)>& work) = 0;
};

/// `workers` where they pay for work on `elements` of an arena, else null: then the calling thread is faster alone.
[[nodiscard]] Workers* worthwhile(Workers* workers, std::int64_t elements);

/// Length of the stretches into which `elements` of an arena are cut for `workers`: whole kernel blocks, several
/// stretches for each thread; all elements where workers is null.
[[nodiscard]] std::int64_t stretchSize(std::int64_t elements, const Workers* workers);

/// workers->forEach(), or one part after the other in the calling thread where workers is null.
void forEachPart(Workers* workers, std::int64_t parts, const std::function<void(std::int64_t part)>& work);

} // namespace accumulus
