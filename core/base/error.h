// SPDX-License-Identifier: GPL-3.0-or-later
// An error as a value: a stable code and named arguments. The words live in one catalogue (error_catalogue.cpp); the
// workbench translates the same ids. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accumulus {

/// Who can mend it. The values are the exit codes of accumulus-cli.
enum class ErrorKind {
    Internal = 1,      ///< a bug of ours
    Configuration = 2, ///< usage or settings
    Data = 3,          ///< data files
    Device = 4,        ///< device or memory
    Library = 5,       ///< the library file or its folder
    Training = 6,      ///< training itself failed (non-finite loss, ...)
    Interrupted = 130,
};

struct Error {
    std::string code; ///< id in the catalogue, for example "data.idx.magic"
    std::vector<std::pair<std::string, std::string>> arguments;

    /// Value of a named argument as readableText, empty when absent.
    [[nodiscard]] std::string argument(std::string_view name) const;
    bool operator==(const Error&) const = default;
};

/// One entry of the catalogue; {name} stands for an argument.
struct ErrorWords {
    std::string_view code;
    ErrorKind kind;
    std::string_view what; ///< what happened
    std::string_view why;  ///< why, may be empty
    std::string_view cure; ///< what the person can do
};

/// The catalogue's entry, or that of "internal.unknown" for a code it lacks.
[[nodiscard]] const ErrorWords& errorWords(std::string_view code);
[[nodiscard]] const std::vector<ErrorWords>& errorCatalogue();
/// `words` with every {name} replaced by the argument of that name, made printable: arguments come from anywhere.
[[nodiscard]] std::string fillArguments(std::string_view words, const Error& error);
/// What, why and cure as one English text, for the command line and logs.
[[nodiscard]] std::string describe(const Error& error);
[[nodiscard]] ErrorKind errorKind(const Error& error);
[[nodiscard]] int exitCode(const Error& error);

} // namespace accumulus
