// SPDX-License-Identifier: GPL-3.0-or-later
// Colours that a person may give a run. A library holds Okabe and Ito's, which colour-blind people tell apart; lines
// need a contrast of 3 against what is behind them, so some are drawn darker on white and brighter on black.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace accumulus {

struct RunColour {
    std::string_view stored; ///< "#rrggbb", as are the others
    std::string_view onLight, onDark;
};

/// Blue, vermilion, green, pink, orange, sky blue, yellow.
inline constexpr std::array<RunColour, 7> runColours{{{"#0072b2", "#0072B2", "#4FB0EC"},
                                                      {"#d55e00", "#D55E00", "#FF8B42"},
                                                      {"#009e73", "#009E73", "#35CBA0"},
                                                      {"#cc79a7", "#B85C94", "#E3A0C6"},
                                                      {"#e69f00", "#B87A00", "#F5B83D"},
                                                      {"#56b4e9", "#2E8FC4", "#84CBF5"},
                                                      {"#f0e442", "#8C8200", "#F0E442"}}};

/// How the colour that a library holds of a run is drawn; one that is not among them as it is. Empty: the run has none.
[[nodiscard]] inline std::string drawnColour(const std::string& stored, bool dark = false) {
    for (const RunColour& colour : runColours)
        if (colour.stored == stored)
            return std::string(dark ? colour.onDark : colour.onLight);
    return stored;
}

} // namespace accumulus
