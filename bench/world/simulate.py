#!/usr/bin/env python3
"""Kernels of packages on Tilewright's simulator beside Triton's interpreter.

usage: simulate.py PACKAGES FOLDER [PACKAGE ..] [--targets A,B] [--limit SECONDS] [--report]

Needs Python with Triton 3.6, torch, NumPy, tilewright; no GPU. `calls/PACKAGE.py` calls functions
of a package with small tensors. record.py runs them under the interpreter and writes each launch,
and what it did to memory, into FOLDER; replay.py does the same launches on the simulator. The two
are processes of their own, since both have an `import triton`. Calls that are recorded already are
not recorded again; `--report` only prints what is known.

The exit status is 1 if a result differs, or a kernel was refused or missing, that `KNOWN` does not
explain.
"""

import argparse
import collections
import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

#: Why a kernel gives something else here than in the interpreter: (package, kernel).
KNOWN = {
    ("liger_kernel", "_moe_router_histogram_kernel"):
        "stores zeros and adds to them atomically, without a barrier in between: threads of the "
        "simulator come one after the other",
    ("conch_triton_kernels", "_copy_blocks_kernel"):
        "is given addresses as numbers in an array, which are those of the recording process",
    ("fbgemm_gpu", "_kernel_quantize_mx4"):
        "shifts 32 bits by 32: 0 in PTX, the number itself on AMD's and Intel's targets",
}
#: Kernels that functions make are not found by name.
LOCAL = "<locals>"


def run_step(script, arguments, log):
    # In a folder of its own: packages write files where they are run.
    with open(log, "a") as file:
        done = subprocess.run([sys.executable, os.path.join(HERE, script), *arguments], stdout=file,
                              stderr=file, cwd=os.path.dirname(log), check=False)
    if done.returncode:
        print(f"{script}: exit status {done.returncode}, see {log}", file=sys.stderr)


def compare(package, options):
    folder = os.path.join(options.folder, package)
    log = folder + ".log"
    if not os.path.isdir(folder):
        run_step("record.py", [options.packages, os.path.join(HERE, "calls", package + ".py"),
                               folder], log)
    results = folder + ".jsonl"
    if os.path.exists(results):
        os.remove(results)
    run_step("replay.py", [options.packages, folder, results, "--targets", options.targets,
                           "--limit", str(options.limit)], log)


def report(folder, packages):
    """Prints a line for each package and target, and what is not the same; the number of the latter
    that nothing explains."""
    unexplained = 0
    print(f"{'package':24} {'target':12} {'kernels':>7} {'launches':>8} {'same':>5}  else")
    details = []
    for package in packages:
        path = os.path.join(folder, package + ".jsonl")
        if not os.path.exists(path):
            continue
        targets = collections.defaultdict(list)
        with open(path) as file:
            for line in file:
                result = json.loads(line)
                targets[result["target"]].append(result)
        for target, results in targets.items():
            kernels = {(one["module"], one["kernel"]) for one in results}
            other = [one for one in results if one["state"] != "same"]
            same = len(kernels - {(one["module"], one["kernel"]) for one in other})
            states = collections.Counter(one["state"] for one in other)
            print(f"{package:24} {target:12} {len(kernels):7} {len(results):8} {same:5}  "
                  + ", ".join(f"{count} {state}" for state, count in states.items()))
            for one in other:
                why = KNOWN.get((package, one["kernel"]), "")
                if LOCAL in one["kernel"]:
                    why = "is local to a function"
                unexplained += not why and one["state"] not in ("unchanged", "slow")
                said = why or one.get("message") or json.dumps(one.get("differing", ""))
                details.append(f"{one['state']}: {package} {one['record']} {one['kernel']} "
                               f"{target}: {said}")
    print("\n".join(details))
    return unexplained


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("packages")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--targets", default="cuda:90")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    options.packages = os.path.abspath(options.packages)
    options.folder = os.path.abspath(options.folder)
    names = options.names or sorted(
        os.path.basename(one)[:-3] for one in glob.glob(os.path.join(HERE, "calls", "*.py")))
    if not options.report:
        os.makedirs(options.folder, exist_ok=True)
        for name in names:
            compare(name, options)
    return 1 if report(options.folder, names) else 0


if __name__ == "__main__":
    sys.exit(main())
