# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast this machine could train a case at most: a roofline (Williams, Waterman and Patterson 2009, CACM 52/4).

The arithmetic limit is what the matrix products of a window cost (torch.utils.flop_counter, forward and backward) at the rate
of a large matrix product. The memory limit is what must be read and written at the rate of a large copy: it binds only where
weights, optimizer state and saved activations exceed the last cache. Both rates are measured in the same run as the speeds.
"""
import time
from pathlib import Path

PRODUCT, COPIED = 2048, 1 << 26  # rows of a square matrix; floats of a copy, far more than a cache holds
SECONDS = 0.4  # of each measurement
FLOAT = 4
# Bytes that an update reads and writes for each parameter: weight, gradient and state, and the state and weight it writes.
UPDATED = {"sgd": 5 * FLOAT, "adamw": 7 * FLOAT}
STATES = {"sgd": 1, "adamw": 2}  # of a parameter, in floats


def best_rate(amount, act):
    """amount per second of the fastest of as many calls as fit."""
    act()
    fastest, end = float("inf"), time.perf_counter() + SECONDS
    while (begun := time.perf_counter()) < end:
        act()
        fastest = min(fastest, time.perf_counter() - begun)
    return amount / fastest


def measure_product(kind):
    import torch

    left, right = (torch.randn(PRODUCT, PRODUCT).to(kind) for _ in range(2))
    result = torch.empty_like(left)
    ways = [lambda: torch.mm(left, right, out=result)]
    if kind == torch.float32 and torch.backends.mkldnn.is_available():
        # oneDNN beside MKL, which reaches the rate of AVX2 on AMD's Zen 5 with AVX-512.
        ways.append(lambda: torch.ops.mkldnn._linear_pointwise(left, right, None, "none", [], ""))
    return max(best_rate(2 * PRODUCT**3, way) for way in ways)


def measure_rates(bf16):
    """FLOP/s of a matrix product and bytes/s of a copy, with the threads that are set. `bf16`: in the faster of both
    precisions, for a processor without bf16 may compute it in fp32."""
    import torch

    source, target = torch.ones(COPIED), torch.empty(COPIED)
    kinds = (torch.float32, torch.bfloat16) if bf16 else (torch.float32,)
    return {"flops": max(map(measure_product, kinds)),
            "bytes": best_rate(2 * FLOAT * COPIED, lambda: target.copy_(source))}


def last_cache():
    """Bytes of the largest cache of a processor; 0 where the system does not tell."""
    def size(file):
        text = file.read_text().strip()
        return int(text.rstrip("KM")) * {"K": 1 << 10, "M": 1 << 20}.get(text[-1], 1)

    return max(map(size, Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")), default=0)


def work_of(case, channels_last=False):
    """FLOPs and bytes of one window, and how many bytes are in use at once."""
    import torch
    from torch.autograd.graph import saved_tensors_hooks
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.nn.functional import cross_entropy
    from torch.utils.flop_counter import FlopCounterMode

    from framework_cases import make_batches, make_model

    model = make_model(case, channels_last).train()
    inputs, targets = next(iter(make_batches(case, channels_last)))
    saved = {}

    def keep(tensor):
        storage = tensor.untyped_storage()
        saved[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autocast("cpu", torch.bfloat16, enabled=case.bf16):
        with saved_tensors_hooks(keep, lambda tensor: tensor):
            cross_entropy(model(inputs), targets)
        # Attention in its parts: the counter does not know the fused kernel of CPUs.
        counter = FlopCounterMode(display=False)
        with counter, sdpa_kernel(SDPBackend.MATH):
            cross_entropy(model(inputs), targets).backward()
    weights = {part.untyped_storage().data_ptr(): part.untyped_storage().nbytes() for part in model.parameters()}
    activations = sum(size for place, size in saved.items() if place not in weights)
    parameters = sum(weights.values()) // FLOAT
    optimizer = "adamw" if case.model in ("char-gpt", "bert-mini") else "sgd"
    # A micro-batch writes what it saves and reads it again, reads the weights forward and backward, adds its gradient.
    micro = 2 * activations + parameters * FLOAT * (2 + 2)
    return {"flops": counter.get_total_flops() * case.steps,
            "bytes": micro * case.steps + parameters * UPDATED[optimizer],
            "in_use": activations + parameters * FLOAT * (2 + STATES[optimizer])}


def limit_of(work, rates, samples, cache):
    """Samples per second at most, and what binds: "arithmetic" or "memory"."""
    seconds = {"arithmetic": work["flops"] / rates["flops"],
               "memory": work["bytes"] / rates["bytes"] if work["in_use"] > cache else 0.0}
    binds = max(seconds, key=seconds.get)
    return samples / seconds[binds], binds
