// SPDX-License-Identifier: GPL-3.0-or-later
// Every setting of an experiment as plain values. Keys, units, ranges, defaults and help stand in config_fields; this
// is only storage. Copyable, comparable, no invariants of its own: config_check says what is wrong with one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace accumulus {

// The order of each enumeration is the order of the choices in config_fields.
enum class RaggedPolicy { Refuse, Weight };
enum class TailPolicy { Apply, Drop, Carry, Leak };
enum class LossKind { CrossEntropy, Mse, L1, Huber, BceWithLogits, Model };
enum class Normalise { Samples, Tokens, MeanOfMeans, SumOfMeans, NominalSteps };
enum class OptimizerKind { Sgd, Adam, AdamW };
enum class LrRule { Keep, Linear, SquareRoot };
enum class ScheduleKind { Constant, Linear, Cosine, Step };
enum class Precision { Fp64, Fp32, Bf16, Fp16 };
enum class AccumulatorKind { Auto, Fp32, Bf16 };
enum class BatchNormMode { Micro, Pooled, Frozen };
enum class NonfinitePolicy { Stop, SkipUpdate, SkipMicro };
enum class OnOutOfMemory { Resplit, Stop };
enum class Layout { Auto, On, Off };
enum class CapturePolicy { Auto, On, Off };
enum class ParallelMode { Ddp, Zero1, Zero2 };
enum class ReductionOrder { Ranks, MicroSteps };

/// An amount with its unit, for example "3 epochs", "500 updates", "60000 samples".
struct Extent {
    enum class Unit { Updates, Samples, Epochs };
    std::int64_t count = 0;
    Unit unit = Unit::Epochs;
    bool operator==(const Extent&) const = default;
};

/// From update `update` (1, 2, ...) on, the effective batch is `effective`.
struct RampPoint {
    std::int64_t update = 1;
    std::int64_t effective = 1;
    bool operator==(const RampPoint&) const = default;
};
using BatchRamp = std::vector<RampPoint>;

struct DataConfig {
    std::string dataset = "mnist";
    std::string path;
    std::string testPath; ///< a file of its own for the test part; empty: the same file, or data.validation
    std::int64_t trainLimit = 0;
    std::int64_t testLimit = 0;
    std::int64_t validation = 0;
    std::int64_t resize = 0;
    bool shuffle = true;
    bool dropLast = false;           ///< leave out the short last micro-batch of an epoch
    std::int64_t dropMultiple = 0;   ///< with dropLast: what an epoch's samples are a multiple of; 0: the micro-batch
    std::string augment = "none";    ///< none | crop-flip
    std::int64_t block = 64;         ///< text: tokens of one sample
    std::int64_t vocabulary = 0;     ///< token files: how many tokens there are; 0: as many as are found
    std::string target;              ///< tables: the column to predict
    std::vector<double> mean{};      ///< tensors: taken off the inputs, one value or one per channel; empty: nothing
    std::vector<double> deviation{}; ///< tensors: by what they are then divided; empty: 1
    bool operator==(const DataConfig&) const = default;
};

struct ModelConfig {
    std::string name = "lenet5";
    std::string init = "default";
    double initStd = 0.02;
    std::string stem = "imagenet"; ///< ResNets: imagenet | cifar
    std::string norm = "batch";    ///< ResNets: batch | group
    std::int64_t layers = 4;       ///< transformers
    std::int64_t heads = 4;        ///< transformers
    std::int64_t width = 128;      ///< transformers: channels of the residual stream
    double dropout = 0.0;
    std::vector<std::int64_t> hidden{512, 512}; ///< mlp: outputs of each hidden layer
    std::string path;                           ///< file: a TorchScript module
    std::string weights;                        ///< initial weights: safetensors or a PyTorch state dict; empty: drawn
    bool newHead = false;                       ///< parameters whose shapes differ in model.weights are drawn anew
    std::vector<std::string> freeze{};          ///< patterns of names of parameters that are not trained
    bool operator==(const ModelConfig&) const = default;
};

struct BatchConfig {
    std::int64_t effective = 128;
    std::int64_t micro = 32;
    std::int64_t steps = 0;
    std::int64_t devices = 1;
    RaggedPolicy ragged = RaggedPolicy::Refuse;
    TailPolicy tail = TailPolicy::Apply;
    BatchRamp ramp{}; ///< empty: B = effective throughout
    bool lean = false;
    bool operator==(const BatchConfig&) const = default;
};

struct LossConfig {
    LossKind kind = LossKind::CrossEntropy;
    double delta = 1.0;                 ///< huber: where the square becomes a line
    std::vector<double> classWeights{}; ///< cross-entropy: one per class; empty: all 1
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
    std::int64_t lrBatch = 0;     ///< the effective batch that lr was tuned for; 0: the run's own
    LrRule lrRule = LrRule::Keep; ///< how lr came from there; a note: lr is used as it stands
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
    AccumulatorKind accumulator = AccumulatorKind::Auto;
    std::string lossScale = "dynamic"; ///< "dynamic" or a number; fp16 only
    BatchNormMode batchNorm = BatchNormMode::Micro;
    std::int64_t ghost = 0; ///< samples per BatchNorm group inside a micro-batch; 0: the whole micro-batch
    Layout channelsLast = Layout::Auto;
    bool winograd = true; ///< convolutions by fewer products where that wins
    bool deterministic = true;
    NonfinitePolicy nonfinite = NonfinitePolicy::Stop;
    bool operator==(const NumericsConfig&) const = default;
};

struct DeviceConfig {
    std::string kind = "auto"; ///< auto | cpu | cuda | cuda:N
    std::int64_t lanes = 0;    ///< 0: chosen by the program
    std::int64_t threads = 0;  ///< per lane; 0: chosen by the program
    std::string memoryLimit;   ///< "" or an amount such as "2 GiB"
    OnOutOfMemory onOom = OnOutOfMemory::Resplit;
    CapturePolicy capture = CapturePolicy::Auto; ///< GPUs: CUDA graphs
    bool operator==(const DeviceConfig&) const = default;
};

/// How several ranks share a run; without effect on one.
struct ParallelConfig {
    ParallelMode mode = ParallelMode::Ddp;
    ReductionOrder order = ReductionOrder::Ranks;
    bool operator==(const ParallelConfig&) const = default;
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

struct ProbeConfig {
    std::string parameter; ///< name of the parameter whose first elements are recorded at every micro-step; empty: none
    bool operator==(const ProbeConfig&) const = default;
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
    ParallelConfig parallel;
    EvaluateConfig evaluate;
    CheckpointConfig checkpoint;
    ProbeConfig probe;
    bool operator==(const RunConfig&) const = default;
};

/// What is run and compared.
struct StudyConfig {
    std::string name; ///< shown in the library; the file's name when empty
    std::vector<std::int64_t> seeds{0};
    bool largeBatch = false;
    bool ghost = false;          ///< the large-batch arm normalises in groups of the partner's micro-batch
    double margin = 0.0;         ///< equivalence margin of `metric`, in the metric's own unit; 0: its default
    std::string metric = "auto"; ///< a name of metricRows; "auto": the main metric of the loss
    bool operator==(const StudyConfig&) const = default;
};

struct ExperimentConfig {
    RunConfig run;
    StudyConfig study;
    bool operator==(const ExperimentConfig&) const = default;
};

enum class Arm { Accumulated, LargeBatch };

/// Samples are pieces of text, not images or tensors.
[[nodiscard]] bool isText(const DataConfig& data);
/// A layer mixes the samples of a micro-batch.
[[nodiscard]] bool hasBatchNorm(const ModelConfig& model);
/// The same, or only trying it will tell (a network from a file).
[[nodiscard]] bool mayHaveBatchNorm(const ModelConfig& model);

/// "accumulated" or "large-batch".
[[nodiscard]] std::string armName(Arm arm);

/// "3 epochs", "1 update".
[[nodiscard]] std::string extentText(const Extent& extent);

} // namespace accumulus
