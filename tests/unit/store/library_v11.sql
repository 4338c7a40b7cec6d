-- SPDX-License-Identifier: GPL-3.0-or-later
-- A library of version 11, as `sqlite3 LIBRARY .dump` shows it, with the two pragmas that .dump leaves out: that of version 10, and
-- a saved comparison of a time when no smoothing could be chosen. Never edit: later versions must read this.
PRAGMA application_id = 1094931789;
PRAGMA user_version = 11;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE studies (
    id          TEXT PRIMARY KEY NOT NULL, -- UUID
    name        TEXT NOT NULL,
    config      TEXT NOT NULL,             -- StudyConfig as canonical JSON
    created_at  REAL NOT NULL              -- seconds since 1970-01-01 UTC, also of the margin
) STRICT;
INSERT INTO studies VALUES('d7aa497b-77e2-401c-97cc-c187697aef46','t','{"ghost":false,"large_batch":false,"margin":0.0,"metric":"auto","name":"t","seeds":[1]}',1795647520.8433814048);
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
, owner_pid INTEGER     /* process that answers for a queued or active run; null: none */, owner_started INTEGER /* its start, clock ticks since the boot; null: unknown */, owner_host TEXT       /* within which owner_pid means anything */, claim TEXT                      /* of the process that writes the run, or wrote it last: no other may */, dataset_hash TEXT               /* of everything in the data set that is read; null: not known */, training_peak_bytes INTEGER     /* of tensor memory, without evaluations; null: not known */, evaluation_peak_bytes INTEGER   /* of tensor memory during evaluations; null: not known */, model_file_hash TEXT            /* of the file model.path; null: none, or not known */, initial_weights_hash TEXT       /* of the file model.weights; null: none, or not known */, model_traits TEXT                /* of a network from a file: batch-norm, draws, couples; null: nothing of these, or not known */, test_top5 REAL                  /* of the last evaluation, as the metrics of evaluations */, test_mae REAL, test_rmse REAL, test_r2 REAL, color TEXT                              /* #rrggbb that a person chose; null: none */, protected INTEGER NOT NULL DEFAULT 0    /* 1: cannot be moved to the trash */, lowest_loss REAL                        /* of its evaluations on the validation set, or else on the test set */, driver TEXT /* of the GPU, with its version; none: on the CPU; null: not known */, others_share REAL /* of the processors' time, what other programs used while it trained; null: not known */, error_code TEXT      /* of the sentences that error holds in English; null: no error, or only its text is known */, error_arguments TEXT /* of these sentences, as those of events */) STRICT;
INSERT INTO runs VALUES(1,'3c390110-07c1-4a7a-b664-71e8a69f4252','d7aa497b-77e2-401c-97cc-c187697aef46','t, accumulated, seed 1','accumulated',1,'{"batch":{"devices":1,"effective":16,"lean":false,"micro":6,"ragged":"weight","ramp":[],"steps":0,"tail":"apply"},"checkpoint":{"best":true,"every":"1 epoch","initial":false,"keep":3},"data":{"augment":"none","block":64,"dataset":"digits-generated","deviation":[],"drop_last":false,"drop_multiple":0,"mean":[],"path":"","resize":0,"shuffle":true,"target":"","test_limit":32,"test_path":"","train_limit":64,"validation":0,"vocabulary":0},"device":{"capture":"auto","kind":"auto","lanes":0,"memory_limit":"","on_oom":"resplit","threads":0},"evaluate":{"every":"1 epoch"},"loss":{"class_weights":[],"delta":1.0,"kind":"cross-entropy","label_smoothing":0.0,"normalise":"samples"},"model":{"dropout":0.0,"freeze":["fc1.bias"],"heads":4,"hidden":[512,512],"init":"default","init_std":0.02,"layers":4,"name":"mlp","new_head":false,"norm":"batch","path":"","stem":"imagenet","weights":"","width":128},"numerics":{"accumulator":"auto","batch_norm":"micro","channels_last":"auto","deterministic":true,"ghost":0,"loss_scale":"dynamic","nonfinite":"stop","precision":"fp32","winograd":true},"optimizer":{"beta1":0.9,"beta2":0.999,"eps":1e-08,"lr":1000.0,"lr_batch":0,"lr_rule":"keep","momentum":0.9,"name":"sgd","nesterov":false,"weight_decay":0.0},"parallel":{"mode":"ddp","order":"ranks"},"probe":{"parameter":""},"schedule":{"final_lr_fraction":0.0,"kind":"constant","step_every":"1 epoch","step_factor":0.1,"warmup":"0 updates"},"train":{"clip_norm":0.0,"length":"12 updates"}}','e09dea6c7021b57ae7834c9292184978','fd07231f8ba0865e5a87911219c3a3f1','mlp','digits-generated','sgd',1000.0,'fp32',16,6,3,2,1,64,12,'Accumulus 0.1.0 (ae19d16)','2.11.0','cpu','AMD EPYC, 2 cores, 24 GiB','Debian GNU/Linux 12 (bookworm), Linux 6.18.44-fc-v782','f083275419e1076172b76d7d5ddc7718','failed',1,1795647520.8433814048,1795647522.4634377957,1795647522.6529052257,1795647522.6510860919,'Training broke down at update 4: the loss or the gradient is not finite (micro-step 1 of 3, layer fc3). The learning rate is probably too large, or the data hold extreme values. Lower optimizer.lr, add warm-up or clipping, or set numerics.nonfinite = "skip-update".',3,9,48,NULL,NULL,NULL,NULL,'final_train_loss',0.1369872000000000034,350.39770139107884005,13436032,'8f0da2f9675182911b22624d7f9c8964','3c390110-07c1-4a7a-b664-71e8a69f4252/last-00000003.safetensors','',NULL,NULL,NULL,NULL,'172d4c9d-ddc5-4d12-a8b5-8027198c96f0','aa62f7c7ba2b1d87eca4b9a979ec7fca',13436032,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,'none',NULL,NULL,NULL);
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
INSERT INTO windows VALUES(1,1,1,0,1,16,0.25,1795647522.4993388652,0.035766883999999998788,0.035766883999999998788,2.3043006658554077148,2.0734024570615203764,1000.0,0,0,3,0,0,1.0,62.26022345894791954,0.40773378276450511492,13436024,2.0734024570615203764,6,4,0,0.00023086299999999998835,0.0035525449999999998348,0.0039543269999999996686,0.018457814999999998945,0.0079813729999999999398,16.0);
INSERT INTO windows VALUES(1,1,2,0,2,32,0.5,1795647522.5309288502,0.067335192000000002043,0.031568308000000003255,1346971088.0,7968060.7011465281247,1000.0,0,0,3,0,0,1.0,66683435232038.124999,59322276635153.328126,13436024,7968060.7011465281247,6,4,0,0.00021696800000000000026,0.002989147000000000158,0.0091630289999999996186,0.016938245000000001078,0.0054031249999999999417,16.0);
INSERT INTO windows VALUES(1,1,3,0,3,48,0.75,1795647522.5648319721,0.10121788100000000953,0.033882689000000000556,6.9959588548637688543e+23,246000660155138464.0,1000.0,0,0,3,0,0,1.0,1.7300318701012315034e+35,4.9703625608631246475e+34,13436032,246000660155138464.0,6,4,0,0.00020840099999999998556,0.019421614000000000238,0.021517504999999999271,0.0021837060000000001018,0.0012792789999999999196,16.0);
INSERT INTO windows VALUES(1,1,4,0,NULL,64,1.0,1795647522.6006188392,0.1369872000000000034,0.035769319000000000807,NULL,NULL,1000.0,0,0,3,1,0,1.0,NULL,NULL,13436032,NULL,6,4,0,0.00017730299999999999294,0.0033729159999999996748,0.011847243000000000356,0.0023345290000000001179,0.00055926900000000004213,16.0);
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
CREATE TABLE events (
    number         INTEGER PRIMARY KEY,
    run            INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
    wall_time      REAL,          -- seconds since 1970-01-01 UTC
    level          TEXT NOT NULL, -- info | warning | error
    code           TEXT NOT NULL,
    text           TEXT NOT NULL,
    update_number  INTEGER NOT NULL
, arguments TEXT     /* of the sentence that code names, a JSON object of texts; null: only text is known */) STRICT;
INSERT INTO events VALUES(1,1,1795647522.463499546,'info','model.frozen','512 of 669 706 parameters are frozen; 669 194 are trained.',0,NULL);
INSERT INTO events VALUES(2,1,1795647522.6006271838,'warning','training.skipped','The loss or gradient of window 4 was not finite; no update was made. First at micro-step 1 of 3, layer fc3.',3,NULL);
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
INSERT INTO checkpoints VALUES(1,'3c390110-07c1-4a7a-b664-71e8a69f4252/last-00000003.safetensors','3c390110-07c1-4a7a-b664-71e8a69f4252/last-00000003.resume','last',3,48,'8f0da2f9675182911b22624d7f9c8964',8040016,1795647522.6011168956);
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
, further_groups TEXT NOT NULL DEFAULT '[]'  /* JSON array of groups C to H, each an array of runs */, reference INTEGER NOT NULL DEFAULT 1       /* group that the others are compared with: 0 is A, 1 is B, ... */) STRICT;
INSERT INTO comparisons VALUES('5e0a1b2c-1111-4000-8000-000000000011','kept before smoothing could be chosen',1780000000.0,'["3c390110-07c1-4a7a-b664-71e8a69f4252"]','["a0000000-0000-4000-8000-000000000000"]','test_accuracy','[]',0.005000000000000000104,0,NULL,0,'samples','sd','[]',1);
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
