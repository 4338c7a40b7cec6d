// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scripted_trial.h"

#include "core/base/keyed_draws.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>
#include <string_view>

namespace accumulus {
namespace {

constexpr std::int64_t rows = 4;

std::string shapeText(at::IntArrayRef shape) {
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "[" : ", ") + std::to_string(size);
    return text.empty() ? "[]" : text + "]";
}

std::int64_t elementsOf(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t side : shape)
        count *= side;
    return count;
}

std::vector<std::int64_t> sampleShape(const InputShape& input) {
    if (input.block > 0)
        return {input.block};
    if (input.kind == SampleKind::Tensors)
        return input.sample;
    return {input.channels, input.height, input.width};
}

bool isWhole(const InputShape& input) { return input.block > 0 || input.wholeNumbers; }

class Trial {
public:
    Trial(const ScriptedModule& module, const InputShape& input, at::ScalarType type)
        : m_module(module), m_input(input), m_type(type), m_instance(module, type, at::kCPU) {}

    /// Samples `first`, `first` + 1, ...
    [[nodiscard]] at::Tensor samples(std::int64_t count, std::int64_t first = 0) const {
        std::vector<std::int64_t> shape = sampleShape(m_input);
        shape.insert(shape.begin(), count);
        at::Tensor made = at::empty(shape, at::kDouble);
        const std::int64_t each = made.numel() / count;
        double* out = made.mutable_data_ptr<double>();
        for (std::int64_t i = 0; i < made.numel(); ++i) {
            const std::uint64_t key =
                mixKey(static_cast<std::uint64_t>(first + i / each), static_cast<std::uint64_t>(i % each), 0x7121A1);
            // Whole numbers: 0 and 1 are tokens of every vocabulary.
            out[i] = isWhole(m_input) ? static_cast<double>(key & 1) : unitDraw(key) * 2.0 - 1.0;
        }
        return made.to(isWhole(m_input) ? at::kLong : m_type);
    }

    [[nodiscard]] at::Tensor targets(std::int64_t count) const {
        const bool tokens = m_input.block > 0;
        std::vector<std::int64_t> shape = tokens ? std::vector<std::int64_t>{m_input.block} : m_input.target;
        shape.insert(shape.begin(), count);
        if (tokens) // as a micro-batch of text has them
            shape = {count * m_input.block};
        return at::zeros(shape, m_input.wholeTargets ? at::kLong : m_type);
    }

    struct Returned {
        at::Tensor tensor;
        bool withCount = false; ///< a sum and the count behind it
    };
    [[nodiscard]] Returned run(const at::Tensor& input, std::uint64_t seed = 1) {
        const at::NoGradGuard noGrad;
        const auto stream = seededStream(seed, at::kCPU);
        std::vector<c10::IValue> inputs{input};
        if (m_input.loss == LossKind::Model)
            inputs.emplace_back(targets(input.size(0)));
        return returned(m_instance.run(std::move(inputs)));
    }
    [[nodiscard]] at::Tensor output(const at::Tensor& input, bool training, std::uint64_t seed = 1,
                                    bool frozenStatistics = false) {
        m_instance.setTraining(training, frozenStatistics);
        return run(input, seed).tensor.to(at::kDouble);
    }
    [[nodiscard]] ScriptedInstance& instance() { return m_instance; }
    [[nodiscard]] at::ScalarType type() const { return m_type; }

private:
    static Returned returned(const c10::IValue& value) {
        if (value.isTensor())
            return {value.toTensor()};
        if (value.isTuple()) {
            const auto& elements = value.toTupleRef().elements();
            if (elements.size() == 1 && elements[0].isTensor())
                return {elements[0].toTensor()};
            if (elements.size() == 2 && elements[0].isTensor() && elements[0].toTensor().dim() == 0)
                return {elements[0].toTensor(), true};
        }
        throw std::runtime_error("reason.not-one-tensor");
    }

    const ScriptedModule& m_module;
    const InputShape& m_input;
    at::ScalarType m_type;
    ScriptedInstance m_instance;
};

bool agree(const at::Tensor& a, const at::Tensor& b, at::ScalarType type) {
    if (a.sizes() != b.sizes())
        return false;
    const double tolerance = type == at::kDouble ? 1e-9 : 1e-4; // rounding differs with the size of a batch
    const double scale = std::max(1.0, a.abs().max().item<double>());
    return (a - b).abs().max().item<double>() <= tolerance * scale;
}

/// The dotted name of a tensor's owner; empty for the module itself.
std::string ownerName(const std::string& tensor) {
    const auto dot = tensor.rfind('.');
    return dot == std::string::npos ? std::string() : tensor.substr(0, dot);
}
std::string ownName(const std::string& tensor) { return tensor.substr(tensor.rfind('.') + 1); }

/// What training passes do to the buffers: each must stay, count passes, or be a running statistic.
class BufferTrial {
public:
    BufferTrial(const ScriptedModule& module, Trial& trial) : m_module(module), m_trial(trial) {}

    [[nodiscard]] Result<std::vector<ScriptedNorm>> norms() {
        ACCUMULUS_TRY_ASSIGN(auto found, sort(afterPasses(0)));
        // An average over all batches (momentum=None) has a share that falls with their number.
        constexpr std::int64_t later = 10;
        ACCUMULUS_TRY_ASSIGN(const auto then, sort(afterPasses(later)));
        for (std::size_t i = 0; i < found.size(); ++i)
            if (i >= then.size() || found[i].momentum != then[i].momentum)
                return failure("model.file-buffer",
                               {{"file", m_module.file},
                                {"buffer", found[i].owner.empty() ? "running_mean" : found[i].owner + ".running_mean"},
                                {"reason", "reason.buffer-average"}});
        return found;
    }

private:
    [[nodiscard]] at::Tensor original(std::size_t i) const {
        const at::Tensor& value = m_module.buffers[i].value;
        return value.is_floating_point() ? value.to(m_trial.type()).clone() : value.clone();
    }
    [[nodiscard]] bool mayMove(std::size_t i) const {
        const std::string name = ownName(m_module.buffers[i].names.front());
        return m_module.buffers[i].value.is_floating_point() && (name == "running_mean" || name == "running_var");
    }
    [[nodiscard]] bool isCounter(std::size_t i) const {
        return !m_module.buffers[i].value.is_floating_point() &&
               ownName(m_module.buffers[i].names.front()) == "num_batches_tracked";
    }
    /// The buffers after a training pass from statistics of 0, of 1 and of 2 that is not the first: `passes` came
    /// before.
    [[nodiscard]] std::vector<std::vector<at::Tensor>> afterPasses(std::int64_t passes) {
        const at::Tensor samples = m_trial.samples(rows);
        std::vector<std::vector<at::Tensor>> after;
        for (const double start : {0.0, 1.0, 2.0}) {
            for (std::size_t i = 0; i < m_module.buffers.size(); ++i)
                m_trial.instance().setBuffer(i, mayMove(i)     ? at::full_like(original(i), start)
                                                : isCounter(i) ? original(i) + passes
                                                               : original(i));
            (void)m_trial.output(samples, true);
            after.push_back(values());
            for (std::size_t i = 0; i < m_module.buffers.size(); ++i) // later runs need what the file has
                m_trial.instance().setBuffer(i, original(i));
        }
        return after;
    }
    [[nodiscard]] std::vector<at::Tensor> values() const {
        std::vector<at::Tensor> values;
        for (std::size_t i = 0; i < m_module.buffers.size(); ++i)
            values.push_back(m_trial.instance().buffer(i).clone());
        return values;
    }
    [[nodiscard]] tl::unexpected<Error> unknown(std::size_t i, const char* reason) const {
        return failure("model.file-buffer",
                       {{"file", m_module.file}, {"buffer", m_module.buffers[i].names.front()}, {"reason", reason}});
    }

    /// r' = (1 - a) r + a s at r = 0, 1 and 2: the differences are 1 - a.
    [[nodiscard]] std::optional<double> momentumOf(const std::vector<std::vector<at::Tensor>>& after,
                                                   std::size_t i) const {
        const at::Tensor first = (after[1][i] - after[0][i]).to(at::kDouble).flatten();
        const at::Tensor second = (after[2][i] - after[1][i]).to(at::kDouble).flatten();
        const double kept = first[0].item<double>();
        const double tolerance = m_trial.type() == at::kDouble ? 1e-9 : 1e-3;
        const bool even = ((first - kept).abs().max().item<double>() < tolerance) &&
                          ((second - kept).abs().max().item<double>() < tolerance);
        // A name such as 0.1 rather than what the differences leave of it.
        const double momentum = std::round((1.0 - kept) * 1e6) / 1e6;
        return even && momentum > 0.0 && momentum <= 1.0 ? std::optional(momentum) : std::nullopt;
    }

    Result<std::vector<ScriptedNorm>> sort(const std::vector<std::vector<at::Tensor>>& after) {
        std::vector<ScriptedNorm> norms;
        for (std::size_t i = 0; i < m_module.buffers.size(); ++i) {
            const std::string& name = m_module.buffers[i].names.front();
            if (isCounter(i))
                continue;
            const at::Tensor start = mayMove(i) ? at::zeros_like(after[0][i]) : original(i);
            if (after[0][i].equal(start) && (!mayMove(i) || after[1][i].equal(at::ones_like(after[1][i]))))
                continue;
            if (!after[0][i].is_floating_point())
                return unknown(i, "reason.buffer-changes");
            const auto momentum = mayMove(i) ? momentumOf(after, i) : std::nullopt;
            if (!momentum)
                return unknown(i, mayMove(i) ? "reason.buffer-average" : "reason.buffer-changes");
            if (ownName(name) == "running_var")
                continue; // with its mean, below
            const std::string owner = ownerName(name);
            const auto variance = std::ranges::find_if(m_module.buffers, [&](const ScriptedTensor& other) {
                return other.names.front() == (owner.empty() ? "running_var" : owner + ".running_var");
            });
            if (variance == m_module.buffers.end())
                return unknown(i, "reason.buffer-changes");
            norms.push_back({owner, m_module.buffers[i].value, variance->value, *momentum});
        }
        return norms;
    }

    const ScriptedModule& m_module;
    Trial& m_trial;
};

/// How many values per sample stand behind each statistic: the unbiased variance of a batch and of the batch twice
/// differ by (2n - 1) / (2n - 2) for n values.
void measureAreas(ScriptedModule& module, const InputShape& input, at::ScalarType type) {
    Trial trial(module, input, type);
    const at::Tensor samples = trial.samples(rows);
    const auto variances = [&](const at::Tensor& batch) {
        trial.instance().setTraining(true, false);
        trial.instance().beginStatistics();
        (void)trial.run(batch);
        std::vector<at::Tensor> seen;
        for (std::size_t i = 0; i < module.norms.size(); ++i)
            seen.push_back(trial.instance().variance(i).to(at::kDouble) / module.norms[i].momentum);
        return seen;
    };
    const auto once = variances(samples);
    const auto twice = variances(at::cat({samples, samples}));
    for (std::size_t i = 0; i < module.norms.size(); ++i) {
        const at::Tensor varies = once[i].gt(1e-12);
        if (!varies.any().item<bool>())
            continue;
        const double ratio = (once[i].masked_select(varies) / twice[i].masked_select(varies)).median().item<double>();
        const double area = (1.0 + 1.0 / (2.0 * (ratio - 1.0))) / static_cast<double>(rows);
        const double whole = std::round(area);
        module.norms[i].area = std::abs(area - whole) <= 1e-3 * whole ? static_cast<std::int64_t>(whole) : 0;
    }
}

Error shapeError(const ScriptedModule& module, const InputShape& input, at::IntArrayRef given) {
    const std::string wanted = input.loss == LossKind::Model          ? "reason.output-losses"
                               : input.loss == LossKind::CrossEntropy ? "reason.output-classes"
                                                                      : "reason.output-numbers";
    return {"model.file-output",
            {{"file", module.file},
             {"shape", shapeText(given)},
             {"rows", std::to_string(rows)},
             {"wanted", wanted},
             {"classes", std::to_string(input.classes)},
             {"block", std::to_string(input.block)}}};
}

Status takeOutput(const ScriptedModule& module, const InputShape& input, const Trial::Returned& returned,
                  ScriptedTraits& traits) {
    const at::IntArrayRef shape = returned.tensor.sizes();
    const auto refuse = [&]() -> Status { return failure(shapeError(module, input, shape)); };
    if (input.loss == LossKind::Model) {
        if (!returned.withCount && (shape.empty() || shape[0] % rows != 0))
            return refuse();
        return {};
    }
    if (returned.withCount || shape.empty() ||
        (shape[0] != rows && (input.block == 0 || shape[0] != rows * input.block)))
        return refuse();
    traits.output.assign(shape.begin() + 1, shape.end());
    if (input.loss != LossKind::CrossEntropy)
        return returned.tensor.numel() == rows * input.classes ? Status() : refuse();
    if (shape.size() < 2 || !input.wholeTargets)
        return refuse();
    if (input.block > 0 && shape.size() == 3) {
        if (shape[2] >= input.classes && shape[1] == input.block)
            traits.classes = ClassPlace::Last;
        else if (shape[1] < input.classes || shape[2] != input.block)
            return refuse();
        return {};
    }
    // A score for each class of each target.
    const std::int64_t targets = input.block > 0 ? rows * input.block : rows * elementsOf(input.target);
    return shape[1] >= input.classes && returned.tensor.numel() == shape[1] * targets ? Status() : refuse();
}

/// Does changing one sample change the others' outputs? The stream is the same, and so is every mask.
bool couples(Trial& trial, bool training, bool frozenStatistics) {
    const at::Tensor samples = trial.samples(rows);
    at::Tensor other = samples.clone();
    other.select(0, rows - 1).copy_(trial.samples(1, 99).select(0, 0));
    const auto rest = [&](const at::Tensor& input) {
        const at::Tensor output = trial.output(input, training, 1, frozenStatistics);
        return output.dim() == 0 ? output : output.narrow(0, 0, output.size(0) / rows * (rows - 1));
    };
    return !agree(rest(samples), rest(other), trial.type());
}

tl::unexpected<Error> cannotCompute(const ScriptedModule& module, const InputShape& input,
                                    const std::exception& problem) {
    std::string reason = scriptedReason(problem);
    std::vector<std::int64_t> shape = sampleShape(input);
    shape.insert(shape.begin(), rows);
    return failure("model.file-forward", {{"file", module.file},
                                          {"shape", shapeText(shape)},
                                          {"type", isWhole(input) ? "int64" : "float"},
                                          {"reason", std::move(reason)}});
}

/// Evaluation, and training with frozen statistics, must move no statistic; evaluation must not draw. A module that
/// was traced in training mode does both for ever.
Status checkEvaluation(const ScriptedModule& module, const InputShape& input, at::ScalarType type) {
    Trial trial(module, input, type);
    const at::Tensor samples = trial.samples(rows);
    const bool draws = !trial.output(samples, false, 1).equal(trial.output(samples, false, 2));
    bool moves = false;
    for (const bool training : {false, true}) {
        (void)trial.output(samples, training, 1, /*frozenStatistics=*/true);
        for (std::size_t i = 0; i < module.norms.size(); ++i)
            moves = moves || !trial.instance().mean(i).equal(module.norms[i].mean.to(type)) ||
                    !trial.instance().variance(i).equal(module.norms[i].variance.to(type));
    }
    if (draws || moves)
        return failure(
            "model.file-traced",
            {{"file", module.file}, {"reason", draws ? "reason.evaluation-draws" : "reason.evaluation-moves"}});
    return {};
}

ScriptedTraits traitsOf(Trial& trial, const ScriptedModule& module, const InputShape& input) {
    ScriptedTraits traits;
    const at::Tensor samples = trial.samples(rows);
    traits.draws = !trial.output(samples, true, 1).equal(trial.output(samples, true, 2));
    if (input.loss != LossKind::Model) // whose losses depend on targets that are made up here
        traits.couples = couples(trial, false, false) || couples(trial, true, true);
    const bool hasStatistics = std::ranges::any_of(
        module.buffers, [](const ScriptedTensor& buffer) { return ownName(buffer.names.front()) == "running_mean"; });
    traits.evaluatesAlways = hasStatistics && module.norms.empty();
    return traits;
}

/// Channels last slows narrow layers down.
bool hasWideConvolutions(const ScriptedModule& module) {
    constexpr std::int64_t wide = 32;
    return std::ranges::any_of(module.parameters, [](const ScriptedTensor& parameter) {
        return parameter.value.dim() == 4 && parameter.value.size(0) >= wide && parameter.value.size(1) >= wide;
    });
}

} // namespace

std::unique_lock<std::mutex> seededStream(std::uint64_t key, at::Device device) {
    static std::mutex mutex;
    std::unique_lock taken(mutex);
    at::Generator generator = at::globalContext().defaultGenerator(device);
    const std::lock_guard lock(generator.mutex());
    generator.set_current_seed(key);
    return taken;
}

Result<ScriptedTraits> tryScriptedModule(ScriptedModule& module, const InputShape& input,
                                         ConvolutionChoice convolutions) {
    // In fp64 nothing hides in rounding; a traced module may have fp32 written into it.
    at::ScalarType type = at::kDouble;
    Trial::Returned returned;
    try {
        returned = Trial(module, input, type).run(Trial(module, input, type).samples(rows));
    } catch (const std::exception&) {
        type = at::kFloat;
        try {
            returned = Trial(module, input, type).run(Trial(module, input, type).samples(rows));
        } catch (const std::exception& problem) {
            return cannotCompute(module, input, problem);
        }
    }
    try {
        ScriptedTraits checked;
        ACCUMULUS_TRY(takeOutput(module, input, returned, checked));
        {
            Trial trial(module, input, type);
            ACCUMULUS_TRY_ASSIGN(module.norms, BufferTrial(module, trial).norms());
        }
        ACCUMULUS_TRY(checkEvaluation(module, input, type));
        measureAreas(module, input, type);
        Trial trial(module, input, type);
        ScriptedTraits traits = traitsOf(trial, module, input);
        traits.output = checked.output;
        traits.classes = checked.classes;
        for (const ScriptedNorm& norm : module.norms)
            traits.leastArea = traits.leastArea == 0 ? std::max<std::int64_t>(1, norm.area)
                                                     : std::min(traits.leastArea, std::max<std::int64_t>(1, norm.area));
        if (!trial.output(trial.samples(rows), true, 1).equal(trial.output(trial.samples(rows), true, 1)))
            return failure("model.file-unrepeatable", {{"file", module.file}});
        if (convolutions.channelsLast && sampleShape(input).size() == 3 &&
            !(convolutions.onlyWide && !hasWideConvolutions(module))) {
            try {
                (void)trial.run(trial.samples(rows).contiguous(at::MemoryFormat::ChannelsLast));
                traits.channelsLast = true;
            } catch (const std::exception&) { // it looks at its tensors as rows: the usual order then
                traits.channelsLast = false;
            }
        }
        return traits;
    } catch (const std::exception& problem) {
        return cannotCompute(module, input, problem);
    }
}

} // namespace accumulus
