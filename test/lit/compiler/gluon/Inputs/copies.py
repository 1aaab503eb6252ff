from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy


@gluon.jit
def copies(x, y, n, BLOCK: gl.constexpr, STEPS: gl.constexpr, layout: gl.constexpr):
    offs = gl.arange(0, BLOCK, layout=layout)
    buffers = gl.allocate_shared_memory(gl.float32, [2, BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    async_copy.async_copy_global_to_shared(buffers.index(0), x + offs, mask=offs < n)
    async_copy.commit_group()
    for step in range(STEPS):
        ahead = (step + 1) * BLOCK + offs
        async_copy.async_copy_global_to_shared(buffers.index((step + 1) % 2), x + ahead, mask=ahead < n)
        async_copy.commit_group()
        async_copy.wait_group(1)
        here = step * BLOCK + offs
        gl.store(y + here, buffers.index(step % 2).load(layout) * 2.0, mask=here < n)
    async_copy.wait_group(0)
