"""Mistakes in kernels of Gluon. Each kernel has one, and the error stands at the line that is marked
with "here", with what is wrong. Without the mistake, the kernels run: `right` is what most are made of.
"""

import inspect

import numpy as np
import pytest

import tilewright
from tilewright import gluon
from tilewright.gluon import language as gl
from tilewright.gluon.language.nvidia.blackwell import (
    TensorMemoryLayout, allocate_tensor_memory, get_tmem_reg_layout, tcgen05_commit, tcgen05_mma)
from tilewright.gluon.language.nvidia.hopper import (
    async_copy, fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_wait)
from tilewright.gluon.nvidia.hopper import TensorDescriptor

ROW = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 2], [4, 8], [4, 1], [1, 0]))
PLAIN = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))
BLOCK = gl.NVMMASharedLayout.get_default_for([16, 16], gl.float16)


def descriptors(x, y):
    return (TensorDescriptor.from_tensor(x, [16, 16], BLOCK),
            TensorDescriptor.from_tensor(y, [16, 16], BLOCK))


def blocks():
    return descriptors(np.arange(256, dtype=np.float16).reshape(16, 16), np.zeros((16, 16), np.float16))


def rows():
    return np.arange(256, dtype=np.float32), np.zeros(256, np.float32)


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
def right(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=1)
    mbarrier.expect(barrier, source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [0, 0], barrier, shared)
    mbarrier.wait(barrier, 0)
    value = shared.load(TILE)
    shared.store(value + 1)
    fence_async_shared()
    put(result, shared)


@gluon.jit
def no_wait(source, result):
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
def phase_does_not_flip(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=1)
    for _ in range(2):
        mbarrier.expect(barrier, source.block_type.nbytes)
        tma.async_copy_global_to_shared(source, [0, 0], barrier, shared)
        mbarrier.wait(barrier, 0)
    tma.async_copy_shared_to_global(result, [0, 0], shared)  # here
    tma.store_wait(0)


@gluon.jit
def too_few_bytes(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=1)
    mbarrier.expect(barrier, 256)  # here
    tma.async_copy_global_to_shared(source, [0, 0], barrier, shared)
    mbarrier.wait(barrier, 0)
    put(result, shared)


@gluon.jit
def too_many_bytes(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=1)
    mbarrier.expect(barrier, 2 * source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [0, 0], barrier, shared)
    mbarrier.wait(barrier, 0)  # here
    put(result, shared)


@gluon.jit
def an_arrival_too_few(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=2)
    mbarrier.expect(barrier, source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [0, 0], barrier, shared)
    mbarrier.wait(barrier, 0)  # here
    put(result, shared)


@gluon.jit
def an_arrival_too_many(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=1)
    mbarrier.arrive(barrier, count=2)  # here
    put(result, shared)


@gluon.jit
def no_barrier_made(source, result):
    shared, barrier = make(source)
    mbarrier.expect(barrier, source.block_type.nbytes)  # here
    put(result, shared)


@gluon.jit
def made_twice(source, result):
    shared, barrier = make(source)
    mbarrier.init(barrier, count=1)
    mbarrier.init(barrier, count=1)  # here
    put(result, shared)


@gluon.jit
def no_store_wait(source, result):
    shared, barrier = make(source)
    shared.store(gl.full([16, 16], 1, gl.float16, TILE))
    fence_async_shared()
    tma.async_copy_shared_to_global(result, [0, 0], shared)
    shared.store(gl.full([16, 16], 2, gl.float16, TILE))  # here
    tma.store_wait(0)


@gluon.jit
def nothing_stored(source, result):
    shared, barrier = make(source)
    tma.async_copy_shared_to_global(result, [0, 0], shared)  # here
    tma.store_wait(0)


@gluon.jit
def other_shape(source, result):
    shared = gl.allocate_shared_memory(source.dtype, [16, 32], source.layout)
    tma.async_copy_shared_to_global(result, [0, 0], shared)  # here


@gluon.jit
def other_layout(source, result):
    shared = gl.allocate_shared_memory(source.dtype, [16, 16], gl.NVMMASharedLayout(0, 16))
    tma.async_copy_shared_to_global(result, [0, 0], shared)  # here


@gluon.jit
def no_wait_for_copies(x, y):
    at = gl.arange(0, 128, ROW)
    shared = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    async_copy.async_copy_global_to_shared(shared, x + at)
    async_copy.commit_group()
    gl.store(y + at, shared.load(ROW))  # here


@gluon.jit
def waits_for_one_too_few(x, y):
    at = gl.arange(0, 128, ROW)
    shared = gl.allocate_shared_memory(gl.float32, [2, 128], PLAIN)
    for i in gl.static_range(2):
        async_copy.async_copy_global_to_shared(shared.index(i), x + i * 128 + at)
        async_copy.commit_group()
    async_copy.wait_group(1)
    gl.store(y + at, shared.index(1).load(ROW))  # here


@gluon.jit
def no_commit(x, y):
    at = gl.arange(0, 128, ROW)
    shared = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    async_copy.async_copy_global_to_shared(shared, x + at)
    async_copy.wait_group(0)
    gl.store(y + at, shared.load(ROW))  # here


@gluon.jit
def nothing_in_shared_memory(x, y):
    shared = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    gl.store(y + gl.arange(0, 128, ROW), shared.load(ROW))  # here


@gluon.jit
def index_out_of_range(x, y):
    shared = gl.allocate_shared_memory(gl.float32, [2, 128], PLAIN)
    shared.index(2).store(gl.full([128], 1, gl.float32, ROW))  # here


@gluon.jit
def index_at_run_time(x, y):
    shared = gl.allocate_shared_memory(gl.float32, [2, 128], PLAIN)
    for i in range(3):
        shared.index(i).store(gl.full([128], 1, gl.float32, ROW))  # here


@gluon.jit
def pointers_out_of_range(x, y):
    at = gl.arange(0, 128, ROW)
    gl.store(y + at * 4, gl.load(x + at))  # here


@gluon.jit
def writer(shared):
    shared.store(gl.full([128], 1, gl.float32, gl.BlockedLayout([4], [32], [1], [0])))  # here


@gluon.jit
def reader(shared, y):
    gl.store(y + gl.arange(0, 128, ROW), shared.load(ROW))


@gluon.jit
def race_of_partitions(x, y):
    shared = gl.allocate_shared_memory(gl.float32, [128], PLAIN, gl.full([128], 0, gl.float32, ROW))
    gl.warp_specialize([(reader, (shared, y)), (writer, (shared,))], [1], [24])


@gluon.jit
def product_of_others(x, y):
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
    a = gl.allocate_shared_memory(gl.float16, [64, 64], shared)
    a.store(gl.full([64, 64], 1, gl.float16, TILE))
    acc = warpgroup_mma(a, a, gl.zeros([64, 32], gl.float32, layout))  # here


@gluon.jit
def overwritten_product(x, y):
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
    ones = gl.full([64, 64], 1, gl.float16, TILE)
    a = gl.allocate_shared_memory(gl.float16, [64, 64], shared, ones)
    fence_async_shared()
    acc = warpgroup_mma(a, a, gl.zeros([64, 64], gl.float32, layout), is_async=True)
    a.store(ones + 1)  # here
    acc = warpgroup_mma_wait(0, [acc])
    gl.store(y + gl.arange(0, 64, gl.SliceLayout(1, layout)), gl.sum(acc, 1))


@gluon.jit
def no_wait_for_tensor_memory(x, y):
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([128, 64], gl.float16)
    layout: gl.constexpr = TensorMemoryLayout([128, 64], 1)
    registers: gl.constexpr = get_tmem_reg_layout(gl.float32, (128, 64), layout, 4)
    a = gl.allocate_shared_memory(gl.float16, [128, 64], shared, gl.full([128, 64], 1, gl.float16, TILE))
    b = gl.allocate_shared_memory(gl.float16, [64, 64], shared, gl.full([64, 64], 1, gl.float16, TILE))
    acc = allocate_tensor_memory(gl.float32, [128, 64], layout)
    barrier = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(barrier, count=1)
    fence_async_shared()
    tcgen05_mma(a, b, acc, use_acc=False)
    tcgen05_commit(barrier)
    value = acc.load(registers)  # here
    mbarrier.wait(barrier, 0)
    gl.store(y + gl.arange(0, 128, gl.SliceLayout(1, registers)), gl.sum(value, 1))


#: What the message of each says.
MISTAKES = [
    (no_wait, "byte 0 is written by an outstanding asynchronous copy"),
    (wrong_phase, "byte 0 is written by an outstanding asynchronous copy"),
    (phase_does_not_flip, "the last wait at that barrier, here, was for parity 0"),
    (too_few_bytes, "copies bring 512 bytes to the barrier .*, which expects 256"),
    (too_many_bytes, "wait for each other for ever: 128 threads wait at the end of the phase"),
    (an_arrival_too_few, "wait at the end of the phase .*, to which 1 "),
    (an_arrival_too_many, "which has had all of its 1 arrivals"),
    (no_barrier_made, "shared memory that nothing has been stored to"),
    (made_twice, "a barrier is made where there is one"),
    (no_store_wait, "byte 0 is still read by an outstanding asynchronous operation"),
    (nothing_stored, "asynchronous read of 512 bytes of shared memory that nothing has been stored to"),
    (other_shape, "copies whole blocks"),
    (other_layout, "needs memory in the layout of its descriptor"),
    (no_wait_for_copies, "byte 0 is written by an outstanding asynchronous copy"),
    (waits_for_one_too_few, "is written by an outstanding asynchronous copy"),
    (no_commit, "byte 0 is written by an outstanding asynchronous copy"),
    (nothing_in_shared_memory, "shared memory that nothing has been stored to"),
    (index_out_of_range, "'index' is 2, but there are 2 buffers"),
    (index_at_run_time, "store of 4 bytes at offset 1024 outside of shared memory, which has 1024 bytes"),
    (pointers_out_of_range, "ends 4 bytes past the end of argument 'y', which has 1024 bytes"),
    (race_of_partitions, "race in shared memory: a read and then a write of byte 0 by two threads"),
    (product_of_others, "needs M x K, K x N and M x N elements"),
    (overwritten_product, "is still read by an outstanding asynchronous operation"),
    (no_wait_for_tensor_memory, "while a product that may be under way changes it"),
]


def arguments_of(kernel):
    return blocks() if kernel.arg_names[0] == "source" else rows()


def line_of(kernel):
    lines, first = inspect.getsourcelines((writer if kernel is race_of_partitions else kernel).fn)
    return first + next(i for i, line in enumerate(lines) if line.rstrip().endswith("# here"))


@pytest.mark.parametrize("kernel, message", MISTAKES, ids=lambda one: getattr(one, "__name__", ""))
def test_a_mistake_is_found(kernel, message):
    target = "cuda:100" if kernel is no_wait_for_tensor_memory else "cuda:90"
    with pytest.raises(tilewright.Error, match=message) as raised:
        kernel[(1,)](*arguments_of(kernel), target=target)
    assert str(raised.value).startswith(f"{__file__}:{line_of(kernel)}:")
    assert raised.value.source_line.endswith("# here")


def test_right():
    source, result = blocks()
    right[(1,)](source, result)
    assert (result.base == source.base + 1).all()


@gluon.jit
def no_fence(source, result):
    shared, barrier = make(source)
    shared.store(gl.full([16, 16], 1, gl.float16, TILE))
    put(result, shared)


def test_a_fence_that_is_missing_is_made():
    # As Triton's triton-nvidia-gpu-proxy-fence-insertion does for Gluon.
    source, result = blocks()
    assert "fence.proxy.async" in no_fence[(1,)](source, result).asm["ptx"]
    assert (result.base == 1).all()
