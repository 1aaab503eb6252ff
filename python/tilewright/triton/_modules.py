"""What of Triton 3.6's interface there is, by module."""

import tilewright

from .. import descriptor, errors, language, testing, tune as _tuning
from .._hooks import JitFunctionInfo, LaunchMetadata
from ..kernel import asynchronous as _asynchronous, jit as _jit, machine_code
from .. import gluon as _gluon
from ..gluon import layouts as _gluon_layouts
from . import (_backends, _cache, _compiler, _driver, _interpreted, _ir_source, _knobs, _libtriton,
               _parts, _reports, _specialization, _testing, _type_names, _vendors)


class TensorWrapper:
    """An array of which a kernel sees the elements as another type."""

    def __init__(self, base, dtype):
        self.base = base
        self.dtype = dtype
        self.data = base
        self.device = getattr(base, "device", "cpu")
        self.shape = base.shape

    def data_ptr(self):
        if hasattr(self.base, "data_ptr"):
            return self.base.data_ptr()
        return self.base.__array_interface__["data"][0]

    def __getattr__(self, name):
        # All but the protocols, which would show the elements as they are.
        if name == "base" or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.base, name)

    def __str__(self):
        return f"TensorWrapper[{self.dtype}]({self.base})"


def reinterpret(tensor, dtype):
    """The array with its elements' bits as another type of the same size."""
    base = tensor.base if isinstance(tensor, TensorWrapper) else tensor
    if not hasattr(base, "data_ptr"):
        raise TypeError(f"cannot reinterpret a {type(tensor).__name__}: it takes tensors")
    return TensorWrapper(base, dtype)


def set_allocator(allocator):
    """Triton asks for memory for tensor descriptors with it; launches here make their own."""
    if not callable(allocator):
        raise TypeError("an allocator is a function")


class NullAllocator:
    """Stands for no allocator of the program's."""

    def __call__(self, size, alignment, stream):
        raise RuntimeError("kernels of tilewright.triton ask for no memory")


def must_use_result(fn, message=""):
    """Says that the result of a function is not to be dropped; nothing follows from it. It can be given
    a text for Triton's error."""
    return fn if callable(fn) else lambda function: function


def triton_key():
    """What tells builds of the compiler apart, for caches that programs keep of its results."""
    from .. import _native
    return f"tilewright-{_native.compiler_identity()}"


#: Modules of functions for kernels, which the compiler knows by these names.
_LANGUAGE = ("math", "target_info", "extra", "extra.libdevice", "extra.cuda", "extra.cuda.libdevice",
             "extra.hip", "extra.hip.libdevice")

class PTXASError(errors.Error):
    """Of NVIDIA's assembler, which is not used here: never raised."""


class InterpreterError(errors.Error):
    """Of Triton's interpreter; the simulator's is tilewright.SimulationError: never raised."""


_errors = {
    "PTXASError": PTXASError,
    "InterpreterError": InterpreterError,
    "AutotunerError": errors.AutotunerError,
    "UnsupportedLanguageConstruct": errors.CompileError,
    # A kernel that needs more than a GPU has is refused when it is compiled.
    "OutOfResources": errors.CompileError,
    "TritonError": errors.Error,
    "CompilationError": errors.CompileError,
    "CompileTimeAssertionFailure": errors.CompileError,
}

_kernels = {
    "JITFunction": _jit.JITFunction,
    "KernelInterface": _jit.KernelInterface,
    "TensorWrapper": TensorWrapper,
    "reinterpret": reinterpret,
    "jit": _interpreted.jit,
    "constexpr_function": _jit.constexpr_function,
}

_tuner = {
    "Autotuner": _tuning.Autotuner,
    "Config": _tuning.Config,
    "Heuristics": _tuning.Heuristics,
    "autotune": _tuning.autotune,
    "heuristics": _tuning.heuristics,
}

_compilation = {
    "ASTSource": _compiler.ASTSource,
    "IRSource": _ir_source.IRSource,
    "CompiledKernel": tilewright.Compiled,
    "GPUTarget": _driver.GPUTarget,
    "get_cache_invalidating_env_vars": _cache.get_cache_invalidating_env_vars,
    "get_cache_manager": _cache.get_cache_manager,
    "LazyDict": LaunchMetadata,
    "compile": _compiler.compile,
    "make_backend": _backends.make_backend,
    "triton_key": triton_key,
}


def _listed():
    """The names of each module. Submodules are attributes of their parents as well."""
    return {
        "triton": {
            "__version__": "3.6.0",
            "cdiv": language.cdiv,
            "next_power_of_2": language.next_power_of_2,
            "must_use_result": must_use_result,
            "set_allocator": set_allocator,
            "AsyncCompileMode": _asynchronous.AsyncCompileMode,
            "FutureKernel": _asynchronous.FutureKernel,
            "compile": _compiler.compile,
            **_errors, **_kernels, **_tuner,
        },
        "triton.errors": _errors,
        # `jit` is a module there.
        "triton.runtime": {**{name: value for name, value in _kernels.items() if name != "jit"},
                           **_tuner, "OutOfResources": _errors["OutOfResources"],
                           "InterpreterError": InterpreterError,
                           "driver": _driver.Driver()},
        "triton.runtime.autotuner": {**_tuner, "OutOfResources": _errors["OutOfResources"],
                                     "AutotunerError": errors.AutotunerError, "PTXASError": PTXASError,
                                     "JITFunction": _jit.JITFunction,
                                     "KernelInterface": _jit.KernelInterface},
        "triton.runtime.jit": {**_kernels, "KernelParam": _jit.Parameter,
                               "MockTensor": _specialization.MockTensor,
                               "JitFunctionInfo": JitFunctionInfo,
                               "ConstexprFunction": _jit.ConstexprFunction,
                               "JITCallable": _specialization.JITCallable,
                               "mangle_type": _specialization.mangle_type,
                               "native_specialize_impl": _specialization.native_specialize_impl},
        "triton._utils": {name: value for name, value in vars(_type_names).items()
                          if not name.startswith("_")},
        "triton._C": {},
        "triton._C.libtriton": {
            "ir": _specialization.ir,
            "nvidia": _libtriton.nvidia,
            "getenv": _libtriton.getenv,
            "getenv_bool": _libtriton.getenv_bool,
            "native_specialize_impl": _specialization.native_specialize_impl,
            "get_cache_invalidating_env_vars": _cache.get_cache_invalidating_env_vars,
        },
        "triton._C.libtriton.gluon_ir": {"make_cga_layout": _gluon_layouts.make_cga_layout},
        "triton.runtime.errors": _errors,
        "triton.runtime._allocation": {"NullAllocator": NullAllocator},
        "triton.runtime.cache": {"triton_key": triton_key, "CacheManager": _cache.CacheManager,
                                 "FileCacheManager": _cache.FileCacheManager,
                                 "get_cache_manager": _cache.get_cache_manager},
        "triton.compiler": {**_compilation, **_errors},
        "triton.compiler.compiler": {**_compilation, "OutOfResources": _errors["OutOfResources"]},
        "triton.compiler.errors": _errors,
        "triton.compiler.code_generator": _parts.CODE_GENERATOR,
        "triton.runtime.interpreter": {"InterpretedFunction": _interpreted.InterpretedFunction,
                                       "GridExecutor": _parts.GridExecutor,
                                       "InterpreterError": InterpreterError},
        "triton.backends": {"backends": _driver.backends, "BaseBackend": _backends.BaseBackend,
                            "DriverBase": _driver.DriverBase},
        "triton.backends.driver": {"DriverBase": _driver.DriverBase,
                                   "GPUDriver": _driver.DriverBase},
        "triton.backends.compiler": {"GPUTarget": _driver.GPUTarget, "Language": _backends.Language,
                                     "BaseBackend": _backends.BaseBackend},
        **_vendors.MODULES,
        "triton.tools": {},
        "triton.tools.disasm": {"get_sass": machine_code.disassemble},
        "triton.tools.tensor_descriptor": {"TensorDescriptor": descriptor.TensorDescriptor},
        "triton.testing": {
            "assert_close": testing.assert_close,
            "do_bench": testing.do_bench,
            "do_bench_cudagraph": _testing.do_bench_cudagraph,
            "nvsmi": _testing.nvsmi,
            "Benchmark": _reports.Benchmark,
            "Mark": _reports.Mark,
            "perf_report": _reports.perf_report,
            "get_dram_gbps": _testing.get_dram_gbps,
            "get_max_simd_tflops": _testing.get_max_simd_tflops,
            "get_max_tensorcore_tflops": _testing.get_max_tensorcore_tflops,
        },
    }


def make_modules(module_type):
    """All modules, by name."""
    modules = {}
    for name, attributes in _listed().items():
        module = modules[name] = module_type(name, f"{name}, of Tilewright.")
        vars(module).update(attributes)
    # The language is one module, whose functions Triton's files define in several.
    for name in ("triton.language", "triton.language.core", "triton.language.standard",
                 "triton.language.random"):
        modules[name] = language
    modules["triton.language.semantic"] = semantic = module_type(
        "triton.language.semantic", "triton.language.semantic, of Tilewright.")
    vars(semantic).update(_parts.SEMANTIC)
    for name in _LANGUAGE:
        module = language
        for part in name.split("."):
            module = getattr(module, part)
        modules[f"triton.language.{name}"] = module
    modules["triton.experimental"] = module_type("triton.experimental", "triton.experimental.")
    modules["triton.experimental"].gluon = _gluon
    for path, module in _gluon.MODULES.items():
        modules[f"triton.experimental.gluon.{path}".rstrip(".")] = module
    # A module of its own: programs set its names.
    modules["triton.knobs"] = _knobs
    for name, function in _driver.TARGET_QUESTIONS.items():
        setattr(language.target_info, name,
                language.Builtin(name, "triton.language.target_info", host=function))
    # The object, and the module of which programs import it: it has what the object has, which it
    # takes the place of in triton.runtime where a program imports it anew.
    asking = type("DriverModule", (module_type,),
                  {"__getattr__": lambda self, name: getattr(vars(self)["driver"], name)})
    modules["triton.runtime.driver"] = driver = asking("triton.runtime.driver",
                                                       "triton.runtime.driver, of Tilewright.")
    driver.driver = modules["triton.runtime"].driver
    driver.on_reload = lambda: vars(driver.driver).update(_active=None, _default=None)
    return modules
