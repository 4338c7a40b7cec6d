#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of packaging/test-gpu.sh: report.json and report.md in one folder, valid at any time.

Runs beside the script for as long as that does and is told on standard input what happens, as words that end in NUL, their number first; it
replaces both files and answers with a line, the exit code of the verb. A script that is killed leaves what had ended. What a command has proven
is read from what it wrote (gpu_readers.py): an exit code of 0 passes nothing that says it found no GPU.

    start KEY=VALUE...               a new report
    facts KEY=VALUE...               more to know; "device.name=..." goes into "device"
    device CSV                       what nvidia-smi --query-gpu=... --format=csv,nounits wrote
    begin PART STEP LIMIT COMMAND... a step is under way; LIMIT 0: for as long as it takes
    end READER EXPECTED CODE LOG     it has ended: 0 passed, 1 not, 77 skipped
    leave PART STEP STATUS REASON    a step that is not begun: skipped, not-run or failed
    finish ended|interrupted         the verdict: 0 all passed, 1 not
"""
import contextlib
import csv
import itertools
import json
import os
import re
import signal
import statistics
import sys
import time
from pathlib import Path

import gpu_readers

PARTS = {"build": "Set-up and build", "device": "Device", "tests": "GPU tests", "traps": "Traps and oracles on the device",
         "sanitizer": "compute-sanitizer", "bench": "Benchmark"}
LEAST = {"driver_version": 580, "compute_cap": 7.5}  # what LibTorch and the kernels are compiled for
FAILED = ("failed", "timed-out")
SIGNS = {"passed": "passed", "failed": "FAILED", "timed-out": "CUT OFF", "skipped": "skipped", "not-run": "not run",
         "not-begun": "not begun", "under-way": "under way"}


def iso(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def replace(file, text):
    """The old file or the new one, never half of one, whenever this process or the machine stops."""
    partial = file.with_name(file.name + ".partial")
    with open(partial, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(partial, file)


def part_status(steps, to_the_last):
    """Of a part: what is wrong counts most, then what has passed; of a part that must pass to the last step, what has not."""
    found = {step["status"] for step in steps}
    rest = ("not-run", "skipped", "passed") if to_the_last else ("passed", "not-run", "skipped")
    for status in ("under-way", *FAILED, *rest):
        if status in found:
            return "failed" if status in FAILED else status
    return "not-begun"


def steps_of(report):
    return [step for part in report["parts"].values() for step in part["steps"]]


def verdict(report):
    """With its reason. What is not run for lack of time is no failure, but the GPU tests are what the report is about: unless only other
    parts were asked for, all of them have to pass."""
    bad = [step["name"] for step in steps_of(report) if step["status"] in FAILED]
    if bad:
        return "failed", "; ".join(bad)
    tests = report["parts"]["tests"]
    if tests["status"] == "passed" or "tests" not in report["asked"]:
        return "passed", ""
    left = [f"{step['name']} ({step['reason']})" for step in tests["steps"] if step["status"] != "passed"]
    return "failed", "GPU tests did not run: " + ("; ".join(left) or "all of them")


def ratios(report):
    """Median speed by case and way, and captured over eager, of the rounds that both have."""
    speeds = {}
    for step in report["parts"]["bench"]["steps"]:
        speed = step.get("figures", {}).get("samples_per_second")
        case, _, rest = step["name"].partition(", ")
        way, _, number = rest.partition(", round ")
        if speed is not None and number:
            speeds.setdefault(case, {}).setdefault(way, {})[number] = speed
    table = {}
    for case, ways in speeds.items():
        table[case] = {way: statistics.median(rounds.values()) for way, rounds in ways.items()}
        eager, captured = ways.get("eager", {}), ways.get("captured", {})
        both = [captured[number] / eager[number] for number in eager if number in captured]
        if both:
            table[case] |= {"captured_to_eager": statistics.median(both), "rounds": len(both)}
    return table


def shown(value):
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    if isinstance(value, list):
        return "; ".join(map(shown, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def table(headings, rows):
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return lines + ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows] + [""]


def markdown(report):
    sign = {"running": "under way", "interrupted": "INTERRUPTED", "failed": "FAILED", "passed": "passed"}[report["verdict"]]
    counts = {status: sum(step["status"] == status for step in steps_of(report)) for status in SIGNS}
    lines = ["# Accumulus on a GPU", "", f"**{sign}**: " + ", ".join(
        f"{count} {SIGNS[status]}" for status, count in counts.items() if count), "", *([cell(report["reason"]), ""] if report["reason"] else []),
        f"Begun {report['started']}, last written {report['updated']}, {shown(report['minutes'])} minutes for the parts after set-up and build.", ""]
    lines += table(("device", ""), report["device"].items()) + table(("what", "version"), report["versions"].items())
    lines += table(("part", "status", "seconds"), [(part["title"], SIGNS[part["status"]], shown(part["seconds"]))
                                                   for part in report["parts"].values()])
    if report["speeds"]:
        lines += ["## Samples per second", "", "Medians of the rounds that ended.", ""]
        lines += table(("m x K", "eager", "captured", "captured / eager", "rounds"), [
            (case, *(shown(row.get(key, "-")) for key in ("eager", "captured", "captured_to_eager", "rounds")))
            for case, row in report["speeds"].items()])
    for part in report["parts"].values():
        lines += [f"## {part['title']}: {SIGNS[part['status']]}", ""]
        for step in part["steps"]:
            lines += step_lines(step)
    return "\n".join(lines).rstrip() + "\n"


def step_lines(step):
    seconds = f", {step['seconds']:.1f} s" + (f" of at most {shown(step['limit'])} s" if step["limit"] else "") if "seconds" in step else ""
    lines = [f"### {step['name']}: {SIGNS[step['status']]}{seconds}", ""]
    if step.get("reason"):
        lines += [cell(step["reason"]), ""]
    if step.get("command"):
        lines += ["```", step["command"], "```", ""]
    if step.get("figures"):
        lines += table(("figure", "value"), [(name, shown(value)) for name, value in step["figures"].items()])
    return lines


def say(*lines):
    """To the person, who may have closed the terminal; standard output is for the script's answers."""
    with contextlib.suppress(OSError):
        print(*lines, sep="\n", file=sys.stderr, flush=True)


def summary(report, folder):
    """The last lines on the screen."""
    waiting = [f"{part['title']}: {step['name']} ({step['reason']})" for part in report["parts"].values() for step in part["steps"]
               if step["status"] in ("not-run", "skipped")]
    if waiting:
        say("\nNot run, and why:", *(f"  {line}" for line in waiting))
    if report["reason"]:
        say("\nFailed: " + report["reason"])
    say(f"\n{report['verdict']}: {folder / 'report.md'} and report.json")


class Report:
    def __init__(self, folder):
        self.folder, self.data = Path(folder), {}

    def settle(self):
        """What follows from the steps."""
        for name, part in self.data["parts"].items():
            part["status"] = part_status(part["steps"], to_the_last=name == "tests")
            part["seconds"] = round(sum(step.get("seconds", 0.0) for step in part["steps"]), 2)
        self.data["speeds"] = ratios(self.data)
        self.data["updated"] = iso(time.time())

    def write(self):
        data = self.data
        self.settle()
        replace(self.folder / "report.json", json.dumps(data, indent=1) + "\n")
        replace(self.folder / "report.md", markdown(data))

    def start(self, *words):
        self.data = {"format": 1, "program": "packaging/test-gpu.sh", "verdict": "running", "reason": "", "started": iso(time.time()),
                     "minutes": None, "asked": list(PARTS), "device": {}, "versions": {},
                     "parts": {name: {"title": title, "steps": []} for name, title in PARTS.items()}}
        self.facts(*words)

    def facts(self, *words):
        for word in words:
            key, _, value = word.partition("=")
            group, _, name = key.rpartition(".")
            if key == "minutes":
                self.data[key] = float(value)
            elif key == "asked":
                self.data[key] = value.split(",")
            elif value:
                self.data[group or "versions"][name] = value

    def device(self, file):
        rows = list(csv.reader(Path(file).read_text(encoding="utf-8").splitlines(), skipinitialspace=True))
        if len(rows) > 1:
            found = {name.strip(): value.strip() for name, value in zip(rows[0], rows[1])}
            self.data["device"] |= found
            for name, least in LEAST.items():
                number = re.match(r"[0-9]+(\.[0-9]+)?", found.get(name, ""))
                if number and float(number.group()) < least:
                    self.leave("device", name, "failed", f"{found[name]}; {least:g} or newer is needed")

    def begin(self, part, name, limit, *command):
        self.data["parts"][part]["steps"].append({
            "name": name, "status": "under-way", "began": time.time(), "limit": float(limit),
            "command": " ".join(gpu_readers.quoted(word) for word in command)})

    def end(self, reader, expected, code, log):
        step = next(step for step in steps_of(self.data) if step["status"] == "under-way")
        step["seconds"] = round(time.time() - step["began"], 2)
        step["began"] = iso(step["began"])
        step["exit_code"], step["log"] = int(code), os.path.relpath(log, self.folder)
        files = gpu_readers.Files(log)
        if step["exit_code"] in (124, 137) and 0 < step["limit"] <= step["seconds"]:
            step |= {"status": "timed-out", "reason": f"it did not end within {shown(step['limit'])} s"}
        else:
            status, reason, figures = gpu_readers.read(reader, expected, step["exit_code"], files)
            step |= {"status": status, "reason": reason, "figures": figures}
        if reader in ("bench", "frameworks"):
            step["figures"] = step.get("figures", {}) | gpu_readers.clocks(files)
        say(f"  {SIGNS[step['status']]:8} {step['seconds']:7.1f} s  {step['name']}" + (f": {step['reason']}" if step["reason"] else ""))
        return {"passed": 0, "skipped": 77}.get(step["status"], 1)

    def leave(self, part, name, status, reason):
        self.data["parts"][part]["steps"].append({"name": name, "status": status, "reason": reason})

    def finish(self, how):
        for step in steps_of(self.data):
            if step["status"] == "under-way":
                step |= {"status": "not-run", "reason": "interrupted", "began": iso(step["began"])}
        self.settle()
        self.data["verdict"], self.data["reason"] = ("interrupted", "") if how == "interrupted" else verdict(self.data)
        return int(self.data["verdict"] != "passed")


VERBS = ("start", "facts", "device", "begin", "end", "leave", "finish")


def words_of(stream):
    rest = b""
    while chunk := os.read(stream.fileno(), 65536):
        *words, rest = (rest + chunk).split(b"\0")
        for word in words:
            yield word.decode(errors="replace")


def main():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends with the script, which may have something to say until then
    report = Report(sys.argv[1])
    words = words_of(sys.stdin)
    for count in words:
        verb, *rest = itertools.islice(words, int(count))
        assert verb in VERBS, verb
        code = getattr(report, verb)(*rest) or 0
        report.write()
        if verb == "finish":
            summary(report.data, report.folder)
        print(code, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
