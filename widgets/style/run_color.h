// SPDX-License-Identifier: GPL-3.0-or-later
// The colour in which a run is drawn, the same on every page. Pure; any thread.
#pragma once

#include "core/base/run_colours.h"
#include "widgets/style/theme.h"

#include <string>

namespace accumulus::ui {

/// `own`: the one that a person gave the run, as its record has it; without one `otherwise`.
[[nodiscard]] inline QColor runColor(const ThemeColors& colors, const std::string& own, const QColor& otherwise) {
    const QColor color(QString::fromStdString(drawnColour(own, colors.dark)));
    return color.isValid() ? color : otherwise;
}

} // namespace accumulus::ui
