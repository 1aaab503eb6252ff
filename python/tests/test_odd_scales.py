"""Maxima of scaled products, for scales with which scaling does not keep the order: against NumPy."""

import math

import numpy as np
import pytest

import tilewright
import tilewright.language as tl

N = 64
SCALES = [-2.0, 0.0, -math.inf, math.nan]


@tilewright.jit
def attention(q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, max_ptr, scale, steps, N: tl.constexpr,
              KEEPS_MAX: tl.constexpr):
    rows = tl.arange(0, N)
    q = tl.load(q_ptr + rows[:, None] * N + rows[None, :])
    most = tl.full((N,), -float("inf"), tl.float32)
    total = tl.zeros((N,), tl.float32)
    result = tl.zeros((N, N), tl.float32)
    for step in range(steps):
        k = tl.load(k_ptr + step * N * N + rows[None, :] * N + rows[:, None])
        scores = tl.dot(q, k) * scale
        larger = tl.maximum(most, tl.max(scores, 1))
        p = tl.exp2(scores - larger[:, None])
        alpha = tl.exp2(most - larger)
        total = total * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + step * N * N + rows[:, None] * N + rows[None, :])
        result = tl.dot(p.to(tl.float16), v, result * alpha[:, None])
        most = larger
    tl.store(out_ptr + rows[:, None] * N + rows[None, :], result / total[:, None])
    tl.store(lse_ptr + rows, most + tl.log2(total))
    if KEEPS_MAX:
        tl.store(max_ptr + rows, most)


def inputs():
    """Small integers, so that sums are exact; rows with infinities, with zeros, and of one sign."""
    rng = np.random.default_rng(0)
    q = rng.integers(-2, 3, (N, N)).astype(np.float16)
    k = rng.integers(-2, 3, (2 * N, N)).astype(np.float16)
    v = rng.integers(-2, 3, (2 * N, N)).astype(np.float16)
    k[:, 0] = np.abs(k[:, 0]) + 1
    q[:6] = 0
    q[1, 0], q[2, 0] = math.inf, -math.inf
    q[3, 0], q[4, 0] = 1, -1
    k[5, 0] = 0
    k[7::N, 0] = math.inf  # Row 3 has an infinite product and others, in both steps.
    return q, k, v


@pytest.mark.parametrize("keeps_max", [False, True])
@pytest.mark.parametrize("scale", SCALES)
def test_attention(scale, keeps_max):
    q, k, v = inputs()
    out, lse, maxima = (np.zeros(shape, np.float32) for shape in ((N, N), N, N))
    attention[(1,)](q, k, v, out, lse, maxima, scale, 2, N, keeps_max, num_warps=4)
    with np.errstate(all="ignore"):
        scores = (q.astype(np.float32) @ k.astype(np.float32).T) * np.float32(scale)
        # The larger one of a number and a NaN is the number.
        most = np.fmax.reduce(scores, axis=1, initial=-math.inf)
        p = np.exp2(scores - most[:, None])
        wanted = (p @ v.astype(np.float32)) / p.sum(1)[:, None]
        wanted_lse = most + np.log2(p.sum(1))
    np.testing.assert_allclose(out, wanted, rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(lse, wanted_lse, rtol=1e-5)
    if keeps_max:
        np.testing.assert_array_equal(maxima, most)
