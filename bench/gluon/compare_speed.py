#!/usr/bin/env python3
"""Times the kernels of Triton's Gluon tutorials for Hopper, compiled by Tilewright and by Triton.

usage: compare_speed.py TUTORIALS [--only REGEX] [--rounds N] [--seconds S]

TUTORIALS is python/tutorials/gluon of Triton 3.6. Two processes take turns, one with each compiler,
on the same GPU: in each of N rounds both time every case for S seconds. Printed are, for each case,
the median time of each in microseconds and Triton's over Tilewright's: above 1 Tilewright's kernel
is faster. Results are checked against PyTorch first. Sizes are those at which the tutorials measure.
Exit code 1 if a result is wrong.
"""

import argparse
import importlib
import json
import os
import re
import statistics
import subprocess
import sys


# Cases: name to a function that makes (what to run, what to check: pairs of tensors, tolerance).

def tutorial(number):
    name = next(one[:-3] for one in os.listdir(sys.path[0]) if one.startswith(f"{number:02}-"))
    return importlib.import_module(name)


def copies():
    import torch
    from triton.experimental.gluon import language as gl
    t1, t2, t3, t4 = (tutorial(number) for number in (1, 2, 3, 4))
    count = 2 << 30
    state = {}

    def flat():
        if "x" not in state:
            state["x"] = torch.randn(count, device="cuda")
            state["y"] = torch.empty_like(state["x"])
        return state["x"], state["y"]

    def copy_1d(R, XBLOCK):
        def make():
            x, y = flat()
            layout = gl.BlockedLayout([R], [32], [4], [0])
            return (lambda: t2.memcpy_1d_impl(x, y, XBLOCK, layout, 4)), (x, y, 0)
        return make

    def copy_autotuned():
        x, y = flat()
        return (lambda: t1.memcpy_autotune(x, y)), (x, y, 0)

    def copy_async():
        x, y = flat()
        return (lambda: t3.memcpy_1d_cpasync(x, y)), (x, y, 0)

    def copy_tma():
        x, y = flat()
        return (lambda: t4.memcpy_1d_tma(x, y)), (x, y, 0)

    def copy_2d(transposed, swapped):
        def make():
            x, y = (one.view(32 * 1024, 64 * 1024) for one in flat())
            x, y = (x.T, y.T) if transposed else (x, y)
            layout = (gl.BlockedLayout([1, 1], [32, 1], [4, 1], [0, 1]) if swapped else
                      gl.BlockedLayout([1, 1], [1, 32], [1, 4], [1, 0]))
            blocks = (2048, 1) if swapped else (1, 2048)
            return (lambda: t2.memcpy_2d_impl(x, y, *blocks, layout, 4)), (x, y, 0)
        return make

    def copy_inout(transpose_in, transpose_out):
        def make():
            x = flat()[0].view(32 * 1024, 64 * 1024)
            y = flat()[1].view(32 * 1024, 64 * 1024)
            if transpose_in:
                x = flat()[0].view(64 * 1024, 32 * 1024).T
            if transpose_out:
                y = flat()[1].view(64 * 1024, 32 * 1024).T
            return (lambda: t2.memcpy_2d_inout(x, y)), (x, y, 0)
        return make

    cases = {"01 memcpy_autotune": copy_autotuned}
    for R in (1, 2, 4, 8, 16):
        cases[f"02 memcpy_1d R={R} XBLOCK=2048"] = copy_1d(R, 2048)
    for XBLOCK in (1024, 8192, 16384):
        cases[f"02 memcpy_1d R=1 XBLOCK={XBLOCK}"] = copy_1d(1, XBLOCK)
    cases["02 memcpy_2d"] = copy_2d(False, False)
    cases["02 memcpy_2d transposed, fixed"] = copy_2d(True, True)
    for one in ((False, True), (True, False)):
        cases["02 memcpy_2d_inout in=%d out=%d" % one] = copy_inout(*one)
    cases["03 memcpy_1d_cpasync"] = copy_async
    cases["04 memcpy_1d_tma"] = copy_tma
    return cases


def additions():
    import torch
    from triton.experimental.gluon import language as gl
    t3, t4, t8 = (tutorial(number) for number in (3, 4, 8))
    state = []

    def arrays():
        if not state:
            state.extend(torch.randn(32 * 1024, 32 * 1024, device="cuda") for _ in range(2))
            state.append(torch.empty_like(state[0]))
            state.append(state[0] + state[1])
        return state

    def case(add):
        def make():
            a, b, c, expected = arrays()
            return (lambda: add(a, b, c)), (expected, c, 0)
        return make

    plain = gl.SwizzledSharedLayout(vec=1, per_phase=1, max_phase=1, order=[1, 0])
    return {
        "03 elementwise_add": case(t3.elementwise_add),
        "03 elementwise_add_cpasync": case(lambda a, b, c: t3.elementwise_add_cpasync(a, b, c, plain)),
        "03 elementwise_add_pipelined 2": case(
            lambda a, b, c: t3.elementwise_add_pipelined(a, b, c, num_buffers=2)),
        "03 elementwise_add_pipelined 3": case(
            lambda a, b, c: t3.elementwise_add_pipelined(a, b, c, num_buffers=3)),
        "04 elementwise_add_tma 32x64x2": case(lambda a, b, c: t4.elementwise_add_tma(a, b, c, 32, 64, 2)),
        "04 elementwise_add_tma 64x128x3": case(
            lambda a, b, c: t4.elementwise_add_tma(a, b, c, 64, 128, 3)),
        "08 elementwise_add_warp_specialized": case(
            lambda a, b, c: t8.elementwise_add_warp_specialized(a, b, c, 64, 128, 3, 1, 4)),
    }


def products():
    import torch
    t5, t7 = tutorial(5), tutorial(7)
    state = {}

    def arrays(M, N, K, transposed):
        key = M, N, K, transposed
        if state.get("key") != key:
            state.clear()
            a = torch.randn(M, K, device="cuda", dtype=torch.float16)
            b = torch.randn((N, K) if transposed else (K, N), device="cuda", dtype=torch.float16)
            c = torch.empty(M, N, device="cuda", dtype=torch.float16)
            state.update(key=key, value=(a, b, c, a @ (b.T if transposed else b)))
        return state["value"]

    def case(multiply, K=16 * 1024, transposed=False):
        def make():
            a, b, c, expected = arrays(8192, 8192, K, transposed)
            return (lambda: multiply(a, b, c)), (expected, c, 0.5)
        return make

    def small(in_registers, n):
        def make():
            a = torch.randn(64, 128, device="cuda", dtype=torch.float16)
            b = torch.randn(128, 128, device="cuda", dtype=torch.float16)
            c = torch.randn(64, 128, device="cuda", dtype=torch.float32)
            d = torch.empty_like(c)
            return (lambda: t5.small_mma(a, b, c, d, n, in_registers, 4)), (a @ b + c, d, 0.1)
        return make

    cases = {}
    for in_registers in (False, True):
        for n in (16, 128):
            cases[f"05 small_mma in_registers={in_registers} n={n}"] = small(in_registers, n)
    for occupancy in (1, 2):
        for M, N, K, warps, _, _ in t5.find_configs(occupancy, torch.float16):
            cases[f"05 blocked_matmul {M}x{N}x{K} warps={warps}"] = case(
                lambda a, b, c, o=(M, N, K, False, warps): t5.blocked_matmul(a, b, c, *o))
        for M, N, K, warps, _, _ in t5.find_configs(occupancy, torch.float16, num_buffers=2):
            cases[f"05 blocked_matmul_pipelined {M}x{N}x{K} warps={warps}"] = case(
                lambda a, b, c, o=(M, N, K, warps): t5.blocked_matmul_pipelined(a, b, c, *o))
    for K, buffers in ((128, 2), (64, 3), (64, 4)):
        cases[f"07 matmul_pipelined 128x256x{K} buffers={buffers}"] = case(
            lambda a, b, c, o=(128, 256, K, buffers, 8): t7.matmul_pipelined(a, b, c, *o))
    for K in (512, 1024, 2048, 4096, 8192, 16384):
        for name in ("persistent_matmul", "persistent_matmul_pipelined"):
            cases[f"07 {name} K={K}"] = case(
                lambda a, b, c, f=getattr(t7, name): f(a, b, c, 128, 256, 64, 3, 8,
                                                       t7.PersistentTileScheduler), K)
    for group in (1, 8):
        scheduler = t7.GroupedPersistentTileScheduler(group)
        cases[f"07 persistent_matmul grouped by {group}"] = case(
            lambda a, b, c, s=scheduler: t7.persistent_matmul(a, b, c, 128, 256, 64, 3, 8, s))
    return cases


FAMILIES = (copies, additions, products)


def measure(run, seconds):
    """The median time of a launch in microseconds, of batches without waits within."""
    import torch

    def batch(count):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(count):
            run()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1000 / count

    once = batch(2)
    count = max(1, min(1000, int(seconds * 1e6 / 5 / once)))
    return statistics.median(batch(count) for _ in range(5))


def work():
    """Answers lines of standard input: a family's number and "list", or a case's name to time."""
    import torch
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    families, made = {}, {}

    def answer(value):
        out.write(json.dumps(value) + "\n")
        out.flush()

    for line in sys.stdin:
        command, family, name, seconds = json.loads(line)
        try:
            if family not in families:
                families.clear()
                made.clear()
                torch.cuda.empty_cache()
                families[family] = FAMILIES[family]()
            if command == "list":
                answer(list(families[family]))
                continue
            made = {name: made[name]} if name in made else {}
            if name not in made:
                run, (expected, got, tolerance) = families[family][name]()
                got.fill_(float("nan"))
                run()
                torch.cuda.synchronize()
                difference = (expected.float() - got.float()).abs().max().item() \
                    if expected.numel() < 1 << 28 else 0 if torch.equal(expected, got) else float("inf")
                if not difference <= tolerance:
                    answer({"wrong": difference})
                    continue
                made[name] = run
            answer({"time": measure(made[name], seconds)})
        except Exception as error:  # Told to the other side, which goes on.
            text = str(error).strip().splitlines()
            answer({"error": f"{type(error).__name__}: {text[0] if text else ''}"})


class Worker:
    def __init__(self, module, folder):
        command = [sys.executable, *(["-m", module] if module else []), os.path.abspath(__file__),
                   "--work", folder]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": "the process ended"}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tutorials")
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.15)
    args = parser.parse_args()
    ours, theirs = Worker("tilewright.triton", args.tutorials), Worker(None, args.tutorials)
    wrong, ratios = False, []
    print(f"{'':58} {'ours':>10} {'Triton':>10} {'ratio':>6}")
    for family in range(len(FAMILIES)):
        names = [worker.ask("list", family, "", 0) for worker in (ours, theirs)][0]
        if isinstance(names, dict):
            print(names)
            continue
        for name in names:
            if not re.search(args.only, name):
                continue
            times = ([], [])
            said = []
            for _ in range(args.rounds):
                for worker, list_ in zip((ours, theirs), times):
                    result = worker.ask("time", family, name, args.seconds)
                    if "time" in result:
                        list_.append(result["time"])
                    else:
                        said.append(("ours" if worker is ours else "Triton", result))
                if said:
                    break
            if said:
                wrong = True
                print(f"{name:58} {said}", flush=True)
                continue
            a, b = map(statistics.median, times)
            ratios.append(b / a)
            print(f"{name:58} {a:10.1f} {b:10.1f} {b / a:6.3f}", flush=True)
    if ratios:
        print(f"{len(ratios)} cases, geometric mean {statistics.geometric_mean(ratios):.3f}, "
              f"least {min(ratios):.3f}; below 0.98: {sum(one < 0.98 for one in ratios)}")
    sys.exit(wrong)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--work":
        sys.path.insert(0, os.path.abspath(sys.argv[2]))
        del sys.argv[1:]
        work()
    else:
        main()
