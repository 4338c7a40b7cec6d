// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/gradient_audits.h"

#include "core/base/hash.h"
#include "core/config/config_check.h"
#include "core/config/config_fields.h"
#include "core/engine/device_choice.h"
#include "core/run/checkpoint_files.h"
#include "core/run/environment.h"
#include "core/run/program.h"
#include "core/run/run_data.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"
#include "core/train/audit.h"
#include "core/train/audit_files.h"
#include "core/train/audit_plan.h"

#include <optional>

namespace accumulus {
namespace {

namespace fs = std::filesystem;

struct Audited {
    fs::path weights;             ///< empty: the initial ones, which the seed gives
    std::optional<RunRecord> run; ///< none: the set-up alone
};

Result<Audited> auditedBy(const AuditRequest& request, const fs::path& library) {
    if (request.run.empty())
        return Audited();
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Read));
    RunReader reader(std::move(opened));
    ACCUMULUS_TRY_ASSIGN(auto run, reader.run(request.run));
    const auto kind = checkpointKindFromName(request.checkpoint);
    auto file = newestWeights(reader, run, kind.value_or(CheckpointKind::Last));
    if (!file && request.checkpoint == "initial" && file.error().code == "export.no-checkpoint")
        file = fs::path();
    if (!file)
        return failure(file.error());
    return Audited{std::move(*file), std::move(run)};
}

} // namespace

Result<GradientAudit> auditGradients(const AuditRequest& request, const fs::path& library,
                                     const AuditProgress& progress, std::stop_token stop) {
    if (progress)
        progress(0.0, {"audit.doing.load", {}});
    AuditSetup setup;
    ACCUMULUS_TRY_ASSIGN(const auto audited, auditedBy(request, library));
    setup.weights = audited.weights;
    setup.engine.config = request.config;
    setup.engine.seed = request.seed;
    if (!chooseDevice(request.config.device.kind)) // a run may have been trained on a GPU that is not here
        setup.engine.config.device.kind = "cpu";
    ACCUMULUS_TRY_ASSIGN(setup.engine.data, loadDataset(request.config.data, resourceFolder("datasets").parent_path()));
    if (audited.run && audited.run->config.data == request.config.data)
        ACCUMULUS_TRY(requireRunData(*audited.run, *setup.engine.data));
    ACCUMULUS_TRY(requireValid({.run = setup.engine.config, .study = {}}, setup.engine.data->trainCount()));
    setup.cores = availableCores();
    ACCUMULUS_TRY_ASSIGN(const auto plan, planAudit(request.config, request.seed, setup.engine.data->trainCount()));
    // Threads per lane decide the bits; how many lanes there are does not.
    setup.engine.lanes = resolveLanes(setup.engine.config.device, Arm::Accumulated, plan.steps, setup.cores);
    setup.fault = request.fault;
    setup.tolerance = request.tolerance;
    setup.reference = request.reference;
    setup.updates = request.updates;
    setup.progress = progress;
    setup.stop = std::move(stop);
    ACCUMULUS_TRY_ASSIGN(auto audit, auditTraining(setup));
    audit.run = request.run;
    audit.checkpoint = request.run.empty() ? "initial" : request.checkpoint;
    return audit;
}

Result<GradientAudit> auditFiles(const AuditFiles& files) {
    return auditGradientFiles(files.accumulated, files.reference, files.microGradients, files.tolerance);
}

Status storeAudit(const fs::path& library, const AuditRequest& request, const GradientAudit& audit) {
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Write));
    RunStore store(std::move(opened));
    AuditRecord record;
    record.id = newUuid();
    record.createdAt = audit.createdAt;
    record.configuration = configHash(request.config, 0);
    record.run = request.run;
    record.fault = audit.fault.value_or("");
    record.verdict = auditVerdictName(audit.verdict);
    record.pattern = audit.pattern.value_or("");
    record.worstError = audit.worstError;
    record.tolerance = audit.tolerance;
    record.result = auditJson(audit);
    return store.addAudit(record);
}

} // namespace accumulus
