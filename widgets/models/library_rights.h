// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the open library may be changed here, in words. GUI thread.
#pragma once

#include <QString>

namespace accumulus::ui {

class LibraryGateway;

/// Why nothing can be trained, changed or deleted in the open library, as a sentence; empty: it can.
[[nodiscard]] QString whyNoWriting(const LibraryGateway& library);

} // namespace accumulus::ui
