#!/usr/bin/env python3
"""All cases of the grids of e2e-tests, on many cores.

    python3 test/e2e/run_grids.py --tests build/release/test/e2e/e2e-tests --jobs 16

By default for Intel: the 2,520 cooperative matrices with all operations on them and the 1,440
products of such, each for warps of 16 and of 32 lanes, and the 1,320 products of `tl.dot` for
xpu:pvc and xpu:bmg. --matrices and --products choose other targets. Each test is a process of its
own. What a test that fails has printed follows its line, and the exit code is 1 then.
`e2e-tests-static` runs on machines without LLVM, and needs no other file of the repository.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import time

MATRICES = "All/CoopMatrix*"


def tests_of(binary, pattern):
    """The full names of the tests that match GoogleTest's pattern."""
    listing = subprocess.run([binary, "--gtest_list_tests", "--gtest_filter=" + pattern],
                             capture_output=True, text=True, check=True).stdout
    names, suite = [], ""
    for line in listing.splitlines():
        if line.startswith("  "):
            names.append(suite + line.split("#")[0].strip())
        elif line.split("#")[0].rstrip().endswith("."):
            suite = line.split("#")[0].strip()
    return names


def run(binary, target, name, limit):
    """(whether it passed, seconds, what it printed)."""
    environment = {**os.environ, "TILEWRIGHT_GRID": "all"}
    if target:
        environment["TILEWRIGHT_E2E_TARGET"] = target
    start = time.monotonic()
    try:
        done = subprocess.run([binary, "--gtest_filter=" + name, "--gtest_brief=1"],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=limit)
        passed = done.returncode == 0 and "[  PASSED  ] 1 test" in done.stdout
        said = done.stdout if passed else f"exit code {done.returncode}\n{done.stdout}"
    except subprocess.TimeoutExpired:
        passed, said = False, f"not done after {limit} s"
    return passed, time.monotonic() - start, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tests", required=True, help="e2e-tests, or e2e-tests-static")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--matrices", nargs="*", default=["xpu:pvc", "xpu:bmg/32"],
                        metavar="TARGET", help="targets of the cooperative matrices")
    parser.add_argument("--products", nargs="*", default=["xpu:pvc", "xpu:bmg"],
                        metavar="TARGET", help="targets of the products")
    parser.add_argument("--timeout", type=float, default=1200, help="seconds for a test")
    arguments = parser.parse_args()

    # The slowest first: the last rows have the largest matrices.
    work = [(target, name) for target in arguments.matrices
            for name in reversed(tests_of(arguments.tests, MATRICES))]
    for target in arguments.products:
        pattern = f"Targets/DotGrid*.Products/{target.replace(':', '_')}_*"
        found = tests_of(arguments.tests, pattern)
        if not found:
            sys.exit(f"run_grids.py: the grid of products has no target {target}")
        work += [(None, name) for name in found]

    failures, start = [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(run, arguments.tests, target, name, arguments.timeout): (target, name)
                   for target, name in work}
        for count, future in enumerate(concurrent.futures.as_completed(running), 1):
            target, name = running[future]
            passed, seconds, said = future.result()
            title = f"{name} {target or ''}".strip()
            print(f"[{count}/{len(work)}] {'passed' if passed else 'FAILED'} {seconds:6.1f} s  {title}",
                  flush=True)
            if not passed:
                failures.append(title)
                print(said[:4000], flush=True)
    for title in failures:
        print("FAILED", title)
    print(f"{len(work) - len(failures)} of {len(work)} tests passed in "
          f"{time.monotonic() - start:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
