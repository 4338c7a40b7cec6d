#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How samples per second and memory of the engine grow with the micro-batch m, the accumulation steps K and the lanes.

Speeds are medians of interleaved rounds, memory the highest peak; prints a Markdown table.

    growth_table.py --programs build/release --case lenet5-32x4 --micro 8 32 128 --steps 1 4 16 --lanes 1 2
"""
import argparse
import itertools
import os
import statistics
import sys
from pathlib import Path

from framework_cases import CASES, SOURCE
from framework_rows import EngineRow


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, default=SOURCE / "build/release", help="build tree (bin/, tests/)")
    parser.add_argument("--case", choices=[name for name, case in CASES.items() if not case.file], default="lenet5-32x4")
    parser.add_argument("--micro", nargs="+", type=int, required=True)
    parser.add_argument("--steps", nargs="+", type=int, required=True)
    parser.add_argument("--lanes", nargs="+", type=int, default=[1, os.cpu_count()])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    cells = {}
    for micro, steps, lanes in itertools.product(options.micro, options.steps, options.lanes):
        if lanes > steps:
            continue
        row = EngineRow("", options, options.case, **{"batch.micro": micro, "batch.effective": micro * steps,
                                                      "device.lanes": lanes, "data.drop_last": "true"})
        row.batch = micro * steps
        cells[micro, steps, lanes] = (row, [], [])
    for number in range(options.rounds + 1):
        for row, speeds, peaks in cells.values():
            figures = row.figures(row.updates)
            row.updates = max(3, round(options.seconds * figures["samples_per_second"] / row.batch))
            if number > 0:
                speeds.append(figures["samples_per_second"])
                peaks.append(figures["peak_bytes"])
        print(f"round {number} of {options.rounds}", file=sys.stderr, flush=True)
    print("| m | K | lanes x threads | samples/s | tensors at the peak, MB |\n|---|---|---|---|---|")
    for (micro, steps, lanes), (_, speeds, peaks) in cells.items():
        threads = max(1, os.cpu_count() // lanes)
        print(f"| {micro} | {steps} | {lanes} x {threads} | {statistics.median(speeds):,.0f} | {max(peaks) / 1e6:,.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
