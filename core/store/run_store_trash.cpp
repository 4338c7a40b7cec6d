// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunStore that removes runs: to the trash, back, and for good.
#include "core/store/run_rows.h"
#include "core/store/run_store_impl.h"

#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>

namespace accumulus {
namespace {

// A folder on its way out has this ending. A crash may leave some: the next emptying removes them.
constexpr std::string_view asideEnding = ".removed";

std::filesystem::path asideOf(std::filesystem::path folder) { return folder += asideEnding; }

std::vector<std::filesystem::path> setAside(const std::filesystem::path& files) {
    std::vector<std::filesystem::path> found;
    std::error_code problem;
    for (std::filesystem::directory_iterator entry(files, problem), end; !problem && entry != end;
         entry.increment(problem))
        if (entry->path().extension() == asideEnding)
            found.push_back(entry->path());
    return found;
}

Status filesProblem(const std::filesystem::path& folder, const std::error_code& code) {
    return failure("library.files", {{"folder", folder.string()}, {"reason", code.message()}});
}

/// One that does not exist is moved already.
Status moveFolder(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code code;
    std::filesystem::rename(from, to, code);
    return !code || code == std::errc::no_such_file_or_directory ? Status() : filesProblem(from, code);
}

Status removeFolder(const std::filesystem::path& folder) {
    std::error_code code;
    std::filesystem::remove_all(folder, code);
    return code ? filesProblem(folder, code) : Status();
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
            Query kept(connection, "SELECT name FROM runs WHERE number = ? AND protected = 1", number);
            if (kept.step())
                return failure("library.run-protected", {{"run", run}, {"name", kept.text()}});
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
            // As a crash while the trash was emptied may have left it.
            const auto folder = m_impl->library.runFolder(run);
            if (isUsableId(run))
                std::ignore = moveFolder(asideOf(folder), folder);
        }
        return {};
    });
}

Result<std::vector<RunStore::Impl::Doomed>> RunStore::Impl::trashedRuns(Library::Connection& connection,
                                                                        std::optional<double> before) {
    std::vector<Doomed> doomed;
    // A trashed run that somebody resumed is in use.
    Query query(connection,
                "SELECT number, id, study FROM runs WHERE trashed_at IS NOT NULL AND trashed_at < coalesce(?, 9e999) "
                "AND state NOT IN ('queued', 'starting', 'running', 'paused', 'stopping') ORDER BY number",
                before);
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

Result<RunStore::EmptiedTrash> RunStore::emptyTrash(std::optional<double> trashedBefore) {
    ACCUMULUS_TRY_ASSIGN(const auto doomed, m_impl->write([&](Library::Connection& connection) {
        return Impl::trashedRuns(connection, trashedBefore);
    }));
    return m_impl->remove(doomed);
}

Result<RunStore::EmptiedTrash> RunStore::emptyTrash(std::span<const std::string> runs) {
    ACCUMULUS_TRY_ASSIGN(auto doomed, m_impl->write([&](Library::Connection& connection) {
        return Impl::trashedRuns(connection, std::nullopt);
    }));
    const std::set<std::string_view> named(runs.begin(), runs.end());
    std::erase_if(doomed, [&](const Impl::Doomed& run) { return !named.contains(run.id); });
    return m_impl->remove(doomed);
}

Result<RunStore::EmptiedTrash> RunStore::Impl::remove(const std::vector<Doomed>& runs) {
    EmptiedTrash emptied;
    const auto note = [&emptied](const Status& status) {
        if (!status)
            emptied.problems.push_back(status.error());
    };
    // What a crash has left: of a run that is gone, or that was not removed after all.
    for (const std::filesystem::path& left : setAside(connection().filesFolder())) {
        const Result<bool> kept = write([&](Library::Connection& connection) -> Result<bool> {
            if (!Query(connection, "SELECT 1 FROM runs WHERE id = ?", left.stem().string()).step())
                return false;
            // Nobody else empties the trash meanwhile.
            ACCUMULUS_TRY(moveFolder(left, std::filesystem::path(left).replace_extension()));
            return true;
        });
        if (!kept && kept.error().code != "library.files")
            return failure(kept.error());
        note(!kept ? Status(failure(kept.error())) : *kept ? Status() : removeFolder(left));
    }
    for (const Doomed& run : runs) {
        const auto folder = library.runFolder(run.id);
        const auto aside = asideOf(folder);
        const Result<bool> removed = write([&](Library::Connection& connection) -> Result<bool> {
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
            // Gigabytes are removed after the commit, so that nobody waits for it; a folder that cannot be moved keeps
            // its run in the trash.
            ACCUMULUS_TRY(moveFolder(folder, aside));
            return true;
        });
        if (removed && *removed) {
            ++emptied.removed;
            note(removeFolder(aside));
        } else if (!removed && removed.error().code == "library.files") {
            emptied.problems.push_back(removed.error());
        } else if (!removed) {
            std::ignore = moveFolder(aside, folder); // nothing was committed
            return failure(removed.error());
        }
    }
    return emptied;
}

} // namespace accumulus
