"""Cooperative matrices from Python, on the simulator."""

import numpy as np
import pytest

import tilewright
import tilewright.language as tl
import tilewright.matrix as tw

USES = ("matrix_a", "matrix_b", "matrix_acc")
NAMES = [name for name, value in vars(tw).items()
         if isinstance(value, tl.Builtin) and not name.startswith("_")]


@tilewright.jit
def product(x, w, y, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    a = tw.load(x, (M, K), tw.matrix_a, strides=(K, 1))
    b = tilewright.matrix.load(w, (K, N), tw.matrix_b, strides=(N, 1))
    tw.store(y, tw.mul_add(a, b, tw.full((M, N), 1.0, tl.float32, tw.matrix_acc)), strides=(N, 1))


def test_a_product():
    rng = np.random.default_rng(0)
    x, w = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((16, 8), (8, 6)))
    y = np.zeros((16, 6), np.float32)
    product[(1,)](x, w, y, 16, 6, 8, num_warps=1)
    np.testing.assert_array_equal(y, x.astype(np.float32) @ w.astype(np.float32) + 1)


def test_the_compiler_has_each_name():
    assert len(NAMES) == 21
    for name in [*NAMES, "lood"]:
        source = tilewright.Source(
            "import triton\nimport triton.language as tl\nfrom tilewright.matrix import " + name +
            " as asked\n@triton.jit\ndef k(x):\n    y = asked\n    tl.store(x, 1.0)\n")
        if name == "lood":
            with pytest.raises(tilewright.CompileError, match="tilewright.matrix has no 'lood'"):
                tilewright.compile(source, signature="*fp32")
        else:
            tilewright.compile(source, signature="*fp32")


def test_host_code_cannot_call_them():
    with pytest.raises(RuntimeError, match="mul_add is a function of kernels"):
        tw.mul_add(1, 2, 3)
