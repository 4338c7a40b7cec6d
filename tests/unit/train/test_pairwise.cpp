// SPDX-License-Identifier: GPL-3.0-or-later
// Faults live in combinations: every pair of values of twenty settings, over small networks, in runs of three updates.
// Each run agrees window by window with training written out plainly (tests/support/plain_training.h), and with its own
// unbroken run on one lane; or it is refused, for a reason that stands in a table here.
//
// What is compared, at the weights that the engine really had before each window, so that no error grows from window to
// window: units, loss, norm, clipping, noise terms and the gradient of every parameter (fp64 1e-12, fp32 1e-5, NUMERICS
// section 4; 16 bits against the error of one 16-bit large batch); the update, from the engine's own gradient, by the
// optimizer's formula; BatchNorm's buffers at the end. A window without an update must leave every bit of the weights.
#include "core/config/config_check.h"
#include "core/engine/memory_counter.h"
#include "core/train/safetensors.h"
#include "tests/support/covering_array.h"
#include "tests/support/numeric.h"
#include "tests/support/plain_optimizer.h"
#include "tests/support/plain_training.h"
#include "tests/support/small_nets.h"
#include "tests/support/training.h"

#include <QTest>
#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <numeric>

using namespace accumulus;
using namespace accumulus::test;

namespace {

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

const std::vector<Factor>& factors() {
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

bool isText(const FactorRow& row) { return row[Net] == gpt || row[Net] == bert; }
bool hasNorm(const FactorRow& row) { return row[Net] == convnet || row[Net] == resnet; }
bool mixesSamples(const FactorRow& row) { return hasNorm(row) && row[Norm] == 0 && row[NormMode] != 2; }
bool isSpoilt(const FactorRow& row) { return row[Sample] == 1; }
bool usesLanes(const FactorRow& row) { return row[Path] == host && row[Lean] == 0; }

/// Three windows and the epoch's tail among them: 12 12 6, ragged 11 11 8, with the ramp 8 16 6 and 7 17 6.
RunConfig configOf(const FactorRow& row) {
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

std::shared_ptr<const Dataset> dataOf(const FactorRow& row) {
    static const auto images = smallImages(samples);
    static const auto text = smallText(samples, block);
    return isText(row) ? text : images;
}

std::shared_ptr<const Model> modelOf(const FactorRow& row) {
    const RunConfig config = configOf(row);
    if (row[Net] == convnet)
        return std::make_shared<SmallConvNet>(row[Norm] == 0, config.model.dropout);
    if (row[Net] == resnet)
        return std::make_shared<SmallResNet>(row[Norm] == 0, config.model.dropout);
    return makeModel(config.model, {3, 8, 8, isText(row) ? 11 : 4, isText(row) ? block : 0}).value();
}

/// The sample without numbers: of the second micro-batch of the third window where the run must stop there, else of the
/// second window.
std::int64_t spoiltSample(const FactorRow& row) {
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
std::vector<std::int64_t> groupsOf(std::int64_t size, bool inParts, bool needsTwo) {
    std::vector<std::int64_t> groups = microSizes(size, inParts ? part : size);
    if (needsTwo && groups.size() > 1 && groups.back() == 1) {
        groups.pop_back();
        groups.back() += 1;
    }
    return groups;
}

/// A group of one sample reaches the norm of single values.
bool normalisesOneSample(const FactorRow& row) {
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
const std::vector<Refusal> refusals = {
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
const std::vector<NoEffect> noEffects = {
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

bool isRecorded(const FactorRow& row) {
    return row[Path] == recorded && !hasNorm(row) && !isSpoilt(row) && row[Lean] == 0 && row[Memory] == 0;
}

/// Does the setting change what is computed, beside the others of this row?
bool matters(const FactorRow& row, std::size_t factor) {
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

// Combinations of more than two settings in which the engine had faults: each gets rows of its own. A row of a fault
// that is still there proves nothing but the fault; the test fails when it no longer shows, so that it is marked
// mended.
struct KnownFault {
    std::string letter; ///< of the list of the engine's faults; 4d: of those of reliability
    std::string what;
    SettingPair pair;
    std::function<bool(const FactorRow&)> applies;
    bool mended = true;
};
const std::vector<KnownFault>& knownFaults() {
    static const std::vector<KnownFault> all = {
        {"a",
         "lean with fp16 on a CPU never retries an overflow",
         {{PrecisionOf, 3}, {Lean, 1}},
         [](const FactorRow& row) { return row[PrecisionOf] == 3 && row[Lean] == 1 && row[Path] == host; }},
        {"b",
         "skip-micro commits the BatchNorm statistics of what it leaves out",
         {{Nonfinite, 2}, {NormMode, 0}},
         [](const FactorRow& row) {
             return isSpoilt(row) && row[Nonfinite] == 2 && mixesSamples(row) && row[NormMode] == 0 && row[Lean] == 0;
         }},
        {"b",
         "skip-micro commits the BatchNorm statistics of what it leaves out",
         {{Nonfinite, 2}, {NormMode, 1}},
         [](const FactorRow& row) {
             return isSpoilt(row) && row[Nonfinite] == 2 && mixesSamples(row) && row[NormMode] == 1 && row[Lean] == 0;
         }},
        {"f",
         "a micro-batch of one sample is not foreseen under a ramp",
         {{Ragged, 1}, {Ramp, 1}},
         [](const FactorRow& row) { return normalisesOneSample(row) && row[Ramp] == 1; }},
        {"f",
         "a part of one sample is not foreseen",
         {{Ragged, 1}, {Memory, 1}},
         [](const FactorRow& row) { return normalisesOneSample(row) && row[Memory] == 1; }},
        {"g",
         "lean with skip-micro skips whole windows",
         {{Lean, 1}, {Nonfinite, 2}},
         [](const FactorRow& row) { return isSpoilt(row) && row[Nonfinite] == 2 && row[Lean] == 1; }},
        {"4d",
         "a window stopped with an overflow in it is saved so that it cannot be read",
         {{PrecisionOf, 3}, {Resume, 1}},
         [](const FactorRow& row) { return row[PrecisionOf] == 3 && !usesLanes(row) && row[Resume] == 1; },
         false},
        {"fp16, parts, pooled",
         "in fp16 a window computed in parts under pooled BatchNorm disagrees with the reference; not explained yet",
         {{PrecisionOf, 3}, {Memory, 1}},
         [](const FactorRow& row) { return row[PrecisionOf] == 3 && row[Memory] == 1 && mixesSamples(row); },
         false},
        {"overflow under leak",
         "what leaked into a window with an overflow in it is not computed again at a lower scale",
         {{PrecisionOf, 3}, {Tail, 3}},
         [](const FactorRow& row) { return row[PrecisionOf] == 3 && row[Tail] == 3 && !usesLanes(row); }},
        {"j under leak",
         "resume after nonfinite = stop has lost what leaked into the window",
         {{Nonfinite, 0}, {Tail, 3}},
         [](const FactorRow& row) {
             return isSpoilt(row) && row[Nonfinite] == 0 && row[Resume] == 1 && row[Tail] == 3;
         }},
        {"j",
         "resume after nonfinite = stop drops the window",
         {{Nonfinite, 0}, {Resume, 1}},
         [](const FactorRow& row) { return isSpoilt(row) && row[Nonfinite] == 0 && row[Resume] == 1; }},
        {"n",
         "lean with re-split counts parts as micro-batches",
         {{NormaliseBy, 2}, {Memory, 1}},
         [](const FactorRow& row) { return row[Lean] == 1 && row[Memory] == 1 && row[NormaliseBy] == 2; }},
        {"n",
         "lean with re-split counts parts as micro-batches",
         {{NormaliseBy, 3}, {Memory, 1}},
         [](const FactorRow& row) { return row[Lean] == 1 && row[Memory] == 1 && row[NormaliseBy] == 3; }},
    };
    return all;
}
const KnownFault* knownFault(const FactorRow& row) {
    const auto found = std::ranges::find_if(
        knownFaults(), [&](const KnownFault& fault) { return !fault.mended && fault.applies(row); });
    return found == knownFaults().end() ? nullptr : &*found;
}
const Refusal* refusalOf(const FactorRow& row) {
    const auto found = std::ranges::find_if(refusals, [&](const Refusal& refusal) { return refusal.applies(row); });
    return found == refusals.end() ? nullptr : &*found;
}

std::vector<SettingPair> covers(const FactorRow& row) {
    if (const Refusal* refusal = refusalOf(row))
        return {{refusal->first, refusal->second}};
    if (const KnownFault* fault = knownFault(row))
        return {fault->pair};
    if (normalisesOneSample(row)) // refused
        return {{{Ragged, 1}, row[Ramp] == 1 ? Setting{Ramp, 1} : Setting{Memory, 1}}};
    std::vector<SettingPair> pairs = allPairsOf(row);
    std::erase_if(pairs, [&](const SettingPair& pair) {
        return !matters(row, pair.first.factor) || !matters(row, pair.second.factor);
    });
    return pairs;
}

/// Rows drawn at random for each known fault: few where it must not come back, more where it must show.
std::vector<FactorRow> rowsOfKnownFaults() {
    std::mt19937_64 random(9);
    std::vector<FactorRow> rows;
    for (const KnownFault& fault : knownFaults())
        for (int found = 0; found < (fault.mended ? 2 : 6);) {
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

std::string textOf(const Setting& setting) {
    return factors()[setting.factor].name + " = " + factors()[setting.factor].values[setting.value];
}
std::string textOf(const FactorRow& row) {
    std::string text;
    for (std::size_t f = 0; f < row.size(); ++f)
        text += (f ? ", " : "") + textOf(Setting{f, row[f]});
    return text;
}

// One run.

double unitRoundoff(Precision precision) {
    return precision == Precision::Fp64   ? 0x1p-53
           : precision == Precision::Fp32 ? 0x1p-24
           : precision == Precision::Bf16 ? 0x1p-8
                                          : 0x1p-11;
}
bool has16Bits(Precision precision) { return precision == Precision::Bf16 || precision == Precision::Fp16; }

/// Follows a run window by window. Keeps the first thing that is wrong.
class PlainRun {
public:
    explicit PlainRun(const FactorRow& row)
        : m_row(row), m_config(configOf(row)), m_data(dataOf(row)), m_model(modelOf(row)), m_spoilt(spoiltSample(row)),
          m_planner(m_config, samples, seed) {
        for (const ParameterSpec& spec : m_model->buffers().specs())
            m_running.push_back(at::full(spec.shape, spec.initial.value, at::kDouble));
    }

    [[nodiscard]] const std::string& problem() const { return m_problem; }
    [[nodiscard]] bool stops() const { return m_stops; } ///< the run must end with training.nonfinite
    [[nodiscard]] std::int64_t windows() const { return m_windows; }
    [[nodiscard]] std::int64_t updatesMade() const { return m_updates; }

    void starts(const std::vector<double>& weights, bool resumed) {
        if (resumed && weights != m_weights)
            complain("resume has other weights");
        m_weights = weights;
        m_resumed = resumed;
    }
    /// Micro-step k of the open window is committed.
    void committed(std::int64_t k) {
        if (!m_resumed && m_windows == 1)
            m_committedBeforeStop = k + 1;
    }
    void gradient(const std::vector<double>& values) { m_gradient = values; }

    void closed(const WindowRecord& record, const std::vector<double>& weights) {
        ++m_windows;
        const PlainWindow window = m_planner.next(m_updates);
        for (std::size_t k = 0; k < window.micros.size(); ++k) {
            m_open.push_back(window.micros[k]);
            m_groups.push_back(
                groupsOf(std::ssize(window.micros[k].ids), inParts(std::int64_t(k)), m_row[Net] == convnet));
        }
        if (!window.makesUpdate) {
            noUpdate(record, weights);
            return;
        }
        judge(record, weights);
        m_open.clear();
        m_groups.clear();
        m_weights = weights;
    }

    void buffersAtTheEnd(const std::string& file) {
        if (m_lostTrack || m_running.empty() || file.empty())
            return;
        const auto content = readSafetensors(file).value();
        const double tolerance = m_config.numerics.precision == Precision::Fp64 ? 1e-12
                                 : m_config.numerics.precision == Precision::Fp32
                                     ? 1e-5
                                     : 4 * unitRoundoff(m_config.numerics.precision);
        for (std::size_t i = 0; i < m_running.size(); ++i) {
            const std::string& name = m_model->buffers().specs()[i].name;
            const at::Tensor got = content.find(name)->to(at::kDouble);
            const double distance =
                (got - m_running[i]).norm().item<double>() / std::max(m_running[i].norm().item<double>(), 1e-2);
            check(distance <= tolerance, name + " is off by " + number(distance));
        }
    }

    void complain(const std::string& text) {
        if (m_problem.empty())
            m_problem = "window " + std::to_string(m_windows) + ": " + text;
    }

private:
    static std::string number(double value) { return QString::number(value).toStdString(); }
    void check(bool good, const std::string& text) {
        if (!good)
            complain(text);
    }
    [[nodiscard]] bool inParts(std::int64_t k) const {
        if (m_row[Memory] == 0)
            return false;
        if (m_windows == 1)
            return m_row[Lean] == 1 || k > 0; // lean computes the window again from its beginning
        return !m_resumed || (m_windows == 2 && k < m_committedBeforeStop);
    }
    /// What is computed at once and has no loss units is not looked at.
    [[nodiscard]] bool isBroken(const PlainMicro& one, const std::vector<std::int64_t>& groups) const {
        std::ptrdiff_t first = 0;
        for (const std::int64_t rows : groups) {
            const PlainMicro piece{{one.ids.begin() + first, one.ids.begin() + first + rows},
                                   {one.epochs.begin() + first, one.epochs.begin() + first + rows}};
            if (std::ranges::find(piece.ids, m_spoilt) != piece.ids.end())
                return PlainBatch(*m_data, m_config, m_model->task(), seed, {piece})
                    .targets.ne(ignoredTarget)
                    .any()
                    .item<bool>();
            first += rows;
        }
        return false;
    }

    void noUpdate(const WindowRecord& record, const std::vector<double>& weights) {
        check(!record.update, "an update was made");
        check(std::ranges::equal(weights, m_weights, compareBits), "weights changed without an update");
    }

    void judge(const WindowRecord& record, const std::vector<double>& weights) {
        std::vector<PlainMicro> kept;
        PlainArithmetic arithmetic;
        std::int64_t leftOut = 0;
        const bool skipMicro = m_config.numerics.nonfinite == NonfinitePolicy::SkipMicro;
        bool broken = false;
        for (std::size_t k = 0; k < m_open.size(); ++k) {
            if (isBroken(m_open[k], m_groups[k])) {
                broken = !skipMicro;
                ++leftOut;
                continue;
            }
            kept.push_back(m_open[k]);
            arithmetic.groups.insert(arithmetic.groups.end(), m_groups[k].begin(), m_groups[k].end());
        }
        if (broken) {
            check(record.nonfinite, "not finite, and not recorded so");
            m_stops = m_config.numerics.nonfinite == NonfinitePolicy::Stop;
            noUpdate(record, weights);
            return;
        }
        if (skipMicro)
            check(record.leftOut == leftOut, "left out " + std::to_string(record.leftOut) + " micro-batches");
        const PlainGradient wanted =
            plainGradient(*m_model, m_weights, m_running, *m_data, m_config, seed, kept, arithmetic);
        if (wanted.units == 0) {
            noUpdate(record, weights);
            return;
        }
        check(record.update == m_updates + 1, "no update");
        check(record.units == wanted.units, "units " + std::to_string(record.units));
        if (!record.update || !m_problem.empty())
            return;
        ++m_updates;
        // Which micro-batches of the first window were computed in parts is a matter of time with several lanes.
        const bool known = !(mixesSamples(m_row) && m_row[Memory] == 1 && usesLanes(m_row) && m_row[LaneCount] > 0);
        m_lostTrack = m_lostTrack || !known;
        if (known || m_windows > 1)
            judgeGradient(record, wanted, kept, arithmetic);
        judgeUpdate(record, weights);
        plainStatistics(m_running, m_config.numerics.batchNorm, wanted.statistics);
    }

    void judgeGradient(const WindowRecord& record, const PlainGradient& wanted, const std::vector<PlainMicro>& kept,
                       PlainArithmetic arithmetic) {
        const Precision precision = m_config.numerics.precision;
        const double steps = std::sqrt(static_cast<double>(std::max<std::int64_t>(1, wanted.microSteps)));
        const bool bf16Sum = m_config.numerics.accumulator == AccumulatorKind::Bf16;
        // A bf16 accumulator rounds each sum to 8 bits, an error of at most u = 2^-8 of it, and no sum exceeds the sum
        // of the weighted micro-gradients' norms. Lean adds parts one by one: at most one for each sample.
        const bool parts = m_row[Memory] == 1 && m_row[Lean] == 1;
        const double sums = static_cast<double>(wanted.microSteps * (parts ? record.microBatch : 1));
        const double rounding = bf16Sum ? 0x1p-8 * sums : 0.0;
        double error = worstTensor(m_gradient, wanted, rounding);
        // BatchNorm of two single values is all cancellation: what a value changes, their variance takes back.
        const double fp32 = m_row[Net] == convnet && mixesSamples(m_row) ? 1e-4 : 1e-5;
        double tolerance = precision == Precision::Fp64 ? 1e-12 : fp32;
        if (has16Bits(precision)) {
            // err_acc <= 2 err_large + 0.5 u sqrt(K): of the whole gradient, since single tensors of 16-bit
            // gradients may be all rounding.
            arithmetic.autocast = precision == Precision::Bf16 ? at::kBFloat16 : at::kHalf;
            arithmetic.lossScale = 64.0;
            std::vector<double> large;
            const PlainGradient rounded =
                plainGradient(*m_model, m_weights, m_running, *m_data, m_config, seed, kept, arithmetic);
            tolerance = 2.0 * relativeL2(flat(rounded), flat(wanted)) + 0.5 * unitRoundoff(precision) * steps;
            error = std::max(0.0, relativeL2(m_gradient, flat(wanted)) - rounding * wanted.scale / wanted.norm);
        }
        check(error <= tolerance, "gradient is off by " + number(error) + ", allowed " + number(tolerance));
        const double loose =
            std::max(10.0 * tolerance + (bf16Sum ? rounding * wanted.scale / wanted.norm : 0.0), 1e-12);
        check(compareRel(record.loss, wanted.loss, loose), "loss " + number(record.loss));
        check(compareRel(record.gradNorm, wanted.norm, loose), "norm " + number(record.gradNorm));
        check(record.clipped == wanted.clipped || compareRel(wanted.norm, m_config.train.clipNorm, loose), "clipping");
        const bool counted = !(m_row[Memory] == 1 && m_row[Lean] == 1); // parts are estimates of their own
        check(!counted || record.microSteps == wanted.microSteps, "micro-steps " + std::to_string(record.microSteps));
        if (precision == Precision::Fp64 && counted) {
            check(record.noiseS.has_value() == wanted.noiseS.has_value(), "noise terms");
            if (record.noiseS && wanted.noiseS) {
                const double size = std::abs(*wanted.noiseS) + std::abs(*wanted.noiseG2);
                check(compareAbs(*record.noiseS, *wanted.noiseS, 1e-10 * size), "S " + number(*record.noiseS));
                check(compareAbs(*record.noiseG2, *wanted.noiseG2, 1e-10 * size), "G2 " + number(*record.noiseG2));
            }
        }
    }

    /// The formula from the engine's own gradient and weights. fp32: rounding of the state and of the result.
    void judgeUpdate(const WindowRecord& record, const std::vector<double>& weights) {
        const bool fp64 = m_config.numerics.precision == Precision::Fp64;
        const double u = fp64 ? 0x1p-53 : 0x1p-24;
        // Adam divides by 1 - beta2^t, which keeps u / (1 - beta2) of its digits at first; half of it below a root.
        const double digits =
            m_config.optimizer.name == OptimizerKind::Sgd ? 64.0 : 0.5 / (1.0 - m_config.optimizer.beta2);
        std::vector<double> wanted = m_weights;
        plainUpdate(m_config.optimizer, record.lr, wanted, m_gradient, m_moments);
        double step = 0.0, error = 0.0;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            step = std::max(step, std::abs(wanted[i] - m_weights[i]));
        const OptimizerConfig& optimizer = m_config.optimizer;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            // Where gradient and decay cancel, Adam divides what their sum was rounded by.
            double divisor = 1.0;
            if (optimizer.name != OptimizerKind::Sgd)
                divisor = std::sqrt(m_moments.second[i] /
                                    (1.0 - std::pow(optimizer.beta2, static_cast<double>(m_moments.updates)))) +
                          optimizer.eps;
            const double sum = std::abs(m_gradient[i]) + optimizer.weightDecay * std::abs(m_weights[i]);
            const double rounding =
                4 * u * std::abs(wanted[i]) + 2 * digits * u * step + 4 * u * record.lr * sum / divisor;
            error = std::max(error, std::abs(wanted[i] - weights[i]) / rounding);
        }
        check(error <= 1.0, "update is off by " + number(error) + " of its rounding");
    }

    static std::vector<double> flat(const PlainGradient& gradient) {
        std::vector<double> values;
        for (const at::Tensor& tensor : gradient.gradients) {
            const at::Tensor dense = tensor.contiguous();
            values.insert(values.end(), dense.const_data_ptr<double>(), dense.const_data_ptr<double>() + dense.numel());
        }
        return values;
    }

    FactorRow m_row;
    RunConfig m_config;
    std::shared_ptr<const Dataset> m_data;
    std::shared_ptr<const Model> m_model;
    std::int64_t m_spoilt;
    PlainPlanner m_planner;
    std::vector<at::Tensor> m_running;
    PlainMoments m_moments;
    std::vector<double> m_weights, m_gradient;
    std::vector<PlainMicro> m_open; ///< with what leaked into it
    std::vector<std::vector<std::int64_t>> m_groups;
    std::int64_t m_windows = 0, m_updates = 0, m_committedBeforeStop = 0;
    bool m_resumed = false, m_stops = false, m_lostTrack = false;
    std::string m_problem;
};

struct FollowingObserver final : RecordingObserver {
    FollowingObserver(PlainRun* of, bool stop) : plain(of), stopInSecondWindow(stop) {}
    Wish proceed() override {
        if (stopInSecondWindow && closedWindows == 1 && ++asked >= 3)
            return Wish::StopNow;
        return Wish::GoOn;
    }
    Status windowClosed(const WindowRecord& record) override {
        ++closedWindows;
        windows.push_back(record);
        if (plain)
            plain->closed(record, trainer->weights());
        return windows.size() > 60 ? failure("test.endless") : Status();
    }
    PlainRun* plain;
    bool stopInSecondWindow;
    const Trainer* trainer = nullptr;
    std::atomic<int> asked{0}, closedWindows{0};
};

TrainerSetup setupOf(const FactorRow& row, const QTemporaryDir& folder, int lanes) {
    TrainerSetup setup;
    setup.config = configOf(row);
    setup.seed = seed;
    setup.lanes = {lanes, 1};
    setup.data = dataOf(row);
    setup.folder = folder.path().toStdString();
    setup.deferred = row[Path] != host;
    if (isSpoilt(row))
        setup.model = std::make_shared<WithSpoiltSample>(modelOf(row), spoiltSample(row));
    else if (hasNorm(row))
        setup.model = modelOf(row);
    if (row[Memory] == 1)
        setup.fault = [thrown = std::make_shared<std::atomic<bool>>(false)](FaultPoint point, std::int64_t window,
                                                                            std::int64_t k) {
            if (point == FaultPoint::Forward && window == 1 && k == 1 && !thrown->exchange(true))
                throw OutOfMemory(1, 2, 3);
        };
    return setup;
}

struct RowOutcome {
    std::string problem; ///< empty: agrees
    std::string refused; ///< error code
    int runs = 0;
};

/// The run of a row without interruption on one lane; its hash.
std::string unbrokenHash(const FactorRow& row, RowOutcome& result) {
    const QTemporaryDir folder;
    ++result.runs;
    auto trainer = Trainer::create(setupOf(row, folder, 1));
    FollowingObserver observer(nullptr, false);
    observer.trainer = trainer->get();
    return (*trainer)->train(observer).summary.weightsHash;
}

RowOutcome runRow(const FactorRow& row, PlantedBug bug = PlantedBug::None) {
    RowOutcome result;
    const QTemporaryDir folder;
    ++result.runs;
    ExperimentConfig experiment;
    experiment.run = configOf(row);
    if (const Status valid = requireValid(experiment, samples); !valid) {
        result.refused = valid.error().code;
        return result;
    }
    PlainRun plain(row);
    // Which parts several lanes cut is a matter of time, and BatchNorm's groups follow the parts: one lane there.
    const bool byTime = mixesSamples(row) && row[Memory] == 1;
    const int lanes = byTime ? 1 : static_cast<int>(row[LaneCount]) + 1;
    TrainingEnd end;
    std::string bundle, weightsFile;
    const bool stop = row[Resume] == 1;
    const auto train = [&](bool resumed) {
        TrainerSetup setup = setupOf(row, folder, lanes);
        setup.bug = bug;
        if (resumed)
            setup.fault = {};
        setup.gradientProbe = [&](const WindowRecord&, const std::vector<double>& values) { plain.gradient(values); };
        setup.afterCommit = [&](std::int64_t k) { plain.committed(k); };
        auto trainer = Trainer::create(std::move(setup));
        if (!trainer) {
            result.refused = trainer.error().code;
            return;
        }
        if (resumed)
            if (const Status restored = (*trainer)->restore(bundle); !restored) {
                plain.complain("restore: " + describe(restored.error()));
                return;
            }
        plain.starts((*trainer)->weights(), resumed);
        FollowingObserver observer(&plain, stop && !resumed);
        observer.trainer = trainer->get();
        end = (*trainer)->train(observer);
        if (!observer.checkpoints.empty()) {
            bundle = observer.checkpoints.back().bundlePath;
            weightsFile = observer.checkpoints.back().weightsPath;
        }
    };
    train(false);
    if (stop && result.refused.empty()) {
        if (!end.stopped && !plain.stops()) // the spoilt sample may come in the first window
            plain.complain("did not stop" + (end.error ? ": " + describe(*end.error) : std::string()));
        else if (end.stopped)
            train(true);
    }
    if (!result.refused.empty())
        return result;
    if (plain.stops()) {
        if (!end.error || end.error->code != "training.nonfinite")
            plain.complain("did not end with training.nonfinite");
        else if (stop) { // again from the last checkpoint: it must meet the same window
            auto trainer = Trainer::create(setupOf(row, folder, lanes));
            if (const Status restored = (*trainer)->restore(bundle); !restored)
                plain.complain("restore after the stop: " + describe(restored.error()));
            FollowingObserver observer(nullptr, false);
            const TrainingEnd again = (*trainer)->train(observer);
            if (!again.error || again.error->code != "training.nonfinite" || observer.windows.size() != 1)
                plain.complain("resumed after the stop, the window is gone");
        }
    } else if (end.error) {
        plain.complain(describe(*end.error));
    } else if (plain.updatesMade() != updates) {
        plain.complain("made " + std::to_string(plain.updatesMade()) + " updates");
    }
    plain.buffersAtTheEnd(weightsFile);
    const bool comparable = row[Memory] == 0; // parts are other sums
    if (plain.problem().empty() && comparable && (stop || lanes > 1))
        if (unbrokenHash(row, result) != end.summary.weightsHash)
            plain.complain("other bits than unbroken on one lane");
    result.problem = plain.problem();
    return result;
}

} // namespace

class TestPairwise : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { MemoryCounter::setLimit(0); }

    void everyPairAgreesOrIsRefused() {
        const CoveringArray array = coverPairs(factors(), covers, /*seed=*/3);
        // A second array puts the pairs into other company; each known fault gets rows that must show it.
        std::vector<FactorRow> rows = array.rows;
        std::ranges::copy(coverPairs(factors(), covers, /*seed=*/4).rows, std::back_inserter(rows));
        std::ranges::copy(rowsOfKnownFaults(), std::back_inserter(rows));
        int runs = 0, agreed = 0, known = 0;
        std::vector<std::string> wrong;
        std::map<std::string, int> refused;
        std::map<std::string, int> seen;
        for (const FactorRow& row : rows) {
            const RowOutcome result = runRow(row);
            runs += result.runs;
            const Refusal* refusal = refusalOf(row);
            const KnownFault* fault = knownFault(row);
            if (!result.refused.empty()) {
                const bool oneSample = result.refused == "model.batch-norm-one" && normalisesOneSample(row);
                if (refusal && refusal->code == result.refused)
                    ++refused[textOf(refusal->first) + " with " + textOf(refusal->second) + ": " + refusal->reason];
                else if (oneSample)
                    ++refused["a fully connected BatchNorm with a micro-batch of one sample: it has no variance"];
                else
                    wrong.push_back("refused with " + result.refused + ": " + textOf(row));
            } else if (refusal) {
                wrong.push_back("not refused: " + textOf(row));
            } else if (fault) {
                ++known;
                seen[fault->letter] += result.problem.empty() ? 0 : 1;
            } else if (!result.problem.empty()) {
                wrong.push_back(result.problem + ": " + textOf(row));
            } else {
                ++agreed;
            }
        }
        std::vector<SettingPair> unexplained;
        std::map<std::string, int> reasons;
        for (const SettingPair& pair : array.impossible) {
            const auto rule = std::ranges::find_if(noEffects, [&](const NoEffect& one) { return one.explains(pair); });
            if (rule == noEffects.end())
                unexplained.push_back(pair);
            else
                ++reasons[rule->reason];
        }
        qInfo("pairs: %zu, covered %zu, without effect %zu", allPairsOf(factors()).size(), array.covered.size(),
              array.impossible.size());
        qInfo("rows: %zu in %d runs: %d agree, %zu kinds of refusal, %d of known faults, %zu wrong", rows.size(), runs,
              agreed, refused.size(), known, wrong.size());
        for (const auto& [reason, count] : refused)
            qInfo("refused %d: %s", count, reason.c_str());
        for (const auto& [reason, count] : reasons)
            qInfo("no effect, %d pairs: %s", count, reason.c_str());
        for (const KnownFault& fault : knownFaults())
            if (!fault.mended)
                qInfo("known fault %s (%d rows): %s", fault.letter.c_str(), seen[fault.letter], fault.what.c_str());
        for (const std::string& text : wrong)
            qWarning("%s", text.c_str());
        for (const SettingPair& pair : unexplained)
            qWarning("in no row: %s with %s", textOf(pair.first).c_str(), textOf(pair.second).c_str());
        QVERIFY(wrong.empty());
        QVERIFY(unexplained.empty());
        for (const KnownFault& fault : knownFaults())
            QVERIFY2(fault.mended || seen[fault.letter] > 0,
                     qPrintable(QStringLiteral("fault %1 no longer shows: mark it mended")
                                    .arg(QString::fromStdString(fault.letter))));
    }

    // What the comparison sees: each mistake that the engine can be told to make, in a row that would otherwise agree.
    void mistakesAreSeen_data() {
        QTest::addColumn<int>("bug");
        QTest::addColumn<std::vector<Setting>>("settings");
        using Settings = std::vector<Setting>;
        const auto row = [](const char* name, PlantedBug bug, Settings settings) {
            QTest::newRow(name) << int(bug) << std::move(settings);
        };
        row("T2 sum", PlantedBug::NotDivided, {});
        row("T2 divided twice", PlantedBug::DividedTwice, {});
        row("T3 nominal divisor", PlantedBug::NominalDivisor, {});
        row("T3 nominal divisor, deferred", PlantedBug::NominalDivisor, {{Path, deferred}});
        row("T12 the rest left out", PlantedBug::RestLeftOut, {{Ragged, 1}});
        row("T20 noise scale unweighted", PlantedBug::NoiseUnweighted, {{Ragged, 1}});
        row("T5 boundary", PlantedBug::BoundaryOffByOne, {});
        row("T6 each micro-batch clipped", PlantedBug::ClipEachMicroBatch, {{Clip, 1}});
        row("T6 clip, then divide", PlantedBug::ClipThenDivide, {{Clip, 1}});
        row("T7 not unscaled", PlantedBug::NotUnscaled, {{PrecisionOf, 3}});
        row("T10 draws by call order", PlantedBug::DrawsByCallOrder, {{Dropout, 1}});
        row("T10 draws by call order, crop-flip", PlantedBug::DrawsByCallOrder, {{Augment, 1}});
        row("T11 a retry that keeps", PlantedBug::RetryCommitsTwice, {{Lean, 1}, {Memory, 1}});
        row("T15 a new B, the old window", PlantedBug::NewBatchOldSteps, {{Ramp, 1}});
        row("T17 loss of the last", PlantedBug::LossOfLastMicroBatch, {});
        row("T18 resume forgets the window", PlantedBug::ResumeForgetsWindow, {{Resume, 1}});
        row("T25 cast weights kept", PlantedBug::AutocastCacheKept, {{PrecisionOf, 2}, {Net, mlp}});
    }
    void mistakesAreSeen() {
        QFETCH(int, bug);
        QFETCH(std::vector<Setting>, settings);
        FactorRow row(factors().size(), 0);
        row[Net] = resnet;
        for (const Setting& setting : settings)
            row[setting.factor] = setting.value;
        const RowOutcome right = runRow(row);
        QVERIFY2(right.refused.empty() && right.problem.empty(), right.problem.c_str());
        const RowOutcome wrong = runRow(row, static_cast<PlantedBug>(bug));
        qInfo("%s", wrong.problem.c_str());
        QVERIFY(!wrong.problem.empty());
    }
};

QTEST_APPLESS_MAIN(TestPairwise)
#include "test_pairwise.moc"
