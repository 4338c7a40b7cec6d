# SPDX-License-Identifier: GPL-3.0-or-later
"""What a step of packaging/test-gpu.sh has proven, from what its command wrote. Each reader answers with status, reason and figures."""
import json
import math
import re
import shlex
import signal
import statistics
import xml.etree.ElementTree as xml
from pathlib import Path

NO_GPU = re.compile(r"no gpu to run on[^\n]*", re.I)
GPU_ROW = re.compile(r"GPU|Gpu|kernels")
CHECK = re.compile(r"^(agrees  |DIFFERS )(.*?) +([0-9.e+-]+)  limit ([0-9.e+-]+)", re.M)
MOST_NAMED = 8  # of many failures


class Files:
    """What a command wrote: LOG.out, LOG.err, and where it was asked for LOG.xml, LOG.json and LOG.clocks."""

    def __init__(self, log):
        self.log = log

    def text(self, ending):
        file = Path(f"{self.log}.{ending}")
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""

    def last_words(self):
        """For a failure: the end of what it said."""
        lines = (self.text("err").strip() or self.text("out").strip()).splitlines()
        return " / ".join(line.strip() for line in lines[-3:])[:400]

    def json_lines(self):
        for line in self.text("out").splitlines():
            if line.startswith("{"):
                yield json.loads(line)


def quoted(word):
    return shlex.quote(word)


def how_it_ended(code, files):
    if code > 128:
        try:
            return f"ended by {signal.Signals(code - 128).name}"
        except ValueError:
            pass
    words = files.last_words()
    return f"exit code {code}" + (f": {words}" if words else "")


def read_exit(expected, code, files):
    return ("passed", "", {}) if code == 0 else ("failed", how_it_ended(code, files), {})


def read_qtest(expected, code, files):
    """Rows of a Qt test. A row that is skipped because no GPU was found has proven nothing, whatever the exit code."""
    try:
        suite = xml.fromstring(files.text("xml"))
    except xml.ParseError:
        return "failed", "it left no results: " + how_it_ended(code, files), {}
    passed, on_gpu, failed, skipped = 0, 0, [], []
    for case in suite.iter("testcase"):
        name = case.get("name")
        wrong = [note for kind in ("failure", "error") for note in case.iter(kind)]
        left = case.find("skipped")
        if wrong:
            failed.append(f"{name}: {wrong[0].get('message') or wrong[0].text or ''}".strip(" :"))
        elif left is not None:
            skipped.append(f"{name}: {left.get('message') or left.text or ''}".strip(" :"))
        elif name not in ("initTestCase", "cleanupTestCase"):
            passed += 1
            on_gpu += bool(GPU_ROW.search(name))
    figures = {"passed": passed, "passed_on_gpu": on_gpu, "failed": len(failed), "skipped": len(skipped)}
    figures |= {key: names[:MOST_NAMED] for key, names in (("failures", failed), ("skips", skipped)) if names}
    blind = NO_GPU.search("\n".join(skipped))
    if failed or code:
        return "failed", "; ".join(failed[:2]) or how_it_ended(code, files), figures
    if blind:
        return "failed", f"the programs find no GPU: {blind.group()}", figures
    return ("passed", "", figures) if passed else ("failed", "no test was run", figures)


def read_run(expected, code, files):
    """accumulus-cli run --json: a run ended."""
    ended = [line for line in files.json_lines() if line.get("event") == "run-finished"]
    if code or not ended:
        return "failed", how_it_ended(code, files), {}
    return "passed", "", {key: ended[-1][key] for key in ("updates", "samples", "test_loss", "weights_hash") if key in ended[-1]}


def read_recorded(expected, code, files):
    """accumulus-cli export --format json: where a run was computed, by its own account."""
    if code or not files.text("json"):
        return "failed", how_it_ended(code, files), {}
    environment = json.loads(files.text("json"))["environment"]
    figures = {key: environment[key] for key in ("device", "driver", "libtorch", "hardware", "program") if environment.get(key)}
    on_gpu = figures.get("device", "").startswith("cuda")
    return ("passed", "", figures) if on_gpu else ("failed", f"the run was computed on {figures.get('device', 'nothing that it names')}", figures)


def read_audit(expected, code, files):
    """accumulus-cli audit --json against "VERDICT PATTERN"."""
    found = [line for line in files.json_lines() if "verdict" in line]
    if not found:
        return "failed", how_it_ended(code, files), {}
    audit = found[-1]
    figures = {key: audit.get(key) for key in ("verdict", "pattern", "precision", "worst_tensor", "worst_error", "tolerance") if audit.get(key) is not None}
    answer = f"{audit['verdict']} {audit.get('pattern') or 'none'}"
    return ("passed", "", figures) if answer == expected else ("failed", f"{answer}; expected was {expected}", figures)


def read_oracle(expected, code, files):
    """A script of tests/oracle. The margin is the worst error that agrees, as a share of its limit."""
    said = files.text("out")
    if code == 77:
        return "skipped", next((line.removeprefix("skipped: ") for line in said.splitlines() if line.startswith("skipped: ")), "it did not say why"), {}
    checks = [(good == "agrees  ", label.strip(), float(value), float(limit)) for good, label, value, limit in CHECK.findall(said)]
    differ = [line.strip() for line in said.splitlines() if line.startswith("DIFFERS")]
    figures = {"agree": sum(line.startswith("agrees") for line in said.splitlines()), "differ": len(differ)}
    shares = [(value / limit, label) for good, label, value, limit in checks if good and 0.0 < limit and value <= limit]
    if shares:
        share, label = max(shares)
        figures |= {"worst_share_of_limit": share, "worst": label}
    if differ:
        figures["differing"] = differ[:MOST_NAMED]
    if code or differ or not figures["agree"]:
        return "failed", "; ".join(differ[:2]) or how_it_ended(code, files), figures
    return "passed", "", figures


def read_sanitizer(expected, code, files):
    """compute-sanitizer around a program: its summary, and that the program itself was content and had a GPU."""
    said = files.text("out") + files.text("err")
    errors = re.findall(r"ERROR SUMMARY: (\d+) error", said)
    hazards = re.findall(r"RACECHECK SUMMARY: (\d+) hazards? displayed \((\d+) errors?, (\d+) warnings?\)", said)
    figures = {"errors": sum(map(int, errors))} if errors else {}
    if hazards:
        figures = {"hazards": int(hazards[-1][0]), "errors": int(hazards[-1][1]), "warnings": int(hazards[-1][2])}
    if not figures:
        return "failed", "compute-sanitizer gave no summary: " + how_it_ended(code, files), figures
    blind = NO_GPU.search(said)
    if any(figures.values()):
        first = re.search(r"^=========\s+((?:Invalid|Error|Warning|Barrier|Program hit).*)", said, re.M)
        return "failed", (first.group(1) if first else f"{figures}"), figures
    if code or blind:
        return "failed", f"the program finds no GPU: {blind.group()}" if blind and not code else how_it_ended(code, files), figures
    return "passed", "", figures


def flat(value, name=""):
    if isinstance(value, dict):
        return {key: one for part, inner in value.items() for key, one in flat(inner, f"{name}.{part}" if name else part).items()}
    return {name: value}


def read_bench(expected, code, files):
    """The JSON line of bench_training."""
    lines = [line for line in files.json_lines() if isinstance(line, dict)]
    if code or not lines or "samples_per_second" not in lines[-1]:
        return "failed", how_it_ended(code, files), {}
    return "passed", "", flat(lines[-1])


def clocks(files):
    """What nvidia-smi saw while it ran: lines of SM clock, memory clock, power, temperature, utilisation and memory."""
    names = ("sm_clock_mhz", "memory_clock_mhz", "power_w", "temperature_c", "utilisation_percent", "memory_mib")
    columns = [[] for _ in names]
    for line in files.text("clocks").splitlines():
        for column, word in zip(columns, line.split(",")):
            try:
                column.append(float(word))
            except ValueError:  # [N/A], or a line that was cut
                pass
    figures = {}
    for name, column in zip(names, columns):
        if column:
            figures |= {f"{name}_lowest": min(column), f"{name}_median": statistics.median(column), f"{name}_highest": max(column)}
    return figures


FRAMEWORK_FIGURES = {"median": "samples/s", "ratio": "to the fastest PyTorch", "peak_allocated_bytes": "peak of tensors, bytes",
                     "peak_reserved_bytes": "peak reserved, bytes", "host_ms_per_window": "host time of a window, ms"}
TIMELINE_FIGURES = {"window_ms": "window, ms", "device_busy_share": "device busy, share", "device_idle_ms": "device idle, ms",
                    "gaps": "gaps", "longest_gap_ms": "longest gap, ms", "kernels_per_window": "kernels of a window",
                    "kernels_per_micro_step": "kernels of a micro-step"}
ALWAYS_MEASURED = ("Accumulus, engine alone", "accumulus-cli run", "PyTorch, eager")


def number(row, key, whose):
    """Raises ValueError where there is none."""
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{whose} has no {key}")
    return value


def framework_row(case, name, row):
    """Accumulus does not report what is reserved; a GPU that tells no power has a note."""
    own = name.lower().startswith("accumulus")
    figures = {f"{case}: {name}, {shown}": number(row, key, f"{case}: {name}") for key, shown in FRAMEWORK_FIGURES.items()
               if not (own and key == "peak_reserved_bytes")}
    figures[f"{case}: {name}, power, W"] = row["power_note"] if "power_note" in row else number(row, "power_w", f"{case}: {name}")
    return figures


def framework_timeline(case, name, line):
    if line.get("not_traced") and name != "PyTorch, eager":
        return {f"{case}: timeline of {name}": f"none: {line['not_traced']}"}
    figures = {f"{case}: timeline of {name}": line["file"]}
    return figures | {f"{case}: timeline of {name}, {shown}": number(line, key, f"{case}: the timeline of {name}")
                      for key, shown in TIMELINE_FIGURES.items()}


def framework_case(case, found):
    """All that was asked is there or has a reason, with every figure."""
    rows, reasons = found["rows"], found["not_measured"]
    for name in (*ALWAYS_MEASURED, *found["asked"]):
        if name not in rows and (name in ALWAYS_MEASURED or not reasons.get(name)):
            raise ValueError(f"{case}: {name} has neither figures nor a reason")
    figures = {f"{case}: fastest PyTorch": found["best_pytorch"], f"{case}: m x K": f"{found['micro_batch']} x {found['steps']}",
               f"{case}: layout of the peers": found["layout"]}
    for name, row in rows.items():
        figures |= framework_row(case, name, row)
    if "window_to_cli" in found:
        figures[f"{case}: the window against the command line"] = statistics.median(found["window_to_cli"])
    if reasons:
        figures[f"{case}: not measured"] = [f"{name} ({reason})" for name, reason in reasons.items()]
    for name in ("PyTorch, eager", "Accumulus, engine alone"):
        figures |= framework_timeline(case, name, found["timelines"][name])
    return figures


def read_frameworks(expected, code, files):
    """compare_frameworks.py --device cuda --json of the case that is expected. What lacks a figure is no pass."""
    if code or not files.text("json"):
        return "failed", how_it_ended(code, files), {}
    told = json.loads(files.text("json"))
    about = {f"peers: {key}": told["about"][key] for key in ("gpu", "torch", "cuda", "cudnn", "tf32")}
    return "passed", "", about | framework_case(expected, told["cases"][expected])


READERS = {"exit": read_exit, "qtest": read_qtest, "run": read_run, "recorded": read_recorded, "audit": read_audit,
           "oracle": read_oracle, "sanitizer": read_sanitizer, "bench": read_bench, "frameworks": read_frameworks}


def read(reader, expected, code, files):
    """A program that ends in the middle of a line leaves no figures, but a report all the same."""
    try:
        return READERS[reader](expected, code, files)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as problem:
        return "failed", f"what it wrote cannot be read ({type(problem).__name__}: {problem}); {how_it_ended(code, files)}", {}
