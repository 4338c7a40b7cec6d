#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Event files against TensorBoard itself.

accumulus-cli trains a small run and exports it as CSV and as event files, with updates and with samples as steps. TensorBoard's reader,
which checks every record's checksum, has to find the values of the CSV as floats, at these steps. Then TensorBoard's writer
makes a file as a loop of somebody else would, and accumulus-cli import has to find its values.

Exit code 0: all agree, and a file with a changed byte is noticed; 1: not; 77: Python lacks tensorboard.
"""
import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy
    from tensorboard.backend.event_processing import event_accumulator, event_file_loader
    from tensorboard.compat.proto import event_pb2, summary_pb2
    from tensorboard.summary.writer.event_file_writer import EventFileWriter
except ImportError as missing:
    print(f"skipped: {sys.executable} has no {missing.name}; set ACCUMULUS_PYTHON to one with tensorboard")
    sys.exit(77)

EXPERIMENT = """
[data]
dataset = "digits-generated"
train_limit = 600
test_limit = 100
[batch]
effective = 128
micro = 32
[train]
length = "2 epochs"
"""


class Failed(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Failed(what)


def run(cli, *arguments, code=0):
    done = subprocess.run([cli, *map(str, arguments)], capture_output=True, text=True)
    need(done.returncode == code, f"{arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def scalars(folder):
    reader = event_accumulator.EventAccumulator(str(folder), size_guidance={event_accumulator.SCALARS: 0, event_accumulator.TENSORS: 0})
    reader.Reload()
    return reader


def same(found, text):
    wanted = numpy.float32(float(text))
    return found == wanted or (math.isnan(found) and math.isnan(wanted))


def exported(cli, folder, library, uuid):
    run(cli, "export", uuid, "--library", library, "--format", "csv", "--out", folder / "run.csv")
    with open(folder / "run.csv", newline="", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    windows = [row for row in rows if row["kind"] == "window"]
    tests = [row for row in rows if row["kind"] == "evaluation"]
    need(len(windows) >= 8 and len(tests) >= 2, "the run is too short to say anything")
    for step in ("updates", "samples"):
        out = folder / f"board-{step}"
        path = run(cli, "export", uuid, "--library", library, "--format", "tensorboard", "--step", step, "--out", out).strip()
        reader = scalars(out)
        counter = "update" if step == "updates" else "samples"
        for tag, column, wanted in (("train/loss", "loss", windows), ("train/lr", "lr", windows), ("progress/samples", "samples", windows),
                                    ("test/loss", "loss", tests), ("test/accuracy", "accuracy", tests)):
            events = reader.Scalars(tag)
            need(len(events) == len(wanted), f"{tag}: {len(events)} events for {len(wanted)} rows")
            for event, row in zip(events, wanted):
                need(event.step == int(row[counter]), f"{tag}: step {event.step}, {counter} {row[counter]}")
                need(same(event.value, row[column]), f"{tag} at {event.step}: {event.value}, not {row[column]}")
                need(event.wall_time == float(row["wall_time"]), f"{tag}: another time")
        need("accumulus/run" in reader.Tags()["tensors"], "the run itself is not in the file")
        print(f"export --step {step}: TensorBoard reads {len(windows)} windows and {len(tests)} evaluations alike")

        # The checksums are looked at: a reader that did not would pass everything above.
        damaged = bytearray(Path(path).read_bytes())
        damaged[len(damaged) // 2] ^= 1
        (folder / "damaged.tfevents").write_bytes(damaged)
        try:
            before = len(list(event_file_loader.RawEventFileLoader(path).Load()))
            after = len(list(event_file_loader.RawEventFileLoader(str(folder / "damaged.tfevents")).Load()))
            need(after < before, "TensorBoard does not notice a changed byte")
        except Failed:
            raise
        except Exception:  # it may say so, too
            pass
    print("a changed byte is noticed")


def imported(cli, folder):
    logs = folder / "others"
    writer = EventFileWriter(str(logs))
    for step in range(50):
        for tag, value in (("Loss/train", 2.0 / (step + 1)), ("Accuracy/test", step / 50)):
            summary = summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag=tag, simple_value=value)])
            writer.add_event(event_pb2.Event(wall_time=1.7e9 + step, step=step, summary=summary))
    writer.close()
    (file,) = logs.iterdir()
    library = folder / "imported.sqlite"
    run(cli, "import", file, "--library", library, code=2)  # how many samples?
    found = json.loads(run(cli, "import", file, "--library", library, "--effective-batch", 64, "--json"))
    need(len(found["imported"]) == 1, found)
    run(cli, "export", found["imported"][0], "--library", library, "--format", "json", "--out", folder / "imported.json")
    data = json.loads((folder / "imported.json").read_text(encoding="utf-8"))
    need(len(data["windows"]) == 50 and len(data["evaluations"]) == 50, "not every step was imported")
    for step, (window, evaluation) in enumerate(zip(data["windows"], data["evaluations"])):
        need(window["update"] == step + 1 and window["samples"] == 64 * (step + 1), f"step {step}: another place")
        need(window["loss"] == float(numpy.float32(2.0 / (step + 1))), f"step {step}: another loss")
        need(evaluation["accuracy"] == float(numpy.float32(step / 50)), f"step {step}: another accuracy")
    print("import: 50 steps that TensorBoard's writer wrote are read alike")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    cli = parser.parse_args().cli
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "small.toml").write_text(EXPERIMENT, encoding="utf-8")
        library = folder / "library.sqlite"
        events = [json.loads(line) for line in run(cli, "run", folder / "small.toml", "--library", library, "--json").splitlines()]
        (finished,) = [event for event in events if event["event"] == "run-finished"]
        try:
            exported(cli, folder, library, finished["run"])
            imported(cli, folder)
        except Failed as failed:
            print(f"FAILED: {failed}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
