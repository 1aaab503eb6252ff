#!/usr/bin/env python3
"""The example kernels at small sizes on the simulator, against NumPy: corpus.py TILEWRIGHT

Goes the way of a user: arrays in .npy files, `tilewright run` with --arg and --save. With --device
they run on a GPU or another device instead; where none can run them, the exit status is 77.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "examples")
# The targets of each device, with the lanes of a warp where they are not the target's default.
TARGETS = {"sim": ["cuda:90", "hip:gfx1100", "hip:gfx1201", "xpu:pvc", "xpu:bmg"],
           "cuda": ["cuda:90"], "opencl": ["xpu:pvc", "xpu:bmg", "xpu:bmg/32"]}
# What the runtime says where no device can run such kernels.
NO_DEVICE = ("there is no OpenCL", "OpenCL has no device", "cannot be used", "has neither unified shared memory",
             "needs sub-groups of", "there is no CUDA", "the CUDA driver does not start")
SKIPPED = 77
rng = np.random.default_rng(11)


def normal(*shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


def cdiv(a, b):
    return -(-a // b)


class Case:
    """`arguments` in the kernel's order, by name; `expected`: reference by output, in double
    precision; `tolerance`: largest error, relative to the reference's largest element;
    `unit_tolerance`: the same where a matrix unit rounds the operands."""

    def __init__(self, module, kernel, constants, grid, arguments, expected, tolerance, warps=(1, 4),
                 unit_tolerance=None):
        self.module, self.kernel, self.constants, self.grid = module, kernel, constants, grid
        self.arguments, self.expected = arguments, expected
        self.tolerance, self.warps = tolerance, warps
        self.unit_tolerance = unit_tolerance or tolerance

    def tolerance_on(self, target):
        """Of a matrix product of f32 with tl.dot's default precision, tf32, units of NVIDIA's and
        of Intel's, for warps of 16, keep 10 bits behind the point."""
        has_unit = target.startswith("cuda") or target in ("xpu:pvc", "xpu:bmg")
        return self.unit_tolerance if has_unit else self.tolerance

    def signature(self):
        names = {"float16": "fp16", "float32": "fp32", "int32": "i32", "int8": "i8"}
        entries = []
        for value in self.arguments.values():
            if isinstance(value, np.ndarray):
                entries.append("*" + names[value.dtype.name] + ":16")
            else:
                entries.append("fp32" if isinstance(value, float) else "i32")
        return ", ".join(entries + [str(c) for c in self.constants])


def vector_add():
    x, y = normal(1003), normal(1003)
    return Case("elementwise", "vector_add", [256], (4,),
                dict(x_ptr=x, y_ptr=y, out_ptr=np.empty_like(x), n=1003),
                dict(out_ptr=x.astype(np.float64) + y), 1e-7)


def philox_first(seed, offsets):
    """The first word of Philox 4x32-10 (Salmon et al., SC 2011) of the counters
    (offset, 0, 0, 0) and the key (seed, 0)."""
    mask = np.uint64(0xFFFFFFFF)
    counter = [offsets.astype(np.uint64)] + [np.zeros(len(offsets), np.uint64)] * 3
    key = [seed, 0]
    for _ in range(10):
        first = counter[0] * np.uint64(0xD2511F53)
        third = counter[2] * np.uint64(0xCD9E8D57)
        half = np.uint64(32)
        counter = [(third >> half) ^ counter[1] ^ np.uint64(key[0]), third & mask,
                   (first >> half) ^ counter[3] ^ np.uint64(key[1]), first & mask]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return counter[0].astype(np.uint32)


def dropout():
    x = normal(1003)
    word = philox_first(12345, np.arange(1003)).view(np.int32)
    uniform = np.where(word < 0, ~word, word).astype(np.float32) * np.float32(4.6566127342e-10)
    kept = np.where(uniform > np.float32(0.3), x.astype(np.float64) / np.float64(1 - np.float32(0.3)), 0)
    return Case("elementwise", "dropout", [256], (4,),
                dict(x_ptr=x, out_ptr=np.empty_like(x), n=1003, p=0.3, seed=12345), dict(out_ptr=kept), 1e-6)


def transpose():
    x = normal(40, 72)
    return Case("elementwise", "transpose", [32, 32], (2, 3),
                dict(x_ptr=x, out_ptr=np.empty((72, 40), np.float32), M=40, N=72),
                dict(out_ptr=x.T.astype(np.float64)), 0)


def softmax():
    x = normal(5, 100)
    powers = np.exp(x.astype(np.float64))
    return Case("rowwise", "softmax", [128], (5,),
                dict(x_ptr=x, out_ptr=np.empty_like(x), stride=100, n_cols=100),
                dict(out_ptr=powers / powers.sum(1, keepdims=True)), 1e-6)


def layer_norm():
    rows, cols = 3, 300
    x, w, b = (normal(*shape, dtype=np.float16) for shape in ((rows, cols), (cols,), (cols,)))
    exact = x.astype(np.float64)
    mean = exact.mean(1)
    deviation = 1 / np.sqrt(exact.var(1) + 1e-5)
    y = (exact - mean[:, None]) * deviation[:, None] * w + b
    return Case("rowwise", "layer_norm", [128], (rows,),
                dict(x_ptr=x, w_ptr=w, b_ptr=b, y_ptr=np.empty_like(x),
                     mean_ptr=np.empty(rows, np.float32), rstd_ptr=np.empty(rows, np.float32),
                     stride=cols, N=cols, eps=1e-5),
                dict(y_ptr=y, mean_ptr=mean, rstd_ptr=deviation), 1e-3)


def row_argmax():
    x = normal(12, 100)
    return Case("rowwise", "row_argmax", [4, 128], (3,),
                dict(x_ptr=x, val_ptr=np.empty(12, np.float32), idx_ptr=np.empty(12, np.int32),
                     stride=100, n_cols=100),
                dict(val_ptr=x.max(1).astype(np.float64), idx_ptr=x.argmax(1).astype(np.float64)), 0)


def matmul_fma():
    a, b = normal(32, 24), normal(24, 32)
    return Case("gemm", "matmul_fma", [16, 32], (1, 2),
                dict(a_ptr=a, b_ptr=b, c_ptr=np.empty((32, 32), np.float32), M=32, N=24, K=32,
                     stride_am=24, stride_an=1, stride_bn=32, stride_bk=1, stride_cm=32, stride_ck=1),
                dict(c_ptr=a.astype(np.float64) @ b), 1e-6)


def matmul(kernel, dtype, tolerance, unit_tolerance=None):
    """Odd sizes, which the blocks do not divide."""
    m, n, k, (bm, bn, bk) = 50, 70, 40, (32, 32, 16)
    described = kernel in ("matmul_desc", "matmul_persistent")
    a, b = normal(m, k, dtype=dtype), normal(k, n, dtype=dtype)
    stored = b if kernel == "matmul" else np.ascontiguousarray(b.T)
    pointers = ("a_desc_ptr", "b_desc_ptr", "c_desc_ptr") if described else ("a_ptr", "b_ptr", "c_ptr")
    arguments = dict(zip(pointers, (a, stored, np.empty((m, n), dtype))), M=m, N=n, K=k)
    if not described:
        arguments["stride_am"] = k
        arguments["stride_bk" if kernel == "matmul" else "stride_bn"] = stored.shape[1]
        arguments["stride_cm"] = n
    constants, grid = [bm, bn, bk, 2], (cdiv(m, bm) * cdiv(n, bn),)
    if kernel == "matmul_persistent":  # 6 tiles in 4 programs
        constants, grid = constants + [4], (4,)
    return Case("gemm", kernel, constants, grid, arguments,
                {pointers[2]: a.astype(np.float64) @ b.astype(np.float64)}, tolerance,
                unit_tolerance=unit_tolerance)


def matmul_int8():
    """The kernel has no masks: blocks divide the sizes."""
    m, n, k, (bm, bn, bk) = 64, 32, 64, (32, 32, 32)
    a, b = (rng.integers(-128, 128, size, dtype=np.int8) for size in ((m, k), (n, k)))
    return Case("gemm", "matmul_int8", [bm, bn, bk, 2], (cdiv(m, bm) * cdiv(n, bn),),
                dict(a_ptr=a, b_ptr=b, c_ptr=np.empty((m, n), np.int32), M=m, N=n, K=k, stride_am=k,
                     stride_bn=k, stride_cm=n),
                dict(c_ptr=a.astype(np.float64) @ b.T.astype(np.float64)), 0)


def matmul_w4a16():
    m, n, k, (bm, bn, bk) = 32, 64, 64, (32, 32, 32)
    a, q = normal(m, k, dtype=np.float16), rng.integers(-8, 8, (k, n), dtype=np.int32)
    packed = ((q[0::2] & 15) | ((q[1::2] & 15) << 4)).astype(np.uint8).view(np.int8)
    scale = (rng.random(n) * 0.1).astype(np.float16)
    return Case("gemm", "matmul_w4a16", [bm, bn, bk], (m // bm, n // bn),
                dict(a_ptr=a, b_ptr=packed, scale_ptr=scale, c_ptr=np.empty((m, n), np.float16), M=m,
                     N=n, K=k, stride_am=k, stride_bk=n, stride_cm=n),
                dict(c_ptr=a.astype(np.float64) @ q * scale.astype(np.float64)), 1e-3)


def decode_attention():
    heads, sequence, depth = 2, 100, 32
    q = normal(heads, depth, dtype=np.float16)
    k, v = (normal(heads, sequence, depth, dtype=np.float16) for _ in range(2))
    scale = 1 / math.sqrt(depth)
    scores = np.einsum("hd,hsd->hs", q.astype(np.float64), k.astype(np.float64)) * scale
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    exact = np.einsum("hs,hsd->hd", powers / powers.sum(-1, keepdims=True), v.astype(np.float64))
    return Case("attention", "decode_attention", [32, depth], (heads,),
                dict(q_ptr=q, k_ptr=k, v_ptr=v, o_ptr=np.empty_like(q), scale=scale, seq=sequence),
                dict(o_ptr=exact), 1e-3)


def flash(causal, largest_first=False):
    """With `largest_first` the first block of keys has the largest score of each row: what AMD's code
    does to the sums when there is a larger one is left out then."""
    heads, sequence, depth, block = 2, 64, 32, 32
    q, k, v = (normal(heads, sequence, depth, dtype=np.float16) for _ in range(3))
    if largest_first:
        k[:, block:] /= 64
    scale = 1 / math.sqrt(depth)
    scores = np.einsum("hid,hjd->hij", q.astype(np.float64), k.astype(np.float64)) * scale
    if causal:
        scores = np.where(np.tri(sequence, dtype=bool), scores, -np.inf)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    sums = powers.sum(-1)
    return Case("attention", "flash_fwd", [block, block, depth, int(causal)], (sequence // block, heads),
                dict(q_ptr=q, k_ptr=k, v_ptr=v, o_ptr=np.empty_like(q),
                     lse_ptr=np.empty((heads, sequence), np.float32), scale=scale, seq=sequence),
                dict(o_ptr=np.einsum("hij,hjd->hid", powers / sums[..., None], v.astype(np.float64)),
                     lse_ptr=(np.log(sums) + scores.max(-1)) / math.log(2)), 2e-3)


CASES = {
    "vector_add": vector_add, "dropout": dropout, "transpose": transpose, "softmax": softmax,
    "layer_norm": layer_norm, "row_argmax": row_argmax, "matmul_fma": matmul_fma,
    "matmul_f16": lambda: matmul("matmul", np.float16, 1e-3),
    "matmul_bt_f16": lambda: matmul("matmul_bt", np.float16, 1e-3),
    "matmul_f32": lambda: matmul("matmul", np.float32, 1e-6, unit_tolerance=1e-3),
    "matmul_desc": lambda: matmul("matmul_desc", np.float16, 1e-3),
    "matmul_persistent": lambda: matmul("matmul_persistent", np.float16, 1e-3),
    "matmul_int8": matmul_int8, "matmul_w4a16": matmul_w4a16, "decode_attention": decode_attention,
    "flash": lambda: flash(False), "flash_causal": lambda: flash(True),
    "flash_largest_first": lambda: flash(False, largest_first=True),
}


def run(tilewright, device, case, target, warps, folder):
    """The outputs by name."""
    target, _, lanes = target.partition("/")
    command = [tilewright, "run", os.path.join(EXAMPLES, case.module + ".py"), "--kernel", case.kernel,
               "--signature", case.signature(), "--target", target, "--num-warps", str(warps),
               "--grid", ",".join(map(str, case.grid)), "--device", device]
    if lanes:
        command += ["--threads-per-warp", lanes]
    for name, value in case.arguments.items():
        if isinstance(value, np.ndarray):
            if name in case.expected:
                value = np.full_like(value, 123)  # what the kernel leaves out stands out
            np.save(os.path.join(folder, name + ".npy"), value)
            value = "@" + os.path.join(folder, name + ".npy")
        command += ["--arg", f"{name}={value}"]
    for name in case.expected:
        command += ["--save", f"{name}={os.path.join(folder, 'out_' + name + '.npy')}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        if any(text in done.stderr for text in NO_DEVICE):
            print(done.stderr, end="")
            sys.exit(SKIPPED)
        raise RuntimeError(done.stderr)
    return {name: np.load(os.path.join(folder, "out_" + name + ".npy")) for name in case.expected}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilewright")
    parser.add_argument("--device", default="sim", choices=TARGETS)
    parser.add_argument("--kernels", nargs="+", default=list(CASES), choices=CASES)
    options = parser.parse_args()
    failures = 0
    for name in options.kernels:
        case = CASES[name]()
        for target in TARGETS[options.device]:
            for warps in case.warps:
                with tempfile.TemporaryDirectory() as folder:
                    outputs = run(options.tilewright, options.device, case, target, warps, folder)
                for output, exact in case.expected.items():
                    found = outputs[output].astype(np.float64).reshape(exact.shape)
                    error = np.abs(found - exact).max() / np.abs(exact).max()
                    if not error <= case.tolerance_on(target):
                        failures += 1
                        print(f"{name}, {target}, {warps} warps: {output} is off by {error:.2g}")
    print(f"{len(options.kernels)} kernels, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
