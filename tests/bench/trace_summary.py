# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of a timeline in Chrome's trace format: how busy the device was in one window, its gaps, its kernels.

Times in the file are microseconds. The window is an annotation named WINDOW_MARK; where the device is at work beyond its end,
the window ends with that.
"""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

WINDOW_MARK = "accumulation window"
KERNEL = "kernel"
ON_DEVICE = (KERNEL, "gpu_memcpy", "gpu_memset")
LEAST_GAP_US = 1.0  # shorter ones lie between any two kernels

Interval = tuple[float, float]


def merged(intervals: list[Interval]) -> list[Interval]:
    """Their union: streams may be at work at the same time."""
    result: list[Interval] = []
    for begin, end in sorted(intervals):
        if result and begin <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((begin, end))
    return result


def gaps(busy: list[Interval], begin: float, end: float) -> list[float]:
    """Lengths of what lies between merged intervals and before and behind them."""
    edges = [begin, *(edge for interval in busy for edge in interval), end]
    lengths = [after - before for before, after in zip(edges[::2], edges[1::2])]
    return [length for length in lengths if length >= LEAST_GAP_US]


def window_of(events: list[dict[str, Any]]) -> Interval:
    """The last window that is marked."""
    marks = [event for event in events if event.get("ph") == "X" and event.get("name") == WINDOW_MARK
             and event.get("cat") == "user_annotation"]
    if not marks:
        raise ValueError("no window is marked in the timeline")
    mark = max(marks, key=lambda event: event["ts"])
    return float(mark["ts"]), float(mark["ts"]) + float(mark["dur"])


def summary(trace: dict[str, Any], steps: int) -> dict[str, Any]:
    """Of the window in a trace; `steps`: its micro-steps, among which the kernels of the update are shared out."""
    events = trace["traceEvents"]
    begin, end = window_of(events)
    device = [(event["cat"], float(event["ts"]), float(event["ts"]) + float(event["dur"])) for event in events
              if event.get("ph") == "X" and event.get("cat") in ON_DEVICE and float(event["ts"]) >= begin]
    end = max([end, *(stop for _, _, stop in device)])
    busy = merged([(start, stop) for _, start, stop in device])
    working = sum(stop - start for start, stop in busy)
    idle = gaps(busy, begin, end)
    kernels = sum(kind == KERNEL for kind, _, _ in device)
    return {"window_ms": (end - begin) / 1e3, "device_busy_share": working / (end - begin),
            "device_idle_ms": (end - begin - working) / 1e3, "gaps": len(idle), "longest_gap_ms": max(idle, default=0.0) / 1e3,
            "kernels_per_window": kernels, "kernels_per_micro_step": kernels / steps}


def summary_of_file(file: Path, steps: int) -> dict[str, Any]:
    return summary(json.loads(file.read_text(encoding="utf-8")), steps)
