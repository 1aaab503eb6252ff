"""Stand-ins for Triton's back ends: which targets and options there are, and what a signature says of
the values of arguments. Their passes are the compiler's own, and are not here."""

import enum
import re
import types

from .. import _native
from .._options import DEFAULTS, pass_over
from ..kernel.backend_options import CUDAOptions, HIPOptions
from . import _knobs

#: Those that a compilation has, and what they are otherwise.
_OPTIONS = {name: DEFAULTS[name] for name in ("num_warps", "num_stages", "num_ctas", "debug")}


def known_options(options, target):
    """The options of _OPTIONS, and those of launches that are given; a warning for options of
    Triton's that change nothing, a ValueError for others. What a backend's options are where nothing
    is given is none of these."""
    known = dict(_OPTIONS)
    refused = []
    usual = vars(make_backend(target).parse_options({}))
    for name, value in dict(options or {}).items():
        if name in _OPTIONS or name in _native.launch_option_names:
            known[name] = value
        elif value is not None and usual.get(name) != value and not pass_over(name, value):
            refused.append(name)
    if refused:
        raise ValueError(f"the options {', '.join(refused)} are not in tilewright.triton: leave "
                         "them out")
    return known


class Language(enum.Enum):
    """The language that a kernel is written in."""
    TRITON = 0
    GLUON = 1


class BaseBackend:
    """Of all targets. `hints` of arguments are texts: "D" says that a number, or an address, is a
    multiple of 16."""

    supports_native_tensor_specialization = True
    instrumentation = None

    def __init__(self, target):
        assert self.supports_target(target), f"{type(self).__name__} does not compile for {target}"
        self.target = target

    @staticmethod
    def supports_target(target):
        return target.backend in ("cuda", "hip", "xpu", "cpu")

    @staticmethod
    def parse_attr(text):
        return [["tt.divisibility", 16]] if "D" in text else []

    @staticmethod
    def get_int_specialization(value, **how):
        return "D" if how.get("align") and value % 16 == 0 else ""

    @staticmethod
    def get_tensor_specialization(value, **how):
        return "D" if how.get("align") and value.data_ptr() % 16 == 0 else ""


class Backend(BaseBackend):
    """Of Intel's GPUs and of the simulator, and what the others share."""

    #: The stage that a driver gets.
    binary_ext = "spv"

    def hash(self):
        return f"{_native.compiler_identity()}-{self.target.name()}"

    def parse_options(self, options):
        given = {name: value for name, value in dict(options).items() if value is not None}
        return types.SimpleNamespace(**{**_OPTIONS, **given})

    def get_target_name(self, options):
        """The target's name here, "cuda:90"."""
        del options
        return self.target.name()

    def pack_metadata(self, metadata):
        return metadata.num_warps, metadata.num_ctas, metadata.shared

    def load_dialects(self, context):
        """There is no context to load them into."""

    def get_codegen_implementation(self, options):
        """Functions by name: the least sizes of products, which are any here."""
        del options
        return {"min_dot_size": lambda lhs, rhs: (1, 1, 1)}

    def get_module_map(self):
        from .. import language
        return {"triton.language.extra.libdevice": language.extra.libdevice}

    def add_stages(self, stages, options, language=None):
        raise NotImplementedError("the stages of a compilation are not Triton's in tilewright.triton: "
                                  "triton.compile(..).asm has their texts")


def _given(kind, options):
    """Those of the options that are fields of the dataclass, and are given."""
    return {name: value for name, value in dict(options).items()
            if name in kind.__dataclass_fields__ and value is not None}


class CUDABackend(Backend):
    binary_ext = "ptx"

    @staticmethod
    def supports_target(target):
        return target.backend == "cuda"

    def get_target_name(self, options):
        return f"cuda:{self._parse_arch(options.arch)}"

    def _parse_arch(self, arch):
        """90 of "sm90"."""
        if not re.fullmatch(r"sm\d+", arch):
            raise ValueError(f"an architecture is written as sm90, not {arch!r}: TRITON_OVERRIDE_ARCH "
                             "must have the form ^sm(\\d+)$")
        return int(arch[2:])

    def parse_options(self, options):
        chosen = {"arch": _knobs.runtime.override_arch or f"sm{self.target.arch}",
                  "enable_fp_fusion": _knobs.language.default_fp_fusion, **_given(CUDAOptions, options)}
        capability = self._parse_arch(chosen["arch"])
        if chosen.get("num_ctas", 1) > 1 and capability < 90:
            raise ValueError(f"num_ctas > 1 requires NVIDIA SM90+ (Hopper): sm_{capability} has no "
                             "clusters; leave num_ctas out")
        eight_bits = set(CUDAOptions.supported_fp8_dtypes) | ({"fp8e4nv"} if capability >= 89 else set())
        chosen.setdefault("supported_fp8_dtypes", tuple(sorted(eight_bits)))
        if capability >= 90:
            chosen.setdefault("deprecated_fp8_dot_operand_dtypes", ("fp8e4b15",))
        # Sums of products of 8-bit floats on Hopper are added as the matrix unit adds them.
        chosen["max_num_imprecise_acc_default"] = 1 << 30 if capability == 90 else 0
        return CUDAOptions(**chosen)


class HIPBackend(Backend):
    binary_ext = "hsaco"
    supports_native_tensor_specialization = False

    @staticmethod
    def supports_target(target):
        return target.backend == "hip"

    def get_target_name(self, options):
        return f"hip:{options.arch}"

    def parse_options(self, options):
        arch = _knobs.runtime.override_arch or self.target.arch
        chosen = {"arch": arch, "enable_fp_fusion": _knobs.language.default_fp_fusion,
                  "supported_fp8_dtypes": tuple(sorted(HIPOptions.supported_fp8_dtypes))}
        if arch == "gfx942":
            chosen["allowed_dot_input_precisions"] = tuple(sorted(
                {*HIPOptions.allowed_dot_input_precisions, "tf32"}))
        if arch == "gfx950":
            chosen["deprecated_fp8_dot_operand_dtypes"] = ("fp8e4b8", "fp8e5b16")
        return HIPOptions(**{**chosen, **_given(HIPOptions, options)})

    @staticmethod
    def is_within_2gb(value):
        """Whether offsets of 32 bits reach all of an array."""
        if hasattr(value, "ptr_range"):
            return value.ptr_range() < 1 << 31
        storage = getattr(value, "untyped_storage", None)
        return storage is not None and storage().size() < 1 << 31

    @staticmethod
    def parse_attr(text):
        return BaseBackend.parse_attr(text) + ([["tt.pointer_range", 32]] if "S" in text else [])

    @staticmethod
    def get_tensor_specialization(value, **how):
        """Also "S": offsets of 32 bits reach all of it."""
        hints = BaseBackend.get_tensor_specialization(value, **how)
        return hints + ("S" if _knobs.amd.use_buffer_ops and HIPBackend.is_within_2gb(value) else "")


def make_backend(target):
    """The compiler for a GPUTarget."""
    if not BaseBackend.supports_target(target):
        raise RuntimeError(f"no backend of tilewright.triton compiles for {target}")
    return {"cuda": CUDABackend, "hip": HIPBackend}.get(target.backend, Backend)(target)
