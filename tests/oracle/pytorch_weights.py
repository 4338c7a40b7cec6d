#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights that accumulus-cli trains, against weights that plain PyTorch trains.

accumulus-cli accumulates 97 samples as micro-batches of 13, 13, 13, 13, 13, 13, 13, 6. PyTorch starts from the exported
initial weights and takes the 97 samples at once: full-batch updates with torch.optim, which know nothing of
accumulation. Pixels are read from the IDX files by NumPy. After five updates in fp64 every tensor has to agree, and so
do test loss and accuracy.

Exit code 0: all agree and every planted mistake is seen; 1: not; 77: Python lacks torch, numpy or safetensors.
"""
import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import torch
    import torch.nn.functional as functional
    from safetensors import safe_open
except ImportError as missing:
    print(f"skipped: {sys.executable} has no {missing.name}; set ACCUMULUS_PYTHON to one with torch, numpy, safetensors")
    sys.exit(77)

SAMPLES, MICRO, UPDATES, TEST_SAMPLES = 97, 13, 5, 200
MEAN, DEVIATION = 0.1307, 0.3081

# Distances are relative L2 per tensor, to how far the tensor has moved from its initial value: stricter than to its size.
# Both sides add the same fp64 terms in another order: one gradient agrees to about 1e-15, five updates of SGD amplify
# that by less than ten. 1e-10 leaves room for other kernels and is far below what any mistake makes.
SGD_TOLERANCE = 1e-10
# Adam divides a gradient by its own size plus eps = 1e-8. An element that is all but zero with an absolute error of 1e-16
# (gradients are about 0.1, u = 1.1e-16) therefore moves by up to lr x 1e-16 / 1e-8 = lr x 1e-8 more or less in an update
# in which it moves by about lr.
ADAM_TOLERANCE = 1e-8
# fp32: gradients agree to 1e-5 per tensor at initial weights; each update also rounds the weights, u = 6e-8 of their size
# where they move by a few percent of it.
FP32_TOLERANCE = 1e-4
# On a GPU cuDNN adds up more than 70 000 products in fp32 for a gradient of the first convolution, in an order of its own:
# PyTorch's own fp32 weights were about 1.2e-4 from fp64 there (H100). Ours may be so many times as far as they are.
TIMES_AS_FAR = 4
# The smallest planted mistake measured is 0.26, the smallest effect of a setting 0.11.
MISTAKE_IS_SEEN = 1e-6


class Mlp(torch.nn.Module):
    def __init__(self, side):
        super().__init__()
        self.fc1 = torch.nn.Linear(side * side, 512)
        self.fc2 = torch.nn.Linear(512, 512)
        self.fc3 = torch.nn.Linear(512, 10)

    def forward(self, x):
        return self.fc3(torch.relu(self.fc2(torch.relu(self.fc1(x.flatten(1))))))


class Lenet5(torch.nn.Module):
    def __init__(self, side):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 6, 5, padding=2 if side == 28 else 0)
        self.conv2 = torch.nn.Conv2d(6, 16, 5)
        self.fc1 = torch.nn.Linear(400, 120)
        self.fc2 = torch.nn.Linear(120, 84)
        self.fc3 = torch.nn.Linear(84, 10)

    def forward(self, x):
        x = functional.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = functional.max_pool2d(torch.relu(self.conv2(x)), 2).flatten(1)
        return self.fc3(torch.relu(self.fc2(torch.relu(self.fc1(x)))))


MODELS = {"mlp": Mlp, "lenet5": Lenet5}


class Case:
    """Settings for accumulus-cli, and the same for PyTorch."""

    def __init__(self, name, model, settings, optimizer, tolerance=SGD_TOLERANCE, clip=0.0, smoothing=0.0, resize=0):
        self.name, self.model, self.settings, self.optimizer = name, model, settings, optimizer
        self.tolerance, self.clip, self.smoothing, self.resize = tolerance, clip, smoothing, resize


def sgd(**options):
    return lambda parameters: torch.optim.SGD(parameters, lr=0.05, momentum=0.9, **options)


def adam(kind, **options):
    return lambda parameters: kind(parameters, lr=0.001, **options)


SGD = ["optimizer.lr=0.05", "optimizer.momentum=0.9"]
CASES = [
    Case("sgd", "mlp", SGD, sgd()),
    Case("sgd", "lenet5", SGD, sgd()),
    Case("sgd, fp32", "lenet5", SGD + ["numerics.precision=fp32"], sgd(), tolerance=FP32_TOLERANCE),
    Case("nesterov", "lenet5", SGD + ["optimizer.nesterov=true"], sgd(nesterov=True)),
    Case("weight decay", "mlp", SGD + ["optimizer.weight_decay=0.01"], sgd(weight_decay=0.01)),
    Case("clip_norm", "lenet5", SGD + ["train.clip_norm=0.05"], sgd(), clip=0.05),
    Case("label smoothing", "lenet5", SGD + ["loss.label_smoothing=0.1"], sgd(), smoothing=0.1),
    Case("resize", "lenet5", SGD + ["data.resize=32"], sgd(), resize=32),
    Case("resize", "mlp", SGD + ["data.resize=19"], sgd(), resize=19),
    Case("adam", "mlp", ["optimizer.name=adam", "optimizer.lr=0.001", "optimizer.weight_decay=0.01"],
         adam(torch.optim.Adam, weight_decay=0.01), tolerance=ADAM_TOLERANCE),
    Case("adamw", "lenet5", ["optimizer.name=adamw", "optimizer.lr=0.001", "optimizer.weight_decay=0.1"],
         adam(torch.optim.AdamW, weight_decay=0.1), tolerance=ADAM_TOLERANCE),
]
# What tutorials do, trained by accumulus-cli and compared with the right weights.
MISTAKES = [("mean of means", "mlp", ["loss.normalise=mean-of-means"]),
            ("mean of means", "lenet5", ["loss.normalise=mean-of-means"]),
            ("sum of means", "lenet5", ["loss.normalise=sum-of-means"])]


class Cli:
    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)
        self.library = self.folder / "library.sqlite"
        self.exported = 0

    def call(self, *arguments):
        environment = dict(os.environ, XDG_DATA_HOME=str(self.folder), XDG_CONFIG_HOME=str(self.folder))
        done = subprocess.run([self.program, *arguments, "--library", str(self.library)], text=True,
                              capture_output=True, env=environment, check=False)
        if done.returncode != 0:
            raise SystemExit(f"accumulus-cli {' '.join(arguments)}\nexit code {done.returncode}\n{done.stderr}")
        return done.stdout

    def train(self, model, settings):
        """The run-finished objects: the accumulated arm, then the large batch."""
        every = [f"model.name={model}", "data.dataset=mnist", f"data.train_limit={SAMPLES}",
                 f"data.test_limit={TEST_SAMPLES}", "data.shuffle=false", f"batch.effective={SAMPLES}",
                 f"batch.micro={MICRO}", "batch.ragged=weight", f"train.length={UPDATES} updates",
                 "numerics.precision=fp64", "checkpoint.initial=true", "checkpoint.every=0 epochs",
                 "evaluate.every=0 epochs", "study.large_batch=true", "study.seeds=[3]", "device.lanes=2", "device.threads=1"]
        assignments = [word for setting in every + settings for word in ("--set", setting)]
        lines = [json.loads(line) for line in self.call("run", "/dev/null", "--json", *assignments).splitlines()]
        finished = [line for line in lines if line["event"] == "run-finished"]
        assert [line["arm"] for line in finished] == ["accumulated", "large-batch"], finished
        assert [line["micro_steps"] for line in finished] == [UPDATES * -(-SAMPLES // MICRO), UPDATES], finished
        return finished

    def weights(self, run, checkpoint):
        self.exported += 1
        file = self.folder / f"{self.exported}.safetensors"
        self.call("export", run, "--format", "safetensors", "--checkpoint", checkpoint, "--out", str(file))
        with safe_open(str(file), framework="pt") as opened:
            assert opened.metadata()["format"] == "pt", opened.metadata()
            return {name: opened.get_tensor(name) for name in opened.keys()}


def read_idx(file, count):
    """The first `count` entries of an IDX file, as the format is published."""
    with gzip.open(file, "rb") as stream:
        magic = int.from_bytes(stream.read(4), "big")
        shape = [int.from_bytes(stream.read(4), "big") for _ in range(magic & 0xFF)]
        shape[0] = count
        return torch.from_numpy(np.frombuffer(stream.read(int(np.prod(shape))), np.uint8).reshape(shape).copy())


def read_part(folder, part, count, resize):
    pixels = read_idx(folder / f"{part}-images-idx3-ubyte.gz", count).unsqueeze(1).double()
    if resize:
        # Kept as whole pixels, halves rounded up; what is 1e-9 below a half is one that fp64 could not hold.
        pixels = functional.interpolate(pixels, size=(resize, resize), mode="bilinear", align_corners=False)
        pixels = torch.floor(pixels + (0.5 + 1e-9))
    return (pixels / 255 - MEAN) / DEVIATION, read_idx(folder / f"{part}-labels-idx1-ubyte.gz", count).long()


def add_device(parser):
    parser.add_argument("--device", default="cpu", help="where PyTorch trains, as accumulus-cli does: an operator may differ between "
                        "devices, as hardswish, which CUDA multiplies by a sixth that is rounded to fp32 even in fp64")


def compute_on(device):
    """fp32 is fp32, and the same kernels every time."""
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.deterministic = True
    return torch.device(device)


def train_plain(case, initial, images, labels, device, kind=torch.float64):
    """Full-batch updates; nothing here knows of micro-batches. The model is on the CPU afterwards."""
    model = MODELS[case.model](images.shape[-1]).to(device, kind)
    model.load_state_dict({name: tensor.to(kind) for name, tensor in initial.items()}, strict=True)
    images, labels = images.to(device, kind), labels.to(device)
    optimizer = case.optimizer(model.parameters())
    for update in range(UPDATES):
        optimizer.zero_grad(set_to_none=True)
        functional.cross_entropy(model(images), labels, label_smoothing=case.smoothing).backward()
        gradients = [parameter.grad for parameter in model.parameters()]
        norm = torch.sqrt(sum(gradient.square().sum() for gradient in gradients))
        if case.clip and norm > case.clip:
            # By hand: clip_grad_norm_ divides by norm + 1e-6, which is 1e-6 beside the definition.
            for gradient in gradients:
                gradient *= case.clip / norm
        assert not case.clip or norm > case.clip or update > 0, "the clipping case must clip"
        optimizer.step()
    return model.cpu()


def distance(got, wanted, initial):
    """The worst tensor's distance, relative to how far it has moved, with its name."""
    assert set(got) == set(wanted), (list(got), list(wanted))
    return max((float((got[name].double() - wanted[name]).norm() / (wanted[name] - initial[name].double()).norm()), name)
               for name in wanted)


def report(name, value, limit, good, note=""):
    print(f"{'agrees  ' if good else 'DIFFERS '} {name:34} {value:9.2e}  limit {limit:.0e}  {note}", flush=True)
    return good


def own_distance(case, initial, images, labels, device, wanted):
    """How far PyTorch's own fp32 weights are from fp64."""
    model = train_plain(case, initial, images, labels, device, torch.float32)
    return distance({name: tensor.detach() for name, tensor in model.state_dict().items()}, wanted, initial)[0]


def check_case(cli, folder, case, device):
    images, labels = read_part(folder, "train", SAMPLES, case.resize)
    test_images, test_labels = read_part(folder, "t10k", TEST_SAMPLES, case.resize)
    finished = cli.train(case.model, case.settings)
    initial = cli.weights(finished[0]["run"], "initial")
    kind = torch.float32 if "numerics.precision=fp32" in case.settings else torch.float64
    assert all(tensor.dtype == kind for tensor in initial.values()), initial
    model = train_plain(case, initial, images, labels, device)
    wanted = {name: tensor.detach() for name, tensor in model.state_dict().items()}
    limit = case.tolerance
    if kind == torch.float32 and device.type != "cpu":
        limit = max(limit, TIMES_AS_FAR * own_distance(case, initial, images, labels, device, wanted))

    good = True
    trained = [cli.weights(run["run"], "last") for run in finished]
    with torch.no_grad():
        logits = model(test_images)
    loss = float(functional.cross_entropy(logits, test_labels))
    accuracy = float((logits.argmax(1) == test_labels).double().mean())
    for run, last in zip(finished, trained):
        value, tensor = distance(last, wanted, initial)
        good &= report(f"{case.name}, {case.model}, {run['arm']}", value, limit, value <= limit, tensor)
        # The loss is no worse conditioned than the weights: logits move by a few times their distance.
        error = abs(run["test_loss"] - loss) / loss
        same = error <= 10 * limit and run["test_accuracy"] == accuracy
        good &= report("  its test loss and accuracy", error, 10 * limit, same, f"{accuracy:.3f}")
    return good, trained[0], (wanted, initial)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True, help="accumulus-cli")
    parser.add_argument("--mnist", required=True, type=Path, help="folder with MNIST's four IDX files (.gz)")
    add_device(parser)
    options = parser.parse_args()
    device = compute_on(options.device)
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)  # threads that wait for each other are slow beside other tests
    print(f"PyTorch {torch.__version__}, {SAMPLES} samples as micro-batches of {MICRO}, {UPDATES} updates")
    good = True
    plain = {}
    with tempfile.TemporaryDirectory(prefix="accumulus-oracle-") as folder:
        cli = Cli(options.cli, folder)
        for case in CASES:
            agrees, got, reference = check_case(cli, options.mnist, case, device)
            good &= agrees
            if case.name == "sgd":
                plain[case.model] = reference
            elif case.name != "sgd, fp32" and not (case.resize and case.model == "mlp"):
                # Were a setting without effect on either side, both would agree and prove nothing.
                value, tensor = distance(got, *plain[case.model])
                good &= report("  the setting has an effect", value, MISTAKE_IS_SEEN, value > MISTAKE_IS_SEEN, tensor)
        for name, model, settings in MISTAKES:
            finished = cli.train(model, SGD + settings)
            value, tensor = distance(cli.weights(finished[0]["run"], "last"), *plain[model])
            good &= report(f"mistake seen: {name}, {model}", value, MISTAKE_IS_SEEN, value > MISTAKE_IS_SEEN, tensor)
    print("all agree" if good else "NOT all agree")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
