// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/micro_trial.h"

#include "core/base/available_memory.h"
#include "core/base/median.h"
#include "core/config/byte_size.h"
#include "core/cuda/device.h"
#include "core/engine/engine_trial.h"
#include "core/engine/memory_counter.h"
#include "core/train/lane_calibration.h"
#include "core/train/trainer.h"

#include <algorithm>
#include <utility>

namespace accumulus {
namespace {

/// When enough windows were timed.
struct Patience {
    std::size_t windows = 20; ///< beside those that warm up
    double seconds = 1.0;     ///< that they take at least
    double atMost = 5.0;      ///< seconds after which so many are enough:
    std::size_t atLeast = 3;
};
constexpr Patience measuring{};
constexpr Patience confirming{200, 1.0, 10.0, 3};
constexpr std::size_t warmUpWindows = 2; // windows
constexpr double warmUpSeconds = 1.0;    // after which one is enough
constexpr double longWindow = 1.5;       // seconds
constexpr std::int64_t roundsShort = 1;  // micro-steps a lane of the two short windows
constexpr std::int64_t roundsLong = 3;

/// Times full windows, and ends the run when it has enough of them. Keeps no checkpoint.
class WindowTimer final : public TrainingObserver {
public:
    WindowTimer(std::int64_t effective, const Patience& patience) : m_effective(effective), m_patience(patience) {}

    Wish proceed() override { return m_enough ? Wish::Stop : Wish::GoOn; }
    [[nodiscard]] double pausedSeconds() const override { return 0.0; }
    Status windowClosed(const WindowRecord& window) override {
        m_peakBytes = std::max(m_peakBytes, window.peakBytes);
        const std::int64_t samples = window.samples - std::exchange(m_samples, window.samples);
        if (samples != m_effective) // the short last window of an epoch says nothing
            return {};
        if (m_warmedUp < warmUpWindows && m_warmUpSeconds < warmUpSeconds) {
            ++m_warmedUp;
            m_warmUpSeconds += window.seconds;
            return {};
        }
        m_seconds.push_back(window.seconds);
        m_updateSeconds.push_back(window.updateSeconds);
        m_total += window.seconds;
        m_enough = (m_seconds.size() >= m_patience.windows && m_total >= m_patience.seconds) ||
                   (m_seconds.size() >= m_patience.atLeast && m_total >= m_patience.atMost);
        return {};
    }
    Status evaluated(const EvaluationRecord& /*evaluation*/) override { return {}; }
    Status checkpointBegins() override { return failure(Error{}); } // nothing is kept
    Status checkpointSaved(const CheckpointRecord& /*checkpoint*/) override { return {}; }
    void noted(const std::string& /*level*/, const Message& /*message*/, std::int64_t /*update*/) override {}

    [[nodiscard]] bool hasEnough() const { return m_seconds.size() >= m_patience.atLeast; }
    [[nodiscard]] double seconds() const { return upperMedian(m_seconds); }
    [[nodiscard]] double updateSeconds() const { return upperMedian(m_updateSeconds); }
    [[nodiscard]] std::int64_t peakBytes() const { return m_peakBytes; }

private:
    std::int64_t m_effective;
    Patience m_patience;
    bool m_enough = false;
    std::int64_t m_samples = 0;
    std::size_t m_warmedUp = 0; ///< windows that are not counted
    double m_warmUpSeconds = 0.0;
    double m_total = 0.0;
    std::vector<double> m_seconds, m_updateSeconds;
    std::int64_t m_peakBytes = 0;
};

/// The run without an end, and without what is done beside its windows.
TrainerSetup bareRun(const EngineSetup& setup) {
    TrainerSetup bare;
    static_cast<EngineSetup&>(bare) = setup;
    constexpr std::int64_t endless = 1'000'000;
    bare.config.train.length = {endless, Extent::Unit::Updates};
    bare.config.evaluate.every = {0, Extent::Unit::Epochs};
    bare.config.checkpoint = {{0, Extent::Unit::Epochs}, 0, false, false};
    bare.config.probe.parameter.clear();
    bare.config.numerics.nonfinite = NonfinitePolicy::SkipUpdate;
    bare.config.device.onOom = OnOutOfMemory::Stop;
    return bare;
}

struct TimedWindows {
    double seconds = 0.0, updateSeconds = 0.0;
    std::int64_t peakBytes = 0;
};

/// Windows of `steps` micro-steps; 0: of the run's.
Result<TimedWindows> timeWindows(const EngineSetup& setup, std::int64_t steps, const Patience& patience) {
    TrainerSetup run = bareRun(setup);
    if (steps > 0)
        run.config.batch.effective = steps * run.config.batch.micro;
    WindowTimer timer(run.config.batch.effective, patience);
    ACCUMULUS_TRY_ASSIGN(const auto trainer, Trainer::create(std::move(run)));
    const TrainingEnd end = trainer->train(timer);
    if (!timer.hasEnough() || (end.error && end.error->code == "training.memory"))
        return failure(end.error.value_or(Error{"training.engine", {{"reason", "reason.unknown-exception"}}}));
    return TimedWindows{timer.seconds(), timer.updateSeconds(), timer.peakBytes()};
}

/// Of a full window.
Result<TimedWindows> timeOf(const EngineSetup& setup, const BatchPlan& batch, double expected,
                            const Patience& patience) {
    const std::int64_t lanes = setup.config.batch.lean ? 1 : setup.lanes.lanes;
    if (expected < longWindow || batch.steps <= 2 * (roundsShort + roundsLong) * lanes)
        return timeWindows(setup, 0, patience);
    Patience half = patience;
    half.atMost /= 2.0;
    ACCUMULUS_TRY_ASSIGN(const auto small, timeWindows(setup, roundsShort * lanes, half));
    ACCUMULUS_TRY_ASSIGN(const auto large, timeWindows(setup, roundsLong * lanes, half));
    const std::int64_t rounds = (batch.steps + lanes - 1) / lanes;
    const double perRound = (large.seconds - small.seconds) / static_cast<double>(roundsLong - roundsShort);
    return TimedWindows{large.seconds + perRound * static_cast<double>(rounds - roundsLong), large.updateSeconds,
                        std::max(small.peakBytes, large.peakBytes)};
}

std::int64_t systemLimit(const DeviceChoice& choice) {
    if (choice.isGpu())
        return gpu::memoryOf(at::Device(choice.device)).free;
    const std::int64_t available = availableMemory();
    return available > 0 ? MemoryCounter::current() + available : 0;
}

/// Is refused here what a run would refuse? A run built and let go, which also sets the device's limits.
Status checkRun(const EngineSetup& setup) {
    const auto trainer = Trainer::create(bareRun(setup));
    return trainer ? Status() : Status(failure(trainer.error()));
}

Result<LanePlan> lanesOf(const EngineSetup& setup, const DeviceChoice& choice, int cores, std::int64_t steps) {
    if (choice.isGpu())
        return LanePlan{1, 1};
    if (setup.config.device.lanes == 0)
        return calibrateLanes(setup, cores);
    return resolveLanes(setup.config.device, Arm::Accumulated, steps, cores);
}

/// Peak memory, and about how long a window will take.
struct Probed {
    std::int64_t peakBytes = 0;
    double seconds = 0.0;
};
Result<Probed> probe(const EngineSetup& setup, const BatchPlan& batch, std::int64_t limit) {
    constexpr double glance = 0.05; // seconds
    EngineTrial::Settings settings;
    settings.lanes = setup.lanes;
    settings.memoryLimit = limit;
    ACCUMULUS_TRY_ASSIGN(const auto trial, EngineTrial::create(setup, settings));
    ACCUMULUS_TRY_ASSIGN(const auto peak, trial->peakBytes());
    ACCUMULUS_TRY_ASSIGN(const auto perSample, trial->secondsPerSample(glance));
    return Probed{peak, perSample * static_cast<double>(batch.effective)};
}

} // namespace

Result<MicroTrial> tryMicroBatch(const EngineSetup& original, int cores, TrialKind kind) {
    EngineSetup setup = original;
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(setup.config.batch));
    setup.config.batch.effective = batch.effective;
    setup.config.batch.steps = 0;
    ACCUMULUS_TRY_ASSIGN(const auto choice, chooseDevice(setup.config.device.kind));
    ACCUMULUS_TRY_ASSIGN(const auto limit, parseBytes(setup.config.device.memoryLimit));
    setup.lanes = resolveLanes(setup.config.device, Arm::Accumulated, 1, cores);
    ACCUMULUS_TRY(checkRun(setup));
    MemoryCounter::setLimit(0); // calibration minds it by itself
    MicroTrial trial;
    trial.memoryLimit = limit > 0 ? limit : systemLimit(choice);
    ACCUMULUS_TRY_ASSIGN(trial.lanes, lanesOf(setup, choice, cores, batch.steps));
    setup.lanes = trial.lanes;
    ACCUMULUS_TRY_ASSIGN(const auto probed, probe(setup, batch, trial.memoryLimit));
    const Patience& patience = kind == TrialKind::Confirm ? confirming : measuring;
    ACCUMULUS_TRY_ASSIGN(const auto timed, timeOf(setup, batch, probed.seconds, patience));
    trial.updateSeconds = timed.seconds;
    trial.fixedSeconds = timed.updateSeconds;
    trial.peakBytes = std::max(probed.peakBytes, timed.peakBytes);
    return trial;
}

} // namespace accumulus
