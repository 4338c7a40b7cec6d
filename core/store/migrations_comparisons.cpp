// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/migrations.h"

namespace accumulus {

const char* comparisonsScript() {
    return R"sql(
-- Comparisons that a person keeps, as they were judged when they were saved. Runs stand as UUIDs: one that was deleted
-- since is left out.
CREATE TABLE comparisons (
    id                   TEXT PRIMARY KEY NOT NULL, -- UUID
    name                 TEXT NOT NULL,
    created_at           REAL NOT NULL,    -- seconds since 1970-01-01 UTC
    group_a              TEXT NOT NULL,    -- JSON array of runs
    group_b              TEXT NOT NULL,    -- JSON array of runs
    metric               TEXT NOT NULL,    -- that the verdict is given on
    together             TEXT NOT NULL,    -- JSON array of further metrics that it is judged together with
    margin               REAL NOT NULL,    -- in the metric's own unit
    own_margin           INTEGER NOT NULL, -- 1: a person set it for this comparison; 0: that of the study or of the metric
    margin_set_at        REAL,             -- seconds since 1970-01-01 UTC; null: nobody fixed it
    margin_after_results INTEGER NOT NULL, -- 1: it was set after the first result was there
    x_axis               TEXT NOT NULL,    -- samples | updates | epochs | wall-time | active-time
    band                 TEXT NOT NULL     -- min-max | sd | se | ci95
) STRICT;
)sql";
}

} // namespace accumulus
