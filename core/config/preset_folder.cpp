// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/preset_folder.h"

#include "core/base/atomic_file.h"
#include "core/base/readable_text.h"
#include "core/config/experiment_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>

namespace accumulus {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".toml";
constexpr std::string_view refused = "/\\%:*?\"<>|"; ///< by file systems, or by shells
constexpr std::size_t longest = 200; ///< bytes of a file name, which may have 255 with a temporary one's
constexpr std::size_t largest = std::size_t{1} << 24;

std::string encoded(std::string_view name) {
    std::string text;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const char byte = name[at];
        const auto code = static_cast<unsigned char>(byte);
        const bool hides = at == 0 && byte == '.';
        if (code < 0x20 || code == 0x7f || hides || refused.find(byte) != std::string_view::npos)
            text += fmt::format("%{:02X}", code);
        else
            text += byte;
    }
    return text;
}

int digitOf(char letter) {
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    if (letter >= 'A' && letter <= 'F')
        return letter - 'A' + 10;
    return -1;
}

/// What is no %XX stays as it is: a file that was named by hand.
std::string decoded(std::string_view text) {
    std::string name;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const int high = at + 2 < text.size() && text[at] == '%' ? digitOf(text[at + 1]) : -1;
        const int low = high >= 0 ? digitOf(text[at + 2]) : -1;
        if (low < 0) {
            name += text[at];
            continue;
        }
        name += static_cast<char>(16 * high + low);
        at += 2;
    }
    return readableText(name);
}

double timeOf(const fs::path& file) {
    struct stat known {};
    return stat(file.c_str(), &known) == 0 ? static_cast<double>(known.st_mtim.tv_sec) : 0.0;
}

std::string nameOf(const fs::path& file) { return decoded(file.stem().native()); }

tl::unexpected<Error> notWritten(const fs::path& folder, const std::string& reason) {
    return failure("preset.write", {{"folder", folder.string()}, {"reason", reason}});
}

Status write(const fs::path& file, const std::string& content) {
    if (const Status written = writeFileAtomically(file, content); !written)
        return notWritten(file.parent_path(), written.error().argument("reason"));
    return {};
}

Status refuseTaken(const fs::path& file) {
    std::error_code none;
    if (fs::exists(fs::symlink_status(file, none)))
        return failure("preset.exists", {{"name", nameOf(file)}});
    return {};
}

} // namespace

Result<fs::path> presetFile(const fs::path& folder, const std::string& name) {
    const auto refuse = [](const char* reason) { return failure("preset.name", {{"reason", reason}}); };
    if (name.find_first_not_of(" \t") == std::string::npos)
        return refuse("reason.name-empty");
    if (readableText(name) != name)
        return refuse("reason.name-text");
    const std::string file = encoded(name);
    if (file.size() > longest)
        return refuse("reason.name-long");
    return folder / (file + std::string(ending));
}

Result<std::vector<Preset>> listPresets(const fs::path& folder) {
    std::vector<Preset> presets;
    std::error_code problem;
    if (!fs::exists(folder, problem))
        return presets;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem)) {
        const fs::path file = entry->path();
        std::error_code none;
        const bool hidden = file.filename().native().starts_with('.'); // one that is being written
        if (hidden || file.extension() != ending || !fs::is_regular_file(file, none))
            continue;
        Preset& preset = presets.emplace_back();
        preset.name = nameOf(file);
        preset.file = file;
        preset.savedAt = timeOf(file);
        preset.experiment = readExperiment(file);
    }
    if (problem)
        return failure("preset.folder", {{"folder", folder.string()}, {"reason", problem.message()}});
    std::ranges::sort(presets, {}, &Preset::name);
    return presets;
}

Status savePreset(const fs::path& folder, const std::string& name, const ExperimentConfig& experiment, bool overwrite) {
    ACCUMULUS_TRY_ASSIGN(const fs::path file, presetFile(folder, name));
    if (!overwrite)
        ACCUMULUS_TRY(refuseTaken(file));
    ExperimentConfig placed = experiment;
    std::error_code none;
    ACCUMULUS_TRY(startPathsAt(placed, fs::current_path(none)));
    return write(file, experimentToml(placed));
}

Status renamePreset(const fs::path& file, const std::string& name) {
    ACCUMULUS_TRY_ASSIGN(const fs::path renamed, presetFile(file.parent_path(), name));
    if (renamed == file)
        return {};
    ACCUMULUS_TRY(refuseTaken(renamed));
    std::error_code problem;
    fs::rename(file, renamed, problem);
    if (problem)
        return notWritten(file.parent_path(), problem.message());
    return {};
}

Result<std::string> removePreset(const fs::path& file) {
    const auto content = readFile(file, largest);
    if (!content)
        return notWritten(file.parent_path(), content.error().argument("reason"));
    std::error_code problem;
    fs::remove(file, problem);
    if (problem)
        return notWritten(file.parent_path(), problem.message());
    return *content;
}

Status restorePreset(const fs::path& file, const std::string& content) {
    ACCUMULUS_TRY(refuseTaken(file));
    return write(file, content);
}

} // namespace accumulus
