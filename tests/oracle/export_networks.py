#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks of other people (export_cases.py), exported by resources/python/accumulus_export.py and trained by accumulus-cli.

--part training: five updates in fp64 from micro-batches of 4, and as one batch of 16, against plain PyTorch: torch.optim on
the whole batch, which knows nothing of accumulation. The same in fp32, where the kernels are our own. The weights come back through `accumulus-cli export` and load_weights.
With BatchNorm the whole batch is compared with frozen statistics; with live ones PyTorch sees the same micro-batches.
--part lanes: the same bits on 1, 2 and 3 lanes. --part resume: the same bits after kill -9. --part audit: `accumulus-cli audit`
says equivalent, or differs as expected where layers mix or draw. --part plan: under a memory limit that the largest size
exceeds, the size that `plan` recommends trains without being split, to the same weights.

Exit code 0: all agree and every planted mistake is seen; 1: not; 77: Python lacks torch, torchvision, transformers or
safetensors.
"""
import argparse
import contextlib
import copy
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import torch
    import transformers

    import export_cases
    from pytorch_weights import Cli, add_device, compute_on, report
except ImportError as missing:
    print(f"skipped: {sys.executable} has no {missing.name}; set ACCUMULUS_PYTHON to one with torch, torchvision, transformers, "
          "safetensors")
    sys.exit(77)

from accumulus_export import export, load_weights

UPDATES = 5
# Relative L2 per tensor, to how far it has moved, or to a thousandth of how far all have: the bias of a key in attention moves
# by rounding only. Both sides add the same fp64 terms in another order.
TOLERANCE = 1e-10
# The smallest mistake measured is above 0.01.
MISTAKE_IS_SEEN = 1e-6
# Parts of a micro-batch need room for one gradient more: a network that has hardly anything but parameters gains nothing.
OUT_OF_MEMORY = {"memory.resplit", "out of memory"}

# Training asks PyTorch about every network, and audit judges every loss and layer. The other parts compare our side with itself:
# one network for each way to differ. BatchNorm: running statistics that lanes share, that a checkpoint has to hold, and most
# weights for their activations. Weights of classes: units that are no counts, added up over lanes. The U-Net: numbers as targets,
# and activations that are most of the memory. Dropout, scripted and traced: draws that depend neither on lanes nor on what was
# computed before the kill; traced, inputs that are token ids.
OF_PART = {
    "lanes": ("mobilenet_v3_small", "table, weighted classes", "BERT with dropout"),
    "resume": ("mobilenet_v3_small", "U-Net, mse", "table with dropout", "BERT with dropout"),
    "plan": ("mobilenet_v3_small", "U-Net, mse", "BERT with dropout"),
}
# What an optimizer does without momentum is the same for all: one that is scripted, one that is traced.
WITHOUT_MOMENTUM = ("table, huber", "BERT classifier")


class Trained:
    """One export, with the command line."""

    def __init__(self, options, case, folder, samples=export_cases.SAMPLES, length=UPDATES, momentum=0.9, **settings):
        self.case, self.folder, self.cli = case, Path(folder), Cli(options.cli, folder)
        self.file = Path(folder) / "experiment.toml"
        self.data = case.data(samples, 2)
        self.test = case.data(export_cases.TEST_SAMPLES, 3)
        net = case.network()
        wanted = {"data.shuffle": False, "checkpoint.every": "0 epochs", "evaluate.every": "0 epochs", "device.threads": 1,
                  "device.lanes": 1}
        with contextlib.redirect_stdout(io.StringIO()):
            export(net, self.data, folder, test_set=self.test, loss=case.loss, length=f"{length} updates",
                   optimizer=torch.optim.SGD(net.parameters(), lr=export_cases.LR, momentum=momentum), batch=export_cases.SAMPLES,
                   micro=export_cases.MICRO, settings=wanted | settings)

    def words(self, settings):
        return [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]

    def run(self, **settings):
        """The run-finished objects by arm."""
        lines = self.cli.call("run", str(self.file), "--json", *self.words(settings)).splitlines()
        return {event["arm"]: event for event in map(json.loads, lines) if event["event"] == "run-finished"}

    def notes(self, **settings):
        """The codes of what a run notes; or that memory ran out."""
        try:
            lines = self.cli.call("run", str(self.file), "--json", *self.words(settings)).splitlines()
        except SystemExit as failed:
            if "exit code 4" not in str(failed):
                raise
            return ["out of memory"]
        return [event.get("code", "") for event in map(json.loads, lines) if event["event"] == "note"]

    def hash(self, **settings):
        return self.run(**{"study.large_batch": "false"} | settings)["accumulated"]["weights_hash"]

    def weights(self, run):
        """In a new network, drawn from another seed."""
        net, file = self.case.network(seed=9), self.folder / "weights.safetensors"
        self.cli.call("export", run["run"], "--format", "safetensors", "--checkpoint", "last", "--out", str(file))
        with contextlib.redirect_stdout(io.StringIO()):
            load_weights(net, file)
        return net


def train_plain(case, data, momentum, device, micro=export_cases.SAMPLES, frozen=False, precision=torch.float64):
    """PyTorch sees `micro` samples at once and updates after all of them; the whole batch by default. The network after all
    updates, and as it was before the last of them, on the CPU."""
    net, loss = case.network().train().to(device, precision), copy.deepcopy(case.loss).to(device, precision)
    if frozen:
        for layer in net.modules():
            if isinstance(layer, torch.nn.modules.batchnorm._BatchNorm):
                layer.eval()
    inputs, targets = (part.to(device, precision if part.is_floating_point() else part.dtype) for part in data)
    optimizer = torch.optim.SGD(net.parameters(), lr=export_cases.LR, momentum=momentum)
    for update in range(UPDATES):
        if update == UPDATES - 1:
            before = copy.deepcopy(net)
        optimizer.zero_grad()
        for first in range(0, len(inputs), micro):
            part = slice(first, first + micro)
            (loss(net(inputs[part]), targets[part]) * (len(targets[part]) / len(inputs))).backward()
        optimizer.step()
    return net.cpu(), before.cpu()


def tensors(net):
    return {name: tensor.detach().double() for name, tensor in net.state_dict().items() if not name.endswith("num_batches_tracked")}


def distance(got, wanted, initial):
    """The worst tensor's, with its name."""
    got, wanted, initial = tensors(got), tensors(wanted), tensors(initial)
    moved = {name: float((tensor - initial[name]).norm()) for name, tensor in wanted.items()}
    least = 1e-3 * sum(value ** 2 for value in moved.values()) ** 0.5
    return max((float((got[name] - tensor).norm()) / max(moved[name], least), name) for name, tensor in wanted.items())


def agrees(trained, label, runs, references, short):
    case, good = trained.case, True
    measured = copy.copy(case.loss)
    measured.label_smoothing = 0.0  # of training only
    for arm, run in runs.items():
        wanted = references[arm]
        value, name = distance(trained.weights(run), wanted, case.network())
        good &= report(f"{label}, {arm}", value, TOLERANCE, value <= TOLERANCE, name)
        with torch.no_grad():
            loss = float(measured(wanted.eval()(trained.test[0]), trained.test[1]))
        error = abs(run["test_loss"] - loss) / abs(loss)
        good &= report("  its test loss", error, 10 * TOLERANCE, error <= 10 * TOLERANCE)
    value, name = distance(trained.weights(runs["accumulated"]), short, case.network())
    return good & report("  mistake seen: an update left out", value, MISTAKE_IS_SEEN, value > MISTAKE_IS_SEEN, name)


def check_training(options, case, folder):
    good = True
    for momentum in (0.0, 0.9) if case.name in WITHOUT_MOMENTUM else (0.9,):
        for frozen in (True, False) if case.mixes else (False,):
            trained = Trained(options, case, folder / f"{momentum} {frozen}", momentum=momentum,
                              **{"numerics.batch_norm": "frozen" if frozen else "micro"})
            runs = trained.run()
            assert set(runs) == {"accumulated", "large-batch"}, runs
            whole, short = train_plain(case, trained.data, momentum, options.device, frozen=frozen)
            references = {"large-batch": whole, "accumulated": whole}
            if case.mixes and not frozen:
                references["accumulated"], short = train_plain(case, trained.data, momentum, options.device, export_cases.MICRO)
                value, name = distance(*references.values(), case.network())
                good &= report("BatchNorm sees the split", value, MISTAKE_IS_SEEN, value > MISTAKE_IS_SEEN, name)
            label = f"{case.name}, momentum {momentum}" + (", frozen" if frozen else "")
            good &= agrees(trained, label, runs, references, short)
    return good & check_single(options, case, folder / "fp32")


def rounded_to_fp32(case):
    """The same case with weights and data that fp32 holds: what is left is the error of computing in it."""
    def rounded(tensor):
        return tensor.float().double() if tensor.is_floating_point() else tensor

    result = copy.copy(case)
    result.network = lambda seed=1: case.network(seed).float().double()
    result.data = lambda count, seed: tuple(map(rounded, case.data(count, seed)))
    return result


def check_single(options, case, folder):
    """In fp32 we are nearer to PyTorch in fp32 than that is to fp64. (Most of that distance is the rounding of updated weights,
    which both do alike: measured, it is 16 to 160 times ours.)"""
    case = rounded_to_fp32(case)
    trained = Trained(options, case, folder, **{"numerics.batch_norm": "frozen", "numerics.precision": "fp32"})
    whole, _ = train_plain(case, trained.data, 0.9, options.device, frozen=case.mixes)
    single, short = train_plain(case, trained.data, 0.9, options.device, frozen=case.mixes, precision=torch.float32)
    bound, good = distance(single, whole, case.network())[0], True
    for arm, run in trained.run().items():
        value, name = distance(trained.weights(run), single, case.network())
        good &= report(f"{case.name}, fp32, {arm}", value, bound, value <= bound, name)
    value, name = distance(short, single, case.network())
    return good & report("  mistake seen: an update left out", value, bound, value > bound, name)


def said(good, what, found):
    print(f"{'agrees  ' if good else 'DIFFERS '} {what}: {found}", flush=True)
    return good


def check_lanes(options, case, folder):
    trained = Trained(options, case, folder)
    hashes = [trained.hash(**{"device.lanes": lanes}) for lanes in (1, 2, 3)]
    other = trained.hash(**{"train.length": f"{UPDATES - 1} updates"})
    return said(len(set(hashes)) == 1 and other not in hashes, f"{case.name} on 1, 2 and 3 lanes", hashes[0])


def check_resume(options, case, folder):
    """Killed in the middle, then continued. Small networks have to go on for as long as nobody has read that they began."""
    length, at = 20 if case.mixes else 60, 7
    trained = Trained(options, case, folder, length=length, **{"checkpoint.every": "1 updates", "study.large_batch": False})
    unbroken = trained.hash()
    environment = dict(os.environ, XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder))
    arguments = [options.cli, "run", str(trained.file), "--json", "--library", str(trained.cli.library)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment) as process:
        run, windows = None, 0
        for line in process.stdout:
            event = json.loads(line)
            run, windows = event.get("run", run), event.get("window", windows)
            if windows >= at:
                process.kill()
                break
        seen = [json.loads(line)["event"] for line in process.stdout.read().splitlines() if line.endswith("}")]
    if process.returncode != -9 or "run-finished" in seen:
        return said(False, f"{case.name}, killed", f"it was not killed in time (exit code {process.returncode})")
    events = [json.loads(line) for line in trained.cli.call("resume", run, "--json").splitlines()]
    went_on = [event["window"] for event in events if event["event"] == "window"]
    resumed = [event["weights_hash"] for event in events if event["event"] == "run-finished"]
    good = resumed == [unbroken] and 1 < went_on[0] and went_on[-1] == length
    return said(good, f"{case.name}, killed at update {windows}, went on with {went_on[0]}", resumed)


def check_audit(options, case, folder):
    trained = Trained(options, case, folder, samples=40)
    environment = dict(os.environ, XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder))
    done = subprocess.run([options.cli, "audit", str(trained.file), "--library", str(trained.cli.library)], env=environment,
                          capture_output=True, text=True, check=False)
    expected = 11 if case.mixes or case.draws else 0
    good = said(done.returncode == expected, f"{case.name}, audit", f"exit code {done.returncode}, expected {expected}")
    if not good:
        print(done.stdout, done.stderr)
    if not case.mixes and not case.draws:
        done = subprocess.run([options.cli, "audit", str(trained.file), "--fault", "factor-k", "--library",
                               str(trained.cli.library)], env=environment, capture_output=True, text=True, check=False)
        good &= said(done.returncode == 10, "  a fault is seen", f"exit code {done.returncode}, expected 10")
    return good


def plan_of(trained, **settings):
    """By micro-batch: the points of the plan; and the size that is recommended."""
    plan = json.loads(trained.cli.call("plan", str(trained.file), "--json", "--sizes", "4,8,16", *trained.words(settings)))
    points = {point["micro"]: point for point in plan["points"]}
    return points, plan["recommended"]["micro"], plan


def check_plan(options, case, folder):
    """Under a limit between the peaks of 8 and 16 samples."""
    trained = Trained(options, case, folder, samples=64, **{"study.large_batch": False, "numerics.batch_norm": "frozen"})
    points, _, _ = plan_of(trained)
    limit = (points[8]["peak_bytes"] + points[16]["peak_bytes"]) // 2
    limited = {"device.memory_limit": str(limit)}
    points, micro, plan = plan_of(trained, **limited)
    good = said(not points[16]["fits"] and micro < 16 and plan["verified"], f"{case.name}, a limit of {limit >> 10} KiB",
                f"{micro} is recommended, 16 fits: {points[16]['fits']}")
    codes = trained.notes(**limited, **{"batch.micro": micro})
    good &= said(not OUT_OF_MEMORY & set(codes), f"  {micro} samples train whole", codes)
    codes = trained.notes(**limited, **{"batch.micro": 16})
    good &= said(bool(OUT_OF_MEMORY & set(codes)), "  16 samples do not", codes)
    if not case.draws:
        ours = trained.weights(trained.run(**limited, **{"batch.micro": micro})["accumulated"])
        value, name = distance(ours, trained.weights(trained.run()["accumulated"]), case.network())
        good &= report("  to the same weights", value, TOLERANCE, value <= TOLERANCE, name)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True, help="accumulus-cli")
    parser.add_argument("--part", choices=("training", "lanes", "resume", "audit", "plan"), required=True)
    parser.add_argument("--only", default="", help="networks whose name contains this")
    add_device(parser)
    options = parser.parse_args()
    options.device = compute_on(options.device)
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    print(f"PyTorch {torch.__version__}, transformers {transformers.__version__}, batches of {export_cases.SAMPLES} in parts of "
          f"{export_cases.MICRO}, {UPDATES} updates")
    networks = export_cases.NETWORKS + (export_cases.DRAWING if options.part != "training" else [])
    chosen = OF_PART.get(options.part, [case.name for case in networks])
    assert set(chosen) <= {case.name for case in networks}, chosen
    check = {"training": check_training, "lanes": check_lanes, "resume": check_resume, "audit": check_audit,
             "plan": check_plan}[options.part]
    good = True
    with tempfile.TemporaryDirectory(prefix="accumulus-oracle-") as folder:
        for number, case in enumerate(networks):
            if case.name in chosen and options.only in case.name:
                good &= check(options, case, Path(folder) / str(number))
    print("all agree" if good else "NOT all agree")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
