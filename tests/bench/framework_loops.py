# SPDX-License-Identifier: GPL-3.0-or-later
"""The other side of compare_frameworks.py: training loops of PyTorch, Accelerate and Lightning, tuned as far as they allow.

As a program it is a worker: one framework, one thread count, one layout, one way to execute. It reads seconds and answers
with samples per second; "about" is answered with the number of parameters and the loss of the first window, "memory" with
the highest number of bytes that tensors took in three windows. A worker that cannot start says why and ends.
"""
import argparse
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
MNIST = SOURCE / "resources/datasets/mnist"
MEAN, DEVIATION, LEARNING_RATE, MOMENTUM = 0.1307, 0.3081, 0.01, 0.9
WARM_UP_WINDOWS, WARM_UP_SECONDS = 20, 2.0
GPT = {"layers": 4, "heads": 4, "width": 128, "block": 64}


@dataclass
class Case:
    """One experiment: the same model, sizes and optimizer everywhere. `settings` are Accumulus' own."""
    model: str
    micro: int
    steps: int
    settings: dict = field(default_factory=dict)
    frameworks: tuple = ("torch",)
    layouts: tuple = ("default",)
    bf16: bool = False
    file: bool = False  # Accumulus trains PyTorch's own network, as TorchScript

    def assignments(self):
        return {"model.name": self.model, "data.test_limit": 1000, "batch.micro": self.micro,
                "batch.effective": self.micro * self.steps, "optimizer.lr": LEARNING_RATE,
                "optimizer.momentum": MOMENTUM} | self.settings


LENET = {"data.resize": 32}
RESNET = {"data.dataset": "textures-generated", "data.train_limit": 2048, "model.stem": "cifar"}
CHAR_GPT = {"data.dataset": "tinyshakespeare", "data.block": GPT["block"], "model.layers": GPT["layers"],
            "model.heads": GPT["heads"], "model.width": GPT["width"], "loss.normalise": "tokens", "optimizer.name": "adamw",
            "optimizer.lr": 1e-3}
CASES = {
    "lenet5-32x4": Case("lenet5", 32, 4, LENET, ("torch", "accelerate", "lightning")),
    "mlp-8x4": Case("mlp", 8, 4),
    "mlp-32x4": Case("mlp", 32, 4),
    "char-gpt-4x4": Case("char-gpt", 4, 4, CHAR_GPT),
    "resnet18-32x2": Case("resnet18", 32, 2, RESNET, layouts=("default", "channels_last")),
    "resnet18-32x2-bf16": Case("resnet18", 32, 2, RESNET | {"numerics.precision": "bf16"},
                                layouts=("default", "channels_last"), bf16=True),
    "lenet5-32x4-file": Case("lenet5", 32, 4, LENET, file=True),
    "resnet18-32x2-file": Case("resnet18", 32, 2, {key: value for key, value in RESNET.items() if key != "model.stem"},
                               layouts=("default", "channels_last"), file=True),
}


def read_mnist(resize):
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


class Images:
    """Micro-batches without end, in a new order each epoch. The set stays in memory as uint8."""

    def __init__(self, images, labels, micro, channels_last=False):
        self.images, self.labels, self.micro, self.channels_last = images, labels, micro, channels_last

    def __iter__(self):
        import torch

        scale, shift = 1.0 / (255.0 * DEVIATION), MEAN / DEVIATION
        count = len(self.images)
        while True:
            order = torch.randperm(count)
            for first in range(0, count - self.micro + 1, self.micro):
                ids = order[first : first + self.micro]
                batch = self.images[ids].float().mul_(scale).sub_(shift)
                if self.channels_last:
                    batch = batch.contiguous(memory_format=torch.channels_last)
                yield batch, self.labels[ids]


class Texts:
    """Micro-batches of `block` characters and the characters behind them."""

    def __init__(self, tokens, micro, block):
        self.tokens, self.micro, self.block = tokens, micro, block

    def __iter__(self):
        import torch

        places = torch.arange(self.block + 1)
        count = (len(self.tokens) - 1) // self.block
        while True:
            order = torch.randperm(count) * self.block
            for first in range(0, count - self.micro + 1, self.micro):
                text = self.tokens[order[first : first + self.micro, None] + places].long()
                yield text[:, :-1], text[:, 1:].reshape(-1)


def make_batches(case, channels_last):
    import torch

    if case.model == "char-gpt":
        text = (SOURCE / "resources/datasets/tinyshakespeare/input.txt").read_bytes()
        codes = {code: i for i, code in enumerate(sorted(set(text)))}
        return Texts(torch.tensor([codes[code] for code in text], dtype=torch.uint8), case.micro, GPT["block"])
    if case.model == "resnet18":
        images = torch.randint(0, 256, (2048, 3, 32, 32), dtype=torch.uint8)
        return Images(images, torch.randint(0, 10, (2048,)), case.micro, channels_last)
    return Images(*read_mnist(32 if case.model == "lenet5" else 0), case.micro)


def make_gpt(vocabulary):
    import torch
    from torch import nn
    from torch.nn import functional

    width, heads = GPT["width"], GPT["heads"]

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.attention, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.feed, self.back = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x):
            n, length, _ = x.shape
            q, k, v = (part.view(n, length, heads, width // heads).transpose(1, 2)
                       for part in self.attention(self.norm1(x)).chunk(3, 2))
            mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
            x = x + self.out(mixed)
            return x + self.back(functional.gelu(self.feed(self.norm2(x)), approximate="tanh"))

    class Gpt(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(GPT["block"], width)
            self.blocks = nn.Sequential(*(Block() for _ in range(GPT["layers"])))
            self.norm = nn.LayerNorm(width)
            nn.init.normal_(self.tokens.weight, std=0.02)

        def forward(self, text):
            x = self.tokens(text) + self.places.weight[: text.shape[1]]
            return functional.linear(self.norm(self.blocks(x)), self.tokens.weight).flatten(0, 1)

    return Gpt()


def make_model(case, channels_last):
    import torch
    from torch import nn

    if case.model == "char-gpt":
        return make_gpt(65)
    if case.model == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(),
                             nn.Linear(512, 10))
    if case.model == "resnet18":
        import torchvision

        model = torchvision.models.resnet18(num_classes=10)
        model.conv1 = nn.Conv2d(3, 64, 3, padding=1, bias=False)
        model.maxpool = nn.Identity()
        return model.to(memory_format=torch.channels_last) if channels_last else model
    return nn.Sequential(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
                         nn.Linear(84, 10))


def save_module(case, file):
    import torch

    torch.jit.script(make_model(CASES[case], False)).save(file)


def make_optimizer(case, model):
    import torch

    if case.model == "char-gpt":
        return torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    return torch.optim.SGD(model.parameters(), lr=LEARNING_RATE, momentum=MOMENTUM, fused=True)


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
    gradients once a window. A round has a number of windows, so that nobody has to ask whether the time is up."""

    def __init__(self, case, channels_last, rank, store):
        import torch

        if case.steps % 2:
            raise RuntimeError("an odd number of micro-steps cannot be shared by two processes")
        torch.distributed.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
        torch.manual_seed(rank)
        self.case, self.windows = case, 10
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
        self.windows = max(10, round(seconds * speed / batch))
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

    windows = iter((False, False, True))
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
        elif question == "memory":
            answer = {"peak_bytes": peak_bytes(case, channels_last, batches)}
        elif parallel:
            answer = {"samples_per_second": parallel.samples_per_second(float(question))}
        else:
            clock = Clock(float(question))
            measure(case, compiled or make_model(case, channels_last), batches, clock.window)
            answer = {"samples_per_second": clock.samples_per_second(case.micro * case.steps)}
        print(json.dumps(answer), flush=True)
    if parallel:
        parallel.announce(0)
        second.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
