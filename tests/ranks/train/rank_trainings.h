// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of training on ranks share: small set-ups, training on all ranks and on one alone, and comparisons
// of what comes out.
#pragma once

#include "core/config/config_fields.h"
#include "core/data/mapped_file.h"
#include "core/engine/engine.h"
#include "core/train/checkpoint_info.h"
#include "tests/support/rank_test.h"
#include "tests/support/small_nets.h"
#include "tests/support/training.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <memory>
#include <utility>

namespace accumulus::test {

/// fp64: each sum of K gradients is rounded K times whatever its order, u = 1.1e-16, and three updates carry that on.
inline constexpr double tolerance = 1e-12;

struct Trained {
    TrainingEnd end;
    std::vector<WindowRecord> windows;
    std::vector<MicroStepRecord> probes;
    std::vector<CheckpointRecord> checkpoints;
    std::vector<std::string> notes; ///< codes
    std::vector<Message> messages;
    std::vector<double> weights;
    std::string hash;
};

struct Observer : RecordingObserver {
    Wish proceed() override {
        ++asked;
        if (stopsNowAfter > 0 && asked > stopsNowAfter)
            return Wish::StopNow;
        if (stopAfterWindows > 0 && windows.size() >= stopAfterWindows)
            return Wish::Stop;
        return RecordingObserver::proceed();
    }
    Status microStepProbed(const MicroStepRecord& record) override {
        probes.push_back(record);
        return {};
    }
    /// Questions: one at each window's begin, then, on one lane, one before each micro-step; on ranks one more at the
    /// end of each stretch. The first stretch is one micro-step a rank, those behind it half a second: 1 stops ranks in
    /// the middle of the first window.
    int stopsNowAfter = 0;
    std::size_t stopAfterWindows = 0; ///< also those without an update
    std::atomic<int> asked{0};
    std::vector<MicroStepRecord> probes;
};

/// Micro-steps that the open window of a bundle holds, of all ranks.
inline int openMicroSteps(const std::string& bundle) {
    const auto metadata = readCheckpointMetadata(bundle).value();
    const auto state = QJsonDocument::fromJson(QByteArray::fromStdString(metadata.at("accumulus.state"))).object();
    return state["open_micro_steps"].toInt(-1);
}

/// Three updates of windows of 4 micro-batches, unless told otherwise.
inline RunConfig rankConfig() {
    RunConfig config = smallConfig(200, 32, 8);
    config.model.name = "lenet5";
    config.data.testLimit = 10;
    config.train.length = {3, Extent::Unit::Updates};
    config.batch.tail = TailPolicy::Apply;
    return config;
}

inline void set(RunConfig& config, const std::string& assignment) {
    ExperimentConfig experiment;
    experiment.run = config;
    if (!applyAssignment(experiment, assignment))
        qFatal("%s", assignment.c_str());
    config = experiment.run;
}

/// "a=1; b=2"
inline void setAll(RunConfig& config, const QString& assignments) {
    for (const QString& assignment : assignments.split(';', Qt::SkipEmptyParts))
        if (!assignment.trimmed().isEmpty())
            set(config, assignment.trimmed().toStdString());
}

inline double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = a.size() == b.size() ? 0.0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

inline bool areClose(double a, double b, double limit = tolerance) {
    return std::abs(a - b) <= limit * std::max({1.0, std::abs(a), std::abs(b)});
}

// What tests of every mode combine.
inline const QStringList everyMode{"ddp", "zero1", "zero2"};
inline const QStringList everyOptimizer{"optimizer.name=sgd; optimizer.momentum=0.9; optimizer.weight_decay=0.01",
                                        "optimizer.name=adamw; optimizer.lr=0.002"};
inline const QString batchNormWindow = "model.name=resnet18; batch.effective=14; batch.micro=4; ";
inline const QString textWindow = "data.dataset=tinyshakespeare; data.block=16; model.layers=1; model.width=32; "
                                  "loss.normalise=tokens; ";
inline const QStringList everyWindow{
    "",
    "train.clip_norm=0.05",
    "batch.effective=44; train.clip_norm=0.05",                   // ragged: the last micro-batch holds 4
    "batch.effective=64; train.length=2 epochs",                  // short windows
    "batch.effective=64; train.length=2 epochs; batch.tail=leak", // left-over samples
    "batch.effective=8",                                          // one micro-step: most ranks have none
    "batch.ramp=[[1,16],[2,40]]",
    "loss.normalise=mean-of-means; batch.effective=44",
    "loss.normalise=nominal-steps; batch.effective=64; train.length=2 epochs",
    textWindow + "model.name=bert-mini; train.clip_norm=0.5", // as many units as there are masks
    textWindow + "model.name=char-gpt; model.dropout=0.1",
    batchNormWindow,
    batchNormWindow + "numerics.batch_norm=pooled",
};

/// Counts are equal, measured values up to `limit`.
inline void compareWindows(const std::vector<WindowRecord>& ranks, const std::vector<WindowRecord>& one,
                           double limit = tolerance) {
    QCOMPARE(ranks.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        const WindowRecord& a = one[i];
        const WindowRecord& b = ranks[i];
        QCOMPARE(b.units, a.units);
        QCOMPARE(b.microSteps, a.microSteps);
        QCOMPARE(b.update, a.update);
        QCOMPARE(b.tokens, a.tokens);
        QCOMPARE(b.clipped, a.clipped);
        QVERIFY(areClose(b.loss, a.loss, limit));
        QVERIFY(areClose(b.gradNorm, a.gradNorm, limit));
        QCOMPARE(b.noiseS.has_value(), a.noiseS.has_value());
        if (a.noiseS) {
            QVERIFY(areClose(*b.noiseS, *a.noiseS, limit));
            QVERIFY(areClose(*b.noiseG2, *a.noiseG2, limit));
        }
    }
}

/// Of a run that goes on: its windows are those of the same number in `whole`.
inline void compareGoingOn(const std::vector<WindowRecord>& rest, const std::vector<WindowRecord>& whole,
                           double limit = tolerance) {
    QVERIFY(!rest.empty() && rest.size() <= whole.size());
    compareWindows(rest, {whole.end() - std::ssize(rest), whole.end()}, limit);
}

/// Joins the ranks and trains, on all of them or on each alone.
class RankTrainings {
protected:
    [[nodiscard]] Trained train(const RunConfig& config, Communicator* ranks,
                                const std::function<void(TrainerSetup&, Observer&)>& change = {},
                                const std::string& bundle = {}) {
        TrainerSetup setup = setupOf(config);
        setup.folder = m_shared;
        if (config.model.name == "resnet18") { // a small one, with BatchNorm and dropout
            setup.data = smallImages(64);
            setup.model = std::make_shared<SmallResNet>(true, 0.2);
        }
        setup.ranks = ranks;
        Observer observer;
        if (change)
            change(setup, observer);
        auto trainer = Trainer::create(std::move(setup));
        if (!trainer)
            qFatal("%s", describe(trainer.error()).c_str());
        if (!bundle.empty())
            if (const Status restored = (*trainer)->restore(bundle); !restored)
                qFatal("%s", describe(restored.error()).c_str());
        Trained result;
        result.end = (*trainer)->train(observer);
        result.windows = observer.windows;
        result.probes = observer.probes;
        result.checkpoints = observer.checkpoints;
        result.notes = observer.notes;
        result.messages = observer.messages;
        result.weights = (*trainer)->weights();
        result.hash = (*trainer)->hashWeights();
        return result;
    }

    [[nodiscard]] Trained onRanks(const RunConfig& config,
                                  const std::function<void(TrainerSetup&, Observer&)>& change = {}) {
        return train(config, m_ranks.get(), change);
    }

    [[nodiscard]] Trained alone(const RunConfig& config,
                                const std::function<void(TrainerSetup&, Observer&)>& change = {}) {
        return train(config, nullptr, change);
    }

    /// As alone() and onRanks(), trained once for all rows that share it. How ranks would share the work is nothing to
    /// one alone.
    [[nodiscard]] const Trained& aloneOnce(RunConfig config) {
        config.parallel = {};
        return once(m_alone, config, nullptr);
    }
    [[nodiscard]] const Trained& onRanksOnce(const RunConfig& config) {
        return once(m_together, config, m_ranks.get());
    }

    [[nodiscard]] int size() const { return m_ranks->size(); }

    /// Sum of a number over ranks.
    [[nodiscard]] std::int64_t sumOverRanks(std::int64_t own) {
        std::int64_t sum = 0;
        for (const std::string& told : m_ranks->gather(std::to_string(own)))
            sum += std::stoll(told);
        return sum;
    }

    void joinRanks() {
        m_ranks = joinTestRanks();
        QVERIFY(m_ranks);
        m_shared = m_ranks->gather(m_folder.path().toStdString()).front();
    }

    void endIfFailed() {
        if (m_ranks)
            endAllIfFailed(*m_ranks);
    }

    void leaveRanks() {
        if (m_ranks)
            (void)m_ranks->gather({});
        m_ranks.reset();
    }

    std::unique_ptr<Communicator> m_ranks;
    QTemporaryDir m_folder;
    std::string m_shared; ///< the first rank's folder

private:
    /// As makeSetup(), with each data set drawn or read once; files that count what is asked of them are opened anew.
    [[nodiscard]] TrainerSetup setupOf(const RunConfig& config) {
        const auto known = std::ranges::find(m_data, config.data, &KnownData::first);
        if (known != m_data.end()) {
            TrainerSetup setup;
            setup.config = config;
            setup.lanes = {1, 1};
            setup.data = known->second;
            return setup;
        }
        TrainerSetup setup = makeSetup(config, m_folder);
        if (config.data.path.empty())
            m_data.emplace_back(config.data, setup.data);
        return setup;
    }

    using KnownRuns = std::deque<std::pair<RunConfig, Trained>>; // whose elements stay where they are
    [[nodiscard]] const Trained& once(KnownRuns& runs, const RunConfig& config, Communicator* ranks) {
        const auto known = std::ranges::find(runs, config, &KnownRuns::value_type::first);
        if (known != runs.end())
            return known->second;
        runs.emplace_back(config, train(config, ranks));
        return runs.back().second;
    }

    using KnownData = std::pair<DataConfig, std::shared_ptr<const Dataset>>;
    std::vector<KnownData> m_data;
    KnownRuns m_alone, m_together;
};

} // namespace accumulus::test
