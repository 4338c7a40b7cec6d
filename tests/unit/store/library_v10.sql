-- SPDX-License-Identifier: GPL-3.0-or-later
-- A library of version 10, as `sqlite3 LIBRARY .dump` shows it, with the two pragmas that .dump leaves out: a run of two updates
-- on the CPU, one that says it was computed by a GPU, one that has not begun, an audit and a plan with their subjects in English.
-- Never edit: later versions must read this.
PRAGMA application_id = 1094931789;
PRAGMA user_version = 10;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE studies (
    id          TEXT PRIMARY KEY NOT NULL, -- UUID
    name        TEXT NOT NULL,
    config      TEXT NOT NULL,             -- StudyConfig as canonical JSON
    created_at  REAL NOT NULL              -- seconds since 1970-01-01 UTC, also of the margin
) STRICT;
INSERT INTO studies VALUES('30ee55c8-7b54-4662-b9dd-9e3f1304869c','t','{"ghost":false,"large_batch":false,"margin":0.0,"metric":"auto","name":"t","seeds":[1]}',1795421982.5642979144);
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
, owner_pid INTEGER     /* process that answers for a queued or active run; null: none */, owner_started INTEGER /* its start, clock ticks since the boot; null: unknown */, owner_host TEXT       /* within which owner_pid means anything */, claim TEXT                      /* of the process that writes the run, or wrote it last: no other may */, dataset_hash TEXT               /* of everything in the data set that is read; null: not known */, training_peak_bytes INTEGER     /* of tensor memory, without evaluations; null: not known */, evaluation_peak_bytes INTEGER   /* of tensor memory during evaluations; null: not known */, model_file_hash TEXT            /* of the file model.path; null: none, or not known */, initial_weights_hash TEXT       /* of the file model.weights; null: none, or not known */, model_traits TEXT                /* of a network from a file: batch-norm, draws, couples; null: nothing of these, or not known */, test_top5 REAL                  /* of the last evaluation, as the metrics of evaluations */, test_mae REAL, test_rmse REAL, test_r2 REAL, color TEXT                              /* #rrggbb that a person chose; null: none */, protected INTEGER NOT NULL DEFAULT 0    /* 1: cannot be moved to the trash */, lowest_loss REAL                        /* of its evaluations on the validation set, or else on the test set */, driver TEXT /* of the GPU, with its version; none: on the CPU; null: not known */) STRICT;
INSERT INTO runs VALUES(1,'08b11377-66e2-4640-9c7e-2d6577dd9228','30ee55c8-7b54-4662-b9dd-9e3f1304869c','t, accumulated, seed 1','accumulated',1,'{"batch":{"devices":1,"effective":32,"lean":false,"micro":16,"ragged":"refuse","ramp":[],"steps":0,"tail":"apply"},"checkpoint":{"best":true,"every":"1 epoch","initial":false,"keep":3},"data":{"augment":"none","block":64,"dataset":"digits-generated","deviation":[],"drop_last":false,"drop_multiple":0,"mean":[],"path":"","resize":0,"shuffle":true,"target":"","test_limit":32,"test_path":"","train_limit":64,"validation":0,"vocabulary":0},"device":{"capture":"auto","kind":"auto","lanes":0,"memory_limit":"","on_oom":"resplit","threads":0},"evaluate":{"every":"1 epoch"},"loss":{"class_weights":[],"delta":1.0,"kind":"cross-entropy","label_smoothing":0.0,"normalise":"samples"},"model":{"dropout":0.0,"freeze":[],"heads":4,"hidden":[4],"init":"default","init_std":0.02,"layers":4,"name":"mlp","new_head":false,"norm":"batch","path":"","stem":"imagenet","weights":"","width":128},"numerics":{"accumulator":"auto","batch_norm":"micro","channels_last":"auto","deterministic":true,"ghost":0,"loss_scale":"dynamic","nonfinite":"stop","precision":"fp32","winograd":true},"optimizer":{"beta1":0.9,"beta2":0.999,"eps":1e-08,"lr":0.01,"momentum":0.9,"name":"sgd","nesterov":false,"weight_decay":0.0},"parallel":{"mode":"ddp","order":"ranks"},"probe":{"parameter":""},"schedule":{"final_lr_fraction":0.0,"kind":"constant","step_every":"1 epoch","step_factor":0.1,"warmup":"0 updates"},"train":{"clip_norm":0.0,"length":"2 updates"}}','e0473837672d3b7a472e4c6f345debdd','9d4c0787c86d87ac8cd00f6b576c252e','mlp','digits-generated','sgd',0.010000000000000000208,'fp32',32,16,2,2,1,64,2,'Accumulus 0.1.0','2.11.0','cpu','AMD EPYC, 2 cores, 24 GiB','Debian GNU/Linux 12 (bookworm), Linux 6.18.44-fc-v657','f083275419e1076172b76d7d5ddc7718','completed',1,1795421982.5642979144,1795421983.585880041,1795421983.6650733947,1795421983.6525514126,'',2,4,64,2.3442353010177612304,2.3112518787384033203,0.15625,0.15625,'',0.022323958999999997387,2866.8750018757878024,1398340,'3dd4189c5cdde46407927f70daff415a','08b11377-66e2-4640-9c7e-2d6577dd9228/last-00000002.safetensors','',NULL,NULL,NULL,NULL,'562a1e7d-6f49-4134-8e9a-5d53e2e461e8','aa62f7c7ba2b1d87eca4b9a979ec7fca',152224,1398340,NULL,NULL,NULL,0.5,NULL,NULL,NULL,NULL,0,2.3112518787384033203,'none');
INSERT INTO runs VALUES(2,'08b11377-0000-4640-9c7e-2d6577dd9228','30ee55c8-7b54-4662-b9dd-9e3f1304869c','t, on a GPU','accumulated',1,'{"batch":{"devices":1,"effective":32,"lean":false,"micro":16,"ragged":"refuse","ramp":[],"steps":0,"tail":"apply"},"checkpoint":{"best":true,"every":"1 epoch","initial":false,"keep":3},"data":{"augment":"none","block":64,"dataset":"digits-generated","deviation":[],"drop_last":false,"drop_multiple":0,"mean":[],"path":"","resize":0,"shuffle":true,"target":"","test_limit":32,"test_path":"","train_limit":64,"validation":0,"vocabulary":0},"device":{"capture":"auto","kind":"auto","lanes":0,"memory_limit":"","on_oom":"resplit","threads":0},"evaluate":{"every":"1 epoch"},"loss":{"class_weights":[],"delta":1.0,"kind":"cross-entropy","label_smoothing":0.0,"normalise":"samples"},"model":{"dropout":0.0,"freeze":[],"heads":4,"hidden":[4],"init":"default","init_std":0.02,"layers":4,"name":"mlp","new_head":false,"norm":"batch","path":"","stem":"imagenet","weights":"","width":128},"numerics":{"accumulator":"auto","batch_norm":"micro","channels_last":"auto","deterministic":true,"ghost":0,"loss_scale":"dynamic","nonfinite":"stop","precision":"fp32","winograd":true},"optimizer":{"beta1":0.9,"beta2":0.999,"eps":1e-08,"lr":0.01,"momentum":0.9,"name":"sgd","nesterov":false,"weight_decay":0.0},"parallel":{"mode":"ddp","order":"ranks"},"probe":{"parameter":""},"schedule":{"final_lr_fraction":0.0,"kind":"constant","step_every":"1 epoch","step_factor":0.1,"warmup":"0 updates"},"train":{"clip_norm":0.0,"length":"2 updates"}}','e0473837672d3b7a472e4c6f345debdd','9d4c0787c86d87ac8cd00f6b576c252e','mlp','digits-generated','sgd',0.010000000000000000208,'fp32',32,16,2,2,1,64,2,'Accumulus 0.1.0','2.11.0','cuda:0','NVIDIA H200, 140 GiB; AMD EPYC, 2 cores, 24 GiB','Debian GNU/Linux 12 (bookworm), Linux 6.18.44-fc-v657','f083275419e1076172b76d7d5ddc7718','completed',1,1795421982.5642979144,1795421983.585880041,1795421983.6650733947,1795421983.6525514126,'',2,4,64,2.3442353010177612304,2.3112518787384033203,0.15625,0.15625,'',0.022323958999999997387,2866.8750018757878024,1398340,'3dd4189c5cdde46407927f70daff415a','08b11377-66e2-4640-9c7e-2d6577dd9228/last-00000002.safetensors','',NULL,NULL,NULL,NULL,'562a1e7d-6f49-4134-8e9a-5d53e2e461e8','aa62f7c7ba2b1d87eca4b9a979ec7fca',152224,1398340,NULL,NULL,NULL,0.5,NULL,NULL,NULL,NULL,0,2.3112518787384033203,NULL);
INSERT INTO runs VALUES(3,'08b11377-1111-4640-9c7e-2d6577dd9228','30ee55c8-7b54-4662-b9dd-9e3f1304869c','t, not begun','accumulated',1,'{"batch":{"devices":1,"effective":32,"lean":false,"micro":16,"ragged":"refuse","ramp":[],"steps":0,"tail":"apply"},"checkpoint":{"best":true,"every":"1 epoch","initial":false,"keep":3},"data":{"augment":"none","block":64,"dataset":"digits-generated","deviation":[],"drop_last":false,"drop_multiple":0,"mean":[],"path":"","resize":0,"shuffle":true,"target":"","test_limit":32,"test_path":"","train_limit":64,"validation":0,"vocabulary":0},"device":{"capture":"auto","kind":"auto","lanes":0,"memory_limit":"","on_oom":"resplit","threads":0},"evaluate":{"every":"1 epoch"},"loss":{"class_weights":[],"delta":1.0,"kind":"cross-entropy","label_smoothing":0.0,"normalise":"samples"},"model":{"dropout":0.0,"freeze":[],"heads":4,"hidden":[4],"init":"default","init_std":0.02,"layers":4,"name":"mlp","new_head":false,"norm":"batch","path":"","stem":"imagenet","weights":"","width":128},"numerics":{"accumulator":"auto","batch_norm":"micro","channels_last":"auto","deterministic":true,"ghost":0,"loss_scale":"dynamic","nonfinite":"stop","precision":"fp32","winograd":true},"optimizer":{"beta1":0.9,"beta2":0.999,"eps":1e-08,"lr":0.01,"momentum":0.9,"name":"sgd","nesterov":false,"weight_decay":0.0},"parallel":{"mode":"ddp","order":"ranks"},"probe":{"parameter":""},"schedule":{"final_lr_fraction":0.0,"kind":"constant","step_every":"1 epoch","step_factor":0.1,"warmup":"0 updates"},"train":{"clip_norm":0.0,"length":"2 updates"}}','e0473837672d3b7a472e4c6f345debdd','9d4c0787c86d87ac8cd00f6b576c252e','mlp','digits-generated','sgd',0.010000000000000000208,'fp32',32,16,2,2,1,64,2,'Accumulus 0.1.0','2.11.0','','','Debian GNU/Linux 12 (bookworm), Linux 6.18.44-fc-v657','f083275419e1076172b76d7d5ddc7718','queued',1,1795421982.5642979144,1795421983.585880041,1795421983.6650733947,1795421983.6525514126,'',2,4,64,2.3442353010177612304,2.3112518787384033203,0.15625,0.15625,'',0.022323958999999997387,2866.8750018757878024,1398340,'3dd4189c5cdde46407927f70daff415a','08b11377-66e2-4640-9c7e-2d6577dd9228/last-00000002.safetensors','',NULL,NULL,NULL,NULL,'562a1e7d-6f49-4134-8e9a-5d53e2e461e8','aa62f7c7ba2b1d87eca4b9a979ec7fca',152224,1398340,NULL,NULL,NULL,0.5,NULL,NULL,NULL,NULL,0,2.3112518787384033203,NULL);
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
INSERT INTO windows VALUES(1,1,1,0,1,32,0.5,1795421983.6020619869,0.016145027999999998769,0.016145027999999998769,2.3156211376190185546,2.0933664415147705817,0.010000000000000000208,0,0,2,0,0,1.0,127.30790058317825241,0.40381116523589355438,152224,2.0933664415147705817,16,16,0,4.5614000000000000682e-05,0.00014893799999999998923,0.00027039499999999998865,8.9569999999999991152e-06,0.015513509999999999453,32.0);
INSERT INTO windows VALUES(1,1,2,0,2,64,1.0,1795421983.6082544326,0.022323958999999997387,0.0061789310000000003536,2.3442353010177612304,2.2745095907264425427,0.010000000000000000208,0,0,2,0,0,1.0,79.729003849891000752,2.6818625079974758307,152224,2.2745095907264425427,16,16,0,9.4136999999999996721e-05,0.00029603200000000000086,0.00038659099999999998542,1.1159999999999999876e-05,7.186400000000000177e-05,32.0);
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
INSERT INTO evaluations VALUES(1,1,2,'test',0,64,1.0,32,2.3112518787384033203,0.15625,0.022403888999999999748,0.022323958999999997387,1795421983.6306638717,1398340,0.5,NULL,NULL,NULL);
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
INSERT INTO checkpoints VALUES(1,'08b11377-66e2-4640-9c7e-2d6577dd9228/last-00000002.safetensors','08b11377-66e2-4640-9c7e-2d6577dd9228/last-00000002.resume','last',2,64,'3dd4189c5cdde46407927f70daff415a',43472,1795421983.653415203);
INSERT INTO checkpoints VALUES(1,'08b11377-66e2-4640-9c7e-2d6577dd9228/update-00000002.safetensors','08b11377-66e2-4640-9c7e-2d6577dd9228/update-00000002.resume','periodic',2,64,'3dd4189c5cdde46407927f70daff415a',43472,1795421983.6307380199);
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
INSERT INTO audits VALUES('45feb0c9-0998-4878-bad2-dad2d40c1007',1795380953.650112152,'c41bf7abe6ce94b5d9d03079c597473f','a80936ee-afa9-45ac-bd20-05d93fd8cc2b',NULL,'equivalent',NULL,7.6214962868199048924e-08,1.0000000000000000817e-05,'{"verdict":"equivalent","pattern":null,"sentence":"Equivalent: worst tensor fc2.bias 7.6e-08, tolerance 1.0e-05","worst_tensor":"fc2.bias","worst_error":7.621496286819905e-08,"tolerance":1e-05,"weights":[0.37499998788145616,0.374999987833682,0.2500000010185826],"right_weights":[0.375,0.375,0.25],"judged_window":0,"subject":"MLP, Generated digits, 16 = 6 x 3","run":"a80936ee-afa9-45ac-bd20-05d93fd8cc2b","checkpoint":"last","seed":1,"precision":"fp32","fault":null,"created_at":1795380953.6501122,"headline":{"code":"audit.equivalent","arguments":{"tensor":"fc2.bias","error":"7.6e-08","tolerance":"1.0e-05","layers":"0"}},"notes":[{"code":"audit.note.smaller-micro","arguments":{"micro":"6"}}],"tensors":[{"name":"fc1.weight","shape":[512,784],"norm":1.1218561898366162,"reference_norm":1.1218561899102826,"error":6.776517969192137e-08,"largest_error":3.725290298461914e-09,"cosine":0.999999999999958,"error_fp64":null,"reference_error_fp64":null,"noise_floor":8.1437989132156e-08,"tolerance":1e-05,"passed":true},{"name":"fc1.bias","shape":[512],"norm":0.04271894072851107,"reference_norm":0.04271894069532729,"error":3.3773925283649974e-08,"largest_error":9.313225746154785e-10,"cosine":0.999999999999998,"error_fp64":null,"reference_error_fp64":null,"noise_floor":4.390545858590613e-08,"tolerance":1e-05,"passed":true},{"name":"fc2.weight","shape":[512,512],"norm":0.9889545121530964,"reference_norm":0.9889545117691583,"error":6.580233549844384e-08,"largest_error":3.725290298461914e-09,"cosine":0.9999999999999727,"error_fp64":null,"reference_error_fp64":null,"noise_floor":7.558938683420596e-08,"tolerance":1e-05,"passed":true},{"name":"fc2.bias","shape":[512],"norm":0.11330719288763819,"reference_norm":0.11330719273448486,"error":7.621496286819905e-08,"largest_error":1.862645149230957e-09,"cosine":0.9999999999999974,"error_fp64":null,"reference_error_fp64":null,"noise_floor":9.171775290251664e-08,"tolerance":1e-05,"passed":true},{"name":"fc3.weight","shape":[10,512],"norm":1.1107268631618719,"reference_norm":1.110726863296744,"error":7.514482926084774e-08,"largest_error":1.4901161193847656e-08,"cosine":0.9999999999999969,"error_fp64":null,"reference_error_fp64":null,"noise_floor":9.06381531065474e-08,"tolerance":1e-05,"passed":true},{"name":"fc3.bias","shape":[10],"norm":0.30765051350787564,"reference_norm":0.30765052487432704,"error":6.349928102065337e-08,"largest_error":1.4901161193847656e-08,"cosine":0.999999999999999,"error_fp64":null,"reference_error_fp64":null,"noise_floor":6.11466334756253e-08,"tolerance":1e-05,"passed":true}],"windows":[{"units":[6,6,4],"weights":[0.37499998788145616,0.374999987833682,0.2500000010185826],"right_weights":[0.375,0.375,0.25],"earlier":[],"residual":3.700762630423144e-08,"error":3.21213665890386e-08,"worst_tensor":"fc3.weight"},{"units":[6,6,4],"weights":[0.3749999887277434,0.3749999882669482,0.2500000007503411],"right_weights":[0.375,0.375,0.25],"earlier":[],"residual":4.018020493234535e-08,"error":2.939467217718294e-08,"worst_tensor":"fc3.weight"},{"units":[6,3],"weights":[0.6666666575058519,0.33333332468561255],"right_weights":[0.6666666666666666,0.3333333333333333],"earlier":[],"residual":4.656228687391833e-08,"error":3.3020453326993915e-08,"worst_tensor":"fc1.weight"},{"units":[6,6,4],"weights":[0.3749999905733441,0.37499999059252676,0.24999999792479577],"right_weights":[0.375,0.375,0.25],"earlier":[],"residual":3.963399226600839e-08,"error":3.2822580692890474e-08,"worst_tensor":"fc3.weight"}],"splits":[{"steps":2,"error":7.052939118915438e-08},{"steps":4,"error":8.381249099299053e-08},{"steps":8,"error":3.317888628687546e-07},{"steps":16,"error":3.2842031201412204e-07}],"updates":[]}');
CREATE TABLE plans (
    key        TEXT PRIMARY KEY NOT NULL, -- hash of what it depends on
    created_at REAL NOT NULL,             -- seconds since 1970-01-01 UTC
    result     TEXT NOT NULL              -- all of it, as JSON
) STRICT;
INSERT INTO plans VALUES('9f937001094d974eb3fd9c8b934d4ba7',1795380999.9975345134,'{"subject":"MLP on Generated digits, fp32","device":"CPU: AMD EPYC, 2 cores, 24 GiB","effective":16,"memory_limit":20072828928,"created_at":1795380999.9975345,"cancelled":false,"points":[{"micro":1,"steps":16,"lanes":1,"threads":1,"peak_bytes":11247808,"samples_per_second":150.31077927918935,"update_seconds":0.106446125,"fixed_seconds":0.000347407,"fits":true,"problem":null,"overhead":2.5885036608620915},{"micro":2,"steps":8,"lanes":1,"threads":1,"peak_bytes":11247808,"samples_per_second":170.99285537346276,"update_seconds":0.093571161,"fixed_seconds":0.00039160299999999997,"fits":true,"problem":null,"overhead":2.1544638548337587},{"micro":4,"steps":4,"lanes":1,"threads":1,"peak_bytes":11247808,"samples_per_second":279.5819159986348,"update_seconds":0.057228308,"fixed_seconds":0.000414588,"fits":true,"problem":null,"overhead":0.9292763617552382},{"micro":8,"steps":2,"lanes":1,"threads":1,"peak_bytes":11247808,"samples_per_second":239.38262144707005,"update_seconds":0.066838603,"fixed_seconds":0.000398684,"fits":true,"problem":null,"overhead":1.2532578950375877},{"micro":16,"steps":1,"lanes":1,"threads":1,"peak_bytes":11247808,"samples_per_second":539.3907817104048,"update_seconds":0.029663095,"fixed_seconds":0.00041116199999999996,"fits":true,"problem":null,"overhead":0.0}],"recommended":{"micro":16,"steps":1,"lanes":1,"threads":1,"peak_bytes":11247808,"samples_per_second":539.3907817104048,"update_seconds":0.029663095,"fixed_seconds":0.00041116199999999996,"fits":true,"problem":null},"verified":true,"sentence":"m = 16, K = 1, 1 lane: 100 % of top speed, 11.2 MB of 20.1 GB.","sentence_message":{"code":"plan.recommended","arguments":[["micro","16"],["steps","1"],["lanesPhrase","phrase.one-lane"],["lanes","1"],["percent","100"],["limit","20.1 GB"],["peak","11.2 MB"]],"sentence":"m = 16, K = 1, 1 lane: 100 % of top speed, 11.2 MB of 20.1 GB."},"notes":[],"memory":{"a":11247808.0,"b":0.0,"largest_residual":0.0},"time":{"a":0.030144200343603593,"b":0.005829897091464837,"largest_residual":0.3745531377049687},"cheapest_effective":null}');
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
, further_groups TEXT NOT NULL DEFAULT '[]'  /* JSON array of groups C to H, each an array of runs */, reference INTEGER NOT NULL DEFAULT 1       /* group that the others are compared with: 0 is A, 1 is B, ... */) STRICT;
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
