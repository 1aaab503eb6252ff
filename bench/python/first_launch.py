#!/usr/bin/env python3
"""How long the first launch of a process takes: softmax of rows, from a cold and from a warm cache.

usage: first_launch.py [PROCESSES]        needs a GPU, torch and tilewright; Triton where it is there

Each measurement is a process of its own, of ours and of Triton's in turn. It makes its arrays, waits
for the GPU, and then times what is from the decorator to the end of the first launch, in
milliseconds; the import of the package is timed on its own. Cold is an empty cache folder, warm the
folder that the process before has left.
"""

import os
import statistics
import subprocess
import sys
import tempfile

CHILD = '''
import sys, time
import torch
x = torch.rand(64, 1000, device="cuda")
out = torch.empty_like(x)
torch.cuda.synchronize()
begin = time.perf_counter()
import PACKAGE as triton
import PACKAGE.language as tl
imported = time.perf_counter()
from kernel_of_PACKAGE import softmax
softmax[(64,)](out, x, 1000, 1000, 1000, BLOCK=1024)
torch.cuda.synchronize()
end = time.perf_counter()
torch.testing.assert_close(out, torch.softmax(x, 1))
print((imported - begin) * 1e3, (end - imported) * 1e3)
'''

KERNEL = '''
import PACKAGE as triton
import PACKAGE.language as tl


@triton.jit
def softmax(out, x, in_stride, out_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * in_stride + at, at < n, other=float("-inf"))
    exponentials = tl.exp(value - tl.max(value, 0))
    tl.store(out + row * out_stride + at, exponentials / tl.sum(exponentials, 0), at < n)
'''


def measure(package, folder, cache):
    environment = {**os.environ, "TILEWRIGHT_CACHE_DIR": cache, "TRITON_CACHE_DIR": cache,
                   "PYTHONPATH": folder + ":" + os.environ.get("PYTHONPATH", "")}
    run = subprocess.run([sys.executable, "-c", CHILD.replace("PACKAGE", package)],
                         env=environment, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return [float(word) for word in run.stdout.split()[-2:]]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    packages = ["tilewright"]
    if subprocess.run([sys.executable, "-c", "import triton"], capture_output=True).returncode == 0:
        packages.append("triton")
    with tempfile.TemporaryDirectory() as folder:
        for package in packages:
            with open(os.path.join(folder, f"kernel_of_{package}.py"), "w") as file:
                file.write(KERNEL.replace("PACKAGE", package))
        times = {}
        for i in range(count):
            for package in packages:
                cache = os.path.join(folder, f"cache{i}{package}")
                for state in ("cold", "warm"):
                    imported, first = measure(package, folder, cache)
                    times.setdefault((package, "import"), []).append(imported)
                    times.setdefault((package, state), []).append(first)
    for (package, what), values in sorted(times.items()):
        print(f"{package:12} {what:7} least {min(values):7.1f} ms, "
              f"median {statistics.median(values):7.1f} ms")


if __name__ == "__main__":
    main()
