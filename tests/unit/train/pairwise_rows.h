// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that test_pairwise combines, the run that a row of them makes, and what a row may be refused for.
#pragma once

#include "tests/support/covering_array.h"
#include "tests/support/plain_training.h"
#include "tests/support/small_nets.h"
#include "tests/support/training.h"

#include <algorithm>
#include <array>
#include <functional>
#include <random>

namespace accumulus::test {

// The order of the factors, and of their values where a rule names one.
enum F : std::size_t {
    Net,
    PrecisionOf,
    Accumulator,
    Lean,
    Nonfinite,
    Sample,
    NormMode,
    Norm,
    Ragged,
    Tail,
    Ramp,
    NormaliseBy,
    Clip,
    Optimizer,
    LaneCount,
    Memory,
    Dropout,
    Augment,
    Resume,
    Path
};
enum NetValue : std::size_t { mlp, convnet, resnet, gpt, bert };
enum PathValue : std::size_t { host, deferred, recorded };

inline const std::vector<Factor>& factors() {
    static const std::vector<Factor> all = {
        {"net", {"mlp", "convnet", "resnet", "char-gpt", "bert-mini"}},
        {"precision", {"fp64", "fp32", "bf16", "fp16"}},
        {"accumulator", {"auto", "fp32", "bf16"}},
        {"lean", {"no", "yes"}},
        {"nonfinite", {"stop", "skip-update", "skip-micro"}},
        {"sample", {"sound", "spoilt"}},
        {"batch_norm", {"micro", "pooled", "frozen"}},
        {"norm", {"batch", "group"}},
        {"ragged", {"refuse", "weight"}},
        {"tail", {"apply", "drop", "carry", "leak"}},
        {"ramp", {"none", "at update 2"}},
        {"normalise", {"samples", "tokens", "mean-of-means", "sum-of-means"}},
        {"clip", {"off", "on"}},
        {"optimizer", {"sgd", "momentum", "nesterov", "adam", "adamw"}},
        {"lanes", {"1", "2", "3"}},
        {"memory", {"enough", "resplit"}},
        {"dropout", {"0", "0.3"}},
        {"augment", {"none", "crop-flip"}},
        {"resume", {"no", "mid-window"}},
        {"path", {"host", "deferred", "recorded"}},
    };
    return all;
}

constexpr std::int64_t samples = 30, micro = 4, block = 5, updates = 3, seed = 0;

inline bool isText(const FactorRow& row) { return row[Net] == gpt || row[Net] == bert; }
inline bool hasNorm(const FactorRow& row) { return row[Net] == convnet || row[Net] == resnet; }
inline bool mixesSamples(const FactorRow& row) { return hasNorm(row) && row[Norm] == 0 && row[NormMode] != 2; }
inline bool isSpoilt(const FactorRow& row) { return row[Sample] == 1; }
inline bool usesLanes(const FactorRow& row) { return row[Path] == host && row[Lean] == 0; }

/// Three windows and the epoch's tail among them: 12 12 6, ragged 11 11 8, with the ramp 8 16 6 and 7 17 6.
inline RunConfig configOf(const FactorRow& row) {
    RunConfig c = smallConfig(samples, 12, micro);
    c.data.dataset = isText(row) ? "tinyshakespeare" : "textures-generated";
    c.data.resize = isText(row) ? 0 : 8;
    c.data.block = block;
    c.data.trainLimit = 0;
    c.data.augment = row[Augment] == 1 && !isText(row) ? "crop-flip" : "none";
    constexpr std::array names = {"mlp", "resnet18", "resnet18", "char-gpt", "bert-mini"};
    c.model.name = names[row[Net]];
    c.model.stem = "cifar";
    c.model.layers = 1;
    c.model.heads = 2;
    c.model.width = 8;
    c.model.dropout = row[Dropout] == 1 ? 0.3 : 0.0;
    c.model.norm = row[Norm] == 1 ? "group" : "batch";
    c.batch.ragged = row[Ragged] == 0 ? RaggedPolicy::Refuse : RaggedPolicy::Weight;
    const bool ragged = row[Ragged] == 1;
    if (row[Ramp] == 1) {
        c.batch.effective = ragged ? 7 : 8;
        c.batch.ramp = {{2, ragged ? 17 : 16}};
    } else if (ragged) {
        c.batch.effective = 11;
    }
    c.batch.tail = static_cast<TailPolicy>(row[Tail]);
    c.batch.lean = row[Lean] == 1;
    c.loss.normalise = static_cast<Normalise>(row[NormaliseBy]);
    c.loss.labelSmoothing = 0.1;
    c.train.clipNorm = row[Clip] == 1 ? 0.2 : 0.0;
    c.train.length = {updates, Extent::Unit::Updates};
    c.optimizer.name = row[Optimizer] < 3    ? OptimizerKind::Sgd
                       : row[Optimizer] == 3 ? OptimizerKind::Adam
                                             : OptimizerKind::AdamW;
    c.optimizer.momentum = row[Optimizer] == 0 ? 0.0 : 0.9;
    c.optimizer.nesterov = row[Optimizer] == 2;
    c.optimizer.lr = row[Optimizer] < 3 ? 0.02 : 1e-3;
    c.optimizer.weightDecay = 0.1;
    c.numerics.precision = static_cast<Precision>(row[PrecisionOf]);
    c.numerics.accumulator = static_cast<AccumulatorKind>(row[Accumulator]);
    c.numerics.nonfinite = static_cast<NonfinitePolicy>(row[Nonfinite]);
    c.numerics.batchNorm = static_cast<BatchNormMode>(row[NormMode]);
    c.device.capture = row[Path] == recorded ? CapturePolicy::Auto : CapturePolicy::Off;
    return c;
}

inline std::shared_ptr<const Dataset> dataOf(const FactorRow& row) {
    static const auto images = smallImages(samples);
    static const auto text = smallText(samples, block);
    return isText(row) ? text : images;
}

inline std::shared_ptr<const Model> modelOf(const FactorRow& row) {
    const RunConfig config = configOf(row);
    if (row[Net] == convnet)
        return std::make_shared<SmallConvNet>(row[Norm] == 0, config.model.dropout);
    if (row[Net] == resnet)
        return std::make_shared<SmallResNet>(row[Norm] == 0, config.model.dropout);
    return makeModel(config.model, {3, 8, 8, isText(row) ? 11 : 4, isText(row) ? block : 0}).value();
}

/// The sample without numbers: of the second micro-batch of the third window where the run must stop there, else of the
/// second window.
inline std::int64_t spoiltSample(const FactorRow& row) {
    if (!isSpoilt(row))
        return -1;
    PlainPlanner planner(configOf(row), samples, seed);
    PlainWindow window;
    std::int64_t done = 0;
    for (int i = 0; i < (row[Nonfinite] == 0 ? 3 : 2); ++i) {
        window = planner.next(done);
        done += window.makesUpdate ? 1 : 0;
    }
    return window.micros[1].ids.front();
}

/// After memory ran out in the second micro-step, two samples are computed at a time; where one sample has no variance,
/// the odd one stays with the two before it.
constexpr std::int64_t part = 2;
inline std::vector<std::int64_t> groupsOf(std::int64_t size, bool inParts, bool needsTwo) {
    std::vector<std::int64_t> groups = microSizes(size, inParts ? part : size);
    if (needsTwo && groups.size() > 1 && groups.back() == 1) {
        groups.pop_back();
        groups.back() += 1;
    }
    return groups;
}

/// A group of one sample reaches the norm of single values.
inline bool normalisesOneSample(const FactorRow& row) {
    if (row[Net] != convnet || !mixesSamples(row))
        return false;
    PlainPlanner planner(configOf(row), samples, seed);
    std::int64_t done = 0;
    for (int window = 0; done < updates; ++window) {
        const PlainWindow plan = planner.next(done);
        done += plan.makesUpdate ? 1 : 0;
        for (std::size_t k = 0; k < plan.micros.size(); ++k) {
            const bool inParts = row[Memory] == 1 && (window > 0 || k > 0) && !(row[Resume] == 1 && window > 1);
            const auto groups = groupsOf(std::ssize(plan.micros[k].ids), inParts, true);
            if (std::ranges::find(groups, 1) != groups.end())
                return true;
        }
    }
    return false;
}

// What is refused, and what has no effect beside another setting.

constexpr std::size_t any = ~std::size_t{0};

struct Refusal {
    Setting first, second;
    std::string code;
    std::string reason;
    [[nodiscard]] bool applies(const FactorRow& row) const {
        return row[first.factor] == first.value && row[second.factor] == second.value;
    }
};
inline const std::vector<Refusal> refusals = {
    {{PrecisionOf, 0}, {Accumulator, 1}, "config.conflict", "in fp64 runs everything is fp64"},
    {{PrecisionOf, 0}, {Accumulator, 2}, "config.conflict", "in fp64 runs everything is fp64"},
};

struct NoEffect {
    Setting first, second; ///< value `any`: all
    std::string reason;
    [[nodiscard]] bool explains(const SettingPair& pair) const {
        const auto is = [](const Setting& rule, const Setting& setting) {
            return rule.factor == setting.factor && (rule.value == any || rule.value == setting.value);
        };
        return (is(first, pair.first) && is(second, pair.second)) || (is(first, pair.second) && is(second, pair.first));
    }
};
inline const std::vector<NoEffect> noEffects = {
    {{Net, mlp}, {Norm, any}, "no normalisation layer"},
    {{Net, gpt}, {Norm, any}, "LayerNorm sees one sample; no choice"},
    {{Net, bert}, {Norm, any}, "LayerNorm sees one sample; no choice"},
    {{Net, mlp}, {NormMode, any}, "no BatchNorm"},
    {{Net, gpt}, {NormMode, any}, "no BatchNorm"},
    {{Net, bert}, {NormMode, any}, "no BatchNorm"},
    {{Norm, 1}, {NormMode, any}, "GroupNorm has no statistics of a batch"},
    {{Net, gpt}, {Augment, any}, "augmentation is for images (finding D06)"},
    {{Net, bert}, {Augment, any}, "augmentation is for images (finding D06)"},
    {{Sample, 0}, {Nonfinite, any}, "nothing that is not finite"},
    {{Lean, 1}, {LaneCount, 1}, "lean accumulation runs on one lane (finding M04)"},
    {{Lean, 1}, {LaneCount, 2}, "lean accumulation runs on one lane (finding M04)"},
    {{Path, deferred}, {LaneCount, 1}, "a GPU has one lane"},
    {{Path, deferred}, {LaneCount, 2}, "a GPU has one lane"},
    {{Path, recorded}, {LaneCount, 1}, "a GPU has one lane"},
    {{Path, recorded}, {LaneCount, 2}, "a GPU has one lane"},
    {{Path, recorded}, {Lean, 1}, "lean adds parameter by parameter: not recorded (finding D09)"},
    {{Path, recorded}, {Nonfinite, any}, "only models of the registry are recorded; the spoilt one is not of it"},
    {{Path, recorded}, {Sample, 1}, "only models of the registry are recorded; the spoilt one is not of it"},
    {{Path, recorded}, {Memory, 1}, "planted failures are not recorded; parts: test_device_faults"},
    {{Path, recorded}, {Net, convnet}, "only models of the registry are recorded; ResNets: test_device_training"},
    {{Path, recorded}, {Net, resnet}, "only models of the registry are recorded; ResNets: test_device_training"},
    {{Path, recorded}, {Norm, any}, "only models of the registry are recorded; ResNets: test_device_training"},
    {{Path, recorded}, {NormMode, any}, "only models of the registry are recorded; ResNets: test_device_training"},
};

inline bool isRecorded(const FactorRow& row) {
    return row[Path] == recorded && !hasNorm(row) && !isSpoilt(row) && row[Lean] == 0 && row[Memory] == 0;
}

/// Does the setting change what is computed, beside the others of this row?
inline bool matters(const FactorRow& row, std::size_t factor) {
    switch (factor) {
    case Norm:
        return hasNorm(row);
    case NormMode:
        return hasNorm(row) && row[Norm] == 0;
    case Augment:
        return !isText(row);
    case Nonfinite:
        return isSpoilt(row);
    case LaneCount:
        return usesLanes(row) || row[LaneCount] == 0;
    case Path:
        return row[Path] != recorded || isRecorded(row);
    default:
        return true;
    }
}

// Combinations of more than two settings in which the engine had faults: each gets rows of its own.
struct PastFault {
    std::string what;
    std::function<bool(const FactorRow&)> applies;
};
inline const std::vector<PastFault>& pastFaults() {
    static const std::vector<PastFault> all = {
        {"lean with fp16 on a CPU never retried an overflow",
         [](const FactorRow& row) { return row[PrecisionOf] == 3 && row[Lean] == 1 && row[Path] == host; }},
        {"skip-micro committed the BatchNorm statistics of what it left out",
         [](const FactorRow& row) {
             return isSpoilt(row) && row[Nonfinite] == 2 && mixesSamples(row) && row[NormMode] == 0 && row[Lean] == 0;
         }},
        {"the same, pooled",
         [](const FactorRow& row) {
             return isSpoilt(row) && row[Nonfinite] == 2 && mixesSamples(row) && row[NormMode] == 1 && row[Lean] == 0;
         }},
        {"a micro-batch of one sample was not foreseen under a ramp",
         [](const FactorRow& row) { return normalisesOneSample(row) && row[Ramp] == 1; }},
        {"a part of one sample was not foreseen",
         [](const FactorRow& row) { return normalisesOneSample(row) && row[Memory] == 1; }},
        {"lean with skip-micro skipped whole windows",
         [](const FactorRow& row) { return isSpoilt(row) && row[Nonfinite] == 2 && row[Lean] == 1; }},
        {"a window stopped with an overflow in it kept the overflow",
         [](const FactorRow& row) { return row[PrecisionOf] == 3 && !usesLanes(row) && row[Resume] == 1; }},
        {"an fp16 window computed again in parts under BatchNorm, whose groups follow the parts",
         [](const FactorRow& row) { return row[PrecisionOf] == 3 && row[Memory] == 1 && mixesSamples(row); }},
        {"what leaked into a window with an overflow in it was not computed again at a lower scale",
         [](const FactorRow& row) { return row[PrecisionOf] == 3 && row[Tail] == 3 && !usesLanes(row); }},
        {"resume after nonfinite = stop lost what had leaked into the window",
         [](const FactorRow& row) {
             return isSpoilt(row) && row[Nonfinite] == 0 && row[Resume] == 1 && row[Tail] == 3;
         }},
        {"resume after nonfinite = stop dropped the window",
         [](const FactorRow& row) { return isSpoilt(row) && row[Nonfinite] == 0 && row[Resume] == 1; }},
        {"lean counted parts as micro-batches, mean of means",
         [](const FactorRow& row) { return row[Lean] == 1 && row[Memory] == 1 && row[NormaliseBy] == 2; }},
        {"lean counted parts as micro-batches, sum of means",
         [](const FactorRow& row) { return row[Lean] == 1 && row[Memory] == 1 && row[NormaliseBy] == 3; }},
    };
    return all;
}
inline const Refusal* refusalOf(const FactorRow& row) {
    const auto found = std::ranges::find_if(refusals, [&](const Refusal& refusal) { return refusal.applies(row); });
    return found == refusals.end() ? nullptr : &*found;
}

inline std::vector<SettingPair> covers(const FactorRow& row) {
    if (const Refusal* refusal = refusalOf(row))
        return {{refusal->first, refusal->second}};
    if (normalisesOneSample(row)) // refused
        return {{{Ragged, 1}, row[Ramp] == 1 ? Setting{Ramp, 1} : Setting{Memory, 1}}};
    std::vector<SettingPair> pairs = allPairsOf(row);
    std::erase_if(pairs, [&](const SettingPair& pair) {
        return !matters(row, pair.first.factor) || !matters(row, pair.second.factor);
    });
    return pairs;
}

/// Rows drawn at random for each of pastFaults().
inline std::vector<FactorRow> rowsOfPastFaults(std::size_t each) {
    std::mt19937_64 random(9);
    std::vector<FactorRow> rows;
    for (const PastFault& fault : pastFaults())
        for (std::size_t found = 0; found < each;) {
            FactorRow row;
            for (const Factor& factor : factors())
                row.push_back(random() % factor.values.size());
            if (refusalOf(row) || !fault.applies(row))
                continue;
            rows.push_back(row);
            ++found;
        }
    return rows;
}

inline std::string textOf(const Setting& setting) {
    return factors()[setting.factor].name + " = " + factors()[setting.factor].values[setting.value];
}
inline std::string textOf(const FactorRow& row) {
    std::string text;
    for (std::size_t f = 0; f < row.size(); ++f)
        text += (f ? ", " : "") + textOf(Setting{f, row[f]});
    return text;
}

} // namespace accumulus::test
