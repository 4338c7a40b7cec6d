// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scripted_norms.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

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
        ACCUMULUS_TRY(learn(1));
        // Draws and samples may decide which layers a pass goes through, and how often.
        constexpr std::uint64_t always = 4, most = 32;
        for (std::uint64_t draw = 2; m_module.branchesOnValues && draw <= most; ++draw)
            if (draw <= always ? !m_found.empty() || hasUnknown() : hasUnknown() && reachesUnknown(draw))
                ACCUMULUS_TRY(learn(draw));
        for (std::size_t i = 0; i < m_module.buffers.size(); ++i)
            if (isUnknown(i))
                if (auto norm = declared(i))
                    m_found.emplace(i, std::move(*norm));
        std::vector<ScriptedNorm> norms;
        for (auto& [mean, norm] : m_found)
            norms.push_back(std::move(norm));
        return norms;
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
    /// A running mean of which no pass has told what moves it.
    [[nodiscard]] bool isUnknown(std::size_t i) const {
        return mayMove(i) && scriptedOwnName(m_module.buffers[i].names.front()) == "running_mean" &&
               !m_found.contains(i);
    }
    [[nodiscard]] bool hasUnknown() const {
        for (std::size_t i = 0; i < m_module.buffers.size(); ++i)
            if (isUnknown(i))
                return true;
        return false;
    }
    [[nodiscard]] bool reachesUnknown(std::uint64_t draw) {
        const auto after = afterPass(draw, 0.0, 0);
        for (std::size_t i = 0; i < after.size(); ++i)
            if (isUnknown(i) && !after[i].equal(at::zeros_like(after[i])))
                return true;
        return false;
    }

    /// What the passes of one draw tell of the layers they go through.
    [[nodiscard]] Status learn(std::uint64_t draw) {
        ACCUMULUS_TRY_ASSIGN(auto first, sort(afterPasses(draw, 0)));
        // An average over all batches (momentum=None) has a share that falls with their number.
        constexpr std::int64_t later = 10;
        ACCUMULUS_TRY_ASSIGN(const auto then, sort(afterPasses(draw, later)));
        for (auto& [mean, norm] : first) {
            const auto again = then.find(mean);
            const auto known = m_found.find(mean);
            if (again == then.end() || again->second.momentum != norm.momentum)
                return unknown(mean, "reason.buffer-average");
            if (known != m_found.end() && known->second.momentum != norm.momentum) // passed a varying number of times
                return unknown(mean, "reason.buffer-varies");
            m_found.emplace(mean, std::move(norm));
        }
        return {};
    }

    /// A layer that was never reached, by what it says of itself.
    [[nodiscard]] std::optional<ScriptedNorm> declared(std::size_t mean) const {
        const std::string owner = ownerName(m_module.buffers[mean].names.front());
        const auto momentum = declaredMomentum(m_module, owner);
        const ScriptedTensor* variance = varianceOf(owner);
        if (!variance || !momentum || *momentum <= 0.0 || *momentum > 1.0)
            return std::nullopt;
        return ScriptedNorm{owner, m_module.buffers[mean].value, variance->value, *momentum};
    }
    [[nodiscard]] const ScriptedTensor* varianceOf(const std::string& owner) const {
        const auto variance = std::ranges::find_if(m_module.buffers, [&](const ScriptedTensor& other) {
            return other.names.front() == (owner.empty() ? "running_var" : owner + ".running_var");
        });
        return variance == m_module.buffers.end() ? nullptr : &*variance;
    }

    /// The buffers after a training pass from statistics of `start`; `passes` came before.
    [[nodiscard]] std::vector<at::Tensor> afterPass(std::uint64_t draw, double start, std::int64_t passes) {
        for (std::size_t i = 0; i < m_module.buffers.size(); ++i)
            m_trial.instance().setBuffer(i, mayMove(i)     ? at::full_like(original(i), start)
                                            : isCounter(i) ? at::full_like(original(i), passes)
                                                           : original(i));
        (void)m_trial.output(m_trial.samples(trialRows, static_cast<std::int64_t>(draw - 1) * trialRows), true, draw);
        std::vector<at::Tensor> after = values();
        for (std::size_t i = 0; i < m_module.buffers.size(); ++i) // later runs need what the file has
            m_trial.instance().setBuffer(i, original(i));
        return after;
    }
    [[nodiscard]] std::vector<std::vector<at::Tensor>> afterPasses(std::uint64_t draw, std::int64_t passes) {
        return {afterPass(draw, 0.0, passes), afterPass(draw, 1.0, passes), afterPass(draw, 2.0, passes)};
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

    /// The layers by the place of their running mean.
    Result<std::map<std::size_t, ScriptedNorm>> sort(const std::vector<std::vector<at::Tensor>>& after) {
        std::map<std::size_t, ScriptedNorm> norms;
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
            const ScriptedTensor* variance = varianceOf(owner);
            if (!variance)
                return unknown(i, "reason.buffer-changes");
            norms.emplace(i, ScriptedNorm{owner, m_module.buffers[i].value, variance->value, *momentum});
        }
        return norms;
    }

    const ScriptedModule& m_module;
    TrialRun& m_trial;
    std::map<std::size_t, ScriptedNorm> m_found;
};

} // namespace

std::string scriptedOwnName(const std::string& tensor) { return tensor.substr(tensor.rfind('.') + 1); }

Result<std::vector<ScriptedNorm>> normsOf(const ScriptedModule& module, TrialRun& trial) {
    return BufferTrial(module, trial).norms();
}

// The unbiased variance of a batch and of the batch twice differ by (2n - 1) / (2n - 2) for n values.
void measureAreas(ScriptedModule& module, const InputShape& input, at::ScalarType type) {
    TrialRun trial(module, input, type);
    const at::Tensor samples = trial.samples(trialRows);
    struct Seen {
        std::vector<bool> reached;
        std::vector<at::Tensor> variances;
    };
    const auto seen = [&](const at::Tensor& batch, std::uint64_t draw) {
        trial.instance().setTraining(true, false);
        trial.instance().beginStatistics();
        (void)trial.run(batch, draw);
        Seen now{trial.instance().reached(), {}};
        for (std::size_t i = 0; i < module.norms.size(); ++i)
            now.variances.push_back(trial.instance().variance(i).to(at::kDouble) / module.norms[i].momentum);
        return now;
    };
    std::vector<bool> measured(module.norms.size());
    const std::uint64_t draws = module.branchesOnValues ? 32 : 1;
    for (std::uint64_t draw = 1; draw <= draws && std::ranges::find(measured, false) != measured.end(); ++draw) {
        const Seen once = seen(samples, draw);
        const Seen twice = seen(at::cat({samples, samples}), draw);
        for (std::size_t i = 0; i < module.norms.size(); ++i) {
            const at::Tensor varies = once.variances[i].gt(1e-12);
            if (measured[i] || !once.reached[i] || !twice.reached[i] || !varies.any().item<bool>())
                continue;
            const double ratio = (once.variances[i].masked_select(varies) / twice.variances[i].masked_select(varies))
                                     .median()
                                     .item<double>();
            const double area = (1.0 + 1.0 / (2.0 * (ratio - 1.0))) / static_cast<double>(trialRows);
            const double whole = std::round(area);
            module.norms[i].area = std::abs(area - whole) <= 1e-3 * whole ? static_cast<std::int64_t>(whole) : 0;
            measured[i] = true;
        }
    }
}

} // namespace accumulus
