"""Tilewright: kernels in Triton's language, compiled for GPUs and run there or on a simulator.

    import numpy as np
    import tilewright
    import tilewright.language as tl

    @tilewright.jit
    def add(x, y, out, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)

    x = np.arange(1000, dtype=np.float32)
    out = np.empty_like(x)
    add[(tilewright.cdiv(1000, 256),)](x, x, out, 1000, BLOCK=256)

Arrays of a GPU run on it, arrays of the CPU on the simulator. docs/python.md is the chapter.
"""

from . import language, matrix, testing
from .kernel import stand_ins
from .kernel.jit import JITFunction, KernelInterface, constexpr_function, jit
from .tune import Autotuner, Config, Heuristics, autotune, heuristics
from .kernel.compile import Compiled, Report, Source, compile, report
from ._show import blockload, convert, layout
from .descriptor import TensorDescriptor
from .errors import CompileError, Error, LaunchError, SimulationError, WrongResult
from .language import cdiv, next_power_of_2

del stand_ins  # It has entered its functions.

__version__ = "0.1.0"

__all__ = [
    "Autotuner", "CompileError", "Compiled", "Config", "Error", "Heuristics", "JITFunction",
    "KernelInterface", "LaunchError", "Report", "SimulationError", "Source", "TensorDescriptor",
    "WrongResult", "autotune", "blockload", "cdiv", "compile", "constexpr_function", "convert",
    "heuristics", "jit", "language", "layout", "matrix", "next_power_of_2", "report", "testing",
]
