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

import torch

# fp64: the fit is a solve of at most a dozen well separated columns, so its error is u = 1.1e-16 times a condition
# number below 1e4; the largest |c_k| is the scale. fp32: gradients agree to 1e-6 and the condition number is below 1e3.
TOLERANCES = {torch.float64: 1e-6, torch.float32: 1e-3}
RANKS = 2


class Row:
    """`loop(bench)` trains and records. `weights(n, K)` are those of the audited window and `earlier(n, K)` those of the
    micro-batches before it, n being the units of all windows. `linear`: weights explain all of the gradient."""

    def __init__(self, name, pattern, loop, weights=None, earlier=None, linear=True, exit_code=None, sizes=RAGGED,
                 tasks=("mlp", "text"), windows=2, steps=None):
        self.name, self.pattern, self.loop, self.weights, self.earlier = name, pattern, loop, weights, earlier
        self.linear, self.sizes, self.tasks, self.windows, self.steps = linear, sizes, tasks, windows, steps
        self.exit_code = exit_code if exit_code is not None else (0 if pattern is None else 10)


def plain(scale, after=None, last=None):
    """Each micro-batch's mean loss times `scale(n, k)`; `after(bench, n, k)` follows each backward pass, `last(bench, n)`
    the window's last one."""
    def loop(bench):
        for window in bench.windows:
            n = bench.units(window)
            for k, batch in enumerate(window):
                bench.capture.micro(batch)
                (bench.loss(batch) * scale(n, k)).backward()
                if after:
                    after(bench, n, k)
            if last:
                last(bench, n)
            bench.capture.accumulated()
            bench.optimizer.step()
            bench.optimizer.zero_grad()
    return loop


def share(n, k):
    return n[k] / sum(n)


def of_steps(n, k):
    return 1 / len(n)


def shares(n):
    return [units / sum(n) for units in n]


def times(factor):
    """Right weights times `factor(n, k)`."""
    return lambda n: [share(n, k) * factor(n, k) for k in range(len(n))]


def multiply(bench, factor):
    for gradient in bench.gradients():
        gradient *= factor


# --- right loops ---------------------------------------------------------------------------------------------------

def sums_divided_once(bench):
    """Summed losses, the gradient divided by the units of the window."""
    for window in bench.windows:
        bench.optimizer.zero_grad()
        for batch in window:
            bench.capture.micro(batch)
            bench.sums(batch)[0].backward()
        multiply(bench, 1 / sum(bench.units(window)))
        bench.capture.accumulated()
        torch.nn.utils.clip_grad_norm_(bench.model.parameters(), 0.01)
        bench.optimizer.step()


def scaled_and_unscaled(bench):
    plain(lambda n, k: 1024 * share(n, k), last=lambda bench, n: multiply(bench, 1 / 1024))(bench)


def adam_with_decay(bench):
    bench.optimizer = torch.optim.AdamW(bench.model.parameters(), lr=0.01, weight_decay=0.5)
    plain(share)(bench)


def statistics_kept(bench):
    """BatchNorm with the running statistics: nothing of a sample depends on others."""
    bench.model.eval()
    plain(share)(bench)


# --- a remainder ---------------------------------------------------------------------------------------------------

def remainder(scale, leak=False):
    """A full window, then one of two micro-batches. `leak`: it is not applied, the next window adds to it."""
    def loop(bench):
        full = len(bench.windows[0])
        bench.windows[1] = bench.windows[1][:2]
        if not leak:
            plain(scale)(bench)
            return
        for window in bench.windows:
            with bench.capture.window():
                for batch in window:
                    bench.capture.micro(batch)
                    (bench.loss(batch) / full).backward()
                if len(window) == full:
                    bench.capture.accumulated()
                    bench.optimizer.step()
                    bench.optimizer.zero_grad()
    return loop


def thrown_away(bench):
    """The optimizer takes no step for the two micro-batches that end the epoch."""
    for window in (bench.windows[0], bench.windows[1][:2]):
        with bench.capture.window():
            bench.optimizer.zero_grad()
            for batch in window:
                bench.capture.micro(batch)
                (bench.loss(batch) / len(bench.windows[0])).backward()
            if len(window) == len(bench.windows[0]):
                bench.capture.accumulated()
                bench.optimizer.step()


# --- lost, kept, weighted geometrically -----------------------------------------------------------------------------

def kept(keep, scale):
    """Gradients of micro-batches that `keep(k, K)` refuses are overwritten before the next is added."""
    def loop(bench):
        for window in bench.windows:
            n = bench.units(window)
            held = [torch.zeros_like(parameter) for parameter in bench.model.parameters()]
            for k, batch in enumerate(window):
                bench.optimizer.zero_grad()
                bench.capture.micro(batch)
                (bench.loss(batch) * scale(n, k)).backward()
                if keep(k, len(n)):
                    for sum_, gradient in zip(held, bench.gradients()):
                        sum_ += gradient
            for parameter, sum_ in zip(bench.model.parameters(), held):
                parameter.grad = sum_
            bench.capture.accumulated()
            bench.optimizer.step()
    return loop


def cleared_each_time(scale):
    def loop(bench):
        for window in bench.windows:
            n = bench.units(window)
            for k, batch in enumerate(window):
                bench.optimizer.zero_grad()
                bench.capture.micro(batch)
                (bench.loss(batch) * scale(n, k)).backward()
            bench.capture.accumulated()
            bench.optimizer.step()
    return loop


def stepped_before_last(scale):
    """The boundary is noticed before the last backward pass, whose gradient is cleared."""
    def loop(bench):
        for window in bench.windows:
            n = bench.units(window)
            for k, batch in enumerate(window):
                bench.capture.micro(batch)
                loss = bench.loss(batch) * scale(n, k)
                if k + 1 == len(window):
                    bench.capture.accumulated()
                    bench.optimizer.step()
                loss.backward() if k + 1 < len(window) else bench.optimizer.zero_grad()
    return loop


def doubled(bench, n, k):
    """Twice what was there before is what the next gradient is added to."""
    if k + 1 < len(n):
        multiply(bench, 2)


# --- ranks ----------------------------------------------------------------------------------------------------------

def ranks(scale, reduce):
    """Micro-batch k is that of rank k mod R; `scale(n, own, k)` with own the units of that rank. `reduce(parts)` makes
    the gradient of rank 0 from a list of [micro-step][rank][parameter]."""
    def loop(bench):
        parameters = list(bench.model.parameters())
        for window in bench.windows:
            n = bench.units(window)
            parts = []
            for k, batch in enumerate(window):
                bench.capture.micro(batch, rank=k % RANKS)
                loss = bench.loss(batch) * scale(n, sum(n[k % RANKS::RANKS]), k)
                if k % RANKS == 0:
                    parts.append([])
                parts[-1].append(torch.autograd.grad(loss, parameters))
            for parameter, gradient in zip(parameters, reduce(parts)):
                parameter.grad = gradient
            bench.capture.accumulated()
            bench.optimizer.step()
    return loop


def summed(gradients):
    return [sum(parts) for parts in zip(*gradients)]


def averaged(parts):
    return [gradient / RANKS for gradient in summed([summed(step) for step in parts])]


def last_alone(parts):
    """Synchronised before the last micro-step: its gradient stays that of this rank."""
    return summed([averaged(parts[:-1]), parts[-1][0]])


def summed_each_step(parts):
    """All ranks add their whole .grad after each micro-step, so what was summed before counts R times more."""
    held = [torch.zeros_like(gradient) for gradient in parts[0][0]]
    for step in parts:
        held = [RANKS * before + now for before, now in zip(held, summed(step))]
    return held


def rank_units(n, k):
    return sum(n[k % RANKS::RANKS])


# --- what no weights explain, or not the same ones in all tensors ---------------------------------------------------

def clip_norm(limit):
    return lambda bench, n, k: torch.nn.utils.clip_grad_norm_(bench.model.parameters(), limit)


def clip_value(limit):
    return lambda bench, n, k: torch.nn.utils.clip_grad_value_(bench.model.parameters(), limit)


def clip_each(scale, limit):
    """Each micro-gradient is clipped before it is added."""
    def loop(bench):
        parameters = list(bench.model.parameters())
        for window in bench.windows:
            n = bench.units(window)
            bench.optimizer.zero_grad(set_to_none=False)
            held = [torch.zeros_like(parameter) for parameter in parameters]
            for k, batch in enumerate(window):
                bench.capture.micro(batch)
                own = torch.autograd.grad(bench.loss(batch), parameters)
                norm = torch.sqrt(sum(gradient.square().sum() for gradient in own))
                for sum_, gradient in zip(held, own):
                    sum_ += gradient * torch.clamp(limit / norm, max=1.0) * scale(n, k)
            for parameter, sum_ in zip(parameters, held):
                parameter.grad = sum_
            bench.capture.accumulated()
            bench.optimizer.step()
    return loop


def decay_each(bench, n, k):
    for parameter in bench.model.parameters():
        parameter.grad.add_(parameter.detach(), alpha=0.02)


def shrink_each(bench, n, k):
    """Decoupled: the weights themselves, (1 - eta lambda) each time."""
    with torch.no_grad():
        for parameter in bench.model.parameters():
            parameter *= 1 - 0.01


def low_precision(kind, back):
    """The sum is kept in 16 bits."""
    def loop(bench):
        parameters = dict(bench.model.named_parameters())
        for window in bench.windows:
            n = bench.units(window)
            held = {name: torch.zeros_like(parameter, dtype=kind) for name, parameter in parameters.items()}
            for k, batch in enumerate(window):
                bench.capture.micro(batch)
                found = torch.autograd.grad(bench.loss(batch) * share(n, k), list(parameters.values()))
                for name, gradient in zip(parameters, found):
                    held[name] += gradient.to(kind)
            if back:
                held = {name: sum_.to(parameters[name].dtype) for name, sum_ in held.items()}
            bench.capture.accumulated(held)
            for name, parameter in parameters.items():
                parameter.grad = held[name].to(parameter.dtype)
            bench.optimizer.step()
    return loop


def by_stage(bench, n):
    """A pipeline of as many stages as there are parameters: each passes back a gradient that it has divided again."""
    gradients = bench.gradients()
    for at, gradient in enumerate(gradients):
        gradient /= len(n) ** (len(gradients) - 1 - at)


def never_cleared(bench):
    for window in bench.windows:
        n = bench.units(window)
        for k, batch in enumerate(window):
            bench.capture.micro(batch)
            (bench.loss(batch) * share(n, k)).backward()
        bench.capture.accumulated()
        bench.optimizer.step()


SIX = (3, 7, 2, 5, 4, 6)
LOST = "last-micro-batch-lost"
ROWS = [
    Row("right: n_k/N", None, plain(share), shares),
    Row("right: sums, divided once, clipped once", None, sums_divided_once, shares),
    Row("right: equal units, 1/K", None, plain(of_steps), shares, sizes=EQUAL, tasks=("mlp",)),
    Row("right: loss scale removed", None, scaled_and_unscaled, shares),
    Row("right: AdamW with decay", None, adam_with_decay, shares),
    Row("right: a short window", None, remainder(share), shares),
    Row("right: ranks", None, ranks(lambda n, own, k: share(n, k) * RANKS, averaged), shares, sizes=SIX),
    Row("right: LayerNorm", None, plain(share), shares, tasks=("layer norm",)),
    Row("right: BatchNorm that uses running statistics", None, statistics_kept, shares, tasks=("batch norm",)),

    Row("S1 1/K", "mean-of-means", plain(of_steps), lambda n: [1 / len(n)] * len(n)),
    Row("S1 1/K with BatchNorm", "mean-of-means", plain(of_steps), lambda n: [1 / len(n)] * len(n),
        tasks=("batch norm",)),
    Row("S2 n_k/N x K", "factor-k", plain(lambda n, k: share(n, k) * len(n)), times(lambda n, k: len(n))),
    Row("S2 1", "factor-k", plain(lambda n, k: 1), lambda n: [1] * len(n)),
    Row("S2 1, equal units", "factor-k", plain(lambda n, k: 1), lambda n: [1] * len(n), sizes=EQUAL, tasks=("mlp",)),
    Row("S3 n_k/(N K)", "divided-twice", plain(lambda n, k: share(n, k) / len(n)), times(lambda n, k: 1 / len(n))),
    Row("S3 1/K^2, equal units", "divided-twice", plain(lambda n, k: len(n) ** -2),
        lambda n: [len(n) ** -2] * len(n), sizes=EQUAL, tasks=("mlp",)),
    Row("S3 K^-j by stage", "divided-twice", plain(share, last=by_stage), linear=None),

    Row("S4 1/K over r", "remainder-window", remainder(lambda n, k: 1 / 4), lambda n: [1 / 4] * 2, sizes=EQUAL,
        tasks=("mlp",)),
    Row("S4 1/K over r, unequal units", "remainder-window", remainder(lambda n, k: 1 / 4), lambda n: [1 / 4] * 2),
    Row("S4 n_k over the nominal N", "remainder-window", remainder(lambda n, k: n[k] / 16), lambda n: [1 / 4] * 2,
        sizes=EQUAL, tasks=("mlp",)),
    Row("S4 n_k/N x r/K", "remainder-window", remainder(lambda n, k: share(n, k) * len(n) / 4),
        times(lambda n, k: len(n) / 4)),
    Row("S4 thrown away", "remainder-window", thrown_away, lambda n: [0] * 2, linear=None),
    Row("S4 leaked into the next", "remainder-window", remainder(None, leak=True), lambda n: [1 / 4] * 4,
        lambda n: [0] * 4 + [1 / 4] * 2, sizes=EQUAL, tasks=("mlp",), windows=3),
    Row("S4 leaked into the next, unequal units", "remainder-window", remainder(None, leak=True),
        lambda n: [1 / 4] * 4, lambda n: [0] * 4 + [1 / 4] * 2, windows=3),
    Row("S4 1/r over K after a resume", "remainder-window", plain(lambda n, k: 1 / 2), lambda n: [1 / 2] * len(n),
        sizes=EQUAL, tasks=("mlp",)),
    Row("S4 the last r of K by 1/r", "remainder-window", plain(lambda n, k: 1 / 4 if k < len(n) - 2 else 1 / 2),
        lambda n: [1 / 4] * 2 + [1 / 2] * 2, sizes=EQUAL, tasks=("mlp",)),

    Row("S5 (1,0,..,0,1)/K", LOST, kept(lambda k, K: k in (0, K - 1), of_steps),
        lambda n: [1 / len(n) if k in (0, len(n) - 1) else 0 for k in range(len(n))]),
    Row("S5 (1,0,..,0,1) n_k/N", LOST, kept(lambda k, K: k in (0, K - 1), share),
        lambda n: [share(n, k) if k in (0, len(n) - 1) else 0 for k in range(len(n))]),
    Row("S5 (0,..,0,1)", "only-last-kept", cleared_each_time(lambda n, k: 1), lambda n: [0] * (len(n) - 1) + [1]),
    Row("S5 (0,..,0,1)/K", "only-last-kept", cleared_each_time(of_steps), lambda n: [0] * (len(n) - 1) + [1 / len(n)]),
    Row("S5 (0,..,0,n_K/N)", "only-last-kept", cleared_each_time(share), lambda n: [0] * (len(n) - 1) + [share(n, -1)]),
    Row("S5 last one lost", LOST, stepped_before_last(share), lambda n: shares(n)[:-1] + [0]),
    Row("S5 last one lost, 1/K", LOST, stepped_before_last(of_steps), lambda n: [1 / len(n)] * (len(n) - 1) + [0]),
    Row("S5 last one lost, the others divided by their units", LOST,
        stepped_before_last(lambda n, k: n[k] / sum(n[:-1])), lambda n: shares(n[:-1]) + [0]),

    Row("S6 2^(K-k)", "geometric-weights", plain(share, after=doubled), times(lambda n, k: 2 ** (len(n) - 1 - k))),
    Row("S6 2^(K-k)/K", "geometric-weights", plain(of_steps, after=doubled),
        lambda n: [2 ** (len(n) - 1 - k) / len(n) for k in range(len(n))]),
    Row("S6 M^-(K-k+1)", "geometric-weights", plain(lambda n, k: 1, after=lambda bench, n, k: multiply(bench, 1 / len(n))),
        lambda n: [len(n) ** -(len(n) - k) for k in range(len(n))]),
    Row("S6 n_k/N M^-(K-k+1)", "geometric-weights", plain(share, after=lambda bench, n, k: multiply(bench, 1 / len(n))),
        times(lambda n, k: len(n) ** -(len(n) - k))),
    Row("S6 R^(K-k)", "geometric-weights", ranks(lambda n, own, k: share(n, k), summed_each_step),
        times(lambda n, k: RANKS ** (len(n) // RANKS - 1 - k // RANKS)), sizes=SIX),

    Row("S7 1/N_r", "rank-normalisation", ranks(lambda n, own, k: n[k] / own, averaged),
        lambda n: [n[k] / rank_units(n, k) / RANKS for k in range(len(n))], sizes=SIX),
    Row("S7 without x R", "rank-normalisation", ranks(lambda n, own, k: share(n, k), averaged),
        times(lambda n, k: 1 / RANKS), sizes=SIX),
    Row("S7 last one not averaged", "rank-normalisation", ranks(lambda n, own, k: share(n, k) * RANKS, last_alone),
        lambda n: shares(n)[:-RANKS] + [RANKS * share(n, -RANKS)] + [0] * (RANKS - 1), sizes=SIX),

    Row("S8 clip of the running sum", "clip-per-micro-batch", plain(share, after=clip_norm(0.05))),
    Row("S8 clip of the running sum, 1/K", "clip-per-micro-batch", plain(of_steps, after=clip_norm(0.1)), sizes=EQUAL,
        tasks=("mlp",)),
    Row("S8 clip of each g_k", "clip-per-micro-batch", clip_each(share, 0.1)),
    Row("S8 clip of some g_k", "clip-per-micro-batch", clip_each(share, 0.6), tasks=("mlp",)),
    Row("S8 clip of each element of the running sum", "clip-per-micro-batch", plain(share, after=clip_value(0.01)),
        linear=False),
    Row("S8 decay at each micro-step, in the gradient", "decay-per-micro-step", plain(share, after=decay_each),
        linear=False),
    Row("S8 decay at each micro-step, of the weights", "decay-per-micro-step", plain(share, after=shrink_each),
        linear=False),
    Row("S8 bf16 accumulator", "low-precision-accumulator", low_precision(torch.bfloat16, False), linear=False),
    Row("S8 bf16 accumulator, cast back", "low-precision-accumulator", low_precision(torch.bfloat16, True), linear=False),
    Row("S8 fp16 accumulator, cast back", "low-precision-accumulator", low_precision(torch.float16, True), linear=False),

    Row("not cleared", "gradients-not-cleared", never_cleared, shares, lambda n: shares(n)[:0]),
    Row("not cleared, three windows", "gradients-not-cleared", never_cleared, shares, lambda n: shares(n)[:0], windows=3),
    Row("loss scale kept", "loss-scale", plain(lambda n, k: 1024 * share(n, k)), times(lambda n, k: 1024)),
    Row("loss scale 65536 kept", "loss-scale", plain(lambda n, k: 65536 * share(n, k)), times(lambda n, k: 65536)),

    Row("BatchNorm", "batch-norm", plain(share), shares, exit_code=11, tasks=("batch norm",)),
    Row("dropout from a stream", "dropout-stream", plain(share), shares, exit_code=11, tasks=("dropout",)),
    Row("contrastive loss", "batch-coupled-loss", plain(share), shares, exit_code=11, tasks=("contrastive",)),
]


def expected_weights(row, recording):
    """Weights of the window and of those before; None where the row promises none."""
    if row.weights is None:
        return None, None
    own = [float(weight) for weight in row.weights(recording.units)]
    if row.pattern == "gradients-not-cleared":  # each earlier window as its own optimizer step saw it
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
    print(f"{'right' if not problem else 'WRONG'}  {row.name:52} {task:12} {kind} {seed:2}  {row.pattern or 'equivalent':26} "
          f"{named or 'equivalent':26} {error:8.1e}  {problem}", flush=True)
    if problem and options.keep:
        shutil.copytree(folder, options.keep / f"{row.name}, {task}, {kind}, {seed}".replace("/", "_"), dirs_exist_ok=True)
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
                for dtype in (torch.float64, torch.float32):
                    for seed in range(options.seeds):
                        wrong += not check(row, task, dtype, seed, options, folder)
    print("all are right" if not wrong else f"{wrong} are wrong")
    return min(wrong, 76)


if __name__ == "__main__":
    sys.exit(main())
