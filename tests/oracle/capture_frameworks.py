#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""resources/python/accumulus_capture.py in Accelerate, in Lightning and on two ranks under DDP: loops that are right,
and what these frameworks do with ragged micro-batches and with a remainder.

Exit code: how many checks failed; 77: Python lacks torch, NumPy or safetensors. A framework that is absent is named.
"""
import sys

from capture_tasks import EQUAL, RAGGED, Absent, Bench, Capture, Recording, check, run_checks, sample_losses, verdict

import numpy as np
import torch
import torch.nn.functional as functional


def loader(batches):
    """Batches that are already made."""
    return torch.utils.data.DataLoader(batches, batch_size=None)


def with_accelerate(folder, sizes, remainder, right):
    try:
        from accelerate import Accelerator
    except ImportError as missing:
        raise Absent(f"there is no {missing.name}") from None
    bench = Bench("mlp", sizes=sizes)
    batches = bench.windows[0] + bench.windows[1][:remainder or len(sizes)]
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=len(sizes))
    model, optimizer, batches = accelerator.prepare(bench.model, bench.optimizer, loader(batches))
    capture = Capture(model, sample_losses, steps=len(sizes))
    units = sum(sizes)
    for batch in batches:
        with accelerator.accumulate(model):
            capture.micro(batch)
            loss = functional.cross_entropy(model(batch[0]), batch[1])
            # accelerator.backward divides by K: the documented cure multiplies by it.
            accelerator.backward(loss * len(batch[1]) * len(sizes) / units if right else loss)
            if accelerator.sync_gradients:
                capture.accumulated()
            optimizer.step()
            optimizer.zero_grad()
    capture.save(folder)


@check
def accelerate_by_units_is_right(options, folder):
    with_accelerate(folder, RAGGED, 0, right=True)
    verdict(options, folder, None, 0)
    recording = Recording(folder)
    assert np.allclose(recording.fit()[0], np.array(recording.units) / sum(recording.units), atol=1e-9)


@check
def accelerate_divides_ragged_micro_batches_by_their_number(options, folder):
    with_accelerate(folder, RAGGED, 0, right=False)
    verdict(options, folder, "mean-of-means", 10)
    assert np.allclose(Recording(folder).fit()[0], 1 / 4, atol=1e-9)


@check
def accelerate_divides_a_remainder_by_all_steps(options, folder):
    with_accelerate(folder, EQUAL, 2, right=False)
    verdict(options, folder, "remainder-window", 10)
    assert np.allclose(Recording(folder).fit()[0], [1 / 4] * 2, atol=1e-9)


def with_lightning(folder, sizes, remainder):
    try:
        from lightning import pytorch as lightning
    except ImportError:
        try:
            import pytorch_lightning as lightning
        except ImportError as missing:
            raise Absent(f"there is no {missing.name}") from None
    bench = Bench("mlp", sizes=sizes)

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.network = bench.model

        def training_step(self, batch, batch_idx):
            return functional.cross_entropy(self.network(batch[0]), batch[1])

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.05)

    module = Module()
    capture = Capture(module, lambda module, batch: sample_losses(module.network, batch))
    batches = bench.windows[0] + bench.windows[1][:remainder or len(sizes)]
    trainer = lightning.Trainer(accelerator="cpu", max_epochs=1, accumulate_grad_batches=len(sizes), logger=False,
                                enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
                                gradient_clip_val=0.01, precision="64-true", callbacks=[capture.lightning()],
                                default_root_dir=folder)
    trainer.fit(module, loader(batches))
    capture.save(folder)


@check
def lightning_is_right_with_equal_micro_batches(options, folder):
    with_lightning(folder, EQUAL, 0)
    verdict(options, folder, None, 0)
    assert np.allclose(Recording(folder).fit()[0], 1 / 4, atol=1e-9)


@check
def lightning_divides_ragged_micro_batches_by_their_number(options, folder):
    with_lightning(folder, RAGGED, 0)
    verdict(options, folder, "mean-of-means", 10)
    assert np.allclose(Recording(folder).fit()[0], 1 / 4, atol=1e-9)


@check
def lightning_divides_a_remainder_by_all_steps(options, folder):
    with_lightning(folder, EQUAL, 2)
    verdict(options, folder, "remainder-window", 10)
    assert np.allclose(Recording(folder).fit()[0], [1 / 4] * 2, atol=1e-9)


def rank_of_two(rank, folder, right):
    """Six micro-batches under DDP, three on each rank; gradients meet in the last."""
    distributed = torch.distributed
    distributed.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=2)
    bench = Bench("mlp", sizes=(3, 7, 2, 5, 4, 6))
    model = torch.nn.parallel.DistributedDataParallel(bench.model)
    capture = Capture(model, sample_losses)
    n = bench.units(bench.windows[0])
    units = sum(n) / 2 if right else sum(n[rank::2])
    for k, (x, y) in enumerate(bench.windows[0][rank::2]):
        capture.micro((x, y))
        model.require_backward_grad_sync = k == 2
        (functional.cross_entropy(model(x), y, reduction="sum") / units).backward()
    capture.accumulated()
    capture.save(folder)
    distributed.destroy_process_group()


def on_two_ranks(folder, right):
    if not torch.distributed.is_available() or not torch.distributed.is_gloo_available():
        raise Absent("this torch has no Gloo")
    torch.multiprocessing.spawn(rank_of_two, (folder, right), nprocs=2)
    recording = Recording(folder)
    assert recording.micro["ranks"].tolist() == [0, 1, 0, 1, 0, 1], recording.micro["ranks"]
    assert recording.units == [3, 7, 2, 5, 4, 6], recording.units
    return recording


@check
def two_ranks_under_ddp_are_right(options, folder):
    recording = on_two_ranks(folder, right=True)
    assert np.allclose(recording.fit()[0], np.array(recording.units) / sum(recording.units), atol=1e-9)
    verdict(options, folder, None, 0)


@check
def two_ranks_that_divide_by_their_own_units_are_seen(options, folder):
    recording = on_two_ranks(folder, right=False)
    wanted = [n / sum(recording.units[k % 2::2]) / 2 for k, n in enumerate(recording.units)]
    assert np.allclose(recording.fit()[0], wanted, atol=1e-9)
    verdict(options, folder, "rank-normalisation", 10)


if __name__ == "__main__":
    sys.exit(run_checks(__doc__))
