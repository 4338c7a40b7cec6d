# SPDX-License-Identifier: GPL-3.0-or-later
"""Accelerate's and Lightning's ways to accumulate gradients, on the device and with the data of peers.py.

Both are given tensors that are on the device already; neither logs, shows or saves anything. Who lacks the package gets an
ImportError.
"""
from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from framework_cases import make_optimizer
from peers import Peer, Setting
from torch import Tensor
from torch.nn.functional import cross_entropy


class AcceleratePeer(Peer):
    """accelerator.accumulate(); backward() divides by gradient_accumulation_steps, the optimizer waits for the last."""

    def __init__(self, setting: Setting) -> None:
        from accelerate import Accelerator

        super().__init__(setting)
        self.accelerator = Accelerator(cpu=self.device.type == "cpu", mixed_precision="bf16" if self.case.bf16 else "no",
                                       gradient_accumulation_steps=self.case.steps)
        self.model, self.optimizer = self.accelerator.prepare(self.model, self.optimizer)

    def add(self, ids: Tensor) -> None:
        with self.accelerator.accumulate(self.model):
            inputs, targets = self.batches.gather(ids)
            loss = cross_entropy(self.model(inputs), targets)
            self.accelerator.backward(loss)
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
        self.loss_sum += loss.detach() / self.case.steps

    def window(self) -> None:
        for _ in range(self.case.steps):
            self.add(next(self.order))
        self.close()


class Feed:
    """What Lightning iterates over: the micro-batches that come next."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        return map(self._peer.batches.gather, self._peer.order)


def lightning_module(peer: Peer, over: Callable[[], bool]) -> Any:
    import lightning

    class Module(lightning.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.network = peer.model

        def training_step(self, batch: Any, index: int) -> Tensor:
            inputs, targets = batch
            loss = cross_entropy(self.network(inputs), targets)
            peer.loss_sum += loss.detach() / peer.case.steps
            return loss

        def on_train_batch_end(self, outputs: Any, batch: Any, index: int) -> None:
            if index % peer.case.steps == peer.case.steps - 1:
                peer.close()
                if over():
                    self.trainer.should_stop = True

        def configure_optimizers(self) -> Any:
            return make_optimizer(peer.case, self)

    return Module()


class LightningPeer(Peer):
    """Trainer(accumulate_grad_batches), bare of all else. Each train() is a fit of its own, with a new optimizer."""

    def __init__(self, setting: Setting) -> None:
        import lightning

        warnings.filterwarnings("ignore")
        logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
        self._trainer = lightning.Trainer
        super().__init__(setting)

    def train(self, over: Callable[[], bool]) -> None:
        trainer = self._trainer(accelerator="gpu" if self.device.type == "cuda" else "cpu", devices=1, barebones=True,
                                precision="bf16-mixed" if self.case.bf16 else "32-true", max_epochs=1, min_epochs=0,
                                min_steps=None, accumulate_grad_batches=self.case.steps)
        trainer.fit(lightning_module(self, over), Feed(self))
