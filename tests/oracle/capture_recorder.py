#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""resources/python/accumulus_capture.py itself: it changes nothing of a loop, what it records is right, it says what it
cannot record, and it works in Accelerate, in Lightning and on two ranks under DDP.

Exit code: how many checks failed; 77: Python lacks torch, NumPy or safetensors. A framework that is absent is named.
"""
import argparse
import collections
import inspect
import os
import random
import sys
import tempfile
import textwrap
import traceback
import warnings
from pathlib import Path

from capture_tasks import EQUAL, RAGGED, TASKS, Bench, Capture, CaptureError, Recording, sample_losses  # may skip

import accumulus_capture
import numpy as np
import torch
import torch.nn.functional as functional

# fp64, gradients of about 0.1 in another order of additions (u = 1.1e-16): 1e-12 as for any audit in fp64.
TOLERANCE = 1e-12
CHECKS = []


class Absent(Exception):
    """What this check needs is not there."""


def check(function):
    CHECKS.append(function)
    return function


def verdict(options, folder, pattern, exit_code):
    """Asks the program, where there is one."""
    if not options.cli:
        return
    code, audit = Recording(folder).audit(options.cli)
    assert (audit.get("pattern"), code) == (pattern, exit_code), f"exit {code}: {audit}"


def train(bench):
    for window in bench.windows:
        for batch in window:
            bench.capture.micro(batch)
            (bench.loss(batch) / len(window)).backward()
        bench.capture.accumulated()
        bench.optimizer.step()
        bench.optimizer.zero_grad()
    random_numbers = torch.randn(3), torch.tensor(random.random()), torch.from_numpy(np.random.rand(3))
    return {**bench.model.state_dict(), **{f"random {k}": value for k, value in enumerate(random_numbers)}}


@check
def the_loop_is_bit_for_bit_as_without_it(options, folder):
    for task in TASKS:
        for dtype in (torch.float64, torch.float32):
            results = []
            for record in (True, False):
                random.seed(5)
                np.random.seed(5)
                results.append(train(Bench(task, dtype, seed=3, record=record)))
            for name, value in results[0].items():
                assert torch.equal(value, results[1][name]), (task, dtype, name)


@check
def hooks_modes_and_gradients_are_left_alone(options, folder):
    bench = Bench("batch norm")
    fired = []
    weight = bench.model[0].weight
    weight.register_hook(lambda gradient: fired.append("tensor"))
    weight.register_post_accumulate_grad_hook(lambda parameter: fired.append("accumulated"))
    bench.model[0].bias.requires_grad_(False)
    bench.model[1].eval()
    for batch in bench.windows[0]:
        with torch.no_grad():
            bench.capture.micro(batch)
    bench.capture.accumulated()
    assert not fired and all(gradient is None for gradient in bench.gradients()), fired
    assert not bench.model[1].training and bench.model[0].training
    bench.capture.save(folder)
    recording = Recording(folder)
    assert set(recording.accumulated) == {"0.weight", "1.weight", "1.bias", "3.weight", "3.bias"}, recording.accumulated
    assert not recording.flat(recording.accumulated).any() and recording.flat(recording.reference).any()


@check
def the_reference_is_that_of_the_large_batch(options, folder):
    for task in ("mlp", "text", "batch norm", "contrastive"):
        bench = Bench(task)
        plain = Bench(task, record=False)
        train(bench)
        bench.capture.save(folder, window=0)
        recording = Recording(folder)
        large = [torch.cat(parts) for parts in zip(*plain.windows[0])]
        plain.loss(large).backward()
        for name, parameter in plain.model.named_parameters():
            error = float((recording.reference[name] - parameter.grad).norm() / parameter.grad.norm().clamp(min=1e-6))
            assert error <= TOLERANCE, (task, name, error)
        total = sum(recording.units)
        own = sum(n / total * recording.gradient(k) for k, n in enumerate(recording.units))
        error = np.linalg.norm(own - recording.flat(recording.reference)) / np.linalg.norm(own)
        assert (error <= TOLERANCE) == (task in ("mlp", "text")), (task, error)


@check
def the_example_of_its_documentation_runs(options, folder):
    example = inspect.getdoc(accumulus_capture).split("::\n", 1)[1].split("\n\nThe function given", 1)[0]
    lines = [line for line in textwrap.dedent(example).splitlines() if "apture" in line]
    assert len(lines) == 5, lines
    bench = Bench("mlp", sizes=EQUAL)
    names = {"model": bench.model, "cross_entropy": functional.cross_entropy, "optimizer": bench.optimizer,
             "K": 4, "batches": [batch for window in bench.windows for batch in window],
             "clip_grad_norm_": torch.nn.utils.clip_grad_norm_, "print": lambda command: names.update(command=command)}
    before = os.getcwd()
    os.chdir(folder)
    try:
        exec(textwrap.dedent(example), names)  # noqa: S102: it is what users are told to write
    finally:
        os.chdir(before)
    assert names["command"].startswith("accumulus-cli audit --accumulated gradients/accumulated.safetensors"), names
    assert np.allclose(Recording(Path(folder) / "gradients").fit()[0], 1 / 4, atol=1e-9)
    verdict(options, Path(folder) / "gradients", None, 0)


@check
def batches_of_any_structure_are_joined(options, folder):
    Pair = collections.namedtuple("Pair", "x y")
    shapes = {"dict": lambda x, y: {"x": x, "y": y, "note": ["a"] * len(y)}, "namedtuple": Pair,
              "list": lambda x, y: [x, y], "nested": lambda x, y: ({"x": x}, [y, y], None, 3)}
    pick = {"dict": lambda b: (b["x"], b["y"]), "namedtuple": tuple, "list": tuple,
            "nested": lambda b: (b[0]["x"], b[1][0])}
    for kind, shape in shapes.items():
        bench = Bench("mlp")
        capture = Capture(bench.model, lambda model, batch: sample_losses(model, pick[kind](batch)))
        for x, y in bench.windows[0]:
            capture.micro(shape(x, y))
            x.zero_()  # a loop may reuse its buffers
        capture.accumulated()
        capture.save(folder)
        recording = Recording(folder)
        own = sum(n * recording.gradient(k) for k, n in enumerate(recording.units)) / sum(recording.units)
        assert np.allclose(own, recording.flat(recording.reference), atol=1e-14), kind


@check
def a_micro_batch_without_units_counts_nothing(options, folder):
    bench = Bench("text")
    bench.windows[0][1][1].fill_(-100)
    window = bench.windows[0]
    n = bench.units(window)
    for batch, units in zip(window, n):
        bench.capture.micro(batch)
        if units:
            (bench.loss(batch) * units / sum(n)).backward()
    bench.capture.accumulated()
    bench.capture.save(folder)
    recording = Recording(folder)
    assert recording.units == n and n[1] == 0 and not recording.gradient(1).any(), n
    verdict(options, folder, None, 0)


@check
def it_says_what_it_cannot_record(options, folder):
    bench = Bench("mlp")
    batch = bench.windows[0][0]

    def capture(losses=sample_losses, **options_):
        return Capture(bench.model, losses, **options_)

    def joined(**options_):
        recorder = capture(**options_)
        recorder.micro(batch)
        recorder.micro((batch[0][:, :3].repeat(1, 2)[:1], batch[1][:1]))
        recorder.accumulated()

    def unlike():
        recorder = capture(lambda model, batch: functional.cross_entropy(model(batch[0][:, :6]), batch[1], reduction="none"))
        recorder.micro(batch)
        recorder.micro((torch.cat([batch[0], batch[0]], 1), batch[1]))
        recorder.accumulated()

    def twice():
        recorder = capture()
        recorder.micro(batch)
        with recorder.window():
            pass

    def held():
        recorder = capture()
        recorder.micro(batch)
        recorder.accumulated()
        recorder.save(folder, window=1)

    def unknown():
        recorder = capture()
        recorder.micro(batch)
        recorder.accumulated({"nothing": batch[0]})

    wanted = {
        "not a torch.nn.Module": lambda: Capture(sample_losses, sample_losses),
        "depends on no trainable parameter": lambda: capture(lambda model, batch: batch[0].sum(1)).micro(batch),
        "a tensor of shape []": lambda: capture(lambda model, batch: sample_losses(model, batch).mean()).micro(batch),
        "are not (sum, count)": lambda: capture(lambda model, batch: (sample_losses(model, batch), 3)).micro(batch),
        "is nan": lambda: capture(lambda model, batch: sample_losses(model, batch) * float("nan")).micro(batch),
        "accumulated() without a micro-batch": lambda: capture().accumulated(),
        "no complete window": lambda: capture().save(folder),
        "keep is the number of windows": lambda: capture(keep=0),
        "has 3 units, its micro-batches 4": lambda: joined(join=lambda batches: batches[0]),
        "Give Capture join=": unlike,
        "while another one is open": twice,
        "window 1 is not held": held,
        "no trainable parameter: ['nothing']": unknown,
    }
    for words, action in wanted.items():
        try:
            action()
        except CaptureError as error:
            assert words in str(error), (words, str(error))
        else:
            raise AssertionError(f"nothing said {words!r}")
    joined()


@check
def the_window_with_the_largest_error_is_saved(options, folder):
    bench = Bench("mlp", sizes=EQUAL, windows=3)
    for at, window in enumerate(bench.windows):
        for batch in window:
            bench.capture.micro(batch)
            (bench.loss(batch) / (4 if at != 1 else 1)).backward()
        bench.capture.accumulated()
        bench.optimizer.zero_grad()
    command = bench.capture.save(Path(folder) / "a b")
    assert f"--accumulated '{folder}/a b/accumulated.safetensors'" in command, command
    assert np.allclose(Recording(Path(folder) / "a b").fit()[0], 1, atol=1e-9)
    verdict(options, Path(folder) / "a b", "factor-k", 10)


# --- frameworks -----------------------------------------------------------------------------------------------------

def loader(batches):
    """Batches that are already made."""
    return torch.utils.data.DataLoader(batches, batch_size=None)


def with_accelerate(folder, sizes, remainder, right):
    try:
        from accelerate import Accelerator
    except ImportError as missing:
        raise Absent(f"there is no {missing.name}") from None
    bench = Bench("mlp", sizes=sizes)
    batches = bench.windows[0] + bench.windows[1][:remainder or len(sizes)]
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=len(sizes))
    model, optimizer, batches = accelerator.prepare(bench.model, bench.optimizer, loader(batches))
    capture = Capture(model, sample_losses, steps=len(sizes))
    units = sum(sizes)
    for batch in batches:
        with accelerator.accumulate(model):
            capture.micro(batch)
            loss = functional.cross_entropy(model(batch[0]), batch[1])
            # accelerator.backward divides by K: the documented cure multiplies by it.
            accelerator.backward(loss * len(batch[1]) * len(sizes) / units if right else loss)
            if accelerator.sync_gradients:
                capture.accumulated()
            optimizer.step()
            optimizer.zero_grad()
    capture.save(folder)


@check
def accelerate_by_units_is_right(options, folder):
    with_accelerate(folder, RAGGED, 0, right=True)
    verdict(options, folder, None, 0)
    recording = Recording(folder)
    assert np.allclose(recording.fit()[0], np.array(recording.units) / sum(recording.units), atol=1e-9)


@check
def accelerate_divides_ragged_micro_batches_by_their_number(options, folder):
    with_accelerate(folder, RAGGED, 0, right=False)
    verdict(options, folder, "mean-of-means", 10)
    assert np.allclose(Recording(folder).fit()[0], 1 / 4, atol=1e-9)


@check
def accelerate_divides_a_remainder_by_all_steps(options, folder):
    with_accelerate(folder, EQUAL, 2, right=False)
    verdict(options, folder, "remainder-window", 10)
    assert np.allclose(Recording(folder).fit()[0], [1 / 4] * 2, atol=1e-9)


def with_lightning(folder, sizes, remainder):
    try:
        from lightning import pytorch as lightning
    except ImportError:
        try:
            import pytorch_lightning as lightning
        except ImportError as missing:
            raise Absent(f"there is no {missing.name}") from None
    bench = Bench("mlp", sizes=sizes)

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.network = bench.model

        def training_step(self, batch, batch_idx):
            return functional.cross_entropy(self.network(batch[0]), batch[1])

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.05)

    module = Module()
    capture = Capture(module, lambda module, batch: sample_losses(module.network, batch))
    batches = bench.windows[0] + bench.windows[1][:remainder or len(sizes)]
    trainer = lightning.Trainer(accelerator="cpu", max_epochs=1, accumulate_grad_batches=len(sizes), logger=False,
                                enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
                                gradient_clip_val=0.01, precision="64-true", callbacks=[capture.lightning()],
                                default_root_dir=folder)
    trainer.fit(module, loader(batches))
    capture.save(folder)


@check
def lightning_is_right_with_equal_micro_batches(options, folder):
    with_lightning(folder, EQUAL, 0)
    verdict(options, folder, None, 0)
    assert np.allclose(Recording(folder).fit()[0], 1 / 4, atol=1e-9)


@check
def lightning_divides_ragged_micro_batches_by_their_number(options, folder):
    with_lightning(folder, RAGGED, 0)
    verdict(options, folder, "mean-of-means", 10)
    assert np.allclose(Recording(folder).fit()[0], 1 / 4, atol=1e-9)


@check
def lightning_divides_a_remainder_by_all_steps(options, folder):
    with_lightning(folder, EQUAL, 2)
    verdict(options, folder, "remainder-window", 10)
    assert np.allclose(Recording(folder).fit()[0], [1 / 4] * 2, atol=1e-9)


def rank_of_two(rank, folder, right):
    """Six micro-batches under DDP, three on each rank; gradients meet in the last."""
    distributed = torch.distributed
    distributed.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=2)
    bench = Bench("mlp", sizes=(3, 7, 2, 5, 4, 6))
    model = torch.nn.parallel.DistributedDataParallel(bench.model)
    capture = Capture(model, sample_losses)
    n = bench.units(bench.windows[0])
    units = sum(n) / 2 if right else sum(n[rank::2])
    for k, (x, y) in enumerate(bench.windows[0][rank::2]):
        capture.micro((x, y))
        model.require_backward_grad_sync = k == 2
        (functional.cross_entropy(model(x), y, reduction="sum") / units).backward()
    capture.accumulated()
    capture.save(folder)
    distributed.destroy_process_group()


def on_two_ranks(folder, right):
    if not torch.distributed.is_available() or not torch.distributed.is_gloo_available():
        raise Absent("this torch has no Gloo")
    torch.multiprocessing.spawn(rank_of_two, (folder, right), nprocs=2)
    recording = Recording(folder)
    assert recording.micro["ranks"].tolist() == [0, 1, 0, 1, 0, 1] and recording.units == [3, 7, 2, 5, 4, 6], recording.micro
    return recording


@check
def two_ranks_under_ddp_are_right(options, folder):
    recording = on_two_ranks(folder, right=True)
    assert np.allclose(recording.fit()[0], np.array(recording.units) / sum(recording.units), atol=1e-9)
    verdict(options, folder, None, 0)


@check
def two_ranks_that_divide_by_their_own_units_are_seen(options, folder):
    recording = on_two_ranks(folder, right=False)
    wanted = [n / sum(recording.units[k % 2::2]) / 2 for k, n in enumerate(recording.units)]
    assert np.allclose(recording.fit()[0], wanted, atol=1e-9)
    verdict(options, folder, "rank-normalisation", 10)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--cli", help="accumulus-cli; without it the recordings are only fitted here")
    parser.add_argument("--only", default="", help="checks whose name contains this")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    wrong = 0
    for function in CHECKS:
        if options.only not in function.__name__:
            continue
        with tempfile.TemporaryDirectory(prefix="accumulus-capture-") as folder:
            words = "holds"
            try:
                function(options, folder)
            except Absent as reason:
                words = f"skipped: {reason}"
            except Exception:
                words, wrong = "FAILS", wrong + 1
                traceback.print_exc()
        print(f"{words:8} {function.__name__.replace('_', ' ')}", flush=True)
    print("all hold" if not wrong else f"{wrong} fail")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
