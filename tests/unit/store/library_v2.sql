-- SPDX-License-Identifier: GPL-3.0-or-later
-- A library of version 2 as SQL text: the file of version 1 after its migration, with a second run that knows its process. Never edit: later versions must read
-- this.
PRAGMA application_id = 1094931789;
PRAGMA user_version = 2;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
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
INSERT INTO "checkpoints" VALUES(1,'a0000001-0000-4000-8000-000000000001/last.safetensors','','last',2,500,'cafe',7,1700000001.0);
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
INSERT INTO "evaluations" VALUES(1,1,2,'test',0,500,8.33333333333333321768e-03,10000,0.2,0.97,1.5,1.0,1700000202.0);
CREATE TABLE events (
    number         INTEGER PRIMARY KEY,
    run            INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    wall_time      REAL,          -- seconds since 1970-01-01 UTC
    level          TEXT NOT NULL, -- info | warning | error
    code           TEXT NOT NULL,
    text           TEXT NOT NULL,
    update_number  INTEGER NOT NULL
) STRICT;
INSERT INTO "events" VALUES(1,1,1700000000.5,'info','run.started','It''s started',0);
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
, owner_pid INTEGER     /* process that answers for a queued or active run; null: none */, owner_started INTEGER /* its start, clock ticks since the boot; null: unknown */, owner_host TEXT       /* within which owner_pid means anything */) STRICT;
INSERT INTO "runs" VALUES(1,'a0000001-0000-4000-8000-000000000001','00000001-5555-4000-8000-000000000000','run 1 "größer" '' ; 批','large-batch',-6,'{"batch":{"devices":1,"effective":250,"micro":32,"ragged":"weight","steps":0,"tail":"carry"},"checkpoint":{"best":true,"every":"1 epoch","initial":false,"keep":3},"data":{"dataset":"mnist","path":"/data/mnist","resize":0,"shuffle":true,"test_limit":0,"train_limit":0,"validation":0},"device":{"kind":"auto","lanes":0,"threads":0},"evaluate":{"every":"1 epoch"},"loss":{"label_smoothing":0.0,"normalise":"samples"},"model":{"init":"default","init_std":0.02,"name":"lenet5"},"numerics":{"nonfinite":"stop","precision":"fp64"},"optimizer":{"beta1":0.9,"beta2":0.999,"eps":1e-08,"lr":0.30000000000000004,"momentum":0.9,"name":"adamw","nesterov":false,"weight_decay":0.0},"schedule":{"final_lr_fraction":0.0,"kind":"constant","step_every":"1 epoch","step_factor":0.1,"warmup":"0 updates"},"train":{"clip_norm":0.0,"length":"700 updates"}}','4700f5d7b3ddd15e27c52291a1b692ee','0e91e428cb21133c3560f90590b009ea','lenet5','mnist','adamw',3.00000000000000044408e-01,'fp64',250,32,8,2,1,60000,700,'Accumulus 0.1.0 (test)','2.11.0','cpu','a machine, 2 cores','a system','0123abcd','queued',1,1700000001.25,NULL,NULL,NULL,'',3,24,750,NULL,NULL,NULL,NULL,'',1.5,0.0,5368709123,'','','',NULL,NULL,NULL,NULL);
INSERT INTO "runs" VALUES(2,'a0000002-0000-4000-8000-000000000002','00000001-5555-4000-8000-000000000000','run 2','large-batch',-6,'{"batch":{"devices":1,"effective":250,"micro":32,"ragged":"weight","steps":0,"tail":"carry"},"checkpoint":{"best":true,"every":"1 epoch","initial":false,"keep":3},"data":{"dataset":"mnist","path":"/data/mnist","resize":0,"shuffle":true,"test_limit":0,"train_limit":0,"validation":0},"device":{"kind":"auto","lanes":0,"threads":0},"evaluate":{"every":"1 epoch"},"loss":{"label_smoothing":0.0,"normalise":"samples"},"model":{"init":"default","init_std":0.02,"name":"lenet5"},"numerics":{"nonfinite":"stop","precision":"fp64"},"optimizer":{"beta1":0.9,"beta2":0.999,"eps":1e-08,"lr":0.30000000000000004,"momentum":0.9,"name":"adamw","nesterov":false,"weight_decay":0.0},"schedule":{"final_lr_fraction":0.0,"kind":"constant","step_every":"1 epoch","step_factor":0.1,"warmup":"0 updates"},"train":{"clip_norm":0.0,"length":"700 updates"}}','4700f5d7b3ddd15e27c52291a1b692ee','0e91e428cb21133c3560f90590b009ea','lenet5','mnist','adamw',3.00000000000000044408e-01,'fp64',250,32,8,2,1,60000,700,'Accumulus 0.1.0 (test)','2.11.0','cpu','a machine, 2 cores','a system','0123abcd','running',2,1700000001.25,1700000005.5,NULL,1700000101.5,'',1,8,250,NULL,NULL,NULL,NULL,'',0.5,0.0,5368709121,'','','',NULL,4711,815,'another computer');
CREATE TABLE studies (
    id          TEXT PRIMARY KEY NOT NULL, -- UUID
    name        TEXT NOT NULL,
    config      TEXT NOT NULL,             -- StudyConfig as canonical JSON
    created_at  REAL NOT NULL              -- seconds since 1970-01-01 UTC, also of the margin
) STRICT;
INSERT INTO "studies" VALUES('00000001-5555-4000-8000-000000000000','study 1','{"large_batch":true,"margin":0.005,"metric":"test_accuracy","name":"study 1","seeds":[3,1,4]}',1001.0);
CREATE TABLE tags (
    run  INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    tag  TEXT NOT NULL,
    PRIMARY KEY (run, tag)
) STRICT, WITHOUT ROWID;
INSERT INTO "tags" VALUES(1,'first');
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
INSERT INTO "windows" VALUES(1,1,1,0,1,250,0.01,1700000101.5,0.5,0.5,2.3,1.33333333333333325931e+00,0.01,0,0,250,8,0,0,1.0,0.5,-0.25,5368709121);
INSERT INTO "windows" VALUES(1,1,2,0,NULL,500,0.02,1700000102.5,1.0,0.5,1.15,2.33333333333333348136e+00,0.005,0,0,250,8,0,0,1.0,1.0,-0.5,5368709122);
INSERT INTO "windows" VALUES(1,1,3,0,3,750,0.03,1700000103.5,1.5,0.5,7.66666666666666607454e-01,3.33333333333333348136e+00,3.33333333333333354728e-03,0,0,250,8,0,1,1.0,1.5,-0.75,5368709123);
INSERT INTO "windows" VALUES(2,1,1,0,1,250,0.01,1700000101.5,0.5,0.5,2.3,1.33333333333333325931e+00,0.01,0,0,250,8,0,0,1.0,0.5,-0.25,5368709121);
CREATE INDEX runs_by_time ON runs (created_at, number);
CREATE INDEX runs_by_study ON runs (study);
CREATE INDEX events_by_run ON events (run);
CREATE VIEW run_windows AS
    SELECT runs.id AS run_id, runs.name AS run_name, runs.arm, runs.seed, windows.*
    FROM windows JOIN runs ON runs.number = windows.run
    WHERE windows.superseded = 0;
COMMIT;
