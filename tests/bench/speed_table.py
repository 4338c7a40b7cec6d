#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of SPEED.md, from what compare_frameworks.py --json has written.

    speed_table.py FILE...                  prints a row for each case, model by model
    speed_table.py FILE... --into MEASURED  also keeps their figures in one file, as tests/bench/measured holds them

tests/oracle/bench_figures.py holds SPEED.md and README to the files that are kept.
"""
import argparse
import json
import sys
from pathlib import Path

from framework_cases import CASES, GPT
from framework_rows import CLI, ENGINE

TITLES = {"lenet5": "LeNet-5", "mlp": "perceptron", "char-gpt": "char-gpt", "bert-mini": "bert-mini",
          "resnet18": "ResNet-18 (3x3 stem)", "resnet50": "ResNet-50, 224 pixels"}
HEADER = "| m x K | engine / PyTorch | `accumulus-cli run` / PyTorch | share of the limit | PyTorch's fastest | rounds |\n|---|---|---|---|---|---|"


def belongs(case):
    """Networks from files and larger transformers would have the titles of others."""
    return not CASES[case].file and CASES[case].gpt is GPT


def place(case):
    """Model by model, then by m and K; bf16 behind fp32."""
    known = CASES[case]
    return list(TITLES).index(known.model), known.bf16, known.micro, known.steps


def ratio(row):
    return f"{row['ratio']:.1f} ({row['ratio_lowest']:.1f} to {row['ratio_highest']:.1f})"


def title(case):
    known = CASES[case]
    return f"{TITLES[known.model]}, {known.micro} x {known.steps}" + (", bf16" if known.bf16 else "")


def table_row(case, summary):
    rows = summary["rows"]
    engine = rows[ENGINE]
    fastest = summary["best_pytorch"].removeprefix("PyTorch, ").replace("C library's allocator", "C allocator")
    return f"| {title(case)} | {ratio(engine)} | {ratio(rows[CLI])} | {engine['share_of_limit']:.0%} | {fastest} | {len(engine['rounds'])} |".replace("%", " %")


def table(cases):
    return "\n".join([HEADER, *(table_row(case, cases[case]) for case in sorted(cases, key=place))])


def shortened(value):
    """Four digits are more than the machine repeats."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    return [shortened(part) for part in value] if isinstance(value, list) else value


def merged(files):
    """About the machine, and the figures of all cases, as they are kept. They must be of one machine."""
    about, cases = None, {}
    for file in files:
        content = json.loads(file.read_text())
        about = about or content["about"]
        if differing := [key for key in about if key != "date" and content["about"][key] != about[key]]:
            sys.exit(f"{file}: another {differing[0]} than {files[0]} has")
        cases |= {case: shortened(summary) for case, summary in content["cases"].items() if belongs(case)}
    return about, cases


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--into", type=Path)
    options = parser.parse_args()
    about, cases = merged(options.files)
    if options.into:
        lines = ",\n".join(f"  {json.dumps(case)}: {json.dumps(cases[case])}" for case in sorted(cases, key=place))
        options.into.write_text(f'{{"about": {json.dumps(about)},\n "cases": {{\n{lines}\n }}}}\n')
    print(table(cases))


if __name__ == "__main__":
    main()
