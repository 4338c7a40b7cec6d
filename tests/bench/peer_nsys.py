# SPDX-License-Identifier: GPL-3.0-or-later
"""A timeline of one window of Accumulus, by NVIDIA's nsys around bench_training, as a file in Chrome's trace format.

Accumulus has no timeline of its own. A window is found by what ends it: the copy that brings its numbers to the host, the only
one of a window. nsys writes SQLite (nanoseconds); graphs are recorded kernel by kernel, which costs some time.
"""
from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from peer_rows import GpuEngineRow, environment
from trace_summary import KERNEL, WINDOW_MARK, summary

UPDATES = 50
LEAST_WINDOWS = 3
TO_HOST = 2  # CUPTI's kind of a copy from the device to the host
SECONDS = 180
TABLES = (("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL), ("CUPTI_ACTIVITY_KIND_MEMCPY", "gpu_memcpy"),
          ("CUPTI_ACTIVITY_KIND_MEMSET", "gpu_memset"))

Event = dict[str, Any]


class NotTraced(Exception):
    """There is no timeline; the message says why."""


def device_events(base: sqlite3.Connection) -> list[Event]:
    """All that the device did, in order, in microseconds. nsys leaves out tables that would be empty."""
    there = {name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    names = dict(base.execute("SELECT id, value FROM StringIds")) if "StringIds" in there else {}
    events = []
    for table, kind in TABLES:
        if table not in there:
            continue
        detail = {KERNEL: "shortName", "gpu_memcpy": "copyKind"}.get(kind, "0")
        for start, end, stream, what in base.execute(f"SELECT start, end, streamId, {detail} FROM {table}"):
            name = names.get(what, str(what)) if kind == KERNEL else kind
            events.append({"ph": "X", "cat": kind, "name": name, "pid": "GPU", "tid": f"stream {stream}", "ts": start / 1e3,
                           "dur": (end - start) / 1e3, "args": {"to_host": kind == "gpu_memcpy" and what == TO_HOST}})
    return sorted(events, key=lambda event: event["ts"])


def one_window(events: list[Event], window_ms: float) -> list[Event]:
    """The window in the middle, with its mark. A window is no shorter than half of what its program says that it takes, so that a
    second copy within a window does not cut it."""
    ends = [event["ts"] + event["dur"] for event in events if event["args"]["to_host"]]
    if len(ends) < LEAST_WINDOWS:
        raise NotTraced(f"nsys saw {len(ends)} copies to the host, fewer than {LEAST_WINDOWS} windows")
    begin = ends[len(ends) // 2 - 1]
    later = [end for end in ends if end - begin >= 500.0 * window_ms]
    if not later:
        raise NotTraced("no window follows the one in the middle")
    end = later[0]
    mark = {"ph": "X", "cat": "user_annotation", "name": WINDOW_MARK, "pid": "GPU", "tid": "windows", "ts": begin,
            "dur": end - begin, "args": {}}
    return [mark, *(event for event in events if begin <= event["ts"] and event["ts"] + event["dur"] <= end)]


def run(command: list[str]) -> str:
    """Standard output. Raises NotTraced."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise NotTraced(f"nsys could not be run: {problem}") from None
    if done.returncode:
        words = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise NotTraced(f"nsys: exit code {done.returncode}" + (f": {words[-1][:200]}" if words else ""))
    return done.stdout


def window_ms(output: str) -> float:
    """What bench_training says that a window took; nsys writes lines of its own around it."""
    lines = [line for line in output.splitlines() if line.startswith("{")]
    if not lines:
        raise NotTraced("bench_training wrote no figures under nsys")
    return float(json.loads(lines[-1])["milliseconds_per_window"]["all"])


def trace(row: GpuEngineRow, file: Path) -> dict[str, Any]:
    """Writes the file and returns its sums (trace_summary.summary). Raises NotTraced."""
    nsys = shutil.which("nsys")
    if not nsys:
        raise NotTraced("nsys is not installed (it comes with the CUDA toolkit), and Accumulus has no timeline of its own")
    with tempfile.TemporaryDirectory(prefix="accumulus-nsys-") as folder:
        recorded = f"{folder}/window"
        told = run([nsys, "profile", "--trace=cuda", "--cuda-graph-trace=node", "--sample=none", "--cpuctxsw=none",
                    "--force-overwrite=true", f"--output={recorded}",
                    *row.command(UPDATES, **{"data.test_limit": "16"})])
        run([nsys, "export", "--type=sqlite", "--force-overwrite=true", f"--output={recorded}.sqlite",
             f"{recorded}.nsys-rep"])
        base = sqlite3.connect(f"{recorded}.sqlite")
        try:
            events = one_window(device_events(base), window_ms(told))
        except sqlite3.Error as problem:
            raise NotTraced(f"what nsys exported cannot be read: {problem}") from None
        finally:
            base.close()
    timeline = {"traceEvents": events}
    file.write_text(json.dumps(timeline) + "\n", encoding="utf-8")
    return summary(timeline, row.case.steps)
