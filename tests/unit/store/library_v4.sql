-- SPDX-License-Identifier: GPL-3.0-or-later
-- A library of version 4, as `sqlite3 LIBRARY .dump` shows it, with the two pragmas that .dump leaves out: a run of two updates. Never edit: later versions must
-- read this.
PRAGMA application_id = 1094931789;
PRAGMA user_version = 4;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE studies (
    id          TEXT PRIMARY KEY NOT NULL, -- UUID
    name        TEXT NOT NULL,
    config      TEXT NOT NULL,             -- StudyConfig as canonical JSON
    created_at  REAL NOT NULL              -- seconds since 1970-01-01 UTC, also of the margin
) STRICT;
INSERT INTO studies VALUES('2cde4735-ab13-498e-b1f2-9879f14fed78','e','{"ghost":false,"large_batch":false,"margin":0.002,"metric":"test_accuracy","name":"e","seeds":[5]}',1795343073.6349582671);
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
, owner_pid INTEGER     /* process that answers for a queued or active run; null: none */, owner_started INTEGER /* its start, clock ticks since the boot; null: unknown */, owner_host TEXT       /* within which owner_pid means anything */, claim TEXT                      /* of the process that writes the run, or wrote it last: no other may */, dataset_hash TEXT               /* of everything in the data set that is read; null: not known */, training_peak_bytes INTEGER     /* of tensor memory, without evaluations; null: not known */, evaluation_peak_bytes INTEGER   /* of tensor memory during evaluations; null: not known */) STRICT;
INSERT INTO runs VALUES(1,'1708e0ff-8265-4d48-8f20-f5ae18e9a8aa','2cde4735-ab13-498e-b1f2-9879f14fed78','e, accumulated, seed 5','accumulated',5,'{"batch":{"devices":1,"effective":64,"lean":false,"micro":16,"ragged":"refuse","ramp":[],"steps":0,"tail":"apply"},"checkpoint":{"best":false,"every":"0 updates","initial":false,"keep":3},"data":{"augment":"none","block":64,"dataset":"digits-generated","drop_last":false,"drop_multiple":0,"path":"","resize":0,"shuffle":true,"test_limit":20,"train_limit":96,"validation":0},"device":{"capture":"auto","kind":"cpu","lanes":1,"memory_limit":"","on_oom":"resplit","threads":1},"evaluate":{"every":"0 updates"},"loss":{"label_smoothing":0.0,"normalise":"samples"},"model":{"dropout":0.0,"heads":4,"init":"default","init_std":0.02,"layers":4,"name":"mlp","norm":"batch","stem":"imagenet","width":128},"numerics":{"accumulator":"auto","batch_norm":"micro","channels_last":"auto","deterministic":true,"ghost":0,"loss_scale":"dynamic","nonfinite":"stop","precision":"fp32","winograd":true},"optimizer":{"beta1":0.9,"beta2":0.999,"eps":1e-08,"lr":0.01,"momentum":0.9,"name":"sgd","nesterov":false,"weight_decay":0.0},"probe":{"parameter":""},"schedule":{"final_lr_fraction":0.0,"kind":"constant","step_every":"1 epoch","step_factor":0.1,"warmup":"0 updates"},"train":{"clip_norm":0.0,"length":"2 updates"}}','9fbb9e5fcb23df68888652f364e1b86a','f25622f0c80aaf23107dd305bd96ecae','mlp','digits-generated','sgd',0.010000000000000000208,'fp32',64,16,4,1,1,96,2,'Accumulus 0.1.0','2.11.0','cpu','a machine, 2 cores','a system','db9c07164dafd0ea84e2d9a08021a076','completed',1,1795343073.6349582671,1795343074.1898348331,1795343074.2777266501,1795343074.2746617793,'',2,6,96,2.2925717830657958984,2.2990869522094725674,0.14999999999999999444,0.14999999999999999444,'',0.055198247999999998369,1739.1856350223290519,11247808,'63ba1a0ab706b68355131e2bb2aecbbb','1708e0ff-8265-4d48-8f20-f5ae18e9a8aa/last-00000002.safetensors','',NULL,NULL,NULL,NULL,'ee218370-ce2b-4c81-98f9-79877a67b2a8','c962e10387058f0abf8e775f089916f0',11247808,8838528);
CREATE TABLE tags (
    run  INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    tag  TEXT NOT NULL,
    PRIMARY KEY (run, tag)
) STRICT, WITHOUT ROWID;
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
    peak_bytes      INTEGER NOT NULL, grad_norm_clipped REAL  /* L2 norm of the gradient that was applied */, micro_batch INTEGER     /* samples of a micro-batch, all but the last */, last_micro_batch INTEGER /* samples of the last one */, left_out INTEGER        /* micro-batches left out because they were not finite */, data_seconds REAL       /* of its micro-steps, summed over lanes */, forward_seconds REAL    /* of its micro-steps, summed over lanes */, backward_seconds REAL   /* of its micro-steps, summed over lanes */, commit_seconds REAL     /* adding gradients up */, update_seconds REAL     /* dividing, clipping and the optimizer */, -- of tensor memory so far; 0: not measured
    PRIMARY KEY (run, attempt, window)
) STRICT, WITHOUT ROWID;
INSERT INTO windows VALUES(1,1,1,0,1,64,0.66666666666666662965,1795343074.2359592913,0.046076570999999996725,0.046076570999999996725,2.3164377808570861816,1.0799955713900839526,0.010000000000000000208,0,0,64,4,0,0,1.0,42.601051714038476346,0.50074900119034282397,11247808,1.0799955713900839526,16,16,0,0.00027480899999999999078,0.0047517829999999998749,0.035079781999999996855,0.0053042350000000000262,0.00050586399999999996646);
INSERT INTO windows VALUES(1,1,2,0,2,96,1.0,1795343074.2450888157,0.055198247999999998369,0.0091216769999999999102,2.2925717830657958984,1.4574046730716878617,0.010000000000000000208,0,0,32,2,0,0,1.0,55.107786954751645678,0.40191003875520436849,11247808,1.4574046730716878617,16,16,0,7.5993000000000002387e-05,0.001390450000000000106,0.0062471680000000008592,0.00071035800000000001806,0.00062894600000000001893);
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
    wall_time       REAL, peak_bytes INTEGER       /* of tensor memory during this evaluation; null: not known */,             -- seconds since 1970-01-01 UTC
    PRIMARY KEY (run, attempt, update_number, split)
) STRICT, WITHOUT ROWID;
INSERT INTO evaluations VALUES(1,1,2,'test',0,96,1.0,20,2.2990869522094725674,0.14999999999999999444,0.0054466070000000000109,0.055198247999999998369,1795343074.2505433559,8838528);
CREATE TABLE events (
    number         INTEGER PRIMARY KEY,
    run            INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    wall_time      REAL,          -- seconds since 1970-01-01 UTC
    level          TEXT NOT NULL, -- info | warning | error
    code           TEXT NOT NULL,
    text           TEXT NOT NULL,
    update_number  INTEGER NOT NULL
) STRICT;
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
INSERT INTO checkpoints VALUES(1,'1708e0ff-8265-4d48-8f20-f5ae18e9a8aa/last-00000002.safetensors','1708e0ff-8265-4d48-8f20-f5ae18e9a8aa/last-00000002.resume','last',2,96,'63ba1a0ab706b68355131e2bb2aecbbb',8041488,1795343074.2508392334);
CREATE TABLE micro_steps (
    run         INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    attempt     INTEGER NOT NULL,
    window      INTEGER NOT NULL,
    micro_step  INTEGER NOT NULL,  -- after its commit, from 0; K: after the update
    parameter_values TEXT NOT NULL, -- JSON array
    PRIMARY KEY (run, attempt, window, micro_step)
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_by_time ON runs (created_at, number);
CREATE INDEX runs_by_study ON runs (study);
CREATE INDEX events_by_run ON events (run);
CREATE VIEW run_windows AS
    SELECT runs.id AS run_id, runs.name AS run_name, runs.arm, runs.seed, windows.*
    FROM windows JOIN runs ON runs.number = windows.run
    WHERE windows.superseded = 0;
COMMIT;
