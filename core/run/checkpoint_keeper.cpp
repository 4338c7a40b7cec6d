// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/checkpoint_keeper.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace accumulus {
namespace {

constexpr std::array<std::string_view, 2> suffixes{".safetensors", ".resume"};

bool isCheckpointName(std::string_view name) {
    return std::ranges::any_of(suffixes, [&](std::string_view suffix) { return name.ends_with(suffix); });
}

} // namespace

CheckpointKeeper::CheckpointKeeper(std::int64_t keep, std::vector<CheckpointRecord> older)
    : m_keep(static_cast<std::size_t>(std::max<std::int64_t>(1, keep))), m_older(std::move(older)) {}

std::vector<CheckpointRecord> CheckpointKeeper::saved(const CheckpointRecord& checkpoint) {
    std::vector<CheckpointRecord> superfluous;
    for (CheckpointRecord& older : std::exchange(m_older, {})) {
        if (older.kind == CheckpointKind::Best) {
            if (m_best)
                superfluous.push_back(std::move(*m_best));
            m_best = std::move(older);
        } else if (older.kind != CheckpointKind::Initial) { // the last one of an earlier attempt is a periodic one
            m_periodic.push_back(std::move(older));
        }
    }
    if (checkpoint.kind == CheckpointKind::Initial)
        return superfluous;
    if (checkpoint.kind == CheckpointKind::Best) {
        std::ranges::move(savedBest(checkpoint), std::back_inserter(superfluous));
        return superfluous;
    }
    if (m_formerBest)
        superfluous.push_back(std::move(*std::exchange(m_formerBest, std::nullopt)));
    m_covered = true;
    // One that is written again under its name is one file.
    std::erase_if(m_periodic,
                  [&](const CheckpointRecord& known) { return known.weightsPath == checkpoint.weightsPath; });
    if (checkpoint.kind == CheckpointKind::Periodic)
        m_periodic.push_back(checkpoint);
    for (; m_periodic.size() > m_keep; m_periodic.pop_front())
        superfluous.push_back(std::move(m_periodic.front()));
    return superfluous;
}

std::vector<CheckpointRecord> CheckpointKeeper::savedBest(const CheckpointRecord& checkpoint) {
    std::vector<CheckpointRecord> superfluous;
    if (m_best && m_best->weightsPath != checkpoint.weightsPath) {
        if (m_covered)
            m_formerBest = std::move(m_best);
        else
            superfluous.push_back(std::move(*m_best));
    }
    m_best = checkpoint;
    m_covered = false;
    return superfluous;
}

void removeCheckpointFiles(const CheckpointRecord& checkpoint, const std::filesystem::path& folder) {
    for (const std::filesystem::path file : {checkpoint.weightsPath, checkpoint.bundlePath})
        if (file.parent_path() == folder && isCheckpointName(file.filename().string())) {
            std::error_code ignored;
            std::filesystem::remove(file, ignored);
        }
}

void removeUnnamedCheckpoints(const std::filesystem::path& folder, const std::vector<CheckpointRecord>& named) {
    const auto isNamed = [&](const std::string& file) {
        return std::ranges::any_of(named, [&](const CheckpointRecord& one) {
            return std::filesystem::path(one.weightsPath).filename() == file ||
                   std::filesystem::path(one.bundlePath).filename() == file;
        });
    };
    static const std::regex written(R"((update|last|best|initial)-\d+\.(safetensors|resume))");
    std::error_code problem;
    std::vector<std::filesystem::path> unnamed;
    for (const auto& entry : std::filesystem::directory_iterator(folder, problem))
        if (const std::string file = entry.path().filename().string();
            std::regex_match(file, written) && !isNamed(file))
            unnamed.push_back(entry.path());
    for (const std::filesystem::path& file : unnamed)
        std::filesystem::remove(file, problem);
}

Status requireWritable(const std::filesystem::path& folder) {
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    if (!code) {
        std::string probe = (folder / "probe.XXXXXX").string();
        const int file = ::mkstemp(probe.data());
        if (file < 0)
            code = std::error_code(errno, std::generic_category());
        else {
            ::close(file);
            ::unlink(probe.c_str());
        }
    }
    return code ? failure("library.folder", {{"folder", folder.string()}, {"reason", code.message()}}) : Status();
}

} // namespace accumulus
