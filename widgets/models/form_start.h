// SPDX-License-Identifier: GPL-3.0-or-later
// What a form was filled from: what its changed fields are marked against, and what "Reset" returns to. GUI thread.
#pragma once

#include "core/config/experiment_config.h"

#include <QString>

namespace accumulus::ui {

/// What a new set-up starts from: LeNet-5 on MNIST, 32 x 8 = 256, five seeds, the large batch beside it.
[[nodiscard]] ExperimentConfig newExperiment();

struct FormStart {
    enum class From { NewExperiment, Run, File, Preset };
    ExperimentConfig experiment = newExperiment();
    From from = From::NewExperiment;
    QString name = {}; ///< of the run's study, the file or the preset; may be empty
    bool operator==(const FormStart&) const = default;
};

[[nodiscard]] QString startTitle(const FormStart& start); ///< "Run “tiny”"
[[nodiscard]] QString resetTitle(const FormStart& start); ///< for a button: "Reset to the run"

} // namespace accumulus::ui
