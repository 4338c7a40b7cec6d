# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch loops: some right, the others with the mistakes that were shipped. `n` are the units of a window's
micro-batches, `k` numbers them from 0. A loop trains a Bench and tells its recorder."""
import torch

RANKS = 2


def plain(scale, after=None, last=None):
    """Each micro-batch's mean loss times `scale(n, k)`; `after(bench, n, k)` follows each backward pass, `last(bench,
    n)` the window's last one."""
    def loop(bench):
        for window in bench.windows:
            n = bench.units(window)
            for k, batch in enumerate(window):
                bench.capture.micro(batch)
                (bench.loss(batch) * scale(n, k)).backward()
                if after:
                    after(bench, n, k)
            if last:
                last(bench, n)
            bench.capture.accumulated()
            bench.optimizer.step()
            bench.optimizer.zero_grad()
    return loop


def share(n, k):
    return n[k] / sum(n)


def of_steps(n, k):
    return 1 / len(n)


def shares(n):
    return [units / sum(n) for units in n]


def times(factor):
    """Right weights times `factor(n, k)`."""
    return lambda n: [share(n, k) * factor(n, k) for k in range(len(n))]


def multiply(bench, factor):
    for gradient in bench.gradients():
        gradient *= factor


# --- right loops ---------------------------------------------------------------------------------------------------

def sums_divided_once(bench):
    """Summed losses, the gradient divided by the units of the window."""
    for window in bench.windows:
        bench.optimizer.zero_grad()
        for batch in window:
            bench.capture.micro(batch)
            bench.sums(batch)[0].backward()
        multiply(bench, 1 / sum(bench.units(window)))
        bench.capture.accumulated()
        torch.nn.utils.clip_grad_norm_(bench.model.parameters(), 0.01)
        bench.optimizer.step()


def scaled_and_unscaled(bench):
    plain(lambda n, k: 1024 * share(n, k), last=lambda bench, n: multiply(bench, 1 / 1024))(bench)


def adam_with_decay(bench):
    bench.optimizer = torch.optim.AdamW(bench.model.parameters(), lr=0.01, weight_decay=0.5)
    plain(share)(bench)


def statistics_kept(bench):
    """BatchNorm with the running statistics: nothing of a sample depends on others."""
    bench.model.eval()
    plain(share)(bench)


# --- a remainder ---------------------------------------------------------------------------------------------------

def remainder(scale, count=3, leak=False):
    """A full window, then one of `count` micro-batches. `leak`: it is not applied, the next window adds to it."""
    def loop(bench):
        full = len(bench.windows[0])
        bench.windows[1] = bench.windows[1][:count]
        if not leak:
            plain(scale)(bench)
            return
        for window in bench.windows:
            with bench.capture.window():
                for batch in window:
                    bench.capture.micro(batch)
                    (bench.loss(batch) / full).backward()
                if len(window) == full:
                    bench.capture.accumulated()
                    bench.optimizer.step()
                    bench.optimizer.zero_grad()
    return loop


def thrown_away(bench):
    """The optimizer takes no step for the three micro-batches that end the epoch."""
    for window in (bench.windows[0], bench.windows[1][:3]):
        with bench.capture.window():
            bench.optimizer.zero_grad()
            for batch in window:
                bench.capture.micro(batch)
                (bench.loss(batch) / len(bench.windows[0])).backward()
            if len(window) == len(bench.windows[0]):
                bench.capture.accumulated()
                bench.optimizer.step()


def resumed(scale):
    """Resumed in mid-window at a wrong base: what was accumulated before the last two micro-batches is gone, and they
    are taken for the whole."""
    def loop(bench):
        for window in bench.windows:
            n = bench.units(window)
            for k, batch in enumerate(window):
                if k == len(n) - 2:
                    bench.optimizer.zero_grad()
                bench.capture.micro(batch)
                weight = scale(n[-2:], k - len(n)) if k >= len(n) - 2 else 1 / len(n)
                (bench.loss(batch) * weight).backward()
            bench.capture.accumulated()
            bench.optimizer.step()
            bench.optimizer.zero_grad()
    return loop


# --- lost, kept, weighted geometrically -----------------------------------------------------------------------------

def kept(keep, scale):
    """Gradients of micro-batches that `keep(k, K)` refuses are overwritten before the next is added."""
    def loop(bench):
        for window in bench.windows:
            n = bench.units(window)
            held = [torch.zeros_like(parameter) for parameter in bench.model.parameters()]
            for k, batch in enumerate(window):
                bench.optimizer.zero_grad()
                bench.capture.micro(batch)
                (bench.loss(batch) * scale(n, k)).backward()
                if keep(k, len(n)):
                    for sum_, gradient in zip(held, bench.gradients()):
                        sum_ += gradient
            for parameter, sum_ in zip(bench.model.parameters(), held):
                parameter.grad = sum_
            bench.capture.accumulated()
            bench.optimizer.step()
    return loop


def cleared_each_time(scale):
    def loop(bench):
        for window in bench.windows:
            n = bench.units(window)
            for k, batch in enumerate(window):
                bench.optimizer.zero_grad()
                bench.capture.micro(batch)
                (bench.loss(batch) * scale(n, k)).backward()
            bench.capture.accumulated()
            bench.optimizer.step()
    return loop


def stepped_before_last(scale):
    """The boundary is noticed before the last backward pass, whose gradient is cleared."""
    def loop(bench):
        for window in bench.windows:
            n = bench.units(window)
            for k, batch in enumerate(window):
                bench.capture.micro(batch)
                loss = bench.loss(batch) * scale(n, k)
                if k + 1 == len(window):
                    bench.capture.accumulated()
                    bench.optimizer.step()
                loss.backward() if k + 1 < len(window) else bench.optimizer.zero_grad()
    return loop


def doubled(bench, n, k):
    """Twice what was there before is what the next gradient is added to."""
    if k + 1 < len(n):
        multiply(bench, 2)


def divided(bench, n, k):
    """The sum so far is divided with each micro-step, not the loss."""
    multiply(bench, 1 / len(n))


# --- ranks ----------------------------------------------------------------------------------------------------------

def ranks(scale, reduce):
    """Micro-batch k is that of rank k mod R; `scale(n, own, k)` with own the units of that rank. `reduce(parts)` makes
    the gradient of rank 0 from a list of [micro-step][rank][parameter]."""
    def loop(bench):
        parameters = list(bench.model.parameters())
        for window in bench.windows:
            n = bench.units(window)
            parts = []
            for k, batch in enumerate(window):
                bench.capture.micro(batch, rank=k % RANKS)
                loss = bench.loss(batch) * scale(n, sum(n[k % RANKS::RANKS]), k)
                if k % RANKS == 0:
                    parts.append([])
                parts[-1].append(torch.autograd.grad(loss, parameters))
            for parameter, gradient in zip(parameters, reduce(parts)):
                parameter.grad = gradient
            bench.capture.accumulated()
            bench.optimizer.step()
    return loop


def summed(gradients):
    return [sum(parts) for parts in zip(*gradients)]


def averaged(parts):
    return [gradient / RANKS for gradient in summed([summed(step) for step in parts])]


def last_alone(parts):
    """Synchronised before the last micro-step: its gradient stays that of this rank."""
    return summed([averaged(parts[:-1]), parts[-1][0]])


def summed_each_step(parts):
    """All ranks add their whole .grad after each micro-step, so what was summed before counts R times more."""
    held = [torch.zeros_like(gradient) for gradient in parts[0][0]]
    for step in parts:
        held = [RANKS * before + now for before, now in zip(held, summed(step))]
    return held


def rank_units(n, k):
    return sum(n[k % RANKS::RANKS])


# --- what no weights explain, or not the same ones in all tensors ---------------------------------------------------

def clip_norm(limit):
    return lambda bench, n, k: torch.nn.utils.clip_grad_norm_(bench.model.parameters(), limit)


def clip_value(limit):
    return lambda bench, n, k: torch.nn.utils.clip_grad_value_(bench.model.parameters(), limit)


def clip_each(scale, limit):
    """Each micro-gradient is clipped before it is added."""
    def loop(bench):
        parameters = list(bench.model.parameters())
        for window in bench.windows:
            n = bench.units(window)
            bench.optimizer.zero_grad(set_to_none=False)
            held = [torch.zeros_like(parameter) for parameter in parameters]
            for k, batch in enumerate(window):
                bench.capture.micro(batch)
                own = torch.autograd.grad(bench.loss(batch), parameters)
                norm = torch.sqrt(sum(gradient.square().sum() for gradient in own))
                for sum_, gradient in zip(held, own):
                    sum_ += gradient * torch.clamp(limit / norm, max=1.0) * scale(n, k)
            for parameter, sum_ in zip(parameters, held):
                parameter.grad = sum_
            bench.capture.accumulated()
            bench.optimizer.step()
    return loop


def decay_each(bench, n, k):
    for parameter in bench.model.parameters():
        parameter.grad.add_(parameter.detach(), alpha=0.02)


def shrink_each(bench, n, k):
    """Decoupled: the weights themselves, (1 - eta lambda) each time."""
    with torch.no_grad():
        for parameter in bench.model.parameters():
            parameter *= 1 - 0.01


def step_each(bench, n, k):
    """An update in each micro-step: later gradients are those of other weights."""
    bench.optimizer.step()


def low_precision(kind, back):
    """The sum is kept in 16 bits."""
    def loop(bench):
        parameters = dict(bench.model.named_parameters())
        for window in bench.windows:
            n = bench.units(window)
            held = {name: torch.zeros_like(parameter, dtype=kind) for name, parameter in parameters.items()}
            for k, batch in enumerate(window):
                bench.capture.micro(batch)
                found = torch.autograd.grad(bench.loss(batch) * share(n, k), list(parameters.values()))
                for name, gradient in zip(parameters, found):
                    held[name] += gradient.to(kind)
            if back:
                held = {name: sum_.to(parameters[name].dtype) for name, sum_ in held.items()}
            bench.capture.accumulated(held)
            for name, parameter in parameters.items():
                parameter.grad = held[name].to(parameter.dtype)
            bench.optimizer.step()
    return loop


def by_stage(bench, n):
    """A pipeline of as many stages as there are parameters: each passes back a gradient that it has divided again."""
    gradients = bench.gradients()
    for at, gradient in enumerate(gradients):
        gradient /= len(n) ** (len(gradients) - 1 - at)


def never_cleared(bench):
    for window in bench.windows:
        n = bench.units(window)
        for k, batch in enumerate(window):
            bench.capture.micro(batch)
            (bench.loss(batch) * share(n, k)).backward()
        bench.capture.accumulated()
        bench.optimizer.step()
