// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/store: what the parts of RunStore share.
#pragma once

#include "core/store/connection.h"
#include "core/store/run_store.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accumulus {

struct RunStore::Impl {
    Library library;
    bool inBatch = false;                        ///< between begin and commit
    std::map<std::string, std::string> claims{}; ///< run and the claim that this store holds on it

    [[nodiscard]] Library::Connection& connection() { return library.connection(); }
    /// SQLite gives up a whole transaction on a full disk and the like.
    [[nodiscard]] bool batchIsLost() { return inBatch && !connection().inTransaction(); }
    [[nodiscard]] Error batchError(const std::string& reason) const;

    /// Runs `work` in a transaction, or as a part of the open batch; undone when it fails.
    template <class Work>
    auto write(Work&& work) -> std::invoke_result_t<Work, Library::Connection&> {
        using Outcome = std::invoke_result_t<Work, Library::Connection&>;
        if (batchIsLost())
            return failure(batchError("reason.batch-given-up"));
        return connection().guarded(Access::Write, [&]() -> Outcome {
            WriteScope scope(connection());
            Outcome outcome = work(connection());
            if (outcome)
                scope.commit();
            return outcome;
        });
    }

    /// `sql` changes the run whose id is its last parameter.
    template <class... Values>
    Status updateRun(const std::string& run, std::string_view sql, const Values&... values) {
        return write([&](Library::Connection& opened) -> Status {
            if (Query(opened, sql, values..., run).run() == 0)
                return failure("library.no-run", {{"run", run}, {"file", opened.path.string()}});
            return {};
        });
    }

    /// Number of a run for rows that only its claimant may write; also "run.taken-over".
    [[nodiscard]] Result<std::int64_t> claimedRun(Library::Connection& connection, const std::string& run) const;

    /// updateRun for what only the run's claimant may change.
    template <class... Values>
    Status updateClaimedRun(const std::string& run, std::string_view sql, const Values&... values) {
        return write([&](Library::Connection& opened) -> Status {
            ACCUMULUS_TRY(claimedRun(opened, run));
            Query(opened, sql, values..., run).run();
            return {};
        });
    }

    /// A trashed run on its way out.
    struct Doomed {
        std::int64_t number;
        std::string id;
        std::string study;
    };
    [[nodiscard]] static Result<std::vector<Doomed>> trashedRuns(Library::Connection& connection,
                                                                 std::optional<double> before);
    [[nodiscard]] Result<EmptiedTrash> remove(const std::vector<Doomed>& runs);

    [[nodiscard]] static Status writeTags(Library::Connection& connection, const std::string& run,
                                          const std::vector<std::string>& tags);
};

} // namespace accumulus
