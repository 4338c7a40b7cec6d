// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the memory that a configuration will need: the formula's estimate, the newest plan, what a run of it
// took, and what is free. Asked on other threads and remembered. GUI thread.
#pragma once

#include "core/analysis/micro_plan.h"
#include "core/config/memory_check.h"
#include "core/run/device_room.h"
#include "core/run/micro_planner.h"
#include "widgets/bridge/library_gateway.h"
#include "widgets/bridge/look_ups.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace accumulus::ui {

/// Where the answers come from; called on worker threads. One that is empty knows nothing.
struct MemoryQueries {
    std::function<Result<MemoryEstimate>(const RunConfig&)> estimate{};
    std::function<DeviceRoom(const DeviceConfig&)> room{};
    std::function<Result<std::optional<MicroPlan>>(const std::filesystem::path& library, const PlanRequest&)> plan{};
};

/// The configuration without what memory does not depend on (schedule, length, learning rate, ...).
[[nodiscard]] RunConfig memoryPart(const RunConfig& run);

class SetupMemory : public QObject {
    Q_OBJECT
public:
    SetupMemory(LibraryGateway& library, MemoryQueries queries, QObject* parent = nullptr);

    /// What follows is about this configuration. Asks what is not known yet; changed() when an answer has come.
    void ask(const ExperimentConfig& experiment);
    /// Asks the library and the machine once more, and whether the files are the same.
    void forget();
    /// The person starts this configuration although it needs more than is free.
    void accept();

    [[nodiscard]] const MemoryEstimate* estimate() const; ///< null while unknown
    /// What the need consists of, as a plan has measured it, else by formula; nothing while unknown.
    [[nodiscard]] std::optional<MemoryEstimate> parts() const;
    [[nodiscard]] const std::optional<MicroPlan>& plan() const { return m_plan; }
    [[nodiscard]] std::optional<MemoryNeed> need() const;       ///< measured where it is, else the formula's
    [[nodiscard]] std::optional<std::int64_t> lastPeak() const; ///< of the newest run of this configuration
    [[nodiscard]] MemoryFacts facts() const;

Q_SIGNALS:
    void changed();
    void failed(const accumulus::Error& error); ///< what a question has thrown

private:
    void tellThrown(const Error& error);
    void askNow();
    void askStamps();
    void takeStamps(const std::string& files, const std::string& stamp);
    void setKeys();
    [[nodiscard]] std::string stampOfFiles() const;
    void askEstimate(const RunConfig& run, const std::string& key);
    void askPlanned();
    [[nodiscard]] const MemoryEstimate* estimateOf(const std::string& key) const;
    void askLibrary();
    void askRoom();
    [[nodiscard]] std::optional<MemoryNeed> largeNeed() const;

    LibraryGateway& m_library;
    MemoryQueries m_queries;
    LookUps m_lookUps;
    QTimer m_rest; ///< a number is typed digit by digit: questions are asked when the typing rests
    ExperimentConfig m_experiment;
    RunConfig m_part, m_largePart;
    std::string m_files;                         ///< that m_part names
    std::map<std::string, std::string> m_stamps; ///< of such files, when they were last looked at
    std::map<std::string, std::optional<MemoryEstimate>> m_estimates;
    std::set<std::string> m_asked;
    std::string m_key, m_largeKey;
    std::string m_plannedKey; ///< of the configuration on the plan's lanes; empty: the plan has not measured it
    std::optional<MicroPlan> m_plan;
    std::optional<RunConfig> m_planFor; ///< memoryPart() with B, of the last question
    bool m_libraryAsked = false;
    std::vector<std::pair<RunConfig, std::int64_t>> m_peaks; ///< newest first
    DeviceRoom m_room;
    bool m_roomAsked = false;
    std::optional<RunConfig> m_accepted;
};

} // namespace accumulus::ui
