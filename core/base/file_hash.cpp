// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_hash.h"

#include "core/base/hash.h"
#include "core/base/input_file.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace accumulus {

Result<std::string> fileHash(const std::filesystem::path& file) {
    InputFile input(file);
    constexpr std::uint64_t most = 1U << 20;
    std::vector<char> piece(static_cast<std::size_t>(std::min(most, input.size())));
    Hasher hasher;
    for (std::uint64_t at = 0; input.problem() == 0 && at < input.size(); at += piece.size()) {
        piece.resize(static_cast<std::size_t>(std::min(most, input.size() - at)));
        if (input.read(at, piece))
            hasher.add(std::as_bytes(std::span(piece)));
    }
    if (input.problem() != 0)
        return failure("file.open", {{"file", file.string()}, {"reason", std::strerror(input.problem())}});
    return hasher.hex();
}

} // namespace accumulus
