# SPDX-License-Identifier: GPL-3.0-or-later
"""Is the gradient that your loop accumulates really that of the large batch? Records what `accumulus-cli audit` needs.

Five lines go into a loop, here those that name Capture or capture; the loop itself stays as it is::

    from accumulus_capture import Capture

    capture = Capture(model, lambda model, batch: cross_entropy(model(batch[0]), batch[1], reduction="none"))
    for k, batch in enumerate(batches):
        capture.micro(batch)                                     # just before the forward pass
        loss = cross_entropy(model(batch[0]), batch[1]) / K
        loss.backward()
        if (k + 1) % K == 0:
            capture.accumulated()                                # just before clipping and the optimizer
            clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    print(capture.save("gradients"))                             # the command that audits them

The function given to Capture returns the losses of a batch's units (samples, or tokens that bear a loss) as a 1-D
tensor, or their sum and their number, `(sum, count)`. Capture uses it to compute, beside the loop and at the weights of
the window, the gradient of each micro-batch's mean loss and that of the mean loss of all units at once. This leaves the
loop alone: weights, .grad, buffers, random states and hooks are as they would be without it. It takes about two more
passes for each micro-batch, so record a few windows rather than a whole training. A mistake can hide where all
micro-batches have the same number of units, a window has fewer than three micro-batches, or no window is short.

Where windows end: a window begins with the first `micro` and ends with `accumulated`. The end of a block
`with capture.window():`, around a window or an epoch, ends it, too: what was accumulated but not applied by then is
recorded as such (a remainder that is thrown away, or that leaks into the next epoch).

Mixed precision: call `accumulated` after GradScaler.unscale_, use autocast in the function of unit losses as well, and
pass `precision="bf16"` or "fp16". Accelerate: call `micro` within `accelerator.accumulate(model)`, `accumulated` if
`accelerator.sync_gradients`. Lightning: `Trainer(callbacks=[capture.lightning()])`. Several processes
(torch.distributed, DDP): every rank makes all calls; rank 0 writes the files. Gradients kept elsewhere than in .grad:
`accumulated({name: tensor})`. Needs torch 2.1 or later and safetensors.
"""
import collections
import collections.abc
import contextlib
import random
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file

__all__ = ["Capture", "CaptureError"]

KINKS = ("relu", "threshold", "hard", "max", "min", "topk", "sort", "clamp", "abs", "where", "kthvalue", "median", "mode")
PRECISIONS = {torch.float64: "fp64", torch.float32: "fp32", torch.bfloat16: "bf16", torch.float16: "fp16"}


class CaptureError(RuntimeError):
    """What was asked for cannot be recorded; says why, and what to do."""


class Capture:
    """Records the windows of one model's loop. Not thread-safe."""

    def __init__(self, model, unit_losses, *, join=None, steps=None, keep=3, precision=None):
        """`join(list of micro-batches)` makes one batch of them; by default, tensors are concatenated along their first
        dimension. `steps`: number of micro-batches in a full window (of all ranks together), by default that of the
        longest one. `keep`: how many windows to hold; the oldest one goes first."""
        if keep < 1:
            raise CaptureError("keep is the number of windows to hold: 1 or more.")
        self._model = _unwrapped(model)
        self._side = _Side(self._model, unit_losses)
        self._join, self._steps, self._precision = join or _joined, steps, precision
        self._windows = collections.deque(maxlen=keep)
        self._open = None
        self._longest = 0

    def micro(self, batch, rank=None):
        """The loop is about to compute this micro-batch. `rank`: which rank does, where one process plays several."""
        if self._open is None:
            self._open = _Window(self._model)
        window = self._open
        buffers, state = _copied_buffers(self._model), _random_state(window.devices)
        name = f"micro-batch {len(window.units)}"
        units, gradients = self._gradients(batch, window, buffers, state, name)
        window.add(units, gradients, rank, _mapped(lambda tensor: tensor.detach().clone(), batch))

    def accumulated(self, gradients=None):
        """All micro-batches of the window are in .grad (or in `gradients`, tensors by name): this is what the optimizer
        would apply."""
        if self._open is None:
            raise CaptureError("accumulated() without a micro-batch: call micro(batch) before each forward pass.")
        if gradients is None:
            gradients = {name: parameter.grad for name, parameter in self._model.named_parameters()}
        elif unknown := set(gradients) - set(self._open.weights):
            raise CaptureError(f"accumulated() has gradients of what is no trainable parameter: {sorted(unknown)}.")
        self._close({name: gradients.get(name) for name in self._open.weights})

    @contextlib.contextmanager
    def window(self):
        """Ends the open window when the block ends. What was not applied by then counts as a gradient of zero."""
        if self._open is not None:
            raise CaptureError("window() while another one is open: accumulated() ends a window before the next.")
        try:
            yield self
        except BaseException:
            self._open = None
            raise
        self.end_window()

    def end_window(self):
        """Does what the end of a `with capture.window():` block does; nothing where no window is open."""
        if self._open is not None:
            self._close(None)

    def save(self, folder, window=None):
        """Writes accumulated.safetensors, reference.safetensors and micro-gradients.safetensors; returns the command
        that audits them. It audits the window that is farthest from its large batch, or the one numbered `window` (0 is
        the first that is held, -1 the last); the micro-gradients of the windows before it are written as well."""
        if not self._windows:
            raise CaptureError("there is no complete window: call accumulated() before optimizer.step().")
        held = list(self._windows)
        try:
            at = max(range(len(held)), key=lambda k: held[k].error()) if window is None else range(len(held))[window]
        except IndexError:
            raise CaptureError(f"window {window} is not held; there are {len(held)} (keep= holds more).") from None
        folder = Path(folder)
        files = [folder / f"{name}.safetensors" for name in ("accumulated", "reference", "micro-gradients")]
        if _rank() == 0:
            folder.mkdir(parents=True, exist_ok=True)
            metadata = self._metadata(held[at])
            for file, tensors in zip(files, (held[at].accumulated, held[at].reference, self._micro(held[:at + 1]))):
                save_file(tensors, str(file), metadata=metadata)
        return ("accumulus-cli audit --accumulated {} --reference {} --micro-gradients {}"
                .format(*(f"'{file}'" if " " in str(file) else file for file in files)))

    def lightning(self):
        """A callback for lightning's Trainer. A micro-batch is what training_step gets."""
        try:
            from lightning.pytorch.callbacks import Callback
        except ImportError:
            from pytorch_lightning.callbacks import Callback
        capture = self

        class LightningCapture(Callback):
            def on_train_batch_start(self, trainer, module, batch, batch_idx):
                capture.micro(batch)

            def on_before_optimizer_step(self, trainer, module, optimizer):
                capture.accumulated()

            def on_train_epoch_end(self, trainer, module):
                capture.end_window()

        return LightningCapture()

    def _gradients(self, batch, window, buffers, state, name):
        """How many units a batch has, and the gradient of their mean loss at the window's weights. Draws numbers and
        changes buffers, but only of the copies given here."""
        with _random_restored(window.devices), torch.inference_mode(False), torch.enable_grad():
            _set_random_state(window.devices, state)
            replaced = {f"model.{key}": tensor for key, tensor in {**window.weights, **buffers}.items()}
            losses = torch.func.functional_call(self._side, replaced, (batch,))
            total, units = _sum_and_count(losses, name)
            window.draws |= _differs(_random_state(window.devices), state)
            if units == 0:
                return 0, {key: torch.zeros_like(weight, device="cpu") for key, weight in window.weights.items()}
            if not total.requires_grad:
                raise CaptureError(f"the loss of {name} depends on no trainable parameter of the model.")
            if not torch.isfinite(total):
                raise CaptureError(f"the loss of {name} is {float(total)}.")
            window.kinks = window.kinks or _has_kinks(total)
            found = torch.autograd.grad(total / units, list(window.weights.values()), allow_unused=True)
        window.reached |= {key for key, gradient in zip(window.weights, found) if gradient is not None}
        return units, {key: _on_cpu(gradient, weight)
                       for (key, weight), gradient in zip(window.weights.items(), found)}

    def _close(self, gradients):
        window = self._open
        window.gather()
        units, window.reference = self._gradients(self._joined_batch(window.batches), window, window.buffers,
                                                  window.state, "the joined batch")
        if units != sum(window.units):
            raise CaptureError(f"the joined batch has {units} units, its micro-batches {sum(window.units)}: join= has "
                               "to keep every unit.")
        window.end(self._model, gradients)
        self._open = None
        for name, gradient in window.accumulated.items():
            if name not in window.reached and bool(gradient.any()):
                raise CaptureError(f"{name} has a gradient in the loop and none here: the model computes with another copy "
                                   "of it. Capture the module as it was before torch.jit.script.")
        self._longest = max(self._longest, len(window.units))
        self._windows.append(window)

    def _joined_batch(self, batches):
        try:
            return self._join(batches)
        except _NotJoined as reason:
            raise CaptureError(f"the micro-batches do not make one batch: {reason}. Give Capture join=, a function of "
                               "their list that pads and concatenates.") from None

    def _micro(self, windows):
        """The tensors of micro-gradients.safetensors. Numbers count all micro-batches of all windows."""
        every = [(at, k, window) for at, window in enumerate(windows) for k in range(len(window.units))]
        tensors = {f"{number}/{name}": gradient for number, (_, k, window) in enumerate(every)
                   for name, gradient in window.gradients[k].items()}
        tensors["units"] = torch.tensor([window.units[k] for _, k, window in every])
        tensors["windows"] = torch.tensor([at for at, _, _ in every])
        ranks = [window.ranks[k] for _, k, window in every]
        if all(rank is not None for rank in ranks):
            tensors["ranks"] = torch.tensor(ranks)
        tensors["nominal_steps"] = torch.tensor([self._steps or self._longest])
        tensors.update((f"weights/{name}", weight.detach().cpu()) for name, weight in windows[-1].weights.items())
        return tensors

    def _metadata(self, window):
        kind = next(iter(window.weights.values())).dtype
        metadata = {"batch_norm_layers": str(window.batch_norm_layers),
                    "dropout_layers": str(max(window.dropout_layers, int(window.draws))),
                    "kinks": str(int(window.kinks)),
                    "precision": self._precision or PRECISIONS.get(kind, str(kind)),
                    "program": f"torch {torch.__version__}"}
        if window.weights_changed:
            metadata["weights_changed"] = repr(window.weights_changed)
            metadata["weights_factor"] = repr(window.weights_factor)
        return metadata


class _Side(torch.nn.Module):
    """The model and its losses as one module, so that functional_call can replace all tensors by copies."""

    def __init__(self, model, unit_losses):
        super().__init__()
        self.model, self._unit_losses = model, unit_losses

    def forward(self, batch):
        return self._unit_losses(self.model, batch)


def _is(layer, kind):
    """Is the layer of this class, or was it before torch.jit.script?"""
    if isinstance(layer, torch.jit.ScriptModule):
        original = getattr(torch.nn, layer.original_name, None)
        return isinstance(original, type) and issubclass(original, kind)
    return isinstance(layer, kind)


class _Window:
    """What is known when a window begins, what its micro-batches were, and how it ended."""

    def __init__(self, model):
        self.weights = {name: parameter.detach().clone().requires_grad_()
                        for name, parameter in model.named_parameters() if parameter.requires_grad}
        if not self.weights:
            raise CaptureError("the model has no parameter that is trained.")
        self.devices = sorted({weight.device for weight in self.weights.values()} - {torch.device("cpu")}, key=str)
        self.buffers, self.state = _copied_buffers(model), _random_state(self.devices)
        layers = [layer for layer in model.modules() if layer.training]
        self.batch_norm_layers = sum(_is(layer, torch.nn.modules.batchnorm._BatchNorm) for layer in layers)
        self.dropout_layers = sum(_is(layer, torch.nn.modules.dropout._DropoutNd) and layer.p > 0 for layer in layers)
        self.reached = set()
        self.draws = self.kinks = False
        self.units, self.gradients, self.ranks, self.batches = [], [], [], []
        self.accumulated, self.reference, self.weights_changed, self.weights_factor = {}, {}, 0.0, 1.0

    def add(self, *micro_batch):
        for entries, entry in zip((self.units, self.gradients, self.ranks, self.batches), micro_batch):
            entries.append(entry)

    def gather(self):
        """Collects the micro-batches of all processes, in the order of micro-steps, then ranks."""
        if _world() == 1:
            return
        own = list(zip(self.units, self.gradients, [_rank()] * len(self.units),
                       (_mapped(lambda tensor: tensor.cpu(), batch) for batch in self.batches)))
        parts = [None] * _world()
        torch.distributed.all_gather_object(parts, own)
        steps = range(max(map(len, parts)))
        every = [part[step] for step in steps for part in parts if step < len(part)]
        self.units, self.gradients, self.ranks, batches = map(list, zip(*every))
        device = next(iter(self.weights.values())).device
        self.batches = [_mapped(lambda tensor: tensor.to(device), batch) for batch in batches]

    def end(self, model, gradients):
        now = dict(model.named_parameters())
        self.accumulated = {name: _on_cpu(gradients[name] if gradients else None, weight)
                            for name, weight in self.weights.items()}
        moved = sum(float((now[name].detach() - weight.detach()).double().square().sum())
                    for name, weight in self.weights.items())
        size = sum(float(weight.detach().double().square().sum()) for weight in self.weights.values())
        self.weights_changed = (moved / size) ** 0.5 if moved else 0.0
        self.weights_factor = sum(float((now[name].detach() * weight.detach()).double().sum())
                                  for name, weight in self.weights.items()) / (size or 1.0)
        self.batches, self.buffers, self.state = [], {}, None
        self.weights = {name: weight.detach().cpu() for name, weight in self.weights.items()}

    def error(self):
        """That of the worst tensor, relative to its norm or a thousandth of the whole gradient's, if that is larger."""
        norms = {name: float(tensor.double().norm()) for name, tensor in self.reference.items()}
        least = 1e-3 * sum(norm ** 2 for norm in norms.values()) ** 0.5
        return max(float((self.accumulated[name].double() - tensor.double()).norm()) / (max(norms[name], least) or 1.0)
                   for name, tensor in self.reference.items())


def _unwrapped(model):
    if not isinstance(model, torch.nn.Module):
        raise CaptureError(f"the model is a {type(model).__name__}, not a torch.nn.Module.")
    while True:
        if "FullyShardedDataParallel" in type(model).__name__:
            raise CaptureError("no process holds the whole gradient of a sharded model: record it under DDP.")
        inner = getattr(model, "_orig_mod", None)
        if inner is None and type(model).__name__ in ("DistributedDataParallel", "DataParallel", "DeepSpeedEngine"):
            inner = model.module
        if inner is None:
            return model
        model = inner


def _sum_and_count(losses, name):
    if isinstance(losses, torch.Tensor) and losses.dim() == 1:
        return losses.sum(), losses.numel()
    if isinstance(losses, (tuple, list)) and len(losses) == 2 and isinstance(losses[0], torch.Tensor):
        total, count = losses[0], float(losses[1])
        if total.dim() == 0 and count >= 0 and count == int(count):
            return total, int(count)
        raise CaptureError(f"the losses of {name} are not (sum, count): a tensor of one element and a whole number.")
    shape = f"a tensor of shape {list(losses.shape)}" if isinstance(losses, torch.Tensor) else type(losses).__name__
    raise CaptureError(f"the losses of {name} are {shape}. Return one loss a unit (reduction=\"none\", 1-D, without "
                       "ignored tokens), or their sum and their number.")


def _has_kinks(loss):
    """May rounding put a value on the other side of a corner, as of a ReLU or a maximum? What a Function of somebody's own does
    is not known, and so it may."""
    seen, left = set(), [loss.grad_fn]
    while left:
        node = left.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        name = node.name().lower().replace("softmax", "")
        if isinstance(node, torch.autograd.function.BackwardCFunction) or any(word in name for word in KINKS):
            return True
        left += [before for before, _ in node.next_functions]
    return False


def _on_cpu(gradient, weight):
    if gradient is None:
        return torch.zeros_like(weight, device="cpu").detach()
    if gradient.layout != torch.strided:
        gradient = gradient.to_dense()
    if gradient.shape != weight.shape:
        raise CaptureError(f"a gradient has the shape {list(gradient.shape)}, its parameter {list(weight.shape)}.")
    return gradient.detach().to("cpu", copy=True).contiguous()


def _copied_buffers(model):
    return {name: buffer.detach().clone() for name, buffer in model.named_buffers()}


def _mapped(change, batch):
    """The batch with each of its tensors changed."""
    if isinstance(batch, torch.Tensor):
        return change(batch)
    if isinstance(batch, collections.abc.Mapping):
        return {key: _mapped(change, value) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(_mapped(change, value) for value in batch))
    if isinstance(batch, (tuple, list)):
        return type(batch)(_mapped(change, value) for value in batch)
    return batch


class _NotJoined(Exception):
    """Says why micro-batches do not make one batch."""


def _joined(batches):
    """One batch made of several that have the same structure."""
    first = batches[0]
    if any(type(batch) is not type(first) for batch in batches):
        raise _NotJoined("they are of different types")
    if isinstance(first, torch.Tensor) and first.dim() > 0:
        if len({batch.shape[1:] for batch in batches}) > 1:
            raise _NotJoined("tensors have the shapes " + ", ".join(str(list(batch.shape)) for batch in batches))
        return torch.cat(batches)
    if isinstance(first, collections.abc.Mapping):
        if any(batch.keys() != first.keys() for batch in batches):
            raise _NotJoined("they have different keys")
        return {key: _joined([batch[key] for batch in batches]) for key in first}
    if isinstance(first, (tuple, list)):
        if isinstance(first, list) and not any(isinstance(entry, (torch.Tensor, tuple, list)) for entry in first):
            return [entry for batch in batches for entry in batch]
        if any(len(batch) != len(first) for batch in batches):
            raise _NotJoined("they have different numbers of parts")
        parts = [_joined([batch[at] for batch in batches]) for at in range(len(first))]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    if all(bool(batch == first) for batch in batches):
        return first
    raise _NotJoined(f"a {type(first).__name__} differs between them")


def _random_state(devices):
    state = {"cpu": torch.get_rng_state(), "python": random.getstate()}
    if "numpy" in sys.modules:
        state["numpy"] = sys.modules["numpy"].random.get_state()
    for device in devices:
        kind = getattr(torch, device.type)
        state[device] = kind.get_rng_state() if device.type == "mps" else kind.get_rng_state(device)
    return state


def _set_random_state(devices, state):
    torch.set_rng_state(state["cpu"])
    random.setstate(state["python"])
    if "numpy" in state:
        sys.modules["numpy"].random.set_state(state["numpy"])
    for device in devices:
        kind = getattr(torch, device.type)
        kind.set_rng_state(state[device]) if device.type == "mps" else kind.set_rng_state(state[device], device)


def _differs(one, other):
    """Whether torch drew random numbers between the two states."""
    return any(not torch.equal(state, other[key]) for key, state in one.items() if isinstance(state, torch.Tensor))


@contextlib.contextmanager
def _random_restored(devices):
    state = _random_state(devices)
    try:
        yield
    finally:
        _set_random_state(devices, state)


def _world():
    parallel = torch.distributed.is_available() and torch.distributed.is_initialized()
    return torch.distributed.get_world_size() if parallel else 1


def _rank():
    return torch.distributed.get_rank() if _world() > 1 else 0
