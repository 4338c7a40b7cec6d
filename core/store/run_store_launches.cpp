// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunStore that knows what is trained elsewhere.
#include "core/store/run_store_impl.h"

namespace accumulus {

Status RunStore::addLaunch(const LaunchRecord& launch) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        const auto orNull = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
        Query(connection,
              "INSERT INTO launches (id, name, study, resumes, host, program, library, slurm, files, read_bytes, "
              "created_at, ended_at, owner_pid, owner_started, owner_host) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
              "nullif(?, 0.0), nullif(?, 0), ?, ?)",
              launch.id, launch.name, orNull(launch.study), orNull(launch.resumes), launch.place.host,
              launch.place.program, launch.place.library, launch.place.slurm, launch.files, launch.readBytes,
              launch.createdAt, launch.endedAt, launch.follower.pid, launch.follower.started, launch.follower.host)
            .run();
        return {};
    });
}

Status RunStore::updateLaunch(const LaunchRecord& launch) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        Query(connection,
              "UPDATE launches SET study = nullif(?, ''), files = ?, read_bytes = ?, ended_at = nullif(?, 0.0), "
              "owner_pid = nullif(?, 0), owner_started = ?, owner_host = ? WHERE id = ?",
              launch.study, launch.files, launch.readBytes, launch.endedAt, launch.follower.pid,
              launch.follower.started, launch.follower.host, launch.id)
            .run();
        return {};
    });
}

Status RunStore::claimLaunch(const std::string& launch, const RunOwner& follower) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        Query query(connection,
                    "SELECT coalesce(owner_pid, 0), coalesce(owner_started, 0), coalesce(owner_host, '') FROM launches "
                    "WHERE id = ?",
                    launch);
        if (!query.step())
            return failure("launch.none", {{"launch", launch}});
        const RunOwner before{query.integer(), query.integer(), query.text(), {}};
        if (before.pid != 0 && lifeOf(before) == OwnerLife::Alive)
            return failure("launch.busy", {{"process", std::to_string(before.pid)}});
        Query(connection, "UPDATE launches SET owner_pid = ?, owner_started = ?, owner_host = ? WHERE id = ?",
              follower.pid, follower.started, follower.host, launch)
            .run();
        return {};
    });
}

} // namespace accumulus
