# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of compare_frameworks.py --device cuda. PeerRow asks a worker (peer_worker.py), the others run Accumulus' programs.

Each row tells samples per second by round, when the timed part of each round began and ended, and its figures:

    peak_allocated_bytes  most bytes of tensors at a time
    peak_reserved_bytes   most bytes that PyTorch's allocator took from the device (peers; Accumulus does not report it)
    host_ms_per_window    peers: what the host needs to issue a window to an idle device; Accumulus: what it needs to issue the
                          micro-steps, by its own record (a window's time less closing and update, which wait for the device)
"""
from __future__ import annotations

import contextlib
import json
import math
import os
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time
from argparse import Namespace
from pathlib import Path
from typing import IO, Any

from framework_rows import CLI, ENGINE, WINDOW, CliRow, EngineRow, ProgramRow, WindowRow
from trace_summary import summary_of_file

DEVICE = "cuda"
PEERS = {"eager": "PyTorch, eager", "graph": "PyTorch, CUDA graph of a micro-step",
         "whole-graph": "PyTorch, CUDA graph of a window", "compile": "PyTorch, compiled",
         "reduce-overhead": "PyTorch, compiled for less overhead", "accelerate": "Accelerate", "lightning": "Lightning"}
FREE_ENGINE = ENGINE + ", not deterministic"
NO_TIME = "no time left"
ON_GPU = {"device.kind": "cuda:0"}
LEAST_UPDATES = 40  # of whose windows the first tenth, which is not counted, holds the captures
BETWEEN_WINDOWS = {"evaluate.every": "0 epochs", "checkpoint.every": "0 epochs"}

Span = tuple[float, float]


def environment() -> dict[str, str]:
    """GPUs are counted as nvidia-smi does."""
    return dict(os.environ, CUDA_DEVICE_ORDER="PCI_BUS_ID", PYTHONWARNINGS="ignore")


class Failed(Exception):
    """A program of Accumulus could not train; the message says why."""


class PeerRow:
    """A worker. Where it cannot go on, `reason` says why and `available` is false."""

    def __init__(self, options: Namespace, case: str, peer: str, layout: str, time_left: float = math.inf,
                 device: str = DEVICE) -> None:
        self.peer, self.name, self.seconds = peer, PEERS[peer], options.seconds
        self.measured: dict[str, Any] = {}
        self.reason = ""
        self._errors: IO[str] = tempfile.TemporaryFile("w+")
        worker = Path(__file__).with_name("peer_worker.py")
        self._process = subprocess.Popen([options.python, str(worker), peer, case, device, layout], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                                         env=environment())
        first = self._line(time_left)
        if first != "ready" and not self.reason:
            self.reason = first.removeprefix("unavailable: ") or self._last_words()

    @property
    def available(self) -> bool:
        return not self.reason

    def ask(self, question: str, time_left: float = math.inf) -> dict[str, Any] | None:
        """None where the worker cannot answer, now and from then on."""
        if not self.available:
            return None
        try:
            self._process.stdin.write(f"{question}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended; what it said last is the reason
        line = self._line(time_left)
        told = json.loads(line) if line.startswith("{") else {"error": self._last_words()}
        if "error" in told:
            self.reason = self.reason or told["error"]
            return None
        return told

    def measure(self) -> tuple[float, Span] | None:
        told = self.ask(str(self.seconds))
        return (told["samples_per_second"], (told["began_at"], told["ended_at"])) if told else None

    def tell(self) -> None:
        """Its figures, after the rounds."""
        for question in ("host", "memory"):
            self.measured |= self.ask(question) or {}

    def close(self) -> None:
        with contextlib.suppress(BrokenPipeError):  # of what an ended worker was asked
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._errors.close()

    def _line(self, time_left: float) -> str:
        """The next line that is the worker's; libraries may print others. Empty when it has ended, as it has to when the seconds are
        over."""
        timer = threading.Timer(max(0.0, time_left), self._cut) if time_left < math.inf else None
        if timer:
            timer.start()
        try:
            for line in self._process.stdout:
                if line.strip() == "ready" or line.startswith(("{", "unavailable: ")):
                    return line.strip()
            return ""
        finally:
            if timer:
                timer.cancel()
                timer.join()

    def _cut(self) -> None:
        self.reason = NO_TIME
        self._process.kill()

    def _last_words(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().strip().splitlines()
        return f"the worker ended with exit code {self._process.returncode}" + (f": {lines[-1][:200]}" if lines else "")


class OwnRow(ProgramRow):
    """A program of Accumulus on the GPU."""

    reason = ""

    def __init__(self, name: str, options: Namespace, case: str, **settings: str) -> None:
        super().__init__(name, options, case, **(ON_GPU | settings))
        self.measured: dict[str, Any] = {}
        self.updates = max(self.updates, LEAST_UPDATES)
        self.span: Span = (0.0, 0.0)

    def measure(self) -> tuple[float, Span]:
        speed = super().measure()
        return speed, self.span

    def tell(self) -> None:
        pass

    def _run(self, command: list[str]) -> str:
        done = subprocess.run(command, capture_output=True, text=True, env=environment())
        if done.returncode:
            words = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise Failed(f"{self.name}: exit code {done.returncode}" + (f": {words[-1]}" if words else ""))
        return done.stdout


class GpuEngineRow(OwnRow, EngineRow):
    """bench_training. Of its windows the first tenth does not count; what follows them ends with the program."""

    def command(self, updates: int, **more: str) -> list[str]:
        return [str(self.programs / "tests/bench_training"), str(updates), *self.words(**more)]

    def figures_of(self, updates: int) -> dict[str, Any]:
        return json.loads(self._run(self.command(updates)))

    def train(self, updates: int) -> float:
        told = self.figures_of(updates)
        ended = time.time()
        windows = told["milliseconds_per_window"]
        self.span = (ended - 1e-3 * windows["all"] * (updates - updates // 10), ended)
        self.measured |= {"peak_allocated_bytes": told["peak_bytes"], "host_ms_per_window": windows["all"] - windows["update"],
                         "parameters": told["parameters"], "first_loss": told["first_loss"]}
        return told["samples_per_second"]


    def trace(self, file: Path) -> dict[str, Any]:
        """Writes the timeline of a window and returns its sums (trace_summary.summary). Raises Failed."""
        count, *words = self.command(LEAST_UPDATES, **{"data.test_limit": "16"})[1:]
        self._run([str(self.programs / "tests/bench_training"), "--trace", str(file), count, *words])
        try:
            return summary_of_file(file, self.case.steps)
        except (OSError, KeyError, ValueError) as problem:
            raise Failed(f"the timeline cannot be read: {problem}") from None


class GpuCliRow(OwnRow, CliRow):
    """accumulus-cli run, by the library that it wrote."""

    def __init__(self, options: Namespace, case: str, name: str = CLI) -> None:
        super().__init__(name, options, case)

    def train(self, updates: int) -> float:
        words = self.words(**BETWEEN_WINDOWS, **{"train.length": f"{updates} updates"})
        with tempfile.TemporaryDirectory(prefix="accumulus-bench-") as folder:
            library = f"{folder}/library.sqlite"
            self._run(self.command(library, words))
            base = sqlite3.connect(library)
            rows = base.execute("SELECT samples, wall_time, seconds, update_seconds, peak_bytes FROM windows "
                                "ORDER BY window").fetchall()
            base.close()
        return self.read(rows)

    def read(self, rows: list[tuple[Any, ...]]) -> float:
        """The first tenth of the windows warms up."""
        counted = rows[len(rows) // 10:]
        first, last = counted[0], counted[-1]
        self.span = (first[1], last[1])
        self.measured |= {"peak_allocated_bytes": last[4],
                         "host_ms_per_window": 1e3 * statistics.median(row[2] - row[3] for row in counted)}
        return (last[0] - first[0]) / (last[1] - first[1])


class GpuWindowRow(GpuCliRow):
    """The same run in the window, offscreen, with moving curves."""

    def __init__(self, options: Namespace, case: str) -> None:
        super().__init__(options, case, WINDOW)

    def command(self, library: str, words: list[str]) -> list[str]:
        return WindowRow.command(self, library, words)
