// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/file_stamps.h"

#include "core/base/path_text.h"
#include "core/config/config_fields.h"

#include <filesystem>
#include <utility>
#include <vector>

namespace accumulus {
namespace {

namespace fs = std::filesystem;

std::vector<std::pair<std::string, std::string>> pathsOf(const RunConfig& run) {
    std::vector<std::pair<std::string, std::string>> paths;
    const ExperimentConfig experiment{run, {}};
    for (const ConfigField& field : configFields())
        if (field.type == FieldType::Path)
            if (auto path = std::get<std::string>(field.get(experiment)); !path.empty())
                paths.emplace_back(field.key, std::move(path));
    return paths;
}

std::string stampOf(const fs::path& file) {
    std::error_code none;
    const auto size = fs::file_size(file, none);
    const auto changed = fs::last_write_time(file, none).time_since_epoch().count();
    return std::to_string(size) + ' ' + std::to_string(changed);
}

} // namespace

std::string filesOf(const RunConfig& run) {
    std::string text;
    for (const auto& [key, path] : pathsOf(run))
        text += key + '=' + path + '\n';
    return text;
}

std::string fileStamps(const RunConfig& run) {
    constexpr int mostEntries = 1000;
    std::string text;
    for (const auto& [key, path] : pathsOf(run)) {
        const fs::path file = pathOfText(path);
        text += key + ' ' + stampOf(file) + '\n';
        std::error_code none;
        int seen = 0;
        for (fs::directory_iterator entry(file, none), end; !none && entry != end && seen < mostEntries;
             entry.increment(none), ++seen)
            text += entry->path().filename().string() + ' ' + stampOf(entry->path()) + '\n';
    }
    return text;
}

} // namespace accumulus
