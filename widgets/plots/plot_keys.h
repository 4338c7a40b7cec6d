// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a plot that has the focus, in words, for the list of all keys.
#pragma once

#include <QString>
#include <utility>
#include <vector>

namespace accumulus::ui {

/// Keys and what they do.
[[nodiscard]] std::vector<std::pair<QString, QString>> plotKeys();

} // namespace accumulus::ui
