# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's ways to accumulate gradients on one device: eager, compiled, and CUDA graphs made by hand.

All train the same: weights, data and the order of samples are drawn from one seed, the loss of a micro-batch is its mean over
K. Data and what chooses samples stay on the device. A window's loss is summed there and read once, LAG windows later, so that
the host never waits for what it has just issued. On the CPU a "graph" is the function itself (for tests).
"""
from __future__ import annotations

import contextlib
import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from framework_cases import Case, make_batches, make_model, make_optimizer
from torch import Tensor
from torch.nn.functional import cross_entropy

SEED = 1
LAG = 2  # windows between issuing one and reading its loss
WARM_UP_WINDOWS = 3  # before a capture, on the stream that it captures
KEPT_LOSSES = 1 << 10


class Unavailable(Exception):
    """This peer cannot be measured; the message says why."""


@dataclass(frozen=True)
class Setting:
    """What a peer trains, and where."""

    case: Case
    device: torch.device
    channels_last: bool = False


def set_policy() -> None:
    """As Accumulus: fp32 is fp32. cuDNN may try its kernels, and none has to repeat its bits."""
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True


def same_model(setting: Setting) -> torch.nn.Module:
    torch.manual_seed(SEED)
    return make_model(setting.case, setting.channels_last).to(setting.device).train()


def same_batches(setting: Setting) -> Any:
    """framework_cases.Images or Texts, on the device."""
    torch.manual_seed(SEED)  # of images that are drawn
    order = torch.Generator(setting.device).manual_seed(SEED)
    return make_batches(setting.case, setting.channels_last, setting.device, order)


class LossReader:
    """The losses of the windows, in their order; on a GPU through page-locked memory, LAG windows late."""

    def __init__(self, device: torch.device) -> None:
        self.losses: deque[float] = deque(maxlen=KEPT_LOSSES)
        self._on_gpu = device.type == "cuda"
        if self._on_gpu:
            self._free = [(torch.empty((), pin_memory=True), torch.cuda.Event()) for _ in range(LAG + 1)]
            self._waiting: deque[tuple[Tensor, torch.cuda.Event]] = deque()

    def put(self, loss: Tensor) -> None:
        """Of a window that was issued; what is issued next may overwrite it."""
        if not self._on_gpu:
            self.losses.append(float(loss))
            return
        place, event = self._free.pop()
        place.copy_(loss, non_blocking=True)
        event.record()
        self._waiting.append((place, event))
        if len(self._waiting) > LAG:
            self._read()

    def finish(self) -> None:
        """Waits for all that was put."""
        while self._on_gpu and self._waiting:
            self._read()

    def _read(self) -> None:
        place, event = self._waiting.popleft()
        event.synchronize()
        self.losses.append(place.item())
        self._free.append((place, event))


class Peer:
    """PyTorch's loop as its tutorials write it, eager. window() issues a window; the device may still be at work."""

    static_gradients = False  # .grad stays where it is and is set to zero, not to None
    capturable = False

    def __init__(self, setting: Setting) -> None:
        self.setting, self.case, self.device = setting, setting.case, setting.device
        self.model = same_model(setting)
        self.batches = same_batches(setting)
        self.order: Iterator[Tensor] = iter(self.batches.ids())
        self.optimizer = make_optimizer(self.case, self.model, self.capturable and self.device.type == "cuda")
        self.loss_sum = torch.zeros((), device=self.device)
        self.reader = LossReader(self.device)
        self.peak_before = 0  # bytes of tensors at a time that a later measurement does not see
        if self.static_gradients:
            for parameter in self.model.parameters():
                parameter.grad = torch.zeros_like(parameter)

    def autocast(self) -> torch.autocast:
        """Weights are used once in a forward pass, so casts need not be kept; in a graph they must not be."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.case.bf16, cache_enabled=False)

    def loss_of(self, ids: Tensor) -> Tensor:
        inputs, targets = self.batches.gather(ids)
        with self.autocast():
            return cross_entropy(self.model(inputs), targets) / self.case.steps

    def add(self, ids: Tensor) -> None:
        """A micro-step: its gradient and loss are added up."""
        loss = self.loss_of(ids)
        loss.backward()
        self.loss_sum += loss.detach()

    def clear(self) -> None:
        self.optimizer.zero_grad(set_to_none=not self.static_gradients)

    def window(self) -> None:
        for _ in range(self.case.steps):
            self.add(next(self.order))
        self.optimizer.step()
        self.clear()
        self.close()

    def close(self) -> None:
        self.reader.put(self.loss_sum)
        self.loss_sum.zero_()

    def train(self, over: Callable[[], bool]) -> None:
        """Windows until over(), which is asked after each."""
        while True:
            self.window()
            if over():
                return


class MeanLoss(torch.nn.Module):
    """Network and loss as one module, so that both are compiled together and parameters are known to stay where they are."""

    def __init__(self, network: torch.nn.Module, steps: int) -> None:
        super().__init__()
        self.network, self.steps = network, steps

    def forward(self, inputs: Tensor, targets: Tensor) -> Tensor:
        return cross_entropy(self.network(inputs), targets) / self.steps


class CompiledPeer(Peer):
    """torch.compile of network and loss, and of what gathers a micro-batch."""

    mode: str | None = None

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._gather = torch.compile(self.batches.gather, dynamic=False)
        self._loss = torch.compile(MeanLoss(self.model, self.case.steps), dynamic=False, mode=self.mode)

    def loss_of(self, ids: Tensor) -> Tensor:
        inputs, targets = self._gather(ids)
        with self.autocast():
            return self._loss(inputs, targets)


class ReduceOverheadPeer(CompiledPeer):
    """mode="reduce-overhead": inductor's own CUDA graphs. A gradient that such a graph returns lies in the graph's memory, and the
    first one of a window would be taken as .grad without a copy, to be overwritten by the next micro-step (PyTorch issues
    169545 and 96693). So .grad is allocated before, which makes autograd add in place, and each micro-step is marked."""

    mode = "reduce-overhead"
    static_gradients = True

    def add(self, ids: Tensor) -> None:
        torch.compiler.cudagraph_mark_step_begin()
        super().add(ids)


class GraphPeer(Peer):
    """A CUDA graph made by hand of a micro-step (gathering, forward, backward, adding to static .grad) and one of the update."""

    static_gradients = True
    capturable = True

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.window_loss = torch.zeros_like(self.loss_sum)
        self.ids = torch.arange(self.case.micro, device=self.device).repeat(self.case.steps, 1)
        self._stream = torch.cuda.Stream() if self.device.type == "cuda" else None
        self._warm_up()
        self._pool = torch.cuda.graph_pool_handle() if self._stream else None
        self.capture()

    def _micro_step(self, ids: Tensor) -> None:
        super().add(ids)

    def _update(self) -> None:
        self.optimizer.step()
        self.clear()
        self.window_loss.copy_(self.loss_sum)
        self.loss_sum.zero_()

    def _body(self) -> None:
        """A window, as it is captured; all that it reads and writes stays where it is."""
        for ids in self.ids:
            self._micro_step(ids)
        self._update()

    def _warm_up(self) -> None:
        """Some windows on the stream that captures, taken back afterwards: kernels are chosen, and optimizer and libraries
        allocate what outlives a window."""
        kept = list(itertools.chain(self.model.parameters(), self.model.buffers()))
        before = [tensor.detach().clone() for tensor in kept]
        if self._stream:
            self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream) if self._stream else contextlib.nullcontext():
            for turn in range(WARM_UP_WINDOWS):
                if turn == 1 and self._stream:  # behind the trials of cuDNN
                    self._stream.synchronize()
                    torch.cuda.reset_peak_memory_stats()
                self._body()
            with torch.no_grad():
                for tensor, old in zip(kept, before):
                    tensor.copy_(old)
                for state in self.optimizer.state.values():
                    for value in state.values():
                        if isinstance(value, Tensor):
                            value.zero_()
        if self._stream:
            torch.cuda.current_stream().wait_stream(self._stream)
            self.peak_before = torch.cuda.max_memory_allocated()

    def record(self, function: Callable[[], None]) -> Callable[[], None]:
        if self._stream is None:
            return function
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool, stream=self._stream):
            function()
        return graph.replay

    def capture(self) -> None:
        self._replay_micro_step = self.record(lambda: self._micro_step(self.ids[0]))
        self._replay_update = self.record(self._update)

    def add(self, ids: Tensor) -> None:
        self.ids[0].copy_(ids)
        self._replay_micro_step()

    def window(self) -> None:
        for _ in range(self.case.steps):
            self.add(next(self.order))
        self._replay_update()
        self.reader.put(self.window_loss)


class WholeGraphPeer(GraphPeer):
    """One CUDA graph of a whole window: all its micro-steps and the update."""

    def capture(self) -> None:
        self._replay_window = self.record(self._body)

    def add(self, ids: Tensor) -> None:
        raise Unavailable("a graph of a whole window has no micro-step of its own")

    def window(self) -> None:
        torch.stack(list(itertools.islice(self.order, self.case.steps)), out=self.ids)
        self._replay_window()
        self.reader.put(self.window_loss)


def gradients(peer: Peer) -> Sequence[Tensor]:
    """Copies of the sums, of parameters that have one."""
    return [parameter.grad.detach().clone() for parameter in peer.model.parameters() if parameter.grad is not None]
