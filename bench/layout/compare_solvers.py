#!/usr/bin/env python3
"""compare_solvers.py: the greedy choice of layouts beside the one that costs least.

    bench/layout/compare_solvers.py [--targets cuda:90] [--json FILE] [RECORDS.jsonl ..]

Compiles the measured kernels (bench/cases.py), or those of the records (bench/world/gather.py), with
`--layout-solver greedy` and `--layout-solver exact`. Needs no GPU. Of each kernel:

    cost      what the layouts of both choices of the pass cost, in cycles of a warp, of the same
              problems: those that the compilation with the greedy solver comes to
    proved    whether nothing costs less
    convert   ttg.convert_layout in the final TTGIR
    shared    bits that a thread stores to shared memory, a loop counted once (PTX)
    code      instructions of the PTX, a loop counted once

and over all kernels the ratios of greedy to exact: mean, median, worst. A kernel that does not
compile, or takes longer than --seconds, is named and left out.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [BENCH, os.path.join(BENCH, "world")]
import cases  # noqa: E402
import records  # noqa: E402

PASS = "TritonGPURemoveLayoutConversions"
COSTS = re.compile(r"^(greedy|exact) costs: (\d+)", re.M)
BOUND = re.compile(r"^bound: (\d+)( proved)? of (\d+) variables", re.M)
STORE = re.compile(r"^\s*(?:@%p\d+ )?(st\.shared|stmatrix)\S*", re.M)
INSTRUCTION = re.compile(r"^\s+(?:@!?%p\d+ )?[a-z][\w.]*.*;$", re.M)


def kernels(paths):
    """(name, arguments of `tilewright compile`) of each kernel."""
    if not paths:
        for case in cases.CASES:
            yield case.name, [f"{os.path.dirname(BENCH)}/examples/{case.module}.py",
                              "--kernel", case.kernel, "--signature", case.signature,
                              "--num-warps", str(case.num_warps),
                              "--num-stages", str(case.num_stages)]
    for record in records.accepted(paths):
        signature = ", ".join(entry for _, entry in record["signature"])
        name = f"{record['package']}:{record['kernel']}"
        yield name, [record["file"], "--kernel", record["kernel"], "--signature", signature,
                     "--num-warps", str(record["num_warps"]),
                     "--num-stages", str(record["num_stages"])]


def run(words, seconds):
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[0])
    return done.stdout


def stored_bits(ptx):
    """Of all stores to shared memory: the bits of one thread."""
    bits = 0
    for store in STORE.finditer(ptx):
        word = store.group(0)
        count = int((re.search(r"\.v(\d)|\.x(\d)", word) or [0, "1", None])[1] or
                    re.search(r"\.x(\d)", word)[1])
        width = 32 if "stmatrix" in word else int(re.search(r"[bufs](\d+)$", word)[1])
        bits += count * width
    return bits


def compile_with(solver, words, target, options, folder):
    """The texts of a compilation, and the folder of its passes."""
    out = os.path.join(folder, solver)
    passes = out + "-passes"
    run([options.tilewright, "compile", *words, "--target", target, "--layout-solver", solver,
         "--no-cache", "--dump-passes", passes, "-o", out], options.seconds)
    text = {os.path.splitext(path)[1]: open(path, encoding="utf-8", errors="replace").read()
            for path in glob.glob(out + "/*") if path.endswith((".ttgir", ".ptx"))}
    ptx = text.get(".ptx", "")
    return passes, {"convert": text[".ttgir"].count("ttg.convert_layout"),
                    "shared": stored_bits(ptx), "code": len(INSTRUCTION.findall(ptx))}


def costs_of(passes, options):
    """What both choices cost in all problems of a compilation: greedy, exact, whether proved."""
    files = sorted(glob.glob(passes + "/*.mlir"))
    total = {"greedy": 0, "exact": 0}
    is_proved, variables = True, 0
    for before, after in zip(files, files[1:]):
        if PASS not in after:
            continue
        text = run([options.opt, before, "--test-print-layout-problem=costs-only=1 "
                    f"max-nodes={options.nodes}", "-o", os.devnull], options.seconds)
        for solver, cost in COSTS.findall(text):
            total[solver] += int(cost)
        for _, proved, count in BOUND.findall(text):
            is_proved &= bool(proved)
            variables = max(variables, int(count))
    return total, is_proved, variables


def measure(name, words, target, options):
    row = {"kernel": name, "target": target}
    try:
        with tempfile.TemporaryDirectory() as folder:
            passes, row["greedy"] = compile_with("greedy", words, target, options, folder)
            cost, row["proved"], row["variables"] = costs_of(passes, options)
            _, row["exact"] = compile_with("exact", words, target, options, folder)
        for solver in ("greedy", "exact"):
            row[solver]["cost"] = cost[solver]
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        row["error"] = str(error)[:200]
    return row


def ratio(row, figure):
    greedy, exact = row["greedy"][figure], row["exact"][figure]
    return greedy / exact if exact else (1.0 if greedy == 0 else float("inf"))


def report(rows, worst):
    right = [row for row in rows if "error" not in row]
    for row in rows:
        if "error" in row:
            print(f"{row['kernel']} {row['target']}: {row['error']}")
    if not right:
        return
    print(f"\n{len(right)} kernels, {sum(row['proved'] for row in right)} of them proved, "
          f"{sum(ratio(row, 'cost') > 1 for row in right)} where greedy costs more")
    print(f"{'greedy / exact':>16} {'mean':>7} {'median':>7} {'worst':>7} {'sum':>7}")
    for figure in ("cost", "convert", "shared", "code"):
        ratios = [ratio(row, figure) for row in right if ratio(row, figure) != float("inf")]
        sums = [sum(row[solver][figure] for row in right) for solver in ("greedy", "exact")]
        print(f"{figure:>16} {statistics.mean(ratios):7.3f} {statistics.median(ratios):7.3f} "
              f"{max(ratios):7.3f} {sums[0] / max(1, sums[1]):7.3f}")
    print(f"\n{'':44} {'cost':>19} {'convert':>9} {'shared':>13} {'code':>13}")
    for row in sorted(right, key=lambda row: -ratio(row, "cost"))[:worst]:
        pairs = [(row["greedy"][figure], row["exact"][figure])
                 for figure in ("cost", "convert", "shared", "code")]
        texts = [f"{greedy} {exact}" for greedy, exact in pairs]
        print(f"{row['kernel'][-36:]:36} {row['target']:7} {texts[0]:>19} {texts[1]:>9} "
              f"{texts[2]:>13} {texts[3]:>13}{'' if row['proved'] else '  not proved'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("records", nargs="*")
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--targets", default="cuda:90")
    parser.add_argument("--only", default="", metavar="REGEX", help="of the kernel's name")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one kernel of N")
    parser.add_argument("--nodes", type=int, default=500, help="of a search")
    parser.add_argument("--seconds", type=int, default=60, help="for each command")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--worst", type=int, default=20, help="rows to show")
    parser.add_argument("--json", metavar="FILE", help="all rows")
    options = parser.parse_args()
    options.tilewright = os.path.join(options.build, "tools/tilewright")
    options.opt = os.path.join(options.build, "tools/tilewright-opt")

    asked = [(name, words, target) for name, words in list(kernels(options.records))[::options.every]
             if re.search(options.only, name) for target in options.targets.split(",")]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(lambda one: measure(*one, options), asked))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            for row in rows:
                records.append(stream, row)
    report(rows, options.worst)


if __name__ == "__main__":
    main()
