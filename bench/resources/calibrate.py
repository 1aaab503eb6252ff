#!/usr/bin/env python3
"""calibrate.py: the estimate of registers beside what ptxas and LLVM allocate.

    calibrate.py measure FOLDER [GATHERED.jsonl ..]    compiles and assembles
    calibrate.py estimate FOLDER                       the terms of the estimate
    calibrate.py fit FOLDER                            weights, and how far they are off

`measure` compiles the kernels of bench/cases.py, also by half and twice their warps, and those that
bench/world/gather.py gathered, for each of --targets. FOLDER/measured.jsonl has a line for each: the
registers that ptxas states without a limit of its own, or the VGPRs in the metadata of LLVM's
assembly for AMD, and what was spilled. Kernels that are there already are left out. FOLDER keeps
their TTGIR.

`estimate` adds the terms (src/analysis/RegisterEstimate.h) that tilewright-opt prints for it.

`fit` chooses the weights (target/RegisterModel.h) for the kernels of a target, those with products
and those without, so that the mean of |estimate - allocated| / allocated is least. It reports how
far weights are off that are chosen in the same way without a fifth of the kernels, for that fifth,
and how often a warp is given as many as it would be by the estimate: a multiple of UNITS.
"""

import argparse
import concurrent.futures
import functools
import glob
import hashlib
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "bench"), os.path.join(ROOT, "bench", "world")]
import cases  # noqa: E402
import records  # noqa: E402

TERMS = ("values", "products", "addresses", "indices", "masks", "scalars", "operations")
SLACKS = ("blockSlack", "fullSlack")
TARGETS = "cuda:90,cuda:80,hip:gfx1201,hip:gfx1100"
ARCHITECTURES = {"cuda:90": "sm_90a", "cuda:80": "sm_80"}
PRODUCT = re.compile(r"\b(tt\.dot|tt\.dot_scaled|ttng\.warp_group_dot)\b")
#: Registers of a thread at most, and what a warp is given a multiple of.
LIMITS = {"cuda": 255, "hip": 256}
UNITS = {"cuda:80": 8, "cuda:90": 8, "hip:gfx1100": 24, "hip:gfx1201": 24}
MEASURED, ESTIMATED = "measured.jsonl", "estimated.jsonl"
#: Parts of the kernels, each of which is tested by weights of the others.
FOLDS = 5
#: Seconds that a program may take.
PATIENCE = 60


def kernels(gathered):
    """Name, file, kernel, signature, warps and stages of each."""
    for case in cases.CASES:
        for warps in {case.num_warps, max(case.num_warps // 2, 1), min(2 * case.num_warps, 16)}:
            yield (f"case:{case.name}:{warps}", os.path.join(ROOT, "examples", case.module + ".py"),
                   case.kernel, case.signature, warps, case.num_stages)
    for record in records.accepted(gathered):
        signature = ", ".join(entry for _, entry in record["signature"])
        place = "/".join(record["file"].split(os.sep)[-3:])
        yield (f"{place}:{record['kernel']}", record["file"], record["kernel"], signature,
               record["num_warps"], record["num_stages"])


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)


def one_file(folder, ending):
    return glob.glob(os.path.join(folder, "*" + ending))[0]


def allocated_by_ptxas(ptxas, folder, target):
    """Registers and bytes of spills of the kernel with the most."""
    done = run(ptxas, "-v", "-arch", ARCHITECTURES[target], "-o", os.path.join(folder, "cubin"),
               one_file(folder, ".ptx"))
    spills = re.findall(r"(\d+) bytes spill stores", done.stderr)
    registers = re.findall(r"Used (\d+) registers", done.stderr)
    return max(map(int, registers)), max(map(int, spills), default=0)


def allocated_by_llvm(folder):
    with open(one_file(folder, ".amdgcn"), encoding="utf-8") as stream:
        text = stream.read()
    return (int(re.search(r"\.vgpr_count: *(\d+)", text).group(1)),
            int(re.search(r"\.vgpr_spill_count: *(\d+)", text).group(1)))


def measure(options, kernel, target):
    name, file, function, signature, warps, stages = kernel
    with tempfile.TemporaryDirectory() as folder:
        done = run(options.tilewright, "compile", file, "--kernel", function, "--signature",
                   signature, "--target", target, "--num-warps", str(warps), "--num-stages",
                   str(stages), "--no-cache", "-o", folder)
        if done.returncode:
            return None
        if target.startswith("cuda"):
            registers, spills = allocated_by_ptxas(options.ptxas, folder, target)
        else:
            registers, spills = allocated_by_llvm(folder)
        kept = hashlib.sha256(f"{name} {target}".encode()).hexdigest()[:16] + ".ttgir"
        shutil.copy(one_file(folder, ".ttgir"), os.path.join(options.folder, kept))
    return {"kernel": name, "target": target, "warps": warps, "registers": registers,
            "spills": spills, "ttgir": kept}


def measure_all(options):
    os.makedirs(options.folder, exist_ok=True)
    path = os.path.join(options.folder, MEASURED)
    known = {(each["kernel"], each["target"]) for each in read(path)} if os.path.exists(path) else ()
    work = [(kernel, target) for kernel in kernels(options.gathered)
            for target in options.targets.split(",") if (kernel[0], target) not in known]

    def attempt(pair):
        try:
            return measure(options, *pair)
        except (subprocess.TimeoutExpired, ValueError, AttributeError, IndexError) as error:
            print(pair[0][0], pair[1], repr(error), file=sys.stderr)
            return None

    with open(path, "a", encoding="utf-8") as stream, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(attempt, work):
            if result:
                print(json.dumps(result), file=stream, flush=True)


def read(path):
    with open(path, encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def estimate(options, row):
    """The row with the terms of the group of warps for which the most is expected."""
    done = run(options.opt, "--tilewright-estimate-registers",
               os.path.join(options.folder, row["ttgir"]), "-o", os.devnull)
    found = []
    for match in re.finditer(r"(\d+) registers of a thread are expected: (.*)", done.stderr):
        terms = {name: int(count) for name, count in re.findall(r"(\w+) (\d+)", match.group(2))}
        found.append((int(match.group(1)), terms))
    expected, terms = max(found, key=lambda each: each[0])
    with open(os.path.join(options.folder, row["ttgir"]), encoding="utf-8") as stream:
        has_product = bool(PRODUCT.search(stream.read()))
    return {**row, "estimate": expected, "has_product": has_product, **terms}


def estimate_all(options):
    with open(os.path.join(options.folder, ESTIMATED), "w", encoding="utf-8") as stream:
        for row in read(os.path.join(options.folder, MEASURED)):
            print(json.dumps(estimate(options, row)), file=stream)


def limit_of(row):
    """What a thread may have: of the target, and where all threads of the block must be resident."""
    family = row["target"].split(":")[0]
    if family == "cuda":
        return min(LIMITS[family], registers_for(row["warps"]))
    return LIMITS[family]


def registers_for(warps):
    """Those of a thread with which so many warps are resident on one of NVIDIA's multiprocessors."""
    return 512 // -(-warps // 4) // 8 * 8


@functools.cache
def steps_of(family, warps):
    """The registers with which 2 blocks and more are resident, fewest first."""
    if family != "cuda":
        return ()
    return sorted({min(registers_for(blocks * warps), LIMITS[family])
                   for blocks in range(2, 33) if blocks * warps <= 64})


def settle(needed, row, slacks):
    """As RegisterEstimate.cpp does. `slacks`: blockSlack and fullSlack, in percent."""
    for registers in steps_of(row["target"].split(":")[0], row["warps"]):
        if needed <= registers:
            return needed
        if needed * 100 <= registers * slacks[registers == registers_for(64)]:
            return registers
    return min(needed, limit_of(row))


def predict(weights, row):
    """As RegisterEstimate.cpp does: `weights` are the base, percents of each term, and slacks."""
    more = sum(weight * row[term] for weight, term in zip(weights[1:], TERMS)) // 100
    return settle(weights[0] + more, row, weights[-2:])


def error_between(expected, row):
    return abs(expected - row["registers"]) / row["registers"]


def loss_of(weights, rows):
    """Mean of the errors; those over 60 % count as that, whatever they are."""
    return statistics.fmean(min(error_between(predict(weights, row), row), 0.6) for row in rows)


def descend(weights, rows):
    """Coordinate descent over integers, each with a step of its own."""
    loss = loss_of(weights, rows)
    steps = [4] + [32] * len(TERMS) + ([16, 32] if rows[0]["target"].startswith("cuda") else [0, 0])
    while any(steps):
        for i, step in enumerate(steps):
            found = None
            for change in (step, -step) if step else ():
                trial = list(weights)
                trial[i] = max(100 if i > len(TERMS) else 0, trial[i] + change)
                trial_loss = loss_of(trial, rows)
                if trial_loss < loss:
                    weights, loss, found = trial, trial_loss, True
                    break
            steps[i] = step * 3 // 2 if found else step // 2
    return loss, weights


def fit(rows):
    """The best of several descents."""
    draw = random.Random(1)
    starts = [[8, 100, 100, 30, 30, 20, 30, 20, 115, 170]]
    starts += [[draw.randrange(16), 90] + [draw.randrange(100) for _ in TERMS[1:]] + [115, 170]
               for _ in range(5)]
    if rows[0]["target"].startswith("hip"):
        starts = [start[:-2] + [100, 100] for start in starts]
    return min(descend(start, rows) for start in starts)[1]


def fold_of(row):
    """One of FOLDS; all numbers of warps of a case are in one."""
    name = row["kernel"].rsplit(":", 1)[0] if row["kernel"].startswith("case:") else row["kernel"]
    return hashlib.sha256(name.encode()).digest()[0] % FOLDS


def given(registers, row):
    unit = UNITS[row["target"]]
    return -(-max(registers, 1) // unit) * unit


def report(label, pairs):
    """`pairs`: rows, with what is expected of each."""
    errors = sorted(error_between(expected, row) for row, expected in pairs)
    same = sum(given(expected, row) == given(row["registers"], row) for row, expected in pairs)
    print(f"  {label}: {len(pairs)} kernels, median error {statistics.median(errors):.1%}, "
          f"three quarters under {errors[len(errors) * 3 // 4]:.1%}, "
          f"{same / len(pairs):.0%} are given as many")


def report_kinds(label, pairs):
    report(label, pairs)
    for has_product in (False, True):
        report("  with products" if has_product else "  without products",
               [pair for pair in pairs if pair[0]["has_product"] == has_product])


def cross_validate(rows):
    """What is expected of each row by the weights that the other folds give."""
    pairs = []
    for fold in range(FOLDS):
        weights = fit([row for row in rows if fold_of(row) != fold])
        pairs += [(row, predict(weights, row)) for row in rows if fold_of(row) == fold]
    return pairs


def fit_all(options):
    rows = read(os.path.join(options.folder, ESTIMATED))
    for target in dict.fromkeys(row["target"] for row in rows):
        of_target = [row for row in rows if row["target"] == target]
        # What spills says nothing of how many registers there should be.
        held = [row for row in of_target
                if not row["spills"] and 0 < row["registers"] < limit_of(row)]
        print(f"{target}: {len(of_target)} kernels, of which {len(of_target) - len(held)} spill, "
              "have none or are at the limit")
        tested = []
        for has_product in (False, True):
            kind = [row for row in held if row["has_product"] == has_product]
            print("  with products:" if has_product else "  without products:",
                  dict(zip(("base",) + TERMS + SLACKS, fit(kind))))
            tested += cross_validate(kind)
        report_kinds("by weights of other kernels", tested)
        report_kinds("as the tool estimates", [(row, row["estimate"]) for row in held])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("step", choices=("measure", "estimate", "fit"))
    parser.add_argument("folder")
    parser.add_argument("gathered", nargs="*")
    parser.add_argument("--targets", default=TARGETS)
    parser.add_argument("--tilewright", default="build/release/tools/tilewright")
    parser.add_argument("--opt", default="build/release/tools/tilewright-opt")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    {"measure": measure_all, "estimate": estimate_all, "fit": fit_all}[options.step](options)


if __name__ == "__main__":
    main()
