// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunStore that removes runs: to the trash, back, and for good.
#include "core/store/run_rows.h"
#include "core/store/run_store_impl.h"

#include <filesystem>

namespace accumulus {
namespace {

struct Doomed {
    std::int64_t number;
    std::string id;
    std::string study;
};

Result<std::vector<Doomed>> trashedRuns(Library::Connection& connection) {
    std::vector<Doomed> doomed;
    // A trashed run that somebody resumed is in use.
    Query query(connection, "SELECT number, id, study FROM runs WHERE trashed_at IS NOT NULL "
                            "AND state NOT IN ('queued', 'starting', 'running', 'paused', 'stopping') ORDER BY number");
    while (query.step()) {
        Doomed run;
        run.number = query.integer();
        run.id = query.text();
        run.study = query.text();
        if (!isUsableId(run.id)) // its folder could be any folder
            return failure(connection.corrupt({"reason.run-id", {}}));
        doomed.push_back(std::move(run));
    }
    return doomed;
}

} // namespace

Status RunStore::moveToTrash(std::span<const std::string> runs, double now) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        for (const std::string& run : runs) {
            ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run));
            Query active(connection,
                         "SELECT name FROM runs WHERE number = ? AND state IN ('queued', 'starting', 'running', "
                         "'paused', 'stopping')",
                         number);
            if (active.step())
                return failure("library.run-active", {{"run", run}, {"name", active.text()}});
            Query(connection, "UPDATE runs SET trashed_at = ? WHERE number = ?", now, number).run();
        }
        return {};
    });
}

Status RunStore::restoreFromTrash(std::span<const std::string> runs) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        for (const std::string& run : runs) {
            ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run));
            Query(connection, "UPDATE runs SET trashed_at = NULL WHERE number = ?", number).run();
        }
        return {};
    });
}

Result<RunStore::EmptiedTrash> RunStore::emptyTrash() {
    ACCUMULUS_TRY_ASSIGN(const auto doomed,
                         m_impl->write([](Library::Connection& connection) { return trashedRuns(connection); }));
    EmptiedTrash emptied;
    for (const Doomed& run : doomed) {
        const Result<bool> removed = m_impl->write([&](Library::Connection& connection) -> Result<bool> {
            // Asked again: somebody may have taken it back or resumed it since.
            if (Query(connection,
                      "DELETE FROM runs WHERE number = ? AND trashed_at IS NOT NULL "
                      "AND state NOT IN ('queued', 'starting', 'running', 'paused', 'stopping')",
                      run.number)
                    .run() == 0)
                return false;
            Query(connection, "DELETE FROM audits WHERE run = ?", run.id).run();
            // Only a study that just lost its last run: one without runs may be about to get them.
            Query(connection, "DELETE FROM studies WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM runs WHERE study = ?1)",
                  run.study)
                .run();
            // The folder last, its row committed after it: what a crash interrupts is still in the trash and can be
            // emptied again.
            const auto folder = m_impl->library.runFolder(run.id);
            std::error_code code;
            std::filesystem::remove_all(folder, code);
            if (code)
                return failure("library.files", {{"folder", folder.string()}, {"reason", code.message()}});
            return true;
        });
        if (removed)
            emptied.removed += *removed ? 1 : 0;
        else if (removed.error().code == "library.files")
            emptied.problems.push_back(removed.error());
        else
            return failure(removed.error());
    }
    return emptied;
}

} // namespace accumulus
