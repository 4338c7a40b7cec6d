// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/audit_files.h"

#include "core/analysis/gradient_diagnosis.h"
#include "core/base/clock.h"
#include "core/base/real_number.h"
#include "core/model/safetensors.h"
#include "core/train/audit_gradients.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace accumulus {
namespace {

namespace fs = std::filesystem;

Error bad(const fs::path& file, Message reason) {
    Error error{"audit.files", {{"file", file.native()}, {"reason", std::move(reason.code)}}};
    std::ranges::move(reason.arguments, std::back_inserter(error.arguments));
    return error;
}

at::Tensor asDouble(const at::Tensor& tensor) { return tensor.to(at::kDouble).contiguous(); }

Precision precisionOf(const NamedTensors& file) {
    const auto told = file.metadata.find("precision");
    const std::string name = told == file.metadata.end() ? std::string() : told->second;
    if (name == "fp64")
        return Precision::Fp64;
    if (name == "bf16")
        return Precision::Bf16;
    if (name == "fp16")
        return Precision::Fp16;
    if (name == "fp32")
        return Precision::Fp32;
    Precision coarsest = Precision::Fp64;
    for (const auto& [tensorName, tensor] : file.tensors) {
        if (tensor.scalar_type() == at::kBFloat16)
            return Precision::Bf16;
        if (tensor.scalar_type() == at::kHalf)
            return Precision::Fp16;
        if (tensor.scalar_type() == at::kFloat)
            coarsest = Precision::Fp32;
    }
    return coarsest;
}

Result<NamedGradients> gradientsIn(const fs::path& path, const NamedTensors& file) {
    NamedGradients gradients;
    for (const auto& [name, tensor] : file.tensors)
        if (at::isFloatingType(tensor.scalar_type()))
            gradients.push_back({name, asDouble(tensor)});
    for (const NamedGradient& one : gradients)
        if (!one.gradient.isfinite().all().item<bool>())
            return failure(bad(path, {"reason.audit-nonfinite", {{"name", one.name}}}));
    if (gradients.empty())
        return failure(bad(path, {"reason.audit-no-tensors", {}}));
    return gradients;
}

/// `of` in the order of `like`.
Status match(const fs::path& path, NamedGradients& of, const NamedGradients& like) {
    NamedGradients sorted;
    for (const NamedGradient& wanted : like) {
        const auto found = std::ranges::find(of, wanted.name, &NamedGradient::name);
        if (found == of.end())
            return failure(bad(path, {"reason.audit-other-names", {{"name", wanted.name}}}));
        if (found->gradient.sizes() != wanted.gradient.sizes())
            return failure(bad(path, {"reason.audit-other-shape", {{"name", wanted.name}}}));
        sorted.push_back(*found);
    }
    for (const NamedGradient& one : of)
        if (std::ranges::find(like, one.name, &NamedGradient::name) == like.end())
            return failure(bad(path, {"reason.audit-other-names", {{"name", one.name}}}));
    of = std::move(sorted);
    return {};
}

/// Whole numbers of a list; nothing where there is none of that name.
Result<std::vector<std::int64_t>> listIn(const fs::path& path, const NamedTensors& file, const std::string& name,
                                         std::optional<std::size_t> count) {
    const at::Tensor* tensor = file.find(name);
    if (!tensor)
        return std::vector<std::int64_t>();
    const bool whole = at::isIntegralType(tensor->scalar_type(), /*includeBool=*/false);
    if (!whole || (count && tensor->numel() != static_cast<std::int64_t>(*count)))
        return failure(
            bad(path, {"reason.audit-list", {{"name", name}, {"count", std::to_string(count.value_or(1))}}}));
    const at::Tensor values = tensor->to(at::kLong).contiguous();
    const std::int64_t* first = values.const_data_ptr<std::int64_t>();
    return std::vector<std::int64_t>(first, first + values.numel());
}

/// Loss units of each micro-batch: whole numbers, or sums of weights. Empty where there are none.
std::vector<double> unitsIn(const NamedTensors& file) {
    const at::Tensor* tensor = file.find("units");
    if (!tensor || tensor->scalar_type() == at::kBool)
        return {};
    const at::Tensor values = asDouble(*tensor);
    const double* first = values.const_data_ptr<double>();
    return {first, first + values.numel()};
}

struct MicroFile {
    std::vector<double> units;
    std::vector<std::int64_t> windows, ranks;
    std::int64_t nominalSteps = 0;
    std::vector<NamedGradients> gradients; ///< [k]
    NamedGradients weights;                ///< empty: not known
};

Result<MicroFile> readMicro(const fs::path& path, const NamedGradients& like) {
    ACCUMULUS_TRY_ASSIGN(const auto file, readSafetensors(path));
    MicroFile micro;
    micro.units = unitsIn(file);
    if (micro.units.empty() ||
        std::ranges::any_of(micro.units, [](double n) { return !(n >= 0.0 && std::isfinite(n)); }))
        return failure(bad(path, {"reason.audit-units", {}}));
    const std::size_t count = micro.units.size();
    ACCUMULUS_TRY_ASSIGN(micro.windows, listIn(path, file, "windows", count));
    ACCUMULUS_TRY_ASSIGN(micro.ranks, listIn(path, file, "ranks", count));
    ACCUMULUS_TRY_ASSIGN(const auto nominal, listIn(path, file, "nominal_steps", 1));
    micro.nominalSteps = nominal.empty() ? 0 : nominal.front();
    if (micro.windows.empty())
        micro.windows.assign(count, 0);
    for (std::size_t k = 0; k < count; ++k) {
        NamedGradients gradients;
        for (const NamedGradient& wanted : like) {
            const std::string name = std::to_string(k) + "/" + wanted.name;
            const at::Tensor* tensor = file.find(name);
            if (!tensor || !at::isFloatingType(tensor->scalar_type()))
                return failure(bad(path, {"reason.audit-micro", {{"name", name}}}));
            if (tensor->sizes() != wanted.gradient.sizes())
                return failure(bad(path, {"reason.audit-other-shape", {{"name", name}}}));
            gradients.push_back({wanted.name, asDouble(*tensor)});
            if (micro.units[k] > 0 && !gradients.back().gradient.isfinite().all().item<bool>())
                return failure(bad(path, {"reason.audit-nonfinite", {{"name", name}}}));
        }
        micro.gradients.push_back(std::move(gradients));
    }
    for (const NamedGradient& wanted : like)
        if (const at::Tensor* tensor = file.find("weights/" + wanted.name);
            tensor && at::isFloatingType(tensor->scalar_type()) && tensor->sizes() == wanted.gradient.sizes())
            micro.weights.push_back({wanted.name, asDouble(*tensor)});
    if (micro.weights.size() != like.size())
        micro.weights.clear();
    return micro;
}

/// One window for each number in `windows`, in their order; micro-batches without units are left out.
GradientEvidence evidenceOf(const MicroFile& micro, const NamedGradients& accumulated) {
    GradientEvidence evidence;
    const ElementChoice choice(accumulated, micro.units.size());
    std::map<std::int64_t, std::vector<std::size_t>> places;
    for (std::size_t k = 0; k < micro.units.size(); ++k)
        if (micro.units[k] > 0)
            places[micro.windows[k]].push_back(k);
    for (const auto& [number, steps] : places) {
        WindowEvidence window;
        window.nominalSteps = micro.nominalSteps;
        window.closed = number == places.rbegin()->first;
        window.tensors.resize(accumulated.size());
        for (const std::size_t k : steps) {
            window.units.push_back(micro.units[k]);
            if (!micro.ranks.empty())
                window.ranks.push_back(micro.ranks[k]);
            window.norms.push_back(normOf(micro.gradients[k]));
            std::vector<double>& products = window.gram.emplace_back();
            for (const std::size_t j : steps) {
                if (j > k)
                    break;
                double product = 0.0;
                for (std::size_t t = 0; t < accumulated.size(); ++t)
                    product +=
                        at::dot(micro.gradients[k][t].gradient.flatten(), micro.gradients[j][t].gradient.flatten())
                            .item<double>();
                products.push_back(product);
            }
        }
        for (std::size_t j = 0; j < window.gram.size(); ++j) // the other half
            for (std::size_t k = j + 1; k < window.gram.size(); ++k)
                window.gram[j].push_back(window.gram[k][j]);
        for (std::size_t t = 0; t < accumulated.size(); ++t) {
            GradientElements& tensor = window.tensors[t];
            tensor.name = accumulated[t].name;
            tensor.accumulated = choice.of(accumulated[t].gradient);
            for (const std::size_t k : steps)
                tensor.micro.push_back(choice.of(micro.gradients[k][t].gradient));
            if (!micro.weights.empty())
                tensor.weights = choice.of(micro.weights[t].gradient);
        }
        evidence.windows.push_back(std::move(window));
    }
    return evidence;
}

double numberIn(const NamedTensors& file, const char* name) {
    const auto found = file.metadata.find(name);
    return found == file.metadata.end() ? 0.0 : realNumber(found->second);
}

/// sum n_k |g_k| of each tensor over the newest window.
std::vector<double> newestSums(const MicroFile& micro, std::size_t tensors) {
    std::vector<double> floors(tensors, 0.0);
    std::int64_t newest = 0;
    for (std::size_t k = 0; k < micro.units.size(); ++k)
        newest = micro.units[k] > 0 ? std::max(newest, micro.windows[k]) : newest;
    for (std::size_t k = 0; k < micro.units.size(); ++k)
        if (micro.units[k] > 0 && micro.windows[k] == newest)
            for (std::size_t t = 0; t < tensors; ++t)
                floors[t] += micro.units[k] * micro.gradients[k][t].gradient.norm().item<double>();
    return floors;
}

/// What the diagnosis may say of two files: less where micro-gradients are missing, more where the recorder has seen
/// it.
void qualify(GradientDiagnosis& diagnosis, AuditFacts& facts, const NamedTensors& recorded, const GradientAudit& audit,
             bool withMicroGradients) {
    const bool passed = std::ranges::all_of(audit.tensors, &AuditedTensor::passed);
    if (!withMicroGradients && !passed && diagnosis.sumsAreRight) { // what is too small for a factor
        diagnosis.sumsAreRight = false;
        diagnosis.sentence = {"audit.found.without-micro-gradients", {}};
    }
    if (!withMicroGradients && !diagnosis.pattern && !passed && facts.batchNormLayers + facts.dropoutLayers > 0)
        diagnosis.sumsAreRight = true; // expected to differ
    // One activation on the other side of a ReLU or a maximum makes such an error in fp32, and is no mistake. The
    // recorder says where there is none.
    constexpr double flip = 5e-3;
    const auto kinks = recorded.metadata.find("kinks");
    const bool isSmooth = kinks != recorded.metadata.end() && kinks->second == "0";
    if (withMicroGradients && !isSmooth && diagnosis.sumsAreRight && !passed && audit.precision == Precision::Fp32 &&
        std::ranges::all_of(audit.tensors, [](const AuditedTensor& tensor) { return tensor.error <= flip; }))
        facts.flipSized = true;
    // Weights that shrink inside a window hardly show in a gradient: whoever recorded it has seen them. Decay is all
    // of their change then, or nearly, where some are not decayed; an update has another direction.
    const double changed = numberIn(recorded, "weights_changed");     // |w' - w| / |w|
    const double shrunk = 1.0 - numberIn(recorded, "weights_factor"); // 1 - w' w / |w|^2
    constexpr double nearly = 0.9;
    if (diagnosis.pattern || changed <= 0.0)
        return;
    if (shrunk >= nearly * changed) {
        diagnosis.sumsAreRight = false;
        diagnosis.pattern = "decay-per-micro-step";
        diagnosis.sentence = {"audit.found.decay-per-micro-step", {}};
    } else if (!passed && !diagnosis.sumsAreRight) { // asked after the update, a right loop shows a change, too
        diagnosis.sentence = {"audit.found.weights-moved", {}};
    }
}

} // namespace

Result<GradientAudit> auditGradientFiles(const fs::path& accumulatedFile, const fs::path& referenceFile,
                                         const fs::path& microFile, std::optional<double> tolerance) {
    ACCUMULUS_TRY_ASSIGN(const auto a, readSafetensors(accumulatedFile));
    ACCUMULUS_TRY_ASSIGN(const auto b, readSafetensors(referenceFile));
    ACCUMULUS_TRY_ASSIGN(const auto accumulated, gradientsIn(accumulatedFile, a));
    ACCUMULUS_TRY_ASSIGN(auto large, gradientsIn(referenceFile, b));
    ACCUMULUS_TRY(match(referenceFile, large, accumulated));

    GradientAudit audit;
    audit.createdAt = unixTime();
    audit.subject = subjectAsNamed(accumulatedFile.filename().string());
    audit.checkpoint.clear();
    audit.precision = precisionOf(a);
    const double allowed = tolerance.value_or(defaultAuditTolerance(audit.precision));
    AuditFacts facts;
    facts.batchNormLayers =
        static_cast<std::int64_t>(std::max(numberIn(a, "batch_norm_layers"), numberIn(b, "batch_norm_layers")));
    facts.dropoutLayers =
        static_cast<std::int64_t>(std::max(numberIn(a, "dropout_layers"), numberIn(b, "dropout_layers")));

    GradientDiagnosis diagnosis;
    std::vector<double> floors(accumulated.size(), 0.0);
    if (microFile.empty()) {
        audit.notes.push_back({"audit.note.without-micro-gradients", {}});
        std::vector<GradientElements> pairs;
        const ElementChoice choice(accumulated, 1);
        for (std::size_t t = 0; t < accumulated.size(); ++t)
            pairs.push_back({accumulated[t].name, choice.of(accumulated[t].gradient), {choice.of(large[t].gradient)}});
        diagnosis = diagnoseFactor(pairs, allowed);
    } else {
        ACCUMULUS_TRY_ASSIGN(const auto micro, readMicro(microFile, accumulated));
        GradientEvidence evidence = evidenceOf(micro, accumulated);
        if (evidence.windows.empty())
            return failure(bad(microFile, {"reason.audit-units", {}}));
        // Sums of 16-bit gradients are judged as their own precision rounds; others as an audit of ours.
        evidence.tolerance = tolerance.value_or(audit.precision == Precision::Fp64 ? 1e-12 : allowed);
        diagnosis = diagnose(evidence);
        floors = floorsOf(newestSums(micro, accumulated.size()), evidence.windows.back().totalUnits());
    }
    for (std::size_t t = 0; t < accumulated.size(); ++t) {
        ComparedTensor tensor;
        tensor.accumulated = accumulated[t].gradient;
        tensor.large = large[t].gradient;
        tensor.floor = floors[t];
        audit.tensors.push_back(compareTensor(accumulated[t].name, tensor, allowed));
    }
    qualify(diagnosis, facts, a, audit, !microFile.empty());
    conclude(audit, diagnosis, facts);
    return audit;
}

} // namespace accumulus
