// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/audit_work.h"

#include "app/cli/comparing.h"
#include "app/cli/library_option.h"
#include "app/cli/words.h"
#include "core/base/whole_number.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace accumulus::cli {
namespace {

/// An experiment file, or a run of the library.
Result<AuditRequest> requestOf(const AuditOptions& options, Console& console) {
    AuditRequest request;
    request.tolerance = options.tolerance;
    request.reference = !options.noReference;
    request.updates = options.updates;
    if (!options.fault.empty())
        request.fault = options.fault;
    ExperimentConfig experiment;
    std::error_code ignored;
    if (std::filesystem::exists(options.target, ignored) || options.target.ends_with(".toml")) {
        ACCUMULUS_TRY_ASSIGN(experiment, readExperiment(options.target));
        if (!options.checkpoint.empty() && options.checkpoint != "initial")
            return failure("cli.audit-checkpoint");
    } else {
        ACCUMULUS_TRY_ASSIGN(auto reader, openReader(libraryPath(options.library)));
        ACCUMULUS_TRY_ASSIGN(const auto run, reader.run(options.target));
        experiment.run = run.config;
        request.run = run.id;
        request.seed = run.seed;
        request.checkpoint = options.checkpoint.empty() ? "last" : options.checkpoint;
    }
    for (const std::string& assignment : options.assignments)
        ACCUMULUS_TRY(applyAssignment(experiment, assignment));
    if (request.run.empty())
        console.notes(idleSettings(experiment));
    request.config = experiment.run;
    if (request.run.empty() && !experiment.study.seeds.empty())
        request.seed = experiment.study.seeds.front();
    request.seed = options.seed.value_or(request.seed);
    return request;
}

std::vector<std::string> rowOf(const AuditedTensor& tensor) {
    const auto error = [](std::optional<double> value) {
        return value ? fmt::format("{:.1e}", *value) : std::string("-");
    };
    std::vector<std::string> shape;
    for (const std::int64_t size : tensor.shape)
        shape.push_back(std::to_string(size));
    return {tensor.name,
            fmt::format("{}", fmt::join(shape, "x")),
            fmt::format("{:.3e}", tensor.referenceNorm),
            error(tensor.error),
            error(tensor.largestError),
            std::isnan(tensor.cosine) ? "-" : fmt::format("{:.6f}", tensor.cosine),
            error(tensor.errorFp64),
            error(tensor.referenceErrorFp64),
            error(tensor.noiseFloor),
            error(tensor.tolerance),
            tensor.passed ? "" : "FAILED"};
}

void printWeights(const GradientAudit& audit, Console& console) {
    if (audit.judgedWindow >= audit.windows.size())
        return;
    const AuditedWindow& window = audit.windows[audit.judgedWindow];
    std::vector<std::vector<std::string>> rows{{"micro-batch", "units", "weight", "right"}};
    for (std::size_t k = 0; k < window.weights.size(); ++k)
        rows.push_back({std::to_string(k + 1),
                        wholeNumber(window.units[k]) ? grouped(*wholeNumber(window.units[k]))
                                                     : fmt::format("{:.6g}", window.units[k]),
                        fmt::format("{:.6f}", window.weights[k]), fmt::format("{:.6f}", window.rightWeights[k])});
    console.line("");
    console.line(fmt::format("Weights of the micro-batches in window {}:", audit.judgedWindow + 1));
    for (const std::string& line : tableLines(rows, {true, true, true, true}))
        console.line(line);
}

void print(const GradientAudit& audit, Console& console) {
    console.line(messageText(audit.subject));
    console.line(messageText(audit.headline));
    for (const Message& note : audit.notes)
        console.line(messageText(note));
    console.line("");
    std::vector<std::vector<std::string>> rows{{"tensor", "shape", "norm", "error", "largest", "cosine", "to fp64",
                                                "large to fp64", "noise floor", "tolerance", ""}};
    for (const AuditedTensor& tensor : audit.tensors)
        rows.push_back(rowOf(tensor));
    for (const std::string& line :
         tableLines(rows, {false, false, true, true, true, true, true, true, true, true, false}))
        console.line(line);
    printWeights(audit, console);
    if (!audit.updates.empty()) {
        const AuditedUpdate& last = audit.updates.back();
        console.line("");
        console.line(fmt::format("After {} the weights differ by {:.1e}; with permuted batches by {:.1e}.",
                                 counted(last.update, "update"), last.distance, last.control));
    }
}

Result<GradientAudit> perform(const AuditOptions& options, Console& console) {
    if (!options.files.accumulated.empty()) {
        AuditFiles files = options.files;
        files.tolerance = options.tolerance;
        return auditFiles(files);
    }
    ACCUMULUS_TRY_ASSIGN(const auto request, requestOf(options, console));
    const std::filesystem::path library = libraryPath(options.library);
    ACCUMULUS_TRY_ASSIGN(auto audit, auditGradients(request, library, [&](double, const Message& what) {
                             if (!options.json)
                                 console.live(messageText(what));
                         }));
    // A lesson is no finding on the runs, nor is what was measured by another tolerance, or a run with other settings
    // or another seed.
    std::error_code ignored;
    const bool isOther = !options.assignments.empty() || options.seed;
    const bool isFinding = !audit.fault && !options.tolerance && (request.run.empty() || !isOther);
    if (isFinding && std::filesystem::exists(library, ignored))
        if (const Status stored = storeAudit(library, request, audit); !stored)
            console.note(describe(stored.error()));
    return audit;
}

} // namespace

int auditTarget(const AuditOptions& options, Console& console) {
    const auto audit = perform(options, console);
    if (!audit)
        return console.fail(audit.error());
    if (options.json)
        console.line(auditJson(*audit));
    else
        print(*audit, console);
    return auditExitCode(audit->verdict);
}

} // namespace accumulus::cli
