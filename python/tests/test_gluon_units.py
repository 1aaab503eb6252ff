"""Gluon's names for the units of each vendor, against what they are defined to do."""

import numpy as np
import pytest

import tilewright
from tilewright import gluon
from tilewright.gluon import language as gl
from tilewright.gluon.language.amd import cdna4
from tilewright.gluon.language.amd.cdna4 import async_copy
from tilewright.gluon.language.nvidia.blackwell import (
    TensorMemoryLayout, allocate_tensor_memory, float2, get_tmem_reg_layout, tcgen05_commit,
    tcgen05_mma)
from tilewright.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma
from tilewright.gluon.nvidia.hopper import TensorDescriptor

RANDOM = np.random.default_rng(0)
PLAIN = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))


def block(shape, dtype=gl.float16):
    return gl.NVMMASharedLayout.get_default_for(list(shape), dtype)


# Views of several buffers


@gluon.jit
def two_of_ring(y, first, RING: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    ring = gl.allocate_shared_memory(gl.float32, [RING, 8, 32], PLAIN)
    both = ring.index(first)._reinterpret(gl.float32, [16, 32], PLAIN)
    at = (gl.arange(0, 16, gl.SliceLayout(1, rows))[:, None] * 32
          + gl.arange(0, 32, gl.SliceLayout(0, rows))[None, :])
    both.store(at.to(gl.float32))
    few = ring.index(first + 1).load(rows)
    at = (gl.arange(0, 8, gl.SliceLayout(1, rows))[:, None] * 32
          + gl.arange(0, 32, gl.SliceLayout(0, rows))[None, :])
    gl.store(y + at, few)


def test_a_view_of_two_buffers_of_a_ring():
    y = np.zeros((8, 32), np.float32)
    two_of_ring[(1,)](y, 3, 5)
    assert (y.ravel() == np.arange(256, 512)).all()


def test_a_view_that_ends_after_the_ring_is_found():
    with pytest.raises(tilewright.SimulationError, match="what the kernel assumes is false") as raised:
        two_of_ring[(1,)](np.zeros((8, 32), np.float32), 4, 5)
    assert "keep a view of several buffers within them" in str(raised.value)


@gluon.jit
def more_than_ring():
    ring = gl.allocate_shared_memory(gl.float32, [2, 8, 32], PLAIN)
    ring.index(gl.program_id(0))._reinterpret(gl.float32, [32, 32], PLAIN)


def test_a_view_larger_than_the_ring_is_refused():
    with pytest.raises(tilewright.CompileError, match="takes 4096 bytes from byte 0 on, but the buffers"):
        more_than_ring[(1,)]()


# Types


CONFLICTS = [  # As Triton 3.6 counts them (test_frontend.py, test_bank_conflicts).
    (gl.BlockedLayout([1], [32], [4], [0]), gl.SwizzledSharedLayout(1, 1, 1, [0]), [32], gl.float32, 0),
    (gl.BlockedLayout([1], [32], [4], [0]), gl.SwizzledSharedLayout(1, 1, 1, [0]), [32], gl.float16, 0),
    (gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 32, 16]), gl.NVMMASharedLayout(128, 16), [128, 128],
     gl.float16, 0),
    (gl.DotOperandLayout(1, gl.NVMMADistributedLayout([2, 0], [1, 4], [16, 8]), 2),
     gl.NVMMASharedLayout(64, 16), [64, 32], gl.float16, 0),
    (gl.DotOperandLayout(0, gl.NVMMADistributedLayout([2, 0], [1, 4], [16, 8]), 2),
     gl.NVMMASharedLayout(64, 16, transposed=True), [32, 64], gl.float16, 0),
    (gl.DotOperandLayout(1, gl.NVMMADistributedLayout([2, 0], [1, 4], [16, 8]), 1),
     gl.NVMMASharedLayout(32, 8), [8, 32], gl.int8, 0),
    (gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8]), gl.NVMMASharedLayout(64, 16, transposed=True),
     [64, 64], gl.float16, 0),
    (gl.NVMMADistributedLayout([3, 0], [2, 2], [16, 32, 16]), gl.NVMMASharedLayout(64, 16), [64, 32],
     gl.float16, 0),
    (gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8]), gl.NVMMASharedLayout(32, 8), [32, 32], gl.int8, 0),
    (gl.NVMMADistributedLayout([2, 0], [2, 4], [16, 8]), gl.NVMMASharedLayout(0, 16), [4, 64],
     gl.float16, 3),
    (gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 32, 16]), gl.NVMMASharedLayout(128, 32), [128, 64],
     gl.float32, 1),
]


@gluon.jit
def count_conflicts(tensor: gl.constexpr, memory: gl.constexpr, EXPECTED: gl.constexpr):
    gl.static_assert(isinstance(tensor, gl.distributed_type))
    gl.static_assert(gl.bank_conflicts(tensor, memory) == EXPECTED)


@pytest.mark.parametrize("layout, shared, shape, dtype, expected", CONFLICTS)
def test_bank_conflicts(layout, shared, shape, dtype, expected):
    count_conflicts.warmup(gl.distributed_type(dtype, shape, layout),
                           gl.shared_memory_descriptor_type(dtype, shape, shared, shape), expected)
    with pytest.raises(tilewright.CompileError, match="static_assert fails"):
        count_conflicts.warmup(gl.distributed_type(dtype, shape, layout),
                               gl.shared_memory_descriptor_type(dtype, shape, shared, shape), expected + 1)


@gluon.jit
def conflicts_of_values():
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [1, 4], [0, 1])
    x = gl.full([32, 32], 0, gl.float32, layout)
    memory = gl.allocate_shared_memory(gl.float32, [32, 32], PLAIN)
    # Each lane of a warp has another row, and all are in one bank.
    gl.static_assert(gl.bank_conflicts(x.type, memory.type) == 31)
    gl.bank_conflicts(x.type, memory.slice(0, 16, 1).type)


def test_bank_conflicts_of_a_part_are_refused():
    with pytest.raises(tilewright.CompileError, match="has the shape .32, 16., but the tensor .32, 32."):
        conflicts_of_values.warmup()


# Numbers


E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6], np.float32)


@gluon.jit
def widen(x, y, AXIS: gl.constexpr, layout: gl.constexpr, LAYOUT: gl.constexpr):
    rows = gl.arange(0, 16, gl.SliceLayout(1, layout))[:, None]
    value = gl.fp4_to_fp(gl.load(x + rows * 16 + gl.arange(0, 16, gl.SliceLayout(0, layout))[None, :]),
                         gl.float16, AXIS)
    gl.static_assert(value.type.layout == LAYOUT)
    columns: gl.constexpr = value.shape[1]
    out: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    value = gl.convert_layout(value, out)
    gl.store(y + gl.arange(0, value.shape[0], gl.SliceLayout(1, out))[:, None] * columns
             + gl.arange(0, columns, gl.SliceLayout(0, out))[None, :], value)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("target", ["cuda:90", "hip:gfx1201"])
def test_numbers_of_four_bits(axis, target):
    x = RANDOM.integers(0, 256, (16, 16), np.uint8)
    y = np.zeros((32, 16) if axis == 0 else (16, 32), np.float16)
    layout = gl.BlockedLayout([1, 2], [4, 8], [4, 1], [1, 0])
    # The axis that is the fastest one keeps a blocked layout.
    expected = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]) if axis == 1 else \
        gl.DistributedLinearLayout([[1, 0], [0, 1]], [[0, 2], [0, 4], [0, 8], [2, 0], [4, 0]],
                                   [[8, 0], [16, 0]], [], [32, 16])
    widen[(1,)](x, y, axis, layout, expected, target=target)
    both = np.stack([E2M1[x & 15], E2M1[x >> 4]], axis + 1)
    assert (y == both.reshape(y.shape)).all()


@gluon.jit
def pairs(a, b, c, y, total, OP: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 16], [32, 1], [4, 1], [0, 1])
    at = (gl.arange(0, 128, gl.SliceLayout(1, layout))[:, None] * 16
          + gl.arange(0, 16, gl.SliceLayout(0, layout))[None, :])
    p = float2.pack(gl.load(a + at), axis=1)
    q = float2.pack(gl.load(b + at), axis=1)
    r = float2.pack(gl.load(c + at), axis=1)
    gl.static_assert(isinstance(p, float2.Float2Tensor))
    if OP == "add":
        p += q
    elif OP == "sub":
        p = p - q
    elif OP == "mul":
        p = p * q
    else:
        p = float2.fma(p, q, r)
    gl.store(y + at, float2.unpack(p, axis=1))
    first, second = float2.unpack2((p * float2.full_like(p, gl.to_tensor(2.0))).sum(1))
    rows: gl.constexpr = gl.SliceLayout(1, layout)
    gl.store(total + gl.arange(0, 128, rows), gl.convert_layout(first + second, rows))


@pytest.mark.parametrize("op", ["add", "sub", "mul", "fma"])
def test_pairs_of_floats(op):
    a, b, c = RANDOM.standard_normal((3, 128, 16), np.float32)
    y, total = np.zeros((128, 16), np.float32), np.zeros(128, np.float32)
    compiled = pairs[(1,)](a, b, c, y, total, op, target="cuda:100")
    # A product in double precision is exact, and rounded once with the sum.
    expected = {"add": a + b, "sub": a - b, "mul": a * b,
                "fma": (a.astype(np.float64) * b + c).astype(np.float32)}[op]
    assert (y == expected).all()
    np.testing.assert_allclose(total, 2 * expected.sum(1), rtol=1e-4, atol=1e-4)
    name = {"fma": "fma.rn"}.get(op, op)
    assert f"{name}.f32x2" in compiled.asm["ptx"]


@gluon.aggregate
class Scaled:
    value: gl.tensor
    factor: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, value, factor):
        self.value = value
        self.factor = gl.constexpr(factor)

    @gluon.jit
    def __add__(self, other):
        return Scaled(self.value * self.factor + other, 1)

    @gluon.jit
    def __floordiv__(self, other):
        return Scaled(self.value - other.value, other.factor)


@gluon.jit
def operators(y):
    at = gl.arange(0, 128, gl.BlockedLayout([1], [32], [4], [0]))
    one = Scaled(at, 3)
    two = one + 5
    two += 2
    gl.store(y + at, (two // one).value)


def test_operators_of_aggregates_are_their_methods():
    y = np.zeros(128, np.int32)
    operators[(1,)](y)
    assert (y == 3 * np.arange(128) + 7 - np.arange(128)).all()


@gl._core.builtin
def threads(_semantic=None, _generator=None):
    return gl.num_warps(_semantic=_semantic, _generator=_generator) * 32


@gluon.constexpr_function
def chosen(flag):
    return 1 if not flag else 2


@gluon.jit
def helpers(y, flag):
    at = gl.arange(0, threads(), layout=gl.BlockedLayout([1], [32], [gl.num_warps()], [0]))
    # To a function that runs while compiling a value of the kernel is an object, which is true.
    which: gl.constexpr = chosen(flag > 0)
    for i in range(0, 2, step=1):
        gl.store(y + at, at + which + i)


def test_what_converted_kernels_are_made_of():
    y = np.zeros(128, np.int32)
    with pytest.warns(UserWarning, match="is an object here, which is true"):
        helpers[(1,)](y, 0)
    assert (y == np.arange(128) + 3).all()


# Copies


@gluon.jit
def copy_part(source, target):
    barrier = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(barrier, count=1)
    half = gl.allocate_shared_memory(source.dtype, [64, 64], source.layout)
    mbarrier.expect(barrier, 64 * 64 * 2)
    tma.async_copy_global_to_shared(source, [0, 64], barrier, half)
    mbarrier.wait(barrier, 0)
    tma.async_copy_shared_to_global(target, [0, 64], half)
    tma.store_wait(0)


def test_a_part_of_a_block_is_copied():
    # Of a block of 64 x 128 in rows of 128 bytes, 64 columns are one message.
    x = RANDOM.standard_normal((64, 128)).astype(np.float16)
    y = np.zeros_like(x)
    layout = block([64, 128])
    copy_part[(1,)](*(TensorDescriptor.from_tensor(one, [64, 128], layout) for one in (x, y)))
    assert (y[:, 64:] == x[:, 64:]).all() and (y[:, :64] == 0).all()
    with pytest.raises(tilewright.CompileError, match="is not whole boxes of it: one message copies more"):
        copy_part[(1,)](*(TensorDescriptor.from_tensor(one, [128, 64], block([128, 64]))
                          for one in (x.T.copy(), y.T.copy())))


@gluon.jit
def copy_whole(source, target):
    barrier = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(barrier, count=1)
    shared = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    mbarrier.expect(barrier, source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [4, 8], barrier, shared)
    mbarrier.wait(barrier, 0)
    tma.async_copy_shared_to_global(target, [0, 0], shared)
    tma.store_wait(0)


@pytest.mark.parametrize("padding", ["zero", "nan"])
def test_a_descriptor_pads(padding):
    x = RANDOM.standard_normal((16, 16)).astype(np.float16)
    y = np.zeros_like(x)
    layout = block([16, 16])
    copy_whole[(1,)](TensorDescriptor.from_tensor(x, [16, 16], layout, padding),
                     TensorDescriptor.from_tensor(y, [16, 16], layout))
    expected = np.full((16, 16), np.nan if padding == "nan" else 0, np.float16)
    expected[:12, :8] = x[4:, 8:]
    np.testing.assert_array_equal(y, expected)


@gluon.jit
def copy_direct(x, y, BUFFER: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [32, 2], [4, 1], [1, 0])
    shared = gl.allocate_shared_memory(x.dtype.element_ty, [128, 16], PLAIN)
    row = gl.arange(0, 128, gl.SliceLayout(1, layout))[:, None]
    at = row * 16 + gl.arange(0, 16, gl.SliceLayout(0, layout))[None, :]
    if BUFFER:
        async_copy.buffer_load_to_shared(shared, x, at, row < 100, other=3.0)
    else:
        async_copy.global_load_to_shared(shared, x + at, row < 100, other=3.0)
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(y + at, async_copy.load_shared_relaxed(shared, layout))


@pytest.mark.parametrize("by_buffer", [False, True])
def test_copies_of_cdna4(by_buffer):
    x = RANDOM.standard_normal((128, 16)).astype(np.float16)
    y = np.zeros_like(x)
    compiled = copy_direct[(1,)](x, y, by_buffer, target="hip:gfx950")
    assert (y[:100] == x[:100]).all() and (y[100:] == 3).all()
    assert "ttg.amdg.syncedViaAsyncWait = true" in compiled.asm["ttgir"]


# Products


@gluon.jit
def product_of_halves(a, b, c):
    layout: gl.constexpr = TensorMemoryLayout([64, 64], 1)
    registers: gl.constexpr = get_tmem_reg_layout(gl.float16, (64, 64), layout, 4)
    sums: gl.constexpr = get_tmem_reg_layout(gl.float32, (64, 64), layout, 4)
    tile: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    at = (gl.arange(0, 64, gl.SliceLayout(1, tile))[:, None] * 64
          + gl.arange(0, 64, gl.SliceLayout(0, tile))[None, :])
    left = allocate_tensor_memory(gl.float16, [64, 64], layout)
    left.store(gl.convert_layout(gl.load(a + at), registers))
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
    right = gl.allocate_shared_memory(gl.float16, [64, 64], shared, gl.load(b + at))
    acc = allocate_tensor_memory(gl.float32, [64, 64], layout)
    barrier = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(barrier, count=1)
    fence_async_shared()
    tcgen05_mma(left, right, acc, use_acc=False)
    tcgen05_commit(barrier)
    mbarrier.wait(barrier, 0)
    gl.store(c + at, gl.convert_layout(acc.load(sums), tile))


def test_a_product_of_64_rows_in_tensor_memory():
    a, b = RANDOM.standard_normal((2, 64, 64)).astype(np.float16)
    c = np.zeros((64, 64), np.float32)
    product_of_halves[(1,)](a, b, c, target="cuda:100")
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32), rtol=1e-4, atol=1e-4)


VARIANTS = [  # As Triton 3.6 has them: registers, lanes and warps.
    (gl.float32, (64, 32), TensorMemoryLayout((64, 32), 1), 4, "16x64b",
     [[0, 2], [0, 4], [0, 8], [0, 16]],
     [[8, 0], [0, 1], [1, 0], [2, 0], [4, 0]],
     [[16, 0], [32, 0]]),
    (gl.float32, (64, 64), TensorMemoryLayout((64, 64), 1), 4, "32x32b_splitn",
     [[0, 1], [0, 2], [0, 4], [0, 8], [0, 32]],
     [[1, 0], [2, 0], [4, 0], [8, 0], [0, 16]],
     [[16, 0], [32, 0]]),
    (gl.float32, (128, 32), TensorMemoryLayout((128, 32), 1), 4, "16x64b",
     [[0, 2], [0, 4], [0, 8], [0, 16], [16, 0]],
     [[8, 0], [0, 1], [1, 0], [2, 0], [4, 0]],
     [[32, 0], [64, 0]]),
    (gl.float32, (128, 32), TensorMemoryLayout((128, 32), 1), 4, "16x128b",
     [[8, 0], [0, 4], [0, 8], [0, 16], [16, 0]],
     [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]],
     [[32, 0], [64, 0]]),
    (gl.float32, (128, 32), TensorMemoryLayout((128, 32), 1), 4, "16x256b",
     [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]],
     [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
     [[32, 0], [64, 0]]),
    (gl.float32, (128, 32), TensorMemoryLayout((128, 32), 1), 8, "16x256b",
     [[0, 1], [8, 0], [0, 8], [0, 16]],
     [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
     [[32, 0], [64, 0], [16, 0]]),
    (gl.float32, (128, 64), TensorMemoryLayout((128, 64), 1), 8, "32x32b_splitn",
     [[0, 1], [0, 2], [0, 4], [0, 8], [0, 32]],
     [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]],
     [[32, 0], [64, 0], [0, 16]]),
]


@gluon.jit
def by_variant(x, y, layout: gl.constexpr, M: gl.constexpr, N: gl.constexpr, VARIANT: gl.constexpr,
               expected: gl.constexpr):
    registers: gl.constexpr = get_tmem_reg_layout(x.dtype.element_ty, (M, N), layout, gl.num_warps(),
                                                  VARIANT)
    gl.static_assert(registers == expected)
    rows: gl.constexpr = get_tmem_reg_layout(x.dtype.element_ty, (M, N), layout, gl.num_warps())
    at = (gl.arange(0, M, gl.SliceLayout(1, rows))[:, None] * N
          + gl.arange(0, N, gl.SliceLayout(0, rows))[None, :])
    memory = allocate_tensor_memory(x.dtype.element_ty, [M, N], layout)
    memory.store(gl.load(x + at))
    value = memory.load(registers)
    at = (gl.arange(0, M, gl.SliceLayout(1, registers))[:, None] * N
          + gl.arange(0, N, gl.SliceLayout(0, registers))[None, :])
    gl.store(y + at, value)


@pytest.mark.parametrize("dtype, shape, layout, warps, variant, registers, lanes, of_warps", VARIANTS)
def test_variants_of_registers(dtype, shape, layout, warps, variant, registers, lanes, of_warps):
    expected = gl.DistributedLinearLayout(registers, lanes, of_warps, [], list(shape))
    x = RANDOM.standard_normal(shape).astype(np.float16 if dtype == gl.float16 else np.float32)
    y = np.zeros_like(x)
    by_variant[(1,)](x, y, layout, *shape, variant, expected, num_warps=warps, target="cuda:100")
    assert (y == x).all()


@gluon.jit
def scaled_product(a, b, a_scale, b_scale, c, K: gl.constexpr, A: gl.constexpr, B: gl.constexpr):
    layout: gl.constexpr = gl.amd.AMDMFMALayout(4, [16, 16, 128], True, [2, 2])
    left: gl.constexpr = gl.DotOperandLayout(0, layout, 16)
    right: gl.constexpr = gl.DotOperandLayout(1, layout, 16)
    a_columns: gl.constexpr = K // 2 if A == "e2m1" else K
    b_rows: gl.constexpr = K // 2 if B == "e2m1" else K
    x = cdna4.buffer_load(a, gl.arange(0, 32, gl.SliceLayout(1, left))[:, None] * a_columns
                          + gl.arange(0, a_columns, gl.SliceLayout(0, left))[None, :])
    y = cdna4.buffer_load(b, gl.arange(0, b_rows, gl.SliceLayout(1, right))[:, None] * 32
                          + gl.arange(0, 32, gl.SliceLayout(0, right))[None, :])
    x_scale = None
    if a_scale is not None:
        scales: gl.constexpr = cdna4.get_mfma_scale_layout(left, [32, K // 32])
        x_scale = gl.load(a_scale + gl.arange(0, 32, gl.SliceLayout(1, scales))[:, None] * (K // 32)
                          + gl.arange(0, K // 32, gl.SliceLayout(0, scales))[None, :])
    y_scale = 0x80
    if b_scale is not None:
        scales: gl.constexpr = cdna4.get_mfma_scale_layout(right, [32, K // 32])
        y_scale = gl.load(b_scale + gl.arange(0, 32, gl.SliceLayout(1, scales))[:, None] * (K // 32)
                          + gl.arange(0, K // 32, gl.SliceLayout(0, scales))[None, :])
    acc = cdna4.mfma_scaled(x, x_scale, A, y, y_scale, B, gl.zeros([32, 32], gl.float32, layout))
    cdna4.buffer_store(acc, c, gl.arange(0, 32, gl.SliceLayout(1, layout))[:, None] * 32
                       + gl.arange(0, 32, gl.SliceLayout(0, layout))[None, :])


def operand(kind, shape, axis):
    """Bytes of a format, and the numbers that they are; of two e2m1 the neighbours along `axis`."""
    if kind == "e2m1":
        packed = list(shape)
        packed[axis] //= 2
        x = RANDOM.integers(0, 256, packed, np.uint8)
        return x, np.stack([E2M1[x & 15], E2M1[x >> 4]], axis + 1).reshape(shape)
    x = RANDOM.integers(20, 40, shape, np.uint8)
    mantissa, bias = (3, 7) if kind == "e4m3" else (2, 15)
    exponent = (x >> mantissa).astype(np.int32)
    fraction = (x & ((1 << mantissa) - 1)) / 2.0**mantissa
    values = np.where(exponent > 0, (1 + fraction) * 2.0**(exponent - bias), fraction * 2.0**(1 - bias))
    return x, values.astype(np.float32)


@pytest.mark.parametrize("has_scales", [False, True])
@pytest.mark.parametrize("a_kind, b_kind", [("e2m1", "e2m1"), ("e4m3", "e5m2"), ("e5m2", "e2m1"),
                                            ("e2m1", "e4m3")])
def test_scaled_products_of_cdna4(a_kind, b_kind, has_scales):
    K = 128
    a, left = operand(a_kind, (32, K), 1)
    b, right = operand(b_kind, (K, 32), 0)
    a_scale, b_scale = RANDOM.integers(122, 132, (2, 32, K // 32)).astype(np.uint8)
    c = np.zeros((32, 32), np.float32)
    scaled_product[(1,)](a, b, *((a_scale, b_scale) if has_scales else (None, None)), c, K, a_kind, b_kind,
                         target="hip:gfx950")
    if has_scales:
        left = left * np.repeat(2.0**(a_scale.astype(np.int32) - 127), 32, 1)
        right = right * np.repeat(2.0**(b_scale.astype(np.int32) - 127), 32, 1).T
    else:
        right = right * 2
    np.testing.assert_allclose(c, left @ right, rtol=1e-5, atol=1e-4)


@gluon.jit
def product_of_amd(a, b, c, K: gl.constexpr, layout: gl.constexpr, WIDTH: gl.constexpr, Unit: gl.constexpr):
    left: gl.constexpr = gl.DotOperandLayout(0, layout, WIDTH)
    right: gl.constexpr = gl.DotOperandLayout(1, layout, WIDTH)
    acc = gl.zeros([32, 32], gl.float32, layout)
    for k in range(0, K, 32):
        x = gl.amd.cdna3.buffer_load(a, gl.arange(0, 32, gl.SliceLayout(1, left))[:, None] * K + k
                                     + gl.arange(0, 32, gl.SliceLayout(0, left))[None, :])
        y = gl.amd.cdna3.buffer_load(b, (k + gl.arange(0, 32, gl.SliceLayout(1, right)))[:, None] * 32
                                     + gl.arange(0, 32, gl.SliceLayout(0, right))[None, :])
        if Unit == "mfma":
            acc = gl.amd.cdna3.mfma(x, y, acc)
        elif Unit == "rdna3":
            acc = gl.amd.rdna3.wmma(x, y, acc)
        else:
            acc = gl.amd.rdna4.wmma(x, y, acc)
    gl.amd.cdna3.buffer_store(acc, c, gl.arange(0, 32, gl.SliceLayout(1, layout))[:, None] * 32
                              + gl.arange(0, 32, gl.SliceLayout(0, layout))[None, :])


@pytest.mark.parametrize("target, layout, width, unit, instruction", [
    ("hip:gfx942", gl.amd.AMDMFMALayout(3, [32, 32, 8], True, [2, 2]), 4, "mfma", "v_mfma_f32_32x32x8"),
    ("hip:gfx942", gl.amd.AMDMFMALayout(3, [16, 16, 16], False, [2, 2]), 4, "mfma", "v_mfma_f32_16x16x16"),
    ("hip:gfx1100", gl.amd.AMDWMMALayout(1, True, [2, 2]), 16, "rdna3", "v_wmma_f32_16x16x16_f16"),
    ("hip:gfx1201", gl.amd.AMDWMMALayout(2, True, [2, 2]), 8, "rdna4", "v_wmma_f32_16x16x16_f16"),
])
def test_products_of_amd(target, layout, width, unit, instruction):
    a = RANDOM.standard_normal((32, 64)).astype(np.float16)
    b = RANDOM.standard_normal((64, 32)).astype(np.float16)
    c = np.zeros((32, 32), np.float32)
    compiled = product_of_amd[(1,)](a, b, c, 64, layout, width, unit, target=target)
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32), rtol=1e-3, atol=1e-3)
    assert instruction in compiled.asm["amdgcn"]


@gluon.jit
def generic(a, b, y, layout: gl.constexpr, back: gl.constexpr):
    at = (gl.arange(0, 32, gl.SliceLayout(1, layout))[:, None] * 32
          + gl.arange(0, 32, gl.SliceLayout(0, layout))[None, :])
    shared = gl.allocate_shared_memory(gl.float32, [32, 32], PLAIN)
    shared.store(gl.load(a + at))
    left = shared.load(gl.DotOperandLayout(0, layout, 0))
    right = gl.convert_layout(gl.load(b + at), gl.DotOperandLayout(1, layout, 0))
    acc = gl.dot_fma(left, right, gl.zeros([32, 32], gl.float32, layout))
    total = gl.sum(gl.convert_layout(acc, back), 1)
    gl.store(y + gl.arange(0, 32, gl.SliceLayout(1, back)), total)


@pytest.mark.parametrize("target, lanes", [("xpu:bmg", 16), ("hip:gfx1201", 32), ("hip:gfx942", 64)])
def test_generic_layouts_of_all_vendors(target, lanes):
    a, b = RANDOM.standard_normal((2, 32, 32)).astype(np.float32)
    y = np.zeros(32, np.float32)
    generic[(1,)](a, b, y, gl.BlockedLayout([1, 4], [lanes // 8, 8], [4, 1], [1, 0]),
                  gl.BlockedLayout([1, 1], [1, lanes], [2, 2], [1, 0]), target=target)
    np.testing.assert_allclose(y, (a @ b).sum(1), rtol=1e-4, atol=1e-3)


# Registers


@gluon.jit
def worker(shared, VALUE: gl.constexpr):
    shared.store(gl.full([128], VALUE, gl.float32, gl.BlockedLayout([1], [32], [gl.num_warps()], [0])))


@gluon.jit
def waits(y, shared):
    at = gl.arange(0, 128, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(y + at, at.to(gl.float32))


@gluon.jit
def partitions(y, FIRST: gl.constexpr, SECOND: gl.constexpr):
    plain: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    one = gl.allocate_shared_memory(gl.float32, [128], plain)
    two = gl.allocate_shared_memory(gl.float32, [128], plain)
    gl.warp_specialize([(waits, (y, one)), (worker, (one, 1.0)), (worker, (two, 2.0))],
                       [FIRST, SECOND], [24, 40])
    gl.store(y + 128 + gl.arange(0, 128, layout), one.load(layout) + two.load(layout))


@pytest.mark.parametrize("first, second, threads, counts", [
    # Two warps that work and two that do not share a group, which has the larger number.
    (1, 1, 256, {"dec": [40, 40, 40], "inc": [216]}),
    # The larger partition comes first, and begins a group.
    (1, 4, 384, {"dec": [24, 24, 24, 40], "inc": [248]}),
])
def test_partitions_have_the_registers_that_they_ask_for(first, second, threads, counts):
    y = np.zeros(256, np.float32)
    compiled = partitions[(1,)](y, first, second, maxnreg=128)
    assert (y[:128] == np.arange(128)).all() and (y[128:] == 3).all()
    ptx = compiled.asm["ptx"]
    assert f".reqntid {threads}" in ptx
    for action, numbers in counts.items():
        found = [line.split()[-1].rstrip(";") for line in ptx.splitlines() if f"setmaxnreg.{action}" in line]
        assert sorted(map(int, found)) == numbers, action
