#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples per second with gradient accumulation: Accumulus beside PyTorch, Accelerate and Lightning.

Everything is measured in turn, A B C A B C ..., so that a machine that slows down slows all alike. The first round warms
up and sets how many updates fill a round; it is not counted. The PyTorch loop is tuned: data in memory as uint8, one
gather and normalise per micro-batch, fused SGD, gradients set to None. Each Python row runs with 1 and with 2 threads in
a process of its own that stays alive between rounds; ratios are against the faster of the two plain PyTorch rows.

    compare_frameworks.py --programs build/release --python PYTHON-WITH-TORCH
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
MNIST = SOURCE / "resources/datasets/mnist"
CASES = {"lenet5-32x4": ("lenet5", 32, 4), "mlp-8x4": ("mlp", 8, 4), "mlp-32x4": ("mlp", 32, 4)}
FRAMEWORKS = ("torch", "accelerate", "lightning")
MEAN, DEVIATION, LEARNING_RATE, MOMENTUM = 0.1307, 0.3081, 0.01, 0.9
WARM_UP_WINDOWS = 20


# ---- In the worker: one framework, one thread count. Reads seconds, answers with samples per second. ----


def read_training_set(resize):
    import gzip

    import torch

    def payload(name, header):
        with gzip.open(MNIST / name, "rb") as stream:
            return torch.frombuffer(bytearray(stream.read()[header:]), dtype=torch.uint8)

    images = payload("train-images-idx3-ubyte.gz", 16).view(-1, 1, 28, 28)
    if resize:
        images = torch.nn.functional.interpolate(images.float(), size=(resize, resize), mode="bilinear")
        images = images.round().to(torch.uint8)
    return images, payload("train-labels-idx1-ubyte.gz", 8).long()


def make_model(name):
    from torch import nn

    if name == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(),
                             nn.Linear(512, 10))
    return nn.Sequential(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
                         nn.Linear(84, 10))


class Batches:
    """Micro-batches without end, in a new order each epoch; counts what it gave."""

    def __init__(self, images, labels, micro):
        import torch

        self.images, self.labels, self.micro, self.torch = images, labels, micro, torch

    def __iter__(self):
        scale, shift = 1.0 / (255.0 * DEVIATION), MEAN / DEVIATION
        count = len(self.images)
        while True:
            order = self.torch.randperm(count)
            for first in range(0, count - self.micro + 1, self.micro):
                ids = order[first : first + self.micro]
                yield self.images[ids].float().mul_(scale).sub_(shift), self.labels[ids]


class Clock:
    """Windows and seconds after the warm-up; over() says when the time is up."""

    def __init__(self, seconds):
        self.limit, self.windows, self.started = seconds, 0, 0.0

    def window(self):
        now = time.perf_counter()
        self.windows += 1
        if self.windows == WARM_UP_WINDOWS:
            self.started = now
        self.last = now
        return self.windows > WARM_UP_WINDOWS and now - self.started >= self.limit

    def samples_per_second(self, batch):
        return (self.windows - WARM_UP_WINDOWS) * batch / (self.last - self.started)


def measure_torch(model, batches, steps, seconds):
    import torch
    from torch.nn.functional import cross_entropy

    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=LEARNING_RATE, momentum=MOMENTUM, fused=True)
    clock = Clock(seconds)
    for index, (images, labels) in enumerate(batches):
        (cross_entropy(model(images), labels) / steps).backward()
        if index % steps == steps - 1:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            if clock.window():
                return clock


def measure_accelerate(model, batches, steps, seconds):
    import torch
    from accelerate import Accelerator
    from torch.nn.functional import cross_entropy

    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=steps)
    optimizer = torch.optim.SGD(model.parameters(), lr=LEARNING_RATE, momentum=MOMENTUM, fused=True)
    model, optimizer = accelerator.prepare(model, optimizer)
    model.train()
    clock = Clock(seconds)
    for images, labels in batches:
        with accelerator.accumulate(model):
            accelerator.backward(cross_entropy(model(images), labels))
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        if accelerator.sync_gradients and clock.window():
            return clock


def measure_lightning(model, batches, steps, seconds):
    import logging
    import warnings

    import lightning
    import torch
    from torch.nn.functional import cross_entropy

    warnings.filterwarnings("ignore")
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    clock = Clock(seconds)

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.model = model

        def training_step(self, batch, index):
            images, labels = batch
            return cross_entropy(self.model(images), labels)

        def on_train_batch_end(self, outputs, batch, index):
            if index % steps == steps - 1 and clock.window():
                self.trainer.should_stop = True

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=LEARNING_RATE, momentum=MOMENTUM, fused=True)

    # barebones: no logging, no progress bar, no checkpoints, no summary.
    trainer = lightning.Trainer(accelerator="cpu", barebones=True, max_epochs=1, min_epochs=0, min_steps=None,
                                accumulate_grad_batches=steps)
    trainer.fit(Module(), batches)
    return clock


def work(options):
    import torch

    torch.set_num_threads(options.threads)
    torch.set_num_interop_threads(1)
    torch.set_flush_denormal(True)
    model, micro, steps = CASES[options.case]
    images, labels = read_training_set(32 if model == "lenet5" else 0)
    measure = {"torch": measure_torch, "accelerate": measure_accelerate, "lightning": measure_lightning}[options.worker]
    print("ready", flush=True)
    for line in sys.stdin:
        clock = measure(make_model(model), Batches(images, labels, micro), steps, float(line))
        print(json.dumps({"samples_per_second": clock.samples_per_second(micro * steps)}), flush=True)


# ---- In the parent: rows that are measured in turn. ----


class PythonRow:
    def __init__(self, name, options, case, framework, threads):
        self.name, self.seconds = name, options.seconds
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads), PYTHONWARNINGS="ignore")
        if options.tuned_malloc:
            environment |= {"MALLOC_TRIM_THRESHOLD_": str(512 << 20), "MALLOC_MMAP_THRESHOLD_": str(256 << 20)}
        self.process = subprocess.Popen(
            [options.python, __file__, "--worker", framework, "--case", case, "--threads", str(threads)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.available = self.answer() == "ready"

    def answer(self):
        """The next line that is ours; libraries may print others. Empty when the worker has ended."""
        for line in self.process.stdout:
            if line.strip() == "ready" or line.startswith("{"):
                return line.strip()
        return ""

    def measure(self):
        self.process.stdin.write(f"{self.seconds}\n")
        self.process.stdin.flush()
        return json.loads(self.answer())["samples_per_second"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class ProgramRow:
    """A program that trains a given number of updates; the number is set by the first measurement."""

    def __init__(self, name, options, case):
        self.name, self.seconds, self.available = name, options.seconds, True
        self.model, self.micro, self.steps = CASES[case]
        self.updates = 200

    def measure(self):
        speed = self.train(self.updates)
        self.updates = max(200, round(self.seconds * speed / (self.micro * self.steps)))
        return speed

    def close(self):
        pass


class EngineRow(ProgramRow):
    def __init__(self, options, case):
        super().__init__("Accumulus, engine alone", options, case)
        self.program = options.programs / "tests/bench_training"

    def train(self, updates):
        arguments = [self.program, self.model, self.micro, self.steps, updates]
        done = subprocess.run([str(word) for word in arguments], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["samples_per_second"]


class CliRow(ProgramRow):
    def __init__(self, options, case):
        super().__init__("accumulus-cli run", options, case)
        self.program = options.programs / "bin/accumulus-cli"

    def train(self, updates):
        settings = {"model.name": self.model, "data.resize": 32 if self.model == "lenet5" else 0,
                    "data.test_limit": 1000, "batch.micro": self.micro, "batch.effective": self.micro * self.steps,
                    "optimizer.lr": LEARNING_RATE, "optimizer.momentum": MOMENTUM, "train.length": f"{updates} updates",
                    "evaluate.every": "0 epochs", "checkpoint.every": "0 epochs"}
        with tempfile.TemporaryDirectory(prefix="accumulus-bench-") as folder:
            command = [str(self.program), "run", "/dev/null", "--json", "--library", f"{folder}/library.sqlite"]
            for key, value in settings.items():
                command += ["--set", f"{key}={value}"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        finished = [json.loads(line) for line in done.stdout.splitlines() if '"run-finished"' in line]
        return finished[0]["samples_per_second"]


def measure_case(case, options):
    rows = [EngineRow(options, case), CliRow(options, case)]
    for framework, shown in (("torch", "PyTorch"), ("accelerate", "Accelerate"), ("lightning", "Lightning")):
        for threads in (1, 2):
            if framework in options.frameworks:
                name = f"{shown}, {threads} thread{'s' if threads > 1 else ''}"
                rows.append(PythonRow(name, options, case, framework, threads))
    results = {row.name: [] for row in rows if row.available}
    for number in range(options.rounds + 1):
        for row in rows:
            if not row.available:
                continue
            speed = row.measure()
            if number > 0:
                results[row.name].append(speed)
            print(f"  {case} round {number}{' (warm-up)' if number == 0 else ''}: {row.name} {speed:,.0f}",
                  file=sys.stderr, flush=True)
    for row in rows:
        row.close()
        if not row.available:
            print(f"  {row.name}: not installed", file=sys.stderr)
    return results


def summarise(results):
    """Median, range, and how much faster Accumulus' two rows are than each, by rounds of the same time."""
    medians = {name: statistics.median(speeds) for name, speeds in results.items()}
    plain = [name for name in medians if name.startswith("PyTorch")]
    best = max(plain, key=medians.get) if plain else None
    table = {}
    for name, speeds in results.items():
        table[name] = {"median": medians[name], "lowest": min(speeds), "highest": max(speeds), "rounds": speeds}
        if best:
            ratios = [mine / theirs for mine, theirs in zip(speeds, results[best])]
            table[name] |= {"ratio": statistics.median(ratios), "ratio_lowest": min(ratios), "ratio_highest": max(ratios)}
    return {"best_pytorch": best, "rows": table}


def print_table(case, summary):
    print(f"\n{case}: samples/s, and ratio to {summary['best_pytorch']} (medians; lowest to highest round)")
    for name, row in summary["rows"].items():
        ratio = f"{row['ratio']:6.2f}  ({row['ratio_lowest']:.2f} to {row['ratio_highest']:.2f})" if "ratio" in row else ""
        print(f"  {name:26} {row['median']:10,.0f}  ({row['lowest']:,.0f} to {row['highest']:,.0f})".ljust(64) + ratio)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, default=SOURCE / "build/release", help="build tree (bin/, tests/)")
    parser.add_argument("--python", default=sys.executable, help="Python with torch (and accelerate, lightning)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds that count, after one that warms up")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of one measurement")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--frameworks", nargs="+", choices=FRAMEWORKS, default=list(FRAMEWORKS))
    parser.add_argument("--tuned-malloc", action="store_true", help="raise glibc's trim and mmap thresholds for Python too")
    parser.add_argument("--json", type=Path, help="also write every figure to this file")
    parser.add_argument("--worker", choices=FRAMEWORKS, help=argparse.SUPPRESS)
    parser.add_argument("--case", choices=CASES, help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return work(options)
    summaries = {}
    for case in options.cases:
        summaries[case] = summarise(measure_case(case, options))
        print_table(case, summaries[case])
    if options.json:
        about = {"seconds": options.seconds, "tuned_malloc": options.tuned_malloc, "cores": os.cpu_count()}
        options.json.write_text(json.dumps({"about": about, "cases": summaries}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
