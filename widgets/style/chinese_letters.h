// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace accumulus::ui {

/// Does an installed font have the letters of the Chinese texts? Where none has, they would be empty boxes. Fonts that
/// are installed later are seen by the next start. GUI thread.
[[nodiscard]] bool drawsChinese();

} // namespace accumulus::ui
