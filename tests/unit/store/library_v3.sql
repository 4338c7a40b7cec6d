-- SPDX-License-Identifier: GPL-3.0-or-later
-- A library of version 3, as `sqlite3 LIBRARY .dump` shows it, with the two pragmas that .dump leaves out: a run of two updates under a ramp, with the parameter
-- probe. Never edit: later versions must read this.
PRAGMA application_id = 1094931789;
PRAGMA user_version = 3;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE studies (
    id          TEXT PRIMARY KEY NOT NULL, -- UUID
    name        TEXT NOT NULL,
    config      TEXT NOT NULL,             -- StudyConfig as canonical JSON
    created_at  REAL NOT NULL              -- seconds since 1970-01-01 UTC, also of the margin
) STRICT;
INSERT INTO studies VALUES('1320e85f-17d1-4b9b-aec6-6cd702aa705d','version 3','{"ghost":false,"large_batch":false,"margin":0.002,"metric":"test_accuracy","name":"version 3","seeds":[5]}',1795277505.2610983848);
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
INSERT INTO runs VALUES(1,'8e926d2c-79b8-4421-9372-185e67dc9398','1320e85f-17d1-4b9b-aec6-6cd702aa705d','version 3, accumulated, seed 5','accumulated',5,'{"batch":{"devices":1,"effective":64,"lean":false,"micro":16,"ragged":"refuse","ramp":[[2,32]],"steps":0,"tail":"apply"},"checkpoint":{"best":false,"every":"0 epochs","initial":false,"keep":3},"data":{"augment":"none","block":64,"dataset":"digits-generated","drop_last":false,"drop_multiple":0,"path":"","resize":0,"shuffle":true,"test_limit":20,"train_limit":96,"validation":0},"device":{"kind":"auto","lanes":1,"memory_limit":"","on_oom":"resplit","threads":1},"evaluate":{"every":"0 epochs"},"loss":{"label_smoothing":0.0,"normalise":"samples"},"model":{"dropout":0.0,"heads":4,"init":"default","init_std":0.02,"layers":4,"name":"mlp","norm":"batch","stem":"imagenet","width":128},"numerics":{"accumulator":"auto","batch_norm":"micro","channels_last":"auto","deterministic":true,"ghost":0,"loss_scale":"dynamic","nonfinite":"stop","precision":"fp32"},"optimizer":{"beta1":0.9,"beta2":0.999,"eps":1e-08,"lr":0.01,"momentum":0.9,"name":"sgd","nesterov":false,"weight_decay":0.0},"probe":{"parameter":"fc3.bias"},"schedule":{"final_lr_fraction":0.0,"kind":"constant","step_every":"1 epoch","step_factor":0.1,"warmup":"0 updates"},"train":{"clip_norm":0.0,"length":"2 updates"}}','1cbe09db52d369b7c565d879d7103ba2','fe4ba72957e1e6e12acd2537023201ba','mlp','digits-generated','sgd',0.010000000000000000208,'fp32',64,16,4,1,1,96,2,'Accumulus 0.1.0','2.11.0','cpu','a machine, 2 cores','a system','db9c07164dafd0ea84e2d9a08021a076','completed',1,1795277505.2610983848,1795277505.298555374,1795277505.3945167064,1795277505.3942759036,'',2,6,96,2.2925717830657958984,2.2990869522094725674,0.14999999999999999444,0.14999999999999999444,'',0.044350118000000000872,2164.594015285370915,13235568,'63ba1a0ab706b68355131e2bb2aecbbb','8e926d2c-79b8-4421-9372-185e67dc9398/last-00000002.safetensors','',NULL,NULL,NULL,NULL);
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
INSERT INTO windows VALUES(1,1,1,0,1,64,0.66666666666666662965,1795277505.3403577805,0.036256897000000003206,0.036256897000000003206,2.3164377808570861816,1.0799955713900839526,0.010000000000000000208,0,0,64,4,0,0,1.0,42.601051714038476346,0.50074900119034282397,13235568,1.0799955713900839526,16,16,0,0.00011020499999999999263,0.013960080999999999185,0.01174975499999999888,0.0014601169999999999253,0.0087194850000000007766);
INSERT INTO windows VALUES(1,1,2,0,2,96,1.0,1795277505.348500967,0.044350118000000000872,0.0080932209999999994015,2.2925717830657958984,1.4574046730716878617,0.010000000000000000208,0,0,32,2,0,0,1.0,55.107786954751645678,0.40191003875520436849,13235568,1.4574046730716878617,16,16,0,2.9984999999999998362e-05,0.00093846000000000011874,0.0019358169999999998329,0.0047364140000000004224,0.0003448149999999999978);
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
INSERT INTO evaluations VALUES(1,1,2,'test',0,96,1.0,20,2.2990869522094725674,0.14999999999999999444,0.00085540599999999996153,0.044350118000000000872,1795277505.349370718);
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
INSERT INTO checkpoints VALUES(1,'8e926d2c-79b8-4421-9372-185e67dc9398/last-00000002.safetensors','8e926d2c-79b8-4421-9372-185e67dc9398/last-00000002.resume','last',2,96,'63ba1a0ab706b68355131e2bb2aecbbb',8041312,1795277505.3495385646);
CREATE TABLE micro_steps (
    run         INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    attempt     INTEGER NOT NULL,
    window      INTEGER NOT NULL,
    micro_step  INTEGER NOT NULL,  -- after its commit, from 0; K: after the update
    parameter_values TEXT NOT NULL, -- JSON array
    PRIMARY KEY (run, attempt, window, micro_step)
) STRICT, WITHOUT ROWID;
INSERT INTO micro_steps VALUES(1,1,1,0,'[0.03369604051113129,0.011485972441732883,0.005533566698431969,-0.03160485625267029,-0.020422443747520447,0.0016546575352549553,0.023432383313775063,0.0017939575482159853,-0.019554084166884422,-0.008580340072512627]');
INSERT INTO micro_steps VALUES(1,1,1,1,'[0.03369604051113129,0.011485972441732883,0.005533566698431969,-0.03160485625267029,-0.020422443747520447,0.0016546575352549553,0.023432383313775063,0.0017939575482159853,-0.019554084166884422,-0.008580340072512627]');
INSERT INTO micro_steps VALUES(1,1,1,2,'[0.03369604051113129,0.011485972441732883,0.005533566698431969,-0.03160485625267029,-0.020422443747520447,0.0016546575352549553,0.023432383313775063,0.0017939575482159853,-0.019554084166884422,-0.008580340072512627]');
INSERT INTO micro_steps VALUES(1,1,1,3,'[0.03369604051113129,0.011485972441732883,0.005533566698431969,-0.03160485625267029,-0.020422443747520447,0.0016546575352549553,0.023432383313775063,0.0017939575482159853,-0.019554084166884422,-0.008580340072512627]');
INSERT INTO micro_steps VALUES(1,1,1,4,'[0.03393448889255524,0.011991579085588455,0.005575491115450859,-0.032334621995687485,-0.020305421203374863,0.0017593726515769958,0.024274911731481552,0.0016698717372491956,-0.019949879497289658,-0.009180936962366104]');
INSERT INTO micro_steps VALUES(1,1,2,0,'[0.03393448889255524,0.011991579085588455,0.005575491115450859,-0.032334621995687485,-0.020305421203374863,0.0017593726515769958,0.024274911731481552,0.0016698717372491956,-0.019949879497289658,-0.009180936962366104]');
INSERT INTO micro_steps VALUES(1,1,2,1,'[0.03393448889255524,0.011991579085588455,0.005575491115450859,-0.032334621995687485,-0.020305421203374863,0.0017593726515769958,0.024274911731481552,0.0016698717372491956,-0.019949879497289658,-0.009180936962366104]');
INSERT INTO micro_steps VALUES(1,1,2,2,'[0.03532541170716286,0.0121860196813941,0.005032024811953306,-0.03341393545269966,-0.020548023283481598,0.0018014496890828013,0.024296464398503304,0.0019360124133527279,-0.0191367007791996,-0.010043866001069546]');
CREATE INDEX runs_by_time ON runs (created_at, number);
CREATE INDEX runs_by_study ON runs (study);
CREATE INDEX events_by_run ON events (run);
CREATE VIEW run_windows AS
    SELECT runs.id AS run_id, runs.name AS run_name, runs.arm, runs.seed, windows.*
    FROM windows JOIN runs ON runs.number = windows.run
    WHERE windows.superseded = 0;
COMMIT;
