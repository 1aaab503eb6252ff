"""Calls of Triton's tutorials: their files lie in the folder `tutorials` of the packages."""

import importlib

import torch
from triton.runtime import jit

SIZE, ROWS, COLUMNS, TIMES, HEADS = 256, 64, 512, 256, 2
REAL = dict(SIZE=8192, ROWS=4096, COLUMNS=8192, TIMES=4096, HEADS=16)
#: Launches of one kernel: they differ in their depth, masks and types.
KEPT = 12


def _load(name):
    """The module; what it launches as it is imported is left out."""
    def refuse(*_, **__):
        raise RuntimeError("not launched")

    run, jit.JITFunction.run = jit.JITFunction.run, refuse
    try:
        return importlib.import_module(name)
    finally:
        jit.JITFunction.run = run


def _half(*shape):
    return torch.randn(*shape, dtype=torch.float16)


def vector_add():
    _load("01-vector-add").add(torch.randn(SIZE * SIZE), torch.randn(SIZE * SIZE))


def softmax():
    module = _load("02-fused-softmax")
    for columns in (COLUMNS // 2 - 96, COLUMNS):
        x = torch.randn(ROWS, columns)
        block = 1 << (columns - 1).bit_length()
        module.softmax_kernel[(min(ROWS, 132 * 4), 1, 1)](
            torch.empty_like(x), x, x.stride(0), x.stride(0), ROWS, columns, BLOCK_SIZE=block,
            num_stages=4, num_warps=8)


def matmul():
    module = _load("03-matrix-multiplication")
    for size in (SIZE, SIZE // 2, SIZE // 8):
        a, b = _half(size, size), _half(size, size)
        module.matmul(a, b)
        if size == SIZE:
            module.matmul(a, b, activation="leaky_relu")
            module.matmul(a.to(torch.float8_e5m2), b.to(torch.float8_e5m2).T)


def dropout():
    module = _load("04-low-memory-dropout")
    module.seeded_dropout(torch.randn(SIZE * SIZE), 0.5, 123)
    module.dropout(torch.randn(SIZE * SIZE), torch.randint(0, 2, (SIZE * SIZE,)).int(), 0.5)


def layer_norm():
    module = _load("05-layer-norm")
    x = _half(ROWS, COLUMNS).requires_grad_()
    weight, bias = (torch.rand(COLUMNS, dtype=torch.float16).requires_grad_() for _ in range(2))
    out = module.LayerNorm.apply(x, (COLUMNS,), weight, bias, 1e-5)
    out.backward(torch.randn_like(out))


def _attention(depth, causal, times=None):
    module = _load("06-fused-attention")
    q, k, v = (_half(2, HEADS, times or TIMES, depth).requires_grad_() for _ in range(3))
    out = module.attention(q, k, v, causal, 0.5, False)
    out.backward(torch.randn_like(out))


def attention_64():
    _attention(64, False)


def attention_64_causal():
    _attention(64, True)
    _attention(64, True, 4 * TIMES)


def attention_128():
    _attention(128, False)


def attention_128_causal():
    _attention(128, True)


def attention_fp8():
    module = _load("06-fused-attention")
    q, k, v = (_half(2, HEADS, TIMES, 64).to(torch.float8_e5m2) for _ in range(3))
    module.attention(q, k, v.permute(0, 1, 3, 2).contiguous().permute(0, 1, 3, 2), False, 0.5,
                     False)


def extern_functions():
    module = _load("07-extern-functions")
    x = torch.rand(SIZE * SIZE)
    module.asin_kernel[((SIZE * SIZE + 1023) // 1024,)](x, torch.empty_like(x), SIZE * SIZE,
                                                        BLOCK_SIZE=1024)


def grouped_gemm():
    module = _load("08-grouped-gemm")
    for rows in (ROWS // 4, ROWS):
        a = [_half(rows, COLUMNS) for _ in range(4)]
        b = [_half(COLUMNS, COLUMNS) for _ in range(4)]
        module.group_gemm_fn(a, b)
        module.group_gemm_tma_fn(a, b)


def persistent_matmul():
    module = _load("09-persistent-matmul")
    a, b = _half(SIZE, SIZE // 2), _half(SIZE, SIZE // 2)
    module.matmul(a, b.T)
    module.matmul_persistent(a, b.T)
    for function in (module.matmul_tma, module.matmul_tma_persistent,
                     module.matmul_descriptor_persistent):
        function(a, b, False)
        function(a.to(torch.float8_e4m3fn), b.to(torch.float8_e4m3fn), False)
