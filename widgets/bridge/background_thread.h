// SPDX-License-Identifier: GPL-3.0-or-later
// The GUI thread goes before threads that compute: training fills every core, and a window that shares a core with it
// as an equal answers late.
#pragma once

class QThread;

namespace accumulus::ui {

/// Starts `thread` at a lower priority, which the threads that it starts inherit (lanes, OpenMP). It yields only where
/// somebody else wants the core: on a machine that does nothing else it costs no speed.
void startInBackground(QThread& thread);

} // namespace accumulus::ui
