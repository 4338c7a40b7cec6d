// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/experiment_file.h"

#include "core/base/path_text.h"
#include "core/base/readable_text.h"
#include "core/base/shell_word.h"

#include "core/config/config_fields.h"
#include "core/config/field_formatting.h"
#include "core/config/field_parse.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace accumulus {

namespace {

constexpr std::size_t largestFile = std::size_t{1} << 20;

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool mayBeBare(FieldType type) {
    return type == FieldType::Text || type == FieldType::Path || type == FieldType::Choice || type == FieldType::Extent;
}

bool isQuoted(std::string_view text) { return text.starts_with('"') || text.starts_with('\''); }

Result<FieldValue> bareValue(const ConfigField& field, std::string_view text) {
    if (field.type != FieldType::Extent)
        return FieldValue(std::string(text));
    const auto extent = parseExtent(text);
    if (!extent)
        return failure(valueError(field, excerpt(text), extent.error().argument("reason")));
    return FieldValue(*extent);
}

} // namespace

Status applyAssignment(ExperimentConfig& config, std::string_view assignment) {
    const auto equals = assignment.find('=');
    const std::string_view key = trimmed(assignment.substr(0, equals));
    if (equals == std::string_view::npos || key.empty())
        return failure("config.assignment", {{"text", excerpt(assignment)}});
    const ConfigField* field = findField(key);
    if (!field)
        return failure(unknownKeyError(key));
    std::string_view text = trimmed(assignment.substr(equals + 1));
    std::string path; // what a shell completes may not be UTF-8
    if (field->type == FieldType::Path && !isQuoted(text) && readableText(text) != text)
        text = path = textOfPath(text);
    const auto value =
        mayBeBare(field->type) && !isQuoted(text) ? bareValue(*field, text) : parseFieldValue(*field, text);
    if (!value)
        return failure(value.error());
    return setField(config, key, *value);
}

Result<ExperimentConfig> parseExperiment(std::string_view toml, const std::string& name) {
    ACCUMULUS_TRY_ASSIGN(const auto settings, parseSettings(toml, name));
    ExperimentConfig config;
    for (const ParsedSetting& setting : settings)
        ACCUMULUS_TRY(setField(config, setting.key, setting.value));
    return config;
}

Status startPathsAt(ExperimentConfig& config, const std::filesystem::path& folder) {
    for (const ConfigField& field : configFields()) {
        if (field.type != FieldType::Path)
            continue;
        const std::filesystem::path written = pathOfText(std::get<std::string>(field.get(config)));
        if (written.empty() || written.is_absolute())
            continue;
        std::filesystem::path path = (folder / written).lexically_normal();
        if (!path.has_filename()) // "data/" and "." name their folder
            path = path.parent_path();
        ACCUMULUS_TRY(setField(config, field.key, FieldValue(textOfPath(path))));
    }
    return {};
}

bool liesInAFolder(const std::filesystem::path& file) {
    std::error_code problem;
    const auto full = std::filesystem::absolute(file, problem).lexically_normal();
    const auto first = full.empty() ? full : *std::next(full.begin()); // behind the root
    return first != "dev" && first != "proc" && std::filesystem::is_regular_file(full, problem);
}

Result<ExperimentConfig> readExperiment(const std::filesystem::path& file, RelativePaths paths) {
    const auto refuse = [&](const std::string& reason) {
        return failure("config.file", {{"file", file.string()}, {"reason", reason}});
    };
    std::error_code problem;
    if (std::filesystem::is_directory(file, problem))
        return refuse("reason.is-folder");
    // Read as a stream, not by its size: /dev/stdin and /dev/null are welcome.
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return refuse(errno != 0 ? std::strerror(errno) : "reason.cannot-open");
    std::string text(largestFile + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (stream.bad())
        return refuse("reason.read-failed");
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (text.size() > largestFile)
        return refuse("reason.experiment-large");
    ACCUMULUS_TRY_ASSIGN(auto experiment, parseExperiment(text, file.filename().string()));
    if (paths == RelativePaths::AtTheFile && liesInAFolder(file))
        ACCUMULUS_TRY(startPathsAt(experiment, std::filesystem::absolute(file, problem).parent_path()));
    return experiment;
}

std::string experimentToml(const ExperimentConfig& config, bool complete) {
    const ExperimentConfig defaults;
    std::string text;
    std::string section;
    for (const ConfigField& field : configFields()) {
        const FieldValue value = field.get(config);
        if (!complete && value == field.get(defaults))
            continue;
        const auto dot = field.key.find('.');
        if (field.key.substr(0, dot) != section) {
            section = field.key.substr(0, dot);
            text += (text.empty() ? "[" : "\n[") + section + "]\n";
        }
        text += field.key.substr(dot + 1) + " = " + fieldText(value) + '\n';
    }
    return text;
}

std::string commandLine(const ExperimentConfig& config) {
    const ExperimentConfig defaults;
    std::string text = "accumulus-cli run /dev/null"; // an empty file: all defaults
    for (const ConfigField& field : configFields()) {
        const FieldValue value = field.get(config);
        if (value != field.get(defaults))
            text += " --set " + posixWord(field.key + '=' + fieldText(value));
    }
    if (const std::int64_t ranks = config.run.batch.devices; ranks > 1)
        text += " --ranks " + std::to_string(ranks);
    return text;
}

} // namespace accumulus
