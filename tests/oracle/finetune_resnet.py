#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fine-tuning: torchvision's ResNet-18 with weights from a file, a new head and a frozen stem, against PyTorch.

torch.save writes the state dict of a network with 1000 classes. accumulus-cli takes it (model.weights) for its built-in
ResNet-18 and for the same network as a module from a file, gives it a new head of 10 classes (model.new_head), freezes the first
layers (model.freeze) and makes five updates in fp64 with frozen BatchNorm statistics. PyTorch does the same on the whole batch,
from the head that accumulus-cli drew. Frozen weights have to keep their bits, all others have to agree.

Exit code 0: all agree and every planted mistake is seen; 1: not; 77: Python lacks torch, torchvision or safetensors.
"""
import argparse
import contextlib
import copy
import io
import json
import sys
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

try:
    import torch
    import torchvision
    from torch.nn import functional

    from pytorch_weights import Cli, add_device, compute_on, report
except ImportError as missing:
    print(f"skipped: {sys.executable} has no {missing.name}; set ACCUMULUS_PYTHON to one with torch, torchvision, safetensors")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources/python"))
from accumulus_export import export

CLASSES, SAMPLES, MICRO, UPDATES, LR, SIDE = 10, 16, 4, 5, 0.02, 40
FREEZE = ["conv1.*", "bn1.*", "layer1.*"]
# See export_networks.py; without live BatchNorm nothing amplifies rounding.
TOLERANCE, MISTAKE_IS_SEEN = 1e-10, 1e-6


def network(classes):
    return torchvision.models.resnet18(num_classes=classes).double()


def pretrained(classes=1000):
    """Stands for what is downloaded: running statistics and affine weights are not the identity."""
    torch.manual_seed(4)
    net = network(classes)
    with torch.no_grad():
        for name, tensor in net.state_dict().items():
            if name.endswith("running_mean"):
                tensor.normal_(0.0, 0.1)
            elif name.endswith("running_var") or (tensor.dim() == 1 and name.endswith("weight")):
                tensor.uniform_(0.5, 1.5)
    return net.state_dict()


def is_frozen(name):
    return any(fnmatchcase(name, pattern) for pattern in FREEZE)


def train_plain(initial, data, device, frozen=is_frozen):
    """The network after all updates, and as it was before the last of them, on the CPU."""
    net = network(CLASSES)
    net.load_state_dict(initial, strict=False)
    for name, parameter in net.named_parameters():
        parameter.requires_grad_(not frozen(name))
    net.eval().to(device)  # the statistics of the file
    inputs, targets = (part.to(device) for part in data)
    optimizer = torch.optim.SGD([part for part in net.parameters() if part.requires_grad], lr=LR, momentum=0.9, weight_decay=0.01)
    for update in range(UPDATES):
        if update == UPDATES - 1:
            before = copy.deepcopy(net)
        optimizer.zero_grad()
        functional.cross_entropy(net(inputs), targets).backward()
        optimizer.step()
    return net.cpu(), before.cpu()


def distance(got, net, initial):
    """The worst tensor's, relative to how far it has moved, with its name."""
    wanted = {name: part.detach() for name, part in net.named_parameters() if part.requires_grad}
    return max((float((got[name] - part).norm() / (part - initial[name]).norm()), name) for name, part in wanted.items())


def check(cli, folder, label, settings, weights, data, device):
    with contextlib.redirect_stdout(io.StringIO()):
        torch.manual_seed(6)
        file = export(network(CLASSES), data, folder / label, test_set=data, lr=LR, batch=SAMPLES, micro=MICRO,
                      length=f"{UPDATES} updates", large_batch=False, settings={
                          "data.shuffle": False, "optimizer.momentum": 0.9, "optimizer.weight_decay": 0.01,
                          "model.weights": str(weights), "model.new_head": True, "model.freeze": FREEZE,
                          "numerics.batch_norm": "frozen", "checkpoint.initial": True, "checkpoint.every": "0 epochs",
                          "evaluate.every": "0 epochs", "device.lanes": 1, "device.threads": 1} | settings)
    lines = [json.loads(line) for line in cli.call("run", str(file), "--json").splitlines()]
    run, = [line for line in lines if line["event"] == "run-finished"]
    initial, last = cli.weights(run["run"], "initial"), cli.weights(run["run"], "last")
    given, head = pretrained(), ("fc.weight", "fc.bias")
    same = [name for name, tensor in initial.items() if name not in head and not name.endswith("num_batches_tracked")
            and not torch.equal(tensor, given[name])]
    good = report(f"{label}: tensors that are not the file's", len(same), 0, not same, ", ".join(same[:3]))
    drawn = initial["fc.weight"]
    good &= report("  a new head", float(drawn.std()), 1, drawn.shape == (CLASSES, 512) and 0 < float(drawn.std()) < 1)
    frozen = [name for name in initial if is_frozen(name) and not name.endswith("num_batches_tracked")]  # a counter of passes
    changed = [name for name in frozen if not torch.equal(initial[name], last[name])]
    good &= report(f"  frozen tensors that changed, of {len(frozen)}", len(changed), 0, frozen and not changed, ", ".join(changed[:3]))
    moved = [name for name in initial if "running" in name and not torch.equal(initial[name], last[name])]
    good &= report("  statistics that changed", len(moved), 0, not moved, ", ".join(moved[:3]))
    right, short = train_plain(initial, data, device)
    value, name = distance(last, right, initial)
    good &= report("  five updates", value, TOLERANCE, value <= TOLERANCE, name)
    thawed, _ = train_plain(initial, data, device, frozen=lambda name: False)
    for mistake, net in (("an update left out", short), ("nothing frozen", thawed)):
        value, name = distance(last, net, initial)
        good &= report(f"  mistake seen: {mistake}", value, MISTAKE_IS_SEEN, value > MISTAKE_IS_SEEN, name)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True, help="accumulus-cli")
    add_device(parser)
    options = parser.parse_args()
    device = compute_on(options.device)
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    print(f"PyTorch {torch.__version__}, torchvision {torchvision.__version__}")
    generator = torch.Generator().manual_seed(8)
    data = torch.randn(SAMPLES, 3, SIDE, SIDE, generator=generator), torch.arange(SAMPLES) % CLASSES
    with tempfile.TemporaryDirectory(prefix="accumulus-oracle-") as name:
        cli, folder = Cli(options.cli, name), Path(name)
        weights = folder / "resnet18.pth"
        torch.save(pretrained(), weights)
        good = check(cli, folder, "a module from a file", {}, weights, data, device)
        good &= check(cli, folder, "the built-in network", {"model.name": "resnet18", "model.path": ""}, weights, data, device)
    print("all agree" if good else "NOT all agree")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
