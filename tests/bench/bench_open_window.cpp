// SPDX-License-Identifier: GPL-3.0-or-later
// What Live's window strip costs: samples per second of the engine alone, of the engine that writes how far the open
// window is after each micro-step, and of one that somebody reads meanwhile 30 times a second, as the window does.
// Trainings of two seconds in interleaved rounds; medians, and the median, lowest and highest ratio within a round.
//   bench_open_window [ROUNDS [KEY=VALUE ...]]      settings as for accumulus-cli run --set; without them three
//   networks, of which the first makes as many micro-steps a second as a network can
#include "core/train/trainer.h"

#include "core/base/clock.h"
#include "core/config/config_fields.h"
#include "core/run/environment.h"
#include "core/run/program.h"
#include "core/run/window_gauge.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace accumulus;

namespace {

constexpr double warmUp = 0.3, measured = 2.0; // seconds
constexpr int usualRounds = 15;
constexpr std::chrono::milliseconds glance{33}; // as WindowWatch

enum Way { Unseen, Written, Read, Ways };
constexpr std::array<const char*, Ways> titles{"nobody asks", "written", "read at 30 Hz"};

class Observer final : public TrainingObserver {
public:
    explicit Observer(WindowGauge* gauge) : m_gauge(gauge) {}

    Wish proceed() override { return m_enough.load(std::memory_order_relaxed) ? Wish::Stop : Wish::GoOn; }
    [[nodiscard]] double pausedSeconds() const override { return 0.0; }
    void windowProgressed(const WindowProgress& progress) override {
        if (m_gauge)
            m_gauge->set(progress);
    }
    Status windowClosed(const WindowRecord& window) override {
        const double now = m_clock.seconds();
        if (!m_first && now >= warmUp)
            m_first = Mark{now, window.samples, m_microSteps};
        m_microSteps += window.microSteps;
        m_last = {now, window.samples, m_microSteps};
        if (m_first && now >= m_first->seconds + measured)
            m_enough = true;
        return {};
    }
    Status evaluated(const EvaluationRecord&) override { return {}; }
    Status checkpointSaved(const CheckpointRecord&) override { return {}; }
    void noted(const std::string&, const Message&, std::int64_t) override {}

    [[nodiscard]] double samplesPerSecond() const { return perSecond(m_last.samples - m_first->samples); }
    [[nodiscard]] double microStepsPerSecond() const { return perSecond(m_last.microSteps - m_first->microSteps); }

private:
    struct Mark {
        double seconds = 0.0;
        std::int64_t samples = 0, microSteps = 0;
    };
    [[nodiscard]] double perSecond(std::int64_t count) const {
        return static_cast<double>(count) / (m_last.seconds - m_first->seconds);
    }

    WindowGauge* m_gauge;
    Stopwatch m_clock;
    std::atomic<bool> m_enough{false};
    std::optional<Mark> m_first;
    Mark m_last;
    std::int64_t m_microSteps = 0;
};

/// Looks until it goes.
class Reader {
public:
    explicit Reader(const WindowGauge& gauge)
        : m_thread([&gauge](const std::stop_token& stop) {
              WindowProgress seen;
              while (!stop.stop_requested()) {
                  if (const WindowProgress now = gauge.read(); !(now == seen))
                      seen = now;
                  std::this_thread::sleep_for(glance);
              }
          }) {}

private:
    std::jthread m_thread;
};

struct Speed {
    double samples = 0.0, microSteps = 0.0; ///< a second
};

Result<Speed> train(const TrainerSetup& setup, Way way) {
    ACCUMULUS_TRY_ASSIGN(const auto trainer, Trainer::create(setup));
    WindowGauge gauge;
    Observer observer(way == Unseen ? nullptr : &gauge);
    std::optional<Reader> reader;
    if (way == Read)
        reader.emplace(gauge);
    const TrainingEnd end = trainer->train(observer);
    std::filesystem::remove_all(setup.folder);
    if (end.error)
        return failure(*end.error);
    return Speed{observer.samplesPerSecond(), observer.microStepsPerSecond()};
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// One that ends when its time is over, with nothing beside its windows.
Result<TrainerSetup> setupOf(const std::vector<std::string>& settings) {
    ExperimentConfig experiment;
    for (const std::string& setting : settings)
        ACCUMULUS_TRY(applyAssignment(experiment, setting));
    RunConfig& config = experiment.run;
    config.train.length = {1'000'000, Extent::Unit::Updates};
    config.evaluate.every = {0, Extent::Unit::Epochs};
    config.checkpoint.every = {0, Extent::Unit::Epochs};
    TrainerSetup setup;
    ACCUMULUS_TRY_ASSIGN(setup.data, loadDataset(config.data, resourceFolder("datasets").parent_path()));
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(config.batch));
    setup.lanes = resolveLanes(config.device, Arm::Accumulated, batch.steps, availableCores());
    setup.folder = std::filesystem::temp_directory_path() / "accumulus-bench";
    setup.config = config;
    return setup;
}

Status measure(const std::string& title, const std::vector<std::string>& settings, int rounds) {
    ACCUMULUS_TRY_ASSIGN(const TrainerSetup setup, setupOf(settings));
    std::array<std::vector<double>, Ways> speeds, ratios;
    std::vector<double> microSteps;
    for (int round = 0; round < rounds; ++round) {
        std::array<double, Ways> inRound{};
        for (int turn = 0; turn < Ways; ++turn) { // each is the first of a round as often as the others
            const auto way = static_cast<Way>((round + turn) % Ways);
            ACCUMULUS_TRY_ASSIGN(const Speed speed, train(setup, way));
            speeds[way].push_back(inRound[way] = speed.samples);
            microSteps.push_back(speed.microSteps);
        }
        for (int way = 0; way < Ways; ++way)
            ratios[way].push_back(inRound[way] / inRound[Unseen]);
    }
    std::printf("%s: %.0f micro-steps/s on %d lanes, %d rounds\n", title.c_str(), median(microSteps), setup.lanes.lanes,
                rounds);
    for (int way = 0; way < Ways; ++way)
        std::printf("  %-14s %12.0f samples/s   ratio %.4f (%.4f to %.4f)\n", titles[way], median(speeds[way]),
                    median(ratios[way]), std::ranges::min(ratios[way]), std::ranges::max(ratios[way]));
    std::fflush(stdout);
    return {};
}

int fail(const Error& error) {
    std::cerr << describe(error) << '\n';
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const int rounds = words.empty() ? usualRounds : std::atoi(words.front().c_str());
    if (rounds < 1) {
        std::cerr << "usage: bench_open_window [ROUNDS [KEY=VALUE ...]]\n";
        return 2;
    }
    if (words.size() > 1) {
        const Status done = measure("as set", {words.begin() + 1, words.end()}, rounds);
        return done ? 0 : fail(done.error());
    }
    const std::vector<std::pair<std::string, std::vector<std::string>>> networks{
        {"perceptron 784-8-10, m = 1, K = 64",
         {"model.name=mlp", "model.hidden=[8]", "batch.micro=1", "batch.effective=64", "device.lanes=1"}},
        {"perceptron, m = 32, K = 8", {"model.name=mlp", "batch.micro=32", "batch.effective=256"}},
        {"LeNet-5, m = 32, K = 8", {"model.name=lenet5", "batch.micro=32", "batch.effective=256"}}};
    for (const auto& [title, settings] : networks)
        if (const Status done = measure(title, settings, rounds); !done)
            return fail(done.error());
    return 0;
}
