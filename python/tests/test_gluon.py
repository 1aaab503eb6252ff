"""Kernels of Gluon, launched on the simulator."""

import pickle

import numpy as np
import pytest

import tilewright
from tilewright import gluon
from tilewright.gluon import language as gl
from tilewright.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma
from tilewright.gluon.language.nvidia.hopper.mbarrier import MBarrierLayout
from tilewright.gluon.nvidia.hopper import TensorDescriptor

ROWS = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


@gluon.jit
def copy(x, y, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    gl.store(y + at, gl.load(x + at, mask=at < n), mask=at < n)


@pytest.mark.parametrize("layout", [
    gl.BlockedLayout([2], [32], [4], [0]),
    gl.SliceLayout(1, gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])),
    gl.DistributedLinearLayout([[128]], [[1], [2], [4], [8], [16]], [[32], [64]], [], [256]),
])
def test_a_layout_is_an_argument(layout):
    x = np.arange(1000, dtype=np.float32)
    y = np.zeros_like(x)
    compiled = copy[(4,)](x, y, 1000, 256, layout)
    assert (x == y).all()
    name = {"BlockedLayout": "#ttg.blocked", "SliceLayout": "#ttg.slice",
            "DistributedLinearLayout": "#ttg.linear"}[type(layout).__name__]
    assert name in compiled.asm["ttgir"]


def test_equal_layouts_are_one_specialization():
    told = []
    tilewright._hooks.hooks.jit_post_compile_hook = lambda **about: told.append(about)
    try:
        x = np.zeros(64, np.float32)
        for layout in (gl.BlockedLayout([1], [32], [1], [0]), gl.BlockedLayout([1], [32], [1], [0]),
                       gl.BlockedLayout([2], [32], [1], [0])):
            copy[(1,)](x, x, 64, 64, layout, num_warps=1)
    finally:
        tilewright._hooks.hooks.jit_post_compile_hook = None
    assert len(told) == 2


def test_a_layout_does_not_change():
    layout = gl.NVMMASharedLayout(64, 16)
    layout.cga_layout.append([1, 0])
    assert layout == gl.NVMMASharedLayout(64, 16, rank=2) and hash(layout) == hash(
        gl.NVMMASharedLayout(64, 16))
    with pytest.raises(AttributeError, match="a layout does not change"):
        layout.rank = 3
    with pytest.raises(TypeError, match="BlockedLayout has no argument 'ctas'"):
        gl.BlockedLayout([1], [32], [4], [0], ctas=1)
    assert pickle.loads(pickle.dumps(layout)) == layout
    assert MBarrierLayout() == gl.SwizzledSharedLayout(1, 1, 1, [0])


@pytest.mark.parametrize("shape, dtype, options, width", [
    ([64, 64], gl.float16, {}, 128), ([64, 32], gl.float16, {}, 64), ([64, 16], gl.float16, {}, 32),
    ([64, 8], gl.float16, {}, 0), ([4, 64], gl.float16, {}, 0), ([64], gl.float16, {}, 0),
    ([64, 16], gl.float16, {"transposed": True}, 128),
    ([64, 64], gl.float16, {"cga_layout": [[0, 1]]}, 64),
    ([64, 32], gl.int8, {"fp4_padded": True}, 64),
])
def test_the_default_layout_is_that_of_kernels(shape, dtype, options, width):
    layout = gl.NVMMASharedLayout.get_default_for(shape, dtype, **options)
    assert layout.swizzle_byte_width == width

    @gluon.jit
    def kernel(SHAPE: gl.constexpr, TYPE: gl.constexpr, TRANSPOSED: gl.constexpr,
               PADDED: gl.constexpr, CLUSTER: gl.constexpr, EXPECTED: gl.constexpr):
        found: gl.constexpr = gl.NVMMASharedLayout.get_default_for(SHAPE, TYPE, TRANSPOSED, PADDED,
                                                                   CLUSTER)
        gl.static_assert(found == EXPECTED)

    kernel.warmup(tuple(shape), dtype, options.get("transposed", False),
                  options.get("fp4_padded", False), options.get("cga_layout"), layout)


def test_bases_of_clusters():
    from tilewright.gluon.layouts import make_cga_layout
    # Triton's gluon_ir.make_cga_layout: the split part of a dimension first, then zeros.
    assert make_cga_layout([2, 4], [2, 2], [1, 0]) == [[0, 1], [0, 0], [1, 0]]
    assert make_cga_layout([1, 1], [1, 1], [1, 0]) == []


@gluon.jit
def copy_block(source, target):
    shared = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    barrier = gl.allocate_shared_memory(gl.int64, [1], MBarrierLayout())
    mbarrier.init(barrier, count=1)
    mbarrier.expect(barrier, source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [8, 0], barrier, shared)
    mbarrier.wait(barrier, 0)
    mbarrier.invalidate(barrier)
    tma.async_copy_shared_to_global(target, [0, 0], shared)
    tma.store_wait(0)


def test_descriptors_with_layouts():
    x = np.arange(32 * 16, dtype=np.float16).reshape(32, 16)
    y = np.zeros((16, 16), np.float16)
    layout = gl.NVMMASharedLayout.get_default_for([16, 16], gl.float16)
    copy_block[(1,)](TensorDescriptor.from_tensor(x, [16, 16], layout),
                     TensorDescriptor.from_tensor(y, [16, 16], layout))
    assert (y == x[8:24]).all()
    with pytest.raises(TypeError, match="the blocks of a descriptor have an NVMMASharedLayout"):
        TensorDescriptor.from_tensor(x, [16, 16], ROWS)


def make_tile(step):
    @gluon.aggregate
    class Tile:
        offs: gl.tensor
        SIZE: gl.constexpr
        STEP = gl.constexpr(step)

        @gluon.constexpr_function
        def __init__(self, offs, SIZE):
            self.offs = offs
            self.SIZE = gl.constexpr(SIZE)

        @gluon.jit
        def create(SIZE: gl.constexpr):
            return Tile(gl.arange(0, SIZE, layout=ROWS), SIZE)

        @staticmethod
        @gluon.jit
        def squared(x):
            return x * x

        @gluon.jit
        def next(self):
            return Tile(self.offs + self.SIZE * step, self.SIZE)

    return Tile


SINGLE, DOUBLE = make_tile(gl.constexpr(1)), make_tile(gl.constexpr(2))


@gluon.jit
def squares(y, count, Kind: gl.constexpr, SIZE: gl.constexpr):
    tile = Kind.create(SIZE)
    for _ in range(count):
        gl.store(y + tile.offs, tile.squared(tile.offs).to(gl.float32))
        tile = tile.next()


@gluon.jit
def squares_by_name(y, count, SIZE: gl.constexpr):
    tile = DOUBLE.create(SIZE)
    for _ in range(count):
        gl.store(y + tile.offs, DOUBLE.squared(tile.offs).to(gl.float32))
        tile = tile.next()


def test_aggregates_of_a_closure():
    for kind, step in ((SINGLE, 1), (DOUBLE, 2)):
        expected = np.arange(512, dtype=np.float32) ** 2
        if step == 2:
            expected[128:256] = expected[384:] = 0
        y = np.zeros(512, np.float32)
        squares[(1,)](y, 4 // step, kind, 128)
        np.testing.assert_array_equal(y, expected)
    y = np.zeros(512, np.float32)
    squares_by_name[(1,)](y, 2, 128)
    np.testing.assert_array_equal(y, expected)


def test_an_error_in_a_method_stands_in_its_file():
    @gluon.aggregate
    class Wrong:
        x: gl.tensor

        def __init__(self, x):
            self.x = x

        @gluon.jit
        def add(self):
            return self.x + gl.arange(0, 128, layout=gl.BlockedLayout([2], [32], [4], [0]))

    @gluon.jit
    def kernel(y):
        gl.store(y, gl.sum(Wrong(gl.arange(0, 128, layout=ROWS)).add(), axis=0))

    with pytest.raises(tilewright.CompileError, match="the layouts .* differ") as raised:
        kernel[(1,)](np.zeros(1, np.int32))
    assert raised.value.file == __file__ and "return self.x + gl.arange" in raised.value.source_line


def test_tuning():
    @tilewright.autotune([tilewright.Config({"layout": gl.BlockedLayout([size], [32], [4], [0])})
                          for size in (1, 2)], key=["n"])
    @gluon.jit
    def kernel(x, y, n, BLOCK: gl.constexpr, layout: gl.constexpr):
        copy(x, y, n, BLOCK, layout)

    x = np.arange(1000, dtype=np.float32)
    y = np.zeros_like(x)
    kernel[(4,)](x, y, 1000, 256)
    assert (x == y).all()


def test_what_is_not_there_is_refused_by_name():
    @gluon.jit
    def kernel(x):
        gl.amd.gfx1250.wmma(x, x, x)

    with pytest.raises(tilewright.CompileError, match="gfx1250.wmma` is not supported yet"):
        kernel[(1,)](np.zeros(128, np.float32))
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        gl.no_such_name


def test_the_compiler_knows_the_names():
    from tilewright.gluon import names
    wrong = []
    for path, module in names.MODULES.items():
        if path.rpartition(".")[2].startswith("_"):
            continue
        where = f"tilewright.gluon.language.{path}".rstrip(".")
        lines = [name for name, value in vars(module).items()
                 if isinstance(value, tilewright.language.Builtin)
                 # The language has no such type: the compiler says so where it is used.
                 and name != "float8e4b15"]
        for name in lines:
            text = (f"from tilewright import gluon\nfrom {where} import {name} as it\n"
                    f"@gluon.jit\ndef kernel():\n    it\n")
            try:
                tilewright.compile(tilewright.Source(text), target="cuda:90")
            except tilewright.CompileError as error:
                if "has no '" in str(error):
                    wrong.append(f"{where}.{name}: {error}")
    assert not wrong


def test_a_layout_is_kept_by_its_arguments():
    order = [1, 0]
    layout = gl.BlockedLayout([1, 2], [4, 8], [4, 1], order)
    assert gl.BlockedLayout([1, 2], [4, 8], [4, 1], [1, 0]) is layout
    order[0] = 0
    assert layout.order == [1, 0]
    assert gl.NVMMASharedLayout(32, 16, transposed=True) is not gl.NVMMASharedLayout(32, 16, transposed=1)
    assert gl.SliceLayout(0, layout).parent is layout
    with pytest.raises(TypeError, match="needs the argument 'threads_per_warp'"):
        gl.BlockedLayout([1])
