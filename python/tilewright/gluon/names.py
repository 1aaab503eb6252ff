"""The modules of Gluon's language as host code sees them: names that kernels import.

Kernels are read from their source text, where the compiler knows these names by their modules; some
of them it refuses by name (docs/gluon.md). Layouts, types and constants are objects here as well.
"""

import sys
import types

from .. import language
from . import layouts, tensor_types

#: Functions of triton.language that Gluon has as they are.
_LANGUAGE = """
add associative_scan assume atomic_add atomic_and atomic_cas atomic_max atomic_min atomic_or atomic_xchg
atomic_xor block_type broadcast cast cdiv device_assert device_print expand_dims gather
inline_asm_elementwise join load map_elementwise max_constancy max_contiguous maximum minimum mul
multiple_of num_programs permute pointer_type program_id reduce reshape split static_assert static_print
static_range store sub tensor to_tensor tuple where max min ravel reduce_or sum xor_sum constexpr dtype
""".split()
_MATH = """umulhi exp exp2 fma log log2 cos rsqrt sin sqrt sqrt_rn abs fdiv div_rn erf floor ceil""".split()
_TYPES = [name for _, name, _ in language._DTYPES] + ["float8e4b15"]
#: What Gluon has beyond that.
_OWN = """
allocate_shared_memory arange bank_conflicts convert_layout dot_fma fp4_to_fp full full_like histogram
num_ctas num_warps set_auto_layout thread_barrier to_linear_layout warp_specialize zeros zeros_like
""".split()
#: Types in annotations.
_CLASSES = "base_type base_value shared_memory_descriptor tuple_type void".split()

_BARRIER = "arrive init invalidate wait"
_TENSOR_COPY = ("async_copy_global_to_shared async_copy_shared_to_global make_tensor_descriptor "
                "store_wait tensor_descriptor tensor_descriptor_type")
_BUFFERS = "buffer_load buffer_store " + " ".join(
    f"buffer_atomic_{op}" for op in ("add", "and", "max", "min", "or", "xchg", "xor"))

#: The functions and types of the other modules, below gluon.language.
_FUNCTIONS = {
    "nvidia": "",
    "nvidia.ampere": "mma_v2",
    "nvidia.ampere.async_copy": "async_copy_global_to_shared commit_group mbarrier_arrive wait_group",
    "nvidia.ampere.mbarrier": _BARRIER,
    "nvidia.hopper": "fence_async_shared mma_v2 warpgroup_mma warpgroup_mma_accumulator "
                     "warpgroup_mma_accumulator_type warpgroup_mma_init warpgroup_mma_wait",
    "nvidia.hopper.mbarrier": _BARRIER + " expect",
    "nvidia.hopper.tma": _TENSOR_COPY,
    "nvidia.blackwell": "allocate_tensor_memory fence_async_shared get_tmem_reg_layout mma_v2 "
                        "tcgen05_commit tcgen05_copy tcgen05_mma tcgen05_mma_scaled "
                        "tensor_memory_descriptor tensor_memory_descriptor_type",
    "nvidia.blackwell.tma": _TENSOR_COPY + " async_gather async_scatter",
    "nvidia.blackwell.float2": "Float2Tensor fma full_like pack pack2 unpack unpack2",
    "amd": "",
    "amd.cdna3": _BUFFERS + " mfma",
    "amd.cdna4": _BUFFERS + " get_mfma_scale_layout mfma mfma_scaled",
    "amd.cdna4.async_copy": "buffer_load_to_shared commit_group global_load_to_shared "
                            "load_shared_relaxed wait_group",
    "amd.rdna3": "wmma",
    "amd.rdna4": "wmma",
    "amd.gfx1250": "buffer_load buffer_store get_wmma_scale_layout wmma wmma_scaled",
    "amd.gfx1250.async_copy": "commit_group global_to_shared mbarrier_arrive wait_group",
    "amd.gfx1250.mbarrier": "arrive init wait",
    "amd.gfx1250.tdm": "async_load async_store async_wait make_tensor_descriptor tensor_descriptor "
                       "tensor_descriptor_type",
    "extra": "",
}

#: Modules that stand in another one as well, by their paths there.
_SHARED = {
    "nvidia.hopper.async_copy": "nvidia.ampere.async_copy",
    "nvidia.blackwell.async_copy": "nvidia.ampere.async_copy",
    "nvidia.blackwell.mbarrier": "nvidia.hopper.mbarrier",
}

_LAYOUTS = {"amd": layouts.AMD, "nvidia.blackwell": layouts.TENSOR_MEMORY,
            **{f"{one}.mbarrier": (layouts.MBarrierLayout,)
               for one in ("nvidia.ampere", "nvidia.hopper", "amd.gfx1250")}}

_ROOT = __name__.rpartition(".")[0] + ".language"


def _make(path):
    name = f"{_ROOT}.{path}" if path else _ROOT
    module = types.ModuleType(name, f"{name}: names of kernels.")
    module.__path__ = []
    return module


def _fill(module, names, origin):
    for name in names:
        setattr(module, name, language.Builtin(name, origin))


def _make_language():
    """gluon.language and its modules, by their paths below it."""
    root = _make("")
    found = {"": root}
    for name in _LANGUAGE + _MATH + _TYPES:
        setattr(root, name, getattr(language, name))
    _fill(root, _OWN + _CLASSES, "triton.experimental.gluon.language")
    for one in layouts.GENERIC:
        setattr(root, one.__name__, one)
    for one in (tensor_types.distributed_type, tensor_types.shared_memory_descriptor_type):
        setattr(root, one.__name__, one)
    for path, names in _FUNCTIONS.items():
        module = found[path] = _make(path)
        _fill(module, names.split(), f"triton.experimental.gluon.language.{path}")
        for one in _LAYOUTS.get(path, ()):
            setattr(module, one.__name__, one)
    found["extra"].libdevice = language.extra.libdevice
    # The files of Triton's package that some programs import from.
    for private in ("_core", "_layouts", "_math", "_standard"):
        module = found[private] = _make(private)
        vars(module).update((name, value) for name, value in vars(root).items()
                            if not name.startswith("__"))
    found["_layouts"].warps_per_cta = layouts.warps_per_cta
    found["_layouts"].DistributedLayout = layouts.DistributedLayout
    found["_layouts"].SharedLayout = layouts.SharedLayout
    private = found["amd._layouts"] = _make("amd._layouts")
    for one in layouts.AMD:
        setattr(private, one.__name__, one)
    for path, origin in _SHARED.items():
        found[path] = found[origin]
    for path, module in found.items():
        if path:
            parent, _, name = path.rpartition(".")
            setattr(found[parent], name, module)
    return found


#: By their paths below gluon.language.
MODULES = _make_language()
sys.modules.update((f"{_ROOT}.{path}".rstrip("."), module) for path, module in MODULES.items())
