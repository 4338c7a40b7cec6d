// SPDX-License-Identifier: GPL-3.0-or-later
// The only place that includes QCustomPlot: its header needs the Qt keywords that the project switches off.
#pragma once

#pragma push_macro("signals")
#pragma push_macro("slots")
#pragma push_macro("foreach")
#undef signals
#undef slots
#undef foreach
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#pragma pop_macro("foreach")
#pragma pop_macro("slots")
#pragma pop_macro("signals")
