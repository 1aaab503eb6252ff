#!/usr/bin/env python3
"""Runs kernels that have one fault each, and compares what finds it.

usage: test/faults/run_faults.py TILEWRIGHT [--only REGEX]
       test/faults/run_faults.py TILEWRIGHT --sanitizer [--jobs N] [--output FILE.json]

On the simulator each fault is to be found, at the line that is marked with "here", and said in the
words of the table below. With --sanitizer, on a machine with a GPU and compute-sanitizer, each kernel
runs there under each of its tools, and a table says which tool found it. docs/simulator.md has that
table. Exit code 1 if the simulator does not find one.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
#: Mistakes in kernels of Gluon, which the Python package's tests have.
MISTAKES = HERE.parents[1] / "python" / "tests" / "test_gluon_mistakes.py"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")

TILE = "tensordesc<fp16[16, 16], NVMMASharedLayout(32, 16)>"
BOXES = (f"{TILE}, {TILE}", "source=arange(16,16) result=zeros(16,16)")
ROWS = ("*fp32:16, *fp32:16", "x=rand(256) y=zeros(256)")
F32 = "*fp32:16, *fp32:16"

# Kernel: signature, arguments, options, what the simulator says.
TRITON = {
    "load_past_the_end": (f"{F32}, 128", "x=rand(200) y=zeros(256)", "--grid 2", "past the end of argument 'x'"),
    "store_past_the_end": (f"{F32}, i32, 128", "x=rand(128) y=zeros(100) n=128", "", "past the end of argument 'y'"),
    "load_before_the_beginning": (f"{F32}, 128", "x=rand(128) y=zeros(128)", "", "before argument 'x'"),
    "atomic_past_the_end": (f"{F32}, 128", "x=rand(128) y=zeros(128)", "", "atomic access .* past the end of argument 'y'"),
    "wrong_stride": (f"{F32}, i32, i32:16, 16, 32", "x=rand(16,32) y=zeros(16,32) rows=16 stride=64", "",
                     "past the end of argument 'x'"),
    "pipelined_past_the_end": ("*fp16:16, *fp16:16, *fp32:16, i32:16, 64",
                               "a=rand(64,96) b=rand(96,64) c=zeros(64,64) K=128", "--num-stages 3",
                               "past the end of argument '[ab]'"),
    "false_alignment": (f"{F32}, i32, 512", "x=rand(1024) y=zeros(512) offset=1", "", "misaligned load of 16 bytes"),
    "loaded_pointer": ("*i64:16, *fp32:16, 128", "addresses=full(1,4096) y=zeros(128)", "", "load of .* bytes"),
    "descriptor_of_another_shape": ("*fp16:16, *fp16:16, 64", "x=rand(96,64) y=zeros(64,64)", "", "in no buffer"),
    "load_of_nothing": (f"{F32}, 128", "x=rand(128) y=empty(128)", "", "argument 'y', which nobody has written"),
    "atomic_on_nothing": (f"{F32}, 128", "x=rand(128) y=empty(128)", "", "argument 'y', which nobody has written"),
    "partly_written": (f"{F32}, *fp32:16, i32, 128", "x=rand(128) y=zeros(128) part=empty(128) n=100", "",
                       "load of byte 400 of argument 'part', which nobody has written"),
    "swap_in_place": ("*fp32:16, 256", "x=rand(256)", "", "(a read and a write|a write and a read) of byte .* by two threads"),
    "through_memory": (f"{F32}, *fp32:16, 256", "x=rand(256) y=zeros(256) part=empty(256)", "",
                       "a write and a read of byte .* of argument 'part' by two threads|nobody has written"),
    "shift": ("*fp32:16, 256", "x=rand(769)", "--grid 3", "of argument 'x' by two programs"),
    "same_element": ("*fp32:16", "y=zeros(1)", "--grid 4", "two writes of byte .* by two programs"),
    "lock_let_go_early": ("*fp32:16, *i32:16, *fp32:16, 128", "total=zeros(1) lock=zeros(1) x=rand(512)", "--grid 4",
                          "a write and a read of byte 0 of argument 'total' by two programs"),
    "counter_without_order": ("*fp32:16, *fp32:16, *i32:16, *fp32:16, 128, 4",
                              "y=zeros(1) part=zeros(4) count=zeros(1) x=rand(512)", "--grid 4",
                              "a write and a read of byte 0 of argument 'part' by two programs"),
    "narrow_scope": ("*i32:16, *i32:16, 32", "count=zeros(32) x=rand(32)", "--grid 2",
                     "one of a scope within its program"),
    "division_by_zero": ("*i32:16, *i32:16, 32", "x=zeros(32) y=zeros(32)", "", "integer division by zero"),
    "false_assumption": (f"{F32}, i32, 128", "x=rand(128) y=zeros(128) n=50", "", "what the kernel assumes is false"),
}
GLUON = {
    "no_wait_for_copies": (*ROWS, "", "is written by an outstanding asynchronous copy"),
    "waits_for_one_too_few": (*ROWS, "", "is written by an outstanding asynchronous copy"),
    "no_commit": (*ROWS, "", "is written by an outstanding asynchronous copy"),
    "index_at_run_time": (*ROWS, "", "outside of shared memory, which has 1024 bytes"),
    "nothing_in_shared_memory": (*ROWS, "", "shared memory that nothing has been stored to"),
    "race_of_partitions": (*ROWS, "", "race in shared memory"),
    "no_wait": (*BOXES, "", "is written by an outstanding asynchronous copy"),
    "wrong_phase": (*BOXES, "", "is written by an outstanding asynchronous copy"),
    "too_many_bytes": (*BOXES, "", "wait for each other for ever"),
    "an_arrival_too_few": (*BOXES, "", "wait at the end of the phase"),
    "an_arrival_too_many": (*BOXES, "", "which has had all of its 1 arrivals"),
    "no_barrier_made": (*BOXES, "", "shared memory that nothing has been stored to"),
    "made_twice": (*BOXES, "", "a barrier is made where there is one"),
    "no_store_wait": (*BOXES, "", "is still read by an outstanding asynchronous operation"),
    "overwritten_product": ("*fp32:16, *fp32:16", "x=rand(64) y=zeros(64)", "",
                            "is still read by an outstanding asynchronous operation"),
}
CASES = {name: (HERE / "kernels.py", *case) for name, case in TRITON.items()}
CASES |= {name: (MISTAKES, *case) for name, case in GLUON.items()}


def command(tool, name, device):
    file, signature, arguments, options, _ = CASES[name]
    words = [str(tool), "run", str(file), "--kernel", name, "--target", "cuda:90", "--signature", signature,
             "--no-cache", "--device", device, *options.split()]
    for argument in arguments.split():
        words += ["--arg", argument]
    return words + (["--order"] if device == "sim" else [])


def lines_of(name):
    """The lines marked in the kernel, or in its partition: of some races either access is second."""
    lines = CASES[name][0].read_text().splitlines()
    name = "writer" if name == "race_of_partitions" else name
    begin = next(i for i, line in enumerate(lines) if line.startswith(f"def {name}("))
    end = next((i for i in range(begin + 1, len(lines)) if lines[i].startswith("@")), len(lines))
    return [i + 1 for i in range(begin, end) if lines[i].endswith("# here")]


def simulate(tool, name):
    """What is wrong with the simulator's answer; None if nothing is."""
    done = subprocess.run(command(tool, name, "sim"), capture_output=True, text=True, timeout=300)
    error = next((line for line in done.stderr.splitlines() if ": error: " in line), "")
    if done.returncode != 1 or not re.search(CASES[name][4], done.stderr):
        return f"exit code {done.returncode}, not what was expected:\n{done.stderr}"
    if not any(f"{CASES[name][0].name}:{line}:" in error for line in lines_of(name)):
        return f"not at line {lines_of(name)}: {error}"
    return None


def sanitize(tool, name, kind):
    words = ["compute-sanitizer", "--tool", kind, "--error-exitcode", "77", *command(tool, name, "cuda")]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "no end", ""
    text = done.stdout + done.stderr
    summary = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (\d+) (?:error|hazard)", text)
    found = done.returncode == 77 or (summary and summary[1] != "0")
    return "found" if found else "nothing" if done.returncode == 0 else f"exit {done.returncode}", text[-3000:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilewright", type=pathlib.Path)
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--sanitizer", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=pathlib.Path)
    args = parser.parse_args()
    tool = args.tilewright.resolve()
    names = [name for name in CASES if re.search(args.only, name)]
    if not names:
        sys.exit(f"no kernel is called {args.only}")

    if args.sanitizer:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            runs = {(name, kind): pool.submit(sanitize, tool, name, kind) for name in names for kind in TOOLS}
            results = {name: {kind: runs[name, kind].result() for kind in TOOLS} for name in names}
        print("| fault | " + " | ".join(TOOLS) + " |\n|---|" + "---|" * len(TOOLS))
        for name in names:
            print(f"| `{name}` | " + " | ".join(results[name][kind][0] for kind in TOOLS) + " |")
        if args.output:
            args.output.write_text(json.dumps(results, indent=1))
        return 0

    failures = 0
    for name in names:
        if problem := simulate(tool, name):
            failures += 1
            print(f"{name}: {problem}")
    print(f"{len(names) - failures} of {len(names)} faults found")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
