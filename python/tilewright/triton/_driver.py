"""triton.runtime.driver: the GPU of the moment."""

import sys

from .. import _host, _native


class GPUTarget:
    """A GPU as Triton names it: ("cuda", 90, 32), ("hip", "gfx1201", 32)."""

    __slots__ = ("backend", "arch", "warp_size")

    def __init__(self, backend, arch, warp_size=32):
        self.backend = backend
        self.arch = arch
        self.warp_size = warp_size

    def __eq__(self, other):
        return isinstance(other, GPUTarget) and repr(self) == repr(other)

    def __hash__(self):
        return hash(repr(self))

    def __repr__(self):
        return (f"GPUTarget(backend={self.backend!r}, arch={self.arch!r}, "
                f"warp_size={self.warp_size})")

    def name(self):
        """The target's name here, such as "cuda:90"; of "cpu", that of the simulated GPU."""
        return SIMULATED.name() if self.backend == "cpu" else f"{self.backend}:{self.arch}"


def target_of_name(name):
    """The GPUTarget of a target's name here, such as "cuda:90"."""
    backend, _, architecture = name.partition(":")
    return GPUTarget(backend, int(architecture) if architecture.isdigit() else architecture,
                     _native.threads_per_warp(name) or 32)


#: The GPU that kernels of CPU arrays are compiled for.
SIMULATED = GPUTarget("cuda", 90, 32)


def _gpu():
    """PyTorch's module of the GPU that it sees, torch.cuda (AMD's too) or torch.xpu; else None."""
    from .. import testing
    return testing._torch_with_gpu()


def _name_of(gpu):
    """What torch.device calls it: "cuda", "xpu"."""
    return gpu.__name__.split(".")[-1]


def _vendor():
    """Triton's name of the vendor of the GPU that PyTorch sees; None without one."""
    gpu = _gpu()
    if gpu is None:
        return None
    if _name_of(gpu) == "xpu":
        return "intel"
    return "amd" if sys.modules["torch"].version.hip else "nvidia"


class _Utils:
    def get_device_properties(self, device):
        """Sizes of a GPU; without one, those of a GPU as the simulator's, with few processors."""
        gpu = _gpu()
        if gpu is None:
            return {"max_shared_mem": 232448, "max_num_regs": 65536, "multiprocessor_count": 4,
                    "warpSize": 32}
        of = gpu.get_device_properties(device)
        shared = [getattr(of, name, 0) for name in ("shared_memory_per_block_optin",
                                                    "shared_memory_per_block", "local_mem_size")]
        return {"max_shared_mem": next(filter(None, shared), 0),
                "max_num_regs": getattr(of, "regs_per_multiprocessor", 65536),
                "multiprocessor_count": getattr(of, "multi_processor_count", 0)
                or getattr(of, "gpu_subslice_count", 0),
                "warpSize": getattr(of, "warp_size", 32)}


class DriverBase:
    """The driver in use. Without a GPU, kernels run on the simulator, compiled for cuda:90."""

    utils = _Utils()

    def get_current_device(self):
        gpu = _gpu()
        return gpu.current_device() if gpu else 0

    def set_current_device(self, device):
        gpu = _gpu()
        if gpu:
            gpu.set_device(device)

    def get_current_stream(self, device=None):
        gpu = _gpu()
        if gpu is None:
            return 0
        stream = gpu.current_stream(device)
        return stream.sycl_queue if _name_of(gpu) == "xpu" else stream.cuda_stream

    def get_current_target(self):
        if _gpu() is None:
            return SIMULATED
        device = _host.current_device()
        target = _native.target_of(device)
        if target is None:
            raise RuntimeError(f"{_native.name_of_gpu(device)} does not say which GPU it is")
        return target_of_name(target)

    def get_active_torch_device(self):
        import torch
        gpu = _gpu()
        if gpu is None:
            return torch.device("cpu")
        return torch.device(_name_of(gpu), gpu.current_device())

    def get_device_interface(self):
        import torch
        return _gpu() or torch.cpu

    def get_benchmarker(self):
        from .. import testing
        return testing.do_bench

    def get_empty_cache_for_benchmark(self):
        import torch
        return torch.empty(64 << 20, dtype=torch.int, device=self.get_active_torch_device())

    def clear_cache(self, cache):
        cache.zero_()


def _current_target():
    return DriverBase().get_current_target()


def _is_cuda_of(major, minor=0):
    target = _current_target()
    return target.backend == "cuda" and target.arch >= 10 * major + minor


#: triton.language.target_info on the host: of the GPU of the moment, without one of the simulated.
TARGET_QUESTIONS = {
    "current_target": _current_target,
    "is_cuda": lambda: _current_target().backend == "cuda",
    "is_hip": lambda: _current_target().backend == "hip",
    "is_hip_cdna3": lambda: _current_target().arch == "gfx942",
    "is_hip_cdna4": lambda: _current_target().arch == "gfx950",
    "is_xpu": lambda: _current_target().backend == "xpu",
    "cuda_capability_geq": _is_cuda_of,
}


class Driver:
    """triton.runtime.driver: a driver that is made when it is first asked for."""

    def __init__(self):
        self._active = self._default = None

    @property
    def default(self):
        if self._default is None:
            self._default = DriverBase()
        return self._default

    @property
    def active(self):
        if self._active is None:
            self._active = self.default
        return self._active

    def set_active(self, driver):
        """Takes the drivers of `backends`, and changes nothing: what runs a kernel follows from
        its target, or from the arrays of the call."""
        if not isinstance(driver, DriverBase):
            raise NotImplementedError(f"triton.runtime.driver.set_active({driver!r}) is not in "
                                      "tilewright.triton: drivers are those of triton.backends")

    def reset_active(self):
        """Nothing has been changed."""


def _driver_of(vendor):
    """A driver of Triton's backends: that of the GPU which PyTorch sees, if it is the vendor's."""
    return type(vendor.capitalize(), (DriverBase,),
                {"is_active": staticmethod(lambda: _vendor() == vendor)})


class _Simulator(DriverBase):
    @staticmethod
    def is_active():
        return True


class _Backend:
    def __init__(self, driver, compiler):
        self.driver = driver
        self._compiler = compiler

    @property
    def compiler(self):
        from . import _backends
        return getattr(_backends, self._compiler)


#: triton.backends.backends: by name, what compiles (`compiler`) and what launches (`driver`). The
#: simulator is Triton's "cpu".
backends = {**{vendor: _Backend(_driver_of(vendor), compiler) for vendor, compiler in (
    ("nvidia", "CUDABackend"), ("amd", "HIPBackend"), ("intel", "Backend"))},
            "cpu": _Backend(_Simulator, "Backend")}
