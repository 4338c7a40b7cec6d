# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the checks of a file about the Python of tests/bench and packaging, which it makes importable."""
import argparse
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests/bench"), str(SOURCE / "packaging")]

Check = Callable[[Path], None]
CHECKS: list[Check] = []


class Absent(Exception):
    """What this check needs is not there."""


def check(function: Check) -> Check:
    CHECKS.append(function)
    return function


def raises(kind: type[BaseException], words: str, function: Callable[[], object]) -> None:
    """The function raises such an exception, whose message holds the words."""
    try:
        function()
    except kind as error:
        assert words in str(error), f"{words!r} is not in {str(error)!r}"
        return
    raise AssertionError(f"nothing raised {kind.__name__}")


def run_checks(description: str) -> int:
    """The program of a file of checks: how many failed."""
    parser = argparse.ArgumentParser(description=description.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--only", default="", help="checks whose name contains this")
    options = parser.parse_args()
    wrong = 0
    for function in CHECKS:
        if options.only not in function.__name__:
            continue
        with tempfile.TemporaryDirectory(prefix="accumulus-bench-check-") as folder:
            words = "holds"
            try:
                function(Path(folder))
            except Absent as reason:
                words = f"skipped: {reason}"
            except Exception:
                words, wrong = "FAILS", wrong + 1
                traceback.print_exc()
        print(f"{words:8} {function.__name__.replace('_', ' ')}", flush=True)
    print("all hold" if not wrong else f"{wrong} fail")
    return wrong
