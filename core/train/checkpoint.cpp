// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/checkpoint.h"

#include "core/base/hash.h"
#include "core/model/safetensors.h"
#include "core/train/bundle_tensors.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace accumulus {
namespace {

constexpr const char* stateKey = "accumulus.state";
constexpr const char* optimizerPrefix = "optimizer.";
constexpr const char* statisticsPrefix = "window.statistics.";
constexpr const char* bundleHashKey = "accumulus.bundle_hash";

template <class T>
nlohmann::json optionalJson(const std::optional<T>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
}

std::optional<double> optionalDouble(const nlohmann::json& value) {
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

/// JSON has no word for what is not finite, and a window that is open may hold some.
nlohmann::json realJson(double value) {
    if (std::isfinite(value))
        return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double realFromJson(const nlohmann::json& json) {
    if (json.is_null()) // as bundles of earlier versions have it
        return std::numeric_limits<double>::quiet_NaN();
    if (!json.is_string())
        return json.get<double>();
    const auto& word = json.get_ref<const std::string&>();
    if (word == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    if (word == "inf" || word == "-inf")
        return (word == "inf" ? 1.0 : -1.0) * std::numeric_limits<double>::infinity();
    throw std::range_error("\"" + word + "\" is not a number");
}

nlohmann::json realsJson(const std::vector<double>& values) {
    auto list = nlohmann::json::array();
    for (const double value : values)
        list.push_back(realJson(value));
    return list;
}

std::vector<double> realsFromJson(const nlohmann::json& list) {
    if (!list.is_array())
        throw std::range_error("numbers are not a list");
    std::vector<double> values;
    for (const auto& value : list)
        values.push_back(realFromJson(value));
    return values;
}

nlohmann::json progressJson(const TrainingProgress& p) {
    return {{"epoch", p.position.epoch},
            {"sample", p.position.sample},
            {"windows", p.windows},
            {"updates", p.updates},
            {"micro_steps", p.microSteps},
            {"samples", p.samples},
            {"tokens", p.tokens},
            {"open_micro_steps", p.openMicroSteps},
            {"epochs_completed", p.epochsCompleted},
            {"skipped_in_a_row", p.skippedInARow},
            {"epoch_position", p.epochPosition},
            {"active_seconds", p.activeSeconds},
            {"best_metric", optionalJson(p.bestMetric)},
            {"best_test_accuracy", optionalJson(p.bestTestAccuracy)}};
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
    p.tokens = counter(json, "tokens");
    p.openMicroSteps = counter(json, "open_micro_steps");
    p.epochsCompleted = counter(json, "epochs_completed");
    p.skippedInARow = counter(json, "skipped_in_a_row");
    p.epochPosition = json.at("epoch_position");
    p.activeSeconds = json.at("active_seconds");
    p.bestMetric = optionalDouble(json.at("best_metric"));
    p.bestTestAccuracy = optionalDouble(json.at("best_test_accuracy"));
    return p;
}

void addTensors(TensorsToWrite& content, const ParameterLayout& layout, const at::Tensor& flat) {
    const at::Tensor host = layout.size() > 0 ? flat.cpu() : flat; // of a GPU: one copy
    for (std::size_t i = 0; i < layout.size(); ++i)
        content.add(layout.specs()[i].name, layout.view(host, i));
}

/// Python's state_dict() has a tied weight under each of its names, and a strict load_state_dict() wants all of them.
void addAliases(TensorsToWrite& content, const ParameterLayout& layout, const at::Tensor& flat) {
    for (std::size_t i = 0; i < layout.size(); ++i)
        for (const std::string& alias : layout.specs()[i].aliases)
            content.add(alias, layout.view(flat, i));
}

constexpr std::string_view meanSuffix = "running_mean";

/// PyTorch counts the batches of each BatchNorm layer; only a layer without a momentum of its own would look at it.
void addBatchCounters(TensorsToWrite& content, const ParameterLayout& buffers, std::int64_t count) {
    for (const ParameterSpec& spec : buffers.specs())
        if (spec.name.ends_with(meanSuffix))
            content.add(spec.name.substr(0, spec.name.size() - meanSuffix.size()) + "num_batches_tracked",
                        at::scalar_tensor(count, at::kLong));
}

/// A flat tensor of the arena, in row-major order.
void addFlat(TensorsToWrite& content, std::string name, const ParameterLayout& layout, const at::Tensor& flat,
             const std::vector<bool>& kept = {}) {
    content.add(std::move(name), flat.sizes().vec(), layout.rowMajorPieces(flat, kept));
}

/// Over everything that training goes on from: a bundle whose bytes have changed anywhere there is not taken.
std::string bundleHash(const TensorsToWrite& content, const std::string& state) {
    Hasher hasher;
    hasher.add(state);
    for (const TensorsToWrite::Tensor& tensor : content.tensors) {
        hasher.add(tensor.name);
        forEachPiece(tensor, [&](std::span<const std::byte> bytes) { hasher.add(bytes); });
    }
    return hasher.hex();
}
/// The same of a bundle that is read.
Result<std::string> bundleHash(const SafetensorsFile& content, const std::string& state) {
    Hasher hasher;
    hasher.add(state);
    for (const SafetensorsFile::Place& place : content.tensors()) {
        hasher.add(place.name);
        ACCUMULUS_TRY(content.forEachBlock(place, [&](std::span<const std::byte> bytes) { hasher.add(bytes); }));
    }
    return hasher.hex();
}

} // namespace

std::string weightsHash(const ParameterLayout& layout, const at::Tensor& parameters, const ParameterLayout& buffers,
                        const at::Tensor& statistics) {
    Hasher hasher;
    const auto add = [&hasher](const ParameterLayout& part, const at::Tensor& flat) {
        const at::Tensor host = part.size() > 0 ? flat.cpu() : flat;
        for (std::size_t i = 0; i < part.size(); ++i) {
            const at::Tensor dense = part.view(host, i).contiguous();
            hasher.add({static_cast<const std::byte*>(dense.const_data_ptr()), dense.nbytes()});
        }
    };
    add(layout, parameters);
    add(buffers, statistics);
    return hasher.hex();
}

Result<std::int64_t> saveWeights(const std::filesystem::path& file, const ParameterLayout& layout,
                                 const at::Tensor& parameters, const std::map<std::string, std::string>& metadata,
                                 const ParameterLayout& buffers, const at::Tensor& statistics, std::int64_t batches) {
    TensorsToWrite content;
    addTensors(content, layout, parameters);
    addAliases(content, layout, parameters);
    addTensors(content, buffers, statistics);
    addBatchCounters(content, buffers, batches);
    content.metadata = metadata;
    content.metadata["format"] = "pt"; // what Python's safetensors expects of PyTorch weights
    return writeSafetensors(file, content);
}

Result<std::int64_t> saveBundle(const std::filesystem::path& file, const TrainingState& training,
                                const TrainingProgress& progress, const std::map<std::string, std::string>& metadata,
                                const GatheredState* gathered, bool leaveOutWindow) {
    TensorsToWrite content;
    addTensors(content, training.layout, training.parameters);
    addTensors(content, training.buffers, training.statistics.flat());
    if (gathered)
        for (const auto& [name, tensor] : gathered->optimizer)
            addFlat(content, optimizerPrefix + name, training.layout, tensor);
    else
        for (const auto& [name, tensor] : training.optimizer.state())
            addFlat(content, optimizerPrefix + name, training.layout, tensor);
    nlohmann::json state = progressJson(progress);
    state["row_major"] = true; // bundles of before hold moments and accumulator in the arena's order
    state["update_counts"] = training.optimizer.updateCounts();
    state["loss_scale"] = training.scaler.scale();
    state["windows_at_loss_scale"] = training.scaler.sinceChange();
    if (!training.window.empty() && !leaveOutWindow) {
        const GradientWindow::Saved saved = training.window.save();
        if (gathered)
            for (std::size_t i = 0; i < gathered->accumulators.size(); ++i)
                content.add(accumulatorName(i), {training.layout.gradientSize()}, gathered->accumulators[i]);
        else
            addFlat(content, accumulatorName(0), training.layout, training.window.sums().accumulator(), saved.touched);
        state["open_window"] = {{"units", saved.units},
                                {"squared_norms", realsJson(saved.squaredNorms)},
                                {"loss_sums", realsJson(saved.lossSums)},
                                {"touched", saved.touched},
                                {"left_out", saved.leftOut},
                                {"first_left_out", saved.firstLeftOut},
                                {"smallest_scale", realJson(saved.smallestScale)},
                                {"overflowed", saved.overflowed},
                                {"places", saved.places},
                                {"first_place", saved.firstPlace},
                                {"micro_steps", saved.microSteps}};
        for (const auto& [name, tensor] : training.statistics.pending())
            content.add(statisticsPrefix + name, tensor);
    }
    content.metadata = metadata;
    content.metadata[stateKey] = state.dump();
    content.metadata[bundleHashKey] = bundleHash(content, content.metadata[stateKey]);
    return writeSafetensors(file, content);
}

namespace {

/// This rank's part of what an open window held. As many ranks take their own again, so that the run goes on with the
/// same bits; otherwise all of it goes to the first, or to the owners of the shards.
Status readAccumulator(const BundleTensors& tensors, const TrainingState& training, const Communicator* ranks) {
    const at::Tensor& sums = training.window.sums().accumulator();
    const FlatRange whole{0, training.layout.gradientSize()};
    if (!ranks)
        return tensors.readAccumulator(std::nullopt, whole, sums);
    const auto rank = static_cast<std::size_t>(ranks->rank());
    if (training.window.couples())
        return tensors.readAccumulator(std::nullopt, shardsOf(training.layout, ranks->size())[rank], sums);
    if (tensors.accumulators() == static_cast<std::size_t>(ranks->size()))
        return tensors.readAccumulator(rank, whole, sums);
    return rank == 0 ? tensors.readAccumulator(std::nullopt, whole, sums) : Status();
}

/// The window that was open when the bundle was saved.
Status restoreWindow(const SafetensorsFile& content, const nlohmann::json& open, const TrainingState& training,
                     const BundleTensors& tensors, const Communicator* ranks) {
    GradientWindow::Saved saved;
    saved.units = open.at("units").get<std::vector<double>>(); // whole numbers in bundles of before
    saved.squaredNorms = realsFromJson(open.at("squared_norms"));
    saved.lossSums = realsFromJson(open.at("loss_sums"));
    saved.touched = open.at("touched").get<std::vector<bool>>();
    saved.leftOut = open.at("left_out");
    saved.firstLeftOut = open.value("first_left_out", std::int64_t{-1});
    saved.smallestScale = realFromJson(open.at("smallest_scale"));
    saved.overflowed = open.value("overflowed", false);
    saved.microSteps = open.value("micro_steps", std::ssize(saved.units)); // bundles of before had one piece each
    saved.places = open.value("places", std::vector<std::int64_t>());
    saved.firstPlace = open.value("first_place", std::int64_t{0});
    const at::Tensor& sums = training.window.sums().accumulator();
    saved.accumulator = at::zeros({1}, sums.options()).expand_as(sums); // read in place below
    if (saved.touched.size() != training.layout.size() || saved.units.size() != saved.squaredNorms.size() ||
        saved.units.size() != saved.lossSums.size() ||
        (!saved.places.empty() && saved.places.size() != saved.units.size()) ||
        std::ranges::any_of(saved.units, [](double units) { return !(units > 0.0); }))
        return bundleMismatch(content.path(), "reason.open-window");
    training.window.restore(saved, ranks != nullptr);
    if (Status read = readAccumulator(tensors, training, ranks); !read) {
        training.window.clear();
        return read;
    }
    std::map<std::string, at::Tensor> pending;
    for (const char* name : {"next", "counts"})
        if (const auto* place = content.find(std::string(statisticsPrefix) + name)) {
            ACCUMULUS_TRY_ASSIGN(pending[name], content.read(*place));
        }
    if (pending.size() == 2)
        training.statistics.restorePending(pending);
    return {};
}

} // namespace

Result<TrainingProgress> loadBundle(const std::filesystem::path& file, const TrainingState& training,
                                    const Communicator* ranks) {
    ACCUMULUS_TRY_ASSIGN(const auto content, SafetensorsFile::open(file));
    const auto found = content.metadata().find(stateKey);
    if (found == content.metadata().end())
        return bundleMismatch(file, "reason.not-a-bundle");
    const auto hash = content.metadata().find(bundleHashKey);
    ACCUMULUS_TRY_ASSIGN(const std::string hashed, bundleHash(content, found->second));
    if (hash == content.metadata().end() || hash->second != hashed)
        return failure("checkpoint.format", {{"file", file.string()}, {"reason", "reason.content-hash"}});
    for (const ParameterSpec& spec : training.layout.specs())
        if (const auto* place = content.find(spec.name);
            place && SafetensorsFile::typeOf(*place) != training.parameters.scalar_type())
            return bundleMismatch(file, "reason.parameter-precision", spec.name);
    try {
        const auto state = nlohmann::json::parse(found->second);
        auto counts = state.at("update_counts").get<std::vector<std::int64_t>>();
        if (counts.size() != training.layout.size() ||
            std::ranges::any_of(counts, [](std::int64_t count) { return count < 0; }))
            return bundleMismatch(file, "reason.other-model");
        const double lossScale = realFromJson(state.at("loss_scale"));
        const std::int64_t windowsAtScale = counter(state, "windows_at_loss_scale");
        const TrainingProgress progress = progressFromJson(state);
        // What an earlier bundle left that turned out to be of no use.
        training.window.clear();
        training.statistics.clear();
        ACCUMULUS_TRY(copyParameters(content, training.layout, training.parameters));
        ACCUMULUS_TRY(copyParameters(content, training.buffers, training.statistics.flat()));
        const BundleTensors tensors(content, training.layout, state.value("row_major", false));
        for (auto& [name, tensor] : training.optimizer.state())
            ACCUMULUS_TRY(tensors.read(optimizerPrefix + name, training.optimizer.shard(), tensor));
        if (state.contains("open_window"))
            ACCUMULUS_TRY(restoreWindow(content, state.at("open_window"), training, tensors, ranks));
        training.optimizer.setUpdateCounts(std::move(counts));
        training.scaler.restore(lossScale, windowsAtScale);
        return progress;
    } catch (const nlohmann::json::exception& problem) {
        return bundleMismatch(file, problem.what());
    } catch (const std::range_error& problem) {
        return bundleMismatch(file, problem.what());
    }
}

} // namespace accumulus
