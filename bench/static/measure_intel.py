#!/usr/bin/env python3
"""Intel code of the corpus, by ocloc, without running it.

    python3 bench/static/measure_intel.py --tilewright build/release/tools/tilewright

Compiles each case of cases.py to SPIR-V and that with ocloc (bench/ocloc.py) to machine code, whose
disassembly is counted: messages to memory by kind and width, blocks spilled to scratch memory,
arithmetic, branches. Each case is compiled for warps of 16 and 32 lanes, with 128 registers and, where
that spills, again with 256. The rows with a * are what a launcher gets that passes on the build options
of NAME.json. With --warps, for blocks of each of those numbers of warps, and at the end how often
NAME.json was right. Triton's Intel back end is no part of its package, so there is nothing to compare
with.
"""

import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import cases  # noqa: E402
import ocloc  # noqa: E402
import triton_stages  # noqa: E402

LARGE = "-cl-intel-256-GRF-per-thread"
# Of a work-group.
MOST_THREADS = 1024
MNEMONIC = re.compile(r"^(?:\([^)]*\))?\s*([a-z]\w*)")

COLUMNS = [("all", 6), ("spills", 6), ("load", 5), ("store", 5), ("slm_load", 8), ("slm_store", 9),
           ("atomic", 6), ("mad", 6), ("math", 5), ("branch", 6), ("barrier", 7)]


def compile_spirv(tilewright, case, target, lanes, warps, folder):
    """The path of the SPIR-V, and the options that it is to be built with."""
    done = subprocess.run(
        [tilewright, "compile", triton_stages.source_path(case), "--kernel", case.kernel,
         "--signature", case.signature, "--target", target, "--threads-per-warp", str(lanes),
         "--num-warps", str(warps), "--num-stages", str(case.num_stages), "-o", folder],
        capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    with open(os.path.join(folder, case.kernel + ".json")) as file:
        launch = json.load(file)["launch"]
    return os.path.join(folder, launch["code"]), launch.get("build_options", "")


def count(listing):
    """Instructions by kind, and messages by what they do."""
    counts, widths = Counter(), Counter()
    for line in listing.splitlines():
        line = line.strip()
        mnemonic = MNEMONIC.match(line)
        if not mnemonic or line.endswith(":"):
            continue
        name = mnemonic.group(1)
        counts["all"] += 1
        if name in ("mad", "math"):
            counts[name] += 1
        elif name in ("jmpi", "goto", "brd", "brc", "call", "while"):
            counts["branch"] += 1
    for unit, what in ocloc.messages(listing):
        if "scratch block" in what:
            counts["spills"] += 1
        elif what == "signal barrier":
            counts["barrier"] += 1
        elif what.startswith(("load", "store", "atomic")):
            kind = what.split(".", 1)[0].split("_", 1)[0]
            counts["slm_" + kind if unit == "slm" and kind != "atomic" else kind] += 1
            widths[what] += 1
    return {**counts, "messages": dict(sorted(widths.items()))}


def measure(arguments, compiler, case, lanes, warps):
    """Rows of (options, counts): the large register file only where the other spills or where
    NAME.json asks for it; and what NAME.json asks for."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        spirv, wanted = compile_spirv(arguments.tilewright, case, arguments.target, lanes, warps,
                                      folder)
        device = arguments.target.split(":")[1]
        for options in ("", LARGE):
            _, listing = compiler.compile(spirv, device, options)
            rows.append((options, count(listing)))
            if not rows[-1][1].get("spills") and options == wanted:
                break
    return rows, wanted


def chosen_cases(arguments):
    """(case, lanes, warps) that a work-group has room for."""
    for case, lanes in itertools.product(cases.CASES, (16, 32)):
        if arguments.kernel and case.name not in arguments.kernel:
            continue
        for warps in arguments.warps or [case.num_warps]:
            if lanes * warps <= MOST_THREADS:
                yield case, lanes, warps


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", required=True)
    parser.add_argument("--target", default="xpu:pvc", help="one that this ocloc knows")
    parser.add_argument("--kernel", choices=[case.name for case in cases.CASES], action="append")
    parser.add_argument("--warps", type=int, nargs="+", help="default: each case's own")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()

    if not ocloc.Ocloc().is_complete():
        sys.exit("measure_intel.py: ocloc or its disassembler, libiga64, is not installed")

    print(f"{'kernel':16} {'lanes':>5} {'warps':>5} {'registers':>9} "
          + "".join(f" {n:>{w}}" for n, w in COLUMNS) + "  messages")
    results, failed, choices = [], False, Counter()
    with ocloc.Ocloc() as compiler:
        for case, lanes, warps in chosen_cases(arguments):
            try:
                rows, wanted = measure(arguments, compiler, case, lanes, warps)
            except RuntimeError as error:
                print(f"{case.name:16} {lanes:5} {warps:5} {error}")
                failed = True
                continue
            choices["256" if wanted else "128", bool(rows[0][1].get("spills"))] += 1
            for options, counts in rows:
                registers = 256 if options == LARGE else 128
                results.append({"kernel": case.name, "lanes": lanes, "warps": warps,
                                "registers": registers, "chosen": options == wanted, **counts})
                cells = "".join(f" {counts.get(name, 0):>{width}}" for name, width in COLUMNS)
                messages = " ".join(f"{what}:{n}" for what, n in counts["messages"].items())
                print(f"{case.name:16} {lanes:5} {warps:5} {registers:9}"
                      f"{'*' if options == wanted else ' '}{cells}  {messages}", flush=True)
    for (registers, spills), times in sorted(choices.items()):
        print(f"NAME.json chose {registers} registers, and 128 "
              f"{'spill' if spills else 'suffice'}: {times}")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)
    return failed


if __name__ == "__main__":
    sys.exit(main())
