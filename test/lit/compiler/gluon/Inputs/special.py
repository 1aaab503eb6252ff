from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier
from triton.language.core import _aggregate as aggregate


@aggregate
class Channel:
    memory: gl.shared_memory_descriptor
    ready: gl.shared_memory_descriptor
    free: gl.shared_memory_descriptor
    SIZE: gl.constexpr

    def __init__(self, memory, ready, free, SIZE):
        self.memory = memory
        self.ready = ready
        self.free = free
        self.SIZE = gl.constexpr(SIZE)

    @gluon.jit
    def put(self, value, step):
        mbarrier.wait(self.free, (step & 1) ^ 1)
        self.memory.store(value)
        mbarrier.arrive(self.ready, count=1)

    @gluon.jit
    def take(self, step, layout: gl.constexpr):
        mbarrier.wait(self.ready, step & 1)
        value = self.memory.load(layout)
        mbarrier.arrive(self.free, count=1)
        return value


@gluon.jit
def consume(channel, y, steps):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offs = gl.arange(0, channel.SIZE, layout=layout)
    for step in range(steps):
        gl.store(y + step * channel.SIZE + offs, channel.take(step, layout) + 1.0)


@gluon.jit
def produce(channel, x, steps):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    offs = gl.arange(0, channel.SIZE, layout=layout)
    for step in range(steps):
        channel.put(gl.load(x + step * channel.SIZE + offs), step)


@gluon.jit
def special(x, y, steps, SIZE: gl.constexpr):
    memory = gl.allocate_shared_memory(gl.float32, [SIZE], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    free = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=1)
    mbarrier.init(free, count=1)
    channel = Channel(memory, ready, free, SIZE)
    gl.warp_specialize([(consume, (channel, y, steps)), (produce, (channel, x, steps))], [1], [24])
