# SPDX-License-Identifier: GPL-3.0-or-later
"""The other side of compare_frameworks.py: training loops of PyTorch, Accelerate and Lightning, tuned as far as they allow.

As a program it is a worker: one framework, one thread count, one layout, one way to execute. It reads seconds and answers
with samples per second; "about" is answered with the number of parameters and the loss of the first window, "memory" with
the highest number of bytes that tensors took in three windows, "work" and "rates" with what machine_limits.py says of them. A
worker that cannot start says why and ends.
"""
import argparse
import atexit
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time

from framework_cases import CASES, make_batches, make_model, make_optimizer, with_order_drawn
from machine_limits import last_cache, measure_rates, work_of

WARM_UP_WINDOWS, WARM_UP_SECONDS = 20, 2.0


class Clock:
    """Windows and seconds after the warm-up; over() says when the time is up."""

    def __init__(self, seconds):
        self.limit, self.windows, self.counted, self.begun, self.started = seconds, 0, 0, time.perf_counter(), 0.0

    def window(self):
        now = time.perf_counter()
        self.windows += 1
        if self.started == 0.0:
            if self.windows >= WARM_UP_WINDOWS or now - self.begun >= WARM_UP_SECONDS:
                self.started = now
            return False
        self.counted += 1
        self.last = now
        return now - self.started >= self.limit

    def samples_per_second(self, batch):
        return self.counted * batch / (self.last - self.started)


def measure_torch(case, model, batches, over):
    import torch
    from torch.nn.functional import cross_entropy

    model.train()
    optimizer = make_optimizer(case, model)
    for index, (inputs, targets) in enumerate(batches):
        with torch.autocast("cpu", torch.bfloat16, enabled=case.bf16):
            loss = cross_entropy(model(inputs), targets) / case.steps
        loss.backward()
        if index % case.steps == case.steps - 1:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            if over():
                return


def measure_accelerate(case, model, batches, over):
    from accelerate import Accelerator
    from torch.nn.functional import cross_entropy

    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=case.steps)
    model, optimizer = accelerator.prepare(model, make_optimizer(case, model))
    model.train()
    for inputs, targets in batches:
        with accelerator.accumulate(model):
            accelerator.backward(cross_entropy(model(inputs), targets))
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        if accelerator.sync_gradients and over():
            return


def measure_lightning(case, model, batches, over):
    import logging
    import warnings

    import lightning
    from torch.nn.functional import cross_entropy

    warnings.filterwarnings("ignore")
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.model = model

        def training_step(self, batch, index):
            inputs, targets = batch
            return cross_entropy(self.model(inputs), targets)

        def on_train_batch_end(self, outputs, batch, index):
            if index % case.steps == case.steps - 1 and over():
                self.trainer.should_stop = True

        def configure_optimizers(self):
            return make_optimizer(case, self)

    # barebones: no logging, no progress bar, no checkpoints, no summary.
    trainer = lightning.Trainer(accelerator="cpu", barebones=True, max_epochs=1, min_epochs=0, min_steps=None,
                                accumulate_grad_batches=case.steps)
    trainer.fit(Module(), batches)


class DataParallel:
    """The same windows on two processes: each computes half of the micro-batches, DistributedDataParallel (gloo) averages the
    gradients once a window. A round has a fixed number of windows, fewer where a window has many micro-steps, so that nobody has
    to ask whether the time is up."""

    def __init__(self, case, channels_last, rank, store):
        import torch

        if case.steps % 2:
            raise RuntimeError("an odd number of micro-steps cannot be shared by two processes")
        torch.distributed.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
        torch.manual_seed(rank)
        self.case, self.windows = case, case.fewest(10)
        self.model = torch.nn.parallel.DistributedDataParallel(make_model(case, channels_last), gradient_as_bucket_view=True)
        self.model.train()
        self.optimizer = make_optimizer(case, self.model)
        self.batches = iter(make_batches(case, channels_last))

    def train(self, windows):
        import torch
        from torch.nn.functional import cross_entropy

        local = self.case.steps // 2
        for _ in range(windows):
            for step in range(local):
                inputs, targets = next(self.batches)
                with self.model.no_sync() if step < local - 1 else contextlib.nullcontext():
                    with torch.autocast("cpu", torch.bfloat16, enabled=self.case.bf16):
                        loss = cross_entropy(self.model(inputs), targets) / local
                    loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)

    def announce(self, windows):
        """How many windows come next, from the first process to the second; 0 ends it."""
        import torch

        count = torch.tensor([windows])
        torch.distributed.broadcast(count, 0)
        return int(count)

    def follow(self):
        while windows := self.announce(0):
            self.train(windows)

    def samples_per_second(self, seconds):
        batch = self.case.micro * self.case.steps
        self.announce(self.windows)
        begun = time.perf_counter()
        self.train(self.windows)
        speed = self.windows * batch / (time.perf_counter() - begun)
        self.windows = max(self.case.fewest(10), round(seconds * speed / batch))
        return speed


def first_loss(case, model, batches):
    """The mean loss of the first window."""
    import torch
    from torch.nn.functional import cross_entropy

    model.train()
    total = 0.0
    with torch.no_grad():
        for index, (inputs, targets) in enumerate(batches):
            with torch.autocast("cpu", torch.bfloat16, enabled=case.bf16):
                total += float(cross_entropy(model(inputs), targets)) / case.steps
            if index == case.steps - 1:
                return total


def peak_bytes(case, channels_last, batches):
    """The highest sum of the bytes of all tensors, weights and optimizer state included, over three windows."""
    import torch

    windows, batches = iter((False, False, True)), with_order_drawn(batches)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        measure_torch(case, make_model(case, channels_last), batches, lambda: next(windows))
    now = highest = 0
    events = [event for event in profile.profiler.kineto_results.events() if event.name() == "[memory]"]
    for event in sorted(events, key=lambda event: event.start_ns()):
        now += event.nbytes()
        highest = max(highest, now)
    return highest


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("framework", choices=("torch", "accelerate", "lightning"))
    parser.add_argument("case", choices=CASES)
    parser.add_argument("threads", type=int)
    parser.add_argument("layout", choices=("default", "channels_last"))
    parser.add_argument("execution", choices=("eager", "compile", "ddp"))
    parser.add_argument("--store", help="of the second process: where the first one is found")
    options = parser.parse_args()
    case, channels_last = CASES[options.case], options.layout == "channels_last"
    second = None
    try:
        import torch

        torch.set_num_threads(options.threads)
        torch.set_num_interop_threads(1)
        torch.set_flush_denormal(True)
        measure = {"torch": measure_torch, "accelerate": measure_accelerate, "lightning": measure_lightning}[options.framework]
        __import__(options.framework)
        batches = make_batches(case, channels_last)
        compiled = parallel = None
        if options.execution == "ddp":
            if options.store:
                DataParallel(case, channels_last, 1, options.store).follow()
                return
            folder = tempfile.mkdtemp(prefix="accumulus-bench-")
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            second = subprocess.Popen([sys.executable, *sys.argv, "--store", f"{folder}/store"], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL)
            parallel = DataParallel(case, channels_last, 0, f"{folder}/store")
        if options.execution == "compile":
            # One model for all rounds, compiled here: a new one each round would be compiled each round.
            compiled = torch.compile(make_model(case, channels_last))
            windows = iter((False, True))
            measure_torch(case, compiled, batches, lambda: next(windows))
    except Exception as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        print(f"unavailable: {type(error).__name__}: {lines[0][:160]}", flush=True)
        return
    print("ready", flush=True)
    for line in sys.stdin:
        question = line.strip()
        if question == "about":
            model = make_model(case, channels_last)
            answer = {"parameters": sum(part.numel() for part in model.parameters() if part.requires_grad),
                      "first_loss": first_loss(case, model, batches), "capability": torch.backends.cpu.get_cpu_capability()}
        elif question == "work":
            answer = work_of(case, channels_last) | {"cache": last_cache()}
        elif question == "rates":
            answer = measure_rates(case.bf16)
        elif question == "memory":
            answer = {"peak_bytes": peak_bytes(case, channels_last, batches)}
        elif parallel:
            answer = {"samples_per_second": parallel.samples_per_second(float(question))}
        else:
            clock = Clock(float(question))
            measure(case, make_model(case, channels_last) if compiled is None else compiled, batches, clock.window)
            answer = {"samples_per_second": clock.samples_per_second(case.micro * case.steps)}
        print(json.dumps(answer), flush=True)
    if parallel:
        parallel.announce(0)
        second.wait()


if __name__ == "__main__":
    main()
