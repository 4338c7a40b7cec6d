-- SPDX-License-Identifier: GPL-3.0-or-later
-- A library of version 6, as `sqlite3 LIBRARY .dump` shows it, with the two pragmas that .dump leaves out: a run of two updates that another machine has trained.
-- Never edit: later versions must read this.
PRAGMA application_id = 1094931789;
PRAGMA user_version = 6;
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
INSERT INTO "checkpoints" VALUES(1,'a5588425-3270-4857-bc1f-d3556fedb81b/last-00000002.safetensors','a5588425-3270-4857-bc1f-d3556fedb81b/last-00000002.resume','last',2,16,'848a80d737e41ae41ef02d50e77b8a0b',8041480,1.79536630759302210814e+09);
INSERT INTO "checkpoints" VALUES(1,'a5588425-3270-4857-bc1f-d3556fedb81b/update-00000002.safetensors','a5588425-3270-4857-bc1f-d3556fedb81b/update-00000002.resume','periodic',2,16,'848a80d737e41ae41ef02d50e77b8a0b',8041480,1.79536630758123469352e+09);
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
INSERT INTO "evaluations" VALUES(1,1,2,'test',0,16,1.0,10,2.29208488464355486513e+00,0.2,0.000424312,5.02430899999999937277e-03,1.79536630758101582532e+09,8739360);
CREATE TABLE events (
    number         INTEGER PRIMARY KEY,
    run            INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    wall_time      REAL,          -- seconds since 1970-01-01 UTC
    level          TEXT NOT NULL, -- info | warning | error
    code           TEXT NOT NULL,
    text           TEXT NOT NULL,
    update_number  INTEGER NOT NULL
) STRICT;
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
INSERT INTO "launches" VALUES('0b0e4d3c-52a0-4b4e-9f57-3f6d0b7d2a11','e','a26fb2b1-44a9-40a8-9d18-6495b0ec9485',NULL,'far','accumulus-cli','',NULL,'/far/l.sqlite.files',1234,NULL,NULL,NULL,100.0,200.0);
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
INSERT INTO "runs" VALUES(1,'a5588425-3270-4857-bc1f-d3556fedb81b','a26fb2b1-44a9-40a8-9d18-6495b0ec9485','e, accumulated, seed 0','accumulated',0,'{"batch":{"devices":1,"effective":8,"lean":false,"micro":4,"ragged":"refuse","ramp":[],"steps":0,"tail":"apply"},"checkpoint":{"best":true,"every":"1 epoch","initial":false,"keep":3},"data":{"augment":"none","block":64,"dataset":"digits-generated","drop_last":false,"drop_multiple":0,"path":"","resize":0,"shuffle":true,"test_limit":10,"train_limit":16,"validation":0},"device":{"capture":"auto","kind":"cpu","lanes":1,"memory_limit":"","on_oom":"resplit","threads":1},"evaluate":{"every":"1 epoch"},"loss":{"label_smoothing":0.0,"normalise":"samples"},"model":{"dropout":0.0,"heads":4,"init":"default","init_std":0.02,"layers":4,"name":"mlp","norm":"batch","stem":"imagenet","width":128},"numerics":{"accumulator":"auto","batch_norm":"micro","channels_last":"auto","deterministic":true,"ghost":0,"loss_scale":"dynamic","nonfinite":"stop","precision":"fp32","winograd":true},"optimizer":{"beta1":0.9,"beta2":0.999,"eps":1e-08,"lr":0.01,"momentum":0.9,"name":"sgd","nesterov":false,"weight_decay":0.0},"parallel":{"mode":"ddp","order":"ranks"},"probe":{"parameter":""},"schedule":{"final_lr_fraction":0.0,"kind":"constant","step_every":"1 epoch","step_factor":0.1,"warmup":"0 updates"},"train":{"clip_norm":0.0,"length":"2 updates"}}','aa45aa57f426fe4771d8d99af06336be','d51c81d662ad0d69a1ad5970f2079195','mlp','digits-generated','sgd',0.01,'fp32',8,4,2,1,1,16,2,'Accumulus 0.1.0','2.11.0','cpu','AMD EPYC, 2 cores, 24 GiB','Debian GNU/Linux 12 (bookworm), Linux 6.18.44-fc-v669','5f16d935e77ab429cfb317cca7a49133','completed',1,1.79536630756673359866e+09,1.7953663075755441189e+09,1.79536630760372018815e+09,1.79536630759270572667e+09,'',2,4,16,2.3099085092544555664e+00,2.29208488464355486513e+00,0.2,0.2,'',5.02430899999999937277e-03,3.18451751275648075527e+03,11247808,'848a80d737e41ae41ef02d50e77b8a0b','a5588425-3270-4857-bc1f-d3556fedb81b/last-00000002.safetensors','',NULL,NULL,NULL,NULL,'ed44bc38-f010-4166-8b5d-af07feb07907','5e869f9cd92f87c4d591eb8b118fc978',11247808,8739360);
CREATE TABLE studies (
    id          TEXT PRIMARY KEY NOT NULL, -- UUID
    name        TEXT NOT NULL,
    config      TEXT NOT NULL,             -- StudyConfig as canonical JSON
    created_at  REAL NOT NULL              -- seconds since 1970-01-01 UTC, also of the margin
) STRICT;
INSERT INTO "studies" VALUES('a26fb2b1-44a9-40a8-9d18-6495b0ec9485','e','{"ghost":false,"large_batch":false,"margin":0.002,"metric":"test_accuracy","name":"e","seeds":[0]}',1.79536630756673359866e+09);
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
INSERT INTO "windows" VALUES(1,1,1,0,1,8,0.5,1.79536630757929086682e+09,0.003729822,0.003729822,2.34509253501892089843e+00,2.3552024916453353498e+00,0.01,0,0,8,2,0,0,1.0,4.9266189381916774435e+01,-6.11294896087201777845e-01,11247808,2.3552024916453353498e+00,4,4,0,2.74710000000000017649e-05,0.001441616,1.74901400000000012413e-03,0.000213589,0.000252014);
INSERT INTO "windows" VALUES(1,1,2,0,2,16,1.0,1.79536630758058977129e+09,5.02430899999999937277e-03,0.001294487,2.3099085092544555664e+00,2.93423739691450302657e+00,0.01,0,0,8,2,0,0,1.0,3.49422225548769347378e+01,4.24197128209198126569e+00,11247808,2.93423739691450302657e+00,4,4,0,1.28289999999999986348e-05,0.000348799,0.0006112,0.00012808,1.79718000000000016408e-04);
CREATE INDEX runs_by_time ON runs (created_at, number);
CREATE INDEX runs_by_study ON runs (study);
CREATE INDEX events_by_run ON events (run);
CREATE VIEW run_windows AS
    SELECT runs.id AS run_id, runs.name AS run_name, runs.arm, runs.seed, windows.*
    FROM windows JOIN runs ON runs.number = windows.run
    WHERE windows.superseded = 0;
COMMIT;
