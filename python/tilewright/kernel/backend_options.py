"""The options of a compilation by the names and with the defaults that Triton's back ends give them."""

import dataclasses
import hashlib
from typing import Optional, Tuple


class _Options:
    """The part that both vendors' options share."""

    def __post_init__(self):
        if self.num_warps <= 0 or self.num_warps & (self.num_warps - 1):
            raise AssertionError("num_warps must be a power of 2")
        libraries = self.extern_libs or ()
        object.__setattr__(self, "extern_libs", tuple(
            libraries.items() if isinstance(libraries, dict) else libraries))

    def hash(self):
        """Of all options, in hexadecimal digits."""
        text = repr(sorted(vars(self).items()))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclasses.dataclass(frozen=True)
class CUDAOptions(_Options):
    num_warps: int = 4
    num_ctas: int = 1
    num_stages: int = 3
    warp_size: int = 32
    maxnreg: Optional[int] = None
    ptx_version: Optional[int] = None
    ptx_options: Optional[str] = None
    ir_override: Optional[str] = None
    enable_fp_fusion: bool = True
    enable_reflect_ftz: bool = True
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    supported_fp8_dtypes: Tuple[str, ...] = ("fp8e5", "fp8e4b15")
    deprecated_fp8_dot_operand_dtypes: Tuple[str, ...] = ()
    default_dot_input_precision: str = "tf32"
    allowed_dot_input_precisions: Tuple[str, ...] = ("tf32", "tf32x3", "ieee", "bf16x3", "bf16x6")
    max_num_imprecise_acc_default: Optional[int] = None
    #: Files by name; libdevice's functions are the compiler's own.
    extern_libs: Optional[dict] = None
    debug: bool = False
    backend_name: str = "cuda"
    sanitize_overflow: bool = True
    #: As "sm90".
    arch: Optional[str] = None
    instrumentation_mode: str = ""


@dataclasses.dataclass(frozen=True)
class HIPOptions(_Options):
    num_warps: int = 4
    waves_per_eu: int = 0
    num_stages: int = 2
    num_ctas: int = 1
    extern_libs: Optional[dict] = None
    debug: bool = False
    sanitize_overflow: bool = True
    #: As "gfx942".
    arch: Optional[str] = None
    supported_fp8_dtypes: Tuple[str, ...] = ("fp8e4nv", "fp8e5", "fp8e5b16", "fp8e4b8")
    deprecated_fp8_dot_operand_dtypes: Tuple[str, ...] = ()
    default_dot_input_precision: str = "ieee"
    allowed_dot_input_precisions: Tuple[str, ...] = ("ieee", "bf16x3", "bf16x6")
    enable_fp_fusion: bool = True
    launch_cooperative_grid: bool = False
    matrix_instr_nonkdim: int = 0
    kpack: int = 1
    allow_flush_denorm: bool = False
    max_num_imprecise_acc_default: int = 0
    backend_name: str = "hip"
    instrumentation_mode: str = ""
    schedule_hint: str = "none"

    def __post_init__(self):
        super().__post_init__()
        if self.arch is not None:
            # "gfx942": the digits before the last two are the generation; those before the tenth have
            # wavefronts of 64.
            object.__setattr__(self, "warp_size", 32 if int(self.arch[3:-2]) >= 10 else 64)


#: By the backend of a target.
OF_BACKEND = {"cuda": CUDAOptions, "hip": HIPOptions}


def field_of(backend, name):
    """The dataclass's field of an option of a backend; None if there is no such option."""
    options = OF_BACKEND.get(backend)
    return options and options.__dataclass_fields__.get(name)
