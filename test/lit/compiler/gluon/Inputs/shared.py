from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def transpose(x, y, M: gl.constexpr, N: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    columns: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    memory: gl.constexpr = gl.SwizzledSharedLayout(4, 1, 8, [1, 0])
    i = gl.arange(0, M, layout=gl.SliceLayout(1, rows))
    j = gl.arange(0, N, layout=gl.SliceLayout(0, rows))
    tile = gl.allocate_shared_memory(gl.float32, [M, N], memory)
    tile.store(gl.load(x + i[:, None] * N + j[None, :]))
    turned = tile.permute((1, 0)).load(columns)
    k = gl.arange(0, N, layout=gl.SliceLayout(1, columns))
    l = gl.arange(0, M, layout=gl.SliceLayout(0, columns))
    gl.store(y + k[:, None] * M + l[None, :], turned)
