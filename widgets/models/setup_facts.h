// SPDX-License-Identifier: GPL-3.0-or-later
// What the machine knows about a configuration before it runs: the data set found, its first samples, the model, its
// size, the device. Asked on a thread of its own and remembered, because reading files and building a model may take a
// while. GUI thread.
#pragma once

#include "core/run/model_facts.h"
#include "core/run/sample_preview.h"
#include "core/run/study_runner.h"
#include "widgets/bridge/look_ups.h"
#include "widgets/models/setup_memory.h"
#include "widgets/models/start_checks.h"

#include <QObject>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace accumulus::ui {

/// Where the answers come from; called on a worker thread, one at a time.
struct SetupQueries {
    std::function<Result<DataSummary>(const DataConfig&, const std::string& model)> data;
    std::function<Result<std::int64_t>(const RunConfig&)> parameters;
    std::function<DeviceSummary()> device;
    MemoryQueries memory{};
    std::function<Result<ModelFacts>(const RunConfig&)> model{};       ///< null: not asked
    std::function<Result<SamplePreview>(const DataConfig&)> preview{}; ///< likewise
    StartQueries start{};
};

/// The engine's own answers.
[[nodiscard]] SetupQueries engineQueries();

class SetupFacts : public QObject {
    Q_OBJECT
public:
    explicit SetupFacts(SetupQueries queries, QObject* parent = nullptr);

    /// What follows is about this configuration and the files as they are now. Asks what is not known yet; changed()
    /// when an answer has come.
    void ask(const RunConfig& run);
    /// Forgets failures, so that files that have appeared since are found.
    void forgetFailures();
    void askDevice(); ///< once more

    [[nodiscard]] const Result<DataSummary>* data() const; ///< null while unknown
    [[nodiscard]] std::optional<std::int64_t> parameters() const;
    [[nodiscard]] const Result<ModelFacts>* model() const;      ///< null while unknown
    [[nodiscard]] const Result<SamplePreview>* preview() const; ///< null while unknown
    /// Nothing while unknown; without facts where asking has failed.
    [[nodiscard]] const std::optional<DeviceSummary>& device() const { return m_device; }
    /// Samples one epoch trains on; 0 while unknown or not found.
    [[nodiscard]] std::int64_t trainSamples() const;

Q_SIGNALS:
    void changed();
    void failed(const accumulus::Error& error); ///< what a question has thrown

private:
    void tellThrown(const Error& error);
    /// Asks what `answers` does not hold under `key` and is not being asked; `kind` tells the questions apart.
    template <class Answer>
    void askOnce(std::map<std::string, Result<Answer>>& answers, const std::string& kind, const std::string& key,
                 std::function<Result<Answer>()> question);
    void askStamps();
    void takeStamp(const std::string& files, const std::string& stamp);
    void setKeys();
    void askAll();

    SetupQueries m_queries;
    LookUps m_lookUps;
    RunConfig m_run;
    std::string m_files;                         ///< that m_run names
    std::map<std::string, std::string> m_stamps; ///< of such files, when they were last looked at
    std::map<std::string, Result<DataSummary>> m_data;
    std::map<std::string, Result<std::int64_t>> m_parameters;
    std::map<std::string, Result<ModelFacts>> m_models;
    std::map<std::string, Result<SamplePreview>> m_previews;
    std::optional<DeviceSummary> m_device;
    std::set<std::string> m_asked; ///< without an answer yet
    std::string m_dataKey;
    std::string m_modelKey;
    std::string m_previewKey;
};

} // namespace accumulus::ui
