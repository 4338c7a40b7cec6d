// SPDX-License-Identifier: GPL-3.0-or-later
// Under which name and in which format a plot is saved. GUI thread.
#pragma once

#include "widgets/plots/plot_view.h"

#include <optional>

namespace accumulus::ui {

struct PlotFile {
    QString file;
    PlotFormat format;
};
/// Asks; nothing when the person thinks better of it. `zooms`: the numbers of the visible range can be had alone.
[[nodiscard]] std::optional<PlotFile> askForPlotFile(QWidget* parent, const QString& title, bool zooms);
/// The name as it is, or followed by the format's ending where its own is of no plot: never a picture under the name of
/// something else.
[[nodiscard]] QString withPlotEnding(const QString& file, const PlotFormat& format);

} // namespace accumulus::ui
