// SPDX-License-Identifier: GPL-3.0-or-later
// A regular file, read where one wants to. Any thread, one at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace accumulus {

class InputFile {
public:
    explicit InputFile(const std::filesystem::path& file);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    [[nodiscard]] int problem() const { return m_problem; } ///< errno; 0: none
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    /// False with problem() set where the file does not give so many bytes.
    [[nodiscard]] bool read(std::uint64_t offset, std::span<char> target);

private:
    int m_file;
    int m_problem = 0;
    std::uint64_t m_size = 0;
};

} // namespace accumulus
