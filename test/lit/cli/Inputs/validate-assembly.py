import triton
import triton.language as tl

@triton.jit
def with_assembly(x):
    at = x + tl.arange(0, 128)
    tl.store(at, tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [tl.load(at)], tl.float32, True, 1))
