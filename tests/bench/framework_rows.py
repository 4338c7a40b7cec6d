# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of compare_frameworks.py: who trains a case, each measured by asking it for samples per second.

A PythonRow is a worker (framework_loops.py) that stays alive between rounds; the other rows are whole programs, whose number
of updates the first measurement sets.
"""
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from framework_cases import CASES
from machine_limits import limit_of

ENGINE, CLI = "Accumulus, engine alone", "accumulus-cli run"
WINDOW, LIMIT = "Accumulus, in the window", "limit of the machine"
SHOWN = {"torch": "PyTorch", "accelerate": "Accelerate", "lightning": "Lightning"}
# Fresh weights are drawn, so first losses are near each other and near ln(classes), not equal.
FIRST_LOSS_TOLERANCE, ENOUGH_SAMPLES = 0.3, 64  # a mean of fewer samples is spread more widely
WARM_UPS = 3  # windows in which memory is taken and kernels are compiled; a tenth of all where that is more
INSTRUCTIONS = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16", "asimd", "sve", "bf16")

HELD_BACK = ("ONEDNN_MAX_CPU_ISA", "ATEN_CPU_CAPABILITY", "MKL_ENABLE_INSTRUCTIONS")  # what libraries use at most


def linked_allocator(programs):
    """The allocator library that the engine's programs link, or None for the C library's own."""
    done = subprocess.run(["ldd", str(programs / "tests/bench_training")], capture_output=True, text=True)
    found = [line.split()[2] for line in done.stdout.splitlines() if "malloc" in line and "=>" in line]
    return os.path.realpath(found[0]) if found else None


def machine():
    text = Path("/proc/cpuinfo").read_text()
    fields = {line.split(":")[0].strip(): line.split(":", 1)[1].strip() for line in text.splitlines() if ":" in line}
    flags = (fields.get("flags") or fields.get("Features") or "").split()
    return {"processor": fields.get("model name", os.uname().machine), "cores": cores(),
            "instructions": [flag for flag in INSTRUCTIONS if flag in flags] +
            [f"{name}={os.environ[name]}" for name in HELD_BACK if name in os.environ]}


def cores():
    return len(os.sched_getaffinity(0))


class PythonRow:
    def __init__(self, options, case, framework, threads, layout="default", execution="eager", plain=False):
        self.seconds = options.seconds
        self.name = SHOWN[framework] + {"eager": "", "compile": ", compiled", "ddp": ", 2 processes"}[execution]
        self.name += f", {threads} thread{'s' if threads > 1 else ''}" + (" each" if execution == "ddp" else "")
        self.name += (", bf16" if CASES[case].bf16 else "") + ("" if layout == "default" else ", channels_last")
        self.name += ", C library's allocator" if plain else ""
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads), PYTHONWARNINGS="ignore")
        if options.allocator and not plain:
            environment["LD_PRELOAD"] = options.allocator
        loops = Path(__file__).with_name("framework_loops.py")
        self.process = subprocess.Popen([options.python, loops, framework, case, str(threads), layout, execution], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        env=environment)
        first = self.answer()
        self.available = first == "ready"
        self.reason = first.removeprefix("unavailable: ") or "the worker ended"

    def answer(self):
        """The next line that is ours; libraries may print others. Empty when the worker has ended."""
        for line in self.process.stdout:
            if line.strip() == "ready" or line.startswith(("{", "unavailable: ")):
                return line.strip()
        return ""

    def ask(self, question):
        self.process.stdin.write(f"{question}\n")
        self.process.stdin.flush()
        answer = self.answer()
        if not answer:  # out of memory, or a fault of the framework
            self.available, self.reason = False, "the worker ended"
        return json.loads(answer or "null")

    def measure(self):
        answer = self.ask(self.seconds)
        return answer and answer["samples_per_second"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class LimitRow(PythonRow):
    """What the machine could do at most, measured in the same rounds."""

    def __init__(self, options, case):
        super().__init__(options, case, "torch", cores(), CASES[case].layouts[-1])
        self.name, self.samples, self.binds, self.rates = LIMIT, CASES[case].micro * CASES[case].steps, "", []
        self.work = self.ask("work") if self.available else None

    def measure(self):
        rates = self.ask("rates")
        if not self.work or not rates:
            return None
        self.rates.append(rates)
        speed, self.binds = limit_of(self.work, rates, self.samples, self.work["cache"])
        return speed

    def figures(self):
        middle = {key: statistics.median(rates[key] for rates in self.rates) for key in ("flops", "bytes")}
        return {"binds": self.binds, "flops_per_sample": self.work["flops"] / self.samples, "rates": middle}


class ProgramRow:
    """A program that trains a given number of updates; the number is set by the first measurement."""

    available = True

    def __init__(self, name, options, case, **settings):
        self.name, self.seconds, self.programs = name, options.seconds, options.programs
        self.case = CASES[case]
        self.settings = self.case.assignments() | settings
        if self.case.file:
            self.settings |= {"model.name": "file", "model.path": options.module(case)}
        self.updates = 100 if self.case.model in ("lenet5", "mlp") else WARM_UPS + self.case.fewest(6)

    def measure(self):
        speed = self.train(self.updates)
        self.updates = max(self.updates, round(self.seconds * speed / (self.case.micro * self.case.steps)))
        return speed

    def words(self, **more):
        return [f"{key}={value}" for key, value in (self.settings | more).items()]

    def close(self):
        pass


class EngineRow(ProgramRow):
    def figures(self, updates):
        arguments = [self.programs / "tests/bench_training", updates, *self.words()]
        done = subprocess.run([str(word) for word in arguments], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"bench_training: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def train(self, updates):
        return self.figures(updates)["samples_per_second"]


class RecordedRow(ProgramRow):
    def train(self, updates):
        words = self.words(**{"train.length": f"{updates} updates", "evaluate.every": "0 epochs", "checkpoint.every": "0 epochs"})
        with tempfile.TemporaryDirectory(prefix="accumulus-bench-") as folder:
            library = f"{folder}/library.sqlite"
            subprocess.run(self.command(library, words), capture_output=True, text=True, check=True)
            with sqlite3.connect(library) as base:
                rows = base.execute("SELECT samples, wall_time FROM windows ORDER BY window").fetchall()
        first, last = rows[max(len(rows) // 10, WARM_UPS - 1)], rows[-1]
        return (last[0] - first[0]) / (last[1] - first[1])


class CliRow(RecordedRow):
    def command(self, library, words):
        return [str(self.programs / "bin/accumulus-cli"), "run", "/dev/null", "--json", "--library", library,
                *(part for word in words for part in ("--set", word))]


class WindowRow(RecordedRow):
    def command(self, library, words):
        return [str(self.programs / "tests/bench_workbench"), library, *words]


def save_module(case, python, folder):
    """PyTorch's network as TorchScript; the same file for all rows."""
    file = Path(folder) / f"{case}.pt"
    if not file.exists():
        command = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import framework_cases as cases; cases.save_module({case!r}, {str(file)!r})"
        subprocess.run([python, "-W", "ignore", "-c", command], check=True)
    return str(file)
