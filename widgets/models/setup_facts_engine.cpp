// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the form asks the engine; tests bring answers of their own.
#include "widgets/models/setup_facts.h"

namespace accumulus::ui {

SetupQueries engineQueries() { return {inspectData, parameterCount, inspectDevice}; }

} // namespace accumulus::ui
