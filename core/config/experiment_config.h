// SPDX-License-Identifier: GPL-3.0-or-later
// Every setting of an experiment as plain values. Keys, units, ranges, defaults and help stand in config_fields; this is only storage.
// Copyable, comparable, no invariants of its own: config_check says what is wrong with one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace accumulus {

// The order of each enumeration is the order of the choices in config_fields.
enum class RaggedPolicy { Refuse, Weight };
enum class TailPolicy { Apply, Drop, Carry, Leak };
enum class Normalise { Samples, Tokens, MeanOfMeans, SumOfMeans };
enum class OptimizerKind { Sgd, Adam, AdamW };
enum class ScheduleKind { Constant, Linear, Cosine, Step };
enum class Precision { Fp64, Fp32 };
enum class NonfinitePolicy { Stop, SkipUpdate };

/// An amount with its unit, for example "3 epochs", "500 updates", "60000 samples".
struct Extent {
    enum class Unit { Updates, Samples, Epochs };
    std::int64_t count = 0;
    Unit unit = Unit::Epochs;
    bool operator==(const Extent&) const = default;
};

struct DataConfig {
    std::string dataset = "mnist";
    std::string path;
    std::int64_t trainLimit = 0;
    std::int64_t testLimit = 0;
    std::int64_t validation = 0;
    std::int64_t resize = 0;
    bool shuffle = true;
    bool operator==(const DataConfig&) const = default;
};

struct ModelConfig {
    std::string name = "lenet5";
    std::string init = "default";
    double initStd = 0.02;
    bool operator==(const ModelConfig&) const = default;
};

struct BatchConfig {
    std::int64_t effective = 128;
    std::int64_t micro = 32;
    std::int64_t steps = 0;
    std::int64_t devices = 1;
    RaggedPolicy ragged = RaggedPolicy::Refuse;
    TailPolicy tail = TailPolicy::Apply;
    bool operator==(const BatchConfig&) const = default;
};

struct LossConfig {
    Normalise normalise = Normalise::Samples;
    double labelSmoothing = 0.0;
    bool operator==(const LossConfig&) const = default;
};

struct OptimizerConfig {
    OptimizerKind name = OptimizerKind::Sgd;
    double lr = 0.01;
    double momentum = 0.9;
    bool nesterov = false;
    double weightDecay = 0.0;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double eps = 1e-8;
    bool operator==(const OptimizerConfig&) const = default;
};

struct ScheduleConfig {
    ScheduleKind kind = ScheduleKind::Constant;
    Extent warmup{0, Extent::Unit::Updates};
    Extent stepEvery{1, Extent::Unit::Epochs}; ///< step schedule: interval between two decays
    double stepFactor = 0.1;                   ///< step schedule: lr is multiplied by this
    double finalLrFraction = 0.0;              ///< linear and cosine: lr at the end as a fraction of lr
    bool operator==(const ScheduleConfig&) const = default;
};

struct TrainConfig {
    Extent length{3, Extent::Unit::Epochs};
    double clipNorm = 0.0;
    bool operator==(const TrainConfig&) const = default;
};

struct NumericsConfig {
    Precision precision = Precision::Fp32;
    NonfinitePolicy nonfinite = NonfinitePolicy::Stop;
    bool operator==(const NumericsConfig&) const = default;
};

struct DeviceConfig {
    std::string kind = "auto"; ///< auto | cpu
    std::int64_t lanes = 0;    ///< 0: chosen by the program
    std::int64_t threads = 0;  ///< per lane; 0: chosen by the program
    bool operator==(const DeviceConfig&) const = default;
};

struct EvaluateConfig {
    Extent every{1, Extent::Unit::Epochs}; ///< count 0: only at the end
    bool operator==(const EvaluateConfig&) const = default;
};

struct CheckpointConfig {
    Extent every{1, Extent::Unit::Epochs}; ///< count 0: only at the end
    std::int64_t keep = 3;                 ///< periodic checkpoints kept; best, last and initial are kept besides
    bool best = true;
    bool initial = false;
    bool operator==(const CheckpointConfig&) const = default;
};

/// How one run trains.
struct RunConfig {
    DataConfig data;
    ModelConfig model;
    BatchConfig batch;
    LossConfig loss;
    OptimizerConfig optimizer;
    ScheduleConfig schedule;
    TrainConfig train;
    NumericsConfig numerics;
    DeviceConfig device;
    EvaluateConfig evaluate;
    CheckpointConfig checkpoint;
    bool operator==(const RunConfig&) const = default;
};

/// What is run and compared.
struct StudyConfig {
    std::string name; ///< shown in the library; the file's name when empty
    std::vector<std::int64_t> seeds{0};
    bool largeBatch = false;
    double margin = 0.002; ///< equivalence margin of `metric`, in the metric's own unit
    std::string metric = "test_accuracy";
    bool operator==(const StudyConfig&) const = default;
};

struct ExperimentConfig {
    RunConfig run;
    StudyConfig study;
    bool operator==(const ExperimentConfig&) const = default;
};

enum class Arm { Accumulated, LargeBatch };

/// "accumulated" or "large-batch".
[[nodiscard]] std::string armName(Arm arm);

/// "3 epochs", "1 update".
[[nodiscard]] std::string extentText(const Extent& extent);

} // namespace accumulus
