// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunStore that keeps what waits for its turn.
#include "core/store/run_store_impl.h"

#include <fmt/format.h>

namespace accumulus {

Status RunStore::putQueue(std::span<const QueueRecord> queue) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        Query(connection, "DELETE FROM queue").run();
        std::int64_t position = 0;
        for (const QueueRecord& waiting : queue) {
            const LaunchPlace place = waiting.place.value_or(LaunchPlace{});
            Query(connection,
                  "INSERT INTO queue (position, id, name, experiment, resumes, elsewhere, host, program, library, "
                  "slurm, added_at, not_before, smaller_parts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                  "nullif(?, 0.0), ?)",
                  ++position, waiting.id, waiting.name, waiting.experiment,
                  fmt::format("{}", fmt::join(waiting.resumes, " ")), waiting.place.has_value(), place.host,
                  place.program, place.library, place.slurm, waiting.addedAt, waiting.notBefore, waiting.smallerParts)
                .run();
        }
        return {};
    });
}

} // namespace accumulus
