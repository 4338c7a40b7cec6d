// SPDX-License-Identifier: GPL-3.0-or-later
// The experiments that come with the program: TOML files whose leading comment begins with the question that they ask.
// Any thread; a slow disk is waited for.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

struct Example {
    std::filesystem::path file;
    std::string name;     ///< of its study
    std::string question; ///< in English
    bool operator==(const Example&) const = default;
};

/// The files *.toml of the folder that can be read and ask something, by name. None where there is no folder.
[[nodiscard]] std::vector<Example> listExamples(const std::filesystem::path& folder);
/// The first sentence of the leading comment, where that is a question: "Is accumulating 8 ... of 256?". Else empty.
[[nodiscard]] std::string leadingQuestion(std::string_view toml);

} // namespace accumulus
