// SPDX-License-Identifier: GPL-3.0-or-later
// Is a TorchScript archive what it says of itself? LibTorch takes the sizes that stand in it for true. Free of torch.
#pragma once

#include "core/base/message.h"

#include <filesystem>
#include <tl/expected.hpp>

namespace accumulus {

/// Before LibTorch reads it: the entries of the archive lie inside of it, are undamaged and differ in name by more than
/// case; what is compressed (the code) stays small; every tensor's record is as large as its tensor. Otherwise a reason
/// of the catalogue.
[[nodiscard]] tl::expected<void, Message> checkStoredModule(const std::filesystem::path& file);

} // namespace accumulus
