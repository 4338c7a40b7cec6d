// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of checkpoint files share: small files written byte by byte, and a run's whole progress that can be
// saved and read. For Qt Test programs with LibTorch.
#pragma once

#include "core/model/model.h"
#include "core/model/safetensors.h"
#include "core/train/checkpoint.h"
#include "tests/support/training.h"
#include "tests/support/windows.h"

#include <ATen/ATen.h>

#include <cstring>
#include <fstream>
#include <sys/resource.h>

namespace accumulus::test {

namespace fs = std::filesystem;

inline fs::path inFolder(const QTemporaryDir& folder, const char* name) {
    return fs::path(folder.path().toStdString()) / name;
}

inline std::string contentOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline fs::path writeBytes(const fs::path& file, const std::string& bytes) {
    fs::remove(file); // file systems sync a file that is written over, which thousands would wait for
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
}

inline bool sameBytes(const at::Tensor& a, const at::Tensor& b) {
    return a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() && a.is_contiguous() && b.is_contiguous() &&
           (a.nbytes() == 0 || std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0);
}

inline std::int64_t peakBytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{usage.ru_maxrss} * 1024;
}

inline const ParameterLayout& smallLayout() {
    static const ParameterLayout layout({{"w", {3, 5}, 5, false}, {"b", {3}, 5, true}});
    return layout;
}

/// Everything that a bundle keeps, with values that differ from their defaults.
struct Progress {
    explicit Progress(const OptimizerConfig& config = sgd())
        : parameters(initialWeights(smallLayout(), {}, 1)), optimizer(config, smallLayout(), at::kDouble),
          window(test::hostWindow(smallLayout(), at::kDouble)) {}

    TrainingState state() { return {smallLayout(), parameters, noBuffers, statistics, optimizer, window, scaler}; }

    static OptimizerConfig sgd() { return {}; }
    static OptimizerConfig adam() {
        OptimizerConfig config;
        config.name = OptimizerKind::Adam;
        return config;
    }
    void commit(double value, double units) {
        window.commit({{at::full({3, 5}, value, at::kDouble), at::full({3}, -value, at::kDouble)}, units, value});
    }
    void train() {
        for (const double value : {0.5, -0.25, 3.0}) {
            commit(value, 8);
            (void)window.close();
            optimizer.update(parameters, window.gradient(), window.touched(), 0.1);
            window.clear();
        }
    }

    at::Tensor parameters;
    FlatOptimizer optimizer;
    GradientWindow window;
    ParameterLayout noBuffers;
    RunningStatistics statistics{noBuffers, BatchNormMode::Micro, at::kDouble};
    LossScaler scaler{Precision::Fp64, "dynamic"};
    TrainingProgress counters{{3, 17}, 41, 39, 300, 1234, 640, 3, 5, 2, 3.25, 12.5, 0.75, std::nullopt};
};

} // namespace accumulus::test
