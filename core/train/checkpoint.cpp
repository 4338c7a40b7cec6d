// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/checkpoint.h"

#include "core/base/hash.h"
#include "core/train/safetensors.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace accumulus {
namespace {

constexpr const char* stateKey = "accumulus.state";
constexpr const char* optimizerPrefix = "optimizer.";
constexpr const char* windowName = "window.accumulator";
constexpr const char* bundleHashKey = "accumulus.bundle_hash";

tl::unexpected<Error> mismatch(const std::filesystem::path& file, const std::string& reason) {
    return failure("checkpoint.mismatch", {{"file", file.string()}, {"reason", reason}});
}

template <class T>
nlohmann::json optionalJson(const std::optional<T>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
}

std::optional<double> optionalDouble(const nlohmann::json& value) {
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

nlohmann::json progressJson(const TrainingProgress& p) {
    return {{"epoch", p.position.epoch},           {"sample", p.position.sample},
            {"windows", p.windows},                {"updates", p.updates},
            {"micro_steps", p.microSteps},         {"samples", p.samples},
            {"epochs_completed", p.epochsCompleted}, {"skipped_in_a_row", p.skippedInARow},
            {"epoch_position", p.epochPosition},   {"active_seconds", p.activeSeconds},
            {"best_metric", optionalJson(p.bestMetric)}, {"best_test_accuracy", optionalJson(p.bestTestAccuracy)}};
}

/// A counter; nothing else fits there.
std::int64_t counter(const nlohmann::json& json, const char* name) {
    const nlohmann::json& value = json.at(name);
    const auto number = value.is_number_integer() ? value.get<std::int64_t>() : -1;
    if (number < 0)
        throw std::range_error(std::string(name) + " is not a count");
    return number;
}

TrainingProgress progressFromJson(const nlohmann::json& json) {
    TrainingProgress p;
    p.position = {counter(json, "epoch"), counter(json, "sample")};
    p.windows = counter(json, "windows");
    p.updates = counter(json, "updates");
    p.microSteps = counter(json, "micro_steps");
    p.samples = counter(json, "samples");
    p.epochsCompleted = counter(json, "epochs_completed");
    p.skippedInARow = counter(json, "skipped_in_a_row");
    p.epochPosition = json.at("epoch_position");
    p.activeSeconds = json.at("active_seconds");
    p.bestMetric = optionalDouble(json.at("best_metric"));
    p.bestTestAccuracy = optionalDouble(json.at("best_test_accuracy"));
    return p;
}

NamedTensors parameterTensors(const ParameterLayout& layout, const at::Tensor& parameters) {
    NamedTensors content;
    for (std::size_t i = 0; i < layout.size(); ++i)
        content.tensors.emplace_back(layout.specs()[i].name, layout.view(parameters, i));
    return content;
}

Status copyParameters(const std::filesystem::path& file, const NamedTensors& content, const ParameterLayout& layout, at::Tensor& parameters) {
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const ParameterSpec& spec = layout.specs()[i];
        const at::Tensor* tensor = content.find(spec.name);
        if (!tensor)
            return mismatch(file, "it has no parameter " + spec.name);
        if (tensor->sizes() != at::IntArrayRef(spec.shape))
            return mismatch(file, "parameter " + spec.name + " has another shape");
        layout.view(parameters, i).copy_(*tensor);
    }
    return {};
}

Status copyFlat(const std::filesystem::path& file, const NamedTensors& content, const std::string& name, at::Tensor& target) {
    const at::Tensor* tensor = content.find(name);
    if (!tensor || tensor->sizes() != target.sizes() || tensor->scalar_type() != target.scalar_type())
        return mismatch(file, name + " is absent or of another size or type");
    target.copy_(*tensor);
    return {};
}

/// Over everything that training goes on from: a bundle whose bytes have changed anywhere there is not taken.
std::string bundleHash(const NamedTensors& content, const std::string& state) {
    Hasher hasher;
    hasher.add(state);
    for (const auto& [name, tensor] : content.tensors) {
        const at::Tensor dense = tensor.contiguous();
        hasher.add(name).add({static_cast<const std::byte*>(dense.const_data_ptr()), dense.nbytes()});
    }
    return hasher.hex();
}

} // namespace

std::string weightsHash(const ParameterLayout& layout, const at::Tensor& parameters) {
    Hasher hasher;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const at::Tensor view = layout.view(parameters, i);
        hasher.add({static_cast<const std::byte*>(view.const_data_ptr()), view.nbytes()});
    }
    return hasher.hex();
}

Result<std::int64_t> saveWeights(const std::filesystem::path& file, const ParameterLayout& layout, const at::Tensor& parameters,
                                 const std::map<std::string, std::string>& metadata) {
    NamedTensors content = parameterTensors(layout, parameters);
    content.metadata = metadata;
    content.metadata["format"] = "pt"; // what Python's safetensors expects of PyTorch weights
    return writeSafetensors(file, content);
}

Result<std::map<std::string, std::string>> loadWeights(const std::filesystem::path& file, const ParameterLayout& layout,
                                                       at::Tensor& parameters) {
    auto content = readSafetensors(file);
    if (!content)
        return failure(content.error());
    ACCUMULUS_TRY(copyParameters(file, *content, layout, parameters));
    return std::move(content->metadata);
}

Result<std::int64_t> saveBundle(const std::filesystem::path& file, const ParameterLayout& layout, const at::Tensor& parameters,
                                const FlatOptimizer& optimizer, const GradientWindow& window, const TrainingProgress& progress,
                                const std::map<std::string, std::string>& metadata) {
    NamedTensors content = parameterTensors(layout, parameters);
    for (const auto& [name, tensor] : optimizer.state())
        content.tensors.emplace_back(optimizerPrefix + name, tensor);
    nlohmann::json state = progressJson(progress);
    state["update_counts"] = optimizer.updateCounts();
    if (!window.empty()) {
        content.tensors.emplace_back(windowName, window.flat());
        const GradientWindow::Saved saved = window.save();
        state["open_window"] = {{"units", saved.units}, {"squared_norms", saved.squaredNorms}, {"loss_sums", saved.lossSums}, {"touched", saved.touched}};
    }
    content.metadata = metadata;
    content.metadata[stateKey] = state.dump();
    content.metadata[bundleHashKey] = bundleHash(content, content.metadata[stateKey]);
    return writeSafetensors(file, content);
}

Result<TrainingProgress> loadBundle(const std::filesystem::path& file, const ParameterLayout& layout, at::Tensor& parameters,
                                    FlatOptimizer& optimizer, GradientWindow& window) {
    const auto content = readSafetensors(file);
    if (!content)
        return failure(content.error());
    const auto found = content->metadata.find(stateKey);
    if (found == content->metadata.end())
        return mismatch(file, "it is not a resume bundle");
    const auto hash = content->metadata.find(bundleHashKey);
    if (hash == content->metadata.end() || hash->second != bundleHash(*content, found->second))
        return failure("checkpoint.format", {{"file", file.string()}, {"reason", "its content does not have the hash written with it"}});
    for (const ParameterSpec& spec : layout.specs())
        if (const at::Tensor* tensor = content->find(spec.name); tensor && tensor->scalar_type() != parameters.scalar_type())
            return mismatch(file, "parameter " + spec.name + " has another precision");
    ACCUMULUS_TRY(copyParameters(file, *content, layout, parameters));
    for (auto& [name, tensor] : optimizer.state())
        ACCUMULUS_TRY(copyFlat(file, *content, optimizerPrefix + name, tensor));
    try {
        const auto state = nlohmann::json::parse(found->second);
        auto counts = state.at("update_counts").get<std::vector<std::int64_t>>();
        if (counts.size() != layout.size() || std::ranges::any_of(counts, [](std::int64_t count) { return count < 0; }))
            return mismatch(file, "it belongs to another model");
        optimizer.setUpdateCounts(std::move(counts));
        if (state.contains("open_window")) {
            const auto& open = state.at("open_window");
            GradientWindow::Saved saved{open.at("units"), open.at("squared_norms"), open.at("loss_sums"), open.at("touched")};
            at::Tensor flat = at::empty_like(window.flat());
            ACCUMULUS_TRY(copyFlat(file, *content, windowName, flat));
            if (saved.touched.size() != layout.size() || saved.units.size() != saved.squaredNorms.size() ||
                saved.units.size() != saved.lossSums.size() || std::ranges::any_of(saved.units, [](std::int64_t units) { return units <= 0; }))
                return mismatch(file, "its open window is damaged");
            window.restore(saved, flat);
        }
        return progressFromJson(state);
    } catch (const nlohmann::json::exception& problem) {
        return mismatch(file, problem.what());
    } catch (const std::range_error& problem) {
        return mismatch(file, problem.what());
    }
}

} // namespace accumulus
