// SPDX-License-Identifier: GPL-3.0-or-later
// Marks that tell groups apart where colour does not.
#pragma once

namespace accumulus::ui {

enum class GroupMark { Disc, HollowSquare, Triangle, HollowInverted, Diamond, HollowDiamond, Plus, Cross };

} // namespace accumulus::ui
