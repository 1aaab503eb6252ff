import triton
import triton.language as tl


@triton.jit
def printing(x, B: tl.constexpr):
    tl.device_print("begins")
    v = -tl.load(x + tl.arange(0, B))
    tl.device_print("x", v)
    tl.device_print("half", 0.5, tl.program_id(0))
    tl.device_print("hex", v, hex=True)


@triton.jit
def failing(x, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, B))
    tl.device_assert(v < 5, "too large")


@triton.jit
def assembly(x, B: tl.constexpr):
    p = x + tl.arange(0, B)
    tl.store(p, tl.inline_asm_elementwise("min.s32 $0, $1, 3;", "=r,r", [tl.load(p)], dtype=tl.int32, is_pure=True, pack=1))


@triton.jit
def constraints(x, B: tl.constexpr):
    p = x + tl.arange(0, B)
    tl.store(p, tl.inline_asm_elementwise("min.s32 $0, $1, $2;", "=r,r,r", [tl.load(p)], dtype=tl.int32, is_pure=True, pack=1))
