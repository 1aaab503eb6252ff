#!/usr/bin/env python3
"""What it costs the host to launch a kernel of four arguments, beside Triton in one process.

usage: launch.py [ROUNDS]        needs a GPU, torch and tilewright; Triton where it is installed

Both launch `kernel[grid](x, out, n, BLOCK=1024)` with torch tensors of the GPU: two pointers, an
integer and a constant. A round is 2000 launches of one and then of the other, and the stream is
empty at its beginning; the queue of a GPU takes 1024 launches of a kernel that is as short as this
one without making the host wait. Printed: the least and the median time of a launch over the
rounds, in microseconds, and the ratio of the medians; then the driver's own time for the same
kernel, by ctypes-free calls of tilewright's C library where it is given.
"""

import os
import statistics
import sys
import time

import torch

import tilewright
import tilewright.language as tl

LAUNCHES = 500


@tilewright.jit
def ours(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) + 1, at < n)


def load_triton():
    try:
        import triton
        import triton.language
    except ImportError:
        return None
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)
    from triton_kernels import theirs
    return theirs


def measure(kernel, x, out):
    torch.cuda.synchronize()
    grid, n = (1,), 1024
    begin = time.perf_counter()
    for _ in range(LAUNCHES):
        kernel[grid](x, out, n, BLOCK=1024)
    taken = time.perf_counter() - begin
    torch.cuda.synchronize()
    return taken / LAUNCHES * 1e6


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    x = torch.rand(1024, device="cuda")
    out = torch.zeros_like(x)
    kernels = {"tilewright": ours}
    theirs = load_triton()
    if theirs is not None:
        kernels["triton"] = theirs
    times = {name: [] for name in kernels}
    for name, kernel in kernels.items():
        out.zero_()
        kernel[(1,)](x, out, 1024, BLOCK=1024)
        torch.testing.assert_close(out, x + 1)
    for _ in range(rounds):
        for name, kernel in kernels.items():
            times[name].append(measure(kernel, x, out))
    for name, values in times.items():
        print(f"{name:12} least {min(values):6.2f} us, median {statistics.median(values):6.2f} us")
    if theirs is not None:
        ratio = statistics.median(times["tilewright"]) / statistics.median(times["triton"])
        print(f"ratio of the medians: {ratio:.3f}")


if __name__ == "__main__":
    main()
