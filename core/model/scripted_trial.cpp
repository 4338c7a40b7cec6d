// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scripted_trial.h"

#include "core/model/one_thread.h"
#include "core/model/scripted_norms.h"
#include "core/model/scripted_trial_run.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string_view>

namespace accumulus {
namespace {

std::int64_t elementsOf(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t side : shape)
        count *= side;
    return count;
}

/// A network may return NaN for samples that are made up.
bool sameValues(const at::Tensor& a, const at::Tensor& b) {
    return a.sizes() == b.sizes() && at::allclose(a, b, 0.0, 0.0, /*equal_nan=*/true);
}

bool agree(const at::Tensor& a, const at::Tensor& b, at::ScalarType type) {
    if (a.sizes() != b.sizes())
        return false;
    const double tolerance = type == at::kDouble ? 1e-9 : 1e-4; // rounding differs with the size of a batch
    const at::Tensor same = a.eq(b).logical_or(a.isnan().logical_and(b.isnan())); // an output may be infinite by itself
    const double scale = std::max(1.0, a.abs().masked_fill(a.isfinite().logical_not(), 0.0).max().item<double>());
    return (a - b).abs().masked_fill(same, 0.0).max().item<double>() <= tolerance * scale;
}

Error shapeError(const ScriptedModule& module, const InputShape& input, at::IntArrayRef given) {
    const std::string wanted = input.loss == LossKind::Model          ? "reason.output-losses"
                               : input.loss == LossKind::CrossEntropy ? "reason.output-classes"
                                                                      : "reason.output-numbers";
    return {"model.file-output",
            {{"file", module.file},
             {"shape", c10::str(at::IntArrayRef(given))},
             {"rows", std::to_string(trialRows)},
             {"wanted", wanted},
             {"classes", std::to_string(input.classes)},
             {"block", std::to_string(input.block)}}};
}

Status takeOutput(const ScriptedModule& module, const InputShape& input, const TrialRun::Returned& returned,
                  ScriptedTraits& traits) {
    const at::IntArrayRef shape = returned.tensor.sizes();
    const auto refuse = [&]() -> Status { return failure(shapeError(module, input, shape)); };
    if (input.loss == LossKind::Model) {
        if (!returned.withCount && (shape.empty() || shape[0] % trialRows != 0))
            return refuse();
        return {};
    }
    if (returned.withCount || shape.empty() ||
        (shape[0] != trialRows && (input.block == 0 || shape[0] != trialRows * input.block)))
        return refuse();
    traits.output.assign(shape.begin() + 1, shape.end());
    if (input.loss != LossKind::CrossEntropy)
        return returned.tensor.numel() == trialRows * input.classes ? Status() : refuse();
    if (shape.size() < 2 || !input.wholeTargets)
        return refuse();
    if (input.block > 0 && shape.size() == 3) {
        if (shape[2] >= input.classes && shape[1] == input.block)
            traits.classes = ClassPlace::Last;
        else if (shape[1] < input.classes || shape[2] != input.block)
            return refuse();
        return {};
    }
    // A score for each class of each target.
    const std::int64_t targets = input.block > 0 ? trialRows * input.block : trialRows * elementsOf(input.target);
    return shape[1] >= input.classes && returned.tensor.numel() == shape[1] * targets ? Status() : refuse();
}

/// Does changing one sample change the others' outputs? The stream is the same, and so is every mask.
bool couples(TrialRun& trial, bool training, bool frozenStatistics) {
    const at::Tensor samples = trial.samples(trialRows);
    at::Tensor other = samples.clone();
    other.select(0, trialRows - 1).copy_(trial.samples(1, 99).select(0, 0));
    const auto rest = [&](const at::Tensor& input) {
        const at::Tensor output = trial.output(input, training, 1, frozenStatistics);
        return output.dim() == 0 ? output : output.narrow(0, 0, output.size(0) / trialRows * (trialRows - 1));
    };
    return !agree(rest(samples), rest(other), trial.type());
}

tl::unexpected<Error> cannotCompute(const ScriptedModule& module, const InputShape& input,
                                    const std::exception& problem) {
    std::string reason = scriptedReason(problem);
    std::vector<std::int64_t> shape = sampleShape(input);
    shape.insert(shape.begin(), trialRows);
    return failure("model.file-forward", {{"file", module.file},
                                          {"shape", c10::str(at::IntArrayRef(shape))},
                                          {"type", isWhole(input) ? "int64" : "float"},
                                          {"reason", std::move(reason)}});
}

/// Evaluation, and training with frozen statistics, must move no statistic; evaluation must not draw. A module that
/// was traced in training mode does both for ever.
Status checkEvaluation(const ScriptedModule& module, const InputShape& input, at::ScalarType type) {
    TrialRun trial(module, input, type);
    const at::Tensor samples = trial.samples(trialRows);
    const bool draws = !sameValues(trial.output(samples, false, 1), trial.output(samples, false, 2));
    bool moves = false;
    for (const bool training : {false, true}) {
        (void)trial.output(samples, training, 1, /*frozenStatistics=*/true);
        for (std::size_t i = 0; i < module.norms.size(); ++i)
            moves = moves || !trial.instance().mean(i).equal(module.norms[i].mean.to(type)) ||
                    !trial.instance().variance(i).equal(module.norms[i].variance.to(type));
    }
    if (draws || moves)
        return failure(
            "model.file-traced",
            {{"file", module.file}, {"reason", draws ? "reason.evaluation-draws" : "reason.evaluation-moves"}});
    return {};
}

/// What fails only on the way back, or leads to no parameter. In fp32 as most runs are, where own kernels compute; in
/// fp64 when the module knows that alone. Fills `unreached` and `inFloat`.
Status checkGradients(const ScriptedModule& module, const InputShape& input, ScriptedTraits& traits) {
    std::optional<std::string> reason;
    for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
        std::string found = "reason.no-gradient";
        try {
            TrialRun trial(module, input, type);
            const at::Tensor samples = trial.samples(trialRows);
            TrialRun::Trained trained =
                trial.train(traits.channelsLast ? samples.contiguous(at::MemoryFormat::ChannelsLast) : samples);
            if (!trained.changed.empty())
                return failure("model.file-changes", {{"file", module.file}, {"parameter", trained.changed}});
            if (!trained.sparse.empty())
                return failure(
                    "model.file-backward",
                    {{"file", module.file}, {"reason", "reason.sparse-gradient"}, {"parameter", trained.sparse}});
            if (trained.any) {
                traits.unreached = std::move(trained.unreached);
                return {};
            }
        } catch (const std::exception& problem) {
            found = scriptedReason(problem);
            traits.inFloat = traits.inFloat && type != at::kFloat;
        }
        reason = reason.value_or(std::move(found));
    }
    return failure("model.file-backward", {{"file", module.file}, {"reason", *reason}});
}

ScriptedTraits traitsOf(TrialRun& trial, const ScriptedModule& module, const InputShape& input) {
    ScriptedTraits traits;
    const at::Tensor samples = trial.samples(trialRows);
    traits.draws =
        module.drawsForBranches || !sameValues(trial.output(samples, true, 1), trial.output(samples, true, 2));
    if (input.loss != LossKind::Model) // whose losses depend on targets that are made up here
        traits.couples = couples(trial, false, false) || couples(trial, true, true);
    const bool hasStatistics = std::ranges::any_of(module.buffers, [](const ScriptedTensor& buffer) {
        return scriptedOwnName(buffer.names.front()) == "running_mean";
    });
    traits.evaluatesAlways = hasStatistics && module.norms.empty();
    return traits;
}

/// Channels last slows narrow layers down.
bool hasWideConvolutions(const ScriptedModule& module) {
    constexpr std::int64_t wide = 32;
    return std::ranges::any_of(module.parameters, [](const ScriptedTensor& parameter) {
        return parameter.value.dim() == 4 && parameter.value.size(0) >= wide && parameter.value.size(1) >= wide;
    });
}

} // namespace

Result<ScriptedTraits> tryScriptedModule(ScriptedModule& module, const InputShape& input,
                                         ConvolutionChoice convolutions) {
    // In fp64 nothing hides in rounding; a traced module may have fp32 written into it.
    at::ScalarType type = at::kDouble;
    TrialRun::Returned returned;
    std::optional<OneThread> shortOperations(std::in_place);
    const auto pass = [&] {
        TrialRun trial(module, input, type);
        return trial.run(trial.samples(trialRows));
    };
    const auto begin = std::chrono::steady_clock::now();
    try {
        returned = pass();
    } catch (const std::exception&) {
        type = at::kFloat;
        try {
            returned = pass();
        } catch (const std::exception& problem) {
            return cannotCompute(module, input, problem);
        }
    }
    constexpr std::chrono::milliseconds longPass(500); // a large network's: its operations are worth sharing out
    if (std::chrono::steady_clock::now() - begin > longPass)
        shortOperations.reset();
    try {
        ScriptedTraits checked;
        ACCUMULUS_TRY(takeOutput(module, input, returned, checked));
        {
            TrialRun trial(module, input, type);
            ACCUMULUS_TRY_ASSIGN(module.norms, normsOf(module, trial));
        }
        ACCUMULUS_TRY(checkEvaluation(module, input, type));
        measureAreas(module, input, type);
        TrialRun trial(module, input, type);
        ScriptedTraits traits = traitsOf(trial, module, input);
        traits.output = checked.output;
        traits.classes = checked.classes;
        for (const ScriptedNorm& norm : module.norms)
            traits.leastArea = traits.leastArea == 0 ? std::max<std::int64_t>(1, norm.area)
                                                     : std::min(traits.leastArea, std::max<std::int64_t>(1, norm.area));
        if (!sameValues(trial.output(trial.samples(trialRows), true, 1),
                        trial.output(trial.samples(trialRows), true, 1)))
            return failure("model.file-unrepeatable", {{"file", module.file}});
        if (convolutions.channelsLast && sampleShape(input).size() == 3 &&
            !(convolutions.onlyWide && !hasWideConvolutions(module))) {
            try {
                (void)trial.run(trial.samples(trialRows).contiguous(at::MemoryFormat::ChannelsLast));
                traits.channelsLast = true;
            } catch (const std::exception&) { // it looks at its tensors as rows: the usual order then
                traits.channelsLast = false;
            }
        }
        traits.inDouble = type == at::kDouble;
        ACCUMULUS_TRY(checkGradients(module, input, traits));
        return traits;
    } catch (const std::exception& problem) {
        return cannotCompute(module, input, problem);
    }
}

} // namespace accumulus
