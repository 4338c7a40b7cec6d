// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a window's time: their order, names and looks, the same wherever they are drawn. GUI thread.
#pragma once

#include "widgets/style/theme.h"

#include <QPainter>
#include <QString>
#include <cstddef>

namespace accumulus::ui {

/// In the order in which they are listed and drawn.
enum TimePart : std::size_t {
    kDataPart,
    kForwardPart,
    kBackwardPart,
    kCommitPart,
    kWaitingPart,
    kReducingPart,
    kUpdatePart,
    kTimeParts ///< how many there are
};

[[nodiscard]] QString timePartTitle(std::size_t part);
/// Told apart by their order and a gap between them too, not by colour alone. None is an arm's colour. Waiting is no
/// work: it is hatched.
void paintTimePart(QPainter& painter, const QRectF& area, double radius, const ThemeColors& colors, std::size_t part);

} // namespace accumulus::ui
