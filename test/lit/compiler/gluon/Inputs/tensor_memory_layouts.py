from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.blackwell import (get_tmem_reg_layout,
                                                                 TensorMemoryLayout)


@gluon.jit
def check(M: gl.constexpr, N: gl.constexpr, BLOCK: gl.constexpr, WARPS: gl.constexpr,
          registers: gl.constexpr, lanes: gl.constexpr, warps: gl.constexpr):
    found: gl.constexpr = get_tmem_reg_layout(gl.float32, (M, N), TensorMemoryLayout(BLOCK, 1), WARPS)
    gl.static_assert(found == gl.DistributedLinearLayout(registers, lanes, warps, [], [M, N]))


@gluon.jit
def kernel():
    check(64, 64, (64, 64), 4, [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]],
          [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], [[16, 0], [32, 0]])
    check(64, 64, (64, 64), 8, [[0, 1], [0, 2], [0, 4], [0, 8]],
          [[1, 0], [2, 0], [4, 0], [8, 0], [0, 16]], [[16, 0], [32, 0], [0, 32]])
    check(64, 128, (64, 64), 8, [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]],
          [[1, 0], [2, 0], [4, 0], [8, 0], [0, 64]], [[16, 0], [32, 0], [0, 32]])
    check(256, 128, (64, 64), 4, [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [128, 0], [0, 64]],
          [[1, 0], [2, 0], [4, 0], [8, 0], [64, 0]], [[16, 0], [32, 0]])
    check(256, 128, (64, 64), 16, [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]],
          [[1, 0], [2, 0], [4, 0], [8, 0], [64, 0]], [[16, 0], [32, 0], [128, 0], [0, 64]])
    check(256, 128, (128, 64), 4, [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [128, 0], [0, 64]],
          [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], [[32, 0], [64, 0]])
    check(256, 128, (128, 64), 16, [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]],
          [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], [[32, 0], [64, 0], [128, 0], [0, 64]])
    check(256, 128, (128, 128), 8, [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]],
          [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], [[32, 0], [64, 0], [128, 0]])


@gluon.jit
def wrong():
    layout: gl.constexpr = get_tmem_reg_layout(gl.float32, (128, 64), TensorMemoryLayout((128, 64), 1), 32)
    gl.arange(0, 64, layout)
