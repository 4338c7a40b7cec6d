// SPDX-License-Identifier: GPL-3.0-or-later
// Amounts of memory as people write them.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace accumulus {

/// "2 GiB", "512MiB", "1.5 GB", "65536" (bytes); empty: 0, no amount. kB, MB, GB are powers of 1000, KiB, MiB, GiB of
/// 1024. Error "config.value" with key device.memory_limit.
[[nodiscard]] Result<std::int64_t> parseBytes(std::string_view text);
/// "640 B", "5.1 MB", "9.6 GB", "112 GB": powers of 1000, a decimal point in every language.
[[nodiscard]] std::string bytesText(std::int64_t bytes);

} // namespace accumulus
