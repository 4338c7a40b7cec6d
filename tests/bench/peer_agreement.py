# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether all train the same thing: limits, and what peer_checks.trajectory told of two peers. Without torch.

The smallest mistake in a window is one micro-gradient of K that is missing or counted twice, which changes the sum by 1/K where
micro-gradients are parallel and by more where they are not. Limits lie at half of that or below: 0.5/K in bf16, whose casts
differ between eager and compiled kernels by about u sqrt(2 L) = 2^-9 sqrt(40) = 0.012 in a network of L = 20 layers, and 0.01 in
fp32, ten times what reductions over n = 2^19 values in L layers can differ, L sqrt(n) 2^-24 = 9e-4. After some updates the
distance that the weights have gone, and each loss on the way, may differ by the same limit.
"""
from __future__ import annotations

from typing import Any

from framework_cases import Case
from framework_rows import FIRST_LOSS_TOLERANCE


def gradient_limit(case: Case) -> float:
    """Relative."""
    return 0.5 / max(2, case.steps) if case.bf16 else 0.01


def near(value: float, expected: float, limit: float) -> bool:
    """False where either is no number."""
    return abs(value - expected) <= limit * abs(expected)


def disagreement(theirs: dict[str, Any], eager: dict[str, Any], case: Case) -> str | None:
    """Why a trajectory is not that of the eager loop, as the end of a sentence; None where it is."""
    for key, unit in (("parameters", "parameters"), ("samples_per_window", "samples in a window")):
        if theirs[key] != eager[key]:
            return f"it has {theirs[key]} {unit}, the eager loop {eager[key]}"
    if len(theirs["losses"]) != len(eager["losses"]):
        return f"it told {len(theirs['losses'])} losses, the eager loop {len(eager['losses'])}"
    limit = gradient_limit(case)
    for number, (loss, expected) in enumerate(zip(theirs["losses"], eager["losses"]), start=1):
        if not near(loss, expected, limit):
            return f"its loss in window {number} is {loss:.5g}, that of the eager loop {expected:.5g}"
    if not near(theirs["change"], eager["change"], limit):
        return f"its updates moved the weights by {theirs['change']:.5g}, those of the eager loop by {eager['change']:.5g}"
    return None


def own_disagreement(ours: dict[str, Any], eager: dict[str, Any]) -> str | None:
    """The same of Accumulus, whose first weights are drawn otherwise."""
    if ours["parameters"] != eager["parameters"]:
        return f"PyTorch has {eager['parameters']} parameters, Accumulus {ours['parameters']}"
    if not near(eager["losses"][0], ours["first_loss"], FIRST_LOSS_TOLERANCE):
        return f"PyTorch begins with a loss of {eager['losses'][0]:.3f}, Accumulus with {ours['first_loss']:.3f}"
    return None
