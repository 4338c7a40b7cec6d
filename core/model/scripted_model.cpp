// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scripted_model.h"

#include "core/base/path_text.h"
#include "core/base/some_of.h"
#include "core/model/scripted_trial.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <list>
#include <map>
#include <mutex>
#include <stdexcept>

namespace accumulus {
namespace {

/// A module that was tried on data of one shape.
struct TriedModule {
    ScriptedModule module;
    ScriptedTraits traits;
    InputShape input;
};

std::vector<ParameterSpec> parameterSpecs(const TriedModule& tried) {
    std::vector<ParameterSpec> specs;
    for (const ScriptedTensor& parameter : tried.module.parameters) {
        ParameterSpec spec;
        spec.name = parameter.names.front();
        spec.aliases.assign(parameter.names.begin() + 1, parameter.names.end());
        spec.shape = parameter.value.sizes().vec();
        spec.bias = spec.shape.size() < 2;
        spec.fanIn =
            spec.shape.empty() || spec.shape[0] == 0 ? 1 : std::max<std::int64_t>(1, spec.count() / spec.shape[0]);
        spec.channelsLast = tried.traits.channelsLast && spec.shape.size() == 4;
        spec.trainable = parameter.value.requires_grad();
        specs.push_back(std::move(spec));
    }
    return specs;
}

std::vector<ParameterSpec> bufferSpecs(const TriedModule& tried) {
    std::vector<ParameterSpec> specs;
    for (const ScriptedNorm& norm : tried.module.norms)
        for (const char* name : {"running_mean", "running_var"}) {
            ParameterSpec spec;
            spec.name = norm.owner.empty() ? name : norm.owner + "." + name;
            spec.shape = norm.mean.sizes().vec();
            spec.initial = InitialValue::constant(std::string_view(name) == "running_var" ? 1.0 : 0.0);
            spec.momentum = norm.momentum;
            specs.push_back(std::move(spec));
        }
    return specs;
}

at::Tensor flatOf(const ParameterLayout& layout, const std::vector<at::Tensor>& values, at::ScalarType type) {
    const at::NoGradGuard noGrad;
    at::Tensor flat = layout.allocate(type);
    for (std::size_t i = 0; i < values.size(); ++i)
        layout.view(flat, i).copy_(values[i]);
    return flat;
}

class ScriptedPass {
public:
    ScriptedPass(const TriedModule& tried, at::ScalarType type, at::Device device)
        : m_tried(tried), m_instance(tried.module, type, device) {}

    ScriptedInstance& instance() { return m_instance; }

    at::Tensor forward(const at::Tensor& input, std::span<const at::Tensor> statistics, ForwardContext& context) {
        const bool frozen = context.batchNorm == BatchNormMode::Frozen;
        m_instance.setTraining(context.training, frozen);
        const bool moves = context.training && !frozen && !m_tried.module.norms.empty();
        if (!moves)
            m_instance.setStatistics(statistics);
        const at::Tensor samples =
            m_tried.traits.channelsLast ? input.contiguous(at::MemoryFormat::ChannelsLast) : input;
        if (!moves || context.ghost == 0 || context.ghost >= samples.size(0))
            return part(samples, context.targets, moves, 0, context);
        std::vector<at::Tensor> outputs;
        std::int64_t first = 0;
        for (const at::Tensor& rows : samples.split(context.ghost)) {
            const at::Tensor targets = context.targets.defined()
                                           ? targetsOf(context.targets, samples.size(0), first, rows.size(0))
                                           : at::Tensor();
            outputs.push_back(part(rows, targets, moves, first, context));
            first += rows.size(0);
        }
        return outputs.front().dim() == 0 ? at::stack(outputs).sum() : at::cat(outputs);
    }

private:
    static at::Tensor targetsOf(const at::Tensor& targets, std::int64_t samples, std::int64_t first,
                                std::int64_t count) {
        const std::int64_t each = targets.size(0) / samples;
        return targets.narrow(0, first * each, count * each);
    }

    at::Tensor part(const at::Tensor& samples, const at::Tensor& targets, bool moves, std::int64_t first,
                    ForwardContext& context) {
        std::vector<c10::IValue> inputs{samples};
        if (m_tried.input.loss == LossKind::Model)
            inputs.emplace_back(targets);
        if (moves)
            m_instance.beginStatistics(); // what a pass leaves is then momentum x the batch's statistics
        c10::IValue returned;
        if (context.training && m_tried.traits.draws) {
            const auto stream = seededStream(streamKey(context, static_cast<std::size_t>(first)), samples.device());
            returned = m_instance.run(std::move(inputs));
        } else {
            returned = m_instance.run(std::move(inputs));
        }
        if (moves)
            takeStatistics(samples.size(0), context);
        return shaped(tensorOf(returned, context));
    }

    static std::uint64_t streamKey(const ForwardContext& context, std::size_t row) {
        return row < context.keys.size() ? context.keys.key(row, purposeDropout) : 0;
    }

    static at::Tensor tensorOf(const c10::IValue& returned, ForwardContext& context) {
        if (returned.isTensor())
            return returned.toTensor();
        const auto& elements = returned.toTupleRef().elements();
        if (elements.size() == 2) { // a sum and the count behind it
            const double units = elements[1].isTensor()   ? elements[1].toTensor().item<double>()
                                 : elements[1].isDouble() ? elements[1].toDouble()
                                                          : static_cast<double>(elements[1].toInt());
            context.units = std::max(0.0, context.units) + units;
        }
        return elements[0].toTensor();
    }

    void takeStatistics(std::int64_t samples, ForwardContext& context) {
        const at::NoGradGuard noGrad;
        const std::vector<bool>& reached = reachedBy(samples);
        context.statistics.resize(m_tried.module.norms.size());
        for (std::size_t i = 0; i < m_tried.module.norms.size(); ++i) {
            if (!reached[i])
                continue; // as in PyTorch, a layer that was skipped keeps its statistics
            const ScriptedNorm& norm = m_tried.module.norms[i];
            context.statistics[i].push_back({m_instance.mean(i) / norm.momentum, m_instance.variance(i) / norm.momentum,
                                             samples * std::max<std::int64_t>(1, norm.area)});
        }
    }

    /// The layers that the pass went through. On a device, what does not depend on values is asked once for each
    /// number of samples: the answer waits for the pass, and must not while a graph is recorded.
    const std::vector<bool>& reachedBy(std::int64_t samples) {
        const bool known =
            m_reached.contains(samples) && !m_tried.module.branchesOnValues && !m_instance.mean(0).is_cpu();
        return known ? m_reached[samples] : m_reached[samples] = m_instance.reached();
    }

    /// Of text: [samples x block, vocabulary].
    [[nodiscard]] at::Tensor shaped(const at::Tensor& output) const {
        if (m_tried.input.block == 0 || output.dim() != 3 || m_tried.input.loss == LossKind::Model)
            return output;
        const at::Tensor last = m_tried.traits.classes == ClassPlace::Last ? output : output.transpose(1, 2);
        return last.reshape({-1, last.size(2)});
    }

    const TriedModule& m_tried;
    ScriptedInstance m_instance;
    std::map<std::int64_t, std::vector<bool>> m_reached; ///< by the number of samples
};

class LaneInstance final : public ModelInstance {
public:
    LaneInstance(std::shared_ptr<const TriedModule> tried, const std::vector<at::Tensor>& parameters,
                 std::vector<at::Tensor> buffers)
        : m_tried(std::move(tried)), m_buffers(std::move(buffers)),
          m_pass(*m_tried, parameters.front().scalar_type(), parameters.front().device()) {
        m_pass.instance().setParameters(parameters);
    }
    [[nodiscard]] at::Tensor forward(const at::Tensor& input, ForwardContext& context) override {
        return m_pass.forward(input, m_buffers, context);
    }

private:
    std::shared_ptr<const TriedModule> m_tried;
    std::vector<at::Tensor> m_buffers;
    ScriptedPass m_pass;
};

class ScriptedModel final : public Model {
public:
    explicit ScriptedModel(std::shared_ptr<const TriedModule> tried)
        : Model(parameterSpecs(*tried), bufferSpecs(*tried)), m_tried(std::move(tried)) {}

    [[nodiscard]] Task task() const override { return m_tried->input.block > 0 ? Task::NextToken : Task::Classify; }
    [[nodiscard]] std::int64_t leastNormalisedArea() const override { return m_tried->traits.leastArea; }
    [[nodiscard]] bool drawsFromStream() const override { return m_tried->traits.draws; }
    [[nodiscard]] bool couplesSamples() const override { return m_tried->traits.couples; }
    [[nodiscard]] bool countsNormalised() const override {
        return std::ranges::all_of(m_tried->module.norms, [](const ScriptedNorm& norm) { return norm.area > 0; });
    }

    [[nodiscard]] bool computesIn(at::ScalarType type) const override {
        return type == at::kDouble ? m_tried->traits.inDouble : m_tried->traits.inFloat;
    }

    [[nodiscard]] bool bringsWeights() const override { return true; }
    [[nodiscard]] at::Tensor ownWeights(at::ScalarType type) const override {
        std::vector<at::Tensor> values;
        for (const ScriptedTensor& parameter : m_tried->module.parameters)
            values.push_back(parameter.value);
        return flatOf(layout(), values, type);
    }
    [[nodiscard]] at::Tensor ownBuffers() const override {
        std::vector<at::Tensor> values;
        for (const ScriptedNorm& norm : m_tried->module.norms)
            values.insert(values.end(), {norm.mean, norm.variance});
        return flatOf(buffers(), values, at::kDouble);
    }

    [[nodiscard]] std::vector<Message> facts() const override {
        std::vector<Message> facts{{"fact.file-model", {{"file", m_tried->module.file}}}};
        const ScriptedTraits& traits = m_tried->traits;
        std::string shape;
        for (const std::int64_t size : traits.output)
            shape += (shape.empty() ? "" : " x ") + std::to_string(size);
        if (!shape.empty())
            facts.push_back({"fact.file-output", {{"shape", shape}}});
        if (!m_tried->module.norms.empty())
            facts.push_back({"fact.file-norms", {{"layers", std::to_string(m_tried->module.norms.size())}}});
        if (traits.draws)
            facts.push_back({"fact.file-draws", {}});
        if (traits.couples)
            facts.push_back({"fact.file-couples", {}});
        if (traits.evaluatesAlways)
            facts.push_back({"fact.file-evaluates", {}});
        if (!traits.unreached.empty())
            facts.push_back({"fact.file-unreached", {{"parameters", someOf(traits.unreached, 3)}}});
        return facts;
    }

    [[nodiscard]] std::unique_ptr<ModelInstance> instantiate(std::vector<at::Tensor> parameters,
                                                             std::vector<at::Tensor> buffers) const override {
        return std::make_unique<LaneInstance>(m_tried, parameters, std::move(buffers));
    }

    /// With an instance of its own for the time of the call; those that were made are kept.
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> parameters, const at::Tensor& input,
                                     ForwardContext& context) const override {
        const auto type = parameters.front().scalar_type();
        const auto device = parameters.front().device();
        std::unique_ptr<ScriptedPass> pass = idle(type, device);
        if (!pass)
            pass = std::make_unique<ScriptedPass>(*m_tried, type, device);
        pass->instance().setParameters({parameters.begin(), parameters.end()});
        at::Tensor output = pass->forward(input, context.buffers, context);
        const std::lock_guard lock(m_mutex);
        m_idle.push_back({type, device, std::move(pass)});
        return output;
    }

private:
    struct Idle {
        at::ScalarType type;
        at::Device device;
        std::unique_ptr<ScriptedPass> pass;
    };
    std::unique_ptr<ScriptedPass> idle(at::ScalarType type, at::Device device) const {
        const std::lock_guard lock(m_mutex);
        const auto found =
            std::ranges::find_if(m_idle, [&](const Idle& one) { return one.type == type && one.device == device; });
        if (found == m_idle.end())
            return nullptr;
        std::unique_ptr<ScriptedPass> pass = std::move(found->pass);
        m_idle.erase(found);
        return pass;
    }

    std::shared_ptr<const TriedModule> m_tried;
    mutable std::mutex m_mutex;
    mutable std::list<Idle> m_idle;
};

/// Reading and trying take seconds for a large network, and the form asks after every edit.
class TriedModules {
public:
    Result<std::shared_ptr<const TriedModule>> get(const std::filesystem::path& file, const InputShape& input,
                                                   ConvolutionChoice convolutions) {
        std::error_code problem;
        Key key{file, std::filesystem::file_size(file, problem), std::filesystem::last_write_time(file, problem),
                convolutions, input};
        const std::lock_guard lock(m_mutex);
        if (const auto known = std::ranges::find(m_known, key, &Known::key); known != m_known.end()) {
            m_known.splice(m_known.begin(), m_known, known);
            return m_known.front().tried;
        }
        auto tried = std::make_shared<TriedModule>();
        ACCUMULUS_TRY_ASSIGN(tried->module, readScriptedModule(file, convolutions));
        tried->input = input;
        ACCUMULUS_TRY_ASSIGN(tried->traits, tryScriptedModule(tried->module, input, convolutions));
        m_known.push_front({std::move(key), tried});
        constexpr std::size_t most = 4;
        if (m_known.size() > most)
            m_known.pop_back();
        return std::shared_ptr<const TriedModule>(std::move(tried));
    }

private:
    struct Key {
        std::filesystem::path file;
        std::uintmax_t size;
        std::filesystem::file_time_type changed;
        ConvolutionChoice convolutions;
        InputShape input;
        bool operator==(const Key&) const = default;
    };
    struct Known {
        Key key;
        std::shared_ptr<const TriedModule> tried;
    };
    std::mutex m_mutex;
    std::list<Known> m_known;
};

} // namespace

Result<std::shared_ptr<Model>> makeScriptedModel(const ModelConfig& config, const InputShape& input,
                                                 ConvolutionChoice convolutions) {
    if (config.path.empty())
        return failure("model.file-unset", {});
    static TriedModules known;
    ACCUMULUS_TRY_ASSIGN(auto tried, known.get(pathOfText(config.path), input, convolutions));
    return std::make_shared<ScriptedModel>(std::move(tried));
}

} // namespace accumulus
