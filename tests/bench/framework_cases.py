# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of compare_frameworks.py: what is trained, and its data, network and optimizer in PyTorch."""
import functools
import itertools
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
MNIST = SOURCE / "resources/datasets/mnist"
MEAN, DEVIATION, LEARNING_RATE, MOMENTUM = 0.1307, 0.3081, 0.01, 0.9
GPT = {"layers": 4, "heads": 4, "width": 128, "block": 64}
GPT_6X384 = {"layers": 6, "heads": 6, "width": 384, "block": 256}


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
    gpt: dict = field(default_factory=lambda: GPT)  # sizes of the transformer

    def fewest(self, windows):
        """How many windows a row measures at least: of many micro-steps two say as much."""
        return windows if self.steps <= 4 else 2

    def assignments(self):
        return {"model.name": self.model, "data.test_limit": 1000, "batch.micro": self.micro,
                "batch.effective": self.micro * self.steps, "optimizer.lr": LEARNING_RATE,
                "optimizer.momentum": MOMENTUM} | self.settings


LENET = {"data.resize": 32}
RESNET = {"data.dataset": "textures-generated", "data.train_limit": 2048, "model.stem": "cifar"}


def char_gpt(sizes):
    return {"data.dataset": "tinyshakespeare", "data.block": sizes["block"], "model.layers": sizes["layers"],
            "model.heads": sizes["heads"], "model.width": sizes["width"], "loss.normalise": "tokens",
            "optimizer.name": "adamw", "optimizer.lr": 1e-3}


CHAR_GPT = char_gpt(GPT)
RESNET_224 = {"data.dataset": "textures-generated", "data.train_limit": 256, "data.test_limit": 20, "data.resize": 224}
BF16 = {"numerics.precision": "bf16"}
BOTH = ("default", "channels_last")
WHOLE = {"data.drop_last": "true"}  # no shorter last micro-batch, which the loops do not have either
CASES = {
    "lenet5-32x4": Case("lenet5", 32, 4, LENET, ("torch", "accelerate", "lightning")),
    "mlp-8x4": Case("mlp", 8, 4),
    "mlp-32x4": Case("mlp", 32, 4),
    "char-gpt-4x4": Case("char-gpt", 4, 4, CHAR_GPT),
    "resnet18-32x2": Case("resnet18", 32, 2, RESNET, layouts=BOTH),
    "resnet18-32x2-bf16": Case("resnet18", 32, 2, RESNET | BF16, layouts=BOTH, bf16=True),
    "lenet5-32x4-file": Case("lenet5", 32, 4, LENET, file=True),
    "resnet18-32x2-file": Case("resnet18", 32, 2, {key: value for key, value in RESNET.items() if key != "model.stem"},
                               layouts=BOTH, file=True),
    # What fills a GPU.
    "lenet5-4096x4": Case("lenet5", 4096, 4, LENET | WHOLE),
    "resnet18-512x2": Case("resnet18", 512, 2, RESNET | WHOLE, layouts=BOTH),
    "resnet18-512x2-bf16": Case("resnet18", 512, 2, RESNET | WHOLE | BF16, layouts=BOTH, bf16=True),
    "char-gpt-6x384-4x4": Case("char-gpt", 4, 4, char_gpt(GPT_6X384) | WHOLE, gpt=GPT_6X384),
    "char-gpt-6x384-64x4": Case("char-gpt", 64, 4, char_gpt(GPT_6X384) | WHOLE, gpt=GPT_6X384),
}


def table_cases():
    """The table of all CPU cases: every model, its usual micro-batches, and one, four and sixteen of them."""
    for steps in (1, 4, 16):
        for suffix, settings, bf16 in (("", {}, False), ("-bf16", BF16, True)):
            for micro in (8, 32, 128):
                yield f"lenet5-{micro}x{steps}{suffix}", Case("lenet5", micro, steps, LENET | settings, bf16=bf16)
            yield f"mlp-32x{steps}{suffix}", Case("mlp", 32, steps, settings, bf16=bf16)
            for micro in (4, 16):
                yield f"char-gpt-{micro}x{steps}{suffix}", Case("char-gpt", micro, steps, CHAR_GPT | settings, bf16=bf16)
            yield f"bert-mini-16x{steps}{suffix}", Case("bert-mini", 16, steps, CHAR_GPT | settings, bf16=bf16)
            for micro in (8, 32):
                yield (f"resnet18-{micro}x{steps}{suffix}",
                       Case("resnet18", micro, steps, RESNET | settings, layouts=BOTH, bf16=bf16))
            yield (f"resnet50-4x{steps}{suffix}",
                   Case("resnet50", 4, steps, RESNET_224 | settings, layouts=BOTH, bf16=bf16))


TABLE_CASES = tuple(name for name, _ in table_cases())
CASES = dict(table_cases()) | CASES  # a case above may be compared with more
CPU_CASES = ("lenet5-32x4", "mlp-8x4", "mlp-32x4", "char-gpt-4x4", "resnet18-32x2", "resnet18-32x2-bf16",
             "lenet5-32x4-file", "resnet18-32x2-file")
CUDA_CASES = ("lenet5-32x4", "lenet5-4096x4", "resnet18-32x2", "resnet18-512x2", "resnet18-32x2-bf16",
              "resnet18-512x2-bf16", "char-gpt-6x384-4x4", "char-gpt-6x384-64x4")


@functools.cache
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
    """Micro-batches without end, in a new order each epoch. The set stays on its device as uint8; what chooses samples there,
    too. `generator`: of the order, where it is to be the same for all."""

    def __init__(self, images, labels, micro, channels_last=False, generator=None):
        self.images, self.labels, self.micro, self.channels_last = images, labels, micro, channels_last
        self.generator = generator

    def ids(self):
        import torch

        count = len(self.images)
        while True:
            order = torch.randperm(count, device=self.images.device, generator=self.generator)
            for first in range(0, count - self.micro + 1, self.micro):
                yield order[first : first + self.micro]

    def gather(self, ids):
        import torch

        batch = self.images[ids].float().mul_(1.0 / (255.0 * DEVIATION)).sub_(MEAN / DEVIATION)
        if self.channels_last:
            batch = batch.contiguous(memory_format=torch.channels_last)
        return batch, self.labels[ids]

    def __iter__(self):
        return map(self.gather, self.ids())


class MaskedTexts:
    """The same of texts in which 15 of 100 characters are asked for, by the rule of BERT: of these, 80 of 100 are masked and 10
    replaced by any."""

    def __init__(self, texts, vocabulary):
        self.texts, self.vocabulary = texts, vocabulary

    def __iter__(self):
        import torch

        for text, _ in self.texts:
            drawn, replaced = torch.rand(text.shape), torch.rand(text.shape)
            targets = torch.where(drawn < 0.15, text, -100)
            shown = torch.where(replaced < 0.8, self.vocabulary, torch.where(replaced < 0.9, torch.randint_like(text, self.vocabulary), text))
            yield torch.where(drawn < 0.15, shown, text), targets.reshape(-1)


class Texts:
    """Micro-batches of `block` characters and the characters behind them, without end."""

    def __init__(self, tokens, micro, block, generator=None):
        import torch

        self.tokens, self.micro, self.block, self.generator = tokens, micro, block, generator
        self.places = torch.arange(block + 1, device=tokens.device)

    def ids(self):
        import torch

        count = (len(self.tokens) - 1) // self.block
        while True:
            order = torch.randperm(count, device=self.tokens.device, generator=self.generator) * self.block
            for first in range(0, count - self.micro + 1, self.micro):
                yield order[first : first + self.micro]

    def gather(self, ids):
        text = self.tokens[ids[:, None] + self.places].long()
        return text[:, :-1], text[:, 1:].reshape(-1)

    def __iter__(self):
        return map(self.gather, self.ids())


def with_order_drawn(batches):
    """The same micro-batches, once, in an order that is there already: it is no memory of training."""
    if isinstance(batches, MaskedTexts):
        return MaskedTexts(with_order_drawn(batches.texts), batches.vocabulary)
    ids = batches.ids()
    return map(batches.gather, itertools.chain([next(ids)], ids))


def make_batches(case, channels_last, device="cpu", generator=None):
    import torch

    if case.model in ("char-gpt", "bert-mini"):
        text = (SOURCE / "resources/datasets/tinyshakespeare/input.txt").read_bytes()
        codes = {code: i for i, code in enumerate(sorted(set(text)))}
        tokens = torch.tensor([codes[code] for code in text], dtype=torch.uint8)
        texts = Texts(tokens.to(device), case.micro, case.gpt["block"], generator)
        return MaskedTexts(texts, len(codes)) if case.model == "bert-mini" else texts
    if case.model in ("resnet18", "resnet50"):
        size = case.settings.get("data.resize", 32)
        images = torch.randint(0, 256, (case.settings["data.train_limit"], 3, size, size), dtype=torch.uint8)
        labels = torch.randint(0, 10, (len(images),))
    else:
        images, labels = read_mnist(32 if case.model == "lenet5" else 0)
    return Images(images.to(device), labels.to(device), case.micro, channels_last, generator)


def make_gpt(vocabulary, sizes):
    import torch
    from torch import nn
    from torch.nn import functional

    width, heads = sizes["width"], sizes["heads"]

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
            self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(sizes["block"], width)
            self.blocks = nn.Sequential(*(Block() for _ in range(sizes["layers"])))
            self.norm = nn.LayerNorm(width)
            nn.init.normal_(self.tokens.weight, std=0.02)

        def forward(self, text):
            x = self.tokens(text) + self.places.weight[: text.shape[1]]
            return functional.linear(self.norm(self.blocks(x)), self.tokens.weight).flatten(0, 1)

    return Gpt()


def make_bert(vocabulary, sizes):
    """As core/model/bert_mini: a post-norm encoder with a dense layer before the tied head."""
    import torch
    from torch import nn
    from torch.nn import functional

    width, heads = sizes["width"], sizes["heads"]

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
            self.feed, self.back = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
            self.norm1, self.norm2 = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)

        def forward(self, x):
            n, length, _ = x.shape
            q, k, v = (part(x).view(n, length, heads, width // heads).transpose(1, 2)
                       for part in (self.query, self.key, self.value))
            mixed = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
            x = self.norm1(x + self.out(mixed))
            return self.norm2(x + self.back(functional.gelu(self.feed(x))))

    class Bert(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens, self.places = nn.Embedding(vocabulary + 1, width), nn.Embedding(sizes["block"], width)
            self.norm, self.blocks = nn.LayerNorm(width, 1e-12), nn.Sequential(*(Block() for _ in range(sizes["layers"])))
            self.dense, self.head_norm = nn.Linear(width, width), nn.LayerNorm(width, 1e-12)
            self.bias = nn.Parameter(torch.zeros(vocabulary))
            for table in (self.tokens, self.places):
                nn.init.normal_(table.weight, std=0.02)

        def forward(self, text):
            x = self.blocks(self.norm(self.tokens(text) + self.places.weight[: text.shape[1]]))
            x = self.head_norm(functional.gelu(self.dense(x)))
            return functional.linear(x, self.tokens.weight[:vocabulary], self.bias).flatten(0, 1)

    return Bert()


def make_model(case, channels_last):
    import torch
    from torch import nn

    if case.model == "char-gpt":
        return make_gpt(65, case.gpt)
    if case.model == "bert-mini":
        return make_bert(65, case.gpt)
    if case.model == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(),
                             nn.Linear(512, 10))
    if case.model in ("resnet18", "resnet50"):
        import torchvision

        model = getattr(torchvision.models, case.model)(num_classes=10)
        if case.settings.get("model.stem") == "cifar" or case.file:
            model.conv1 = nn.Conv2d(3, 64, 3, padding=1, bias=False)
            model.maxpool = nn.Identity()
        return model.to(memory_format=torch.channels_last) if channels_last else model
    return nn.Sequential(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
                         nn.Linear(84, 10))


def save_module(case, file):
    import torch

    torch.jit.script(make_model(CASES[case], False)).save(file)


def make_optimizer(case, model, capturable=False):
    """`capturable`: its step may be recorded in a CUDA graph (SGD's may be anyway, once its momentum is there)."""
    import torch

    if case.model in ("char-gpt", "bert-mini"):
        return torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True, capturable=capturable)
    return torch.optim.SGD(model.parameters(), lr=LEARNING_RATE, momentum=MOMENTUM, fused=True)
