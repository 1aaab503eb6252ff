"""The kernels of bench/gpu at their sizes (cases.py): the folder `examples` is not a package."""

import importlib.util
import os
import sys

import torch

_BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.abspath(_BENCH))

import cases

#: Kernels with the same function.
KEPT = 12


def _kernel(case):
    path = os.path.abspath(os.path.join(_BENCH, "..", "examples", case.module + ".py"))
    spec = importlib.util.spec_from_file_location(case.module, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, case.kernel)


def _call(case):
    def call():
        arguments, _ = case.tensors(torch)
        _kernel(case)[case.grid](*arguments, **case.constants, num_warps=case.num_warps,
                                 num_stages=case.num_stages)
    call.__module__ = __name__
    return call


globals().update({case.name: _call(case) for case in cases.CASES})
