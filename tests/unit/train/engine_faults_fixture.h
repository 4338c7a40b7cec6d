// SPDX-License-Identifier: GPL-3.0-or-later
// Small classifiers that something befalls (a sample that is not finite, memory that runs out, anything thrown), and
// training with everything that is said.
#pragma once

#include "core/engine/memory_counter.h"
#include "core/model/batch_norm.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace accumulus::test {

struct Notes final : RecordingObserver {
    void noted(const std::string& level, const Message& message, std::int64_t update) override {
        RecordingObserver::noted(level, message, update);
        texts.push_back(messageText(message));
    }
    Status microStepProbed(const MicroStepRecord& record) override {
        probed.push_back(record);
        return {};
    }
    Wish proceed() override { return left-- <= 0 ? Wish::StopNow : Wish::GoOn; }
    std::atomic<int> left{1 << 30}; ///< micro-steps until it stops in mid-window
    std::vector<std::string> texts;
    std::vector<MicroStepRecord> probed;
};

struct Outcome {
    TrainingEnd end;
    Notes observer;
    std::vector<double> weights;
    bool sees(const std::string& code) const { return std::ranges::count(observer.notes, code) > 0; }
};

inline std::unique_ptr<Outcome> train(TrainerSetup setup, const std::string& bundle = {}, int stopAfter = 1 << 30) {
    auto outcome = std::make_unique<Outcome>();
    outcome->observer.left = stopAfter;
    auto trainer = Trainer::create(std::move(setup)).value();
    if (!bundle.empty() && !trainer->restore(bundle))
        qFatal("the bundle cannot be read");
    outcome->end = trainer->train(outcome->observer);
    outcome->weights = trainer->weights();
    return outcome;
}

/// Sample by sample, the factor of a micro-batch's rows.
inline at::Tensor rowsOf(const at::Tensor& input, const ForwardContext& context, std::int64_t id, double value) {
    at::Tensor factor = at::ones({input.size(0), 1}, input.scalar_type());
    for (std::size_t row = 0; context.training && row < context.keys.size(); ++row)
        if (context.keys.ids[row] == id)
            factor[static_cast<std::int64_t>(row)] = value;
    return factor;
}

/// A linear classifier; what befalls it is told in `trouble`.
class Linear : public Model {
public:
    using Trouble = std::function<void(const at::Tensor& input, ForwardContext& context)>;
    explicit Linear(Trouble trouble = {}, std::int64_t spoiled = -1)
        : Model({{"w", {10, 784}, 784, false}}), m_trouble(std::move(trouble)), m_spoiled(spoiled) {}
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext& context) const override {
        if (m_trouble)
            m_trouble(input, context);
        return at::linear(input.flatten(1), p[0]) * rowsOf(input, context, m_spoiled, std::nan(""));
    }

private:
    Trouble m_trouble;
    std::int64_t m_spoiled;
};

/// BatchNorm of a single pixel, as in a fully connected network, then a linear classifier.
class NormedLinear final : public Model {
public:
    explicit NormedLinear(std::int64_t spoiled = -1, Linear::Trouble trouble = {})
        : Model({{"bn.weight", {784}, 784, true, InitialValue::constant(1.0)},
                 {"bn.bias", {784}, 784, true, InitialValue::constant(0.0)},
                 {"w", {10, 784}, 784, false}},
                {{"bn.running_mean", {784}, 1, false, InitialValue::constant(0.0)},
                 {"bn.running_var", {784}, 1, false, InitialValue::constant(1.0)}}),
          m_spoiled(spoiled), m_trouble(std::move(trouble)) {}
    [[nodiscard]] std::int64_t leastNormalisedArea() const override { return 1; }
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext& context) const override {
        if (m_trouble)
            m_trouble(input, context);
        const at::Tensor spoiled = input.flatten(1) * rowsOf(input, context, m_spoiled, std::nan(""));
        return at::linear(batchNorm(spoiled.view({-1, 784, 1, 1}), p[0], p[1], 0, context).flatten(1), p[2]);
    }

private:
    std::int64_t m_spoiled;
    Linear::Trouble m_trouble;
};

inline RunConfig config96() {
    RunConfig config = smallConfig(96, 32, 8); // three windows of four micro-steps
    config.data.testLimit = 10;
    config.data.shuffle = false;
    return config;
}

inline TrainerSetup setupOf(const RunConfig& config, const QTemporaryDir& folder, std::shared_ptr<const Model> model,
                            int lanes = 1) {
    TrainerSetup setup = makeSetup(config, folder, {lanes, 1});
    setup.model = std::move(model);
    return setup;
}

} // namespace accumulus::test
