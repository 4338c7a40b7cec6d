// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/some_of.h"

#include <algorithm>

namespace accumulus {

std::string someOf(std::span<const std::string> names, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
        text += (i > 0 ? ", " : "") + names[i];
    return names.size() > most ? text + ", ..." : text;
}

} // namespace accumulus
