// SPDX-License-Identifier: GPL-3.0-or-later
// Verifies checkpoints, one at a time (a long job of the gateway, which can be cancelled), and keeps what came of them.
// Belongs to the library and outlives the inspectors that ask and show, which are made anew for another language.
// Values only: each says them in its own words. Forgets with another library. GUI thread.
#pragma once

#include "core/run/verify.h"
#include "core/store/run_records.h"

#include <QObject>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace accumulus::ui {

class LibraryGateway;

class CheckpointVerifier : public QObject {
    Q_OBJECT
public:
    explicit CheckpointVerifier(LibraryGateway& library);
    ~CheckpointVerifier() override; ///< ends what is verified

    /// What came of it; "library.cancelled" where it was cancelled.
    using Verified = Result<VerifyOutcome>;

    void verify(const RunRecord& run, const CheckpointRecord& checkpoint); ///< nothing while another one is verified
    void cancel();
    [[nodiscard]] const CheckpointRecord* verifying() const; ///< null: none
    [[nodiscard]] int percent() const;                       ///< of that one
    /// By the file of its weights; null: it has not been verified, or is being verified again.
    [[nodiscard]] const Verified* resultOf(const std::string& weights) const;
    void forget(const std::string& weights);

Q_SIGNALS:
    void changed(); ///< one has begun or ended, or results are forgotten

private:
    struct Job {
        CheckpointRecord checkpoint;
        std::stop_source stop;
        std::shared_ptr<std::atomic<int>> percent = std::make_shared<std::atomic<int>>(0);
    };

    void clear();

    LibraryGateway& m_library;
    std::optional<Job> m_job;
    std::map<std::string, Verified> m_results;
};

} // namespace accumulus::ui
