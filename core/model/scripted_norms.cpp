// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scripted_norms.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace accumulus {
namespace {

/// The dotted name of a tensor's owner; empty for the module itself.
std::string ownerName(const std::string& tensor) {
    const auto dot = tensor.rfind('.');
    return dot == std::string::npos ? std::string() : tensor.substr(0, dot);
}

/// What training passes do to the buffers: each must stay, count passes, or be a running statistic.
class BufferTrial {
public:
    BufferTrial(const ScriptedModule& module, TrialRun& trial) : m_module(module), m_trial(trial) {}

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
        const std::string name = scriptedOwnName(m_module.buffers[i].names.front());
        return m_module.buffers[i].value.is_floating_point() && (name == "running_mean" || name == "running_var");
    }
    [[nodiscard]] bool isCounter(std::size_t i) const {
        return !m_module.buffers[i].value.is_floating_point() &&
               scriptedOwnName(m_module.buffers[i].names.front()) == "num_batches_tracked";
    }
    /// The buffers after a training pass from statistics of 0, of 1 and of 2 that is not the first: `passes` came
    /// before.
    [[nodiscard]] std::vector<std::vector<at::Tensor>> afterPasses(std::int64_t passes) {
        const at::Tensor samples = m_trial.samples(trialRows);
        std::vector<std::vector<at::Tensor>> after;
        for (const double start : {0.0, 1.0, 2.0}) {
            for (std::size_t i = 0; i < m_module.buffers.size(); ++i)
                m_trial.instance().setBuffer(i, mayMove(i)     ? at::full_like(original(i), start)
                                                : isCounter(i) ? at::full_like(original(i), passes)
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
            if (scriptedOwnName(name) == "running_var")
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
    TrialRun& m_trial;
};

} // namespace

std::string scriptedOwnName(const std::string& tensor) { return tensor.substr(tensor.rfind('.') + 1); }

Result<std::vector<ScriptedNorm>> normsOf(const ScriptedModule& module, TrialRun& trial) {
    return BufferTrial(module, trial).norms();
}

// The unbiased variance of a batch and of the batch twice
/// differ by (2n - 1) / (2n - 2) for n values.
void measureAreas(ScriptedModule& module, const InputShape& input, at::ScalarType type) {
    TrialRun trial(module, input, type);
    const at::Tensor samples = trial.samples(trialRows);
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
        const double area = (1.0 + 1.0 / (2.0 * (ratio - 1.0))) / static_cast<double>(trialRows);
        const double whole = std::round(area);
        module.norms[i].area = std::abs(area - whole) <= 1e-3 * whole ? static_cast<std::int64_t>(whole) : 0;
    }
}

} // namespace accumulus
