"""Lets packages for GPUs be imported and called on a machine that has none.

A package's modules ask for a GPU, for other packages, for compiled extensions when they are
imported; what a kernel needs of a module is seldom behind that. So a module of the packages' folder
runs statement by statement, and a statement that fails is left out: `SKIPPED` lists which.

`PretendedGpu` shows tensors, which are in the CPU's memory, as those of a GPU: functions that insist
on a GPU go on to launch their kernels.
"""

import __future__

import ast
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types

import torch
from torch.overrides import TorchFunctionMode

#: What was left out: (file, line, error).
SKIPPED = []

#: Of the pretended GPU. With few, programs that stay on a multiprocessor are few.
MULTIPROCESSORS = 4

#: Packages whose own `__init__` looks for a GPU and ends the program, or imports all there is.
_EMPTY = ("fbgemm_gpu", "unsloth", "unsloth_zoo", "xformers", "lmdeploy", "sglang", "lightllm")


class _Loader(importlib.machinery.SourceFileLoader):
    """Runs a module's statements one by one."""

    def exec_module(self, module):
        if module.__name__ in _EMPTY:
            return
        tree = ast.parse(self.get_source(module.__name__), self.path)
        flags = 0
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                for alias in statement.names:
                    flags |= getattr(__future__, alias.name).compiler_flag
                continue
            for part in self._parts(statement):
                self._run(part, flags, module)

    @staticmethod
    def _parts(statement):
        """`from a import b, c` may fail for b alone."""
        if isinstance(statement, ast.ImportFrom) and len(statement.names) > 1:
            for alias in statement.names:
                one = ast.ImportFrom(statement.module, [alias], statement.level)
                yield ast.copy_location(one, statement)
        else:
            yield statement

    def _run(self, statement, flags, module):
        code = compile(ast.Module([statement], []), self.path, "exec", flags, dont_inherit=True)
        try:
            exec(code, module.__dict__)
        except (KeyboardInterrupt, MemoryError):
            raise
        except BaseException as error:  # pylint: disable=broad-except; SystemExit as well
            SKIPPED.append((self.path, statement.lineno, repr(error)))


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, root):
        self.root = root
        self.folders = [os.path.join(root, name) for name in sorted(os.listdir(root))]

    def find_spec(self, name, path, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, list(path or self.folders), target)
        if spec is None or not (spec.origin or "").startswith(self.root):
            return spec if path is not None else None
        if not spec.origin.endswith(".py"):
            return spec
        return importlib.util.spec_from_file_location(
            name, spec.origin, loader=_Loader(name, spec.origin),
            submodule_search_locations=spec.submodule_search_locations)


def _properties(_device=None):
    return types.SimpleNamespace(
        name="NVIDIA H200", major=9, minor=0, multi_processor_count=MULTIPROCESSORS, total_memory=141 << 30,
        max_threads_per_multi_processor=2048, warp_size=32, regs_per_multiprocessor=65536,
        shared_memory_per_block_optin=232448, shared_memory_per_multiprocessor=233472,
        L2_cache_size=50 << 20, gcnArchName="")


def prepare(root):
    """Makes the packages in the folders of `root` importable, and torch say that it has a GPU of
    compute capability 9.0."""
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, _Finder(os.path.abspath(root)))
    torch.set_num_threads(1)
    cuda = torch.cuda
    cuda.is_available = lambda: True
    cuda.get_device_capability = lambda device=None: (9, 0)
    cuda.get_device_properties = _properties
    cuda.get_device_name = lambda device=None: _properties().name
    cuda.current_device = lambda: 0
    cuda.device_count = lambda: 1
    cuda.device = cuda.stream = lambda *_: contextlib.nullcontext()
    cuda.synchronize = cuda.set_device = cuda.empty_cache = lambda *_: None
    cuda.current_stream = lambda device=None: types.SimpleNamespace(cuda_stream=0)


_GPU = torch.device("cuda", 0)


def _on_host(value):
    text = str(value) if isinstance(value, (str, torch.device)) else ""
    return torch.device("cpu") if text.startswith("cuda") else value


class PretendedGpu(TorchFunctionMode):
    """Tensors say that they are on a GPU; what is to be made on one is made for the CPU."""

    def __torch_function__(self, func, types_, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name == "__get__":
            owner = getattr(func, "__self__", None)
            if owner is torch.Tensor.device:
                return _GPU
            if owner is torch.Tensor.is_cuda:
                return True
            if owner is torch.Tensor.is_cpu:
                return False
        if name in ("get_device", "cuda", "pin_memory", "record_stream"):
            return {"get_device": 0, "record_stream": None}.get(name, args[0])
        if func is not torch.device and any(isinstance(value, (str, torch.device))
                                            for value in (*args, *kwargs.values())):
            args = tuple(map(_on_host, args))
            kwargs = {key: _on_host(value) for key, value in kwargs.items()}
        return func(*args, **kwargs)
