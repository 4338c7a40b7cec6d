# SPDX-License-Identifier: GPL-3.0-or-later
"""What the GPU draws while it trains: nvidia-smi beside the measurements, read at their times."""
from __future__ import annotations

import datetime
import os
import statistics
import subprocess
import threading

EVERY_MS = 100
UNKNOWN = "nvidia-smi tells no power of this GPU"


def first_gpu() -> str:
    """As nvidia-smi numbers or names it."""
    return os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0].strip() or "0"


def sample_of(line: str) -> tuple[float, float] | None:
    """Seconds since 1970 and watts of "2026/11/24 01:02:03.456, 312.40"; None where the driver has no number."""
    stamp, _, watts = line.partition(",")
    try:
        return datetime.datetime.strptime(stamp.strip(), "%Y/%m/%d %H:%M:%S.%f").timestamp(), float(watts)
    except ValueError:
        return None


class PowerSampler:
    """Samples from start() to stop(); a thread of its own reads them. Without nvidia-smi there are none."""

    def __init__(self) -> None:
        self._samples: list[tuple[float, float]] = []
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        command = ["nvidia-smi", "-i", first_gpu(), "--query-gpu=timestamp,power.draw", "--format=csv,noheader,nounits",
                   "-lms", str(EVERY_MS)]
        try:
            self._process = subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        except OSError:
            return
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        if self._process:
            self._process.terminate()
            self._thread.join()
            self._process.wait()
            self._process.stdout.close()

    def median(self, spans: list[tuple[float, float]]) -> float | None:
        """Watts while any of these spans lasted, as seconds since 1970; None where there is no sample."""
        samples = self._samples.copy()
        found = [watts for at, watts in samples if any(begin <= at <= end for begin, end in spans)]
        return statistics.median(found) if found else None

    def _read(self) -> None:
        for line in self._process.stdout:
            sample = sample_of(line)
            if sample:
                self._samples.append(sample)
