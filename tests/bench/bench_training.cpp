// SPDX-License-Identifier: GPL-3.0-or-later
// Samples per second of the engine alone, one JSON line. Used by compare_frameworks.py, which runs it in turn with PyTorch loops.
//   bench_training MODEL MICRO STEPS UPDATES [LANES THREADS]
#include "core/train/trainer.h"

#include "core/run/environment.h"

#include <cstdlib>
#include <iostream>

using namespace accumulus;

namespace {

struct SilentObserver final : TrainingObserver {
    Wish proceed() override { return Wish::GoOn; }
    [[nodiscard]] double pausedSeconds() const override { return 0.0; }
    Status windowClosed(const WindowRecord& window) override {
        seconds.push_back(window.seconds);
        return {};
    }
    Status evaluated(const EvaluationRecord&) override { return {}; }
    Status checkpointSaved(const CheckpointRecord&) override { return {}; }
    Status checkpointRemoved(const std::string&) override { return {}; }
    void noted(const std::string&, const std::string&, const std::string&, std::int64_t) override {}
    std::vector<double> seconds;
};

} // namespace

int main(int argc, char** argv) {
    if (argc < 5) {
        std::cerr << "usage: bench_training MODEL MICRO STEPS UPDATES [LANES THREADS]\n";
        return 2;
    }
    RunConfig config;
    config.model.name = argv[1];
    config.batch.micro = std::atoll(argv[2]);
    config.batch.effective = config.batch.micro * std::atoll(argv[3]);
    config.train.length = {std::atoll(argv[4]), Extent::Unit::Updates};
    config.data.resize = config.model.name == "lenet5" ? 32 : 0;
    config.data.testLimit = 1000;
    config.evaluate.every = {0, Extent::Unit::Epochs};
    config.checkpoint.every = {0, Extent::Unit::Epochs};
    if (argc > 6) {
        config.device.lanes = std::atoll(argv[5]);
        config.device.threads = std::atoll(argv[6]);
    }
    auto data = loadDataset(config.data, resourceFolder("datasets").parent_path());
    if (!data) {
        std::cerr << describe(data.error()) << '\n';
        return 3;
    }
    TrainerSetup setup;
    setup.config = config;
    setup.data = *data;
    setup.lanes = resolveLanes(config.device, Arm::Accumulated, std::atoll(argv[3]), availableCores());
    setup.folder = std::filesystem::temp_directory_path() / "accumulus-bench";
    auto trainer = Trainer::create(setup);
    if (!trainer) {
        std::cerr << describe(trainer.error()) << '\n';
        return 1;
    }
    SilentObserver observer;
    const TrainingEnd end = (*trainer)->train(observer);
    std::filesystem::remove_all(setup.folder);
    // The first windows warm up caches and the allocator.
    const std::size_t skip = observer.seconds.size() / 10;
    double seconds = 0.0;
    for (std::size_t i = skip; i < observer.seconds.size(); ++i)
        seconds += observer.seconds[i];
    const double samples = static_cast<double>(observer.seconds.size() - skip) * static_cast<double>(config.batch.effective);
    std::cout << "{\"samples_per_second\": " << samples / seconds << ", \"lanes\": " << setup.lanes.lanes
              << ", \"threads\": " << setup.lanes.threads << ", \"weights_hash\": \"" << end.summary.weightsHash << "\"}\n";
    return end.error ? 6 : 0;
}
