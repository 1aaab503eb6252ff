"""The measured kernels: how each is compiled, its inputs, its reference and its work.

Used by compile_cases.py (which needs nothing but the `tilewright` command) and, with `torch`
imported, by compare_triton.py.
"""

from dataclasses import dataclass, field


@dataclass
class Case:
    name: str                  # file stem of the compiled kernel
    module: str                # examples/<module>.py
    kernel: str
    signature: str             # Tilewright's, all parameters in order
    grid: tuple
    num_warps: int = 4
    constants: dict = field(default_factory=dict)
    tolerance: float = 1e-6    # ||out - reference|| / ||reference||
    bytes: int = 0             # least traffic of one launch
    flop: int = 0


def cdiv(a, b):
    return -(-a // b)


N_ADD = 98432 * 256 + 7
ROWS, COLS = 8192, 4000
SIZE = 4096

MATMUL_SIGNATURE = ("*fp32:16, *fp32:16, *fp32:16, i32:16, i32:16, i32:16, "
                    "{am}, {an}, {bn}, {bk}, {cm}, {ck}, 128, 64")

CASES = [
    Case("vector_add", "elementwise", "vector_add", "*fp32:16, *fp32:16, *fp32:16, i32, 1024",
         (cdiv(N_ADD, 1024), 1, 1), constants=dict(BLOCK=1024), bytes=12 * N_ADD),
    Case("softmax", "rowwise", "softmax", "*fp32:16, *fp32:16, i32:16, i32:16, 4096",
         (ROWS, 1, 1), num_warps=8, constants=dict(BLOCK=4096), bytes=8 * ROWS * COLS),
    # The strides as run-time values, ...
    Case("matmul_fma", "gemm", "matmul_fma",
         MATMUL_SIGNATURE.format(am="i32:16", an="i32", bn="i32:16", bk="i32", cm="i32:16", ck="i32"),
         (SIZE // 64, SIZE // 128, 1), constants=dict(BM=128, BK=64), tolerance=1e-5,
         flop=2 * SIZE**3),
    # ... and those that are 1 given to the compiler, as a JIT does.
    Case("matmul_fma_unit", "gemm", "matmul_fma",
         MATMUL_SIGNATURE.format(am="i32:16", an="1", bn="i32:16", bk="1", cm="i32:16", ck="1"),
         (SIZE // 64, SIZE // 128, 1), constants=dict(BM=128, BK=64), tolerance=1e-5,
         flop=2 * SIZE**3),
]


def tensors(case, torch):
    """(arguments in kernel order without constexprs, index of the output, reference)."""
    gpu = dict(device="cuda", dtype=torch.float32)
    if case.kernel == "vector_add":
        x, y = torch.randn(N_ADD, **gpu), torch.randn(N_ADD, **gpu)
        return [x, y, torch.empty_like(x), N_ADD], 2, lambda: x.double() + y.double()
    if case.kernel == "softmax":
        x = torch.randn(ROWS, COLS, **gpu)
        return [x, torch.empty_like(x), COLS, COLS], 1, lambda: torch.softmax(x.double(), -1)
    a, b = torch.randn(SIZE, SIZE, **gpu), torch.randn(SIZE, SIZE, **gpu)
    c = torch.empty(SIZE, SIZE, **gpu)
    return ([a, b, c, SIZE, SIZE, SIZE, SIZE, 1, SIZE, 1, SIZE, 1], 2,
            lambda: a.double() @ b.double())
