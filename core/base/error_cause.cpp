// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error_cause.h"

#include "core/base/kept_message.h"

namespace accumulus {

Error causeOf(const Error& error) {
    if (error.code != "ranks.failed")
        return error;
    const auto kept = messagesOf(error.argument("reason"));
    return kept.empty() ? error : Error{kept.front().message.code, kept.front().message.arguments};
}

} // namespace accumulus
