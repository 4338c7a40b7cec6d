# SPDX-License-Identifier: GPL-3.0-or-later
"""compare_frameworks.py --device cuda: Accumulus beside PyTorch, Accelerate and Lightning on the first GPU.

PyTorch trains eager, by torch.compile (default, and mode="reduce-overhead" where the sums of gradients survive it), and by CUDA
graphs made by hand, of a micro-step and of a whole window. All have their data on the device, TF32 off as Accumulus, a fused
optimizer, cuDNN's trials, bf16 by autocast without a scaler, channels_last where the eager loop is faster with it, and read a
window's loss once, after two more windows. Accumulus trains as it comes, which means kernels that repeat their bits, and with
numerics.deterministic off, as the peers.

Every peer has to add up the eager loop's gradients and to take its first updates; Accumulus has as many parameters and about
its first loss. Who does not is named in "not_measured", with the reason. All rows are measured in turn; the JSON form is

    about: device and versions; cases: {CASE: {best_pytorch, micro_batch, steps, layout, asked, rows, not_measured, timelines}}
    asked: names, each of which is in rows or, with the reason, in not_measured
    rows: {NAME: {median, lowest, highest (samples/s), rounds, ratio, ratio_lowest, ratio_highest (to best_pytorch),
                  peak_allocated_bytes, peak_reserved_bytes, host_ms_per_window, power_w or power_note}}
    timelines: {NAME: {file, window_ms, device_busy_share, ...: trace_summary.py} or {not_traced: reason}}
"""
from __future__ import annotations

import datetime
import json
import math
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path
from typing import Any

from framework_cases import CASES
from framework_summary import print_window_to_cli, summarise
from peer_agreement import disagreement, own_disagreement
from peer_power import UNKNOWN, PowerSampler
from peer_rows import (ENGINE, FREE_ENGINE, NO_TIME, PEERS, Failed, GpuCliRow, GpuEngineRow, GpuWindowRow, OwnRow, PeerRow, Span,
                       environment)

NO_GPU = 3
# Shares of options.within: peers are begun until the first is over, rounds until the second, timelines until the third.
STARTS, ROUNDS, TIMELINES = 0.5, 0.8, 0.9
POLICY = {"tf32": False, "cudnn_benchmark": "peers, and Accumulus where it is not deterministic", "loss_read": "once a window"}

Row = PeerRow | OwnRow


class NoGpu(Exception):
    """As the end of a sentence."""


def find_gpu(python: str) -> dict[str, str]:
    """The GPU and the versions that a Python's torch tells."""
    probe = Path(__file__).with_name("peer_probe.py")
    try:
        done = subprocess.run([python, str(probe)], capture_output=True, text=True, env=environment())
    except OSError as problem:
        raise NoGpu(f"{python} cannot be started ({problem.strerror})") from None
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        raise NoGpu(f"{python} ended with exit code {done.returncode}")
    told = json.loads(lines[-1])
    if "problem" in told:
        raise NoGpu(told["problem"])
    return told


class Comparison:
    """One case: its rows, its rounds, and what they tell."""

    def __init__(self, case: str, options: Namespace, power: PowerSampler) -> None:
        self.case, self.options, self.power = case, options, power
        self.begun = time.monotonic()
        self.within = options.within or math.inf
        self.own = [GpuEngineRow(ENGINE, options, case),
                    GpuEngineRow(FREE_ENGINE, options, case, **{"numerics.deterministic": "false"}),
                    GpuCliRow(options, case)]
        if options.window:
            self.own.append(GpuWindowRow(options, case))
        self.peers: list[PeerRow] = []
        self.eager: dict[str, Any] = {}
        self.speeds: dict[str, list[float]] = {}
        self.spans: dict[str, list[Span]] = {}
        self.timelines: dict[str, Any] = {}
        self.left_out: dict[str, str] = {}

    def run(self) -> dict[str, Any]:
        """Raises Failed where Accumulus or the eager loop cannot train, or where they do not train the same."""
        try:
            self.start_peers()
            self.measure()
            self.check_eager()
            for row in self.rows():
                row.tell()
            self.check_eager()
            self.trace_eager()
        finally:
            for peer in self.peers:
                peer.close()
        self.trace_own()
        return self.result()

    def left(self, share: float) -> float:
        """Seconds until that share of the time is over."""
        return self.begun + share * self.within - time.monotonic()

    def rows(self) -> list[Row]:
        return [row for row in (*self.own, *self.peers) if not row.reason]

    def start_peers(self) -> None:
        eager = self.start("eager", "faster", math.inf)
        self.eager = eager.ask("about") or {}
        self.check_eager()
        for peer in self.options.peers:
            if peer == "eager":
                continue
            if self.left(STARTS) <= 0:
                self.left_out[PEERS[peer]] = NO_TIME
                continue
            row = self.start(peer, self.eager["layout"], self.left(STARTS))
            about = row.ask("about", self.left(STARTS))
            wrong = disagreement(about, self.eager, CASES[self.case]) if about else None
            if wrong:
                row.reason = f"does not train the same: {wrong}"

    def check_eager(self) -> None:
        """All are compared with it."""
        eager = self.peers[0]
        if eager.reason:
            raise Failed(f"{self.case}: PyTorch's eager loop cannot train: {eager.reason}")

    def start(self, peer: str, layout: str, time_left: float) -> PeerRow:
        row = PeerRow(self.options, self.case, peer, layout, time_left)
        self.peers.append(row)
        return row

    def measure(self) -> None:
        """Rounds in turn; the first one warms up."""
        for number in range(self.options.rounds + 1):
            began = time.monotonic()
            for row in self.rows():
                self.measure_row(row, number)
            if number == 0:
                self.check_own()
            elif self.left(ROUNDS) < time.monotonic() - began:
                return

    def measure_row(self, row: Row, number: int) -> None:
        told = row.measure()
        if told is None:
            return
        speed, span = told
        if number > 0:
            self.speeds.setdefault(row.name, []).append(speed)
            self.spans.setdefault(row.name, []).append(span)
        say(f"  {self.case} round {number}{' (warm-up)' if number == 0 else ''}: {row.name} {speed:,.0f}")

    def check_own(self) -> None:
        for row in self.own:
            if isinstance(row, GpuEngineRow):
                wrong = own_disagreement(row.measured, self.eager)
                if wrong:
                    raise Failed(f"{self.case}: {row.name} does not train what PyTorch trains: {wrong}")

    def trace_file(self, name: str) -> Path:
        return self.options.json.with_name(f"{self.options.json.stem}.{self.case}.{name}.trace.json")

    def trace_eager(self) -> None:
        eager = self.peers[0]
        if not self.options.json:
            return
        file = self.trace_file("pytorch-eager")
        told = eager.ask(f"trace {file.resolve()}")
        self.timelines[PEERS["eager"]] = {"file": file.name} | told if told else {"not_traced": eager.reason}
        eager.reason = ""  # its figures are there all the same

    def trace_own(self) -> None:
        if not self.options.json:
            return
        file = self.trace_file("accumulus")
        try:
            if self.left(TIMELINES) < 0:
                raise Failed(NO_TIME)
            self.timelines[ENGINE] = {"file": file.name} | self.own[0].trace(file)
        except Failed as reason:
            self.timelines[ENGINE] = {"not_traced": str(reason)}

    def result(self) -> dict[str, Any]:
        measured = {row.name: row for row in self.rows()}
        summary = summarise({name: speeds for name, speeds in self.speeds.items() if name in measured})
        for name, figures in summary["rows"].items():
            keys = ("peak_allocated_bytes", "peak_reserved_bytes", "host_ms_per_window")
            figures |= {key: measured[name].measured[key] for key in keys if key in measured[name].measured}
            watts = self.power.median(self.spans[name])
            figures |= {"power_w": watts} if watts is not None else {"power_note": UNKNOWN}
        case = CASES[self.case]
        asked = [row.name for row in self.own] + [PEERS["eager"], *(PEERS[peer] for peer in self.options.peers if peer != "eager")]
        return summary | {"micro_batch": case.micro, "steps": case.steps, "layout": self.eager["layout"], "asked": asked,
                          "not_measured": self.left_out | {row.name: row.reason for row in self.peers if row.reason},
                          "timelines": self.timelines}


def print_case(case: str, result: dict[str, Any], about: dict[str, Any]) -> None:
    print(f"\n{about['gpu']}, torch {about['torch']}, CUDA {about['cuda']}, cuDNN {about['cudnn']}, TF32 off, {about['date']}")
    print(f"{case}: samples/s and ratio to {result['best_pytorch']} (medians; lowest to highest round); peak of tensors and of "
          "what is reserved, MB; host time of a window, ms; power, W")
    for name, row in result["rows"].items():
        megabytes = [f"{row[key] / 1e6:,.0f}" if key in row else "-" for key in ("peak_allocated_bytes", "peak_reserved_bytes")]
        watts = f"{row['power_w']:.0f}" if "power_w" in row else "-"
        print(f"  {name:42} {row['median']:12,.0f} {row['ratio']:6.2f}  ({row['ratio_lowest']:.2f} to {row['ratio_highest']:.2f})"
              f" {megabytes[0]:>8} {megabytes[1]:>8} {row['host_ms_per_window']:9.3f} {watts:>5}")
    print_window_to_cli(result)
    for name, reason in result["not_measured"].items():
        print(f"  {name}: not measured ({reason})")
    for name, line in result["timelines"].items():
        if "not_traced" in line:
            print(f"  timeline of {name}: none ({line['not_traced']})")
        else:
            print(f"  timeline of {name}: {line['file']}; window {line['window_ms']:.3f} ms, device busy "
                  f"{100 * line['device_busy_share']:.0f} %, {line['gaps']} gaps, the longest {line['longest_gap_ms']:.3f} ms, "
                  f"{line['kernels_per_micro_step']:.0f} kernels a micro-step")
    sys.stdout.flush()


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def compare(options: Namespace) -> int:
    """Exit codes: 0 all cases, 1 Accumulus or the eager loop failed in one, 3 no GPU."""
    try:
        about: dict[str, Any] = find_gpu(options.python)
    except NoGpu as why:
        say(f"compare_frameworks: no GPU to measure on, because {why}. Name a Python whose torch finds the GPU with --python, or "
            "measure on the CPU (--device cpu).")
        return NO_GPU
    about |= {"device": "cuda", "seconds": options.seconds, "date": datetime.date.today().isoformat()} | POLICY
    cases: dict[str, Any] = {}
    failed: list[str] = []
    power = PowerSampler()
    power.start()
    try:
        for case in options.cases:
            try:
                cases[case] = Comparison(case, options, power).run()
            except Failed as reason:
                failed.append(str(reason))
                say(f"compare_frameworks: {reason}")
                continue
            print_case(case, cases[case], about)
            if options.json:
                options.json.write_text(json.dumps({"about": about, "cases": cases}, indent=1) + "\n", encoding="utf-8")
    finally:
        power.stop()
    return int(bool(failed))
