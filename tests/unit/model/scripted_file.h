// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of scripted networks share: a folder for their files, and how they are loaded.
#pragma once

#include "core/model/model.h"
#include "tests/support/scripted_nets.h"

namespace accumulus::test::scripted {

inline const InputShape smallImages{1, 4, 4, 3};

inline Result<std::shared_ptr<const Model>> load(const std::string& path, const InputShape& input = smallImages) {
    ModelConfig config;
    config.name = "file";
    config.path = path;
    return makeModel(config, input);
}

inline at::Tensor input(std::uint64_t seed = 5) {
    return at::randn({4, 1, 4, 4}, at::detail::createCPUGenerator(seed), at::kDouble);
}

/// A folder for the files of networks.
class ScriptedFile {
protected:
    std::filesystem::path file(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
};

} // namespace accumulus::test::scripted
