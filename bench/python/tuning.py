#!/usr/bin/env python3
"""How long autotuning of a matmul takes: 18 configurations, at 4096 x 4096 x 4096 in fp16.

usage: tuning.py [N]        needs a GPU, torch and tilewright; Triton where it is there

Each measurement is a process of its own, of ours and of Triton's in turn, with empty caches; ours
once more with the results that the first has kept. A process times what is from the first launch to
its end, and then the kernel of the configuration that was chosen, in milliseconds.
"""

import os
import subprocess
import sys
import tempfile

CHILD = '''
import sys, time
import torch
n = int(sys.argv[1])
a, b = (torch.rand(n, n, device="cuda", dtype=torch.float16) - 0.5 for _ in range(2))
c = torch.empty_like(a)
torch.cuda.synchronize()
import PACKAGE as triton
from kernel_of_PACKAGE import gemm
def launch():
    gemm[lambda meta: (triton.cdiv(n, meta["BM"]) * triton.cdiv(n, meta["BN"]),)](
        a, b, c, n, n, n)
begin = time.perf_counter()
launch()
torch.cuda.synchronize()
end = time.perf_counter()
torch.testing.assert_close(c, a @ b, atol=1e-1, rtol=1e-2)
import PACKAGE.testing
print(end - begin, triton.testing.do_bench(launch, return_mode="median"), gemm.best_config,
      sep="|")
'''

KERNEL = '''
import PACKAGE as triton
import PACKAGE.language as tl

configs = [triton.Config({"BM": m, "BN": n, "BK": k}, num_warps=warps, num_stages=stages)
           for m, n, warps in ((64, 64, 4), (64, 128, 4), (128, 128, 4), (128, 128, 8),
                               (128, 256, 8), (256, 128, 8))
           for k, stages in ((32, 4), (64, 3), (64, 4))]


@triton.autotune(configs, key=["m", "n", "k"])
@triton.jit
def gemm(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    columns = tl.cdiv(n, BN)
    rm = pid // columns * BM + tl.arange(0, BM)
    rn = pid % columns * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * k + rk[None, :]
    pb = b + rk[:, None] * n + rn[None, :]
    sum = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, k, BK):
        sum = tl.dot(tl.load(pa), tl.load(pb), sum)
        pa += BK
        pb += BK * n
    tl.store(c + rm[:, None] * n + rn[None, :], sum.to(tl.float16))
'''


def measure(package, folder, cache, n):
    environment = {**os.environ, "TILEWRIGHT_CACHE_DIR": cache, "TRITON_CACHE_DIR": cache,
                   "CUDA_CACHE_DISABLE": "1",
                   "PYTHONPATH": folder + ":" + os.environ.get("PYTHONPATH", "")}
    run = subprocess.run([sys.executable, "-c", CHILD.replace("PACKAGE", package), n],
                         env=environment, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return run.stdout.splitlines()[-1].split("|")


def main():
    n = sys.argv[1] if len(sys.argv) > 1 else "4096"
    print(f"{os.cpu_count()} cores")
    runs = [("tilewright", "compiled and measured", "cold"), ("tilewright", "kept", "cold")]
    if subprocess.run([sys.executable, "-c", "import triton"], capture_output=True).returncode == 0:
        runs.insert(1, ("triton", "compiled and measured", "cold"))
    with tempfile.TemporaryDirectory() as folder:
        for package in {package for package, _, _ in runs}:
            with open(os.path.join(folder, f"kernel_of_{package}.py"), "w") as file:
                file.write(KERNEL.replace("PACKAGE", package))
        for package, what, cache in runs:
            seconds, milliseconds, best = measure(package, folder,
                                                  os.path.join(folder, cache + package), n)
            print(f"{package:12} {what:22} {float(seconds):7.2f} s, then {float(milliseconds):.4f} "
                  f"ms a launch: {best}", flush=True)


if __name__ == "__main__":
    main()
