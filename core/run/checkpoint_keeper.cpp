// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/checkpoint_keeper.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
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
    for (CheckpointRecord& older : std::exchange(m_older, {})) {
        if (older.kind == CheckpointKind::Best)
            m_best = std::move(older);
        else if (older.kind != CheckpointKind::Initial) // the last one of an earlier attempt is a periodic one by now
            m_periodic.push_back(std::move(older));
    }
    std::vector<CheckpointRecord> superfluous;
    if (checkpoint.kind == CheckpointKind::Best) {
        if (m_best && m_best->weightsPath != checkpoint.weightsPath)
            superfluous.push_back(std::move(*m_best));
        m_best = checkpoint;
    } else if (checkpoint.kind == CheckpointKind::Periodic) {
        // One that is written again under its name is one file.
        std::erase_if(m_periodic,
                      [&](const CheckpointRecord& known) { return known.weightsPath == checkpoint.weightsPath; });
        m_periodic.push_back(checkpoint);
        for (; m_periodic.size() > m_keep; m_periodic.pop_front())
            superfluous.push_back(std::move(m_periodic.front()));
    }
    return superfluous;
}

void removeCheckpointFiles(const CheckpointRecord& checkpoint, const std::filesystem::path& folder) {
    for (const std::filesystem::path file : {checkpoint.weightsPath, checkpoint.bundlePath})
        if (file.parent_path() == folder && isCheckpointName(file.filename().string())) {
            std::error_code ignored;
            std::filesystem::remove(file, ignored);
        }
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
