// SPDX-License-Identifier: GPL-3.0-or-later
// Why a file of data cannot be used: a sentence of the message catalogue, whose arguments join those of the error, or
// what the system said. Internal to core/data.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"

#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

/// What the operating system or a library said, as it stands.
[[nodiscard]] inline Message said(std::string text) { return {std::move(text), {}}; }

/// failure(code, arguments) with {@reason}.
[[nodiscard]] inline tl::unexpected<Error>
failureBecause(std::string code, std::vector<std::pair<std::string, std::string>> arguments, Message reason) {
    arguments.emplace_back("reason", std::move(reason.code));
    arguments.insert(arguments.end(), std::make_move_iterator(reason.arguments.begin()),
                     std::make_move_iterator(reason.arguments.end()));
    return failure(std::move(code), std::move(arguments));
}

} // namespace accumulus
