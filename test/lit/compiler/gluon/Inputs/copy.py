from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def copy(x, y, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    offs = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    mask = offs < n
    v = gl.load(x + offs, mask=mask, other=0.0)
    gl.store(y + offs, v + 1.0, mask=mask)
