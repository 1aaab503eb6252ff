from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def differ(x):
    a = gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))
    b = gl.arange(0, 128, layout=gl.BlockedLayout([2], [32], [4], [0]))
    gl.store(x + a, a + b)


@gluon.jit
def expand(x):
    a = gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(x + a[:, None], 1)


@gluon.jit
def rank(x):
    a = gl.arange(0, 128, layout=gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 0]))
    gl.store(x + a, a)


@gluon.jit
def bases(x):
    layout: gl.constexpr = gl.DistributedLinearLayout([], [[1], [2], [4], [8], [16]], [[64]], [], [128])
    a = gl.arange(0, 128, layout=layout)
    gl.store(x + a, a)


@gluon.jit
def opened(x):
    a = gl.arange(0, 128)
    gl.store(x + a, a)


@gluon.jit
def view(x):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    memory = gl.allocate_shared_memory(gl.int32, [128], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    memory.slice(64, 128).store(gl.arange(0, 128, layout=layout))


@gluon.jit
def missing(x):
    gl.amd.gfx1250.wmma(x, x, x)


@gluon.jit
def misspelt(x):
    gl.convert_layuot(x, x)


@gluon.jit
def trivial(x):
    a = gl.arange(0, 128, layout=gl.BlockedLayout([2], [32], [4], [0]))
    gl.convert_layout(a, gl.BlockedLayout([1], [32], [4], [0]), assert_trivial=True)
