// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/workers.h"

#include "core/window/flat_kernels.h"

#include <algorithm>

namespace accumulus {
namespace {

constexpr std::int64_t shortest =
    8 * kernelBlock;                      // handing over takes a few microseconds, as long as this many elements
constexpr std::int64_t stretchesEach = 4; // so that nobody waits long for the last one

} // namespace

Workers* worthwhile(Workers* workers, std::int64_t elements) {
    return workers && workers->atOnce() > 1 && elements >= 2 * shortest ? workers : nullptr;
}

std::int64_t stretchSize(std::int64_t elements, const Workers* workers) {
    if (!workers)
        return std::max(elements, kernelBlock);
    const std::int64_t parts = stretchesEach * workers->atOnce();
    const std::int64_t blocks = (elements + parts * kernelBlock - 1) / (parts * kernelBlock);
    return std::max(blocks * kernelBlock, shortest);
}

void forEachPart(Workers* workers, std::int64_t parts, const std::function<void(std::int64_t)>& work) {
    if (workers) {
        workers->forEach(parts, work);
        return;
    }
    for (std::int64_t part = 0; part < parts; ++part)
        work(part);
}

} // namespace accumulus
