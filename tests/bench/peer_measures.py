# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured of a peer: samples per second, the time that the host needs to issue a window, and memory."""
from __future__ import annotations

import time
from typing import Any

import torch
from framework_cases import Case
from peers import Peer, Setting

WARM_UP_WINDOWS, WARM_UP_SECONDS = 20, 2.0
ISSUED_WINDOWS = 20
MEMORY_WINDOWS = 3
TRIAL_SECONDS = 0.5


def synchronise(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


class DeviceClock:
    """Windows and seconds after the warm-up. Both ends wait for the device, so that all that counts was computed in between."""

    def __init__(self, seconds: float, device: torch.device) -> None:
        self.limit, self.device = seconds, device
        self.issued, self.counted = 0, 0
        self.created = time.perf_counter()
        self.started, self.last = 0.0, 0.0
        self.began_at, self.ended_at = 0.0, 0.0  # seconds since 1970

    def over(self) -> bool:
        """A window was issued."""
        now = time.perf_counter()
        self.issued += 1
        if self.started == 0.0:
            if self.issued >= WARM_UP_WINDOWS or now - self.created >= WARM_UP_SECONDS:
                synchronise(self.device)
                self.started, self.began_at = time.perf_counter(), time.time()
            return False
        self.counted += 1
        if now - self.started < self.limit:
            return False
        synchronise(self.device)
        self.last, self.ended_at = time.perf_counter(), time.time()
        return True

    def samples_per_second(self, batch: int) -> float:
        return self.counted * batch / (self.last - self.started)


class IssueClock:
    """What the host needs to issue a window to a device that is idle: no queue can hold it up."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.began: float | None = None
        self.seconds: list[float] = []

    def over(self) -> bool:
        now = time.perf_counter()
        if self.began is not None:
            self.seconds.append(now - self.began)
        synchronise(self.device)
        self.began = time.perf_counter()
        return len(self.seconds) == ISSUED_WINDOWS

    def median_ms(self) -> float:
        return 1e3 * sorted(self.seconds)[len(self.seconds) // 2]


def speed(peer: Peer, seconds: float) -> dict[str, Any]:
    clock = DeviceClock(seconds, peer.device)
    peer.train(clock.over)
    release(peer.device)
    return {"samples_per_second": clock.samples_per_second(peer.case.micro * peer.case.steps), "windows": clock.counted,
            "began_at": clock.began_at, "ended_at": clock.ended_at}


def host_time(peer: Peer) -> dict[str, Any]:
    clock = IssueClock(peer.device)
    peer.train(clock.over)
    release(peer.device)
    return {"host_ms_per_window": clock.median_ms()}


def memory(peer: Peer) -> dict[str, Any]:
    """Peaks over some windows after the warm-up, in bytes: of tensors, and of what the allocator has taken from the device for them.
    The second includes the pools of captured graphs, of which the first sees only what a capture allocated."""
    if peer.device.type != "cuda":
        raise RuntimeError("memory is measured on a GPU")
    release(peer.device)
    torch.cuda.reset_peak_memory_stats(peer.device)
    windows = iter(range(1, MEMORY_WINDOWS + 1))
    peer.train(lambda: next(windows) == MEMORY_WINDOWS)
    torch.cuda.synchronize(peer.device)
    result = {"peak_allocated_bytes": max(peer.peak_before, torch.cuda.max_memory_allocated(peer.device)),
              "peak_reserved_bytes": torch.cuda.max_memory_reserved(peer.device)}
    release(peer.device)
    return result


def release(device: torch.device) -> None:
    """What the allocator keeps unused goes back to the device: others are measured there in between."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
        torch.cuda.empty_cache()


def faster_layout(case: Case, device: torch.device) -> bool:
    """Whether channels_last is the faster order of memory for the eager loop."""
    speeds = {}
    for channels_last in (False, True):
        peer = Peer(Setting(case, device, channels_last))
        speeds[channels_last] = speed(peer, TRIAL_SECONDS)["samples_per_second"]
        del peer
    return speeds[True] > speeds[False]
