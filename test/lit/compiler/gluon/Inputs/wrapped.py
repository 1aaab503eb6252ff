from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (fence_async_shared, warpgroup_mma,
                                                              warpgroup_mma_wait)
from triton.language.core import _aggregate as aggregate


@aggregate
class Sum:
    acc: gl.tensor

    @gluon.constexpr_function
    def __init__(self, acc):
        self.acc = acc

    @gluon.jit
    def add(self, a, b):
        return Sum(warpgroup_mma(a, b, self.acc, is_async=True))

    @gluon.jit
    def wait(self):
        return Sum(warpgroup_mma_wait(num_outstanding=0, deps=(self.acc, )))


@gluon.jit
def powers(x, y, times):
    rows: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    memory: gl.constexpr = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    i = gl.arange(0, 64, layout=gl.SliceLayout(1, rows))
    j = gl.arange(0, 64, layout=gl.SliceLayout(0, rows))
    tile = gl.load(x + i[:, None] * 64 + j[None, :])
    a = gl.allocate_shared_memory(gl.float16, [64, 64], memory, tile)
    fence_async_shared()
    total = Sum(gl.zeros([64, 64], gl.float32, layout))
    for _ in range(times):
        total = total.wait()
        total = total.add(a, a)
    total = total.wait()
    gl.store(y + i[:, None] * 64 + j[None, :], gl.convert_layout(total.acc, rows))
