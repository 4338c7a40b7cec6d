// SPDX-License-Identifier: GPL-3.0-or-later
// Tags as a person types them: separated by commas, as English and Chinese write them. Pure; any thread.
#pragma once

#include <QStringList>

namespace accumulus::ui {

/// Without spaces around them, each once.
[[nodiscard]] QStringList tagsFrom(const QString& line);

} // namespace accumulus::ui
