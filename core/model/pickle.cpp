// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pickle.h"

#include "core/model/pickle_machine.h"

namespace accumulus::pickle {

tl::expected<Document, Message> read(std::span<const char> bytes) {
    if (bytes.size() > maximumBytes)
        return broken("it is larger than 16 MiB");
    return Machine(bytes).run();
}

} // namespace accumulus::pickle
