#!/usr/bin/env python3
"""What it costs the host to launch a kernel of four arguments, beside Triton in one process.

usage: launch.py [ROUNDS]        needs a GPU, torch and tilewright; Triton where it is installed

Both launch `kernel[grid](x, out, n, BLOCK=1024)` with torch tensors of the GPU: two pointers, an
integer and a constant. A round is 500 launches of one and then of the other, and the stream is
empty at its beginning: the queue of a GPU takes 1024 launches without making the host wait. Printed
are the least and the median time of a launch over the rounds, in microseconds, and the ratio of the
medians. The driver's own time for the same kernel is that of a loop in C (driver_loop.c), where
libdriver_loop.so lies beside this file or a C compiler is there.
"""

import ctypes
import os
import statistics
import subprocess
import sys
import time

import torch

import tilewright
import tilewright.language as tl

LAUNCHES = 500
HERE = os.path.dirname(os.path.abspath(__file__))


@tilewright.jit
def ours(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) + 1, at < n)


def load_triton():
    try:
        import triton  # noqa: F401
    except ImportError:
        return None
    sys.path.insert(0, HERE)
    from triton_kernels import theirs
    return theirs


def make_python_loop(kernel, x, out):
    def measure():
        grid, n = (1,), 1024
        begin = time.perf_counter()
        for _ in range(LAUNCHES):
            kernel[grid](x, out, n, BLOCK=1024)
        return time.perf_counter() - begin

    return measure


def make_driver_loop(compiled, x, out):
    """The same kernel by the driver alone; None if there is no library for it."""
    library = os.path.join(HERE, "libdriver_loop.so")
    if not os.path.exists(library):
        source = os.path.join(HERE, "driver_loop.c")
        try:
            subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
    cuda = ctypes.CDLL("libcuda.so.1")
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    image = ctypes.c_char_p(compiled.asm["ptx"].encode())
    if cuda.cuModuleLoadData(ctypes.byref(module), image) or \
            cuda.cuModuleGetFunction(ctypes.byref(function), module, compiled.name.encode()):
        return None
    values = [ctypes.c_uint64(x.data_ptr()), ctypes.c_uint64(out.data_ptr()), ctypes.c_int32(1024)]
    parameters = (ctypes.c_void_p * 3)(*[ctypes.addressof(value) for value in values])
    loop = ctypes.CDLL(library).timeLaunches
    loop.restype = ctypes.c_double
    launch = ctypes.cast(cuda.cuLaunchKernel, ctypes.c_void_p)
    threads = compiled.n_max_threads
    keep = (values, module)
    return lambda: (keep, loop(launch, function, threads, parameters, LAUNCHES))[1]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    x = torch.rand(1024, device="cuda")
    out = torch.zeros_like(x)
    kernels = {"tilewright": ours}
    theirs = load_triton()
    if theirs is not None:
        kernels["triton"] = theirs
    for kernel in kernels.values():
        out.zero_()
        kernel[(1,)](x, out, 1024, BLOCK=1024)
        torch.testing.assert_close(out, x + 1)
    loops = {name: make_python_loop(kernel, x, out) for name, kernel in kernels.items()}
    driver = make_driver_loop(ours[(1,)](x, out, 1024, BLOCK=1024), x, out)
    if driver is not None:
        loops["driver"] = driver
    times = {name: [] for name in loops}
    for _ in range(rounds):
        for name, loop in loops.items():
            torch.cuda.synchronize()
            times[name].append(loop() / LAUNCHES * 1e6)
    for name, values in times.items():
        print(f"{name:12} least {min(values):6.2f} us, median {statistics.median(values):6.2f} us")
    if theirs is not None:
        ratio = statistics.median(times["tilewright"]) / statistics.median(times["triton"])
        print(f"ratio of the medians: {ratio:.3f}")


if __name__ == "__main__":
    main()
