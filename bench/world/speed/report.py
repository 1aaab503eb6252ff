#!/usr/bin/env python3
"""report.py TIMES.jsonl.. [--assembled ASSEMBLED.jsonl ..] [--worst 30]: both compilers' times.

Prints the distribution of Triton's time over ours (above 1: ours is faster) and its geometric mean,
for each source and for all; results that are not the same; and the launches that are slowest
beside Triton's, with registers and spilled bytes of both codes. Of a launch in several files the last
counts.
"""

import argparse
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import records  # noqa: E402

#: Shares that are printed: launches at least this fast beside Triton's.
MARKS = (0.9, 0.97, 1.0)
PARTS = (1, 5, 25, 50, 75, 95)
#: A difference that is taken for another order of summation, as a multiple of the tolerance.
SAME = 1.0


def codes_of(lines):
    """{launch: {"ours" or "triton": figures}} of what assemble.py wrote."""
    found = {}
    for line in lines:
        if "error" not in line:
            found.setdefault(line["launch"], {})[line["code"]] = line
    return found


def same(line):
    """Whether both codes gave the same, or Triton's differs from itself as much."""
    worst = max(line["differs"])
    return worst <= SAME or 2 * line.get("triton_differs", 0.0) >= worst


def distribution(ratios):
    """{figure: value} of a list of ratios that is not empty."""
    ratios = sorted(ratios)
    figures = {"launches": len(ratios),
               "geomean": math.exp(sum(map(math.log, ratios)) / len(ratios))}
    figures.update({f"{part} %": ratios[min(len(ratios) - 1, len(ratios) * part // 100)]
                    for part in PARTS})
    figures.update({f">= {mark}": sum(one >= mark for one in ratios) / len(ratios)
                    for mark in MARKS})
    return figures


def row(name, figures):
    return f"{name:24}" + "".join(
        f"{value:9}" if isinstance(value, int) else f"{value:9.3f}" for value in figures.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("times", nargs="+")
    parser.add_argument("--assembled", nargs="*", default=[])
    parser.add_argument("--worst", type=int, default=30)
    options = parser.parse_args()
    lines = {line["launch"]: line for line in records.read(options.times)}
    codes = codes_of(records.read(options.assembled))
    timed = {name: line for name, line in lines.items() if "ratio" in line}
    for name, line in lines.items():
        if "error" in line:
            print(f"not measured: {name}: {line['error']}")
    for name, line in timed.items():
        if not same(line):
            print(f"differs: {name}: {max(line['differs']):.3g} times what is allowed, Triton from "
                  f"itself {line.get('triton_differs', 0.0):.3g}")
        elif not line["written"]:
            print(f"nothing written: {name}")
    groups = {}
    for name, line in timed.items():
        groups.setdefault(name.split("/")[0], []).append(line["ratio"])
        groups.setdefault("all", []).append(line["ratio"])
    groups["all"] = groups.pop("all", [])
    if not timed:
        return
    print(f"{'source':24}" + "".join(f"{name:>9}" for name in distribution(groups["all"])))
    for name, ratios in groups.items():
        print(row(name, distribution(ratios)))
    for name, line in sorted(timed.items(), key=lambda one: one[1]["ratio"])[:options.worst]:
        code = codes.get(name, {})
        figures = "; ".join(f"{who} {code[who]['registers']} registers, {code[who]['spilled']} B"
                            for who in ("ours", "triton") if who in code)
        print(f"{line['ratio']:6.3f} [{line['quartiles'][0]:.3f} {line['quartiles'][1]:.3f}] "
              f"{line['ours_ms']:9.4f} ms {line['triton_ms']:9.4f} {line['how']:6} {name}  "
              f"{figures}")


if __name__ == "__main__":
    main()
