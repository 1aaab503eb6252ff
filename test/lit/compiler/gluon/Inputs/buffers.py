from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna3


@gluon.jit
def kernel(x, y, count, n):
    layout: gl.constexpr = gl.BlockedLayout([1], [64], [4], [0])
    at = gl.arange(0, 256, layout)
    value = cdna3.buffer_load(x, at, mask=at < n, other=-1.0)
    cdna3.buffer_store(value + 1, y, at)
    cdna3.buffer_atomic_add(count, at * 0, at, mask=at < n)


@gluon.jit
def swapped(x):
    at = gl.arange(0, 256, gl.BlockedLayout([1], [64], [4], [0]))
    cdna3.buffer_load(x + at, at)
