// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/form_start.h"

#include <QCoreApplication>

namespace accumulus::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(FormStart)
};

} // namespace

ExperimentConfig newExperiment() {
    ExperimentConfig experiment;
    experiment.run.batch.micro = 32;
    experiment.run.batch.effective = 256;
    experiment.study.seeds = {0, 1, 2, 3, 4};
    experiment.study.largeBatch = true;
    return experiment;
}

QString startTitle(const FormStart& start) {
    const auto named = [&start](const QString& bare, const QString& withName) {
        return start.name.isEmpty() ? bare : withName.arg(start.name);
    };
    switch (start.from) {
    case FormStart::From::Run:
        return named(Words::tr("Run"), Words::tr("Run “%1”"));
    case FormStart::From::File:
        return named(Words::tr("File"), Words::tr("File “%1”"));
    case FormStart::From::Preset:
        return named(Words::tr("Preset"), Words::tr("Preset “%1”"));
    case FormStart::From::NewExperiment:
        break;
    }
    return Words::tr("New experiment");
}

QString resetTitle(const FormStart& start) {
    switch (start.from) {
    case FormStart::From::Run:
        return Words::tr("Reset to the run");
    case FormStart::From::File:
        return Words::tr("Reset to the file");
    case FormStart::From::Preset:
        return Words::tr("Reset to the preset");
    case FormStart::From::NewExperiment:
        break;
    }
    return Words::tr("Reset");
}

} // namespace accumulus::ui
