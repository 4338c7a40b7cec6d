#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch loops that accumulate rightly, and loops that make each mistake that was shipped, recorded by
resources/python/accumulus_capture.py and named by `accumulus-cli audit`.

Every row is a loop written out, the pattern that the audit has to name (None: the gradient is that of the large batch)
and the weights c_k with which the micro-gradients stand in the gradient that it makes. A least squares fit by NumPy has
to find these weights, too: it shows that the loop makes the mistake that its row promises.

Exit code: how many rows are wrong; 77: Python lacks torch, NumPy or safetensors.
"""
import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from capture_tasks import EQUAL, RAGGED, Bench, Recording  # skips where Python lacks something

import capture_bugs as bugs
import torch
from capture_bugs import RANKS, of_steps, plain, ranks, remainder, share, shares, times

# fp64: the fit is a solve of at most a dozen well separated columns, so its error is u = 1.1e-16 times a condition
# number below 1e4; the largest |c_k| is the scale. fp32: gradients agree to 1e-6 and the condition number is below 1e3.
TOLERANCES = {torch.float64: 1e-6, torch.float32: 1e-3}


class Row:
    """`loop(bench)` trains and records. `weights(n)` are those of the audited window and `earlier(n)` those of the
    micro-batches before it, n being that window's units. `linear`: weights explain all of the gradient; None: nobody
    asks. No pattern, but exit code 10: a mistake without a name."""

    def __init__(self, name, pattern, loop, weights=None, earlier=None, linear=True, exit_code=None, sizes=RAGGED,
                 tasks=("mlp", "text"), windows=2):
        self.name, self.pattern, self.loop, self.weights, self.earlier = name, pattern, loop, weights, earlier
        self.linear, self.sizes, self.tasks, self.windows = linear, sizes, tasks, windows
        self.exit_code = exit_code if exit_code is not None else (0 if pattern is None else 10)


SIX = (3, 7, 2, 5, 4, 6)
LOST, REST = "last-micro-batch-lost", "remainder-window"
EACH = "the weights of each earlier window as its own update had them"
ROWS = [
    Row("right: n_k/N", None, plain(share), shares),
    Row("right: sums, divided once, clipped once", None, bugs.sums_divided_once, shares),
    Row("right: equal units, 1/K", None, plain(of_steps), shares, sizes=EQUAL, tasks=("mlp",)),
    Row("right: loss scale removed", None, bugs.scaled_and_unscaled, shares),
    Row("right: AdamW with decay", None, bugs.adam_with_decay, shares),
    Row("right: a short window", None, remainder(share), shares),
    Row("right: ranks", None, ranks(lambda n, own, k: share(n, k) * RANKS, bugs.averaged), shares, sizes=SIX),
    Row("right: LayerNorm", None, plain(share), shares, tasks=("layer norm",)),
    Row("right: attention, whose key bias has no gradient", None, plain(share), shares, tasks=("attention",)),
    Row("right: BatchNorm that uses running statistics", None, bugs.statistics_kept, shares, tasks=("batch norm",)),

    Row("S1 1/K", "mean-of-means", plain(of_steps), lambda n: [1 / len(n)] * len(n)),
    Row("S1 1/K with BatchNorm or attention", "mean-of-means", plain(of_steps), lambda n: [1 / len(n)] * len(n),
        tasks=("batch norm", "attention")),
    Row("S2 n_k/N x K", "factor-k", plain(lambda n, k: share(n, k) * len(n)), times(lambda n, k: len(n))),
    Row("S2 1", "factor-k", plain(lambda n, k: 1), lambda n: [1] * len(n)),
    Row("S2 1, equal units", "factor-k", plain(lambda n, k: 1), lambda n: [1] * len(n), sizes=EQUAL, tasks=("mlp",)),
    Row("S3 n_k/(N K)", "divided-twice", plain(lambda n, k: share(n, k) / len(n)), times(lambda n, k: 1 / len(n))),
    Row("S3 1/K^2, equal units", "divided-twice", plain(lambda n, k: len(n) ** -2),
        lambda n: [len(n) ** -2] * len(n), sizes=EQUAL, tasks=("mlp",)),
    Row("S3 K^-j by stage", "divided-twice", plain(share, last=bugs.by_stage), linear=None),

    Row("S4 1/K over r", REST, remainder(lambda n, k: 1 / 4), lambda n: [1 / 4] * 3, sizes=EQUAL, tasks=("mlp",)),
    Row("S4 1/K over r, unequal units", REST, remainder(lambda n, k: 1 / 4), lambda n: [1 / 4] * 3),
    # Here 1/K is 1/r^2 as well, what dividing twice gives; a short window makes this the better guess.
    Row("S4 1/K over r, K = r^2", REST, remainder(lambda n, k: 1 / 4, 2), lambda n: [1 / 4] * 2, sizes=EQUAL),
    Row("S4 n_k over the nominal N", REST, remainder(lambda n, k: n[k] / 16), lambda n: [1 / 4] * 3, sizes=EQUAL,
        tasks=("mlp",)),
    Row("S4 n_k/N x r/K", REST, remainder(lambda n, k: share(n, k) * len(n) / 4), times(lambda n, k: len(n) / 4)),
    Row("S4 thrown away", REST, bugs.thrown_away, lambda n: [0] * 3, linear=None),
    Row("S4 leaked into the next", REST, remainder(None, leak=True), lambda n: [1 / 4] * 4,
        lambda n: [0] * 4 + [1 / 4] * 3, sizes=EQUAL, tasks=("mlp",), windows=3),
    Row("S4 leaked into the next, unequal units", REST, remainder(None, leak=True), lambda n: [1 / 4] * 4,
        lambda n: [0] * 4 + [1 / 4] * 3, windows=3),
    Row("S4 1/r of the last r after a resume", REST, bugs.resumed(of_steps),
        lambda n: [0] * (len(n) - 2) + [1 / 2] * 2),
    Row("S4 n_k/N_r of the last r after a resume", REST, bugs.resumed(share),
        lambda n: [0] * (len(n) - 2) + shares(n[-2:])),

    Row("S5 (1,0,..,0,1)/K", LOST, bugs.kept(lambda k, K: k in (0, K - 1), of_steps),
        lambda n: [1 / len(n) if k in (0, len(n) - 1) else 0 for k in range(len(n))]),
    Row("S5 (1,0,..,0,1) n_k/N", LOST, bugs.kept(lambda k, K: k in (0, K - 1), share),
        lambda n: [share(n, k) if k in (0, len(n) - 1) else 0 for k in range(len(n))]),
    Row("S5 (0,..,0,1)", "only-last-kept", bugs.cleared_each_time(lambda n, k: 1), lambda n: [0] * (len(n) - 1) + [1]),
    Row("S5 (0,..,0,1)/K", "only-last-kept", bugs.cleared_each_time(of_steps),
        lambda n: [0] * (len(n) - 1) + [1 / len(n)]),
    Row("S5 (0,..,0,n_K/N)", "only-last-kept", bugs.cleared_each_time(share),
        lambda n: [0] * (len(n) - 1) + [share(n, -1)]),
    Row("S5 last one lost", LOST, bugs.stepped_before_last(share), lambda n: shares(n)[:-1] + [0]),
    Row("S5 last one lost, 1/K", LOST, bugs.stepped_before_last(of_steps), lambda n: [1 / len(n)] * (len(n) - 1) + [0]),
    Row("S5 last one lost, the others divided by their units", LOST,
        bugs.stepped_before_last(lambda n, k: n[k] / sum(n[:-1])), lambda n: shares(n[:-1]) + [0]),

    Row("S6 2^(K-k)", "geometric-weights", plain(share, after=bugs.doubled), times(lambda n, k: 2 ** (len(n) - 1 - k))),
    Row("S6 2^(K-k)/K", "geometric-weights", plain(of_steps, after=bugs.doubled),
        lambda n: [2 ** (len(n) - 1 - k) / len(n) for k in range(len(n))]),
    Row("S6 M^-(K-k+1)", "geometric-weights", plain(lambda n, k: 1, after=bugs.divided),
        lambda n: [len(n) ** -(len(n) - k) for k in range(len(n))]),
    Row("S6 n_k/N M^-(K-k+1)", "geometric-weights", plain(share, after=bugs.divided),
        times(lambda n, k: len(n) ** -(len(n) - k))),
    Row("S6 R^(K-k)", "geometric-weights", ranks(lambda n, own, k: share(n, k), bugs.summed_each_step),
        times(lambda n, k: RANKS ** (len(n) // RANKS - 1 - k // RANKS)), sizes=SIX),

    Row("S7 1/N_r", "rank-normalisation", ranks(lambda n, own, k: n[k] / own, bugs.averaged),
        lambda n: [n[k] / bugs.rank_units(n, k) / RANKS for k in range(len(n))], sizes=SIX),
    Row("S7 without x R", "rank-normalisation", ranks(lambda n, own, k: share(n, k), bugs.averaged),
        times(lambda n, k: 1 / RANKS), sizes=SIX),
    Row("S7 last one not averaged", "rank-normalisation", ranks(lambda n, own, k: share(n, k) * RANKS, bugs.last_alone),
        lambda n: shares(n)[:-RANKS] + [RANKS * share(n, -RANKS)] + [0] * (RANKS - 1), sizes=SIX),

    Row("S8 clip of the running sum", "clip-per-micro-batch", plain(share, after=bugs.clip_norm(0.05))),
    Row("S8 clip of the running sum, 1/K", "clip-per-micro-batch", plain(of_steps, after=bugs.clip_norm(0.1)),
        sizes=EQUAL, tasks=("mlp",)),
    Row("S8 clip of each g_k", "clip-per-micro-batch", bugs.clip_each(share, 0.1)),
    Row("S8 clip of some g_k", "clip-per-micro-batch", bugs.clip_each(share, 0.6), tasks=("mlp",)),
    Row("S8 clip of each element of the running sum", None, plain(share, after=bugs.clip_value(0.01)), linear=False,
        exit_code=10),
    Row("S8 decay at each micro-step, in the gradient", "decay-per-micro-step", plain(share, after=bugs.decay_each),
        linear=False),
    Row("S8 decay at each micro-step, of the weights", "decay-per-micro-step", plain(share, after=bugs.shrink_each),
        linear=False),
    Row("an update in each micro-step", None, plain(share, after=bugs.step_each), linear=False, exit_code=10),
    Row("S8 bf16 accumulator", "low-precision-accumulator", bugs.low_precision(torch.bfloat16, False), linear=False),
    Row("S8 bf16 accumulator, cast back", "low-precision-accumulator", bugs.low_precision(torch.bfloat16, True),
        linear=False),
    Row("S8 fp16 accumulator, cast back", "low-precision-accumulator", bugs.low_precision(torch.float16, True),
        linear=False),

    Row("not cleared", "gradients-not-cleared", bugs.never_cleared, shares, EACH),
    Row("not cleared, three windows", "gradients-not-cleared", bugs.never_cleared, shares, EACH, windows=3),
    # One window: after an update of this size there is not much left to learn.
    Row("loss scale kept", "loss-scale", plain(lambda n, k: 1024 * share(n, k)), times(lambda n, k: 1024), windows=1),
    Row("loss scale 65536 kept", "loss-scale", plain(lambda n, k: 65536 * share(n, k)), times(lambda n, k: 65536),
        windows=1),

    Row("BatchNorm", "batch-norm", plain(share), shares, exit_code=11, tasks=("batch norm",)),
    Row("dropout from a stream", "dropout-stream", plain(share), shares, exit_code=11, tasks=("dropout",)),
    Row("contrastive loss", "batch-coupled-loss", plain(share), shares, tasks=("contrastive",)),
]


def expected_weights(row, recording):
    """Weights of the window and of those before; None where the row promises none."""
    if row.weights is None:
        return None, None
    own = [float(weight) for weight in row.weights(recording.units)]
    if row.earlier == EACH:
        windows = recording.micro["windows"].tolist()
        before = [[n for n, at in zip(recording.every_unit, windows) if at == number] for number in range(windows[-1])]
        return own, [weight for n in before for weight in shares(n)]
    return own, [float(weight) for weight in row.earlier(recording.units)] if row.earlier else []


def distance(found, wanted):
    """Largest difference, relative to the largest weight where that is above 1."""
    if len(found) != len(wanted):
        return float("inf")
    return max(abs(a - b) for a, b in zip(found, wanted)) / max(1.0, *map(abs, wanted))


def own_check(row, recording, limit):
    """Why the recording does not hold what the row promises; empty where it does."""
    own, earlier, residual = recording.fit()
    if row.linear is False:
        return "" if residual > 1e-4 else f"weights explain it all (residual {residual:.1e})"
    if row.linear and residual > limit:
        return f"no weights explain it (residual {residual:.1e})"
    wanted, before = expected_weights(row, recording)
    if wanted is None:
        return ""
    error = distance(earlier + own, before + wanted)
    return "" if error <= limit else f"its weights are {own}, promised {wanted}, before {earlier}, promised {before}"


def check(row, task, dtype, seed, options, folder):
    """One line; whether it is as expected."""
    bench = Bench(task, dtype, row.sizes, seed, row.windows)
    row.loop(bench)
    bench.capture.save(folder, window=-1)
    recording = Recording(folder)
    problem = own_check(row, recording, TOLERANCES[dtype])
    named, error, code = "-", float("nan"), 0
    if not problem and options.cli:
        code, audit = recording.audit(options.cli)
        named = audit.get("pattern")
        if code not in (0, 10, 11):
            problem = f"exit {code}: {audit['sentence']}"
        elif (named, code) != (row.pattern, row.exit_code):
            problem = f"named {named}, exit {code}, wanted {row.pattern}, {row.exit_code}: {audit['sentence']}"
        elif row.weights and audit["weights"]:
            error = distance(audit["weights"], expected_weights(row, recording)[0])
            if not error <= TOLERANCES[dtype]:
                problem = f"c_k {audit['weights']}, wanted {expected_weights(row, recording)[0]}"
        elif row.weights:
            problem = "no weights in the answer"
    kind = "fp64" if dtype == torch.float64 else "fp32"
    print(f"{'right' if not problem else 'WRONG'}  {row.name:52} {task:12} {kind} {seed:2}  "
          f"{row.pattern or 'equivalent':26} {named or 'equivalent':26} {error:8.1e}  {problem}", flush=True)
    if problem and options.keep:
        name = f"{row.name}, {task}, {kind}, {seed}".replace("/", "_").replace(" ", "_")
        shutil.copytree(folder, options.keep / name, dirs_exist_ok=True)
    return not problem


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--cli", help="accumulus-cli; without it only the loops are checked")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--keep", type=Path, help="folder for the recordings of rows that are wrong")
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(f"PyTorch {torch.__version__}; row, model, precision, seed, expected, named, largest error of c_k")
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="accumulus-capture-") as folder:
        for row in ROWS:
            for task in row.tasks if options.only in row.name else ():
                # What fp32 rounds is the same for every task of a row.
                for dtype in (torch.float64, torch.float32) if task == row.tasks[0] else (torch.float64,):
                    for seed in range(options.seeds):
                        wrong += not check(row, task, dtype, seed, options, folder)
    print("all are right" if not wrong else f"{wrong} are wrong")
    return min(wrong, 76)


if __name__ == "__main__":
    sys.exit(main())
