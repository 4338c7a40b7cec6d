-- SPDX-License-Identifier: GPL-3.0-or-later
-- A library of version 5, as `sqlite3 LIBRARY .dump` shows it, with the two pragmas that .dump leaves out: a run of two updates on two ranks. Never edit: later versions must
-- read this.
PRAGMA application_id = 1094931789;
PRAGMA user_version = 5;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE studies (
    id          TEXT PRIMARY KEY NOT NULL, -- UUID
    name        TEXT NOT NULL,
    config      TEXT NOT NULL,             -- StudyConfig as canonical JSON
    created_at  REAL NOT NULL              -- seconds since 1970-01-01 UTC, also of the margin
) STRICT;
INSERT INTO studies VALUES('b765c5be-a549-4630-8575-3b4751c42279','e','{"ghost":false,"large_batch":false,"margin":0.002,"metric":"test_accuracy","name":"e","seeds":[5]}',1795353450.6661462783);
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
INSERT INTO runs VALUES(1,'3c52ddb5-d1ed-402f-9a46-e63a5098f6e7','b765c5be-a549-4630-8575-3b4751c42279','e, accumulated, seed 5','accumulated',5,'{"batch":{"devices":2,"effective":16,"lean":false,"micro":4,"ragged":"refuse","ramp":[],"steps":0,"tail":"apply"},"checkpoint":{"best":true,"every":"1 epoch","initial":false,"keep":3},"data":{"augment":"none","block":64,"dataset":"digits-generated","drop_last":false,"drop_multiple":0,"path":"","resize":0,"shuffle":true,"test_limit":16,"train_limit":32,"validation":0},"device":{"capture":"auto","kind":"auto","lanes":0,"memory_limit":"","on_oom":"resplit","threads":0},"evaluate":{"every":"1 epoch"},"loss":{"label_smoothing":0.0,"normalise":"samples"},"model":{"dropout":0.0,"heads":4,"init":"default","init_std":0.02,"layers":4,"name":"mlp","norm":"batch","stem":"imagenet","width":128},"numerics":{"accumulator":"auto","batch_norm":"micro","channels_last":"auto","deterministic":true,"ghost":0,"loss_scale":"dynamic","nonfinite":"stop","precision":"fp32","winograd":true},"optimizer":{"beta1":0.9,"beta2":0.999,"eps":1e-08,"lr":0.01,"momentum":0.9,"name":"sgd","nesterov":false,"weight_decay":0.0},"parallel":{"mode":"ddp","order":"ranks"},"probe":{"parameter":""},"schedule":{"final_lr_fraction":0.0,"kind":"constant","step_every":"1 epoch","step_factor":0.1,"warmup":"0 updates"},"train":{"clip_norm":0.0,"length":"2 updates"}}','78137cb5c08cda9ec244d41e7c3ceb35','e0b30bf7456864a6028af1d3e5b5d650','mlp','digits-generated','sgd',0.010000000000000000208,'fp32',16,4,2,1,1,32,2,'Accumulus 0.1.0','2.11.0','cpu','AMD EPYC, 2 cores, 24 GiB','Debian GNU/Linux 12 (bookworm), Linux 6.1','d2e701af3454a6d64077f6d144adaef7','completed',1,1795353450.6661462783,1795353450.7562019824,1795353450.9242017268,1795353450.9064905643,'',2,8,32,2.3290224075317382812,2.2919158935546875,0.125,0.125,'',0.097676807000000004377,327.61103667117208715,11784720,'a78538b07b98f0249976c344ed0c7c55','3c52ddb5-d1ed-402f-9a46-e63a5098f6e7/last-00000002.safetensors','',NULL,NULL,NULL,NULL,'1652426a-baef-45a3-8c2e-977561170964','1958943a7e54065b6ebc2130f5f07498',11784720,9824800);
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
INSERT INTO windows VALUES(1,1,1,0,1,16,0.5,1795353450.8147363662,0.058391524000000000205,0.058391524000000000205,2.3266017436981201171,1.847683263714602786,0.010000000000000000208,0,0,16,4,0,0,1.0,55.727291250480142535,-0.069022260143962441136,11247808,1.847683263714602786,4,4,0,0.0001245959999999999841,0.0022763869999999999417,0.00330352800000000002,0.00070116399999999999732,0.025457031000000001491);
INSERT INTO windows VALUES(1,1,2,0,2,32,1.0,1795353450.8605251312,0.097676807000000004377,0.039285282999999997233,2.3290224075317382812,1.8820487805059240571,0.010000000000000000208,0,0,16,4,0,0,1.0,43.013076368706002483,0.85379033915971069834,11784720,1.8820487805059240571,4,4,0,5.9778999999999998045e-05,0.00097216700000000001811,0.012980069999999999802,0.00061882100000000008453,0.015278590999999999353);
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
INSERT INTO evaluations VALUES(1,1,2,'test',0,32,1.0,16,2.2919158935546875,0.125,0.0086301950000000002272,0.097676807000000004377,1795353450.8692119121,9824800);
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
INSERT INTO checkpoints VALUES(1,'3c52ddb5-d1ed-402f-9a46-e63a5098f6e7/last-00000002.safetensors','3c52ddb5-d1ed-402f-9a46-e63a5098f6e7/last-00000002.resume','last',2,32,'a78538b07b98f0249976c344ed0c7c55',8041480,1795353450.9079575538);
INSERT INTO checkpoints VALUES(1,'3c52ddb5-d1ed-402f-9a46-e63a5098f6e7/update-00000002.safetensors','3c52ddb5-d1ed-402f-9a46-e63a5098f6e7/update-00000002.resume','periodic',2,32,'a78538b07b98f0249976c344ed0c7c55',8041480,1795353450.8695321083);
CREATE TABLE micro_steps (
    run         INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    attempt     INTEGER NOT NULL,
    window      INTEGER NOT NULL,
    micro_step  INTEGER NOT NULL,  -- after its commit, from 0; K: after the update
    parameter_values TEXT NOT NULL, -- JSON array
    PRIMARY KEY (run, attempt, window, micro_step)
) STRICT, WITHOUT ROWID;
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
INSERT INTO rank_windows VALUES(1,1,1,0,2,0.0001245959999999999841,0.0022763869999999999417,0.00330352800000000002,0.00070116399999999999732,0.026377023999999998915,0.024625241999999998576,2678848,2);
INSERT INTO rank_windows VALUES(1,1,1,1,2,9.862700000000000286e-05,0.0023741930000000001366,0.010044189000000000241,0.00074355699999999994194,0.010518715999999997401,0.022670602999999997506,2678848,2);
INSERT INTO rank_windows VALUES(1,1,2,0,2,5.9778999999999998045e-05,0.00097216700000000001811,0.012980069999999999802,0.00061882100000000008453,0.0092879640000000096566,0.014595824000000000297,2678848,2);
INSERT INTO rank_windows VALUES(1,1,2,1,2,7.6081999999999994251e-05,0.013555156999999999969,0.0034156139999999999765,0.00063375300000000002898,0.0010053559999999989171,0.022344707999999997849,2678848,2);
CREATE INDEX runs_by_time ON runs (created_at, number);
CREATE INDEX runs_by_study ON runs (study);
CREATE INDEX events_by_run ON events (run);
CREATE VIEW run_windows AS
    SELECT runs.id AS run_id, runs.name AS run_name, runs.arm, runs.seed, windows.*
    FROM windows JOIN runs ON runs.number = windows.run
    WHERE windows.superseded = 0;
COMMIT;
