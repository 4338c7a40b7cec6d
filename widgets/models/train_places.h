// SPDX-License-Identifier: GPL-3.0-or-later
// The places to train at that the person has named, kept in the program's own settings. GUI thread.
#pragma once

#include "core/store/run_records.h"

#include <QMetaType>
#include <QString>
#include <vector>

namespace accumulus::ui {

[[nodiscard]] std::vector<LaunchPlace> trainPlaces();
void setTrainPlaces(const std::vector<LaunchPlace>& places);

/// The one that was chosen last: its place in the list; -1: this computer.
[[nodiscard]] int currentTrainPlace();
void setCurrentTrainPlace(int index);

/// "gpu-box", "login.cluster, Slurm", "this computer, Slurm".
[[nodiscard]] QString placeName(const LaunchPlace& place);

} // namespace accumulus::ui

Q_DECLARE_METATYPE(accumulus::LaunchPlace)
