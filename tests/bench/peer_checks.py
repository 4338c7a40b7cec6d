# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of gradients beside eager ones, and the first windows of a peer. peer_agreement.py derives the limits.

A tensor is measured by the larger of its norm and a share of the whole gradient's (0.01; 0.1 in bf16): what cancels is all
rounding.
"""
from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import torch
from peer_agreement import gradient_limit
from peers import Peer, Setting, Unavailable, gradients, same_batches
from torch import Tensor

WINDOWS = 4
TURNS = 4  # inductor's graphs warm up in the first window, are recorded in the second and replayed from then on


def gradient_error(sums: Sequence[Tensor], expected: Sequence[Tensor], bf16: bool) -> float:
    """The largest relative L2 error of a tensor."""
    if len(sums) != len(expected):
        return math.inf
    whole = math.sqrt(sum(float(tensor.double().square().sum()) for tensor in expected))
    floor = (0.1 if bf16 else 0.01) * whole
    errors = []
    for ours, theirs in zip(sums, expected):
        distance = float((ours.double() - theirs.double()).norm())
        errors.append(distance / max(float(theirs.double().norm()), floor, 1e-30))
    return max(errors, default=0.0) if all(map(math.isfinite, errors)) else math.inf


def check_sums(peer: Peer, setting: Setting) -> float:
    """Raises Unavailable where the peer's micro-steps do not add up to what eager ones do. Weights stay as they were, statistics of
    BatchNorm too. The largest error of a tensor is returned."""
    ids = list(itertools.islice(same_batches(setting).ids(), setting.case.steps))
    eager = Peer(setting)
    for part in ids:
        eager.add(part)
    expected = gradients(eager)
    del eager
    kept = [(tensor, tensor.detach().clone()) for tensor in peer.model.buffers()]
    worst, limit = 0.0, gradient_limit(setting.case)
    for turn in range(TURNS):
        try:
            for part in ids:
                peer.add(part)
            worst = max(worst, gradient_error(gradients(peer), expected, setting.case.bf16))
        except torch.OutOfMemoryError:
            raise
        except RuntimeError as error:
            raise Unavailable(f"does not survive accumulation: {first_line(error)}") from None
        if worst > limit:
            raise Unavailable(f"does not survive accumulation: in window {turn + 1} its sum of {setting.case.steps} gradients is "
                              f"{worst:.2g} from the eager one, more than {limit:.2g}")
        peer.clear()
    peer.loss_sum.zero_()
    for tensor, old in kept:
        tensor.copy_(old)
    return worst


def first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return f"{type(error).__name__}: {lines[0][:200]}"


def trajectory(peer: Peer) -> dict[str, Any]:
    """The first windows of a peer that has not trained yet."""
    trained = [parameter for parameter in peer.model.parameters() if parameter.requires_grad]
    before = [parameter.detach().double().cpu() for parameter in trained]
    windows = itertools.count(1)
    peer.train(lambda: next(windows) == WINDOWS)
    peer.reader.finish()
    after = [parameter.detach().double().cpu() for parameter in trained]
    change = math.sqrt(sum(float((new - old).square().sum()) for new, old in zip(after, before)))
    return {"parameters": sum(parameter.numel() for parameter in trained),
            "samples_per_window": peer.case.micro * peer.case.steps, "losses": list(peer.reader.losses)[:WINDOWS],
            "change": change}
