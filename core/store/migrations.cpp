// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/migrations.h"

#include <array>

namespace accumulus {
namespace {

// The comments stay in the file: `.schema` in any SQLite shell shows what a column means and in which unit.
constexpr const char* version1 = R"sql(
CREATE TABLE studies (
    id          TEXT PRIMARY KEY NOT NULL, -- UUID
    name        TEXT NOT NULL,
    config      TEXT NOT NULL,             -- StudyConfig as canonical JSON
    created_at  REAL NOT NULL              -- seconds since 1970-01-01 UTC, also of the margin
) STRICT;

CREATE TABLE runs (
    number              INTEGER PRIMARY KEY,  -- short key of this file; other tables' "run"
    id                  TEXT NOT NULL UNIQUE, -- UUID
    study               TEXT REFERENCES studies(id),
    name                TEXT NOT NULL,
    arm                 TEXT NOT NULL,        -- accumulated | large-batch
    seed                INTEGER NOT NULL,
    config              TEXT NOT NULL,        -- RunConfig as canonical JSON
    config_hash         TEXT NOT NULL,        -- of config and seed
    pair_hash           TEXT NOT NULL,        -- the same without what may differ inside a pair
    -- copied out of config for people and queries
    model               TEXT NOT NULL,
    dataset             TEXT NOT NULL,
    optimizer           TEXT NOT NULL,
    lr                  REAL,                 -- learning rate before the schedule
    precision           TEXT NOT NULL,
    -- as resolved at the start
    effective_batch     INTEGER NOT NULL,     -- B, samples per update
    micro_batch         INTEGER NOT NULL,     -- m, samples
    accumulation_steps  INTEGER NOT NULL,     -- K, micro-batches per window
    lanes               INTEGER NOT NULL,
    threads             INTEGER NOT NULL,     -- per lane
    train_samples       INTEGER NOT NULL,     -- size of the training set used
    planned_updates     INTEGER NOT NULL,
    -- made with and on
    program             TEXT NOT NULL,
    libtorch            TEXT NOT NULL,
    device              TEXT NOT NULL,
    hardware            TEXT NOT NULL,
    system              TEXT NOT NULL,
    data_hash           TEXT NOT NULL,        -- checksum of the data set's files
    -- life; times are seconds since 1970-01-01 UTC, null where it has not happened
    state               TEXT NOT NULL,
    attempt             INTEGER NOT NULL,     -- counts resumes, from 1
    created_at          REAL NOT NULL,
    started_at          REAL,
    finished_at         REAL,
    heartbeat_at        REAL,
    error               TEXT NOT NULL DEFAULT '',
    -- summary
    updates             INTEGER NOT NULL,     -- applied so far
    micro_steps         INTEGER NOT NULL,     -- so far
    samples             INTEGER NOT NULL,     -- training samples seen so far
    final_train_loss    REAL,
    test_loss           REAL,                 -- of the last evaluation
    test_accuracy       REAL,                 -- of the last evaluation, 0 to 1
    best_test_accuracy  REAL,                 -- 0 to 1
    not_a_number        TEXT NOT NULL,        -- which of the four above are NaN, which SQLite cannot hold; comma-separated
    active_seconds      REAL,                 -- training time without set-up, evaluation, checkpoints and pauses
    samples_per_second  REAL,
    peak_bytes          INTEGER NOT NULL,
    weights_hash        TEXT NOT NULL,
    checkpoint          TEXT NOT NULL,        -- weights of the last one; a relative path starts at the folder LIBRARY.files
    notes               TEXT NOT NULL DEFAULT '',
    trashed_at          REAL                  -- null: not in the trash
) STRICT;
CREATE INDEX runs_by_time ON runs (created_at, number);
CREATE INDEX runs_by_study ON runs (study);

CREATE TABLE tags (
    run  INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    tag  TEXT NOT NULL,
    PRIMARY KEY (run, tag)
) STRICT, WITHOUT ROWID;

-- One row per window: the micro-steps behind one update. A value that is null was NaN (then nonfinite is 1) or not measured.
CREATE TABLE windows (
    run             INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    attempt         INTEGER NOT NULL, -- of the run, from 1
    window          INTEGER NOT NULL, -- number in the run, from 1; goes on over attempts
    superseded      INTEGER NOT NULL DEFAULT 0, -- 1: a later attempt went back before this window
    update_number   INTEGER,          -- of the update it made, from 1; null when it made none
    samples         INTEGER NOT NULL, -- training samples seen after this window
    epoch_position  REAL,             -- epochs of data seen after this window
    wall_time       REAL,             -- seconds since 1970-01-01 UTC
    active_seconds  REAL,             -- training time of the run so far
    seconds         REAL,             -- training time of this window
    loss            REAL,             -- mean over the window's loss units
    grad_norm       REAL,             -- L2 norm of the window's gradient before clipping
    lr              REAL,             -- learning rate of this update
    epoch           INTEGER NOT NULL, -- of its first sample, from 0
    tokens          INTEGER NOT NULL, -- seen after this window; 0 for images
    units           INTEGER NOT NULL, -- N, loss units of this window: samples, or tokens that bear loss
    micro_steps     INTEGER NOT NULL, -- K of this window
    nonfinite       INTEGER NOT NULL, -- 1: loss or gradient was not finite
    clipped         INTEGER NOT NULL, -- 1: the gradient was clipped
    loss_scale      REAL,
    noise_s         REAL,             -- estimate of tr Sigma; null where it cannot be had
    noise_g2        REAL,             -- estimate of |G|^2, may be negative
    peak_bytes      INTEGER NOT NULL, -- of tensor memory so far; 0: not measured
    PRIMARY KEY (run, attempt, window)
) STRICT, WITHOUT ROWID;

CREATE TABLE evaluations (
    run             INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    attempt         INTEGER NOT NULL,
    update_number   INTEGER NOT NULL, -- updates applied before this evaluation
    split           TEXT NOT NULL,    -- test | validation
    superseded      INTEGER NOT NULL DEFAULT 0,
    samples         INTEGER NOT NULL, -- training samples seen
    epoch_position  REAL,             -- epochs of data seen
    count           INTEGER NOT NULL, -- samples evaluated
    loss            REAL,             -- mean per sample; null: NaN
    accuracy        REAL,             -- 0 to 1
    seconds         REAL,             -- time of the evaluation itself
    active_seconds  REAL,             -- training time of the run so far
    wall_time       REAL,             -- seconds since 1970-01-01 UTC
    PRIMARY KEY (run, attempt, update_number, split)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    number         INTEGER PRIMARY KEY,
    run            INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    wall_time      REAL,          -- seconds since 1970-01-01 UTC
    level          TEXT NOT NULL, -- info | warning | error
    code           TEXT NOT NULL,
    text           TEXT NOT NULL,
    update_number  INTEGER NOT NULL
) STRICT;
CREATE INDEX events_by_run ON events (run);

-- Paths are relative to the folder LIBRARY.files when they lie in it.
CREATE TABLE checkpoints (
    run            INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    weights_path   TEXT NOT NULL,    -- safetensors
    bundle_path    TEXT NOT NULL,    -- for resuming; empty: none
    kind           TEXT NOT NULL,    -- initial | periodic | best | last
    update_number  INTEGER NOT NULL, -- updates applied
    samples        INTEGER NOT NULL, -- training samples seen
    weights_hash   TEXT NOT NULL,
    bytes          INTEGER NOT NULL, -- both files
    wall_time      REAL,             -- seconds since 1970-01-01 UTC
    PRIMARY KEY (run, weights_path)
) STRICT, WITHOUT ROWID;

-- For reading by hand or with pandas: valid windows with the names of their runs.
CREATE VIEW run_windows AS
    SELECT runs.id AS run_id, runs.name AS run_name, runs.arm, runs.seed, windows.*
    FROM windows JOIN runs ON runs.number = windows.run
    WHERE windows.superseded = 0;
)sql";

// Comments stand before the semicolon: only there does SQLite keep them.
constexpr const char* version2 = R"sql(
ALTER TABLE runs ADD COLUMN owner_pid INTEGER     /* process that answers for a queued or active run; null: none */;
ALTER TABLE runs ADD COLUMN owner_started INTEGER /* its start, clock ticks since the boot; null: unknown */;
ALTER TABLE runs ADD COLUMN owner_host TEXT       /* within which owner_pid means anything */;
)sql";

constexpr const char* version3 = R"sql(
ALTER TABLE windows ADD COLUMN grad_norm_clipped REAL  /* L2 norm of the gradient that was applied */;
ALTER TABLE windows ADD COLUMN micro_batch INTEGER     /* samples of a micro-batch, all but the last */;
ALTER TABLE windows ADD COLUMN last_micro_batch INTEGER /* samples of the last one */;
ALTER TABLE windows ADD COLUMN left_out INTEGER        /* micro-batches left out because they were not finite */;
ALTER TABLE windows ADD COLUMN data_seconds REAL       /* of its micro-steps, summed over lanes */;
ALTER TABLE windows ADD COLUMN forward_seconds REAL    /* of its micro-steps, summed over lanes */;
ALTER TABLE windows ADD COLUMN backward_seconds REAL   /* of its micro-steps, summed over lanes */;
ALTER TABLE windows ADD COLUMN commit_seconds REAL     /* adding gradients up */;
ALTER TABLE windows ADD COLUMN update_seconds REAL     /* dividing, clipping and the optimizer */;

-- The first elements of the parameter named by probe.parameter: the same at every micro-step of a window, until the update.
CREATE TABLE micro_steps (
    run         INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    attempt     INTEGER NOT NULL,
    window      INTEGER NOT NULL,
    micro_step  INTEGER NOT NULL,  -- after its commit, from 0; K: after the update
    parameter_values TEXT NOT NULL, -- JSON array
    PRIMARY KEY (run, attempt, window, micro_step)
) STRICT, WITHOUT ROWID;
)sql";

// peak_bytes stays what it was: the larger of the two.
constexpr const char* version4 = R"sql(
ALTER TABLE runs ADD COLUMN claim TEXT                      /* of the process that writes the run, or wrote it last: no other may */;
ALTER TABLE runs ADD COLUMN dataset_hash TEXT               /* of everything in the data set that is read; null: not known */;
ALTER TABLE runs ADD COLUMN training_peak_bytes INTEGER     /* of tensor memory, without evaluations; null: not known */;
ALTER TABLE runs ADD COLUMN evaluation_peak_bytes INTEGER   /* of tensor memory during evaluations; null: not known */;
ALTER TABLE evaluations ADD COLUMN peak_bytes INTEGER       /* of tensor memory during this evaluation; null: not known */;
)sql";

constexpr const char* version5 = R"sql(
-- One row per window and rank, where several ranks computed a run together. It counts where its window does: the row of
-- windows with the same run, attempt and window says whether it is superseded.
CREATE TABLE rank_windows (
    run              INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    attempt          INTEGER NOT NULL,
    window           INTEGER NOT NULL,
    rank             INTEGER NOT NULL, -- from 0
    micro_steps      INTEGER NOT NULL, -- of the window's, those that this rank computed
    data_seconds     REAL,             -- of its micro-steps, summed over lanes
    forward_seconds  REAL,             -- of its micro-steps, summed over lanes
    backward_seconds REAL,             -- of its micro-steps, summed over lanes
    commit_seconds   REAL,             -- adding gradients up, without waiting and reducing
    waiting_seconds  REAL,             -- for slower ranks
    reducing_seconds REAL,             -- sending gradients and weights, receiving and adding them
    sent_bytes       INTEGER NOT NULL, -- gradients and weights that this rank sent
    exchanges        INTEGER NOT NULL, -- collective operations that moved them
    PRIMARY KEY (run, attempt, window, rank)
) STRICT, WITHOUT ROWID;
)sql";

constexpr const char* version6 = R"sql(
-- Studies that another machine or a batch system trains, and how far their events have been read into this library.
CREATE TABLE launches (
    id          TEXT PRIMARY KEY NOT NULL,  -- UUID; the name of the journal over there
    name        TEXT NOT NULL,              -- of the study, or of the run that goes on
    study       TEXT,                       -- null: has not begun, as far as is known here
    resumes     TEXT,                       -- run that goes on there; null: a new study
    host        TEXT NOT NULL,              -- as ssh knows it; empty: this machine
    program     TEXT NOT NULL,              -- accumulus-cli over there; empty: the run came back to this machine
    library     TEXT NOT NULL,              -- over there; empty: the default one
    slurm       TEXT,                       -- options of sbatch; null: no batch system
    files       TEXT NOT NULL DEFAULT '',   -- folder over there that holds a folder of checkpoints for each run
    read_bytes  INTEGER NOT NULL DEFAULT 0, -- of the journal, whose events are in this library
    owner_pid     INTEGER,                  -- process that follows; null: none
    owner_started INTEGER,                  -- its start, clock ticks since the boot
    owner_host    TEXT,                     -- within which owner_pid means anything
    created_at  REAL NOT NULL,              -- seconds since 1970-01-01 UTC
    ended_at    REAL                        -- null: goes on, as far as is known here
) STRICT;
)sql";

constexpr const char* version7 = R"sql(
-- What audits of gradients found. One of a set-up belongs to every run of its configuration.
CREATE TABLE audits (
    id            TEXT PRIMARY KEY NOT NULL, -- UUID
    created_at    REAL NOT NULL,             -- seconds since 1970-01-01 UTC
    configuration TEXT NOT NULL,             -- config_hash of the audited settings at seed 0
    run           TEXT,                      -- whose checkpoint was audited; null: the initial weights of a set-up
    fault         TEXT,                      -- pattern that was built in on purpose; null: none
    verdict       TEXT NOT NULL,             -- equivalent | not-equivalent | expected
    pattern       TEXT,                      -- that was recognised
    worst_error   REAL,                      -- of the worst tensor, relative
    tolerance     REAL,                      -- that it was judged by
    result        TEXT NOT NULL              -- all of it, as JSON
) STRICT;
CREATE INDEX audits_of_configuration ON audits (configuration);

-- Sweeps over the micro-batch: the newest of each model, precision, batch, device and version.
CREATE TABLE plans (
    key        TEXT PRIMARY KEY NOT NULL, -- hash of what it depends on
    created_at REAL NOT NULL,             -- seconds since 1970-01-01 UTC
    result     TEXT NOT NULL              -- all of it, as JSON
) STRICT;
)sql";

constexpr const char* version8 = R"sql(
ALTER TABLE runs ADD COLUMN model_file_hash TEXT            /* of the file model.path; null: none, or not known */;
ALTER TABLE runs ADD COLUMN initial_weights_hash TEXT       /* of the file model.weights; null: none, or not known */;
ALTER TABLE evaluations ADD COLUMN top5 REAL                /* share whose class is among the five likeliest; null: not measured */;
ALTER TABLE evaluations ADD COLUMN mae REAL                 /* mean absolute error; null: not measured */;
ALTER TABLE evaluations ADD COLUMN rmse REAL                /* root of the mean squared error; null: not measured */;
ALTER TABLE evaluations ADD COLUMN r2 REAL                  /* coefficient of determination; null: not measured */;
ALTER TABLE runs ADD COLUMN model_traits TEXT                /* of a network from a file: batch-norm, draws, couples; null: nothing of these, or not known */;
ALTER TABLE runs ADD COLUMN test_top5 REAL                  /* of the last evaluation, as the metrics of evaluations */;
ALTER TABLE runs ADD COLUMN test_mae REAL;
ALTER TABLE runs ADD COLUMN test_rmse REAL;
ALTER TABLE runs ADD COLUMN test_r2 REAL;
-- N, loss units of a window: with class weights the sum of theirs, so no longer whole numbers.
ALTER TABLE windows ADD COLUMN loss_units REAL;
UPDATE windows SET loss_units = units;
ALTER TABLE windows DROP COLUMN units;
ALTER TABLE windows RENAME COLUMN loss_units TO units;
)sql";

constexpr const char* version9 = R"sql(
ALTER TABLE runs ADD COLUMN color TEXT                              /* #rrggbb that a person chose; null: none */;
ALTER TABLE runs ADD COLUMN protected INTEGER NOT NULL DEFAULT 0    /* 1: cannot be moved to the trash */;
ALTER TABLE runs ADD COLUMN lowest_loss REAL                        /* of its evaluations on the validation set, or else on the test set */;
UPDATE runs SET lowest_loss = (SELECT coalesce(min(CASE split WHEN 'validation' THEN loss END), min(loss))
    FROM evaluations WHERE run = runs.number AND superseded = 0);

-- What is known of the library as a whole.
CREATE TABLE library_notes (
    key    TEXT PRIMARY KEY NOT NULL, -- baseline
    value  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

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

-- Studies that wait for their turn, and the one whose turn has come until its runs are in this file.
CREATE TABLE queue (
    position    INTEGER PRIMARY KEY,       -- from 1
    id          TEXT NOT NULL UNIQUE,      -- UUID, of no study: that begins later
    name        TEXT NOT NULL,
    experiment  TEXT NOT NULL,             -- as an experiment file (TOML); empty where runs go on
    resumes     TEXT NOT NULL DEFAULT '',  -- runs that go on, separated by spaces
    smaller_parts INTEGER NOT NULL DEFAULT 0, -- 1: they go on in parts that fit into memory
    elsewhere   INTEGER NOT NULL DEFAULT 0, -- 1: trained where the next columns say, as in launches
    host        TEXT NOT NULL DEFAULT '',
    program     TEXT NOT NULL DEFAULT '',
    library     TEXT NOT NULL DEFAULT '',
    slurm       TEXT,
    added_at    REAL NOT NULL,             -- seconds since 1970-01-01 UTC
    not_before  REAL                       -- likewise; null: as soon as its turn comes
) STRICT;
)sql";

constexpr const char* version10 = R"sql(
ALTER TABLE comparisons ADD COLUMN further_groups TEXT NOT NULL DEFAULT '[]'  /* JSON array of groups C to H, each an array of runs */;
ALTER TABLE comparisons ADD COLUMN reference INTEGER NOT NULL DEFAULT 1       /* group that the others are compared with: 0 is A, 1 is B, ... */;
ALTER TABLE runs ADD COLUMN driver TEXT /* of the GPU, with its version; none: on the CPU; null: not known */;
UPDATE runs SET driver = 'none' WHERE device = 'cpu';
)sql";

constexpr const char* version11 = R"sql(
ALTER TABLE runs ADD COLUMN others_share REAL /* of the processors' time, what other programs used while it trained; null: not known */;
ALTER TABLE events ADD COLUMN arguments TEXT     /* of the sentence that code names, a JSON object of texts; null: only text is known */;
ALTER TABLE runs ADD COLUMN error_code TEXT      /* of the sentences that error holds in English; null: no error, or only its text is known */;
ALTER TABLE runs ADD COLUMN error_arguments TEXT /* of these sentences, as those of events */;
)sql";

constexpr const char* version12 = R"sql(
ALTER TABLE comparisons ADD COLUMN smoothing TEXT NOT NULL DEFAULT 'ema 0.95' /* of the training loss: none | ema BETA | mean POINTS-AT-EACH-SIDE */;
ALTER TABLE runs ADD COLUMN validation_loss REAL          /* of the last evaluation on the validation samples; not_a_number may name this and what follows, too */;
ALTER TABLE runs ADD COLUMN validation_accuracy REAL      /* of the same evaluation, as the errors below */;
ALTER TABLE runs ADD COLUMN best_validation_accuracy REAL /* 0 to 1 */;
ALTER TABLE runs ADD COLUMN validation_mae REAL;
ALTER TABLE runs ADD COLUMN validation_rmse REAL;
-- Of runs that had an end, as the values of the test set.
UPDATE runs SET (validation_loss, validation_accuracy, validation_mae, validation_rmse) =
        (SELECT loss, accuracy, mae, rmse FROM evaluations WHERE run = runs.number AND split = 'validation' AND superseded = 0
         ORDER BY update_number DESC, attempt DESC LIMIT 1),
    best_validation_accuracy = (SELECT max(accuracy) FROM evaluations
        WHERE run = runs.number AND split = 'validation' AND superseded = 0)
    WHERE test_loss IS NOT NULL OR instr(not_a_number, 'test_loss') > 0;
-- A loss that is null was NaN, and so was what it is measured by: the same as on the test set.
UPDATE runs SET not_a_number = iif(not_a_number = '', '', not_a_number || ',') || 'validation_loss'
        || iif(instr(',' || not_a_number || ',', ',test_accuracy,') > 0, ',validation_accuracy', '')
        || iif(instr(',' || not_a_number || ',', ',test_mae,') > 0, ',validation_mae', '')
        || iif(instr(',' || not_a_number || ',', ',test_rmse,') > 0, ',validation_rmse', '')
    WHERE validation_loss IS NULL AND (test_loss IS NOT NULL OR instr(not_a_number, 'test_loss') > 0)
        AND EXISTS (SELECT 1 FROM evaluations WHERE run = runs.number AND split = 'validation' AND superseded = 0);
)sql";

constexpr const char* version13 = R"sql(
ALTER TABLE runs ADD COLUMN test_count INTEGER NOT NULL DEFAULT 0       /* samples that each evaluation on the test set looked at; 0: there was none */;
ALTER TABLE runs ADD COLUMN validation_count INTEGER NOT NULL DEFAULT 0 /* the same of the validation samples */;
UPDATE runs SET
    test_count = coalesce((SELECT max(count) FROM evaluations WHERE run = runs.number AND split = 'test'), 0),
    validation_count = coalesce((SELECT max(count) FROM evaluations WHERE run = runs.number AND split = 'validation'), 0);
)sql";

constexpr std::array scripts{version1, version2, version3,  version4,  version5,  version6, version7,
                             version8, version9, version10, version11, version12, version13};

} // namespace

std::span<const char* const> migrations() { return scripts; }

} // namespace accumulus
