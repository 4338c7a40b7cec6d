#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""resources/python/accumulus_capture.py itself: it changes nothing of a loop, what it records is right, and it says
what it cannot record.

Exit code: how many checks failed; 77: Python lacks torch, NumPy or safetensors.
"""
import collections
import inspect
import os
import random
import sys
import textwrap
from pathlib import Path

from capture_tasks import (EQUAL, TASKS, Bench, Capture, CaptureError, Recording, check, run_checks, sample_losses,
                           verdict)  # skips where Python lacks something

import accumulus_capture
import numpy as np
import torch
import torch.nn.functional as functional

# fp64, gradients of about 0.1 in another order of additions (u = 1.1e-16): 1e-12 as for any audit in fp64.
TOLERANCE = 1e-12


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
def sparse_gradients_recomputed_activations_and_autocast_are_recorded(options, folder):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.last = torch.nn.Embedding(9, 4, sparse=True), torch.nn.Linear(4, 3)

        def forward(self, x):
            return self.last(torch.utils.checkpoint.checkpoint(torch.tanh, self.words(x), use_reentrant=False))

    for autocast in (False, True):
        model = Net()

        def losses(model, batch):
            with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
                return functional.cross_entropy(model(batch[0]), batch[1], reduction="none")

        capture = Capture(model, losses, precision="bf16" if autocast else None)
        for units in (4, 2, 6):
            batch = torch.randint(9, (units,)), torch.randint(3, (units,))
            capture.micro(batch)
            (losses(model, batch).sum() / 12).backward()
        assert model.words.weight.grad.is_sparse
        capture.accumulated()
        capture.save(folder)
        recording = Recording(folder)
        # fp32, u = 6e-8. Autocast rounds to 8 bits (u = 2^-9) what flows back, here sums over 12, there means.
        limit = 1e-2 if autocast else 1e-5
        assert np.allclose(recording.fit()[0], [1 / 3, 1 / 6, 1 / 2], atol=limit), recording.fit()
        if not autocast:
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
        recorder = capture(lambda model, batch: sample_losses(model, (batch[0][:, :6], batch[1])))
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
def small_errors_are_rounding_only_where_there_are_corners(options, folder):
    """A loss that couples samples a little: in fp32 no larger than what one ReLU on its other side makes."""
    for layer, pattern, code in ((torch.nn.GELU(), "batch-coupled-loss", 10), (torch.nn.ReLU(), None, 0)):
        torch.manual_seed(1)
        model = torch.nn.Sequential(torch.nn.Linear(8, 8), layer, torch.nn.Linear(8, 2))

        def losses(model, batch):
            outputs = model(batch)
            return outputs.square().sum(1) + 1e-3 * outputs.mean(0).square().sum()
        capture = Capture(model, losses)
        for batch in torch.randn(4, 4, 8):
            capture.micro(batch)
            (losses(model, batch).mean() / 4).backward()
        capture.accumulated()
        where = Path(folder) / type(layer).__name__
        capture.save(where)
        verdict(options, where, pattern, code)


@check
def a_right_loop_may_be_asked_after_its_update(options, folder):
    """The weights have changed by then, as they do where an update is made in each micro-step."""
    for sizes in (EQUAL, (4, 3, 5, 2)):
        for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
            bench = Bench("mlp", sizes=sizes, windows=1)
            optimizer = kind(bench.model.parameters(), lr=0.05)
            for batch in bench.windows[0]:
                bench.capture.micro(batch)
                (bench.loss(batch) * len(batch[0]) / sum(len(part[0]) for part in bench.windows[0])).backward()
            optimizer.step()
            bench.capture.accumulated()
            where = Path(folder) / f"{kind.__name__} {len(set(sizes))}"
            bench.capture.save(where)
            verdict(options, where, None, 0)


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


if __name__ == "__main__":
    sys.exit(run_checks(__doc__))
