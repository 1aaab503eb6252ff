"""Where a vendor's headers and libraries are, for programs that build host code of their own."""

import functools
import glob
import os
import subprocess
import sys

from . import _knobs


def _existing(folders, file):
    """Those of the folders that have the file, each once."""
    return [folder for folder in dict.fromkeys(folders) if os.path.exists(os.path.join(folder, file))]


def _of_packages(pattern):
    """Folders beside installed packages, where the vendors' wheels put them."""
    return [found for folder in sys.path for found in sorted(glob.glob(os.path.join(folder, pattern)))]


def cuda_include_dirs():
    """The folder with cuda.h: the toolkit's, or that of NVIDIA's wheels; where there is none, the
    toolkit's usual one, which a C compiler then does not find."""
    toolkit = [os.path.join(os.environ[name], "include") for name in ("CUDA_HOME", "CUDA_PATH")
               if name in os.environ] + ["/usr/local/cuda/include"]
    wheels = _of_packages("nvidia/cu*/include") + _of_packages("nvidia/cuda_runtime/include")
    return (_existing(toolkit + wheels, "cuda.h") or ["/usr/local/cuda/include"])[:1]


def _listed_by_linker(name):
    try:
        text = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True,
                              check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return []
    return [os.path.dirname(line.split()[-1]) for line in text.splitlines() if name in line]


@functools.lru_cache()
def libcuda_dirs():
    """The folders of NVIDIA's driver library, libcuda.so.1: TRITON_LIBCUDA_PATH, else what the dynamic
    linker lists, else those of LD_LIBRARY_PATH."""
    if _knobs.nvidia.libcuda_path:
        return [_knobs.nvidia.libcuda_path]
    name = "libcuda.so.1"
    found = (_existing(_listed_by_linker(name), name)
             or _existing(os.environ.get("LD_LIBRARY_PATH", "").split(":"), name))
    if not found:
        raise AssertionError(f"{name} is not found: NVIDIA's driver has it; where it is elsewhere, "
                             "TRITON_LIBCUDA_PATH names its folder")
    return found


@functools.lru_cache()
def library_dirs():
    """The folders to link host code with: there is no library of Triton's own."""
    return list(libcuda_dirs())


def get_ptxas(arch):
    """NVIDIA's assembler for a compute capability such as 90: its path and version."""
    return _knobs.nvidia.ptxas_blackwell if arch >= 100 else _knobs.nvidia.ptxas


@functools.lru_cache()
def get_ptxas_version(arch=80):
    """The text that it says of its version, which TRITON_MOCK_PTX_VERSION replaces."""
    mock = _knobs.nvidia.mock_ptx_version
    if mock is not None:
        return mock
    return subprocess.run([get_ptxas(arch).path, "--version"], capture_output=True, text=True,
                          check=True).stdout


#: The version of PTX, times ten, that came with the first release of a CUDA.
_PTX_OF_CUDA = {10: 63, 11: 70, 12: 80, 13: 90}


def ptx_get_version(cuda_version):
    """The version of PTX, times ten, that a release of CUDA reads: 85 of "12.6"."""
    if not isinstance(cuda_version, str):
        raise AssertionError(f"a release of CUDA is a text such as '12.6', not {cuda_version!r}")
    major, minor = map(int, cuda_version.split("."))
    if major < min(_PTX_OF_CUDA):
        raise RuntimeError("Triton only support CUDA 10.0 or higher, but got CUDA version: "
                           + cuda_version)
    # 12.5 and 12.6 have the same one.
    skipped = 1 if major == 12 and minor >= 6 else 0
    return _PTX_OF_CUDA.get(major, 90 + 10 * (major - 13)) + minor - skipped


def sm_arch_from_capability(capability):
    """"sm_90a" of 90."""
    return f"sm_{capability}" + ("a" if capability >= 90 else "")


def hip_include_dirs():
    """The folder with hip/hip_runtime.h."""
    roots = [os.environ[name] for name in ("ROCM_PATH", "ROCM_HOME", "HIP_PATH") if name in os.environ]
    folders = [os.path.join(root, "include") for root in roots + ["/opt/rocm"]]
    return (_existing(folders, "hip/hip_runtime.h") or ["/opt/rocm/include"])[:1]


class SyclToolkit:
    """The folders of Intel's compiler and of Level Zero."""

    @functools.cached_property
    def _roots(self):
        roots = [os.environ[name] for name in ("CMPLR_ROOT", "SYCL_ROOT") if name in os.environ]
        return roots + sorted(glob.glob("/opt/intel/oneapi/compiler/latest"))

    @property
    def include_dir(self):
        return [os.path.join(root, "include") for root in self._roots] + _existing(
            ["/usr/include"], "level_zero/ze_api.h")

    @property
    def library_dir(self):
        return [os.path.dirname(found) for found in
                sorted(glob.glob("/usr/lib/*/libze_loader.so*"))[:1]]

    @property
    def libsycl_dir(self):
        return [os.path.join(root, "lib") for root in self._roots]
