#!/usr/bin/env python3
"""measure.py FOLDERS.. --output TIMES.jsonl: runs and times both codes of launches, on the GPU.

FOLDERS are those that assemble.py wrote; it may still be running ptxas on them. Each launch runs
with both codes on inputs of two seeds, and what they leave in memory is compared; then they are
timed by turns. A process does one
launch after the other; if a launch ends it, or takes longer than `--limit` seconds, one that waits
takes over. Needs PyTorch; no Triton. README.md has the fields of a line.

A pair's times are between CUDA's events, with the L2 cache overwritten before each launch; kernels
shorter than `SHORT` are timed as `GRAPHED` launches of a CUDA graph, with what the cache holds.
"""

import argparse
import ctypes
import glob
import json
import os
import queue
import statistics
import subprocess
import sys
import threading
import time

from assemble import mixed

HERE = os.path.dirname(os.path.abspath(__file__))

#: Milliseconds: kernels below are timed in a CUDA graph.
SHORT = 0.020
GRAPHED = 20
#: Pairs of times; milliseconds of GPU time after which fewer will do.
PAIRS, LEAST_PAIRS, ENOUGH = 24, 8, 40.0
#: Bytes that overwrite the L2 cache: more than the 60 MB of an H200.
FLUSHED = 96 << 20
SEEDS = (1, 2)
#: Processes that wait.
WAITING = 2


def times(events):
    import torch
    torch.cuda.synchronize()
    return [begin.elapsed_time(end) for begin, end in events]


def between(run, before=lambda: None):
    import torch
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    before()
    begin.record()
    run()
    end.record()
    return begin, end


def by_turns(first, second, pairs, before=lambda: None):
    """Times of both in milliseconds; which of them is first changes."""
    found = ([], [])
    for number in range(pairs):
        for which in ((0, 1) if number % 2 == 0 else (1, 0)):
            found[which].append(between((first, second)[which], before))
    return tuple(map(times, found))


def graph_of(launch):
    import torch
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        stream = torch.cuda.current_stream().cuda_stream
        for _ in range(GRAPHED):
            launch(stream)
    return graph


def compare_times(ours, theirs, flush):
    """Figures of a pair of launches, functions of a stream."""
    import torch
    stream = torch.cuda.current_stream().cuda_stream
    run_ours, run_theirs = (lambda: ours(stream)), (lambda: theirs(stream))
    guess = max(min(values) for values in by_turns(run_ours, run_theirs, 2))
    how = "events"
    if guess < SHORT:
        how = "graph"
        graphs = graph_of(ours), graph_of(theirs)
        found = by_turns(graphs[0].replay, graphs[1].replay, PAIRS)
        found = tuple([value / GRAPHED for value in values] for values in found)
    else:
        pairs = max(LEAST_PAIRS, min(PAIRS, int(ENOUGH / (2 * guess))))
        found = by_turns(run_ours, run_theirs, pairs, flush)
    mine, other = map(statistics.median, found)
    ratios = sorted(b / a for a, b in zip(*found))
    return {"how": how, "pairs": len(found[0]), "ours_ms": mine, "triton_ms": other,
            "ratio": other / mine, "quartiles": [ratios[len(ratios) // 4],
                                                 ratios[3 * len(ratios) // 4]]}


def set_arguments(kernel, values, address):
    """Those of launch.json for our code, which may have taken some as constants."""
    library, handle = kernel.library, kernel.handle
    for index, name in enumerate(kernel.names):
        value = values[name]
        if isinstance(value, dict):
            at = address(value["storage"], value["offset"])
            if "shape" in value:
                extents = ctypes.c_int64 * len(value["shape"])
                kernel.check(library.tilewright_set_tensor(
                    handle, index, at, len(value["shape"]), extents(*value["shape"]),
                    extents(*value["strides"])))
            else:
                kernel.check(library.tilewright_set_pointer(handle, index, at))
        elif isinstance(value, float):
            kernel.check(library.tilewright_set_float(handle, index, value))
        else:
            kernel.check(library.tilewright_set_integer(handle, index, int(value)))


def measure(folder, driver, library, flush):
    """The line of one launch."""
    import numpy
    import torch
    from launch import LOCAL_BYTES, REGISTERS, Kernel
    from memory import Memory, difference
    from triton_code import TritonCode

    with open(os.path.join(folder, "launch.json"), encoding="utf-8") as file:
        launch = json.load(file)
    kernel = Kernel(folder, "ours", library)
    kernel.load()
    memory = Memory(launch, numpy.load(os.path.join(folder, "integers.npz")))
    theirs = TritonCode(driver, os.path.join(folder, "triton.cubin"), launch, memory.address,
                        lambda size: torch.empty(size, dtype=torch.uint8, device="cuda"))
    set_arguments(kernel, {one["name"]: one["value"] for one in launch["arguments"]},
                  memory.address)

    def ours(stream):
        kernel.check(library.tilewright_launch(kernel.handle, *launch["grid"], stream))

    line = {"registers": kernel.attribute(REGISTERS), "local": kernel.attribute(LOCAL_BYTES),
            "mb": memory.bytes() >> 20}
    worst = []
    for seed in SEEDS:
        stream = torch.cuda.current_stream().cuda_stream
        memory.fill(seed)
        before = [one.clone() for one in memory.tensors]
        theirs.launch(stream)
        expected = [one.clone() for one in memory.tensors]
        memory.fill(seed)
        ours(stream)
        torch.cuda.synchronize()
        found = [difference(*three) for three in zip(memory.tensors, expected, before)]
        worst.append(max(found))
        line["written"] = sum(not torch.equal(a.view(torch.uint8), b.view(torch.uint8))
                              for a, b in zip(expected, before))
        if max(found) > 1:
            # What Triton's own code leaves when it runs again: order of atomics, races.
            memory.fill(seed)
            theirs.launch(stream)
            line["triton_differs"] = max(difference(*three) for three in
                                         zip(memory.tensors, expected, before))
        del before, expected
    line["differs"] = worst
    memory.fill(SEEDS[0])
    line.update(compare_times(ours, theirs.launch, flush))
    return line


def serve(library):
    """Reads names of folders, writes lines."""
    import torch
    sys.path.insert(0, HERE)
    sys.path.insert(0, os.path.join(HERE, "..", "..", "gpu"))
    from launch import open_library
    from triton_code import Driver
    library = open_library(library)
    torch.cuda.init()
    cache = torch.empty(FLUSHED, dtype=torch.uint8, device="cuda")
    # Clocks rise under load.
    a = torch.randn(4096, 4096, device="cuda", dtype=torch.float16)
    for _ in range(50):
        a @ a
    torch.cuda.synchronize()
    driver = Driver()
    print("ready", flush=True)
    for folder in sys.stdin:
        folder, begun = folder.strip(), time.monotonic()
        line = {"launch": "/".join(folder.rstrip("/").split(os.sep)[-2:])}
        fatal = False
        try:
            line.update(measure(folder, driver, library, cache.zero_))
        except (RuntimeError, KeyError, ValueError, OSError, TypeError) as error:
            line["error"] = str(error)[:300]
            try:
                torch.cuda.synchronize()
            except RuntimeError:
                fatal = True
        line["seconds"] = round(time.monotonic() - begun, 3)
        print(json.dumps(line), flush=True)
        if fatal:
            os._exit(1)
        torch.cuda.empty_cache()


class Worker:
    def __init__(self, library):
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--serve", library or ""],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def ask(self, folder, limit):
        """The line, or None if the process ended or takes too long."""
        try:
            self.process.stdin.write(folder + "\n")
            self.process.stdin.flush()
            return self.lines.get(timeout=limit)
        except (OSError, queue.Empty):
            return None

    def ready(self, limit):
        try:
            return self.lines.get(timeout=limit) is not None
        except queue.Empty:
            return False

    def end(self):
        self.process.kill()


def wait_for(folder, seconds):
    """Until both codes are there, at most for so long."""
    begun = time.monotonic()
    while time.monotonic() - begun < seconds and not all(
            os.path.exists(os.path.join(folder, code + ".cubin")) for code in ("ours", "triton")):
        time.sleep(0.05)


def main():
    if sys.argv[1] == "--serve":
        serve(sys.argv[2] or None)
        return
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--output", required=True)
    parser.add_argument("--library", help="libtilewright-launch.so")
    parser.add_argument("--limit", type=float, default=20, help="seconds for one launch")
    parser.add_argument("--wait", type=float, default=0,
                        help="seconds for ptxas, where it is running")
    parser.add_argument("--seconds", type=float, default=1e9, help="for all")
    options = parser.parse_args()
    begun = time.monotonic()
    folders = [os.path.dirname(one) for folder in options.folders
               for one in mixed(glob.glob(os.path.join(folder, "*", "*", "launch.json")))]
    waiting = [Worker(options.library) for _ in range(1 + WAITING)]
    worker = waiting.pop(0)
    worker.ready(120)
    done = 0
    with open(options.output, "w", encoding="utf-8") as stream:
        for folder in folders:
            wait_for(folder, options.wait)
            if time.monotonic() - begun > options.seconds:
                break
            line = worker.ask(folder, options.limit)
            ended = line is None or worker.process.poll() is not None
            if line is None:
                line = json.dumps({"launch": "/".join(folder.split(os.sep)[-2:]),
                                   "error": "ended the process, or took too long"}) + "\n"
            stream.write(line)
            stream.flush()
            done += 1
            if ended or "\"error\"" in line and "CUDA error" in line:
                worker.end()
                waiting.append(Worker(options.library))
                worker = waiting.pop(0)
                worker.ready(120)
    for one in (worker, *waiting):
        one.end()
    print(f"{done} of {len(folders)} launches in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
