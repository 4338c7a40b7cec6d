# SPDX-License-Identifier: GPL-3.0-or-later
"""Train your own network in Accumulus: writes model, data and experiment file from a live module and a Dataset.

Three lines::

    from accumulus_export import export, load_weights

    export(net, train_set, "my-experiment", test_set=test_set)      # prints the command that trains it
    load_weights(net, "weights.safetensors")                        # afterwards: the trained weights, back in `net`

`export` changes nothing of `net` and writes

- `my-experiment/model.pt`, the module as TorchScript with its weights. It is scripted where that works and traced where it
  does not, and it must compute what `net` computes before it is kept. What is traced has a path for training and one for
  evaluation, so dropout and BatchNorm stay alive. Names of parameters are those of `net.state_dict()`.
- `my-experiment/data/`, the samples as `inputs.npy`, `targets.npy`, `test_inputs.npy`, `test_targets.npy`. They are written
  one after the other, so the set may be larger than memory. Each is read once: a transform that draws (a random crop) is
  drawn once, too.
- `my-experiment/experiment.toml`, with comments, ready for `accumulus-cli run`, `audit`, `plan`, and for the workbench. It
  names both without the folder, which may be moved.

A sample is a pair (input, target) of tensors or numbers, and the network takes one input and returns one tensor: a module of
a few lines makes that of any other. Losses and optimizers may be objects of torch.nn and torch.optim; what Accumulus
cannot do the same way is refused with the reason. Needs torch 2.1 or later, nothing else.
"""
import contextlib
import copy
import ctypes
import json
import math
import operator
import random
import shlex
import sys
import tempfile
import time
import types
import warnings
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

__all__ = ["ExportError", "export", "load_weights"]

NPY = {torch.bool: "|b1", torch.uint8: "|u1", torch.int8: "|i1", torch.int16: "<i2", torch.int32: "<i4",
       torch.int64: "<i8", torch.float16: "<f2", torch.float32: "<f4", torch.float64: "<f8"}
SAFETENSORS = {"BOOL": torch.bool, "U8": torch.uint8, "I8": torch.int8, "I16": torch.int16, "I32": torch.int32,
               "I64": torch.int64, "F16": torch.float16, "BF16": torch.bfloat16, "F32": torch.float32,
               "F64": torch.float64}
IGNORED = -100  # a target that bears no loss
CHUNK = 8 << 20  # bytes of samples that are written at once
CHECKED = 64  # samples of the set on which a trace is compared with the network
CHECKED_SECONDS = 10.0  # and for how long at most
MODEL, DATA, EXPERIMENT = "model.pt", "data", "experiment.toml"
WRAPPER = """
    class OneTensor(torch.nn.Module):
        def __init__(self, net):
            super().__init__()
            self.net = net
        def forward(self, inputs):
            return self.net(inputs).logits     # or whatever makes one tensor of it
    export(OneTensor(net), ...)"""


class ExportError(RuntimeError):
    """What is asked for cannot be written or read; says why, and what to do."""


def export(net, train_set, folder, *, test_set=None, loss=None, optimizer=None, lr=None, batch=None, micro=None,
           length="3 epochs", large_batch=True, seeds=1, method="auto", limit=None, settings=None):
    """Writes model, data and experiment file to `folder`; returns the path of the experiment file. An export that
    fails changes nothing of an earlier one.

    `train_set`, `test_set`: a Dataset, a DataLoader (its data set is taken; a sampler that chooses is refused), or a pair of tensors (inputs, targets).
    Without a test set a tenth of the training set is held out. `limit`: so many samples of each at most.
    `loss`: "cross-entropy", "mse", "l1", "huber", "bce-with-logits", "model" (the network is called with inputs and
    targets and returns one loss a sample, or the tuple (sum, count)), or a loss of torch.nn or torch.nn.functional. By
    default whole numbers as targets mean cross-entropy, others mse.
    `optimizer`: "sgd", "adam", "adamw" (with `lr`), or one of torch.optim, whose settings are taken, not its state.
    `batch`: samples behind each update, 32 by default; `micro`: how many pass through the network at once, a quarter.
    `large_batch`: train the whole batch at once as well, and compare. `seeds`: how many runs of each; a verdict needs 3.
    `method`: "script", "trace" or "auto". `settings`: any other, as {"train.clip_norm": 1.0}; see `accumulus-cli fields`.
    Relative paths among them start at `folder`.
    """
    net, folder = _unwrapped(net), Path(folder)
    chosen, (batch, micro) = (batch, micro), _batch(train_set, batch, micro)
    train, test = _Samples(train_set, "train_set"), None if test_set is None else _Samples(test_set, "test_set")
    loss = _Loss(loss, train.first()[1])
    example = train.batch(4, loss)
    optimizer = _optimizer_settings(optimizer, lr, net)
    kept = _trained_copy(net, optimizer.pop("parameters"))
    _try(kept, example, loss)

    _make(folder)
    with tempfile.TemporaryDirectory(prefix=".export-", dir=folder) as made:
        made = Path(made)
        (made / DATA).mkdir()
        say, is_traced = _made_script(kept, example, loss, method, made / MODEL)
        written = train.write(made / DATA, "", limit, loss)
        if is_traced:
            train.notes += _check_trace(kept, written.some(made / DATA), loss, made / MODEL)
        test_count = test.write(made / DATA, "test_", limit, loss, like=written).count if test else 0

        table = {"data": {"dataset": "tensors", "path": DATA},
                 "model": {"name": "file", "path": MODEL},
                 "batch": _windows(batch, micro) | ({"tail": "drop"} if train.drops_last else {}),
                 "loss": loss.settings(written), "optimizer": optimizer, "train": {"length": length},
                 "numerics": {"precision": _precision(kept)},
                 "study": {"name": folder.resolve().name, "seeds": list(range(_whole("seeds", seeds))), "large_batch": bool(large_batch)}}
        if test is None:
            table["data"]["validation"] = max(1, written.count // 10)
        _add_settings(table, settings or {})
        train.notes += _fit_batch(table, written.count, chosen == (None, None))
        _write_experiment(made / EXPERIMENT, table)
        replaced = _put_in_place(made, folder)
    seeds, compared = table["study"]["seeds"], table["study"]["large_batch"]
    few = ([f"seeds={len(seeds)} trains each way {'once' if len(seeds) == 1 else 'twice'}; a verdict on accumulation needs seeds=3."]
           if compared and len(seeds) in (1, 2) else [])

    trained = [parameter for parameter in kept.parameters() if parameter.requires_grad]
    frozen = sum(parameter.numel() for parameter in kept.parameters()) - sum(map(torch.Tensor.numel, trained))
    held_out = f"{test_count:,} to test on" if test else f"of which {table['data']['validation']:,} are held out to test on"
    print(f"{folder / MODEL}: {sum(map(torch.Tensor.numel, trained)):,} parameters to train"
          f"{f', {frozen:,} frozen' if frozen else ''}; {say}")
    print(f"{folder / DATA}: {written.count:,} samples to train on, {held_out}; inputs {written.inputs}, targets {written.targets}")
    for note in [*train.notes, *loss.notes, *few, *replaced, *_mode_notes(net), *_layer_notes(kept, large_batch)]:
        print(f"note: {note}")
    print(f"next: accumulus-cli run {_quoted(folder / EXPERIMENT)}    (or open that file in the workbench)")
    return folder / EXPERIMENT


def load_weights(net, file):
    """Copies the weights of a safetensors file into `net`, by name. Nothing is changed unless every parameter is there in
    its shape; a buffer that the file does not have keeps its value. Numbers become of the network's type."""
    net, file = _unwrapped(net), Path(file)
    parameters = dict(net.named_parameters(remove_duplicate=False))
    own = parameters | dict(net.named_buffers(remove_duplicate=False))
    with open(file, "rb") as stream:
        held = _header(stream, file)
        prefix = _common_prefix(own, held)
        names = {name: name.removeprefix(prefix) for name in held}
        if unknown := [name for name in names if names[name] not in own]:
            raise ExportError(f"{file} has what the network has not: {_listed(unknown)}. Are these weights of another network?")
        given = {id(own[name]) for name in names.values()}
        if missing := [name for name, tensor in parameters.items() if id(tensor) not in given]:
            raise ExportError(f"{file} lacks parameters of the network: {_listed(missing)}. Are these weights of another network?")
        wrong = [f"{name} {list(held[key].shape)}, here {list(own[name].shape)}" for key, name in names.items()
                 if held[key].shape != own[name].shape]
        if wrong:
            raise ExportError(f"shapes in {file} are not the network's: {_listed(wrong)}.")
        with torch.no_grad():
            for key, name in names.items():
                own[name].copy_(held[key].read(stream))
    buffers = [name for name in own if name not in parameters]
    kept = [name for name in buffers if id(own[name]) not in given]
    print(f"{file}: {len(parameters)} parameters and {len(buffers) - len(kept)} buffers loaded"
          + (f"; not in the file, unchanged: {_listed(kept)}" if kept else "")
          + (f'; "{prefix}" left out of the names' if prefix else ""))


# The network.

def _unwrapped(net):
    if not isinstance(net, nn.Module):
        raise ExportError(f"the network is a {type(net).__name__}, not a torch.nn.Module.")
    while True:
        inner = getattr(net, "_orig_mod", None)
        if inner is None and type(net).__name__ in ("DistributedDataParallel", "DataParallel"):
            inner = net.module
        if inner is None:
            return net
        net = inner


def _trained_copy(net, trained):
    """On the CPU, in training mode. `trained`: ids of the parameters that the optimizer has, or None for all."""
    kinds = {parameter.dtype for parameter in net.parameters() if parameter.is_floating_point()}
    if kinds & {torch.float16, torch.bfloat16}:
        raise ExportError("the network's weights have 16 bits. Give export net.float(); training in 16 bits with fp32 weights is "
                          'settings={"numerics.precision": "bf16"}.')
    if any(isinstance(parameter, nn.parameter.UninitializedParameter) for parameter in net.parameters()):
        raise ExportError("the network has lazy layers that were never called: call it once on a batch, then export it.")
    try:
        kept = copy.deepcopy(net).cpu().train()
    except Exception as reason:
        raise ExportError(f"the network cannot be copied: {_first_line(reason)}. Build a new one and load its state_dict().") from None
    for parameter, original in zip(kept.parameters(), net.parameters()):
        parameter.grad = None
        if trained is not None and id(original) not in trained:
            parameter.requires_grad_(False)
    if not any(parameter.requires_grad for parameter in kept.parameters()):
        raise ExportError("the network has no parameter that is trained: all have requires_grad = False.")
    return kept


def _precision(net):
    return "fp64" if any(parameter.dtype == torch.float64 for parameter in net.parameters()) else "fp32"


@contextlib.contextmanager
def _seeded(seed):
    """Whatever a network may draw from begins at `seed`, and goes on afterwards as if nothing had been drawn."""
    numpy = sys.modules.get("numpy")
    before = random.getstate(), numpy and numpy.random.get_state()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        random.seed(seed)
        if numpy:
            numpy.random.seed(seed)
        try:
            yield
        finally:
            random.setstate(before[0])
            if numpy:
                numpy.random.set_state(before[1])


def _computed(net, example, loss, training, seed=0):
    """Outputs for a batch, from a fixed random state. The network's buffers stay as they are."""
    buffers = [(buffer, buffer.clone()) for buffer in net.buffers()]
    net.train(training)
    with _seeded(seed), torch.no_grad():
        try:
            return loss.outputs(net(*loss.arguments(*example)))
        finally:
            for buffer, before in buffers:
                buffer.copy_(before)
            net.train()


def _try(net, example, loss):
    """Do network, data and loss fit together?"""
    inputs, targets = example
    for training in (True, False):
        try:
            outputs = _computed(net, example, loss, training)
        except Exception as reason:
            raise ExportError(f"the network does not take inputs of shape {list(inputs.shape)}, {_kind(inputs)}, "
                              f"{'in training' if training else 'in evaluation'}: {_first_line(reason)}") from None
        if not isinstance(outputs, torch.Tensor):
            raise ExportError(f"the network returns a {type(outputs).__name__}, but one tensor is needed. A few lines make one of it:"
                              + WRAPPER)
    try:
        value = float(loss.value(outputs, targets))
    except Exception as reason:
        cure = (" Classes stand second: return logits.transpose(1, 2)."
                if outputs.dim() == 3 and outputs.shape[:2] == targets.shape and loss.kind == "cross-entropy" else "")
        raise ExportError(f"{loss.kind} takes no outputs of shape {list(outputs.shape)} with targets of shape {list(targets.shape)}, "
                          f"{_kind(targets)}: {_first_line(reason)}{cure}") from None
    if loss.kind != "model" and outputs.shape[:1] != inputs.shape[:1]:
        raise ExportError(f"the network returns {list(outputs.shape)} for {len(inputs)} samples: the first dimension has to be theirs. Scores of "
                          "tokens are logits.transpose(1, 2), [samples, classes, tokens], before they are flattened.")
    if not math.isfinite(value):
        raise ExportError(f"the loss of the first {len(inputs)} samples is {value}: are there values that are not finite?")


def _made_script(net, example, loss, method, file):
    """Writes the module; returns how it was made, and whether it is a trace."""
    if method not in ("auto", "script", "trace"):
        raise ExportError(f'method is "{method}": "script", "trace" or "auto".')
    if isinstance(net, torch.jit.ScriptModule):
        _checked_save(net, net, example, loss, file)
        return "TorchScript as given", False
    why = ""
    if method != "trace":
        try:
            with _quiet():
                scripted = torch.jit.script(copy.deepcopy(net))
            _checked_save(scripted, net, example, loss, file)
            return "scripted", False
        except Exception as reason:
            if method == "script":
                raise ExportError(f'the network cannot be scripted: {_first_line(reason)} method="trace" records it instead.') from None
            why = f" (scripting failed: {_first_line(reason)})"
    try:
        traced = _traced(copy.deepcopy(net), loss.arguments(*example))
        _checked_save(traced, net, example, loss, file)
    except ExportError:
        raise
    except Exception as reason:
        raise ExportError(f"the network cannot be traced: {_first_line(reason)}{why}") from None
    return f"traced with {len(example[0])} samples{why}", True


def _traced(net, arguments):
    """One module with a trace in training and one in evaluation over the same parameters. BatchNorm is scripted within them, so
    that it can be frozen by itself."""
    for owner in list(net.modules()):
        for name, layer in owner.named_children():
            if type(layer) in (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d):
                with _quiet():
                    setattr(owner, name, torch.jit.script(layer))
    names = ", ".join(("inputs", "targets")[:len(arguments)])

    def in_training(self, *given):
        self.train()
        return self(*given)

    def in_evaluation(self, *given):
        self.eval()
        return self(*given)

    net.in_training, net.in_evaluation = types.MethodType(in_training, net), types.MethodType(in_evaluation, net)
    buffers = [(buffer, buffer.clone()) for buffer in net.buffers()]
    with _seeded(0), _quiet():
        traced = torch.jit.trace_module(net, {"in_training": arguments, "in_evaluation": arguments}, check_trace=False)
    traced.define(f"def forward(self, {names}):\n    if self.training:\n        return self.in_training({names})\n"
                  f"    return self.in_evaluation({names})\n")
    with torch.no_grad():
        for buffer, before in buffers:
            buffer.copy_(before)
    return traced.train()


def _checked_save(script, net, example, loss, file):
    """Saves what computes the same as the network, on batches of another size than the example, too."""
    with _quiet():
        torch.jit.save(script, str(file))
        loaded = torch.jit.load(str(file), map_location="cpu")
    for count in sorted({len(example[0]), max(2, len(example[0]) - 1)}):
        batch = tuple(tensor[:count] for tensor in example)
        for training in (False, True):
            _compare(loaded, net, batch, loss, training)
    names = {name for name, _ in net.named_parameters()}
    if lost := names - {name for name, _ in loaded.named_parameters(remove_duplicate=False)}:
        raise ExportError(f"parameters got lost: {_listed(sorted(lost))}.")


def _check_trace(net, batches, loss, file):
    """A trace goes the way that its example went: other samples and other random numbers may lead elsewhere. Returns what
    there is to say."""
    with _quiet():
        loaded = torch.jit.load(str(file), map_location="cpu")
    ends = time.monotonic() + CHECKED_SECONDS
    every = [(batch, training, 0) for batch in batches for training in (True, False)]
    every += [(batch, True, seed) for batch in batches[:1] for seed in range(1, 33)]
    for done, (batch, training, seed) in enumerate(every):
        if time.monotonic() > ends:
            return [f"the trace was compared with the network for {CHECKED_SECONDS:.0f} seconds: {done} of {len(every)} comparisons."]
        _compare(loaded, net, batch, loss, training, seed)
    return []


def _compare(script, net, batch, loss, training, seed=0):
    mode = ("in training" if training else "in evaluation") + (", with other random numbers," if seed else "")
    wanted = _computed(net, batch, loss, training, seed)
    try:
        with _quiet(), torch.jit.optimized_execution(False):  # optimising takes longer than what it would save
            got = _computed(script, batch, loss, training, seed)
    except Exception as reason:
        raise ExportError(f"what was made of the network fails {mode} on a batch of {len(batch[0])}: {_first_line(reason)} Sizes of "
                          "batches must not be written into forward(): use x.size(0), x.flatten(1) or -1.") from None
    bound = {torch.float64: 1e-9}.get(wanted.dtype, 1e-3) * (float(wanted.double().abs().max()) + 1e-30)
    if got.shape != wanted.shape or not bool(((got.double() - wanted.double()).abs() <= bound).all()):
        raise ExportError(f"what was made of the network computes something else {mode} on a batch of {len(batch[0])}: a trace keeps "
                          "the branches and sizes of its example. Write forward() so that torch.jit.script takes it.")


def _mode_notes(net):
    """Layers that somebody has put into evaluation mode one by one; of a network that is in it as a whole nothing was meant."""
    modes = {name: layer for name, layer in net.named_modules() if not layer.training}
    meant = [name for name, layer in modes.items()
             if isinstance(layer, (nn.modules.batchnorm._BatchNorm, nn.modules.dropout._DropoutNd))]
    if net.training and meant:
        yield (f"layers in evaluation mode train like all others: {_listed(meant)}. nn.Identity() in place of a dropout layer leaves it out, and "
               'settings={"numerics.batch_norm": "frozen"} keeps the statistics of BatchNorm.')


def _layer_notes(net, large_batch):
    mixing = [layer for layer in net.modules() if isinstance(layer, nn.modules.batchnorm._BatchNorm)]
    if mixing and large_batch:
        yield (f"BatchNorm ({len(mixing)} layers) sees each micro-batch by itself, so accumulation is not quite the large batch; "
               'settings={"numerics.batch_norm": "frozen"} trains with the statistics that the network has.')


# The data.

class _Written:
    """What lies in a file of samples."""

    def __init__(self, count, inputs, targets, input_form, target_form):
        self.count, self.inputs, self.targets = count, inputs, targets
        self.form, self.target_elements = (input_form, target_form), math.prod(target_form[0])

    def some(self, folder):
        """Batches of training samples from all over the files."""
        rows = torch.linspace(0, self.count - 1, min(self.count, CHECKED), dtype=torch.float64).long().tolist()
        parts = (_Npy.rows(folder / name, form, rows).split(8) for name, form in zip(("inputs.npy", "targets.npy"), self.form))
        return [batch for batch in zip(*parts) if len(batch[0]) > 1]  # BatchNorm cannot train on one sample


class _Samples:
    """Pairs of tensors, from whatever holds them."""

    def __init__(self, source, name):
        self.name, self.notes, self.tensors, self.drops_last = name, [], None, False
        if isinstance(source, torch.utils.data.DataLoader):
            if source.collate_fn not in (torch.utils.data.default_collate, None):
                raise ExportError(f"{name} is a DataLoader with a collate_fn of its own: give a Dataset of (input, target) pairs, already "
                                  "padded to one size.")
            if way := _own_way(source):
                raise ExportError(f"{name} is a DataLoader with {way}, which chooses samples: give a Dataset of those to be trained on, for "
                                  "example torch.utils.data.Subset(dataset, indices).")
            batches = source.batch_sampler
            self.drops_last = bool(getattr(batches, "drop_last", False))
            if name == "train_set" and type(getattr(batches, "sampler", None)) is torch.utils.data.SequentialSampler:
                self.notes.append(f'{name} is a DataLoader that does not shuffle; here each epoch is shuffled. settings={{"data.shuffle": False}} '
                                  "keeps the order.")
            source = source.dataset
        if isinstance(source, torch.utils.data.TensorDataset):
            source = source.tensors
        if isinstance(source, (tuple, list)) and source and all(isinstance(part, torch.Tensor) for part in source):
            if len(source) != 2 or len(source[0]) != len(source[1]):
                raise ExportError(f"{name} has tensors of {[len(part) for part in source]} samples: two are needed, inputs and targets, of as many.")
            self.tensors = source
        elif not hasattr(source, "__getitem__") and (not hasattr(source, "__iter__") or iter(source) is source):
            raise ExportError(f"{name} is a {type(source).__name__}: a Dataset of (input, target) pairs is needed, or two tensors.")
        self.source = source
        if hasattr(source, "__len__") and len(self) == 0:
            raise ExportError(f"{name} is empty.")
        if not self.tensors and not torch.equal(self.first()[0], self.first()[0]):
            self.notes.append(f"{name} draws its samples anew each time (a random transform?): one drawing of each is written.")

    def __len__(self):
        return len(self.tensors[0]) if self.tensors else len(self.source)

    def first(self):
        return next(self._each(1))

    def batch(self, count, loss):
        """The first samples as a batch, targets as they will be written."""
        inputs, targets = zip(*self._each(count))
        self._alike(inputs, targets)
        return torch.stack(inputs), loss.target(torch.stack(targets))

    def write(self, folder, prefix, limit, loss, like=None):
        """inputs.npy and targets.npy. `like`: what the samples have to look like."""
        first_input, first_target = self.first()
        first_target = loss.target(first_target)
        form = _form(first_input), _form(first_target)
        if like is not None and form != like.form:
            raise ExportError(f"samples of {self.name} are {_form_text(form)}, those of train_set {_form_text(like.form)}.")
        lowest = highest = None
        with _Npy(folder / f"{prefix}inputs.npy", first_input) as inputs, _Npy(folder / f"{prefix}targets.npy", first_target) as targets:
            for some_inputs, some_targets in self._chunks(limit):
                some_targets = loss.target(some_targets)
                inputs.add(some_inputs)
                targets.add(some_targets)
                if not some_targets.is_floating_point() and (real := some_targets[some_targets != IGNORED]).numel():
                    lowest = min(int(real.min()), int(real.min()) if lowest is None else lowest)
                    highest = max(int(real.max()), int(real.max()) if highest is None else highest)
        if loss.kind == "cross-entropy" and lowest is not None and lowest < 0:
            raise ExportError(f"{self.name} has the class {lowest}: classes count from 0, and {IGNORED} bears no loss.")
        values = "" if lowest is None else f", {lowest} to {highest}"
        return _Written(inputs.count, f"{list(form[0][0])} {_kind(first_input)}", f"{list(form[1][0])} {_kind(first_target)}{values}", *form)

    def _chunks(self, limit):
        if self.tensors:
            count = min(len(self), limit or len(self))
            rows = max(1, CHUNK // max(1, self.tensors[0][:1].nbytes))
            for first in range(0, count, rows):
                last = min(count, first + rows)
                yield tuple(_plain(part[first:last]) for part in self.tensors)
            return
        some, size = [], 0
        for number, pair in enumerate(self._each(limit)):
            if some and (_form(pair[0]), _form(pair[1])) != (_form(some[0][0]), _form(some[0][1])):
                self._alike(*zip(some[0], pair), number)
            some.append(pair)
            size += pair[0].nbytes + pair[1].nbytes
            if size >= CHUNK:
                yield tuple(map(torch.stack, zip(*some)))
                some, size = some[:0], 0
        if some:
            yield tuple(map(torch.stack, zip(*some)))

    def _each(self, limit):
        if self.tensors:
            for sample in range(min(len(self), limit or len(self))):
                yield tuple(_plain(part[sample]) for part in self.tensors)
            return
        if hasattr(self.source, "__len__") and hasattr(self.source, "__getitem__"):
            numbers = range(min(len(self.source), limit or len(self.source)))
            entries = (self.source[number] for number in numbers)
        elif limit is None:
            raise ExportError(f"{self.name} does not say how many samples it has: give limit=.")
        else:
            entries = (entry for entry, _ in zip(self.source, range(limit)))
        for number, entry in enumerate(entries):
            yield self._pair(entry, number)

    def _pair(self, entry, number):
        if isinstance(entry, dict):
            raise ExportError(f"samples of {self.name} are dicts ({_listed(list(map(str, entry)))}): give pairs (input, target), for example "
                              "TensorDataset(inputs, labels). A network with several inputs needs a module around it that takes them "
                              "from one tensor.")
        if not isinstance(entry, (tuple, list)) or len(entry) != 2:
            what = f"{len(entry)} parts" if isinstance(entry, (tuple, list)) else f"a {type(entry).__name__}"
            raise ExportError(f"sample {number} of {self.name} has {what}: a pair (input, target) is needed. Several inputs go into one "
                              "tensor, which a module around the network takes apart.")
        return tuple(self._tensor(part, what, number) for part, what in zip(entry, ("input", "target")))

    def _tensor(self, value, what, number):
        try:
            return _plain(torch.as_tensor(value))
        except ExportError:
            raise
        except Exception:
            cure = (" Give the data set transform=torchvision.transforms.ToTensor()." if "PIL" in type(value).__module__ else "")
            raise ExportError(f"the {what} of sample {number} of {self.name} is a {type(value).__name__}, not a tensor or number.{cure}") from None

    def _alike(self, inputs, targets, number=None):
        for what, tensors in (("inputs", inputs), ("targets", targets)):
            for at, tensor in enumerate(tensors):
                if _form(tensor) != _form(tensors[0]):
                    place = f"sample {at if number is None else number}"
                    raise ExportError(f"{what} of {self.name} differ: sample 0 has {_form_text([_form(tensors[0])])}, {place} "
                                      f"{_form_text([_form(tensor)])}. Crop or pad them to one size in the Dataset.")


def _own_way(loader):
    """How a DataLoader goes through its set, where that is neither in order nor a permutation; else nothing."""
    data = torch.utils.data
    if isinstance(loader.dataset, data.IterableDataset):
        return None
    batches = loader.batch_sampler
    if batches is not None and type(batches) is not data.BatchSampler:
        return f"the batch_sampler {type(batches).__name__}"
    sampler = loader.sampler if batches is None else batches.sampler
    if type(sampler) is data.RandomSampler and (sampler.replacement or sampler.num_samples != len(loader.dataset)):
        return f"a RandomSampler of {sampler.num_samples} samples{' with replacement' if sampler.replacement else ''}"
    return None if type(sampler) in (data.RandomSampler, data.SequentialSampler) else f"the sampler {type(sampler).__name__}"


class _Npy:
    """Writes an array whose length is known at the end."""

    HEADER = 256

    def __init__(self, file, sample):
        self.file, self.count = file, 0
        self.shape, self.dtype = sample.shape, sample.dtype

    @classmethod
    def rows(cls, file, form, rows):
        shape, dtype = form
        size = math.prod(shape) * torch.empty((), dtype=dtype).element_size()
        found = []
        with open(file, "rb") as stream:
            for row in rows:
                stream.seek(cls.HEADER + row * size)
                found.append(torch.frombuffer(bytearray(stream.read(size)), dtype=dtype).reshape(shape))
        return torch.stack(found)

    def __enter__(self):
        self.stream = open(self.file, "wb")
        self.stream.write(bytes(self.HEADER))
        return self

    def add(self, tensors):
        tensors = tensors.contiguous()
        self.count += len(tensors)
        if tensors.nbytes:
            self.stream.write((ctypes.c_char * tensors.nbytes).from_address(tensors.data_ptr()))

    def __exit__(self, problem, *_):
        if problem is None:
            shape = "".join(f"{size}, " for size in (self.count, *self.shape))
            text = f"{{'descr': '{NPY[self.dtype]}', 'fortran_order': False, 'shape': ({shape}), }}"
            magic = b"\x93NUMPY\x01\x00"
            length = self.HEADER - len(magic) - 2
            self.stream.seek(0)
            self.stream.write(magic + length.to_bytes(2, "little") + text.ljust(length - 1).encode() + b"\n")
        self.stream.close()


def _plain(tensor):
    """As it can be written: on the CPU, without gradient, of a type that NumPy knows."""
    tensor = tensor.detach()
    if tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    if tensor.dtype == torch.bfloat16:
        tensor = tensor.float()
    if tensor.dtype not in NPY:
        raise ExportError(f"samples are {_kind(tensor)}: real or whole numbers are needed.")
    return tensor.cpu()


def _form(tensor):
    return tuple(tensor.shape), tensor.dtype


def _form_text(forms):
    return " and ".join(f"{list(shape)} {str(kind).removeprefix('torch.')}" for shape, kind in forms)


def _kind(tensor):
    return str(tensor.dtype).removeprefix("torch.")


# What is minimised, and how.

class _Loss:
    KINDS = ("cross-entropy", "mse", "l1", "huber", "bce-with-logits", "model")
    FUNCTIONS = {functional.cross_entropy: "cross-entropy", functional.nll_loss: "cross-entropy", functional.mse_loss: "mse",
                 functional.l1_loss: "l1", functional.huber_loss: "huber", functional.smooth_l1_loss: "huber",
                 functional.binary_cross_entropy_with_logits: "bce-with-logits"}
    CURES = {nn.BCELoss: "leave the sigmoid out of the network and take BCEWithLogitsLoss",
             functional.binary_cross_entropy: "leave the sigmoid out of the network and take BCEWithLogitsLoss"}

    def __init__(self, given, target):
        self.notes, self.extra, self.ignored = [], {}, IGNORED
        if given is None:
            given = "mse" if target.is_floating_point() else "cross-entropy"
            self.notes.append(f'the loss is {given}, by the targets\' type; loss= says another.')
        if isinstance(given, str):
            if given not in self.KINDS:
                raise ExportError(f'loss is "{given}": one of {", ".join(self.KINDS)}, or an object of torch.nn.')
            self.kind = given
        elif isinstance(given, nn.Module):
            self.kind = self._of_module(given)
        elif given in self.FUNCTIONS:
            self.kind = self.FUNCTIONS[given]
        else:
            raise ExportError(self._refusal(getattr(given, "__name__", type(given).__name__), self.CURES.get(given)))
        if self.kind == "cross-entropy" and target.is_floating_point():
            raise ExportError("targets are real numbers, but cross-entropy takes classes as whole numbers: give targets.argmax(...) where "
                              'they are one-hot, or loss="mse".')

    def _of_module(self, given):
        if getattr(given, "reduction", "mean") == "sum":
            raise ExportError('the loss has reduction="sum", which makes the step grow with the batch. Accumulus divides by the units: take '
                              "reduction=\"mean\" and multiply the learning rate by the batch.")
        kind = type(given)  # exactly: a subclass may compute anything
        if kind in (nn.CrossEntropyLoss, nn.NLLLoss):
            if given.weight is not None:
                self.extra["class_weights"] = [float(weight) for weight in given.weight]
            if smoothing := getattr(given, "label_smoothing", 0.0):
                self.extra["label_smoothing"] = float(smoothing)
            self.ignored = given.ignore_index
            if kind is nn.NLLLoss:
                self.notes.append("NLLLoss of log-probabilities is trained as cross-entropy, which is the same there.")
            return "cross-entropy"
        if kind is nn.BCEWithLogitsLoss:
            if given.weight is not None or given.pos_weight is not None:
                raise ExportError(self._refusal("BCEWithLogitsLoss with weight or pos_weight", 'with loss="model" the network computes it'))
            return "bce-with-logits"
        if kind is nn.HuberLoss:
            self.extra["delta"] = float(given.delta)
            return "huber"
        if kind is nn.SmoothL1Loss:
            if given.beta == 0:
                return "l1"
            if given.beta != 1:
                raise ExportError(self._refusal(f"SmoothL1Loss(beta={given.beta})", f"HuberLoss(delta={given.beta}) is {given.beta} times it"))
            return "huber"
        if kind in (nn.MSELoss, nn.L1Loss):
            return "mse" if kind is nn.MSELoss else "l1"
        raise ExportError(self._refusal(kind.__name__, self.CURES.get(kind)))

    def _refusal(self, name, cure):
        return (f"the loss {name} is none that Accumulus has ({', '.join(self.KINDS[:-1])}): "
                + (cure or 'with loss="model" the network takes inputs and targets and returns one loss for each sample') + ".")

    def target(self, targets):
        """As they are written: classes as they are, with -100 where no loss is borne; numbers as floats."""
        if self.kind == "model":
            return targets
        if self.kind != "cross-entropy":
            return targets if targets.is_floating_point() else targets.float()
        targets = targets.long()
        return targets if self.ignored == IGNORED else targets.masked_fill(targets == self.ignored, IGNORED)

    def arguments(self, inputs, targets):
        return (inputs, targets) if self.kind == "model" else (inputs,)

    def outputs(self, returned):
        """One tensor of what the network returns; a sum of losses and its count become the mean."""
        if self.kind == "model" and isinstance(returned, tuple) and len(returned) == 2:
            return (returned[0] / returned[1]).reshape(1)
        return returned

    def value(self, outputs, targets):
        if self.kind == "model":
            if outputs.dim() == 0:
                raise ValueError("one loss for each sample is needed, or the tuple (sum, count).")
            return outputs.mean()
        if self.kind == "cross-entropy":
            if outputs.dim() == 2 and len(outputs) == targets.numel():
                targets = targets.flatten()
            weights = self.extra.get("class_weights")
            weights = None if weights is None else torch.tensor(weights, dtype=outputs.dtype)
            return functional.cross_entropy(outputs, targets, weight=weights, label_smoothing=self.extra.get("label_smoothing", 0.0))
        if outputs.numel() != targets.numel():
            raise ValueError("there must be as many outputs as targets")
        if outputs.shape != targets.shape:
            self.notes.append(f"outputs have the shape {list(outputs.shape)}, targets {list(targets.shape)}. They are compared number by number; "
                              "PyTorch would compare each with each.")
        functions = {"mse": functional.mse_loss, "l1": functional.l1_loss, "bce-with-logits": functional.binary_cross_entropy_with_logits,
                     "huber": lambda *pair: functional.huber_loss(*pair, delta=self.extra.get("delta", 1.0))}
        return functions[self.kind](outputs, targets.reshape(outputs.shape).to(outputs.dtype))

    def settings(self, written):
        # PyTorch's mean is over all elements that bear loss.
        return {"kind": self.kind} | self.extra | ({"normalise": "tokens"} if written.target_elements > 1 else {})


def _optimizer_settings(optimizer, lr, net):
    """The settings, and as "parameters" the ids of what is trained (None: everything)."""
    if optimizer is None or isinstance(optimizer, str):
        name = optimizer or "sgd"
        if name not in ("sgd", "adam", "adamw"):
            raise ExportError(f'optimizer is "{name}": "sgd", "adam", "adamw", or an object of torch.optim.')
        return {"name": name, "lr": (0.01 if name == "sgd" else 0.001) if lr is None else lr, "parameters": None}
    kinds = {torch.optim.SGD: "sgd", torch.optim.Adam: "adam", torch.optim.AdamW: "adamw"}
    name = kinds.get(type(optimizer))
    if name is None:
        raise ExportError(f"Accumulus has no {type(optimizer).__name__}: torch.optim.SGD, Adam and AdamW are there.")
    groups = [{key: value for key, value in group.items() if key not in ("params", "initial_lr")} for group in optimizer.param_groups]
    if any(group != groups[0] for group in groups):
        raise ExportError("the optimizer's groups have different settings, and Accumulus has one for all parameters. Frozen ones are those "
                          "that the optimizer does not have.")
    group = groups[0]
    if name == "adam" and group.get("decoupled_weight_decay"):
        name = "adamw"
    for key in ("dampening", "maximize", "amsgrad"):
        if group.get(key):
            raise ExportError(f"the optimizer has {key}={group[key]}, which Accumulus has not.")
    if lr is None and any("initial_lr" in entry for entry in optimizer.param_groups):
        raise ExportError(f"a scheduler has set the optimizer's learning rate to {float(group['lr']):.6g}, and Accumulus has schedules of its own: "
                          "give lr=..., and schedule.kind and schedule.warmup in settings.")
    found = {"name": name, "lr": float(group["lr"]) if lr is None else lr}
    if name == "sgd":
        found |= {"momentum": float(group["momentum"]), "nesterov": bool(group["nesterov"])}
    else:
        beta1, beta2 = map(float, group["betas"])
        found |= {"beta1": beta1, "beta2": beta2, "eps": float(group["eps"])}
    found["weight_decay"] = float(group["weight_decay"])
    trained = {id(parameter) for entry in optimizer.param_groups for parameter in entry["params"]}
    if not trained & {id(parameter) for parameter in net.parameters()}:
        raise ExportError("the optimizer has no parameter of the network: it was made for another one.")
    return found | {"parameters": trained}


def _whole(name, value):
    try:
        return operator.index(value)  # numbers of NumPy and PyTorch, too
    except TypeError:
        raise ExportError(f"{name}={value!r} has to be a whole number.") from None


def _quarter(batch):
    return next(size for size in range(max(1, batch // 4), 0, -1) if batch % size == 0)


def _batch(train_set, batch, micro):
    if batch is None:
        loader = isinstance(train_set, torch.utils.data.DataLoader)
        batch = (loader and (train_set.batch_size or getattr(train_set.batch_sampler, "batch_size", None))) or 32
    batch = _whole("batch", batch)
    micro = micro if micro is None else _whole("micro", micro)
    if micro is None:
        micro = _quarter(batch)
    if not 1 <= micro <= batch:
        raise ExportError(f"micro={micro} has to be from 1 to batch={batch}.")
    return batch, micro


# Files.

def _make(folder):
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise ExportError(f"{folder} is a file; name a folder, new or of an earlier export.") from None
    except OSError as problem:
        raise ExportError(f"{folder} cannot be made: {problem.strerror}.") from None


def _add_settings(table, settings):
    if not isinstance(settings, dict):
        raise ExportError(f'settings is a {type(settings).__name__}; it has to be a dict such as {{"train.clip_norm": 1.0}}.')
    for key, value in settings.items():
        section, dot, name = key.partition(".") if isinstance(key, str) else (key, "", "")
        if not dot:
            raise ExportError(f'settings has {key!r}: keys are section.name, such as "train.clip_norm".')
        if not _is_setting(value):
            raise ExportError(f"settings has {value!r} as {key}: values are numbers, text, True, False, and lists of them.")
        table.setdefault(section, {})[name] = value


def _is_setting(value):
    if isinstance(value, (tuple, list)):
        return all(map(_is_setting, value))
    with contextlib.suppress(ValueError, RuntimeError):  # of NumPy or PyTorch, with more than one element
        value = value.item() if hasattr(value, "item") else value
    return isinstance(value, (bool, int, float, str))


def _windows(batch, micro):
    return {"effective": batch, "micro": micro} | ({} if batch % micro == 0 else {"ragged": "weight"})


def _fit_batch(table, samples, is_default):
    """A batch is not larger than the set: the default becomes smaller, and one that was chosen is refused. Returns what there
    is to say."""
    held_out, batch = table["data"].get("validation", 0), table["batch"]["effective"]
    rest = samples - held_out if isinstance(held_out, int) else samples
    if not isinstance(batch, int) or batch <= rest:
        return []
    if not is_default or rest < 1:
        raise ExportError(f"batch={batch} is more than the {rest:,} samples to train on.")
    table["batch"].update(_windows(rest, _quarter(rest)))
    return [f"batch={rest}, all samples that there are to train on; {batch} would be more."]


def _write_experiment(file, table):
    comments = {"data": "Relative paths start at the folder of this file, which may be moved.",
                "batch": "Samples behind each update, and how many of them pass through the network at once.",
                "study": "large_batch: the whole batch at once as well, with a verdict at the end, which needs seeds = [0, 1, 2] or more."}
    lines = ["# Written by accumulus_export.py. All settings: accumulus-cli fields"]
    for section, entries in table.items():
        lines += ["", *([f"# {comments[section]}"] if section in comments else []), f"[{section}]"]
        lines += [f"{key} = {_toml(value)}" for key, value in entries.items()]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _put_in_place(made, folder):
    """Moves what is complete to its place; until here an earlier export is as it was. Returns what there is to say."""
    notes, experiment = [], folder / EXPERIMENT
    (folder / DATA).mkdir(exist_ok=True)
    if experiment.exists() and experiment.read_bytes() != (made / EXPERIMENT).read_bytes():
        experiment.replace(experiment.with_suffix(".toml.old"))
        notes.append(f"the experiment file that was there is now {EXPERIMENT}.old.")
    for name in ("inputs.npy", "targets.npy", "test_inputs.npy", "test_targets.npy"):
        if (made / DATA / name).exists():
            (made / DATA / name).replace(folder / DATA / name)
        else:
            (folder / DATA / name).unlink(missing_ok=True)
    for name in (MODEL, EXPERIMENT):
        (made / name).replace(folder / name)
    return notes


def _toml(value):
    if hasattr(value, "item"):  # of NumPy or PyTorch
        value = value.item()
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):  # TOML has no surrogates, and DEL only as an escape
        return json.dumps(value.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return json.dumps(value)
    return repr(value)


class _Stored:
    """A tensor in a safetensors file."""

    def __init__(self, dtype, shape, first):
        self.dtype, self.shape, self.first = dtype, torch.Size(shape), first
        self.bytes = math.prod(shape) * torch.empty(0, dtype=dtype).element_size()

    def read(self, stream):
        if self.bytes == 0:
            return torch.empty(self.shape, dtype=self.dtype)
        stream.seek(self.first)
        return torch.frombuffer(bytearray(stream.read(self.bytes)), dtype=self.dtype).reshape(self.shape)


def _header(stream, file):
    """The tensors of a safetensors file by name; everything is checked against the file's size."""
    size = stream.seek(0, 2)
    stream.seek(0)
    length = int.from_bytes(stream.read(8), "little")
    held = {}
    try:
        if size < 8 or length > size - 8:
            raise ValueError
        header = json.loads(stream.read(length))
        header.pop("__metadata__", None)
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            held[name] = _Stored(SAFETENSORS[entry["dtype"]], entry["shape"], 8 + length + begin)
            if not 0 <= begin <= end <= size - 8 - length or end - begin != held[name].bytes:
                raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RuntimeError):
        raise ExportError(f"{file} is no safetensors file, or it is damaged. Weights come from: accumulus-cli export RUN --format safetensors "
                          "--checkpoint last --out weights.safetensors") from None
    return held


def _common_prefix(own, held):
    """What all names in the file have before names of the network: that of a module around it."""
    if any(name in own for name in held) or not held:
        return ""
    first = next(iter(held))
    parts = first.split(".")
    for count in range(1, len(parts)):
        prefix = ".".join(parts[:count]) + "."
        if all(name.startswith(prefix) and name.removeprefix(prefix) in own for name in held):
            return prefix
    return ""


@contextlib.contextmanager
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _first_line(reason):
    lines = [line.strip() for line in str(reason).splitlines() if line.strip()]
    # What happened in TorchScript stands behind the trace.
    lines = [line for line in lines if line.startswith(("RuntimeError: ", "AttributeError: "))] or lines
    text = (lines[0] if lines else type(reason).__name__)[:300]
    return text if text.endswith((".", ":", "!", "?")) else text + "."


def _listed(names):
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _quoted(path):
    return shlex.quote(str(path))
