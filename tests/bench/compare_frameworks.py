#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples per second and memory with gradient accumulation: Accumulus beside PyTorch, Accelerate and Lightning.

Everything is measured in turn, A B C A B C ..., so that a machine that slows down slows all alike. The first round warms
up and sets how many updates fill a round; it is not counted. The PyTorch loop is tuned: data in memory as uint8, one
gather and normalise per micro-batch, a fused optimizer, gradients set to None. Each Python row runs with 1 and with all
threads in a process of its own that stays alive between rounds, with the allocator preloaded that the engine links; one row
shows PyTorch as it comes. Images are also measured as channels_last, and PyTorch also compiled (torch.compile) and as two
processes (DistributedDataParallel over gloo). Ratios are against the fastest PyTorch row of all.

The cases that end in -file train PyTorch's own network as TorchScript (model.name = "file"), beside the built-in one.

Before anything is measured, every row must have as many parameters as the engine and about its first loss.

The rows of accumulus-cli and of the window are whole programs: their speed is read from the library they wrote, as samples
over wall time between the first tenth of the windows and the last one, what is recorded and drawn included.

    compare_frameworks.py --programs build/release --python PYTHON-WITH-TORCH
"""
import argparse
import contextlib
import datetime
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from framework_cases import CASES, SOURCE

CLI, WINDOW = "accumulus-cli run", "Accumulus, in the window"
SHOWN = {"torch": "PyTorch", "accelerate": "Accelerate", "lightning": "Lightning"}


# Fresh weights are drawn, so first losses are near each other and near ln(classes), not equal.
FIRST_LOSS_TOLERANCE = 0.3
INSTRUCTIONS = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16", "asimd", "sve", "bf16")


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
            "instructions": [flag for flag in INSTRUCTIONS if flag in flags]}


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


class ProgramRow:
    """A program that trains a given number of updates; the number is set by the first measurement."""

    available = True

    def __init__(self, name, options, case, **settings):
        self.name, self.seconds, self.programs = name, options.seconds, options.programs
        self.case = CASES[case]
        self.settings = self.case.assignments() | settings
        if self.case.file:
            self.settings |= {"model.name": "file", "model.path": options.module(case)}
        self.updates = 100 if self.case.model in ("lenet5", "mlp") else 6

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
        first, last = rows[len(rows) // 10], rows[-1]
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


def rows_of(case, options):
    engine = EngineRow("Accumulus, engine alone", options, case)
    lanes = {}
    if options.window:  # the same lanes for all, or the choice of each would be compared too
        chosen = engine.figures(engine.updates)
        lanes = {"device.lanes": chosen["lanes"], "device.threads": chosen["threads"]}
        engine.settings |= lanes
    rows = [engine, CliRow(CLI, options, case, **lanes)]
    if options.window:
        rows.append(WindowRow(WINDOW, options, case, **lanes))
    threads = sorted({1, cores()})
    described = CASES[case]
    for framework in described.frameworks:
        if framework in options.frameworks:
            for layout in described.layouts if framework == "torch" else ("default",):
                rows += [PythonRow(options, case, framework, count, layout) for count in threads]
    if "torch" in options.frameworks:
        layout = described.layouts[-1]
        if options.allocator:
            rows += [PythonRow(options, case, "torch", count, plain=True) for count in threads]
        if "compile" in options.executions:
            rows += [PythonRow(options, case, "torch", count, layout, "compile") for count in threads]
        if "ddp" in options.executions:
            rows.append(PythonRow(options, case, "torch", max(1, cores() // 2), layout, "ddp"))
    check_equal(case, engine, [row for row in rows if isinstance(row, PythonRow) and row.available])
    if described.file:  # also the network that is built in
        rows.append(EngineRow("Accumulus, built-in network", options, case.removesuffix("-file")))
    if described.bf16:  # also against fp32
        fp32 = case.removesuffix("-bf16")
        rows += [EngineRow("Accumulus, fp32", options, fp32), PythonRow(options, fp32, "torch", cores(), described.layouts[-1])]
    return rows


def check_equal(case, engine, rows):
    ours = engine.figures(3)
    for row in rows:
        theirs = row.ask("about")
        if theirs is None:
            continue
        if theirs["parameters"] != ours["parameters"]:
            sys.exit(f"{case}: {row.name} has {theirs['parameters']} parameters, Accumulus {ours['parameters']}")
        if abs(theirs["first_loss"] - ours["first_loss"]) > FIRST_LOSS_TOLERANCE * ours["first_loss"]:
            sys.exit(f"{case}: {row.name} begins with a loss of {theirs['first_loss']:.3f}, Accumulus with {ours['first_loss']:.3f}")


def measure_case(case, options):
    rows = rows_of(case, options)
    results = {row.name: [] for row in rows if row.available}
    for number in range(options.rounds + 1):
        for row in rows:
            if not row.available:
                continue
            speed = row.measure()
            if speed is None:
                del results[row.name]
                continue
            if number > 0:
                results[row.name].append(speed)
            print(f"  {case} round {number}{' (warm-up)' if number == 0 else ''}: {row.name} {speed:,.0f}",
                  file=sys.stderr, flush=True)
    for row in rows:
        row.close()
        if not row.available:
            print(f"  {row.name}: not measured ({row.reason})", flush=True)
    return results


def summarise(results):
    """Median, range, and each row's ratio to the fastest PyTorch row, by rounds of the same time."""
    medians = {name: statistics.median(speeds) for name, speeds in results.items()}
    peers = [name for name in medians if name.startswith("PyTorch")]
    best = max(peers, key=medians.get) if peers else None
    table = {}
    for name, speeds in results.items():
        table[name] = {"median": medians[name], "lowest": min(speeds), "highest": max(speeds), "rounds": speeds}
        if best:
            ratios = [mine / theirs for mine, theirs in zip(speeds, results[best])]
            table[name] |= {"ratio": statistics.median(ratios), "ratio_lowest": min(ratios), "ratio_highest": max(ratios)}
    summary = {"best_pytorch": best, "rows": table}
    if WINDOW in results:
        summary["window_to_cli"] = [window / cli for window, cli in zip(results[WINDOW], results[CLI])]
    return summary


def print_table(case, summary, about):
    print(f"\n{about['processor']} ({' '.join(about['instructions'])}), {about['cores']} cores, allocator {about['allocator']}, {about['date']}", end="")
    print(f"\n{case}: samples/s, and ratio to {summary['best_pytorch']} (medians; lowest to highest round)")
    for name, row in summary["rows"].items():
        ratio = f"{row['ratio']:6.2f}  ({row['ratio_lowest']:.2f} to {row['ratio_highest']:.2f})" if "ratio" in row else ""
        print(f"  {name:52} {row['median']:10,.0f}  ({row['lowest']:,.0f} to {row['highest']:,.0f})".ljust(90) + ratio)
    if ratios := summary.get("window_to_cli"):
        print(f"  the window against the command line: {statistics.median(ratios):.2f}  ({min(ratios):.2f} to {max(ratios):.2f})")


def compare_memory(case, options):
    """Bytes of tensors at the peak of a window, weights and optimizer state included."""
    updates = 3
    rows = {}
    for name, lean, lanes in (("Accumulus, lean", "true", 1), ("Accumulus, 1 lane", "false", 1), ("Accumulus, 2 lanes", "false", 2)):
        row = EngineRow(name, options, case, **{"batch.lean": lean, "device.lanes": lanes})
        figures = row.figures(updates)
        rows[name] = figures["peak_bytes"]
    for layout in CASES[case].layouts:
        row = PythonRow(options, case, "torch", cores(), layout)
        if row.available:
            rows[row.name] = row.ask("memory")["peak_bytes"]
        row.close()
    print(f"\n{case}: peak bytes of tensors in {updates} windows (one gradient copy: {4 * figures['parameters'] / 1e6:,.1f} MB)")
    for name, value in rows.items():
        print(f"  {name:32} {value / 1e6:10,.1f} MB")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, default=SOURCE / "build/release", help="build tree (bin/, tests/)")
    parser.add_argument("--python", default=sys.executable, help="Python with torch (and accelerate, lightning, torchvision)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds that count, after one that warms up")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of one measurement")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--frameworks", nargs="*", choices=SHOWN, default=list(SHOWN))
    parser.add_argument("--executions", nargs="+", choices=("eager", "compile", "ddp"), default=["eager", "compile", "ddp"],
                        help="how PyTorch runs, eager always; each compiled row takes a minute to start")
    parser.add_argument("--window", action="store_true", help="also train in the window, offscreen, with moving curves")
    parser.add_argument("--memory", action="store_true", help="compare peak memory in place of speed")
    parser.add_argument("--json", type=Path, help="also write every figure to this file")
    options = parser.parse_args()
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, range(os.cpu_count()))
    options.allocator = linked_allocator(options.programs)
    about = machine() | {"seconds": options.seconds, "date": datetime.date.today().isoformat(),
                         "allocator": Path(options.allocator).name if options.allocator else "of the C library"}
    summaries = {}
    folder = tempfile.TemporaryDirectory(prefix="accumulus-bench-")
    options.module = lambda case: save_module(case, options.python, folder.name)
    for case in options.cases:
        if options.memory:
            summaries[case] = compare_memory(case, options)
            continue
        summaries[case] = summarise(measure_case(case, options))
        print_table(case, summaries[case], about)
    if options.json:
        options.json.write_text(json.dumps({"about": about, "cases": summaries}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
