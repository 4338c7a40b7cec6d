# SPDX-License-Identifier: GPL-3.0-or-later
"""What compare_frameworks.py makes of the speeds of its rounds."""
import statistics

from framework_rows import CLI, LIMIT, WINDOW

RACE_ROUNDS, RACE_DISTANCE = 2, 0.8


def falls_behind(name, results):
    """Whether a row of PyTorch was slower than RACE_DISTANCE of its fastest row in each of RACE_ROUNDS rounds: `--race` measures
    it no further. A machine that slows down for a round puts nobody out."""
    peers = {peer: speeds for peer, speeds in results.items() if peer.startswith("PyTorch")}
    if name not in peers or any(len(speeds) != RACE_ROUNDS for speeds in peers.values()):
        return False
    return all(mine < RACE_DISTANCE * max(row) for mine, *row in zip(peers[name], *peers.values()))


def print_window_to_cli(summary):
    if ratios := summary.get("window_to_cli"):
        print(f"  the window against the command line: {statistics.median(ratios):.2f}  ({min(ratios):.2f} to {max(ratios):.2f})")


def summarise(results):
    """Median, range, and each row's ratio to the fastest PyTorch row, by rounds of the same time."""
    medians = {name: statistics.median(speeds) for name, speeds in results.items()}
    all_rounds = max(map(len, results.values()), default=0)  # a row that fell behind has fewer
    peers = [name for name, speeds in results.items() if name.startswith("PyTorch") and len(speeds) == all_rounds]
    best = max(peers, key=medians.get) if peers else None
    table = {}
    for name, speeds in results.items():
        table[name] = {"median": medians[name], "lowest": min(speeds), "highest": max(speeds), "rounds": speeds}
        if best:
            ratios = [mine / theirs for mine, theirs in zip(speeds, results[best])]
            table[name] |= {"ratio": statistics.median(ratios), "ratio_lowest": min(ratios), "ratio_highest": max(ratios)}
        if LIMIT in results and name != LIMIT:
            table[name]["share_of_limit"] = statistics.median(
                mine / most for mine, most in zip(speeds, results[LIMIT]))
    summary = {"best_pytorch": best, "rows": table}
    if WINDOW in results:
        summary["window_to_cli"] = [window / cli for window, cli in zip(results[WINDOW], results[CLI])]
    return summary
