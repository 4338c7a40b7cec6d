// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/example_list.h"

#include "core/base/readable_text.h"
#include "core/config/experiment_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

namespace accumulus {

namespace {

constexpr std::string_view licence = "# SPDX-";

std::string textOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

std::string leadingQuestion(std::string_view toml) {
    std::string paragraph;
    while (toml.starts_with('#')) {
        const std::string_view line = toml.substr(0, toml.find('\n'));
        toml.remove_prefix(std::min(toml.size(), line.size() + 1));
        if (line.starts_with(licence))
            continue;
        const std::size_t begin = line.find_first_not_of("# \r");
        if (begin == std::string_view::npos) // the paragraph ends
            break;
        if (!paragraph.empty())
            paragraph += ' ';
        paragraph += line.substr(begin);
    }
    const std::size_t end = paragraph.find('?');
    const std::string question = end == std::string::npos ? std::string() : paragraph.substr(0, end + 1);
    return question.find(". ") == std::string::npos ? question : std::string();
}

std::vector<Example> listExamples(const std::filesystem::path& folder) {
    std::vector<Example> examples;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() != ".toml")
            continue;
        const std::string question = leadingQuestion(textOf(entry->path()));
        const auto experiment = readExperiment(entry->path());
        if (experiment && !question.empty())
            examples.push_back({entry->path(), experiment->study.name, readableText(question)});
    }
    std::ranges::sort(examples, {}, &Example::file);
    return examples;
}

} // namespace accumulus
