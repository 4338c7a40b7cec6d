// SPDX-License-Identifier: GPL-3.0-or-later
// An error of the catalogue as an exception, for places from which a Result cannot be returned. Any thread.
#pragma once

#include "core/base/error.h"

#include <exception>
#include <utility>

namespace accumulus {

/// Thrown where a constructor or a loop finds what a function would return.
class ErrorThrown final : public std::exception {
public:
    explicit ErrorThrown(Error error) : m_error(std::move(error)) {}
    [[nodiscard]] const char* what() const noexcept override { return m_error.code.c_str(); }
    [[nodiscard]] const Error& error() const { return m_error; }

private:
    Error m_error;
};

} // namespace accumulus
