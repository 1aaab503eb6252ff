#!/usr/bin/env python3
"""Times small products on cooperative matrices: examples/coopmatrix.py.

    python3 bench/gpu/compare_coopmatrix.py compile build/release/tools/tilewright OUT
    python3 bench/gpu/compare_coopmatrix.py run OUT         # on a machine with a GPU, PyTorch and Triton

For each shape, 65,536 layers y = relu(x @ w) of matrices with contiguous columns, and the sums of
the rows of y: by our kernel, by PyTorch (bmm, relu, sum) and by a Triton kernel on tiles that are
filled up to powers of two of at least 16, with masks. Results are checked against PyTorch in double
precision. Prints one row a shape; a ratio is the other's time over ours (above 1: ours is faster).
"""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPES = [(8, 15, 16), (16, 16, 16), (16, 24, 32), (32, 31, 32), (32, 33, 64), (64, 40, 64)]
BATCHES = 65536


def folder(out, shape):
    return os.path.join(out, "x".join(map(str, shape)))


def compile_all(tilewright, out):
    source = os.path.join(HERE, "..", "..", "examples", "coopmatrix.py")
    for shape in SHAPES:
        m, n, k = shape
        subprocess.run([tilewright, "compile", source, "--kernel", "batched_layer", "--target",
                        "cuda:90", "--num-warps", "1", "-o", folder(out, shape), "--signature",
                        f"*fp16:16, *fp16:16, *fp32:16, *fp32:16, {m}, {n}, {k}"], check=True)


def triton_layer():
    import triton
    import triton.language as tl

    @triton.jit
    def layer(x_ptr, w_ptr, y_ptr, sums_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
              BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
        b = tl.program_id(0)
        i = tl.arange(0, BM)[:, None]
        j = tl.arange(0, BN)[None, :]
        ka = tl.arange(0, BK)[None, :]
        kb = tl.arange(0, BK)[:, None]
        x = tl.load(x_ptr + b * M * K + i + ka * M, mask=(i < M) & (ka < K), other=0.0)
        w = tl.load(w_ptr + b * K * N + kb + j * K, mask=(kb < K) & (j < N), other=0.0)
        y = tl.maximum(tl.dot(x, w), 0.0)
        tl.store(y_ptr + b * M * N + i + j * M, y, mask=(i < M) & (j < N))
        tl.store(sums_ptr + b * M + tl.arange(0, BM), tl.sum(y, 1), mask=tl.arange(0, BM) < M)

    def power(size):
        return max(16, triton.next_power_of_2(size))

    def launcher(shape, x, w, y, sums):
        m, n, k = shape
        return lambda: layer[(BATCHES,)](x, w, y, sums, m, n, k, power(m), power(n), power(k),
                                         num_warps=1)
    return launcher


def run(out):
    import torch
    sys.path.insert(0, HERE)
    from launch import LOCAL_BYTES, REGISTERS, Kernel
    import triton.testing
    of_triton = triton_layer()

    def bench(*launches):
        times = [[] for _ in launches]
        for _ in range(3):
            for launch, found in zip(launches, times):
                found.append(triton.testing.do_bench(launch, warmup=20, rep=80,
                                                     return_mode="median"))
        return [sorted(t)[1] for t in times]

    print(f"{'shape':>12} {'ours ms':>8} {'torch':>7} {'triton':>7} {'GB/s':>6} registers, spills")
    for shape in SHAPES:
        m, n, k = shape
        x = torch.randn(BATCHES, k, m, device="cuda", dtype=torch.float16).transpose(1, 2)
        w = torch.randn(BATCHES, n, k, device="cuda", dtype=torch.float16).transpose(1, 2)
        y = torch.full((BATCHES, n, m), float("nan"), device="cuda").transpose(1, 2)
        sums = torch.full((BATCHES, m), float("nan"), device="cuda")
        kernel = Kernel(folder(out, shape), "batched_layer")
        kernel.load()
        ours = kernel.launcher((BATCHES,), [x, w, y, sums])
        expected = torch.relu(torch.bmm(x[:512].double(), w[:512].double()))
        theirs = of_triton(shape, x, w, y, sums)
        for launch in (ours, theirs):
            y.fill_(float("nan"))
            sums.fill_(float("nan"))
            launch()
            torch.testing.assert_close(y[:512].double(), expected, rtol=1e-3, atol=1e-2)
            torch.testing.assert_close(sums[:512].double(), expected.sum(2), rtol=1e-3, atol=1e-1)
            assert not y.isnan().any() and not sums.isnan().any()

        def library():
            result = torch.relu(torch.bmm(x, w))
            result.sum(2)
        own, torch_time, triton_time = bench(ours, library, theirs)
        moved = 2 * (x.numel() + w.numel()) + 4 * (y.numel() + sums.numel())
        print(f"{'x'.join(map(str, shape)):>12} {own:8.4f} {torch_time / own:7.2f} "
              f"{triton_time / own:7.2f} {moved / own * 1e-6:6.0f} "
              f"{kernel.attribute(REGISTERS)}, {kernel.attribute(LOCAL_BYTES)}")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "compile":
        compile_all(*sys.argv[2:])
    elif len(sys.argv) == 3 and sys.argv[1] == "run":
        run(sys.argv[2])
    else:
        sys.exit(__doc__)
