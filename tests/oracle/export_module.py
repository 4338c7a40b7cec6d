#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What resources/python/accumulus_export.py writes and reads, without accumulus-cli: modules, arrays, experiment files, weights,
and its refusals.

Exit code 0: all is right; 1: not; 77: Python lacks torch, torchvision, transformers, numpy or safetensors.
"""
import contextlib
import io
import random
import sys
import tempfile
import tomllib
from pathlib import Path

try:
    import numpy as np
    import torch
    import transformers
    from safetensors.torch import save_file
    from torch import nn
    from torch.nn import functional
    from torch.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset

    import export_cases
except ImportError as missing:
    print(f"skipped: {sys.executable} has no {missing.name}; set ACCUMULUS_PYTHON to one with torch, torchvision, transformers, "
          "numpy, safetensors")
    sys.exit(77)

from accumulus_export import ExportError, export, load_weights

SAMPLES = export_cases.SAMPLES


def said(*arguments, call=export, **options):
    """What a call prints."""
    with contextlib.redirect_stdout(io.StringIO()) as words:
        call(*arguments, **options)
    return words.getvalue()


def outputs(module, inputs, training):
    module.train(training)
    buffers = [buffer.clone() for buffer in module.buffers()]
    torch.manual_seed(5)
    with torch.no_grad():
        result = module(inputs)
        moved = [buffer.clone() for buffer in module.buffers()]
        for buffer, before in zip(module.buffers(), buffers):
            buffer.copy_(before)
    return result, moved


def module_is_the_network(case, method, folder):
    """Names, values, gradients, running statistics; the network that was given is as it was."""
    net = case.network()
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    drawn = torch.get_rng_state()
    words = said(net, case.data(SAMPLES, 2), folder, method=method, loss=case.loss)
    assert torch.equal(drawn, torch.get_rng_state()), "export drew from the random stream"
    assert all(torch.equal(tensor, before[name]) for name, tensor in net.state_dict().items()), "export changed the network"
    wanted = case.way if method == "auto" else {"script": "scripted", "trace": "traced"}[method]
    assert wanted in words, words
    loaded = torch.jit.load(str(folder / "model.pt"))
    names = [name for name, _ in net.named_parameters()]
    assert [name for name, _ in loaded.named_parameters()] == names, "names of parameters"
    held = dict(loaded.named_buffers()) | dict(loaded.named_parameters())
    assert all(torch.equal(tensor, held[name]) for name, tensor in before.items()), "weights"
    inputs, _ = case.data(7, 3)
    for training in (True, False):
        (got, moved), (expected, moved_there) = outputs(loaded, inputs, training), outputs(net, inputs, training)
        assert torch.allclose(got, expected, rtol=1e-12, atol=1e-13), f"outputs, training {training}"
        there = dict(zip((name for name, _ in net.named_buffers()), moved_there))
        for name, buffer in zip((name for name, _ in loaded.named_buffers()), moved):
            assert torch.allclose(buffer.double(), there[name].double(), rtol=1e-12), f"{name}, training {training}"
    if case.draws:  # dropout lives in training, and only there
        differ = [not torch.equal(loaded.train(training)(inputs), loaded(inputs)) for training in (True, False)]
        assert differ == [True, False], differ
    gradients = []
    for module in (loaded.train(), net.train()):
        torch.manual_seed(5)
        module(inputs).square().sum().backward()
        gradients.append([parameter.grad for parameter in module.parameters()])
    for name, got, expected in zip(names, *gradients):
        assert (got is None) == (expected is None), name
        assert got is None or torch.allclose(got, expected, rtol=1e-9, atol=1e-11), f"gradient of {name}"


class Items(Dataset):
    """Pairs one by one, as numbers, arrays and tensors."""

    def __init__(self, inputs, targets):
        self.pairs = inputs, targets

    def __len__(self):
        return len(self.pairs[0])

    def __getitem__(self, number):
        if number >= len(self):
            raise IndexError
        return self.pairs[0][number].numpy(), int(self.pairs[1][number])


class Stream(IterableDataset):
    def __iter__(self):
        return iter([(torch.full((3,), float(number)), number % 2) for number in range(40)])


def arrays_are_the_samples(folder):
    """NumPy reads what was written, whatever the samples come from and whatever type they have."""
    net = nn.Sequential(nn.Flatten(), nn.Linear(6, 4))
    inputs, targets = torch.randn(50, 2, 3), torch.randint(0, 4, (50,))
    sources = {"tensors": (inputs, targets), "TensorDataset": TensorDataset(inputs, targets), "Dataset": Items(inputs, targets),
               "DataLoader": DataLoader(Items(inputs, targets), batch_size=24), "Subset":
               torch.utils.data.Subset(Items(inputs, targets), range(50)), "uint8": (inputs, targets.to(torch.uint8))}
    for name, source in sources.items():
        said(net, source, folder, test_set=(inputs[:9], targets[:9]))
        for file, tensor in (("inputs", inputs), ("targets", targets), ("test_inputs", inputs[:9]), ("test_targets", targets[:9])):
            array = np.load(folder / "data" / f"{file}.npy")
            assert array.dtype == tensor.numpy().dtype and np.array_equal(array, tensor.numpy()), (name, file)
        batch = tomllib.loads((folder / "experiment.toml").read_text())["batch"]
        assert batch == ({"effective": 24, "micro": 6} if name == "DataLoader" else {"effective": 32, "micro": 8}), batch
    for sampler in (torch.utils.data.RandomSampler(inputs), torch.utils.data.SequentialSampler(inputs)):
        said(net, DataLoader(Items(inputs, targets), batch_sampler=torch.utils.data.BatchSampler(sampler, 10, False)), folder)
        assert np.array_equal(np.load(folder / "data/inputs.npy"), inputs.numpy())
        assert tomllib.loads((folder / "experiment.toml").read_text())["batch"]["effective"] == 10
    said(nn.Linear(3, 2), DataLoader(Stream(), batch_size=8), folder, limit=30)
    said(net, sources["Dataset"], folder, limit=20)
    assert np.array_equal(np.load(folder / "data/inputs.npy"), inputs[:20].numpy())
    assert not (folder / "data/test_inputs.npy").exists(), "test samples of an earlier export are left"
    assert tomllib.loads((folder / "experiment.toml").read_text())["data"]["validation"] == 2
    said(nn.Linear(3, 2), Stream(), folder, limit=30)
    assert np.load(folder / "data/inputs.npy")[:, 0].tolist() == list(range(30))
    # More than one chunk; every type.
    large = torch.randn(300, 100, 100)
    said(nn.Sequential(nn.Flatten(), nn.Linear(10000, 1)), Items(large, torch.zeros(300)), folder)
    assert np.array_equal(np.load(folder / "data/inputs.npy", mmap_mode="r"), large.numpy())

    class Any(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(3, 2)

        def forward(self, x):
            return self.linear(x.float())

    for kind in (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
                 torch.float32, torch.float64):
        values = torch.randint(0, 2, (11, 3)).to(kind)
        said(Any(), (values, torch.zeros(11, dtype=torch.long)), folder)
        array = np.load(folder / "data/inputs.npy")
        expected = (values.float() if kind == torch.bfloat16 else values).numpy()
        assert array.dtype == expected.dtype and np.array_equal(array, expected), kind


def experiment_says_it(folder):
    """Losses and optimizers of torch, as settings."""
    def settings(net, data, **options):
        said(net, data, folder, **options)
        return tomllib.loads((folder / "experiment.toml").read_text())

    net, inputs = nn.Linear(3, 4), torch.randn(20, 3)
    classes, numbers = (inputs, torch.randint(0, 4, (20,))), (inputs, torch.randn(20, 4))
    losses = [(None, classes, {"kind": "cross-entropy"}), (None, numbers, {"kind": "mse", "normalise": "tokens"}),
              (nn.functional.l1_loss, numbers, {"kind": "l1", "normalise": "tokens"}),
              (nn.HuberLoss(delta=0.5), numbers, {"kind": "huber", "delta": 0.5, "normalise": "tokens"}),
              (nn.SmoothL1Loss(), numbers, {"kind": "huber", "normalise": "tokens"}),
              (nn.BCEWithLogitsLoss(), (inputs, torch.randint(0, 2, (20, 4))), {"kind": "bce-with-logits", "normalise": "tokens"}),
              (nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2, 3, 0.5]), label_smoothing=0.25), classes,
               {"kind": "cross-entropy", "class_weights": [1.0, 2.0, 3.0, 0.5], "label_smoothing": 0.25})]
    for loss, data, wanted in losses:
        found = settings(net, data, loss=loss)
        assert found["loss"] == wanted, (found["loss"], wanted)
    ignored = classes[1].clone()
    ignored[::3] = 3
    settings(net, (inputs, ignored), loss=nn.CrossEntropyLoss(ignore_index=3))
    assert np.array_equal(np.load(folder / "data/targets.npy"), torch.where(ignored == 3, -100, ignored).numpy())

    optimizers = [(torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.8, nesterov=True, weight_decay=0.1),
                   {"name": "sgd", "lr": 0.2, "momentum": 0.8, "nesterov": True, "weight_decay": 0.1}),
                  (torch.optim.Adam(net.parameters(), lr=0.2, betas=(0.8, 0.9), eps=1e-5),
                   {"name": "adam", "lr": 0.2, "beta1": 0.8, "beta2": 0.9, "eps": 1e-5, "weight_decay": 0.0}),
                  (torch.optim.AdamW(net.parameters()), {"name": "adamw", "lr": 1e-3, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8,
                                                        "weight_decay": 0.01}),
                  ("adam", {"name": "adam", "lr": 1e-3})]
    for optimizer, wanted in optimizers:
        found = settings(net, classes, optimizer=optimizer)["optimizer"]
        assert found == wanted, (found, wanted)
    # What the optimizer does not have is frozen in the file, and stays trainable here.
    said(net, classes, folder, optimizer=torch.optim.SGD([net.weight], lr=0.1))
    loaded = torch.jit.load(str(folder / "model.pt"))
    assert loaded.weight.requires_grad and not loaded.bias.requires_grad and net.bias.requires_grad
    own = {"train.clip_norm": 1.5, "data.shuffle": False, "model.freeze": ["bi*"]}
    found = settings(net, classes, batch=15, micro=4, length="9 updates", seeds=3, large_batch=False, settings=own)
    assert found["batch"] == {"effective": 15, "micro": 4, "ragged": "weight"} and found["study"]["seeds"] == [0, 1, 2]
    assert found["train"] == {"length": "9 updates", "clip_norm": 1.5} and found["model"]["freeze"] == ["bi*"]
    assert (folder / "experiment.toml.old").exists(), "a changed experiment file was thrown away"
    # A DataLoader's short last batch is left out where it leaves it out; its order is told.
    for last in (True, False):
        assert "does not shuffle" in said(net, DataLoader(TensorDataset(*classes), batch_size=8, drop_last=last), folder)
        assert ('tail = "drop"' in (folder / "experiment.toml").read_text(encoding="utf-8")) == last
    assert "shuffle" not in said(net, DataLoader(TensorDataset(*classes), batch_size=8, shuffle=True), folder)
    # The folder may be moved, and be called anything.
    for name in ("moved", "\U0001F600 \u00e9", "del\x7f", 'quote " and \\'):
        said(net, classes, folder / name)
        text = (folder / name / "experiment.toml").read_text(encoding="utf-8")
        found = tomllib.loads(text)
        assert found["study"]["name"] == name and str(folder) not in text, text
        assert (found["data"]["path"], found["model"]["path"]) == ("data", "model.pt"), text
    for options, few in (({}, True), ({"seeds": 2}, True), ({"seeds": 3}, False), ({"large_batch": False}, False),
                         ({"settings": {"study.seeds": [4, 5, 6]}}, False)):
        assert ("needs seeds=3" in said(net, classes, folder, **options)) == few, options


def weights_come_back(folder):
    """All or nothing, by name; tied weights, buffers, other types, a module around the network."""
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens, self.norm, self.out = nn.Embedding(6, 4), nn.BatchNorm1d(4), nn.Linear(4, 6, bias=False)
            self.out.weight = self.tokens.weight
            self.register_buffer("table", torch.zeros(3), persistent=False)

        def forward(self, ids):
            return self.out(self.norm(self.tokens(ids).mean(1)))

    net, file = Tied(), folder / "weights.safetensors"
    given = {"tokens.weight": torch.randn(6, 4, dtype=torch.float64), "norm.weight": torch.randn(4), "norm.bias": torch.randn(4),
             "norm.running_mean": torch.randn(4), "norm.running_var": torch.rand(4), "table": torch.ones(3)}
    for prefix in ("", "module.net."):
        net = Tied()
        save_file({prefix + name: tensor for name, tensor in given.items()}, file)
        words = said(net, file, call=load_weights)
        assert "norm.num_batches_tracked" in words and (not prefix or prefix in words), words
        held = dict(net.named_buffers()) | dict(net.named_parameters())
        assert all(torch.equal(held[name], tensor.float()) for name, tensor in given.items())
        assert net.out.weight is net.tokens.weight and net.out.weight.requires_grad and net.out.weight.dtype == torch.float32
    data = torch.randint(0, 6, (20, 3)), torch.randint(0, 6, (20,))
    for method in ("script", "trace"):
        said(net, data, folder, method=method)
        assert [name for name, _ in torch.jit.load(str(folder / "model.pt")).named_parameters()] == ["tokens.weight", "norm.weight", "norm.bias"]
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    raw = file.read_bytes()
    damaged = {"lacks": {name: tensor for name, tensor in given.items() if name != "norm.bias"},
               "has what the network has not": given | {"other": torch.zeros(1)}, "shapes": given | {"norm.bias": torch.zeros(5)},
               "no safetensors file": raw[:-1]}
    refused("damaged", lambda: file.write_bytes(b"") or load_weights(net, file), "no safetensors file")
    for words, tensors in damaged.items():
        save_file(tensors, file) if isinstance(tensors, dict) else file.write_bytes(tensors)
        refused(words, lambda: load_weights(net, file), words)
        assert all(torch.equal(tensor, before[name]) for name, tensor in net.state_dict().items()), "half loaded"


def refused(what, call, words):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            call()
    except ExportError as reason:
        assert words in str(reason), f"{what}: {reason}"
        return
    raise AssertionError(f"{what} was not refused")


class Module(nn.Module):
    def __init__(self, forward):
        super().__init__()
        self.linear, self.way = nn.Linear(3, 2), forward

    def forward(self, x, **options):
        return self.way(self.linear, x)


class Branches(nn.Module):
    """Ways that a trace of a few samples does not see."""

    def __init__(self, way):
        super().__init__()
        self.first, self.second, self.way = nn.Linear(3, 3), nn.Linear(3, 2), way

    def forward(self, x, **options):  # so that script does not take it
        return self.second(self.way(self, x))


def routed(net, x):
    mask = x[:, 0] > 2.0
    return torch.where(mask[:, None], net.first(x), x) if len(x[mask]) else x


def traces_are_compared_with_the_set(folder):
    inputs, targets = torch.zeros(200, 3), torch.randint(0, 2, (200,))
    inputs[140:160] = 3.0  # only these are routed
    ways = {"routed": (routed, "a batch of 8"), "torch": (lambda net, x: net.first(x) if net.training and torch.rand(()) < 0.2 else x, "other random numbers"),
            "random": (lambda net, x: net.first(x) if net.training and random.random() < 0.2 else x, "other random numbers"),
            "numpy": (lambda net, x: net.first(x) if net.training and np.random.rand() < 0.2 else x, "other random numbers")}
    for name, (way, words) in ways.items():
        before = random.getstate()
        refused(name, lambda: export(Branches(way), (inputs, targets), folder, method="trace"), words)
        assert before == random.getstate(), "the caller's random numbers have moved"
    assert "batch=16, all samples" in said(nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)), (inputs[:17], targets[:17]), folder, method="trace")
    said(Branches(lambda net, x: functional.dropout(net.first(x), 0.5, net.training)), (inputs, targets), folder, method="trace")
    (part := nn.Sequential(nn.Linear(3, 3), nn.Dropout(), nn.Linear(3, 2)))[1].eval()
    assert "layers in evaluation mode train like all others: 1." in said(part, (inputs, targets), folder)
    assert "evaluation mode" not in said(part.eval(), (inputs, targets), folder)
    tokens, scores = torch.randint(0, 5, (20, 4)), nn.Sequential(nn.Embedding(5, 6), nn.Linear(6, 5))
    for network, words in ((nn.Sequential(scores, nn.Flatten(0, 1)), "returns [16, 5]"), (scores, "return logits.transpose(1, 2)")):
        refused(words, lambda: export(network, (tokens, tokens), folder), words)


def refusals_name_the_cure(folder):
    inputs, targets = torch.randn(20, 3), torch.randint(0, 2, (20,))
    net, good = nn.Linear(3, 2), (inputs, targets)
    below = targets.clone()
    below[15] = -1
    signs = torch.cat([torch.ones(3, 3), -torch.ones(17, 3) * 9])
    nets = {"OneTensor": (Module(lambda linear, x: {"logits": linear(x)}), good), "not a torch.nn.Module": (len, good),
            "net.float()": (nn.Linear(3, 2).half(), good), "requires_grad": (nn.Linear(3, 2).requires_grad_(False), good),
            "shape [4, 3], uint8": (net, (inputs.byte(), targets)), "ToTensor": (net, [(Picture(), 1)]),
            "computes something else": (Module(lambda linear, x: linear(x) if x.sum() > 0 else -linear(x)), (signs, targets)),
            "x.size(0)": (Module(lambda linear, x: linear(x).reshape(x.detach().numpy().shape[0], 2)), good),
            "Crop or pad": (net, [(torch.randn(3), 1)] * 9 + [(torch.randn(4), 1)]), "dicts": (net, [{"x": 1, "y": 2}]),
            "empty": (net, []), "pair": (net, [(1, 2, 3)]), "classes count from 0": (net, (inputs, below)),
            "limit=": (net, Stream()), "collate_fn": (net, DataLoader(TensorDataset(*good), collate_fn=list)),
            "of as many": (net, (inputs, targets[:5])), "not finite": (net, (inputs * float("nan"), targets))}
    for words, (network, data) in nets.items():
        refused(words, lambda: export(network, data, folder), words)
    data, torch_data = TensorDataset(*good), torch.utils.data
    samplers = {"SubsetRandomSampler": {"sampler": torch_data.SubsetRandomSampler(range(7))},
                "WeightedRandomSampler": {"sampler": torch_data.WeightedRandomSampler([1.0] * 20, 20)},
                "with replacement": {"sampler": torch_data.RandomSampler(data, replacement=True)},
                "RandomSampler of 9": {"sampler": torch_data.RandomSampler(data, num_samples=9)},
                "batch_sampler list": {"batch_sampler": [[0, 1], [2, 3]]}}
    for words, way in samplers.items():
        refused(words, lambda: export(net, DataLoader(data, **way), folder), words)
        refused(words, lambda: export(net, DataLoader(data, **way), folder), "torch.utils.data.Subset(")
    numbers = (inputs, torch.randn(20, 2))
    for parent in (nn.CrossEntropyLoss, nn.NLLLoss, nn.MSELoss, nn.L1Loss, nn.HuberLoss, nn.SmoothL1Loss, nn.BCEWithLogitsLoss):
        own = type(f"Own{parent.__name__}", (parent,), {"forward": lambda self, x, t: (x.sum() - t.sum()).abs()})
        refused(own.__name__, lambda: export(net, numbers, folder, loss=own()), f"the loss {own.__name__} is none")
    losses = {"BCEWithLogitsLoss": nn.BCELoss(), "multiply the learning rate": nn.MSELoss(reduction="sum"), 'loss="model"': nn.PoissonNLLLoss(),
              "one of cross-entropy": "ce", "HuberLoss": nn.SmoothL1Loss(beta=0.5), "argmax": "cross-entropy"}
    for words, loss in losses.items():
        refused(words, lambda: export(net, numbers, folder, loss=loss), words)
    weights = list(net.parameters())
    decayed = torch.optim.SGD(weights, lr=0.5)
    torch.optim.lr_scheduler.LinearLR(decayed)
    optimizers = {"a scheduler has set": decayed, "no RMSprop": torch.optim.RMSprop(weights), "amsgrad": torch.optim.Adam(weights, amsgrad=True), '"sgd"': "lion",
                  "made for another": torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1), "one for all parameters":
                  torch.optim.SGD([{"params": weights[:1]}, {"params": weights[1:], "lr": 0.5}], lr=0.1)}
    for words, optimizer in optimizers.items():
        refused(words, lambda: export(net, good, folder, optimizer=optimizer), words)
    with contextlib.redirect_stdout(io.StringIO()):  # numbers of PyTorch and NumPy are numbers
        export(net, good, folder / "numbers", optimizer=decayed, lr=torch.tensor(0.25), batch=np.int64(8), micro=np.int64(4))
    written = (folder / "numbers" / "experiment.toml").read_text(encoding="utf-8")
    assert "lr = 0.25\n" in written and "effective = 8\n" in written and "micro = 4\n" in written, written
    (written := folder / "written").write_text("kept")
    calls = {"is a file": {"folder": written}, "more than the 20 samples": {"batch": 32, "test_set": good}, "18 samples": {"batch": 19}, "a list": {"settings": [1]},
             "as train.clip_norm": {"settings": {"train.clip_norm": object()}}, "settings has 3": {"settings": {3: 1}}, "batch='8'": {"batch": "8"},
             "as train.lr": {"settings": {"train.lr": torch.ones(2)}}, "micro=2.5": {"micro": 2.5}, "cannot be made": {"folder": Path("/proc/none")}, "seeds='3'": {"seeds": "3"}}
    for words, options in calls.items():
        refused(words, lambda: export(net, good, **({"folder": folder} | options)), words)
    assert written.read_text() == "kept" and not (folder / "experiment.toml").exists()
    refused("as many outputs", lambda: export(net, (inputs, torch.randn(20)), folder), "as many outputs")
    earlier = {file: file.read_bytes() for file in (folder / "numbers").rglob("*") if file.is_file()}
    refused("test set", lambda: export(net, (inputs + 1.0, targets), folder / "numbers", test_set=(inputs.double(), targets)), "samples of test_set")
    assert earlier == {file: file.read_bytes() for file in (folder / "numbers").rglob("*") if file.is_file()}, "a failed export changed an earlier one"
    assert not list(folder.rglob(".export-*")), "what was not finished is left"


class Picture:
    __module__ = "PIL.Image"


def main():
    torch.set_default_dtype(torch.float32)
    torch.set_num_threads(1)  # threads that wait for each other are slow beside other tests
    transformers.logging.set_verbosity_error()
    print(f"PyTorch {torch.__version__}, transformers {transformers.__version__}")
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="accumulus-export-") as name:
        checks = [(f"{case.name}, {method}", lambda folder, case=case, method=method: module_is_the_network(case, method, folder))
                  for case in export_cases.NETWORKS + export_cases.DRAWING for method in ("auto", "trace")]
        checks += [(check.__name__.replace("_", " "), check)
                   for check in (arrays_are_the_samples, experiment_says_it, weights_come_back, traces_are_compared_with_the_set,
                                 refusals_name_the_cure)]
        for number, (what, check) in enumerate(checks):
            folder = Path(name) / str(number)
            folder.mkdir()
            try:
                check(folder)
                print(f"right  {what}", flush=True)
            except (AssertionError, ExportError) as reason:
                print(f"WRONG  {what}: {type(reason).__name__} {reason}", flush=True)
                wrong += 1
    print("all is right" if not wrong else f"{wrong} are wrong")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
