// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace accumulus {

/// "2.11.0"
[[nodiscard]] std::string libtorchVersion();

} // namespace accumulus
