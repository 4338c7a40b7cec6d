#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The limits of tests/bench/machine_limits.py: FLOPs against a count by hand, which of the two binds, and rates that are
those of this machine.

Exit code: how many checks failed; 77 without torch.
"""
import sys
from pathlib import Path

from bench_checks import check, run_checks

try:
    import torch
except ImportError:
    print("skipped: this Python has no torch")
    sys.exit(77)

import machine_limits
from framework_cases import CASES
from machine_limits import limit_of, measure_rates, work_of


def flops_of_layers(first: int, *others: int) -> int:
    """Multiply-adds count two. Backward: the weights' gradients, and the inputs' of all but the first layer."""
    return 2 * (2 * first + 3 * sum(others))


@check
def the_flops_of_a_perceptron(folder: Path) -> None:
    work = work_of(CASES["mlp-32x4"])
    assert work["flops"] == 128 * flops_of_layers(784 * 512, 512 * 512, 512 * 10)
    parameters = 784 * 512 + 512 + 512 * 512 + 512 + 512 * 10 + 10
    assert work["in_use"] > 3 * 4 * parameters  # weights, gradients, momentum, and what is saved
    assert work["bytes"] > 16 * 4 * parameters + parameters * machine_limits.UPDATED["sgd"]


@check
def the_flops_of_convolutions(folder: Path) -> None:
    by_hand = 128 * flops_of_layers(28 * 28 * 6 * 25, 10 * 10 * 16 * 6 * 25, 400 * 120, 120 * 84, 84 * 10)
    assert work_of(CASES["lenet5-32x4"])["flops"] == by_hand


@check
def the_flops_of_a_transformer(folder: Path) -> None:
    case = CASES["char-gpt-4x4"]
    width, block, layers = (case.gpt[key] for key in ("width", "block", "layers"))
    products = layers * (12 * width * width + 2 * block * width) + 65 * width  # multiply-adds of a character
    by_hand = 2 * 3 * products * block * case.micro * case.steps
    assert work_of(case)["flops"] == by_hand, (work_of(case)["flops"], by_hand)


@check
def the_slower_of_both_binds(folder: Path) -> None:
    work = {"flops": 100.0, "bytes": 50.0, "in_use": 10}
    rates = {"flops": 10.0, "bytes": 1.0}
    assert limit_of(work, rates, 100, cache=9) == (2.0, "memory")
    assert limit_of(work, rates, 100, cache=10) == (10.0, "arithmetic")  # all of it stays in the cache
    assert limit_of(work | {"flops": 1000.0}, rates, 100, cache=9) == (1.0, "arithmetic")


@check
def rates_are_those_of_a_processor(folder: Path) -> None:
    rates = measure_rates(bf16=False)
    assert 1e9 < rates["flops"] < 1e13, rates
    assert 1e8 < rates["bytes"] < 1e13, rates
    assert 0 <= machine_limits.last_cache() < 1 << 34


if __name__ == "__main__":
    torch.set_num_threads(1)
    sys.exit(run_checks(__doc__))
