// SPDX-License-Identifier: GPL-3.0-or-later
// The rooms of kindOfFile: what is no text, and folders. Internal to file_kind.
#pragma once

#include "core/run/file_kind.h"

#include <string_view>
#include <vector>

namespace accumulus {

/// One that can be used.
[[nodiscard]] FileKind usedFile(FileRole role, const char* what, std::filesystem::path path, std::string dataset = {});
/// One that cannot: "{file} is {@what}." and the cure, both codes of the message catalogue.
[[nodiscard]] FileKind refusedFile(const std::filesystem::path& file, const char* what, const char* cure,
                                   std::vector<std::pair<std::string, std::string>> arguments = {});

/// By the first bytes of the file (`head`) and its size; nothing where they are those of no known format.
[[nodiscard]] std::optional<FileKind> binaryKind(const std::filesystem::path& file, std::string_view head,
                                                 std::uintmax_t size);
/// Files without any mark: CIFAR's batches and tokens.
[[nodiscard]] std::optional<FileKind> unmarkedKind(const std::filesystem::path& file, std::string_view head,
                                                   std::uintmax_t size);
[[nodiscard]] FileKind folderKind(const std::filesystem::path& folder);
/// Files of MNIST's format in a folder: Fashion-MNIST where that, or for train, test and raw the one above, says so.
[[nodiscard]] FileKind idxKind(const std::filesystem::path& folder);

/// `name` in small letters ends so.
[[nodiscard]] bool hasSuffix(const std::filesystem::path& file, std::string_view suffix);
/// `bytes` of the file from `offset` on, fewer where it ends.
[[nodiscard]] std::string readPart(const std::filesystem::path& file, std::uintmax_t offset, std::size_t bytes);

} // namespace accumulus
