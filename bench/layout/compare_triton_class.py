#!/usr/bin/env python3
"""The algebra of layouts beside Triton's LinearLayout class, in one run.

    python3 -m venv venv && venv/bin/pip install triton==3.6.0
    venv/bin/python bench/layout/compare_triton_class.py --build build/release

Compose, invert and invert-and-compose, for layouts of a 128x256 tile with 8 warps; both classes
get the same bases, those that `tilewright convert --format json` prints. Ours is timed by Google
Benchmark (build/release/bench/layout/bench-layout). Triton's class is called from Python, through
its package: the loop, the call and the wrapping of the result cost time, too. That is measured on
the cheapest call that makes a layout, one of a single element, and subtracted; as that call makes
a small layout besides, the difference is less than what Triton's class takes alone. Rounds of
the two alternate, and the fastest round counts.
"""

import argparse
import json
import os
import subprocess
import timeit

BLOCKED = ("#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 32], "
           "warpsPerCTA = [8, 1], order = [1, 0]}>")
COLUMNS = ("#ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [16, 2], "
           "warpsPerCTA = [1, 8], order = [0, 1]}>")
ACCUMULATOR = ("#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], "
               "instrShape = [16, 256, 16]}>")
OPERAND = ("#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
           "warpsPerCTA = [4, 2], instrShape = [16, 8]}>, kWidth = 2}>")
LAYOUTS = {"blocked": BLOCKED, "accumulator": ACCUMULATOR, "operand": OPERAND}
CALLS = 20000
ROUNDS = 7


def triton_layout(tilewright, text):
    """Triton's layout with the bases of ours."""
    from triton._C.libtriton.linear_layout import LinearLayout

    command = [tilewright, "convert", "--from", text, "--to", COLUMNS, "--tensor",
               "tensor<128x256xf16>", "--format", "json"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    layout = json.loads(output)["from"]["map"]
    bases = [(name, layout["bases"][name]) for name in layout["in"]]
    return LinearLayout.from_bases(bases, list(layout["out"]), list(layout["out"].values()), False)


def nanoseconds(call):
    return timeit.timeit(call, number=CALLS) / CALLS * 1e9


def ours(bench):
    output = subprocess.run(
        [bench, "--benchmark_filter=^(compose|invert|invertAndCompose)/", "--benchmark_format=json",
         "--benchmark_min_time=0.05"],
        check=True, capture_output=True, text=True).stdout
    return {run["name"]: run["cpu_time"] for run in json.loads(output)["benchmarks"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", required=True, metavar="DIR", help="the build folder")
    arguments = parser.parse_args()
    tilewright = os.path.join(arguments.build, "tools", "tilewright")
    bench = os.path.join(arguments.build, "bench", "layout", "bench-layout")

    from triton._C.libtriton.linear_layout import LinearLayout

    columns = triton_layout(tilewright, COLUMNS)
    outer = columns.invert()
    calls = {"": lambda: LinearLayout.identity_1d(1, "register", "dim0")}
    for name, text in LAYOUTS.items():
        layout = triton_layout(tilewright, text)
        calls[f"compose/{name}"] = lambda layout=layout: layout.compose(outer)
        calls[f"invertAndCompose/{name}"] = lambda layout=layout: layout.invert_and_compose(columns)
        # Only a bijection has an inverse.
        if layout.is_invertible():
            calls[f"invert/{name}"] = lambda layout=layout: layout.invert()

    mine, theirs = {}, {}
    for _ in range(ROUNDS):
        for name, time in ours(bench).items():
            mine[name] = min(time, mine.get(name, time))
        for name, call in calls.items():
            time = nanoseconds(call)
            theirs[name] = min(time, theirs.get(name, time))

    overhead = theirs.pop("")
    print(f"a call of Triton's class from Python: {overhead:.0f} ns, subtracted below")
    print(f"{'':28}{'tilewright ns':>15}{'triton ns':>12}{'ratio':>8}")
    for name in sorted(theirs):
        net = theirs[name] - overhead
        print(f"{name:28}{mine[name]:15.0f}{net:12.0f}{net / mine[name]:8.1f}")


if __name__ == "__main__":
    main()
