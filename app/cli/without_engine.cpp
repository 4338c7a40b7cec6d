// SPDX-License-Identifier: GPL-3.0-or-later
// What app/cli/engine does, for the program that starts without LibTorch: nothing but to say so.
#include "app/cli/engine/audit_work.h"
#include "app/cli/engine/noise_work.h"
#include "app/cli/engine/plan_work.h"
#include "app/cli/engine/report_work.h"
#include "app/cli/engine/training.h"
#include "app/cli/engine/verify_work.h"
#include "app/cli/engine_program.h"

namespace accumulus::cli {

int auditTarget(const AuditOptions&, Console&) { return needsEngine; }
int noiseByLayer(RunReader&, const RunRecord&, const NoiseView&, const NoiseOptions&, Console&) { return needsEngine; }
int planFor(const PlanOptions&, Console&) { return needsEngine; }
int reportOfRun(RunReader&, const RunRecord&, const ReportOptions&, Console&) { return needsEngine; }
int verifyTarget(const VerifyOptions&, Console&) { return needsEngine; }
int trainFile(const std::filesystem::path&, const std::vector<std::string>&, const TrainingOptions&, Console&) {
    return needsEngine;
}
int trainResumed(const std::string&, const TrainingOptions&, Console&) { return needsEngine; }
int followTraining(const std::string&, const TrainingOptions&, Console&) { return needsEngine; }

} // namespace accumulus::cli
