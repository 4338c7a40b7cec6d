# SPDX-License-Identifier: GPL-3.0-or-later
"""A timeline of one window of a peer, by torch.profiler, as a file in Chrome's trace format (chrome://tracing, Perfetto)."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from peer_measures import release, synchronise
from peers import Peer
from trace_summary import WINDOW_MARK, summary_of_file

WARM_UP_WINDOWS = 2


def trace(peer: Peer, file: Path) -> dict[str, Any]:
    """Writes the file and returns its sums (trace_summary.summary)."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    if peer.device.type == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    synchronise(peer.device)
    with torch.profiler.profile(activities=activities,
                                schedule=torch.profiler.schedule(wait=0, warmup=WARM_UP_WINDOWS, active=1, repeat=1),
                                on_trace_ready=lambda profile: profile.export_chrome_trace(str(file))) as profile:
        for _ in range(WARM_UP_WINDOWS + 1):
            with torch.profiler.record_function(WINDOW_MARK):
                peer.window()
            synchronise(peer.device)
            profile.step()
    release(peer.device)
    return summary_of_file(file, peer.case.steps)
