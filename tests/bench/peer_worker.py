# SPDX-License-Identifier: GPL-3.0-or-later
"""One peer of compare_frameworks.py --device cuda, in a process of its own that stays alive between rounds.

    peer_worker.py PEER CASE DEVICE LAYOUT

It says "ready", or why it cannot be measured ("unavailable: ..."), then answers each line with one line of JSON: a number of
seconds with samples per second, "about" with its first windows (at once, before it has trained), "host", "memory", and "trace
FILE" with the sums of a timeline; {"error": REASON} where that fails.
"""
from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from framework_cases import CASES
from peer_checks import check_sums, first_line, trajectory
from peer_frameworks import AcceleratePeer, LightningPeer
from peer_measures import faster_layout, host_time, memory, release, speed
from peer_trace import trace
from peers import CompiledPeer, GraphPeer, Peer, ReduceOverheadPeer, Setting, Unavailable, WholeGraphPeer, set_policy

MAKERS: dict[str, Callable[[Setting], Peer]] = {
    "eager": Peer, "compile": CompiledPeer, "reduce-overhead": ReduceOverheadPeer, "graph": GraphPeer,
    "whole-graph": WholeGraphPeer, "accelerate": AcceleratePeer, "lightning": LightningPeer}
CHECKED_SUMS = ("compile", "reduce-overhead", "graph")  # the others have no micro-step to be asked for, or are the reference


def made(name: str, setting: Setting) -> Peer:
    """A peer whose sums are right, at its initial weights. Raises Unavailable."""
    try:
        peer = MAKERS[name](setting)
        if name in CHECKED_SUMS:
            check_sums(peer, setting)
    except ImportError as missing:
        raise Unavailable(f"there is no {missing.name or missing}") from None
    release(setting.device)
    return peer


def answer(peer: Peer, question: str) -> dict[str, Any]:
    word, _, rest = question.partition(" ")
    if word == "about":
        return trajectory(peer) | {"layout": "channels_last" if peer.setting.channels_last else "default"}
    if word == "host":
        return host_time(peer)
    if word == "memory":
        return memory(peer)
    if word == "trace":
        return trace(peer, Path(rest))
    return speed(peer, float(word))


def answer_or_reason(peer: Peer, question: str) -> dict[str, Any]:
    try:
        return answer(peer, question)
    except Exception as error:  # memory that runs out, or a fault of the framework
        return {"error": first_line(error)}


def say(line: str) -> None:
    print(line, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=MAKERS)
    parser.add_argument("case", choices=CASES)
    parser.add_argument("device", choices=("cpu", "cuda"))
    parser.add_argument("layout", choices=("default", "channels_last", "faster"))
    options = parser.parse_args()
    case, device = CASES[options.case], torch.device(options.device)
    try:
        set_policy()
        channels_last = options.layout == "channels_last"
        if options.layout == "faster" and len(case.layouts) > 1:
            channels_last = faster_layout(case, device)
        peer = made(options.peer, Setting(case, device, channels_last))
    except Unavailable as reason:
        say(f"unavailable: {reason}")
        return 0
    except Exception as error:  # of a framework: whatever it cannot do here
        say(f"unavailable: {first_line(error)}")
        return 0
    say("ready")
    for line in sys.stdin:
        say(json.dumps(answer_or_reason(peer, line.strip())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
