#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ResNets of accumulus-cli against torchvision's.

Architecture: our initial weights go into torchvision's model and its weights into ours, strictly by name, order and
shape; both have to give the same logits. Training: accumulus-cli makes two updates on random images (CIFAR-10's binary
format, written here), accumulated and as the large batch; torchvision's model in training mode makes the same updates
with torch.optim. Weights, running statistics, test loss and accuracy have to agree, BatchNorm's view of each
micro-batch included.

Exit code 0: all agree and every planted mistake is seen; 1: not; 77: Python lacks torch, torchvision or safetensors.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import torch
    import torch.nn.functional as functional
    import torchvision
    from safetensors.torch import load_file, save_file
except ImportError as missing:
    print(f"skipped: {sys.executable} has no {missing.name}; set ACCUMULUS_PYTHON to one with torch, torchvision, "
          "safetensors")
    sys.exit(77)

from pytorch_weights import Cli, add_device, compute_on, report

CLASSES, IMAGES = 10, 6
SAMPLES, MICRO, UPDATES, TEST_SAMPLES, LR = 12, 4, 2, 20, 0.02
MEAN, DEVIATION = (0.4914, 0.4822, 0.4465), (0.2023, 0.1994, 0.2010)

# Relative L2 distances. Up to 53 layers of sums of up to 4608 terms: 1e-15 a layer in fp64, 1e-6 and less in fp32.
TOLERANCE = {torch.float64: 1e-11, torch.float32: 1e-5}
# Distances of trained weights are relative to how far they have moved (see pytorch_weights.py). BatchNorm of few values
# in the last layers amplifies rounding by some hundreds in an update.
TRAINED_TOLERANCE = 1e-9
# Planted mistakes measured 0.1 and more.
MISTAKE_IS_SEEN = 1e-3


def torchvision_model(name, settings):
    """torchvision's own model; the 3x3 stem is its usual adaption to small images."""
    options = {}
    if "model.norm=group" in settings:
        options["norm_layer"] = lambda channels: torch.nn.GroupNorm(32, channels)
    model = getattr(torchvision.models, name)(num_classes=CLASSES, **options)
    if "model.stem=cifar" in settings:
        model.conv1 = torch.nn.Conv2d(3, 64, 3, padding=1, bias=False)
        model.maxpool = torch.nn.Identity()
    return model.double()


def header_names(file):
    """Names in the order of the file: safetensors begins with the length of a JSON header."""
    with open(file, "rb") as stream:
        header = json.loads(stream.read(int.from_bytes(stream.read(8), "little")))
    return [name for name in header if name != "__metadata__"]


def distance(got, wanted):
    return float((got.double() - wanted.double()).norm() / wanted.double().norm())


class Ours:
    """The helper program: logits of our models."""

    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)

    def save(self, weights):
        file = self.folder / "weights.safetensors"
        save_file({name: tensor.contiguous() for name, tensor in weights.items()}, file)
        return file

    def run(self, images, weights, settings):
        """`weights`: a file, or the seed that they are drawn from."""
        save_file({"input": images}, self.folder / "input.safetensors")
        output = self.folder / "output.safetensors"
        subprocess.run([self.program, self.folder / "input.safetensors", output, str(CLASSES), str(weights), *settings],
                       check=True)
        return load_file(output), header_names(output)


def converted(tensors, kind):
    return {name: tensor.to(kind) if tensor.is_floating_point() else tensor for name, tensor in tensors.items()}


def seasoned(model):
    """The model with running statistics and affine weights that are not the identity."""
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            if name.endswith("running_mean"):
                tensor.normal_(0.0, 0.1)
            elif name.endswith("running_var") or (tensor.dim() == 1 and name.endswith("weight")):
                tensor.uniform_(0.5, 1.5)
    return model.eval()


def check_architecture(ours, name, settings, images):
    label = " ".join([name] + [setting.split("=")[1] for setting in settings if setting.startswith("model.")])
    settings = [f"model.name={name}", *settings]
    model = seasoned(torchvision_model(name, settings))
    state = model.state_dict()

    # From here to there: names, order, shapes, logits.
    output, names = ours.run(images, "7", settings)
    logits = output.pop("logits")
    parameters = [key for key, _ in model.named_parameters()]
    buffers = [key for key, _ in model.named_buffers() if not key.endswith("num_batches_tracked")]
    good = names == parameters + buffers + ["logits"]
    print(f"{'agrees  ' if good else 'DIFFERS '} {label}: {len(parameters)} names of parameters, {len(buffers)} of buffers")
    counters = {key: tensor for key, tensor in state.items() if key.endswith("num_batches_tracked")}
    own = torchvision_model(name, settings).eval()
    own.load_state_dict({**output, **counters}, strict=True)
    with torch.no_grad():
        value = distance(logits, own(images))
    good &= report("  our weights there, fp64", value, TOLERANCE[torch.float64], value <= TOLERANCE[torch.float64])

    # From there to here.
    with torch.no_grad():
        wanted = model(images)
    for kind, layouts in ((torch.float64, ("off", "on")), (torch.float32, ("on",))):
        file = ours.save(converted(state, kind))
        for layout in layouts:
            output, _ = ours.run(images.to(kind), file, [*settings, f"numerics.channels_last={layout}"])
            value = distance(output["logits"], wanted)
            bits = "fp64" if kind == torch.float64 else "fp32"
            memory = "channels last" if layout == "on" else "rows"
            good &= report(f"  its weights here, {bits}, {memory}", value, TOLERANCE[kind], value <= TOLERANCE[kind])
    return good


def mistakes_are_seen(ours, images):
    """Were any of these without effect on the logits, the comparison would prove nothing."""
    good = True
    model = seasoned(torchvision_model("resnet50", []))
    with torch.no_grad():
        wanted = model(images)
        first = torchvision_model("resnet50", []).eval()  # the stride on the first convolution: v1 in place of v1.5
        for stage in (first.layer2, first.layer3, first.layer4):
            stage[0].conv1.stride, stage[0].conv2.stride = (2, 2), (1, 1)
        first.load_state_dict(model.state_dict())
        changed = {"stride on the 1x1": first(images)}
        file = ours.save({**model.state_dict(), "bn1.running_var": torch.ones(64, dtype=torch.float64)})
        output, _ = ours.run(images, file, ["model.name=resnet50"])
        changed["running variance not loaded"] = output["logits"]
    for name, logits in changed.items():
        value = distance(logits, wanted)
        good &= report(f"mistake seen: {name}", value, MISTAKE_IS_SEEN, value > MISTAKE_IS_SEEN)
    return good


def write_cifar(folder):
    """Random images in CIFAR-10's binary format: a label and 3 x 32 x 32 bytes each. Returns them as tensors."""
    folder.mkdir()
    generator = torch.Generator().manual_seed(3)
    parts = {}
    for file, count in (("data_batch_1.bin", SAMPLES), ("test_batch.bin", TEST_SAMPLES)):
        pixels = torch.randint(0, 256, (count, 3072), generator=generator, dtype=torch.uint8)
        labels = torch.arange(count, dtype=torch.uint8).remainder(CLASSES)
        (folder / file).write_bytes(torch.cat([labels.unsqueeze(1), pixels], dim=1).numpy().tobytes())
        scaled = pixels.view(count, 3, 32, 32).double() / 255
        parts[file] = ((scaled - torch.tensor(MEAN, dtype=torch.float64).view(3, 1, 1)) /
                       torch.tensor(DEVIATION, dtype=torch.float64).view(3, 1, 1), labels.long())
    return parts["data_batch_1.bin"], parts["test_batch.bin"]


def train_ours(cli, folder, settings):
    """The run-finished objects: the accumulated arm, then the large batch."""
    every = ["data.dataset=cifar10", f"data.path={folder}", "data.shuffle=false", f"batch.effective={SAMPLES}",
             f"batch.micro={MICRO}", f"train.length={UPDATES} updates", "numerics.precision=fp64", f"optimizer.lr={LR}",
             "optimizer.momentum=0.9", "checkpoint.initial=true", "checkpoint.every=0 epochs", "evaluate.every=0 epochs",
             "study.large_batch=true", "study.seeds=[3]", "device.lanes=1", "device.threads=1"]
    assignments = [word for setting in every + settings for word in ("--set", setting)]
    lines = [json.loads(line) for line in cli.call("run", "/dev/null", "--json", *assignments).splitlines()]
    finished = [line for line in lines if line["event"] == "run-finished"]
    assert [line["arm"] for line in finished] == ["accumulated", "large-batch"], finished
    return finished


def train_torchvision(name, settings, initial, images, labels, micro, device):
    """torchvision's model in training mode: it sees `micro` images at once and updates after all of them."""
    model = torchvision_model(name, settings)
    model.load_state_dict(initial, strict=True)
    model.train().to(device)
    images, labels = images.to(device), labels.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=LR, momentum=0.9)
    for _ in range(UPDATES):
        optimizer.zero_grad()
        for first in range(0, SAMPLES, micro):
            logits = model(images[first:first + micro])
            (functional.cross_entropy(logits, labels[first:first + micro], reduction="sum") / SAMPLES).backward()
        optimizer.step()
    return model.cpu()


def moved(got, wanted, initial):
    """The worst tensor's distance, relative to how far it has moved, with its name."""
    assert set(got) == set(wanted), (sorted(set(got) ^ set(wanted)))
    floats = [name for name, tensor in wanted.items() if tensor.is_floating_point()]
    return max((float((got[name] - wanted[name]).norm() / (wanted[name] - initial[name]).norm()), name) for name in floats)


def check_training(cli, folder, data, name, settings, device):
    (images, labels), (test_images, test_labels) = data
    label = " ".join([name] + [setting.split("=")[1] for setting in settings])
    finished = train_ours(cli, folder, [f"model.name={name}", *settings])
    initial = cli.weights(finished[0]["run"], "initial")
    ghost = "study.ghost=true" in settings
    good = True
    references, models = {}, {}
    for run, micro in zip(finished, (MICRO, MICRO if ghost else SAMPLES)):
        last = load_file(run["checkpoint"])
        if micro not in models:
            models[micro] = train_torchvision(name, settings, initial, images, labels, micro, device)
        model = models[micro]
        wanted = {key: tensor.detach() for key, tensor in model.state_dict().items()}
        references[run["arm"]] = wanted
        value, tensor = moved(last, wanted, initial)
        good &= report(f"{label}, {run['arm']}", value, TRAINED_TOLERANCE, value <= TRAINED_TOLERANCE, tensor)
        counted = {key: (int(last[key]), int(wanted[key])) for key in wanted if key.endswith("num_batches_tracked")}
        if not ghost and any(ours != theirs for ours, theirs in counted.values()):
            print("DIFFERS  num_batches_tracked", counted["bn1.num_batches_tracked"])
            good = False
        with torch.no_grad():
            logits = model.eval()(test_images)
        loss = float(functional.cross_entropy(logits, test_labels))
        accuracy = float((logits.argmax(1) == test_labels).double().mean())
        error = abs(run["test_loss"] - loss) / loss
        same = error <= 10 * TRAINED_TOLERANCE and run["test_accuracy"] == accuracy
        good &= report("  its test loss and accuracy", error, 10 * TRAINED_TOLERANCE, same, f"{accuracy:.3f}")
    if not ghost and "model.norm=group" not in settings:
        value, tensor = moved(references["accumulated"], references["large-batch"], initial)
        good &= report("  BatchNorm sees the split", value, MISTAKE_IS_SEEN, value > MISTAKE_IS_SEEN, tensor)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True, help="accumulus-cli")
    parser.add_argument("--logits", required=True, help="the helper program model_logits")
    add_device(parser)
    options = parser.parse_args()
    device = compute_on(options.device)
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)  # threads that wait for each other are slow beside other tests
    torch.manual_seed(1)
    print(f"PyTorch {torch.__version__}, torchvision {torchvision.__version__}")
    good = True
    with tempfile.TemporaryDirectory(prefix="accumulus-oracle-") as folder:
        ours = Ours(options.logits, folder)
        for name, stem, norm in (("resnet18", "imagenet", "batch"), ("resnet18", "cifar", "group"),
                                 ("resnet50", "imagenet", "batch"), ("resnet50", "cifar", "group")):
            side = 40 if stem == "imagenet" else 17
            images = torch.randn(IMAGES, 3, side, side)
            good &= check_architecture(ours, name, [f"model.stem={stem}", f"model.norm={norm}"], images)
        good &= mistakes_are_seen(ours, torch.randn(IMAGES, 3, 40, 40))

        cli = Cli(options.cli, folder)
        images = Path(folder) / "cifar"
        data = write_cifar(images)
        for settings in ([], ["study.ghost=true"]):
            good &= check_training(cli, images, data, "resnet18", settings, device)
    print("all agree" if good else "NOT all agree")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
