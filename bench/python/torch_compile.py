#!/usr/bin/env python3
"""torch.compile on Tilewright and on Triton: results against eager PyTorch, and times, in one run.

    PYTHONPATH=build/release/python python3 bench/python/torch_compile.py [CASE ..]

Needs PyTorch with Triton 3.6 and a GPU of NVIDIA's. Two processes have one of the compilers each;
each case is compiled by both at once, then measured by one and the other in turns. CASE is a part
of a name. A row gives the seconds of the first call, the largest difference from eager relative to
the largest result, the time of a call on the GPU with a cold L2 cache (median of 12), the host's
time of a call, and Triton's time / Tilewright's.

--device cpu runs small tensors on the simulator, and says what differs from eager, without times.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

COMPILERS = ("tilewright", "triton")


# --- Cases ------------------------------------------------------------------------------------


def make_cases(device):
    """Name to a function that gives the function, its arguments, and options of torch.compile."""
    # pylint: disable=import-outside-toplevel,too-many-locals
    import torch
    import torch.nn.functional as F
    import triton
    import triton.language as tl
    from torch import nn

    is_small = device == "cpu"
    rows, columns = (64, 32) if is_small else (4096, 1024)
    half = torch.float32 if is_small else torch.float16
    tuned = {} if is_small else {"mode": "max-autotune-no-cudagraphs"}

    def normal(*shape, dtype=torch.float32):
        return torch.randn(*shape, device=device, dtype=dtype)

    def integers(low, high, *shape):
        return torch.randint(low, high, shape, device=device)

    class Block(nn.Module):
        """Attention and two linear layers, as transformers have them."""

        def __init__(self, width, heads):
            super().__init__()
            self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
            self.project, self.join = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
            self.heads = heads

        def forward(self, x):
            batch, length, width = x.shape
            shape = batch, length, 3, self.heads, width // self.heads
            q, k, v = self.project(self.norms[0](x)).view(shape).permute(2, 0, 3, 1, 4)
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.join(mixed.transpose(1, 2).reshape(batch, length, width))
            return x + self.narrow(F.gelu(self.widen(self.norms[1](x))))

    def block():
        sizes = (1, 32, 64, 4) if is_small else (4, 1024, 1024, 16)
        batch, length, width, heads = sizes
        module = Block(width, heads).to(device).to(half)
        return module, [normal(batch, length, width, dtype=half)]

    def with_gradient(function):
        def run(x, *rest):
            x = x.detach().requires_grad_()
            y = function(x, *rest)
            y.float().square().mean().backward()
            return y, x.grad
        return run

    def block_with_gradient():
        module, arguments = block()
        return with_gradient(lambda x: module(x)), arguments  # pylint: disable=unnecessary-lambda

    def causal_attention(q, k, v):
        from torch.nn.attention.flex_attention import flex_attention
        return flex_attention(q, k, v, score_mod=lambda score, b, h, i, j: torch.where(
            i >= j, score, -float("inf")))

    @triton.jit
    def scale_kernel(x, out, n, factor, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, at < n) * factor, mask=at < n)

    def users(x):
        out = torch.empty_like(x)
        scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), 3.0, BLOCK=1024)
        return torch.relu(out + 1)

    square, wide = (rows, rows), (rows, columns)
    big = 2 * columns
    cases = {
        "pointwise": lambda: (lambda x, y: torch.relu(x * 2 + y).tanh(),
                              [normal(*square), normal(*square)]),
        "transpose": lambda: (lambda x: x.t().contiguous() * 2, [normal(*square)]),
        "row sum": lambda: (lambda x: x.sum(1), [normal(*square)]),
        "column sum": lambda: (lambda x: x.sum(0), [normal(*square)]),
        "whole sum": lambda: (lambda x: x.sum(), [normal(*square)]),
        "softmax": lambda: (lambda x: torch.softmax(x, -1), [normal(*square)]),
        "layer norm": lambda: (lambda x, w, b: F.layer_norm(x, (x.shape[-1],), w, b),
                               [normal(*square), normal(rows), normal(rows)]),
        "layer norm f16, backward": lambda: (
            with_gradient(lambda x, w: F.layer_norm(x, (x.shape[-1],), w)),
            [normal(*wide, dtype=half), normal(columns, dtype=half)]),
        "rms norm bf16": lambda: (lambda x, w: F.rms_norm(x, (x.shape[-1],), w),
                                  [normal(*square, dtype=torch.bfloat16),
                                   normal(rows, dtype=torch.bfloat16)]),
        "cross entropy": lambda: (F.cross_entropy,
                                  [normal(rows, 2 * rows), integers(0, rows, rows)]),
        "bias gelu": lambda: (lambda x, b: F.gelu(x + b, approximate="tanh"),
                              [normal(*square, dtype=half), normal(rows, dtype=half)]),
        "argmax": lambda: (lambda x: x.argmax(1), [normal(*wide)]),
        "cumsum": lambda: (lambda x: x.cumsum(1), [normal(*wide)]),
        "long cumsum": lambda: (lambda x: x.cumsum(0), [normal(rows * 64)]),
        "sort": lambda: (lambda x: x.sort(1)[0], [normal(rows, 128)]),
        "embedding": lambda: (lambda w, i: F.embedding(i, w) + 1,
                              [normal(*wide), integers(0, rows, rows)]),
        "scatter add": lambda: (
            lambda x, i: torch.zeros(rows, device=device).scatter_add(0, i, x),
            [normal(rows * 16), integers(0, rows, rows * 16)]),
        "index put": lambda: (
            lambda x, i, v: x.clone().index_put_((i,), v, accumulate=True),
            [normal(*wide), integers(0, rows, columns), normal(columns, columns)]),
        "bucketize": lambda: (torch.bucketize,
                              [normal(*wide), torch.linspace(-2, 2, 17, device=device)]),
        "batch norm": lambda: (lambda x: F.batch_norm(x, None, None, training=True),
                               [normal(8, 32, 28, 28)]),
        "max pool": lambda: (lambda x: F.max_pool2d(x, 2), [normal(8, 32, 56, 56)]),
        "special functions": lambda: (
            lambda x: torch.erf(x) + torch.lgamma(x.abs() + 1) + torch.atan2(x, x + 1) +
            x.abs().pow(1.5), [normal(*wide)]),
        "integers": lambda: (lambda x, y: (x // y) + (x % y) + (x >> 1),
                             [integers(-500, 500, rows), integers(1, 9, rows)]),
        "doubles": lambda: (lambda x: (x * 2.5).sin(), [normal(rows).double()]),
        "a user's kernel": lambda: (users, [normal(*square)]),
        "transformer block": block,
        "transformer block, backward": block_with_gradient,
        "matmul f16, relu": lambda: (lambda a, b: torch.relu(a @ b),
                                     [normal(big, big, dtype=half) for _ in range(2)]),
        "matmul f32": lambda: (lambda a, b: a @ b, [normal(columns, columns) for _ in range(2)]),
        "addmm bf16, gelu": lambda: (lambda a, b, c: F.gelu(torch.addmm(c, a, b)),
                                     [normal(big, big, dtype=torch.bfloat16) for _ in range(2)] +
                                     [normal(big, dtype=torch.bfloat16)]),
        "bmm f16": lambda: (torch.bmm,
                            [normal(16, columns // 2, columns // 2, dtype=half)
                             for _ in range(2)]),
        "convolution f16": lambda: (lambda x, w: F.conv2d(x, w, padding=1),
                                    [normal(8, 64, 28, 28, dtype=half),
                                     normal(64, 64, 3, 3, dtype=half)]),
        "transformer block, tuned": block,
        "flex attention": lambda: (causal_attention,
                                   [normal(2, 8, 1024, 64, dtype=half) for _ in range(3)]),
    }
    templates = {"matmul f16, relu", "matmul f32", "addmm bf16, gelu", "bmm f16",
                 "convolution f16", "transformer block, tuned"}
    if is_small:
        # Of CPU tensors PyTorch makes a kernel in C++, which its scheduler for Triton's kernels then
        # calls with an argument that it does not take (2.10): a TypeError, whoever the compiler is.
        del cases["flex attention"]
    return {name: (case, tuned if name in templates else {}) for name, case in cases.items()}


# --- A process with one compiler ----------------------------------------------------------------


class Worker:
    """Compiles and measures one case after the other, as the lines of standard input say."""

    def __init__(self, compiler, device, folder):
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(folder, compiler)
        # pylint: disable=import-outside-toplevel
        if compiler == "tilewright":
            import tilewright.triton
            tilewright.triton.install()
        import torch
        import torch._inductor.config as config
        self.torch = torch
        config.fx_graph_cache = False
        config.max_autotune_gemm_backends = "TRITON"
        config.compile_threads = 4
        if device == "cpu":
            config.cpu_backend, config.compile_threads = "triton", 1
        self.cases = make_cases(device)
        self.compiled = self.arguments = None

    def prepare(self, name):
        """Seconds of the first call, and how far its results are from eager ones."""
        torch = self.torch
        torch._dynamo.reset()  # pylint: disable=protected-access
        torch.manual_seed(0)
        case, options = self.cases[name]
        function, self.arguments = case()
        self.compiled = torch.compile(function, **options)
        begin = time.perf_counter()
        results = self.compiled(*self.arguments)
        seconds = time.perf_counter() - begin
        expected = function(*self.arguments)
        if not isinstance(results, (tuple, list)):
            results, expected = [results], [expected]
        difference = 0.0
        for result, right in zip(results, expected):
            result, right = result.detach().double(), right.detach().double()
            size = right.abs().max().clamp_min(1e-6)
            difference = max(difference, ((result - right).abs().max() / size).item())
        return {"compile_s": seconds, "difference": difference}

    def measure(self):
        """Microseconds on the GPU, of what is not in its L2 cache, and on the host."""
        cuda = self.torch.cuda
        flush = self.torch.empty(1 << 25, device="cuda", dtype=self.torch.int)
        on_device, on_host = [], []
        for _ in range(12):
            flush.zero_()
            begin, end = (cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            self.compiled(*self.arguments)
            end.record()
            cuda.synchronize()
            on_device.append(begin.elapsed_time(end) * 1e3)
        for _ in range(3):
            begin = time.perf_counter()
            for _ in range(20):
                self.compiled(*self.arguments)
            on_host.append((time.perf_counter() - begin) / 20 * 1e6)
            cuda.synchronize()
        return {"us": statistics.median(on_device), "host_us": min(on_host)}

    def serve(self):
        self.answer({"names": list(self.cases)})
        for line in sys.stdin:
            name = line.rstrip("\n")
            try:
                self.answer(self.measure() if name == "measure" else self.prepare(name))
            except Exception as error:  # pylint: disable=broad-except; a case that fails is a row
                self.answer({"failed": f"{type(error).__name__}: {error}"[:400]})

    @staticmethod
    def answer(what):
        """A line that what PyTorch prints cannot be taken for."""
        print("\x01" + json.dumps(what), flush=True)


# --- The comparison -----------------------------------------------------------------------------


class Process:
    """A worker, and what it answers."""

    def __init__(self, compiler, device, folder):
        self.errors = open(os.path.join(folder, compiler + ".err"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-u", __file__, "--worker", compiler, "--folder", folder,
             "--device", device],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.names = self.read().get("names", [])

    def read(self):
        for line in self.process.stdout:
            if line.startswith("\x01"):
                return json.loads(line[1:])
        self.errors.seek(0)
        return {"failed": "the process ended: " + self.errors.read()[-400:]}

    def ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            pass
        return self.read()


def compare(processes, name, has_times):
    """Prints a row; whether all went well."""
    prepared = {}
    threads = [threading.Thread(target=lambda who, what: prepared.update({who: what.ask(name)}),
                                args=pair) for pair in processes.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failures = [f"{who}: {got['failed']}" for who, got in prepared.items() if "failed" in got]
    if failures:
        print(f"{name:30} failed: " + "; ".join(failures), flush=True)
        return False
    row = f"{name:30}" + "".join(f" {got['compile_s']:6.2f} s {got['difference']:8.1e}"
                                 for got in prepared.values())
    if has_times:
        rounds = [{who: what.ask("measure") for who, what in processes.items()} for _ in range(2)]
        times = {who: [min(one[who][key] for one in rounds) for key in ("us", "host_us")]
                 for who in processes}
        row += "".join(f" {us:8.1f} us {host:6.1f} us" for us, host in times.values())
        if len(times) == 2:
            row += f"  {times['triton'][0] / times['tilewright'][0]:.2f}"
    print(row, flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        Worker(options.worker, options.device, options.folder).serve()
        return 0
    with tempfile.TemporaryDirectory() as folder:
        compilers = COMPILERS if options.device == "cuda" else COMPILERS[:1]
        processes = {who: Process(who, options.device, folder) for who in compilers}
        names = processes["tilewright"].names
        if not names:
            print(processes["tilewright"].read()["failed"], file=sys.stderr)
            return 1
        chosen = [name for name in names
                  if not options.cases or any(case in name for case in options.cases)]
        print(f"{'':30}" + "".join(f" {who}: first call, difference" for who in processes) +
              ("".join(f"; {who}: GPU, host" for who in processes) if len(processes) == 2 else ""))
        worked = [compare(processes, name, options.device == "cuda") for name in chosen]
        for process in processes.values():
            process.process.kill()
    return 0 if chosen and all(worked) else 1


if __name__ == "__main__":
    sys.exit(main())
