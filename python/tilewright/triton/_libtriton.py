"""What programs for Triton take from triton._C.libtriton."""

import os
import types

from . import _environment


def getenv(name, default=None):
    return os.environ.get(name, default)


def getenv_bool(name, default=False):
    text = os.environ.get(name)
    return default if text is None else _environment.is_true(text)


class _CublasLt:
    """Products of matrices by the vendor's library, which PyTorch has: what programs compare with."""

    def __init__(self, workspace):
        self.workspace = workspace

    def matmul(self, a, b, c):
        """c = a @ b^T."""
        import torch
        if "float8" in str(a.dtype):
            one = torch.ones((), device=a.device)
            # Sums are those of the matrix unit, and results of 8 bits are rounded once: as Triton asks
            # the library to do.
            c.copy_(torch._scaled_mm(a, b.T, one, one, use_fast_accum=True, out_dtype=c.dtype
                                     if c.dtype in (torch.float16, torch.bfloat16)
                                     else torch.float32))
        else:
            torch.matmul(a, b.T, out=c)

    def gemm(self, a, b, c, d, alpha, beta):
        """d = alpha * a @ b^T + beta * c."""
        import torch
        torch.add(beta * c, torch.matmul(a, b.T), alpha=alpha, out=d)


nvidia = types.SimpleNamespace(cublas=types.SimpleNamespace(CublasLt=_CublasLt))
