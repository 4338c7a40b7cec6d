// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions of the engine in the words of the catalogue. Free of torch. Any thread.
#pragma once

#include "core/base/error.h"

#include <exception>
#include <utility>

namespace accumulus {

class Communicator;

/// Thrown where a constructor finds what a function would return.
class ErrorThrown final : public std::exception {
public:
    explicit ErrorThrown(Error error) : m_error(std::move(error)) {}
    [[nodiscard]] const char* what() const noexcept override { return m_error.code.c_str(); }
    [[nodiscard]] const Error& error() const { return m_error; }

private:
    Error m_error;
};

/// `ranks`: with whom it was computed, to name one that was lost.
[[nodiscard]] Error errorOf(const std::exception_ptr& problem, const Communicator* ranks = nullptr);
/// leave() with a reason that the others' errorOf() can say in any language.
void leaveRanks(Communicator& ranks, const Error& error);

} // namespace accumulus
