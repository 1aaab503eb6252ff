"""triton.backends.nvidia, .amd and .intel, which Triton's own back ends are: by module, the names that
each has here."""

from ..kernel import backend_options
from . import _backends, _driver, _toolkit

_DRIVERS = _driver.backends
_SHARED = {"GPUTarget": _driver.GPUTarget, "GPUDriver": _driver.DriverBase}

MODULES = {
    "triton.backends.nvidia": {},
    "triton.backends.nvidia.compiler": {
        "GPUTarget": _driver.GPUTarget, "BaseBackend": _backends.BaseBackend,
        "CUDABackend": _backends.CUDABackend, "CUDAOptions": backend_options.CUDAOptions,
        "get_ptxas": _toolkit.get_ptxas, "get_ptxas_version": _toolkit.get_ptxas_version,
        "ptx_get_version": _toolkit.ptx_get_version,
        "sm_arch_from_capability": _toolkit.sm_arch_from_capability,
    },
    "triton.backends.nvidia.driver": {
        **_SHARED, "CudaDriver": _DRIVERS["nvidia"].driver,
        "include_dirs": _toolkit.cuda_include_dirs(), "library_dirs": _toolkit.library_dirs,
        "libcuda_dirs": _toolkit.libcuda_dirs, "libraries": ["libcuda.so.1"],
    },
    "triton.backends.amd": {},
    "triton.backends.amd.compiler": {
        "GPUTarget": _driver.GPUTarget, "BaseBackend": _backends.BaseBackend,
        "HIPBackend": _backends.HIPBackend, "HIPOptions": backend_options.HIPOptions,
    },
    "triton.backends.amd.driver": {
        **_SHARED, "HIPDriver": _DRIVERS["amd"].driver, "include_dirs": _toolkit.hip_include_dirs(),
    },
    "triton.backends.intel": {},
    "triton.backends.intel.driver": {
        **_SHARED, "XPUDriver": _DRIVERS["intel"].driver,
        "COMPILATION_HELPER": _toolkit.SyclToolkit(),
    },
}
