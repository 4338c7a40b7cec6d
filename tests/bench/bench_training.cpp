// SPDX-License-Identifier: GPL-3.0-or-later
// Speed, memory and phases of the engine alone, one JSON line. Used by compare_frameworks.py, which runs it in turn
// with PyTorch loops.
//   bench_training [--profile | --trace FILE] UPDATES [KEY=VALUE ...]      settings as for accumulus-cli run --set;
//   without evaluation and checkpoints
// --profile adds where the time of the kernels goes, per operator (measured in a second pass, because looking costs
// time), and what the noise scale's squares cost of a window. --trace writes a timeline of the window in the middle
// (window_trace.h).
#include "core/run/program.h"
#include "core/train/lane_calibration.h"
#include "core/train/trainer.h"

#include "core/base/clock.h"
#include "core/config/config_fields.h"
#include "core/engine/memory_counter.h"
#include "core/run/environment.h"
#include "core/window/flat_kernels.h"
#include "tests/bench/operator_times.h"
#include "tests/bench/window_trace.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace accumulus;

namespace {

struct KeepingObserver final : TrainingObserver {
    Wish proceed() override { return Wish::GoOn; }
    [[nodiscard]] double pausedSeconds() const override { return 0.0; }
    Status windowClosed(const WindowRecord& window) override {
        windows.push_back(window);
        if (operators && static_cast<std::int64_t>(windows.size()) == updates)
            operators->stop(); // what follows is the last evaluation
        if (trace)
            trace->windowClosed(static_cast<std::int64_t>(windows.size()));
        return {};
    }
    Status evaluated(const EvaluationRecord& evaluation) override {
        evaluations.push_back(evaluation);
        return {};
    }
    Status checkpointSaved(const CheckpointRecord&) override { return {}; }
    void noted(const std::string&, const Message&, std::int64_t) override {}
    std::vector<WindowRecord> windows;
    std::vector<EvaluationRecord> evaluations;
    OperatorTimes* operators = nullptr;
    WindowTrace* trace = nullptr;
    std::int64_t updates = 0;
};

/// The first windows, in which memory is taken and kernels are compiled, do not count: a tenth, or three where there
/// are as many.
nlohmann::json figures(const std::vector<WindowRecord>& windows) {
    constexpr std::size_t fewest = 3;
    const std::size_t skip = std::max(windows.size() / 10, std::min(fewest, windows.size() - 1));
    double seconds = 0.0, fastest = windows.back().seconds, data = 0.0, forward = 0.0, backward = 0.0, commit = 0.0,
           update = 0.0;
    for (std::size_t i = skip; i < windows.size(); ++i) {
        seconds += windows[i].seconds;
        fastest = std::min(fastest, windows[i].seconds);
        data += windows[i].dataSeconds;
        forward += windows[i].forwardSeconds;
        backward += windows[i].backwardSeconds;
        commit += windows[i].commitSeconds;
        update += windows[i].updateSeconds;
    }
    const std::int64_t before = skip > 0 ? windows[skip - 1].samples : 0;
    const auto count = static_cast<double>(windows.size() - skip);
    return {{"samples_per_second", static_cast<double>(windows.back().samples - before) / seconds},
            {"peak_bytes", windows.back().peakBytes},
            {"milliseconds_per_window", // of the micro-steps: summed over lanes
             {{"all", 1e3 * seconds / count},
              {"fastest", 1e3 * fastest}, // where neighbours disturb the machine, it tells more than the mean
              {"data", 1e3 * data / count},
              {"forward", 1e3 * forward / count},
              {"backward", 1e3 * backward / count},
              {"commit", 1e3 * commit / count},
              {"update", 1e3 * update / count}}}};
}

/// Seconds that adding one micro-gradient of `count` parameters takes longer than ATen's addition because its square is
/// summed in the same pass. Medians of turns.
double squaresCost(std::int64_t count) {
    const at::NoGradGuard noGrad;
    at::set_num_threads(1); // as one lane
    const at::Tensor sum = at::ones({count}), gradient = at::full({count}, 1e-3F);
    std::vector<double> with, without;
    double squares = 0.0;
    for (int turn = 0; turn < 101; ++turn) {
        const Stopwatch both;
        squares += commitKernel(sum.mutable_data_ptr<float>(), gradient.const_data_ptr<float>(), count, 0.5F, false);
        with.push_back(both.seconds());
        const Stopwatch plain;
        sum.add_(gradient, 0.5F);
        without.push_back(plain.seconds());
    }
    std::ranges::sort(with);
    std::ranges::sort(without);
    return squares > 0.0 ? with[50] - without[50] : 0.0;
}

int fail(const Error& error) {
    std::cerr << describe(error) << '\n';
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    const bool profiled = !words.empty() && words.front() == "--profile";
    if (profiled)
        words.erase(words.begin());
    std::filesystem::path timeline;
    if (words.size() > 1 && words.front() == "--trace") {
        timeline = words[1];
        words.erase(words.begin(), words.begin() + 2);
    }
    if (words.empty() || std::atoll(words.front().c_str()) < 1) {
        std::cerr << "usage: bench_training [--profile | --trace FILE] UPDATES [KEY=VALUE ...]\n";
        return 2;
    }
    ExperimentConfig experiment;
    for (std::size_t i = 1; i < words.size(); ++i)
        if (const Status set = applyAssignment(experiment, words[i]); !set)
            return fail(set.error());
    RunConfig& config = experiment.run;
    config.train.length = {std::atoll(words.front().c_str()), Extent::Unit::Updates};
    if (!timeline.empty() && config.train.length.count < WindowTrace::leastUpdates) {
        std::cerr << "bench_training: a timeline needs " << WindowTrace::leastUpdates << " updates or more\n";
        return 2;
    }
    config.evaluate.every = {0, Extent::Unit::Epochs};
    config.checkpoint.every = {0, Extent::Unit::Epochs};
    auto data = loadDataset(config.data, resourceFolder("datasets").parent_path());
    if (!data)
        return fail(data.error());
    TrainerSetup setup;
    setup.config = config;
    setup.data = *data;
    setup.folder = std::filesystem::temp_directory_path() / "accumulus-bench";
    if (config.device.lanes == 0) {
        const auto lanes = calibrateLanes(setup, availableCores());
        if (!lanes)
            return fail(lanes.error());
        setup.lanes = *lanes;
    } else {
        setup.lanes = resolveLanes(config.device, Arm::Accumulated, 1, availableCores());
    }
    nlohmann::json result;
    for (const bool watched : {false, true}) {
        if (watched && !profiled)
            break;
        auto trainer = Trainer::create(setup);
        if (!trainer)
            return fail(trainer.error());
        KeepingObserver observer;
        OperatorTimes times(watched);
        observer.operators = &times;
        observer.updates = config.train.length.count;
        WindowTrace trace(timeline, observer.updates, (*trainer)->device().isGpu());
        observer.trace = &trace;
        const TrainingEnd end = (*trainer)->train(observer);
        std::filesystem::remove_all(setup.folder);
        if (end.error)
            return fail(*end.error);
        if (watched) {
            for (const auto& [name, time] : times.selfSeconds())
                result["operators_ms_per_window"].push_back(
                    {name, 1e3 * time / static_cast<double>(observer.windows.size())});
            const double window = result["milliseconds_per_window"]["all"].get<double>() / 1e3;
            const auto steps = static_cast<double>(observer.windows.front().microSteps);
            result["noise_scale_share"] = steps * squaresCost((*trainer)->parameterCount()) / window;
            break;
        }
        result = figures(observer.windows);
        for (const EvaluationRecord& evaluation : observer.evaluations)
            result["evaluations"].push_back(
                {{"samples", evaluation.count},
                 {"samples_per_second", static_cast<double>(evaluation.count) / evaluation.seconds},
                 {"peak_bytes", evaluation.peakBytes}});
        result["lanes"] = setup.lanes.lanes;
        result["threads"] = setup.lanes.threads;
        result["bytes_between_windows"] = MemoryCounter::current(); // weights, sums, optimizer and buffers
        result["parameters"] = (*trainer)->parameterCount();
        result["first_loss"] = observer.windows.front().loss;
        result["weights_hash"] = end.summary.weightsHash;
    }
    std::cout << result.dump() << '\n';
    return 0;
}
