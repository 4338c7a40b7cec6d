// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of RunReader share. Internal to core/store.
#pragma once

#include "core/store/run_reader.h"
#include "core/store/run_rows.h"

#include <optional>

namespace accumulus {

/// Several queries of one call see the same state of the file.
class ReadScope {
public:
    explicit ReadScope(Library::Connection& connection) {
        if (!connection.inTransaction())
            m_transaction.emplace(connection.database, SQLite::TransactionBehavior::DEFERRED);
    }

private:
    std::optional<SQLite::Transaction> m_transaction; // ends by rolling back: nothing was written
};

struct RunReader::Impl {
    Library library;
    ConfigCache configs;

    [[nodiscard]] Library::Connection& connection() { return library.connection(); }

    template <class Work>
    auto read(Work&& work) -> std::invoke_result_t<Work, Library::Connection&> {
        return connection().guarded(Access::Read, [&] {
            ReadScope scope(connection());
            return work(connection());
        });
    }

    /// The same with the run's number.
    template <class Work>
    auto readRun(const std::string& run, Work&& work)
        -> std::invoke_result_t<Work, Library::Connection&, std::int64_t> {
        return read([&](Library::Connection& opened) -> std::invoke_result_t<Work, Library::Connection&, std::int64_t> {
            ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(opened, run));
            return work(opened, number);
        });
    }

    /// Runs of a query that begins with selectRunsSql, with their tags.
    template <class... Values>
    Result<std::vector<RunRecord>> select(Library::Connection& opened, const std::string& rest,
                                          const Values&... values);
};

} // namespace accumulus
