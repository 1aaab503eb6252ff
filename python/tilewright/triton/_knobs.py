"""triton.knobs: what programs set for a process, by subject.

Each setting is an environment variable, too. Those of `_PASSED_OVER` change nothing here, of which a
warning tells; what would have to change the program's meaning is refused.
"""

import os

from .._hooks import HookChain, hooks
from .._warn import warn
from . import _environment
from ._environment import (NvidiaTool, base_knobs, env, Env, env_base, env_bool, env_class, env_int,
                           env_opt_bool, env_opt_str, env_str, env_str_callable_default, env_tool,
                           toenv)

#: Whether what is set goes to the environment, for programs that this one starts.
propagate_env = True

env_base.is_propagated = staticmethod(lambda: propagate_env)


def setenv(key, value):
    """Sets a variable, or takes it out, where `propagate_env` says so."""
    if propagate_env:
        _environment.put_variable(key, value)


def _hook(name):
    return property(lambda self: getattr(hooks, name),
                    lambda self, value: setattr(hooks, name, value))


class _PassedOver:
    """Of a setting that changes nothing here: a warning where a program sets another value than the
    default. `remedy` says what does here what is asked for."""

    _remedy = ""

    def __set__(self, group, value):
        if not isinstance(value, Env) and value not in (None, self.default):
            warn(f"triton.knobs.{group.subject}.{self.name} changes nothing in tilewright.triton" +
                 (f": {self._remedy}" if self._remedy else ""))
        super().__set__(group, value)


def _passed_over(kind, *arguments, remedy=""):
    """A setting of a kind that changes nothing."""
    return type(kind.__name__, (_PassedOver, kind), {"_remedy": remedy})(*arguments)


class CompileTimes:
    """Microseconds of a compilation: making the IR (for a kernel that is found in the cache, finding
    it), lowering it stage by stage, and keeping the result."""

    def __init__(self, ir_initialization, lowering_stages, store_results):
        self.ir_initialization = ir_initialization
        self.lowering_stages = lowering_stages
        self.store_results = store_results

    @property
    def total_lowering(self):
        return sum(time for _, time in self.lowering_stages)

    @property
    def total(self):
        return self.ir_initialization + self.total_lowering + self.store_results

    def __repr__(self):
        return (f"CompileTimes(ir_initialization={self.ir_initialization}, lowering_stages="
                f"{self.lowering_stages}, store_results={self.store_results})")


class _Told:
    """What tells a listener of Triton's kind of each Compiled."""

    def __init__(self, listener):
        if not callable(listener):
            raise TypeError(f"a listener is a function, not {listener!r}")
        self.listener = listener

    def __call__(self, compiled):
        from ._driver import target_of_name
        # A stage that took less than one counts as one.
        times = [(stage, max(1, round(1e3 * time))) for stage, time in compiled.times.items()]
        (_, first), *rest = times or [("", 1)]
        metadata = {**vars(compiled.metadata), "hash": compiled.hash,
                    "target": target_of_name(compiled.metadata.target)}
        self.listener(src=compiled.src, metadata=metadata, metadata_group={},
                      times=CompileTimes(first, rest, 0), cache_hit=compiled.is_cached)


class build_knobs(base_knobs):
    """How extensions of Triton's own are built: nothing is built here."""
    subject = "build"
    cc = env_opt_str("CC")
    cudacrt_path = env_opt_str("TRITON_CUDACRT_PATH")
    cudart_path = env_opt_str("TRITON_CUDART_PATH")
    impl = None

    @property
    def backend_dirs(self):
        return {path for path in (self.cudacrt_path, self.cudart_path) if path is not None}


class redis_knobs(base_knobs):
    subject = "redis"
    key_format = env_str("TRITON_REDIS_KEY_FORMAT", "triton:{key}:{filename}")
    host = env_str("TRITON_REDIS_HOST", "localhost")
    port = env_int("TRITON_REDIS_PORT", 6379)


class _CacheFolder(env_str_callable_default):
    """The folder of what programs keep. Where a program sets one, compiled kernels go there as
    well."""

    def __set__(self, group, value):
        super().__set__(group, value)
        _environment.put_variable("TILEWRIGHT_CACHE_DIR",
                                  None if isinstance(value, Env) else value)


class cache_knobs(base_knobs):
    subject = "cache"
    home_dir = env_str("TRITON_HOME", os.path.expanduser("~/"))
    dump_dir = env_str_callable_default("TRITON_DUMP_DIR", lambda: cache.get_triton_dir("dump"))
    override_dir = env_str_callable_default("TRITON_OVERRIDE_DIR",
                                            lambda: cache.get_triton_dir("override"))
    dir = _CacheFolder("TRITON_CACHE_DIR", lambda: cache.get_triton_dir("cache"))
    manager_class = env_class("TRITON_CACHE_MANAGER", "CacheManager")
    remote_manager_class = _passed_over(env_class, "TRITON_REMOTE_CACHE_BACKEND",
                                        "RemoteCacheBackend",
                                        remedy="TILEWRIGHT_CACHE_REDIS names a server")

    def get_triton_dir(self, dirname):
        return os.path.join(self.home_dir, ".triton", dirname)

    def scope(self):
        return _with_variable("TILEWRIGHT_CACHE_DIR", super().scope())


class _with_variable:
    """A scope after which a further variable is as before."""

    def __init__(self, name, inner):
        self._name = name
        self._inner = inner

    def __enter__(self):
        self._before = os.environ.get(self._name)
        return self._inner.__enter__()

    def __exit__(self, *error):
        _environment.put_variable(self._name, self._before)
        return self._inner.__exit__(*error)


_IR = "compiled.asm has the stages, and compiled.write(folder) writes them"


class compilation_knobs(base_knobs):
    subject = "compilation"
    override = _passed_over(env_bool, "TRITON_KERNEL_OVERRIDE",
                            remedy="a Config's ir_override names a file of IR")
    dump_ir = _passed_over(env_bool, "TRITON_KERNEL_DUMP", remedy=_IR)
    dump_ir_extract_di_local_variables = env_bool("LLVM_EXTRACT_DI_LOCAL_VARIABLES")
    store_binary_only = env_bool("TRITON_STORE_BINARY_ONLY")
    #: Kernels are neither looked up in the cache on disk nor kept there.
    always_compile = env_bool("TRITON_ALWAYS_COMPILE")
    use_ir_loc = _passed_over(env_opt_str, "USE_IR_LOC")
    enable_asan = _passed_over(env_bool, "TRITON_ENABLE_ASAN",
                               remedy="the simulator checks each access of a kernel")
    disable_line_info = _passed_over(env_bool, "TRITON_DISABLE_LINE_INFO")
    front_end_debugging = env_bool("TRITON_FRONT_END_DEBUGGING")
    allow_non_constexpr_globals = _passed_over(env_bool, "TRITON_ALLOW_NON_CONSTEXPR_GLOBALS",
                                               remedy="make them tl.constexpr(..)")
    instrumentation_mode = ""
    #: Called with src, metadata, metadata_group, times and cache_hit after each compilation.
    listener = property(lambda self: getattr(hooks.compilation_listener, "listener", None),
                        lambda self, value: setattr(hooks, "compilation_listener",
                                                    value and _Told(value)))


class autotuning_knobs(base_knobs):
    subject = "autotuning"
    cache = env_bool("TRITON_CACHE_AUTOTUNING")
    print = env_bool("TRITON_PRINT_AUTOTUNING")


class _Debug(env_bool):
    """Read at each use: refresh_knobs() forgets what a program has set."""


class runtime_knobs(base_knobs):
    subject = "runtime"
    #: Kernels run on the simulator, those of arrays on a GPU as well. Read when they are decorated.
    interpret = env_bool("TRITON_INTERPRET")
    debug = _Debug("TRITON_DEBUG")
    #: The architecture that kernels are compiled for, in place of the GPU's own: "sm80".
    override_arch = env_opt_str("TRITON_OVERRIDE_ARCH")
    launch_enter_hook = _hook("launch_enter_hook")
    launch_exit_hook = _hook("launch_exit_hook")
    kernel_load_start_hook = _hook("kernel_load_start_hook")
    kernel_load_end_hook = _hook("kernel_load_end_hook")
    jit_cache_hook = _hook("jit_cache_hook")
    jit_post_compile_hook = _hook("jit_post_compile_hook")

    @property
    def add_stages_inspection_hook(self):
        return None

    @add_stages_inspection_hook.setter
    def add_stages_inspection_hook(self, value):
        if value is not None:
            raise NotImplementedError("triton.knobs.runtime.add_stages_inspection_hook is not in "
                                      "tilewright.triton, which has other passes than Triton: " + _IR)


class language_knobs(base_knobs):
    subject = "language"
    fp32_default = env_opt_str("TRITON_F32_DEFAULT")
    #: Whether launches that do not say enable_fp_fusion have it.
    default_fp_fusion = env_bool("TRITON_DEFAULT_FP_FUSION", True)


class nvidia_knobs(base_knobs):
    subject = "nvidia"
    cuobjdump = env_tool("cuobjdump")
    nvdisasm = env_tool("nvdisasm")
    ptxas = env_tool("ptxas")
    ptxas_blackwell = env_tool("ptxas-blackwell")
    dump_nvptx = _passed_over(env_bool, "NVPTX_ENABLE_DUMP", remedy=_IR)
    disable_ptxas_opt = _passed_over(env_bool, "DISABLE_PTXAS_OPT")
    ptxas_options = _passed_over(env_opt_str, "PTXAS_OPTIONS")
    mock_ptx_version = env_opt_str("TRITON_MOCK_PTX_VERSION")
    dump_ptxas_log = _passed_over(env_bool, "TRITON_DUMP_PTXAS_LOG")
    libdevice_path = env_opt_str("TRITON_LIBDEVICE_PATH")
    libcuda_path = env_opt_str("TRITON_LIBCUDA_PATH")


class amd_knobs(base_knobs):
    subject = "amd"
    use_buffer_ops = env_bool("AMDGCN_USE_BUFFER_OPS", True)
    use_buffer_atomics = env_bool("AMDGCN_USE_BUFFER_ATOMICS", True)
    buffer_ops_analyze_small_tensor_range = env_bool("AMDGCN_ANALYZE_SMALL_TENSOR_RANGE")
    dump_amdgcn = _passed_over(env_bool, "AMDGCN_ENABLE_DUMP", remedy=_IR)
    libhip_path = env_opt_str("TRITON_LIBHIP_PATH")
    use_block_pingpong = env_opt_bool("TRITON_HIP_USE_BLOCK_PINGPONG")
    use_in_thread_transpose = env_opt_bool("TRITON_HIP_USE_IN_THREAD_TRANSPOSE")
    use_async_copy = env_bool("TRITON_HIP_USE_ASYNC_COPY")
    scalarize_packed_fops = env_bool("AMDGCN_SCALARIZE_PACKED_FOPS")


class proton_knobs(base_knobs):
    subject = "proton"
    disable = env_bool("TRITON_PROTON_DISABLE")
    cupti_lib_dir = env_str("TRITON_CUPTI_LIB_PATH", "")
    enable_nvtx = env_bool("TRITON_ENABLE_NVTX", True)


build = build_knobs()
redis = redis_knobs()
cache = cache_knobs()
compilation = compilation_knobs()
autotuning = autotuning_knobs()
runtime = runtime_knobs()
language = language_knobs()
nvidia = nvidia_knobs()
amd = amd_knobs()
proton = proton_knobs()

#: By the name that each has in triton.knobs.
GROUPS = {one.subject: one for one in (build, redis, cache, compilation, autotuning, runtime,
                                       language, nvidia, amd, proton)}


def refresh_knobs():
    """Makes `runtime.debug` that of the environment again; all else is read at each use."""
    runtime.debug = env


#: The names of triton.knobs, which is a module of its own: its `propagate_env` can be set.
__all__ = ["CompileTimes", "Env", "GROUPS", "HookChain", "NvidiaTool", "base_knobs", "env",
           "env_base", "env_bool", "env_class", "env_int", "env_opt_bool", "env_opt_str", "env_str",
           "env_str_callable_default", "env_tool", "propagate_env", "refresh_knobs", "setenv",
           "toenv", *GROUPS]
