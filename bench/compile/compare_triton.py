#!/usr/bin/env python3
"""Compile times of the example kernels, Python source to PTX or SPIR-V, beside Triton's.

    python3 -m venv venv && venv/bin/pip install triton
    venv/bin/python bench/compile/compare_triton.py --tilewright build/release/tools/tilewright

Needs no GPU, and no assembler: both compilers stop at PTX (or SPIR-V). Two measurements:

- In process: the median of N compilations after one that warms up. Triton runs in this
  interpreter, through the stage functions of its NVIDIA back end, which write no cache;
  Tilewright repeats in its own process (`compile --repeat N --time`) and prints one JSON
  object of milliseconds by stage. The stages are Triton's: ttir (from the source to the
  optimised tt module), ttgir, llir and ptx.
- From process start: the wall time of a new process that compiles once; for Triton that
  includes Python's start and `import triton`.

Rounds of the two compilers alternate, so that a change of the machine's speed meets both.

With --target xpu:bmg, say, Tilewright compiles for that GPU, to SPIR-V in place of PTX, and is
compared with Triton for NVIDIA's: Triton's back ends for other vendors are not all in its package.

With --processor-time the sum of all stages is compared by the processor time that it takes, the
least of all rounds, which other processes on the machine change little: of Triton what one
compilation in this process takes, of Tilewright the difference between a process that compiles
N + 1 times and one that compiles once, by N.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import cases  # noqa: E402
import triton_stages  # noqa: E402
from triton_stages import median_by_stage  # noqa: E402

STAGES = ("ttir", "ttgir", "llir", "ptx")

KERNELS = cases.CASES


def triton_compile(kernel, capability):
    """Compiles once; milliseconds by stage."""
    return triton_stages.compile_stages(kernel, ("cuda", capability), STAGES[-1])[0]


def target_of(arguments):
    return arguments.target or f"cuda:{arguments.capability}"


def tilewright_command(arguments, kernel, folder):
    return [arguments.tilewright, "compile", triton_stages.source_path(kernel),
            "--kernel", kernel.kernel, "--signature", kernel.signature,
            "--target", target_of(arguments), "--num-warps", str(kernel.num_warps),
            "--num-stages", str(kernel.num_stages), "-o", folder]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nfailed:\n{done.stderr}")
    return done.stdout


def tilewright_times(command):
    """Milliseconds by stage. Tilewright counts reading the source separately; Triton in ttir."""
    times = json.loads(run(command))
    times["ttir"] += times["frontend"]
    return {stage: times.get(stage, times.get("spv")) for stage in STAGES}


def in_process(arguments, kernel, folder):
    """Medians by stage of (Triton, Tilewright)."""
    triton_compile(kernel, arguments.capability)
    ours, theirs = [], []
    for _ in range(arguments.rounds):
        theirs += [triton_compile(kernel, arguments.capability) for _ in range(arguments.repeat)]
        if arguments.tilewright:
            command = tilewright_command(arguments, kernel, folder)
            ours.append(tilewright_times(command + ["--repeat", str(arguments.repeat), "--time"]))
    return median_by_stage(theirs, STAGES), median_by_stage(ours, STAGES) if ours else None


def processor_time(arguments, kernel, folder):
    """Least milliseconds of (Triton, Tilewright)."""
    return triton_stages.processor_times(
        lambda: triton_compile(kernel, arguments.capability),
        tilewright_command(arguments, kernel, folder) if arguments.tilewright else None,
        arguments.rounds, arguments.repeat)


def from_process_start(arguments, kernel, folder):
    """Median wall milliseconds of (Triton, Tilewright)."""
    def wall(command):
        start = time.perf_counter()
        run(command)
        return (time.perf_counter() - start) * 1e3

    theirs_command = [sys.executable, os.path.abspath(__file__), "--triton-once", kernel.name,
                      "--capability", str(arguments.capability)]
    ours, theirs = [], []
    for _ in range(arguments.rounds):
        theirs.append(wall(theirs_command))
        if arguments.tilewright:
            ours.append(wall(tilewright_command(arguments, kernel, folder)))
    return statistics.median(theirs), statistics.median(ours) if ours else None


def print_row(name, what, theirs, ours):
    row = f"{name:16} {what:14} {theirs:10.2f}"
    if ours is not None:
        row += f" {ours:12.2f} {ours / theirs:7.2f}"
    print(row, flush=True)


def compare(arguments, kernel):
    """Prints the kernel's rows; gives (Triton's, Tilewright's) milliseconds of all stages."""
    with tempfile.TemporaryDirectory() as folder:
        if arguments.processor_time:
            sums = processor_time(arguments, kernel, folder)
            print_row(kernel.name, "processor time", *sums)
            return sums
        theirs, ours = in_process(arguments, kernel, folder)
        for stage in STAGES:
            print_row(kernel.name, stage, theirs[stage], ours and ours[stage])
        sums = sum(theirs.values()), ours and sum(ours.values())
        print_row(kernel.name, "all stages", *sums)
        if not arguments.in_process:
            print_row(kernel.name, "process start", *from_process_start(arguments, kernel, folder))
    return sums


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", help="the command to measure; without it only Triton is")
    parser.add_argument("--capability", type=int, default=90)
    parser.add_argument("--target", help="Tilewright's, by default that of --capability")
    parser.add_argument("--processor-time", action="store_true",
                        help="compare the processor time of all stages")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=5, help="compilations in a round, in process")
    parser.add_argument("--in-process", action="store_true", help="leave out the new processes")
    parser.add_argument("--kernel", choices=[kernel.name for kernel in KERNELS], action="append")
    parser.add_argument("--triton-once", choices=[kernel.name for kernel in KERNELS],
                        help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.triton_once:
        kernel = next(k for k in KERNELS if k.name == arguments.triton_once)
        triton_compile(kernel, arguments.capability)
        return
    print(f"{'kernel':16} {'ms':14} {'Triton':>10} {'Tilewright':>12} {'ratio':>7}")
    chosen = [k for k in KERNELS if not arguments.kernel or k.name in arguments.kernel]
    sums = [compare(arguments, kernel) for kernel in chosen]
    print_row("all kernels", "all stages", sum(theirs for theirs, _ in sums),
              sum(ours for _, ours in sums) if arguments.tilewright else None)


if __name__ == "__main__":
    main()
