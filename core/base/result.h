// SPDX-License-Identifier: GPL-3.0-or-later
// Result<T>: a value or an Error. Functions that can fail for a user's reason return it; exceptions of libraries are
// turned into it in the layer that knows what they mean.
#pragma once

#include "core/base/error.h"

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace accumulus {
/// Take a Result<U> apart before it becomes a Result<T>: tl::expected 1.0.0 overwrites a T{} there, whose memory leaks.
template <class T>
using Result = tl::expected<T, Error>;

using Status = Result<void>;

/// failure("data.idx.magic", {{"file", path}, ...}) converts to any Result<T>.
[[nodiscard]] inline tl::unexpected<Error> failure(std::string code,
                                                   std::vector<std::pair<std::string, std::string>> arguments = {}) {
    return tl::unexpected<Error>(Error{std::move(code), std::move(arguments)});
}

[[nodiscard]] inline tl::unexpected<Error> failure(Error error) { return tl::unexpected<Error>(std::move(error)); }

} // namespace accumulus

/// Returns the error of a failed expression from the enclosing function.
#define ACCUMULUS_TRY(expression)                                                                                      \
    do {                                                                                                               \
        if (auto accumulusStatus = (expression); !accumulusStatus)                                                     \
            return ::accumulus::failure(std::move(accumulusStatus).error());                                           \
    } while (false)

#define ACCUMULUS_TRY_JOIN_(a, b) a##b
#define ACCUMULUS_TRY_NAME_(line) ACCUMULUS_TRY_JOIN_(accumulusResult, line)

/// ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(config)): declares `batch` with the value of the expression, a
/// Result, or returns its error from the enclosing function.
#define ACCUMULUS_TRY_ASSIGN(declaration, ...)                                                                         \
    auto ACCUMULUS_TRY_NAME_(__LINE__) = (__VA_ARGS__);                                                                \
    if (!ACCUMULUS_TRY_NAME_(__LINE__))                                                                                \
        return ::accumulus::failure(std::move(ACCUMULUS_TRY_NAME_(__LINE__)).error());                                 \
    declaration = *std::move(ACCUMULUS_TRY_NAME_(__LINE__))
