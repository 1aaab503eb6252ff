"""Kernels of Gluon with one fault each. The error stands at the line that is marked with "here"."""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (
    async_copy, fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_wait)

ROW: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
TILE: gl.constexpr = gl.BlockedLayout([1, 2], [4, 8], [4, 1], [1, 0])
PLAIN: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])


# Copies of threads.


@gluon.jit
def copy_without_wait(x, y):
    i = gl.arange(0, 128, ROW)
    shared = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    async_copy.async_copy_global_to_shared(shared, x + i)
    async_copy.commit_group()
    gl.store(y + i, shared.load(ROW))  # here


@gluon.jit
def copy_with_one_wait_too_few(x, y):
    i = gl.arange(0, 128, ROW)
    shared = gl.allocate_shared_memory(gl.float32, [2, 128], PLAIN)
    for k in gl.static_range(2):
        async_copy.async_copy_global_to_shared(shared.index(k), x + k * 128 + i)
        async_copy.commit_group()
    async_copy.wait_group(1)
    gl.store(y + i, shared.index(1).load(ROW))  # here


@gluon.jit
def copy_without_group(x, y):
    i = gl.arange(0, 128, ROW)
    shared = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    async_copy.async_copy_global_to_shared(shared, x + i)
    async_copy.wait_group(0)
    gl.store(y + i, shared.load(ROW))  # here


# Shared memory.


@gluon.jit
def shared_past_the_end(x, y):
    shared = gl.allocate_shared_memory(gl.float32, [2, 128], PLAIN)
    for k in range(3):
        shared.index(k).store(gl.full([128], 1, gl.float32, ROW))  # here


@gluon.jit
def shared_of_nothing(x, y):
    shared = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    gl.store(y + gl.arange(0, 128, ROW), shared.load(ROW))  # here


@gluon.jit
def reader(shared, y):
    gl.store(y + gl.arange(0, 128, ROW), shared.load(ROW))


@gluon.jit
def writer(shared):
    shared.store(gl.full([128], 1, gl.float32, gl.BlockedLayout([4], [32], [1], [0])))  # or here


@gluon.jit
def partitions_without_barrier(x, y):
    shared = gl.allocate_shared_memory(gl.float32, [128], PLAIN, gl.full([128], 0, gl.float32, ROW))
    gl.warp_specialize([(reader, (shared, y)), (writer, (shared,))], [1], [24])


# Copies of boxes, and barriers with phases.


@gluon.jit
def make(source):
    shared = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    barrier = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    return shared, barrier


@gluon.jit
def put(result, shared):
    tma.async_copy_shared_to_global(result, [0, 0], shared)
    tma.store_wait(0)


@gluon.jit
def box_without_wait(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=1)
    mbarrier.expect(barrier, source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [0, 0], barrier, shared)
    value = shared.load(TILE)  # here
    shared.store(value + 1)
    put(result, shared)


@gluon.jit
def wrong_phase(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=1)
    mbarrier.expect(barrier, source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [0, 0], barrier, shared)
    mbarrier.wait(barrier, 1)
    value = shared.load(TILE)  # here
    shared.store(value + 1)
    put(result, shared)


@gluon.jit
def bytes_that_never_come(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=1)
    mbarrier.expect(barrier, 2 * source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [0, 0], barrier, shared)
    mbarrier.wait(barrier, 0)  # here
    put(result, shared)


@gluon.jit
def arrival_too_few(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=2)
    mbarrier.expect(barrier, source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [0, 0], barrier, shared)
    mbarrier.wait(barrier, 0)  # here
    put(result, shared)


@gluon.jit
def arrival_too_many(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=1)
    mbarrier.arrive(barrier, count=2)  # here
    put(result, shared)


@gluon.jit
def barrier_that_was_not_made(source, result):
    shared, barrier = make(source)
    mbarrier.expect(barrier, source.block_type.nbytes)  # here
    put(result, shared)


@gluon.jit
def barrier_made_twice(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=1)
    mbarrier.init(barrier, count=1)  # here
    put(result, shared)


@gluon.jit
def source_overwritten(source, result):
    shared, barrier = make(source)
    shared.store(gl.full([16, 16], 1, gl.float16, TILE))
    fence_async_shared()
    tma.async_copy_shared_to_global(result, [0, 0], shared)
    shared.store(gl.full([16, 16], 2, gl.float16, TILE))  # here
    tma.store_wait(0)


@gluon.jit
def operand_overwritten(x, y):
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    memory: gl.constexpr = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
    ones = gl.full([64, 64], 1, gl.float16, TILE)
    a = gl.allocate_shared_memory(gl.float16, [64, 64], memory, ones)
    fence_async_shared()
    acc = warpgroup_mma(a, a, gl.zeros([64, 64], gl.float32, layout), is_async=True)
    a.store(ones + 1)  # here
    acc = warpgroup_mma_wait(0, [acc])
    gl.store(y + gl.arange(0, 64, gl.SliceLayout(1, layout)), gl.sum(acc, 1))
