from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.blackwell import (TensorMemoryLayout, allocate_tensor_memory,
                                                                 fence_async_shared, get_tmem_reg_layout, mbarrier,
                                                                 tcgen05_mma)


@gluon.jit
def layouts():
    # As Triton 3.6 gives them.
    full: gl.constexpr = get_tmem_reg_layout(gl.float32, (128, 64), TensorMemoryLayout((128, 64), 1), 4)
    gl.static_assert(full == gl.DistributedLinearLayout(
        [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]],
        [[32, 0], [64, 0]], [], [128, 64]))
    more: gl.constexpr = get_tmem_reg_layout(gl.float16, (256, 64), TensorMemoryLayout((128, 64), 1), 8)
    gl.static_assert(more == gl.DistributedLinearLayout(
        [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]],
        [[32, 0], [64, 0], [128, 0]], [], [256, 64]))
    half: gl.constexpr = get_tmem_reg_layout(gl.float32, (64, 64), TensorMemoryLayout((64, 64), 1), 8)
    gl.static_assert(half == gl.DistributedLinearLayout(
        [[0, 1], [0, 2], [0, 4], [0, 8]], [[1, 0], [2, 0], [4, 0], [8, 0], [0, 16]],
        [[16, 0], [32, 0], [0, 32]], [], [64, 64]))


@gluon.jit
def square(x, y):
    rows: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    i = gl.arange(0, 128, layout=gl.SliceLayout(1, rows))
    j = gl.arange(0, 128, layout=gl.SliceLayout(0, rows))
    at = i[:, None] * 128 + j[None, :]
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([128, 128], gl.float16)
    tile = gl.allocate_shared_memory(gl.float16, [128, 128], shared, gl.load(x + at))
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    memory: gl.constexpr = TensorMemoryLayout([128, 128], col_stride=1)
    acc = allocate_tensor_memory(gl.float32, [128, 128], memory)
    fence_async_shared()
    tcgen05_mma(tile, tile, acc, use_acc=False, mbarriers=[bar])
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    layout: gl.constexpr = get_tmem_reg_layout(gl.float32, (128, 128), memory, gl.num_warps())
    gl.store(y + at, gl.convert_layout(acc.load(layout), rows))
