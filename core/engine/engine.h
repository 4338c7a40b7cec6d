// SPDX-License-Identifier: GPL-3.0-or-later
// Computes windows: owns weights, open window, optimizer and loss scale, the lanes, and the executor that its settings
// ask for. A window that fails while it is changed is computed anew from where it stood. The trainer's thread.
#pragma once

#include "core/base/message.h"
#include "core/cuda/device.h"
#include "core/engine/cast_weights.h"
#include "core/engine/device_choice.h"
#include "core/engine/engine_errors.h"
#include "core/engine/engine_setup.h"
#include "core/engine/executor.h"
#include "core/engine/rank_agreement.h"
#include "core/engine/resident_data.h"
#include "core/window/device_sums.h"
#include "core/window/loss_scale.h"
#include "core/window/tensor_exchange.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

/// What computing a window gave.
struct WindowOutcome {
    Accumulated accumulated;
    Recovery::Report recovery;
    std::optional<WindowGradient> gradient;    ///< of a complete window that makes an update: closed, not yet applied
    double closeSeconds = 0.0;                 ///< without what ranks waited and exchanged
    std::optional<NonfinitePlace> nonfinite{}; ///< of a closed window that is not finite or has left something out,
                                               ///< unless 16-bit gradients overflowed; on all ranks alike
};

/// Who is told while a window is computed. All optional.
struct WindowHooks {
    Executor::Gate gate{};
    Executor::AfterCommit afterCommit{};
    std::function<void()> restarted{}; ///< the window is as it was before this call: what was seen of it is void
    Executor::NextPlan next{};         ///< asked while a device closes the window
};

class Engine {
public:
    /// `batch`: setup's, resolved. On `device`, in the scope of its stream. Throws what LibTorch throws,
    /// std::system_error where a lane has no thread, UnusableGraph, ErrorThrown where the initial weights cannot be
    /// loaded, or where the memory does not suffice for what stays (checkStandingMemory).
    Engine(const EngineSetup& setup, const BatchPlan& batch, std::shared_ptr<const Model> model, at::Device device);

    /// Accumulates the micro-steps of `plan` from `done` on, and closes the window where it makes an update (at
    /// learning rate `lr`, see Executor::close). `window`: its number in the run. On an exception the window is as
    /// before.
    [[nodiscard]] WindowOutcome compute(const WindowPlan& plan, std::int64_t window, std::int64_t done, double lr,
                                        const WindowHooks& hooks);
    /// Applies the closed window: weights, running statistics, counts.
    void update(double lr);
    /// Whether the window was applied or skipped, the next one begins empty. The loss scale learns what it can.
    void endWindow(const WindowPlan& plan, const WindowOutcome& outcome);
    /// Instead: the window is as it was before compute(), to be computed again by the run that goes on.
    void takeBack();
    /// An exception has left the optimizer in its middle: the weights are of no use.
    [[nodiscard]] bool weightsBroken() const { return m_weightsBroken; }

    [[nodiscard]] ModelState& state() { return m_state; }
    [[nodiscard]] const ModelState& state() const { return m_state; }
    /// Where the initial weights come from, if not from the seed alone.
    [[nodiscard]] const std::vector<Message>& startNotes() const { return m_startNotes; }
    [[nodiscard]] LossScaler& scaler() { return m_scaler; }
    [[nodiscard]] LanePool& lanes() { return m_lanes; }
    [[nodiscard]] ResidentData* residentData() { return m_resident.get(); } ///< null on the CPU
    [[nodiscard]] std::int64_t largestPart() const { return m_recovery.largestPart(); }
    [[nodiscard]] std::string graphProblem() const { return m_executor->graphProblem(); }
    /// How ranks exchange gradients, where a person should know; after the first window.
    [[nodiscard]] std::optional<Message> exchangeNote() const { return m_exchange ? m_exchange->note() : std::nullopt; }
    /// The closed window's gradient, flat and whole; on several ranks all of them call it.
    [[nodiscard]] at::Tensor wholeGradient() const;
    /// Elements of the optimizer state that this rank keeps, by rank; empty where each keeps all.
    [[nodiscard]] const std::vector<FlatRange>& shards() const { return m_shards; }
    [[nodiscard]] Communicator* ranks() const { return m_ranks ? &m_ranks->ranks() : nullptr; }
    [[nodiscard]] std::int64_t peakBytes() const; ///< of tensors on the device, since resetPeak()
    void resetPeak();
    /// Casts the weights as they are now: in 16 bits, flat; undefined where nothing is cast. Between two windows.
    at::Tensor castWeights();

private:
    /// The window before compute(): left-over samples of a leaking tail, or micro-steps of before a resume.
    struct Snapshot {
        GradientWindow::Saved window;
        std::map<std::string, at::Tensor> statistics;
    };
    [[nodiscard]] Accumulated accumulate(const WindowPlan& plan, WindowRequest request, const WindowHooks& hooks);
    [[nodiscard]] Accumulated accumulateOnRanks(const WindowPlan& plan, WindowRequest request,
                                                const WindowHooks& hooks);
    [[nodiscard]] bool agree(bool yes) { return m_ranks ? m_ranks->all(yes) : yes; }
    void collect(at::Tensor& flat) const;
    void failTogether(const std::function<void()>& work);
    [[nodiscard]] WindowGradient close(std::int64_t window, double lr, const Executor::NextPlan& next);
    [[nodiscard]] std::optional<NonfinitePlace> whereNonfinite(const WindowPlan& plan, const WindowRequest& request,
                                                               const WindowGradient& closed);
    [[nodiscard]] NonfinitePlace whereInMicroStep(const WindowPlan& plan, const WindowRequest& request,
                                                  std::int64_t index);
    [[nodiscard]] NonfinitePlace whereInSum() const;
    [[nodiscard]] NonfinitePlace firstOfRanks(const NonfinitePlace& own);
    [[nodiscard]] Snapshot snapshot();
    [[nodiscard]] at::Tensor keptBeside(const at::Tensor& sums) const;
    void restore(const Snapshot& before);
    [[nodiscard]] std::unique_ptr<Executor> makeExecutor(const EngineSetup& setup, const BatchPlan& batch);

    at::Device m_device;
    FaultInjector m_fault;
    PlantedBug m_bug;
    std::int64_t m_seed;
    std::filesystem::path m_folder;         ///< for what is not to lie in memory
    std::unique_ptr<RankAgreement> m_ranks; ///< null: alone
    std::vector<FlatRange> m_shards;
    RankAgreement::Report m_agreed;             ///< of the open window
    bool m_brokeTogether = false;               ///< all ranks know that the window begins anew
    std::unique_ptr<TensorExchange> m_exchange; ///< between ranks that compute on devices; else null
    DeviceSums* m_deviceSums = nullptr;         ///< what this rank adds up on a device, where it does so alone
    std::vector<Message> m_startNotes;
    LanePool m_lanes; ///< before the state, which is closed and updated by it
    ModelState m_state;
    std::optional<CastWeights> m_cast; ///< of 16-bit runs whose sums lie in the host's memory
    LossScaler m_scaler;
    Recovery m_recovery;
    int m_leftOutSearches = 0; ///< on all ranks alike
    std::unique_ptr<ResidentData> m_resident;
    std::unique_ptr<Executor> m_executor;
    Snapshot m_before;
    bool m_weightsBroken = false;
};

/// The model of the settings (setup.model where that is given), for the data and the device.
[[nodiscard]] Result<std::shared_ptr<const Model>> modelOf(const EngineSetup& setup, at::Device device);

} // namespace accumulus
