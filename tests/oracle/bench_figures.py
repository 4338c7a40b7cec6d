#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What compare_frameworks.py makes of figures: of a GPU's its JSON form against the reader of packaging/test-gpu.sh, its timelines,
its power, its limits of time, and what it says without a GPU; shares of a limit, the race, and the tables that the documents
show. Needs no torch.

Exit code: how many checks failed.
"""
import contextlib
import copy
import io
import json
import os
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path
from typing import Any

from bench_checks import SOURCE, check, raises, run_checks

import gpu_readers
import peer_comparison
import peer_power
import peer_rows
import speed_table
import trace_summary
from compare_frameworks import options_of
from framework_cases import CASES, CPU_CASES, CUDA_CASES, TABLE_CASES
from framework_rows import LIMIT, WINDOW
from framework_summary import falls_behind, summarise
from peer_agreement import disagreement, gradient_limit, own_disagreement
from peer_comparison import Comparison

CASE = "lenet5-32x4"
EAGER, GRAPH = peer_rows.PEERS["eager"], peer_rows.PEERS["whole-graph"]
SUMS = {"window_ms": 2.5, "device_busy_share": 0.5, "device_idle_ms": 1.25, "gaps": 3, "longest_gap_ms": 0.5,
        "kernels_per_window": 40, "kernels_per_micro_step": 10.0}
ABOUT = {"gpu": "NVIDIA Fake 1", "torch": "2.11.0", "cuda": "13.0", "cudnn": "91000"} | peer_comparison.POLICY
EAGER_ABOUT = {"parameters": 10, "samples_per_window": 128, "losses": [2.3, 2.29], "change": 0.5, "layout": "default"}


class StandIn:
    """A row whose speeds and figures are known."""

    def __init__(self, name: str, speeds: list[float], **measured: Any) -> None:
        self.name, self.speeds, self.measured, self.reason = name, iter(speeds), measured, ""

    def measure(self) -> tuple[float, tuple[float, float]]:
        return next(self.speeds), (10.0, 20.0)

    def tell(self) -> None:
        pass


class Power:
    def __init__(self, watts: float | None) -> None:
        self.watts = watts

    def median(self, spans: list[tuple[float, float]]) -> float | None:
        return self.watts if spans else None


def options(**more: Any) -> Namespace:
    given = {"seconds": 0.1, "programs": Path("/nowhere"), "python": sys.executable, "peers": ["eager", "whole-graph", "compile"],
             "rounds": 2, "within": None, "json": None, "window": False}
    return Namespace(**(given | more))


def comparison(watts: float | None = 150.0) -> Comparison:
    """Of rows that are known; PyTorch's compiled loop is one that does not survive."""
    made = Comparison(CASE, options(), Power(watts))
    memory = {"peak_allocated_bytes": 1000, "peak_reserved_bytes": 2000, "host_ms_per_window": 0.5}
    own = {"peak_allocated_bytes": 900, "host_ms_per_window": 0.25}
    compiled = StandIn(peer_rows.PEERS["compile"], [])
    compiled.reason = "does not survive accumulation: RuntimeError: overwritten"
    made.own = [StandIn(peer_rows.ENGINE, [1.0, 200.0, 260.0], **own), StandIn(peer_rows.FREE_ENGINE, [1.0, 300.0, 300.0], **own),
                StandIn("accumulus-cli run", [1.0, 190.0, 190.0], **own)]
    made.peers = [StandIn(EAGER, [1.0, 50.0, 50.0], **memory), StandIn(GRAPH, [1.0, 100.0, 104.0], **memory), compiled]
    made.eager = EAGER_ABOUT
    made.timelines = {EAGER: {"file": "a.json"} | SUMS, peer_rows.ENGINE: {"not_traced": "no time left"}}
    made.measure()
    return made


def read(report: dict[str, Any], folder: Path) -> tuple[str, str, dict[str, Any]]:
    """As packaging/test-gpu.sh reads it."""
    (folder / "log.json").write_text(json.dumps(report))
    return gpu_readers.read("frameworks", CASE, 0, gpu_readers.Files(folder / "log"))


@check
def rounds_become_medians_and_ratios(folder: Path) -> None:
    result = comparison().result()
    rows = result["rows"]
    assert result["best_pytorch"] == GRAPH and set(rows) == {peer_rows.ENGINE, peer_rows.FREE_ENGINE, "accumulus-cli run", EAGER, GRAPH}
    assert rows[peer_rows.ENGINE]["rounds"] == [200.0, 260.0] and rows[peer_rows.ENGINE]["median"] == 230.0  # without the warm-up
    assert rows[peer_rows.ENGINE]["ratio"] == 2.25 and rows[peer_rows.ENGINE]["ratio_highest"] == 2.5
    assert rows[EAGER]["power_w"] == 150.0 and rows[GRAPH]["peak_reserved_bytes"] == 2000
    assert result["not_measured"] == {"PyTorch, compiled": "does not survive accumulation: RuntimeError: overwritten"}
    assert "power_note" in comparison(None).result()["rows"][EAGER]


@check
def the_reader_takes_the_form_that_is_written(folder: Path) -> None:
    for watts in (150.0, None):
        status, reason, figures = read({"about": ABOUT, "cases": {CASE: comparison(watts).result()}}, folder)
        assert (status, reason) == ("passed", ""), reason
        assert figures[f"{CASE}: {peer_rows.ENGINE}, to the fastest PyTorch"] == 2.25
        assert figures[f"{CASE}: {GRAPH}, peak reserved, bytes"] == 2000


@check
def the_reader_misses_every_figure_that_is_gone(folder: Path) -> None:
    whole = {"about": ABOUT, "cases": {CASE: comparison().result()}}
    told = {"lowest", "highest", "rounds", "ratio_lowest", "ratio_highest"}  # for people; not in the report of the script
    gone = 0
    for name, row in whole["cases"][CASE]["rows"].items():
        for key in set(row) - told:
            if name.lower().startswith("accumulus") and key == "peak_reserved_bytes":
                continue
            for value in ("absent", None, float("nan"), "12"):
                report = copy.deepcopy(whole)
                place = report["cases"][CASE]["rows"][name]
                place.pop(key) if value == "absent" else place.update({key: value})
                status, reason, figures = read(report, folder)
                assert status == "failed" and key in reason and not figures, f"{name}, {key}: {status} {reason}"
                gone += 1
    assert gone == 4 * (3 * 5 + 2 * 6), gone  # own rows tell five figures, peers six


@check
def the_reader_misses_rows_timelines_and_reasons(folder: Path) -> None:
    whole = {"about": ABOUT, "cases": {CASE: comparison().result()}}
    changes = [lambda case: case["rows"].pop(EAGER), lambda case: case["rows"].pop(peer_rows.ENGINE),
               lambda case: case["not_measured"].clear(), lambda case: case["not_measured"].update({"PyTorch, compiled": ""}),
               lambda case: case["timelines"].pop(EAGER), lambda case: case["timelines"].pop(peer_rows.ENGINE),
               lambda case: case["timelines"][peer_rows.ENGINE].clear(),
               lambda case: case["timelines"].update({EAGER: {"not_traced": "no time left"}}),
               *(lambda case, key=key: case["timelines"][EAGER].pop(key) for key in SUMS)]
    for number, change in enumerate(changes):
        report = copy.deepcopy(whole)
        change(report["cases"][CASE])
        assert read(report, folder)[0] == "failed", number
    assert read({"about": ABOUT, "cases": {"another": whole["cases"][CASE]}}, folder)[0] == "failed"
    assert read({"cases": whole["cases"]}, folder)[0] == "failed"


@check
def without_a_gpu_it_ends_with_3_and_says_why(folder: Path) -> None:
    program = SOURCE / "tests/bench/compare_frameworks.py"
    torchless = folder / "python"
    torchless.write_text(f"#!/bin/sh\nexec {sys.executable} -S -E \"$@\"\n")  # neither site-packages nor PYTHONPATH: no torch
    torchless.chmod(0o755)
    for python, words in ((torchless, "cannot import torch"), (folder / "none", "cannot be started"), ("/bin/false", "exit code 1")):
        done = subprocess.run([sys.executable, str(program), "--device", "cuda", "--python", str(python)], capture_output=True,
                              text=True)
        assert done.returncode == 3 and not done.stdout, done
        assert "no GPU to measure on" in done.stderr and words in done.stderr and "--device cpu" in done.stderr, done.stderr


@check
def each_device_has_its_cases(folder: Path) -> None:
    assert options_of([]).cases == CPU_CASES and options_of([]).device == "cpu"
    assert options_of(["--device", "cuda"]).cases == CUDA_CASES
    assert options_of(["--device", "cuda", "--cases", CASE]).cases == [CASE]
    assert set(CPU_CASES) | set(CUDA_CASES) | set(TABLE_CASES) == set(CASES)
    for words in (["--device", "cuda", "--memory"], ["--device", "cuda", "--race"], ["--device", "tpu"]):
        with contextlib.redirect_stderr(io.StringIO()):
            raises(SystemExit, "2", lambda words=words: options_of(words))


@check
def who_trains_something_else_is_named(folder: Path) -> None:
    case, eager = CASES[CASE], EAGER_ABOUT
    assert disagreement(copy.deepcopy(eager), eager, case) is None
    for change, words in (({"parameters": 11}, "11 parameters"), ({"samples_per_window": 64}, "64 samples"),
                          ({"losses": [2.3, 2.2]}, "window 2"), ({"losses": [2.3]}, "1 losses"),
                          ({"losses": [2.3, float("nan")]}, "window 2"), ({"change": 0.125}, "moved the weights by 0.125")):
        assert words in disagreement(eager | change, eager, case), words
    assert own_disagreement({"parameters": 10, "first_loss": 2.4}, eager) is None
    assert "Accumulus 12" in own_disagreement({"parameters": 12, "first_loss": 2.4}, eager)
    assert "loss" in own_disagreement({"parameters": 10, "first_loss": 9.2}, eager)  # a sum over K in place of the mean
    for name in CUDA_CASES:  # a micro-gradient that is missing changes a sum by 1/K at least
        assert gradient_limit(CASES[name]) < 1.0 / CASES[name].steps


def event(category: str, begin: float, end: float, name: str = "k") -> dict[str, Any]:
    return {"ph": "X", "cat": category, "name": name, "ts": begin, "dur": end - begin}


@check
def a_timeline_is_summed_up(folder: Path) -> None:
    mark = trace_summary.WINDOW_MARK
    events = [event("user_annotation", 0.0, 90.0, mark), event("kernel", 20.0, 40.0),  # a window before, not counted
              event("user_annotation", 1000.0, 1100.0, mark), event("gpu_user_annotation", 1010.0, 1400.0, mark),
              event("kernel", 1020.0, 1050.0), event("kernel", 1040.0, 1060.0),  # two streams
              event("kernel", 1060.5, 1080.0), event("gpu_memcpy", 1150.0, 1200.0), event("cpu_op", 1000.0, 1300.0)]
    told = trace_summary.summary({"traceEvents": events}, 2)
    assert told["window_ms"] == 0.2 and told["kernels_per_window"] == 3 and told["kernels_per_micro_step"] == 1.5
    assert abs(told["device_busy_share"] - (40.0 + 19.5 + 50.0) / 200.0) < 1e-12
    assert told["gaps"] == 2 and told["longest_gap_ms"] == 0.07  # before the first and before the copy; 0.5 us is none
    raises(ValueError, "no window", lambda: trace_summary.summary({"traceEvents": events[1:2]}, 2))


@check
def a_timeline_of_accumulus_is_its_own(folder: Path) -> None:
    events = [event("user_annotation", 100.0, 300.0, trace_summary.WINDOW_MARK), event("kernel", 110.0, 160.0)]
    (folder / "tests").mkdir(parents=True)
    program = folder / "tests/bench_training"
    program.write_text(f"#!/bin/sh\n[ \"$1\" = --trace ] || exit 1\necho \"$*\" > '{folder}/words'\ncat > \"$2\" << 'END'\n"
                       + json.dumps({"traceEvents": events}) + "\nEND\n")
    program.chmod(0o755)
    row = peer_rows.GpuEngineRow(peer_rows.ENGINE, options(programs=folder), CASE)
    told = row.trace(folder / "a.trace.json")
    assert told["window_ms"] == 0.2 and told["device_busy_share"] == 0.25 and told["kernels_per_window"] == 1, told
    assert f" {peer_rows.LEAST_UPDATES} " in (folder / "words").read_text() and "device.kind=cuda:0" in (folder / "words").read_text()
    program.write_text("#!/bin/sh\necho '{}' > \"$2\"\n")
    raises(peer_rows.Failed, "cannot be read", lambda: row.trace(folder / "b.trace.json"))
    program.write_text("#!/bin/sh\necho 'No GPU' >&2\nexit 1\n")
    raises(peer_rows.Failed, "No GPU", lambda: row.trace(folder / "c.trace.json"))


@check
def power_is_read_at_the_time_of_a_row(folder: Path) -> None:
    program = folder / "nvidia-smi"
    program.write_text("#!/bin/sh\nprintf '%s' \"$*\" > \"$0.asked\"\nstamp() { date '+%Y/%m/%d %H:%M:%S.000'; }\n"
                       "echo \"$(stamp), 100.0\"\necho \"$(stamp), [N/A]\"\necho \"$(stamp), 300.0\"\necho \"2020/01/01 00:00:00.000, 900.0\"\n"
                       "exec sleep 30\n")
    program.chmod(0o755)
    before, path = time.time() - 2.0, os.environ["PATH"]
    sampler = peer_power.PowerSampler()
    os.environ["PATH"] = f"{folder}:{path}"
    try:
        sampler.start()
        deadline = time.monotonic() + 20.0
        while sampler.median([(0.0, 2e9)]) != 300.0 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert sampler.median([(before, time.time() + 1.0)]) == 200.0  # neither the old one nor the one that is no number
        assert sampler.median([(5.0, 6.0)]) is None
    finally:
        sampler.stop()
        os.environ["PATH"] = path
    assert "power.draw" in (folder / "nvidia-smi.asked").read_text()
    os.environ["PATH"] = str(folder / "nothing")
    try:
        absent = peer_power.PowerSampler()
        absent.start()
        absent.stop()
        assert absent.median([(0.0, 1e12)]) is None
    finally:
        os.environ["PATH"] = path


def worker(folder: Path, text: str) -> Namespace:
    """Options whose Python is a shell script that answers as peer_worker.py does."""
    python = folder / "worker"
    python.write_text("#!/bin/sh\n" + text)
    python.chmod(0o755)
    return options(python=str(python))


@check
def a_worker_is_asked_and_may_give_up(folder: Path) -> None:
    talks = worker(folder, "echo hello from a library\necho ready\nread -r line\n"
                           "echo '{\"samples_per_second\": 5.0, \"began_at\": 1.0, \"ended_at\": 2.0}'\n"
                           "read -r line\necho '{\"error\": \"OutOfMemoryError: too large\"}'\n")
    row = peer_rows.PeerRow(talks, CASE, "eager", "default")
    assert row.available and row.measure() == (5.0, (1.0, 2.0))
    row.tell()
    assert not row.available and row.reason == "OutOfMemoryError: too large" and row.measure() is None
    row.close()
    ends = worker(folder, "echo 'fault of a library' >&2\nexit 9\n")
    row = peer_rows.PeerRow(ends, CASE, "eager", "default")
    assert row.reason == "the worker ended with exit code 9: fault of a library"
    row.close()
    cannot = worker(folder, "echo 'unavailable: there is no lightning'\n")
    row = peer_rows.PeerRow(cannot, CASE, "lightning", "default")
    assert row.reason == "there is no lightning" and row.name == "Lightning"
    row.close()


@check
def a_worker_that_hangs_is_cut(folder: Path) -> None:
    hangs = worker(folder, "exec sleep 60\n")
    begun = time.monotonic()
    row = peer_rows.PeerRow(hangs, CASE, "compile", "default", 0.2)
    row.close()
    assert row.reason == "no time left" and time.monotonic() - begun < 30.0


@check
def rounds_end_in_time(folder: Path) -> None:
    made = comparison()
    made.begun, made.within = time.monotonic() - 90.0, 100.0
    assert made.left(peer_comparison.ROUNDS) < 0.0 < made.left(1.0)
    made.options.rounds, made.speeds = 5, {}
    for row in made.rows():
        row.speeds = iter([1.0, 2.0])
    made.measure()  # a third round would find no speed
    assert made.speeds[EAGER] == [2.0]


@check
def a_recorded_run_tells_its_own_figures(folder: Path) -> None:
    row = peer_rows.GpuCliRow(options(), CASE)
    assert "device.kind=cuda:0" in row.words() and row.name == "accumulus-cli run"
    rows = [(128 * (i + 1), 100.0 + 0.01 * i, 0.010, 0.004 if i else 5.0, 77) for i in range(20)]
    assert abs(row.read(rows) - 12800.0) < 1e-6  # samples over wall time, behind the first tenth
    assert abs(row.measured["host_ms_per_window"] - 6.0) < 1e-9 and row.measured["peak_allocated_bytes"] == 77
    assert row.span == (rows[2][1], rows[-1][1])


@check
def the_window_is_held_against_the_command_line(folder: Path) -> None:
    asked = Comparison(CASE, options(window=True), Power(None))
    row = asked.own[-1]
    assert row.name == WINDOW and not any(row.name == WINDOW for row in Comparison(CASE, options(), Power(None)).own)
    assert row.command("library", ["a=b"]) == ["/nowhere/tests/bench_workbench", "library", "a=b"]
    made = comparison()
    made.own.append(StandIn(WINDOW, [1.0, 171.0, 209.0], peak_allocated_bytes=900, host_ms_per_window=0.25))
    made.speeds = {}
    for other in made.own[:-1] + [peer for peer in made.peers if not peer.reason]:
        other.speeds = iter([1.0, 190.0, 190.0])
    made.measure()
    report = {"about": ABOUT, "cases": {CASE: made.result()}}
    assert [round(share, 6) for share in report["cases"][CASE]["window_to_cli"]] == [0.9, 1.1]
    status, reason, figures = read(report, folder)
    assert status == "passed" and abs(figures[f"{CASE}: the window against the command line"] - 1.0) < 1e-9, reason


@check
def shares_are_of_the_limit_in_the_same_round(folder: Path) -> None:
    summary = summarise({"PyTorch, 1 thread": [10.0, 10.0, 10.0], "Accumulus": [20.0, 20.0, 30.0], LIMIT: [40.0, 80.0, 50.0]})
    rows = summary["rows"]
    assert rows["Accumulus"]["share_of_limit"] == 0.5 and rows["PyTorch, 1 thread"]["share_of_limit"] == 0.2
    assert "share_of_limit" not in rows[LIMIT] and rows[LIMIT]["ratio"] == 5.0
    assert summary["best_pytorch"] == "PyTorch, 1 thread"


@check
def a_row_that_was_slow_twice_leaves_the_race(folder: Path) -> None:
    fast, slow, swings = "PyTorch, 2 threads", "PyTorch, 1 thread", "PyTorch, 2 threads, channels_last"
    first = {fast: [10.0], slow: [7.0], swings: [7.0], "Accumulus": [1.0]}
    second = {fast: [5.0], slow: [3.9], swings: [4.1], "Accumulus": [1.0]}  # the machine is half as fast
    both = {name: first[name] + second[name] for name in first}
    assert [name for name in first if falls_behind(name, first)] == []
    assert [name for name in both if falls_behind(name, both)] == [slow]
    both = {name: speeds if name == slow else speeds + [6.0] for name, speeds in both.items()}
    assert [name for name in both if falls_behind(name, both)] == []
    # Its median may be the highest, from two rounds of a machine that slowed down since: it is not the fastest for that.
    both[slow] = [20.0, 20.0]
    summary = summarise(both)
    assert summary["best_pytorch"] == fast and summary["rows"][slow]["ratio_highest"] == 4.0, summary


def tables(text: str) -> list[list[str]]:
    """The tables of a Markdown text, as lines."""
    found: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.startswith("|"):
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return found


@check
def the_documents_say_what_was_measured(folder: Path) -> None:
    kept = {file.stem: json.loads(file.read_text())["cases"] for file in (SOURCE / "tests/bench/measured").glob("*.json")}
    written = tables((SOURCE / "tests/bench/SPEED.md").read_text())
    for name, cases in kept.items():
        assert speed_table.table(cases).splitlines() in written, name
    cases = kept["intel-avx512"]
    titles = {speed_table.title(case): case for case in cases}
    assert len(titles) == len(cases)
    summary = next(table for table in tables((SOURCE / "README.md").read_text()) if table and "Intel" in table[0])
    column = [cell.strip() for cell in summary[0].split("|")].index("Intel Xeon, AVX-512")
    for line in summary[2:]:
        cells = [cell.strip() for cell in line.split("|")]
        assert cells[column] == f"{cases[titles[cells[1]]]['rows'][speed_table.CLI]['ratio']:.1f}", line


@check
def a_table_goes_model_by_model(folder: Path) -> None:
    row = {"ratio": 2.04, "ratio_lowest": 1.96, "ratio_highest": 3.0, "share_of_limit": 0.256, "rounds": [1.0, 2.0]}
    summary = {"best_pytorch": "PyTorch, 2 threads", "rows": {speed_table.ENGINE: row, speed_table.CLI: row}}
    written = speed_table.table({case: summary for case in ("mlp-32x4", "lenet5-32x4-bf16", "lenet5-128x1", "lenet5-32x4")})
    assert [line.split(" |")[0] for line in written.splitlines()[2:]] == [
        "| LeNet-5, 32 x 4", "| LeNet-5, 128 x 1", "| LeNet-5, 32 x 4, bf16", "| perceptron, 32 x 4"], written
    assert written.endswith("| 2.0 (2.0 to 3.0) | 2.0 (2.0 to 3.0) | 26 % | 2 threads | 2 |"), written
    assert speed_table.shortened({"a": [1.23456, 7, "x"]}) == {"a": [1.235, 7, "x"]}


if __name__ == "__main__":
    sys.exit(run_checks(__doc__))
