#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples per second and memory with gradient accumulation: Accumulus beside PyTorch, Accelerate and Lightning.

Everything is measured in turn, A B C A B C ..., so that a machine that slows down slows all alike. The first round warms
up and sets how many updates fill a round; it is not counted. The PyTorch loop is tuned: data in memory as uint8, one
gather and normalise per micro-batch, a fused optimizer, gradients set to None. Each Python row runs with 1 and with all
threads in a process of its own that stays alive between rounds, with the allocator preloaded that the engine links; one row
shows PyTorch as it comes. Images are also measured as channels_last, and PyTorch also compiled (torch.compile) and as two
processes (DistributedDataParallel over gloo). Ratios are against the fastest PyTorch row of all,
shares against what the machine could do at most (machine_limits.py), measured in the same rounds. --race measures
a row of PyTorch no further that was a fifth slower than its fastest in each of the first two rounds.

The cases that end in -file train PyTorch's own network as TorchScript (model.name = "file"), beside the built-in one.

Before anything is measured, every row must have as many parameters as the engine and about its first loss.

The rows of accumulus-cli and of the window are whole programs: their speed is read from the library they wrote, as samples
over wall time between the first tenth of the windows (three at least) and the last one, what is recorded and drawn included.

With --device cuda all of it happens on the first GPU, against other peers and with more figures: peer_comparison.py says which.

How a processor without AVX-512 fares is measured on one with it by programs that are configured with -DACCUMULUS_VECTORS=AVX2,
with ONEDNN_MAX_CPU_ISA=AVX2, ATEN_CPU_CAPABILITY=avx2 and MKL_ENABLE_INSTRUCTIONS=AVX2 in the environment.

    compare_frameworks.py --programs build/release --python PYTHON-WITH-TORCH
    compare_frameworks.py --device cuda --programs build/cuda --python PYTHON-WITH-TORCH-AND-CUDA
"""
import argparse
import contextlib
import datetime
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

import peer_comparison
from framework_cases import CASES, CPU_CASES, CUDA_CASES, SOURCE
from framework_rows import (CLI, ENGINE, ENOUGH_SAMPLES, FIRST_LOSS_TOLERANCE, LIMIT, SHOWN, WINDOW, CliRow, EngineRow, LimitRow, PythonRow,
                            WindowRow, cores, linked_allocator, machine, save_module)
from framework_summary import falls_behind, print_window_to_cli, summarise
from peer_rows import PEERS


def rows_of(case, options):
    engine = EngineRow(ENGINE, options, case)
    lanes = {}
    if options.window:  # the same lanes for all, or the choice of each would be compared too
        chosen = engine.figures(engine.updates)
        lanes = {"device.lanes": chosen["lanes"], "device.threads": chosen["threads"]}
        engine.settings |= lanes
    rows = [engine, CliRow(CLI, options, case, **lanes)]
    if options.window:
        rows.append(WindowRow(WINDOW, options, case, **lanes))
    threads = sorted({1, cores()})
    described = CASES[case]
    for framework in described.frameworks:
        if framework in options.frameworks:
            for layout in described.layouts if framework == "torch" else ("default",):
                rows += [PythonRow(options, case, framework, count, layout) for count in threads]
    if "torch" in options.frameworks:
        layout = described.layouts[-1]
        if options.allocator:
            rows += [PythonRow(options, case, "torch", count, plain=True) for count in threads]
        if "compile" in options.executions:
            rows += [PythonRow(options, case, "torch", count, layout, "compile") for count in threads]
        if "ddp" in options.executions:
            rows.append(PythonRow(options, case, "torch", max(1, cores() // 2), layout, "ddp"))
    check_equal(case, engine, [row for row in rows if isinstance(row, PythonRow) and row.available])
    if described.file:  # also the network that is built in
        rows.append(EngineRow("Accumulus, built-in network", options, case.removesuffix("-file")))
    if described.bf16:  # also against fp32
        fp32 = case.removesuffix("-bf16")
        rows += [EngineRow("Accumulus, fp32", options, fp32), PythonRow(options, fp32, "torch", cores(), described.layouts[-1])]
    rows.append(LimitRow(options, case))
    return rows


def check_equal(case, engine, rows):
    ours = engine.figures(3)
    samples = CASES[case].micro * CASES[case].steps
    tolerance = FIRST_LOSS_TOLERANCE * max(1.0, (ENOUGH_SAMPLES / samples) ** 0.5)
    for row in rows:
        theirs = row.ask("about")
        if theirs is None:
            continue
        if theirs["parameters"] != ours["parameters"]:
            sys.exit(f"{case}: {row.name} has {theirs['parameters']} parameters, Accumulus {ours['parameters']}")
        if abs(theirs["first_loss"] - ours["first_loss"]) > tolerance * ours["first_loss"]:
            sys.exit(f"{case}: {row.name} begins with a loss of {theirs['first_loss']:.3f}, Accumulus with {ours['first_loss']:.3f}")


def measure_case(case, options):
    rows = rows_of(case, options)
    results = {row.name: [] for row in rows if row.available}
    for number in range(options.rounds + 1):
        for row in rows:
            if not row.available:
                continue
            speed = row.measure()
            if speed is None:
                del results[row.name]
                continue
            if number > 0:
                results[row.name].append(speed)
            print(f"  {case} round {number}{' (warm-up)' if number == 0 else ''}: {row.name} {speed:,.0f}",
                  file=sys.stderr, flush=True)
        if options.race:
            leave_behind(rows, results)
    for row in rows:
        row.close()
        if not row.available:
            print(f"  {row.name}: not measured ({row.reason})", flush=True)
    summary = summarise(results)
    if LIMIT in results:
        summary["limit"] = next(row for row in rows if row.name == LIMIT).figures()
    return summary


def leave_behind(rows, results):
    for row in [row for row in rows if row.name in results and falls_behind(row.name, results)]:
        row.close()
        rows.remove(row)


def print_table(case, summary, about):
    print(f"\n{about['processor']} ({' '.join(about['instructions'])}), {about['cores']} cores, allocator {about['allocator']}, {about['date']}", end="")
    print(f"\n{case}: samples/s, and ratio to {summary['best_pytorch']} (medians; lowest to highest round)")
    for name, row in summary["rows"].items():
        ratio = f"{row['ratio']:6.2f}  ({row['ratio_lowest']:.2f} to {row['ratio_highest']:.2f})" if "ratio" in row else ""
        share = f"  {row['share_of_limit']:6.1%} of the limit" if "share_of_limit" in row else ""
        print(f"  {name:52} {row['median']:10,.0f}  ({row['lowest']:,.0f} to {row['highest']:,.0f})".ljust(90) + ratio + share)
    if limit := summary.get("limit"):
        print(f"  {limit['binds']} binds: {limit['flops_per_sample'] / 1e6:,.1f} MFLOP a sample, {limit['rates']['flops'] / 1e9:,.0f} "
              f"GFLOP/s, {limit['rates']['bytes'] / 1e9:,.1f} GB/s")
    print_window_to_cli(summary)


def compare_memory(case, options):
    """Bytes of tensors at the peak of a window, weights and optimizer state included."""
    updates = 3
    rows = {}
    for name, lean, lanes in (("Accumulus, lean", "true", 1), ("Accumulus, 1 lane", "false", 1), ("Accumulus, 2 lanes", "false", 2)):
        row = EngineRow(name, options, case, **{"batch.lean": lean, "device.lanes": lanes})
        figures = row.figures(updates)
        rows[name] = figures["peak_bytes"]
    for layout in CASES[case].layouts:
        row = PythonRow(options, case, "torch", cores(), layout)
        if row.available:
            rows[row.name] = row.ask("memory")["peak_bytes"]
        row.close()
    print(f"\n{case}: peak bytes of tensors in {updates} windows (one gradient copy: {4 * figures['parameters'] / 1e6:,.1f} MB)")
    for name, value in rows.items():
        print(f"  {name:32} {value / 1e6:10,.1f} MB")
    return rows


def options_of(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, default=SOURCE / "build/release", help="build tree (bin/, tests/)")
    parser.add_argument("--python", default=sys.executable, help="Python with torch (and accelerate, lightning, torchvision)")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu",
                        help="cuda: the first GPU, where the peers are those of peers.py; exit code 3 without one")
    parser.add_argument("--rounds", type=int, default=7, help="rounds that count, after one that warms up")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of one measurement")
    parser.add_argument("--cases", nargs="+", choices=CASES, help="those of the device unless said otherwise")
    parser.add_argument("--frameworks", nargs="*", choices=SHOWN, default=list(SHOWN))
    parser.add_argument("--executions", nargs="+", choices=("eager", "compile", "ddp"), default=["eager", "compile", "ddp"],
                        help="on the CPU, how PyTorch runs, eager always; each compiled row takes a minute to start")
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=list(PEERS), help="on a GPU, eager always")
    parser.add_argument("--within", type=float, help="on a GPU, seconds for a case; what there is no time for is listed")
    parser.add_argument("--race", action="store_true", help="on the CPU, leave out a row of PyTorch that was a fifth slower than "
                        "its fastest in each of the first two rounds")
    parser.add_argument("--window", action="store_true", help="also train in the window, offscreen, with moving curves")
    parser.add_argument("--memory", action="store_true", help="compare peak memory in place of speed; on a GPU both are told")
    parser.add_argument("--json", type=Path, help="also write every figure to this file, on a GPU timelines beside it")
    options = parser.parse_args(words)
    if options.device == "cuda" and (options.memory or options.race):
        parser.error(f"{'--memory' if options.memory else '--race'} measures on the CPU")
    options.cases = options.cases or (CUDA_CASES if options.device == "cuda" else CPU_CASES)
    return options


def main():
    options = options_of(sys.argv[1:])
    if options.device == "cuda":
        return peer_comparison.compare(options)
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, range(os.cpu_count()))
    options.allocator = linked_allocator(options.programs)
    about = machine() | {"seconds": options.seconds, "date": datetime.date.today().isoformat(),
                         "allocator": Path(options.allocator).name if options.allocator else "of the C library"}
    summaries = {}
    folder = tempfile.TemporaryDirectory(prefix="accumulus-bench-")
    options.module = lambda case: save_module(case, options.python, folder.name)
    for case in options.cases:
        if options.memory:
            summaries[case] = compare_memory(case, options)
        else:
            summaries[case] = measure_case(case, options)
            print_table(case, summaries[case], about)
        if options.json:  # after each case, so that a table of hours may be stopped
            options.json.write_text(json.dumps({"about": about, "cases": summaries}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
