# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of compare_frameworks.py: what is trained, and its data, network and optimizer in PyTorch."""
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
MNIST = SOURCE / "resources/datasets/mnist"
MEAN, DEVIATION, LEARNING_RATE, MOMENTUM = 0.1307, 0.3081, 0.01, 0.9
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
