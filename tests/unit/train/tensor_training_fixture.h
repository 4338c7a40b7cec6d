// SPDX-License-Identifier: GPL-3.0-or-later
// Training on a person's own tensors: samples that can be learnt, in a file of their own.
#pragma once

#include "tests/support/training.h"
#include "tests/unit/data/tensor_bytes.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace accumulus::test {

inline constexpr std::int64_t madeSamples = 64;

/// Learnable: the class is the place of the largest of the first five numbers.
struct Made {
    std::vector<float> inputs;
    std::vector<std::int64_t> targets;
};
inline Made makeSamples(std::int64_t count, std::int64_t size) {
    Made made;
    std::mt19937_64 engine(7);
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::int64_t j = 0; j < size; ++j)
            made.inputs.push_back(static_cast<float>(engine() % 2001) / 1000.0F - 1.0F);
        const auto first = made.inputs.end() - size;
        made.targets.push_back(std::max_element(first, first + 5) - first);
    }
    return made;
}

/// Samples [3, 4, 4] with labels; every tenth target is ignored where `ignored`.
inline std::string npz(bool deflated = false, bool ignored = false) {
    Made made = makeSamples(madeSamples, 48);
    for (std::size_t i = 0; ignored && i < made.targets.size(); i += 10)
        made.targets[i] = -100;
    return zipBytes({{"inputs.npy", npyBytes("<f4", "(64, 3, 4, 4)", bytesOf(made.inputs)), deflated},
                     {"targets.npy", npyBytes("<i8", "(64,)", bytesOf(made.targets)), deflated},
                     {"test_inputs.npy", npyBytes("<f4", "(64, 3, 4, 4)", bytesOf(made.inputs)), deflated},
                     {"test_targets.npy", npyBytes("<i8", "(64,)", bytesOf(made.targets)), deflated}});
}

/// Samples [48] and nothing beside them: no test samples.
inline std::string plainNpz(const Made& made) {
    return zipBytes({{"inputs.npy", npyBytes("<f4", "(64, 48)", bytesOf(made.inputs)), false},
                     {"targets.npy", npyBytes("<i8", "(64,)", bytesOf(made.targets)), false}});
}

inline RunConfig configOf(const QTemporaryDir& folder, const std::string& bytes, std::int64_t micro = 4) {
    const std::string file = folder.filePath("data.npz").toStdString();
    std::filesystem::remove(file);
    std::ofstream(file, std::ios::binary) << bytes;
    RunConfig config = smallConfig(0, 16, micro);
    config.data.dataset = "tensors";
    config.data.testLimit = 0;
    config.data.path = file;
    config.model.hidden = {16};
    config.train.length = {6, Extent::Unit::Updates};
    return config;
}

inline std::string hashOfRun(const RunConfig& config, const QTemporaryDir& folder, LanePlan lanes = {1, 1}) {
    RecordingObserver observer;
    const TrainingEnd end = Trainer::create(makeSetup(config, folder, lanes)).value()->train(observer);
    return end.error ? describe(*end.error) : end.summary.weightsHash;
}

} // namespace accumulus::test
