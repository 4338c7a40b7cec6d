#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The peers of compare_frameworks.py --device cuda on the CPU: that they train the same, that a loop which does not is named, and
what their workers answer. A CUDA graph is the function itself here; what only a GPU does is tried by packaging/test-gpu.sh.

Exit code: how many checks failed; 77: Python lacks torch.
"""
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench_checks import SOURCE, Absent, check, raises, run_checks

try:
    import torch
except ImportError:
    print("skipped: this Python has no torch")
    sys.exit(77)

import peer_measures
import trace_summary
from framework_cases import CASES, CUDA_CASES, Case, make_batches
from peer_agreement import disagreement, gradient_limit
from peer_checks import WINDOWS, check_sums, gradient_error, trajectory
from peer_trace import trace
from peer_worker import MAKERS, answer_or_reason, made
from peers import GraphPeer, Peer, Setting, Unavailable, WholeGraphPeer, gradients, same_batches, set_policy

CPU = torch.device("cpu")
SMALL_GPT = {"layers": 2, "heads": 2, "width": 16, "block": 8}
PLAIN = Setting(Case("lenet5", 8, 4), CPU)
BF16 = Setting(Case("lenet5", 8, 4, bf16=True), CPU)
ADAM = Setting(Case("char-gpt", 4, 3, gpt=SMALL_GPT), CPU)


@check
def graphs_by_hand_train_as_the_eager_loop(folder: Path) -> None:
    """Also from the same first weights: the windows that warm up are taken back."""
    for setting in (PLAIN, ADAM, BF16):
        eager = trajectory(Peer(setting))
        assert len(eager["losses"]) == WINDOWS and eager["samples_per_window"] == setting.case.micro * setting.case.steps
        assert eager["change"] > 0.0
        for kind in (GraphPeer, WholeGraphPeer):
            theirs = trajectory(kind(setting))
            assert disagreement(theirs, eager, setting.case) is None, disagreement(theirs, eager, setting.case)
            # The same kernels in the same order: the losses of both are the same bits but for gradients that begin at zero.
            assert all(abs(a - b) < 1e-5 for a, b in zip(theirs["losses"], eager["losses"])), (kind, theirs, eager)


@check
def micro_steps_add_up_to_the_eager_sum(folder: Path) -> None:
    for setting in (PLAIN, ADAM):
        peer = GraphPeer(setting)
        before = [parameter.detach().clone() for parameter in peer.model.parameters()]
        assert check_sums(peer, setting) < 1e-5  # sums of K gradients, in fp32: some rounding units of 6e-8 times K
        assert all(torch.equal(old, new) for old, new in zip(before, peer.model.parameters()))
        assert all(float(gradient.abs().max()) == 0.0 for gradient in gradients(peer)) and float(peer.loss_sum) == 0.0


class Overwriting(Peer):
    """What inductor's graphs did: the first gradient is taken without a copy, the next one lies in the same place."""

    def add(self, ids: torch.Tensor) -> None:
        self.clear()
        super().add(ids)


class Throwing(Peer):
    def add(self, ids: torch.Tensor) -> None:
        raise RuntimeError("Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run.\nStack")


class Undivided(Peer):
    def loss_of(self, ids: torch.Tensor) -> torch.Tensor:
        return super().loss_of(ids) * self.case.steps


class Forgetful(Peer):
    """It makes no update."""

    def window(self) -> None:
        for _ in range(self.case.steps):
            self.add(next(self.order))
        self.clear()
        self.close()


class Shuffled(Peer):
    """Trains other samples."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        for _ in range(100):
            next(self.order)


@check
def a_loop_that_adds_up_wrongly_is_named(folder: Path) -> None:
    for setting in (PLAIN, BF16):
        for kind, words in ((Overwriting, "does not survive accumulation: in window 1"), (Throwing, "overwritten by a subsequent run."),
                            (Undivided, "does not survive")):
            raises(Unavailable, words, lambda kind=kind, setting=setting: check_sums(kind(setting), setting))


@check
def a_loop_that_trains_something_else_is_named(folder: Path) -> None:
    eager = trajectory(Peer(PLAIN))
    for kind in (Overwriting, Undivided, Forgetful, Shuffled):
        assert disagreement(trajectory(kind(PLAIN)), eager, PLAIN.case), kind
    wider = Setting(Case("mlp", 8, 4), CPU)
    assert "parameters" in disagreement(trajectory(Peer(wider)), eager, PLAIN.case)


@check
def errors_of_sums_are_seen(folder: Path) -> None:
    expected = [torch.ones(4), torch.tensor([1e-9, 0.0])]
    assert gradient_error([torch.ones(4), torch.zeros(2)], expected, False) < 1e-6  # what cancels is rounding
    assert abs(gradient_error([torch.full((4,), 0.75), expected[1]], expected, False) - 0.25) < 1e-6
    assert gradient_error([torch.full((4,), 0.75), expected[1]], expected, True) > gradient_limit(BF16.case)
    assert gradient_error([torch.tensor([1.0, 1.0, 1.0, float("nan")]), expected[1]], expected, False) == float("inf")
    assert gradient_error(expected[:1], expected, False) == float("inf")


@check
def all_draw_the_same_samples(folder: Path) -> None:
    for setting in (PLAIN, ADAM):
        first, second = same_batches(setting), same_batches(setting)
        for _, ours, theirs in zip(range(5), first.ids(), second.ids()):
            assert torch.equal(ours, theirs) and len(ours) == setting.case.micro
        inputs, targets = first.gather(torch.arange(setting.case.micro))
        again, _ = next(iter(make_batches(setting.case, False)))
        assert inputs.shape == again.shape and len(targets) == inputs.numel() // (1024 if setting is PLAIN else 1)


@check
def clocks_count_what_lies_between_their_ends(folder: Path) -> None:
    peer = Peer(PLAIN)
    told = peer_measures.speed(peer, 0.05)
    assert told["windows"] >= 1 and told["ended_at"] - told["began_at"] >= 0.05 and told["samples_per_second"] > 0.0
    seconds = told["windows"] * PLAIN.case.micro * PLAIN.case.steps / told["samples_per_second"]
    assert seconds >= 0.05 and abs(seconds - (told["ended_at"] - told["began_at"])) < 0.05  # two clocks of the system
    clock = peer_measures.IssueClock(CPU)
    peer.train(clock.over)
    assert len(clock.seconds) == peer_measures.ISSUED_WINDOWS and clock.median_ms() > 0.0


@check
def a_timeline_of_a_window_is_written(folder: Path) -> None:
    file = folder / "a window.trace.json"
    told = trace(Peer(PLAIN), file)
    events = json.loads(file.read_text())["traceEvents"]
    assert sum(event.get("name") == trace_summary.WINDOW_MARK and event.get("cat") == "user_annotation" for event in events) == 1
    backward = sum("ConvolutionBackward" in event.get("name", "") and event["name"].startswith("autograd") for event in events)
    assert backward == 2 * PLAIN.case.steps, backward  # two convolutions, once a micro-step
    assert told["window_ms"] > 0.0 and told["kernels_per_window"] == 0 and told["device_busy_share"] == 0.0  # no device here


@check
def accelerate_trains_as_the_eager_loop(folder: Path) -> None:
    framework("accelerate")


@check
def lightning_trains_as_the_eager_loop(folder: Path) -> None:
    framework("lightning")


def framework(name: str) -> None:
    try:
        __import__(name)
    except ImportError as missing:
        raises(Unavailable, f"there is no {name}", lambda: made(name, PLAIN))
        raise Absent(f"there is no {missing.name}") from None
    for setting in (PLAIN, ADAM):
        theirs, eager = trajectory(made(name, setting)), trajectory(Peer(setting))
        assert disagreement(theirs, eager, setting.case) is None, disagreement(theirs, eager, setting.case)


@check
def a_worker_answers(folder: Path) -> None:
    worker = SOURCE / "tests/bench/peer_worker.py"

    def asked(*words: str, questions: str = "") -> list[str]:
        done = subprocess.run([sys.executable, str(worker), *words], input=questions, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    file = folder / "a.json"
    ready, about, speed, host, traced, memory = asked("eager", "lenet5-32x4", "cpu", "faster",
                                                      questions=f"about\n0.05\nhost\ntrace {file}\nmemory\n")
    assert ready == "ready"
    told: dict[str, Any] = json.loads(about)
    assert told["parameters"] == 61706 and told["samples_per_window"] == 128 and told["layout"] == "default"
    assert 2.0 < told["losses"][0] < 2.6  # near ln 10
    assert json.loads(speed)["samples_per_second"] > 0.0 and json.loads(host)["host_ms_per_window"] > 0.0
    assert json.loads(traced)["window_ms"] > 0.0 and file.exists()
    assert "on a GPU" in json.loads(memory)["error"]  # and it lives on
    if not torch.cuda.is_available():
        (line,) = asked("eager", "lenet5-32x4", "cuda", "default")
        assert line.startswith("unavailable: "), line


@check
def every_peer_has_a_maker(folder: Path) -> None:
    import peer_rows

    assert set(MAKERS) == set(peer_rows.PEERS)
    assert "error" in answer_or_reason(Peer(PLAIN), "nonsense")
    assert all(CASES[name].model in ("lenet5", "resnet18", "char-gpt") for name in CUDA_CASES)


if __name__ == "__main__":
    torch.set_num_threads(1)
    set_policy()
    sys.exit(run_checks(__doc__))
