// SPDX-License-Identifier: GPL-3.0-or-later
// What a file or folder is, told by its content, and which setting takes it. A suffix decides only where the content
// leaves a choice: tokens have no mark of their own, and a short text may be a table. Reads as a rule some hundred
// kilobytes and 16 MiB (a header of safetensors) at most, whatever the file claims of itself; nothing in it is run. Any
// thread; a slow disk is waited for.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace accumulus {

/// Where in an experiment it belongs.
enum class FileRole { None, Model, Weights, Data, Experiment, Library };

struct FileKind {
    FileRole role = FileRole::None; ///< None: nothing that can be used, `refusal` says why
    Message what;                   ///< "a TorchScript module"
    std::filesystem::path path;     ///< what the setting names: the file itself, or the folder that it is a part of
    std::string dataset;            ///< of FileRole::Data: data.dataset
    std::optional<Error> refusal;   ///< "file.kind" (what it is instead, and the cure), "file.open"

    bool operator==(const FileKind&) const = default;
};

[[nodiscard]] FileKind kindOfFile(const std::filesystem::path& file);

} // namespace accumulus
