-- SPDX-License-Identifier: GPL-3.0-or-later
-- A library of version 12, as `sqlite3 LIBRARY .dump` shows it, with the two pragmas that .dump leaves out: a run with three
-- evaluations of 20 test and 30 validation samples, which its row does not say yet. Never edit: later versions must read this.
PRAGMA application_id = 1094931789;
PRAGMA user_version = 12;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE studies (
    id          TEXT PRIMARY KEY NOT NULL, -- UUID
    name        TEXT NOT NULL,
    config      TEXT NOT NULL,             -- StudyConfig as canonical JSON
    created_at  REAL NOT NULL              -- seconds since 1970-01-01 UTC, also of the margin
) STRICT;
INSERT INTO studies VALUES('f3bc9f54-7eea-411d-b958-8b371ea5da74','t','{"ghost":false,"large_batch":false,"margin":0.0,"metric":"auto","name":"t","seeds":[2]}',1795679595.672592163);
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
, owner_pid INTEGER     /* process that answers for a queued or active run; null: none */, owner_started INTEGER /* its start, clock ticks since the boot; null: unknown */, owner_host TEXT       /* within which owner_pid means anything */, claim TEXT                      /* of the process that writes the run, or wrote it last: no other may */, dataset_hash TEXT               /* of everything in the data set that is read; null: not known */, training_peak_bytes INTEGER     /* of tensor memory, without evaluations; null: not known */, evaluation_peak_bytes INTEGER   /* of tensor memory during evaluations; null: not known */, model_file_hash TEXT            /* of the file model.path; null: none, or not known */, initial_weights_hash TEXT       /* of the file model.weights; null: none, or not known */, model_traits TEXT                /* of a network from a file: batch-norm, draws, couples; null: nothing of these, or not known */, test_top5 REAL                  /* of the last evaluation, as the metrics of evaluations */, test_mae REAL, test_rmse REAL, test_r2 REAL, color TEXT                              /* #rrggbb that a person chose; null: none */, protected INTEGER NOT NULL DEFAULT 0    /* 1: cannot be moved to the trash */, lowest_loss REAL                        /* of its evaluations on the validation set, or else on the test set */, driver TEXT /* of the GPU, with its version; none: on the CPU; null: not known */, others_share REAL /* of the processors' time, what other programs used while it trained; null: not known */, error_code TEXT      /* of the sentences that error holds in English; null: no error, or only its text is known */, error_arguments TEXT /* of these sentences, as those of events */, validation_loss REAL          /* of the last evaluation on the validation samples; not_a_number may name this and what follows, too */, validation_accuracy REAL      /* of the same evaluation, as the errors below */, best_validation_accuracy REAL /* 0 to 1 */, validation_mae REAL, validation_rmse REAL) STRICT;
INSERT INTO runs VALUES(1,'176169b7-1f2c-4133-8a18-973de74a3195','f3bc9f54-7eea-411d-b958-8b371ea5da74','t, accumulated, seed 2','accumulated',2,'{"batch":{"devices":1,"effective":32,"lean":false,"micro":16,"ragged":"refuse","ramp":[],"steps":0,"tail":"apply"},"checkpoint":{"best":true,"every":"0 epochs","initial":false,"keep":3},"data":{"augment":"none","block":64,"dataset":"digits-generated","deviation":[],"drop_last":false,"drop_multiple":0,"mean":[],"path":"","resize":0,"shuffle":true,"target":"","test_limit":20,"test_path":"","train_limit":160,"validation":30,"vocabulary":0},"device":{"capture":"auto","kind":"auto","lanes":1,"memory_limit":"","on_oom":"resplit","threads":1},"evaluate":{"every":"1 update"},"loss":{"class_weights":[],"delta":1.0,"kind":"cross-entropy","label_smoothing":0.0,"normalise":"samples"},"model":{"dropout":0.0,"freeze":[],"heads":4,"hidden":[4],"init":"default","init_std":0.02,"layers":4,"name":"mlp","new_head":false,"norm":"batch","path":"","stem":"imagenet","weights":"","width":128},"numerics":{"accumulator":"auto","batch_norm":"micro","channels_last":"auto","deterministic":true,"ghost":0,"loss_scale":"dynamic","nonfinite":"stop","precision":"fp32","winograd":true},"optimizer":{"beta1":0.9,"beta2":0.999,"eps":1e-08,"lr":0.5,"lr_batch":0,"lr_rule":"keep","momentum":0.9,"name":"sgd","nesterov":false,"weight_decay":0.0},"parallel":{"mode":"ddp","order":"ranks"},"probe":{"parameter":""},"schedule":{"final_lr_fraction":0.0,"kind":"constant","step_every":"1 epoch","step_factor":0.1,"warmup":"0 updates"},"train":{"clip_norm":0.0,"length":"3 updates"}}','cdf115d2f0615a6816d4c44c47b8fdf5','5d4a5d4291dfd8efb4f59837e6b1b478','mlp','digits-generated','sgd',0.5,'fp32',32,16,2,1,1,130,3,'Accumulus 0.1.0 (2cc71d4)','2.11.0','cpu','AMD EPYC, 2 cores, 24 GiB','Debian GNU/Linux 12 (bookworm), Linux 6.18.44-fc-v782','6ee8868b3fea6d8a3fd2bbf60007a3c9','completed',1,1795679595.672592163,1795679595.6815342902,1795679595.7883071899,1795679595.7327935695,'',3,6,96,2.1960788369178771972,2.2955896377563478338,0.10000000000000000555,0.14999999999999999444,'',0.0305029059999999963,3147.2411186003068906,722058,'5a9d9246b54daa8eeceab2a26f510099','176169b7-1f2c-4133-8a18-973de74a3195/last-00000003.safetensors','',NULL,NULL,NULL,NULL,'bf110378-3680-45cd-8343-83e32f378438','637a440e95673c6d59a372610f05fe62',101920,722058,NULL,NULL,NULL,0.59999999999999997779,NULL,NULL,NULL,NULL,0,2.2979639689127604462,'none',NULL,NULL,NULL,2.31056976318359375,0.13333333333333333148,0.26666666666666666296,NULL,NULL);
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
    micro_steps     INTEGER NOT NULL, -- K of this window
    nonfinite       INTEGER NOT NULL, -- 1: loss or gradient was not finite
    clipped         INTEGER NOT NULL, -- 1: the gradient was clipped
    loss_scale      REAL,
    noise_s         REAL,             -- estimate of tr Sigma; null where it cannot be had
    noise_g2        REAL,             -- estimate of |G|^2, may be negative
    peak_bytes      INTEGER NOT NULL, grad_norm_clipped REAL  /* L2 norm of the gradient that was applied */, micro_batch INTEGER     /* samples of a micro-batch, all but the last */, last_micro_batch INTEGER /* samples of the last one */, left_out INTEGER        /* micro-batches left out because they were not finite */, data_seconds REAL       /* of its micro-steps, summed over lanes */, forward_seconds REAL    /* of its micro-steps, summed over lanes */, backward_seconds REAL   /* of its micro-steps, summed over lanes */, commit_seconds REAL     /* adding gradients up */, update_seconds REAL     /* dividing, clipping and the optimizer */, units REAL, -- of tensor memory so far; 0: not measured
    PRIMARY KEY (run, attempt, window)
) STRICT, WITHOUT ROWID;
INSERT INTO windows VALUES(1,1,1,0,1,32,0.24615384615384616751,1795679595.7101159095,0.028452921999999998547,0.028452921999999998547,2.3623203039169311523,2.5053769043495695001,0.5,0,0,2,0,0,1.0,152.48907800155211589,1.5116297452997287109,101920,2.5053769043495695001,16,16,0,0.00011407300000000000371,0.026957429000000001501,0.001185982999999999829,1.9335999999999999184e-05,9.2062000000000000499e-05,32.0);
INSERT INTO windows VALUES(1,1,2,0,2,64,0.49230769230769233502,1795679595.7362799644,0.029455060999999997661,0.0010021389999999999811,2.4716136455535888671,2.3328828281518920739,0.5,0,0,2,0,0,1.0,87.9836695079193305,2.6928526177634921623,101920,2.3328828281518920739,16,16,0,0.00010884300000000000127,0.00037851900000000001256,0.00042585900000000000316,1.4928000000000000053e-05,2.9306000000000000289e-05,32.0);
INSERT INTO windows VALUES(1,1,3,0,3,96,0.73846153846153850253,1795679595.7648165226,0.0305029059999999963,0.0010478449999999999396,2.1960788369178771972,2.277259584467811404,0.5,0,0,2,0,0,1.0,41.808389987799273513,3.8793990279317824843,101920,2.277259584467811404,16,16,0,0.00011235899999999999945,0.00038869999999999996134,0.00045067600000000000628,1.5287999999999999994e-05,3.1349000000000000888e-05,32.0);
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
    wall_time       REAL, peak_bytes INTEGER       /* of tensor memory during this evaluation; null: not known */, top5 REAL                /* share whose class is among the five likeliest; null: not measured */, mae REAL                 /* mean absolute error; null: not measured */, rmse REAL                /* root of the mean squared error; null: not measured */, r2 REAL                  /* coefficient of determination; null: not measured */,             -- seconds since 1970-01-01 UTC
    PRIMARY KEY (run, attempt, update_number, split)
) STRICT, WITHOUT ROWID;
INSERT INTO evaluations VALUES(1,1,1,'test',0,32,0.24615384615384616751,20,2.6485387802124025213,0.10000000000000000555,0.00049216199999999998143,0.028452921999999998547,1795679595.7106146812,720608,0.29999999999999998889,NULL,NULL,NULL);
INSERT INTO evaluations VALUES(1,1,1,'validation',0,32,0.24615384615384616751,30,2.3383761088053387489,0.10000000000000000555,0.00018193100000000000352,0.028452921999999998547,1795679595.7108004093,722058,0.56666666666666665186,NULL,NULL,NULL);
INSERT INTO evaluations VALUES(1,1,2,'test',0,64,0.49230769230769233502,20,2.4410537719726561611,0.14999999999999999444,0.00017928599999999999072,0.029455060999999997661,1795679595.7364733219,720608,0.69999999999999995559,NULL,NULL,NULL);
INSERT INTO evaluations VALUES(1,1,2,'validation',0,64,0.49230769230769233502,30,2.2979639689127604462,0.26666666666666666296,0.0001517149999999999933,0.029455060999999997661,1795679595.7366268635,722058,0.59999999999999997779,NULL,NULL,NULL);
INSERT INTO evaluations VALUES(1,1,3,'test',0,96,0.73846153846153850253,20,2.2955896377563478338,0.10000000000000000555,0.00019756999999999999388,0.0305029059999999963,1795679595.7650182246,720608,0.59999999999999997779,NULL,NULL,NULL);
INSERT INTO evaluations VALUES(1,1,3,'validation',0,96,0.73846153846153850253,30,2.31056976318359375,0.13333333333333333148,0.0001420960000000000029,0.0305029059999999963,1795679595.7651624679,722058,0.59999999999999997779,NULL,NULL,NULL);
CREATE TABLE events (
    number         INTEGER PRIMARY KEY,
    run            INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    wall_time      REAL,          -- seconds since 1970-01-01 UTC
    level          TEXT NOT NULL, -- info | warning | error
    code           TEXT NOT NULL,
    text           TEXT NOT NULL,
    update_number  INTEGER NOT NULL
, arguments TEXT     /* of the sentence that code names, a JSON object of texts; null: only text is known */) STRICT;
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
INSERT INTO checkpoints VALUES(1,'176169b7-1f2c-4133-8a18-973de74a3195/best-00000002.safetensors','','best',2,64,'d3173fab35c6a01d20cb6ec4abf4778e',15088,1795679595.736663103);
INSERT INTO checkpoints VALUES(1,'176169b7-1f2c-4133-8a18-973de74a3195/last-00000003.safetensors','176169b7-1f2c-4133-8a18-973de74a3195/last-00000003.resume','last',3,96,'5a9d9246b54daa8eeceab2a26f510099',43600,1795679595.7652058601);
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
CREATE TABLE plans (
    key        TEXT PRIMARY KEY NOT NULL, -- hash of what it depends on
    created_at REAL NOT NULL,             -- seconds since 1970-01-01 UTC
    result     TEXT NOT NULL              -- all of it, as JSON
) STRICT;
CREATE TABLE library_notes (
    key    TEXT PRIMARY KEY NOT NULL, -- baseline
    value  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
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
, further_groups TEXT NOT NULL DEFAULT '[]'  /* JSON array of groups C to H, each an array of runs */, reference INTEGER NOT NULL DEFAULT 1       /* group that the others are compared with: 0 is A, 1 is B, ... */, smoothing TEXT NOT NULL DEFAULT 'ema 0.95' /* of the training loss: none | ema BETA | mean POINTS-AT-EACH-SIDE */) STRICT;
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
CREATE INDEX runs_by_time ON runs (created_at, number);
CREATE INDEX runs_by_study ON runs (study);
CREATE INDEX events_by_run ON events (run);
CREATE VIEW run_windows AS
    SELECT runs.id AS run_id, runs.name AS run_name, runs.arm, runs.seed, windows.*
    FROM windows JOIN runs ON runs.number = windows.run
    WHERE windows.superseded = 0;
CREATE INDEX audits_of_configuration ON audits (configuration);
COMMIT;
