// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of failures, in one place: a fault is tried again, memory that ran out is mended by smaller parts, an
// overflow of 16-bit gradients by a lower loss scale. The same rules hold for a micro-step, of which nothing was
// committed yet, and for a window that was already changed and is computed anew. Any lane may call.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

/// Was memory refused? By type, never by the text of a message.
[[nodiscard]] bool isOutOfMemory(const std::exception_ptr& problem);
/// The message of any exception, without a stack trace, or a code of the message catalogue.
[[nodiscard]] std::string reasonOf(const std::exception_ptr& problem);

/// `samples` cut into parts of at most `largest` (0: all), none below `smallest` unless there are no more samples.
[[nodiscard]] std::vector<std::int64_t> partsOf(std::int64_t samples, std::int64_t largest, std::int64_t smallest);

class Recovery {
public:
    struct Policy {
        bool resplit = true;           ///< device.on_oom
        bool lowersScale = false;      ///< a dynamic loss scale
        std::int64_t smallestPart = 1; ///< samples; 2 where BatchNorm needs two to have a variance
        std::int64_t partMultiple = 1; ///< parts are multiples of it: BatchNorm's groups stay whole
    };
    explicit Recovery(const Policy& policy) : m_policy(policy) {}

    /// How a micro-step or a window is to be tried.
    struct Attempt {
        double scale = 1.0;
        std::int64_t part = 0; ///< most samples at once, as it was tried; 0: all
        bool alone = false;    ///< memory ran out: while no other lane computes
        int faults = 0, overflows = 0;
    };
    /// Faults that are tried again.
    enum class Scope {
        MicroStep, ///< once: what fails twice is no accident
        Window     ///< twice
    };
    /// After an exception: the next attempt at `samples` samples. Rethrows `problem` where there is none.
    [[nodiscard]] Attempt afterFailure(Attempt attempt, const std::exception_ptr& problem, std::int64_t samples,
                                       Scope scope);
    /// After a gradient that is not finite beside a finite loss, at a loss scale: the next attempt, or nothing where
    /// the scale cannot fall further; then overflowed().
    [[nodiscard]] std::optional<Attempt> afterOverflow(Attempt attempt);

    /// Most samples computed at once; 0 while everything fits. Halved when memory runs out, doubled again after
    /// windowsBeforeGrowth windows that fit.
    [[nodiscard]] std::int64_t largestPart() const { return m_part; }
    [[nodiscard]] std::int64_t smallestPart() const { return m_policy.smallestPart; }
    static constexpr int windowsBeforeGrowth = 50;
    static constexpr int maxOverflows = 8; ///< at falling scales, of one micro-step or window

    struct Fault {
        std::string reason;        ///< as reasonOf() says it
        std::optional<int> rank{}; ///< where several compute
    };
    /// What befell the open window.
    struct Report {
        std::vector<Fault> faults; ///< what failed and was computed again
        int overflows = 0;         ///< computed again at a lower scale
        bool overflowed = false;   ///< at every scale that was tried
        std::int64_t part = 0;     ///< most samples at once by now, on any rank; 0: all
    };
    void beginWindow();
    [[nodiscard]] Report report() const;
    /// The window is closed or given up; `micro`: its micro-batch.
    void endWindow(std::int64_t micro);

private:
    void shrink(const Attempt& attempt, const std::exception_ptr& problem, std::int64_t samples);

    Policy m_policy;
    std::atomic<std::int64_t> m_part{0};
    mutable std::mutex m_mutex;
    Report m_report;
    bool m_fitted = true;
    int m_windowsThatFitted = 0;
};

} // namespace accumulus
