"""Kernels of modules, and compiling them with Triton, on a machine without a GPU."""

import enum
import importlib
import importlib.metadata
import inspect
import math
import os
import re
import types

import torch
import triton
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends import backends
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import machine
from parameters import unwrap

#: What modules ask their device for.
_PROPERTIES = {"max_shared_mem": 232448, "multiprocessor_count": 132, "warpSize": 32,
               "max_num_regs": 65536, "sm_clock_rate": 1980000, "mem_clock_rate": 2619000,
               "mem_bus_width": 5120}
_TARGETS = {"cuda": lambda name: GPUTarget("cuda", int(name), 32),
            "hip": lambda name: GPUTarget("hip", name, 32 if name.startswith("gfx1") else 64)}


class _Driver:
    """A GPU of which nothing is asked but its kind."""

    utils = types.SimpleNamespace(get_device_properties=lambda device=0: _PROPERTIES)
    get_current_target = staticmethod(lambda: GPUTarget("cuda", 90, 32))
    get_current_device = staticmethod(lambda: 0)
    get_current_stream = staticmethod(lambda device=None: 0)
    get_active_torch_device = staticmethod(lambda: torch.device("cuda", 0))
    get_device_interface = staticmethod(lambda: torch.cuda)
    get_benchmarker = staticmethod(lambda: lambda *_, **__: 1.0)
    map_python_to_cpp_type = staticmethod(lambda name: name)


def prepare(packages):
    """Makes the packages in the folders of `packages` importable, and Triton and torch say that
    there is a GPU of compute capability 9.0."""
    machine.prepare(packages)
    triton.runtime.driver.set_active(_Driver())
    for name, backend in backends.items():
        backend.driver.is_active = staticmethod(lambda name=name: name == "nvidia")
    # Packages that are unpacked, not installed, have no version.
    version = importlib.metadata.version

    def version_or_one(name):
        try:
            return version(name)
        except importlib.metadata.PackageNotFoundError:
            if os.path.isdir(os.path.join(packages, name.replace("-", "_"))):
                return "1.0.0"
            raise

    importlib.metadata.version = version_or_one


def kernels_of(module, path):
    """The jitted functions that a module defines, {qualified name: (function, wrappers)}."""
    found = {}

    def note(value):
        function, wrappers = unwrap(value)
        if function is None:
            return
        code = getattr(function.fn, "__code__", None)
        if code and os.path.realpath(code.co_filename) == os.path.realpath(path):
            found.setdefault(function.fn.__qualname__, (function, wrappers))

    for value in list(vars(module).values()):
        if inspect.isclass(value) and value.__module__ == module.__name__:
            for member in vars(value).values():
                note(member)
        else:
            note(value)
    return found


def compile_kernel(function, kinds, constants, options, target, last=None):
    """Compiles a JITFunction: `kinds` are types by name, such as "*fp32:16", `last` the stage after
    which it ends ("ttgir"; None: after machine code). Returns what that stage made, and the
    metadata. Raises what Triton raises; where a back end's own compiler finds an error, it may end
    the process."""
    vendor, name = target.split(":")
    gpu = _TARGETS[vendor](name)
    backend = triton.compiler.make_backend(gpu)
    signature, values, attributes = {}, {}, {}
    for index, parameter in enumerate(function.params):
        kind, _, divisor = kinds.get(parameter.name, "constexpr").partition(":")
        signature[parameter.name] = kind
        if divisor:
            attributes[(index,)] = [["tt.divisibility", int(divisor)]]
        if kind == "constexpr":
            values[(index,)] = constants[parameter.name]
    source = ASTSource(function, signature, values, attributes)
    return lower(source, backend.parse_options(dict(options)), target, last)


def lower(source, options, target, last=None):
    """What `compile_kernel` does, for Triton's own description of a kernel and its options."""
    vendor, name = target.split(":")
    gpu = _TARGETS[vendor](name)
    backend = triton.compiler.make_backend(gpu)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    stages, metadata = {}, {**options.__dict__, "target": gpu}
    backend.add_stages(stages, options, source.language)
    result = source.make_ir(gpu, options, backend.get_codegen_implementation(options),
                            backend.get_module_map(), context)
    for stage, compile_stage in stages.items():
        result = compile_stage(result, metadata)
        if stage == last:
            break
    return result, metadata


def elements_a_thread(module, warps):
    """Of the largest tensor of a module in TTGIR, for this number of warps."""
    shapes = re.findall(r"tensor<((?:\d+x)+)", str(module))
    sizes = [math.prod(map(int, shape.split("x")[:-1])) for shape in set(shapes)]
    return max(sizes, default=0) // (32 * warps)


def as_text(value):
    """A constant as it is written in a signature, or None if it cannot be."""
    if isinstance(value, tl.constexpr):
        value = value.value
    if isinstance(value, tl.dtype):
        names = {"fp8e4nv": "float8e4nv", "fp8e5": "float8e5", "fp16": "float16",
                 "bf16": "bfloat16", "fp32": "float32", "fp64": "float64"}
        return "tl." + names.get(value.name, value.name)
    if isinstance(value, enum.IntEnum):
        value = int(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        text = repr(value)
        return f'float("{text}")' if text in ("inf", "-inf", "nan") else text
    if isinstance(value, (list, tuple)):
        parts = [as_text(one) for one in value]
        return None if None in parts else "(" + "".join(part + ", " for part in parts) + ")"
    return None


def from_text(text):
    """The constant that `as_text` wrote."""
    return eval(text, {"tl": tl, "float": float})  # pylint: disable=eval-used; our own record


def is_type(text):
    """Whether an entry of a signature is a type, and no constant."""
    return text.startswith(("*", "tensordesc<")) or text.split(":")[0] in (
        "i1", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64", "fp16", "bf16", "fp32",
        "fp64")


def find(record):
    """The JITFunction of a record."""
    module = importlib.import_module(record["module"])
    return kernels_of(module, record["file"])[record["kernel"]][0]
