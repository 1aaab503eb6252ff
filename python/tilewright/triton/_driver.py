"""triton.runtime.driver: the GPU of the moment."""

import sys


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


#: The GPU that kernels of CPU arrays are compiled for.
SIMULATED = GPUTarget("cuda", 90, 32)


def _torch():
    """torch, where the program has imported it and it sees a GPU; else None."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and torch.cuda.is_available() else None


class _Utils:
    def get_device_properties(self, device):
        """Sizes of a GPU; without one, those of a GPU as the simulator's, with few processors."""
        torch = _torch()
        if torch is None:
            return {"max_shared_mem": 232448, "max_num_regs": 65536, "multiprocessor_count": 4,
                    "warpSize": 32}
        of = torch.cuda.get_device_properties(device)
        return {"max_shared_mem": getattr(of, "shared_memory_per_block_optin", 0),
                "max_num_regs": getattr(of, "regs_per_multiprocessor", 65536),
                "multiprocessor_count": of.multi_processor_count, "warpSize": 32}


class DriverBase:
    """The driver in use. Without a GPU, kernels run on the simulator, compiled for cuda:90."""

    utils = _Utils()

    def get_current_device(self):
        torch = _torch()
        return torch.cuda.current_device() if torch else 0

    def set_current_device(self, device):
        torch = _torch()
        if torch:
            torch.cuda.set_device(device)

    def get_current_stream(self, device=None):
        torch = _torch()
        return torch.cuda.current_stream(device).cuda_stream if torch else 0

    def get_current_target(self):
        torch = _torch()
        if torch is None:
            return SIMULATED
        major, minor = torch.cuda.get_device_capability()
        return GPUTarget("cuda", 10 * major + minor, 32)

    def get_active_torch_device(self):
        import torch
        if torch.cuda.is_available():
            return torch.device("cuda", torch.cuda.current_device())
        return torch.device("cpu")

    def get_device_interface(self):
        import torch
        return torch.cuda if torch.cuda.is_available() else torch.cpu

    def get_benchmarker(self):
        from .. import testing
        return testing.do_bench

    def get_empty_cache_for_benchmark(self):
        import torch
        return torch.empty(64 << 20, dtype=torch.int, device=self.get_active_torch_device())

    def clear_cache(self, cache):
        cache.zero_()


class Driver:
    """triton.runtime.driver."""

    active = DriverBase()
    default = active

    def set_active(self, driver):
        """Takes the drivers of `backends`, and changes nothing: what runs a kernel follows from
        its target, or from the arrays of the call."""
        if not isinstance(driver, DriverBase):
            raise NotImplementedError(f"triton.runtime.driver.set_active({driver!r}) is not in "
                                      "tilewright.triton: drivers are those of triton.backends")

    def reset_active(self):
        """Nothing has been changed."""


class _Nvidia(DriverBase):
    @staticmethod
    def is_active():
        torch = _torch()
        return torch is not None and torch.version.hip is None


class _Simulator(DriverBase):
    @staticmethod
    def is_active():
        return True


class _Backend:
    def __init__(self, driver):
        self.driver = driver

    @property
    def compiler(self):
        from ._compiler import Backend
        return Backend


#: triton.backends.backends: by name, what compiles (`compiler`) and what launches (`driver`). The
#: simulator is Triton's "cpu".
backends = {"nvidia": _Backend(_Nvidia), "cpu": _Backend(_Simulator)}
