#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights that accumulus-cli trains on four ranks, against PyTorch's DistributedDataParallel on four processes.

Both start from the exported initial weights and take the samples in the order of the file; micro-step k of a window
goes to rank k mod 4. PyTorch's processes accumulate under no_sync(), and gradients meet, by Gloo, in their last
micro-step. DDP averages over ranks, so a loss summed over a micro-batch counts four times, divided by the samples of
the window. After five updates in fp64 every weight has to agree. The windows of 97 give the first rank three
micro-steps, the others two, and end with a smaller one.

Exit code 0: all agree and every planted mistake is seen; 1: not; 77: Python lacks torch, numpy, safetensors or Gloo, or
there is no mpirun or no MPI module.
"""
import argparse
import contextlib
import datetime
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from pytorch_weights import SGD, Cli, Lenet5, adam, read_part, report, sgd  # skips where Python lacks something

import torch
import torch._dynamo  # DDP loads it, which takes seconds: once, before the processes part
import torch.distributed as distributed
import torch.nn.functional as functional
from safetensors.torch import load_file, save_file
from torch.nn.parallel import DistributedDataParallel

RANKS, UPDATES = 4, 5

# The largest absolute difference of a weight. The gradients of both sides agree to about 1e-16 (they are about 0.1, u =
# 1.1e-16). Five updates of SGD amplify that by less than ten. AdamW divides by the gradient's size plus eps = 1e-8, so
# an element that is all but zero moves by up to lr x 1e-16 / 1e-8 = 1e-11 more or less in each. Measured: 3e-17, 2e-15.
TOLERANCE = 1e-10
# The smallest planted mistake measured is 1.2e-3.
MISTAKE_IS_SEEN = 1e-6

OPTIMIZERS = {
    "sgd": (SGD + ["optimizer.weight_decay=0.001"], sgd(weight_decay=0.001)),
    "adamw": (["optimizer.name=adamw", "optimizer.lr=0.001", "optimizer.weight_decay=0.1"],
              adam(torch.optim.AdamW, weight_decay=0.1)),
}
# A recipe is an optimizer, the samples of a window and those of a micro-batch.
EVEN, ADAMW, RAGGED = ("sgd", 128, 8), ("adamw", 128, 8), ("sgd", 97, 11)
# With parallel.mode of accumulus-cli; the result is the same.
CASES = [(EVEN, "ddp"), (ADAMW, "ddp"), (RAGGED, "ddp"), (ADAMW, "zero1"), (RAGGED, "zero2")]

# What a micro-batch's summed loss is multiplied with; `steps` are the micro-steps of this rank.
SCALES = {
    "right": lambda rank, samples, steps, window: RANKS / window,
    "not divided": lambda rank, samples, steps, window: 1 / samples,
    "divided on the first rank only": lambda rank, samples, steps, window: 1 / samples / (1 if rank else steps),
    "mean of means": lambda rank, samples, steps, window: 1 / samples / steps,
    "never synchronised": lambda rank, samples, steps, window: RANKS / window,
}
# Made by PyTorch, compared with the right weights of accumulus-cli; below, the other way round.
MISTAKES = [(EVEN, "not divided"), (EVEN, "divided on the first rank only"), (EVEN, "never synchronised"),
            (ADAMW, "divided on the first rank only"), (RAGGED, "mean of means")]
SETTINGS_MISTAKES = [(EVEN, "sum-of-means"), (RAGGED, "mean-of-means")]


class RankCli(Cli):
    """accumulus-cli, which trains under mpirun."""

    def __init__(self, mpirun, program, folder):
        super().__init__(program, folder)
        self.launcher = Cli(mpirun, folder)

    def train(self, recipe, settings):
        """The run-finished object."""
        optimizer, window, micro = recipe
        # A process that does not find the other ranks refuses batch.devices.
        every = ["model.name=lenet5", "data.dataset=mnist", f"data.train_limit={UPDATES * window}",
                 "data.test_limit=100", "data.shuffle=false", f"batch.effective={window}", f"batch.micro={micro}",
                 f"batch.devices={RANKS}", "batch.ragged=weight", f"train.length={UPDATES} updates",
                 "numerics.precision=fp64", "device.lanes=1", "device.threads=1", "checkpoint.initial=true",
                 "checkpoint.every=0 epochs", "evaluate.every=0 epochs", "study.large_batch=false", "study.seeds=[3]"]
        assignments = [word for setting in every + OPTIMIZERS[optimizer][0] + settings for word in ("--set", setting)]
        output = self.launcher.call("-n", str(RANKS), self.program, "run", "/dev/null", "--json", *assignments)
        lines = [json.loads(line) for line in output.splitlines()]
        finished = [line for line in lines if line["event"] == "run-finished"]
        assert len(finished) == 1, output
        assert finished[0]["micro_steps"] == UPDATES * -(-window // micro), finished
        assert finished[0]["samples"] == UPDATES * window, finished
        return finished[0]


def train_ddp(rank, jobs, initial, mnist, folder):
    """One of the processes of PyTorch; the first leaves weights and speed of every job in `folder`."""
    torch.set_default_dtype(torch.float64)
    distributed.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=RANKS,
                                   timeout=datetime.timedelta(seconds=60))
    images, labels = read_part(mnist, "train", UPDATES * max(window for (_, window, _), _ in jobs), 0)
    for job, (recipe, scaling) in enumerate(jobs):
        optimizer_name, window, micro = recipe
        model = Lenet5(images.shape[-1])
        model.load_state_dict(load_file(initial), strict=True)
        ddp = DistributedDataParallel(model)
        optimizer = OPTIMIZERS[optimizer_name][1](ddp.parameters())
        distributed.barrier()
        began = time.perf_counter()
        for first in range(0, UPDATES * window, window):
            end = first + window
            mine = [slice(begin, min(begin + micro, end)) for begin in range(first, end, micro)][rank::RANKS]
            optimizer.zero_grad(set_to_none=True)
            for part in mine:
                meets = part is mine[-1] and scaling != "never synchronised"
                with contextlib.nullcontext() if meets else ddp.no_sync():
                    loss = functional.cross_entropy(ddp(images[part]), labels[part], reduction="sum")
                    (loss * SCALES[scaling](rank, len(labels[part]), len(mine), window)).backward()
            optimizer.step()
        distributed.barrier()
        speed = UPDATES * window / (time.perf_counter() - began)
        if rank == 0:
            save_file(model.state_dict(), f"{folder}/{job}.safetensors")
            Path(folder, f"{job}.speed").write_text(str(speed))
    distributed.destroy_process_group()


def difference(got, wanted):
    """The largest absolute difference of a weight, with the tensor's name."""
    assert set(got) == set(wanted), (list(got), list(wanted))
    return max((float((got[name] - wanted[name]).abs().max()), name) for name in wanted)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True, help="accumulus-cli")
    parser.add_argument("--mpirun", required=True, help="mpirun; empty where Accumulus is built without MPI")
    parser.add_argument("--mnist", required=True, type=Path, help="folder with MNIST's four IDX files (.gz)")
    options = parser.parse_args()
    module = os.environ.get("ACCUMULUS_MPI_MODULE", str(Path(options.cli).with_name("libaccumulus_mpi.so")))
    if not options.mpirun or not shutil.which(options.mpirun) or not Path(module).exists():
        skip("built without MPI, or there is no mpirun")
    if not distributed.is_available() or not distributed.is_gloo_available():
        skip(f"the torch of {sys.executable} has no Gloo")
    # All processes are here: no name of this machine has to lead anywhere.
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    torch.set_num_threads(1)  # and no pool of threads that a fork would lose
    print(f"PyTorch {torch.__version__}, {RANKS} ranks, {UPDATES} updates")

    good, shown = True, "mistake seen: {}, {} in parts of {}: {}"
    with tempfile.TemporaryDirectory(prefix="accumulus-oracle-") as folder:
        cli = RankCli(options.mpirun, options.cli, folder)
        runs = {case: cli.train(case[0], [f"parallel.mode={case[1]}"]) for case in CASES}
        initial = cli.weights(runs[EVEN, "ddp"]["run"], "initial")
        assert all(tensor.dtype == torch.float64 for tensor in initial.values()), initial

        save_file(initial, f"{folder}/initial.safetensors")
        jobs = [(recipe, "right") for recipe in (EVEN, ADAMW, RAGGED)] + MISTAKES
        arguments = (jobs, f"{folder}/initial.safetensors", options.mnist, folder)
        # Forked, because four imports of torch take far longer than all the training.
        torch.multiprocessing.start_processes(train_ddp, arguments, RANKS, start_method="fork")
        trained = {job: load_file(f"{folder}/{i}.safetensors") for i, job in enumerate(jobs)}
        speeds = {job: float(Path(folder, f"{i}.speed").read_text()) for i, job in enumerate(jobs)}

        last = {case: cli.weights(run["run"], "last") for case, run in runs.items()}
        for (recipe, mode), weights in last.items():
            value, tensor = difference(weights, trained[recipe, "right"])
            name = "{}, {} in parts of {}, {}".format(*recipe, mode)
            good &= report(name, value, TOLERANCE, value <= TOLERANCE, tensor)
        for recipe, mistake in MISTAKES:
            value, tensor = difference(last[recipe, "ddp"], trained[recipe, mistake])
            good &= report(shown.format(*recipe, mistake), value, MISTAKE_IS_SEEN, value > MISTAKE_IS_SEEN, tensor)
        for recipe, mistake in SETTINGS_MISTAKES:
            run = cli.train(recipe, [f"loss.normalise={mistake}"])
            value, tensor = difference(cli.weights(run["run"], "last"), trained[recipe, "right"])
            good &= report(shown.format(*recipe, mistake), value, MISTAKE_IS_SEEN, value > MISTAKE_IS_SEEN, tensor)
        for recipe in (EVEN, ADAMW, RAGGED):
            print(f"samples per second of {', '.join(map(str, recipe))}, warm-up included: "
                  f"{runs[recipe, 'ddp']['samples_per_second']:.0f}, PyTorch {speeds[recipe, 'right']:.0f}")
    print("all agree" if good else "NOT all agree")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
