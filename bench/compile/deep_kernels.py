#!/usr/bin/env python3
"""Compile times of kernels that are long: do they grow with the length, and no faster?

    bench/compile/deep_kernels.py --tilewright build/release/tools/tilewright [--kinds NAME,..]

Each kind of kernel is written out with 20 and with 200 steps (--steps 20,200) and compiled N times;
the table has the least milliseconds of each stage for both, and their ratio. A stage whose time is
proportional to the length has a ratio of 10 at most; more means that something in it is not linear.
The exit code is 1 where the whole compilation of a kind grows by more than --limit times.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HEADER = "import triton\nimport triton.language as tl\n\n\n"


def lines(n, text):
    """The lines of a body, `text` being one step with its number as {i}."""
    return "".join("    " + line.format(i=i, j=i + 1) + "\n" for i in range(n) for line in text.split("\n"))


def kernel(parameters, body):
    return HEADER + f"@triton.jit\ndef k({parameters}):\n" + body


START = ("    i = tl.program_id(0) * B + tl.arange(0, B)\n"
         "    x = tl.load(p + i, mask=i < n, other=0.0)\n")
STORE = "    tl.store(q + i, x, mask=i < n)\n"
PARAMETERS, SIGNATURE = "p, q, n, B: tl.constexpr", "*fp32:16, *fp32:16, i32, 1024"


def chain(n):
    return kernel(PARAMETERS, START + lines(n, "x = x * 1.{i} + tl.exp(x)") + STORE), SIGNATURE


def loads(n):
    step = "x += tl.load(p + i + {j} * n, mask=i + {j} < n, other=0.0) * {j}.5"
    return kernel(PARAMETERS, START + lines(n, step) + STORE), SIGNATURE


def static_range(n):
    body = (START + f"    for s in tl.static_range({n}):\n"
            "        y = tl.load(p + i + s * n, mask=i < n - s, other=0.0)\n"
            "        x = tl.maximum(x, y * s) - y\n")
    return kernel(PARAMETERS, body + STORE), SIGNATURE


def reductions(n):
    return kernel(PARAMETERS, START + lines(n, "x = x - tl.max(x, axis=0) * 0.{j}") + STORE), SIGNATURE


def layouts(n):
    """Rows and columns of a matrix by turns: conversions, slices, broadcasts."""
    body = ("    r = tl.arange(0, 32)\n    c = tl.arange(0, 64)\n"
            "    o = r[:, None] * 64 + c[None, :]\n    x = tl.load(p + o)\n")
    body += lines(n, "x = x + tl.sum(x, axis={i} % 2, keep_dims=True) * tl.load(q + o + {i} * n)")
    return kernel(PARAMETERS, body + "    tl.store(q + o, x)\n"), SIGNATURE


def transposes(n):
    body = ("    r = tl.arange(0, 64)\n    o = r[:, None] * 64 + r[None, :]\n    x = tl.load(p + o)\n")
    body += lines(n, "x = tl.trans(x) * {j}.0 + x")
    return kernel(PARAMETERS, body + "    tl.store(q + o, x)\n"), SIGNATURE


def branches(n):
    step = "if n > {i}:\n    x = x * 2.0 + {i}\nelse:\n    x = x - {i}"
    return kernel(PARAMETERS, START + lines(n, step) + STORE), SIGNATURE


def nested_branches(n):
    """Eight deep, as often as it takes."""
    body = START
    for i in range(n):
        indent = "    " * (1 + i % 8)
        body += f"{indent}if n > {i}:\n{indent}    x = x * 2.0 + {i}\n"
    return kernel(PARAMETERS, body + STORE), SIGNATURE


def loops(n):
    step = "for s in range(n + {i}):\n    x += tl.load(p + i + s)"
    return kernel(PARAMETERS, START + lines(n, step) + STORE), SIGNATURE


def calls(n):
    source = HEADER
    for i in range(n):
        source += f"@triton.jit\ndef f{i}(x, y):\n    if y > {i}:\n        x = x + y * {i}\n    return x * 1.{i}\n\n\n"
    body = START + "".join(f"    x = f{i}(x, n)\n" for i in range(n)) + STORE
    return source + f"@triton.jit\ndef k({PARAMETERS}):\n" + body, SIGNATURE


def dots(n):
    body = ("    r = tl.arange(0, 32)\n    o = r[:, None] * 32 + r[None, :]\n"
            "    a = tl.load(p + o).to(tl.float16)\n    x = tl.zeros((32, 32), tl.float32)\n")
    body += lines(n, "x = tl.dot(a, tl.load(q + o + {i} * n).to(tl.float16), x)")
    return kernel(PARAMETERS, body + "    tl.store(q + o, x)\n"), SIGNATURE


def scans(n):
    return kernel(PARAMETERS, START + lines(n, "x = x - tl.cumsum(x, axis=0) * 0.{j}") + STORE), SIGNATURE


def sorts(n):
    body = START.replace("arange(0, B)", "arange(0, 64)")
    return kernel(PARAMETERS, body + lines(n, "x = tl.sort(x) * 1.{j} + i") + STORE), SIGNATURE


def stores(n):
    step = "tl.store(q + i + {j} * n, x + {i}, mask=i < n)"
    return kernel(PARAMETERS, START + lines(n, step) + STORE), SIGNATURE


KINDS = [chain, loads, static_range, reductions, layouts, transposes, branches, nested_branches, loops, calls, dots,
         scans, sorts, stores]


def compile_times(tilewright, source, signature, repeats):
    """The least milliseconds of each stage, by name, in the order in which they run."""
    best = {}
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "kernel.py")
        with open(path, "w") as file:
            file.write(source)
        for _ in range(repeats):
            run = subprocess.run([tilewright, "compile", path, "--kernel", "k", "--signature", signature, "--time",
                                  "--target", "cuda:90", "-o", directory], capture_output=True, text=True)
            if run.returncode:
                sys.exit(run.stderr)
            for name, value in json.loads(run.stdout.splitlines()[-1]).items():
                best[name] = min(best.get(name, float("inf")), value)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tilewright", default="build/release/tools/tilewright")
    parser.add_argument("--kinds", default=",".join(kind.__name__ for kind in KINDS))
    parser.add_argument("--steps", default="20,200")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--limit", type=float, default=12.0)
    options = parser.parse_args()
    few, many = (int(count) for count in options.steps.split(","))
    failed = False
    print(f"{'kind':16} {'stage':10} {few:>8} {many:>9}  ratio")
    for kind in KINDS:
        if kind.__name__ not in options.kinds.split(","):
            continue
        short, long = (compile_times(options.tilewright, *kind(count), options.repeats) for count in (few, many))
        for stage in short:
            print(f"{kind.__name__:16} {stage:10} {short[stage]:8.1f} {long[stage]:9.1f} {long[stage] / max(short[stage], 0.1):6.1f}",
                  flush=True)
        failed |= long["total"] > options.limit * short["total"]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
