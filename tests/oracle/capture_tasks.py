# SPDX-License-Identifier: GPL-3.0-or-later
"""What the capture oracles share: small models with their losses and ragged micro-batches, recordings, checks.

Skips (77) where Python lacks torch, NumPy or safetensors.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

try:
    import numpy as np
    import torch
    import torch.nn.functional as functional
    from safetensors.torch import load_file
except ImportError as missing:
    print(f"skipped: {sys.executable} has no {missing.name}; set ACCUMULUS_PYTHON to one with it")
    sys.exit(77)
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources" / "python"))
from accumulus_capture import Capture, CaptureError  # noqa: E402,F401

IGNORED = -100
RAGGED, EQUAL = (3, 7, 2, 5), (4, 4, 4, 4)


class Text(torch.nn.Module):
    """Next tokens from a mean of embeddings; the embedding is tied to the output."""

    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(11, 6)
        self.hidden = torch.nn.Linear(6, 6)
        self.output = torch.nn.Linear(6, 11)
        self.output.weight = self.embedding.weight

    def forward(self, tokens):
        counts = torch.arange(1, tokens.shape[1] + 1, dtype=self.output.weight.dtype)
        seen = self.embedding(tokens).cumsum(1) / counts[:, None]
        return self.output(torch.tanh(self.hidden(seen)))


class Towers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = torch.nn.Linear(6, 5), torch.nn.Linear(6, 5)

    def forward(self, x):
        return torch.tanh(self.left(x)) @ torch.tanh(self.right(x.flip(1))).T


class Attention(torch.nn.Module):
    """One head over the features. Softmax does not see the bias of the keys, so its gradient is rounding alone."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (torch.nn.Linear(2, 4) for _ in range(3))
        self.output = torch.nn.Linear(4, 5)

    def forward(self, x):
        x = x.unflatten(1, (3, 2))
        scores = self.query(x) @ self.key(x).transpose(1, 2)
        return self.output((torch.softmax(scores, 2) @ self.value(x)).mean(1))


def network(*between):
    return torch.nn.Sequential(torch.nn.Linear(6, 8), *between, torch.nn.Tanh(), torch.nn.Linear(8, 5))


def samples(count, dtype):
    return torch.randn(count, 6, dtype=dtype), torch.randint(5, (count,))


def tokens(count, _):
    """Sequences of unequal lengths, padded to 7; `count` also sets how many there are."""
    x = torch.randint(11, (count, 8))
    y = x[:, 1:].clone()
    for row in y:
        row[int(torch.randint(2, 7, ())):] = IGNORED
    return x[:, :-1].clone(), y


def sample_losses(model, batch):
    return functional.cross_entropy(model(batch[0]), batch[1], reduction="none")


def token_losses(model, batch):
    total = functional.cross_entropy(model(batch[0]).transpose(1, 2), batch[1], ignore_index=IGNORED, reduction="sum")
    return total, (batch[1] != IGNORED).sum()


def contrastive_losses(model, batch):
    logits = model(batch[0])
    return functional.cross_entropy(logits, torch.arange(len(logits)), reduction="none")


# Model, a batch of so many, losses of its units.
TASKS = {
    "mlp": (network, samples, sample_losses),
    "text": (Text, tokens, token_losses),
    "batch norm": (lambda: network(torch.nn.BatchNorm1d(8)), samples, sample_losses),
    "layer norm": (lambda: network(torch.nn.LayerNorm(8)), samples, sample_losses),
    "attention": (Attention, samples, sample_losses),
    # Of one layer alone, all micro-batches in turn draw what the large batch draws.
    "dropout": (lambda: network(torch.nn.Dropout(0.3), torch.nn.Linear(8, 8), torch.nn.Dropout(0.3)), samples,
                sample_losses),
    "contrastive": (Towers, samples, contrastive_losses),
}


class Bench:
    """A model at its initial weights, two full windows of micro-batches, and what is needed to train on them."""

    def __init__(self, task, dtype=torch.float64, sizes=RAGGED, seed=0, windows=2, record=True):
        torch.manual_seed(1000 + seed)
        build, draw, self.losses = TASKS[task]
        self.model = build().to(dtype)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)
        self.sizes = sizes
        # The order of sizes differs by window and by seed.
        self.windows = [[draw(sizes[(k + seed + at) % len(sizes)], dtype) for k in range(len(sizes))]
                        for at in range(windows)]
        self.capture = Capture(self.model, self.losses) if record else Unrecorded()

    def loss(self, batch):
        """The mean loss of a micro-batch, as a loop computes it."""
        total, count = self.sums(batch)
        return total / count

    def sums(self, batch):
        losses = self.losses(self.model, batch)
        return losses if isinstance(losses, tuple) else (losses.sum(), len(losses))

    def units(self, window):
        return [int((y != IGNORED).sum()) for _, y in window]

    def gradients(self):
        return [parameter.grad for parameter in self.model.parameters()]


class Unrecorded:
    def micro(self, batch, rank=None):
        pass

    def accumulated(self, gradients=None):
        pass

    def end_window(self):
        pass


class Recording:
    """The three files, and the weights that a plain least squares fit finds."""

    def __init__(self, folder):
        self.files = [Path(folder) / f"{name}.safetensors" for name in ("accumulated", "reference", "micro-gradients")]
        self.accumulated, self.reference, self.micro = map(load_file, map(str, self.files))
        windows, self.every_unit = self.micro["windows"].tolist(), self.micro["units"].tolist()
        self.own = [k for k, window in enumerate(windows) if window == windows[-1]]
        self.units = [self.every_unit[k] for k in self.own]

    def flat(self, tensors):
        return torch.cat([tensors[name].double().flatten() for name in self.accumulated]).numpy()

    def gradient(self, k):
        return self.flat({name: self.micro[f"{k}/{name}"] for name in self.accumulated})

    def fit(self):
        """c_k of this window, those of earlier ones (empty where the first explain all), and the residual."""
        goal = self.flat(self.accumulated)
        for names in (self.own, list(range(len(self.every_unit)))):
            columns = np.stack([self.gradient(k) for k in names], axis=1)
            weights = np.linalg.lstsq(columns, goal, rcond=None)[0]
            residual = np.linalg.norm(columns @ weights - goal) / max(np.linalg.norm(goal), 1e-300)
            if residual < 1e-4:
                break
        earlier = len(names) - len(self.own)
        return list(weights[earlier:]), list(weights[:earlier]), residual

    def audit(self, cli):
        """Exit code and the JSON of the program."""
        command = [cli, "audit", "--accumulated", self.files[0], "--reference", self.files[1],
                   "--micro-gradients", self.files[2], "--json"]
        done = subprocess.run(command, text=True, capture_output=True, check=False)
        if done.returncode not in (0, 10, 11):
            return done.returncode, {"sentence": done.stderr.strip()}
        return done.returncode, json.loads(done.stdout)


CHECKS = []


class Absent(Exception):
    """What this check needs is not there."""


def check(function):
    CHECKS.append(function)
    return function


def verdict(options, folder, pattern, exit_code):
    """Asks the program, where there is one."""
    if not options.cli:
        return
    code, audit = Recording(folder).audit(options.cli)
    assert (audit.get("pattern"), code) == (pattern, exit_code), f"exit {code}: {audit}"


def run_checks(description):
    """The program of a file of checks: how many failed."""
    parser = argparse.ArgumentParser(description=description.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--cli", help="accumulus-cli; without it the recordings are only fitted here")
    parser.add_argument("--only", default="", help="checks whose name contains this")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    wrong = 0
    for function in CHECKS:
        if options.only not in function.__name__:
            continue
        with tempfile.TemporaryDirectory(prefix="accumulus-capture-") as folder:
            words = "holds"
            try:
                function(options, folder)
            except Absent as reason:
                words = f"skipped: {reason}"
            except Exception:
                words, wrong = "FAILS", wrong + 1
                traceback.print_exc()
        print(f"{words:8} {function.__name__.replace('_', ' ')}", flush=True)
    print("all hold" if not wrong else f"{wrong} fail")
    return wrong
