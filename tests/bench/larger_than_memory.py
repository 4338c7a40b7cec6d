#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples per second and peak memory of training on a large .npy file, beside the same samples in memory.

Two folders of random samples (3x32x32, float32 or uint8) are written, one of --size GiB and one of 384 MiB, which
Accumulus keeps in memory. `accumulus-cli run` trains on them in turn, A B A B ...; the speed is read from the library it
wrote, as samples over wall time between the first tenth of the windows and the last. Samples are drawn in random order, so
the large file is read here and there. With --cold (needs root) the system's cache is emptied before each run, so that the
large file comes from the disk; without it, whatever the system keeps.

    larger_than_memory.py --programs build/release --folder FOLDER-WITH-ROOM [--size 6] [--models lenet5 resnet18] [--cold]

Needs NumPy only.
"""
import argparse
import contextlib
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy

SAMPLE = (3, 32, 32)
SMALL_BYTES = 384 << 20
TEST_SAMPLES = 100


def write_folder(folder, samples, dtype):
    """Inputs are written in parts: the file may be larger than memory."""
    folder.mkdir(parents=True, exist_ok=True)
    inputs = folder / "inputs.npy"
    generator = numpy.random.default_rng(1)
    if not inputs.exists() or numpy.load(inputs, mmap_mode="r").shape[0] != samples:
        out = numpy.lib.format.open_memmap(inputs, "w+", dtype, (samples, *SAMPLE))
        for first in range(0, samples, 4096):
            part = out[first:first + 4096]
            part[:] = (generator.integers(0, 256, part.shape, numpy.uint8) if dtype == numpy.uint8
                       else generator.standard_normal(part.shape, numpy.float32))
        out.flush()
        del out
    numpy.save(folder / "targets.npy", generator.integers(0, 10, samples, numpy.int64))
    numpy.save(folder / "test_inputs.npy", numpy.zeros((TEST_SAMPLES, *SAMPLE), dtype))
    numpy.save(folder / "test_targets.npy", numpy.arange(TEST_SAMPLES, dtype=numpy.int64) % 10)


def speed(library):
    with sqlite3.connect(library) as rows:
        windows = rows.execute("SELECT samples, wall_time FROM windows WHERE superseded = 0 ORDER BY window").fetchall()
    first, last = windows[len(windows) // 10], windows[-1]
    return (last[0] - first[0]) / (last[1] - first[1])


def peak_bytes(process):
    """Resident so far at most; its children's do not count."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def train(options, folder, model, batch, micro, updates):
    """Samples per second, peak resident bytes of the process."""
    with tempfile.TemporaryDirectory(prefix="accumulus-bench-") as scratch:
        experiment, library = Path(scratch) / "experiment.toml", Path(scratch) / "library.sqlite"
        experiment.write_text(f'[model]\nname = "{model}"\n[data]\ndataset = "tensors"\npath = "{folder}"\n'
                              f'[batch]\neffective = {batch}\nmicro = {micro}\n[train]\nlength = "{updates} updates"\n'
                              '[evaluate]\nevery = "0 epochs"\n[checkpoint]\nevery = "0 epochs"\n[study]\nlarge_batch = false\n')
        if options.cold:
            os.sync()
            Path("/proc/sys/vm/drop_caches").write_text("3")
        peak = 0
        with subprocess.Popen([options.programs / "bin/accumulus-cli", "run", experiment, "--library", library],
                              stdout=subprocess.DEVNULL) as process:
            while process.poll() is None:
                peak = max(peak, peak_bytes(process.pid))
                time.sleep(0.1)
        if process.returncode != 0:
            sys.exit(f"accumulus-cli ended with {process.returncode}")
        return speed(library), peak


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, required=True, help="the build folder")
    parser.add_argument("--folder", type=Path, required=True, help="where the files are written; kept for the next time")
    parser.add_argument("--size", type=float, default=6.0, help="of the large file in GiB")
    parser.add_argument("--dtype", choices=("float32", "uint8"), default="float32")
    parser.add_argument("--models", nargs="+", default=["lenet5", "resnet18"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20.0, help="that a run takes, about")
    parser.add_argument("--cold", action="store_true", help="empty the system's cache before each run")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    dtype = numpy.dtype(options.dtype)
    each = int(numpy.prod(SAMPLE)) * dtype.itemsize
    folders = {"memory": options.folder / f"small-{options.dtype}", "file": options.folder / f"large-{options.dtype}"}
    counts = {"memory": SMALL_BYTES // each, "file": int(options.size * (1 << 30)) // each}
    for name, folder in folders.items():
        write_folder(folder, counts[name], dtype)
    print(f"{counts['file']} samples of {each} bytes, {'cold' if options.cold else 'warm'} cache, {options.rounds} rounds")
    for model in options.models:
        batch, micro = (128, 32) if model == "lenet5" else (32, 8)
        rate, _ = train(options, folders["memory"], model, batch, micro, 40)
        updates = max(40, int(rate * options.seconds / batch))
        speeds, peaks = {name: [] for name in folders}, dict.fromkeys(folders, 0)
        for _ in range(options.rounds):
            for name, folder in folders.items():
                rate, peak = train(options, folder, model, batch, micro, updates)
                speeds[name].append(rate)
                peaks[name] = max(peaks[name], peak)
        ratio = statistics.median(b / a for a, b in zip(speeds["memory"], speeds["file"]))
        for name in folders:
            print(f"{model:9} {name:7} {statistics.median(speeds[name]):9.0f} samples/s ({min(speeds[name]):.0f} to "
                  f"{max(speeds[name]):.0f}), peak memory {peaks[name] / (1 << 20):.0f} MiB")
        print(f"{model:9} file / memory {ratio:.3f}", flush=True)


if __name__ == "__main__":
    main()
