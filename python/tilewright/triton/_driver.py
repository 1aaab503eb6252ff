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
        """The target's name here, such as "cuda:90"."""
        return f"{self.backend}:{self.arch}"


def _torch():
    """torch, where the program has imported it and it sees a GPU; else None."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and torch.cuda.is_available() else None


class _Utils:
    def get_device_properties(self, device):
        torch = _needs_gpu("get_device_properties")
        of = torch.cuda.get_device_properties(device)
        return {"max_shared_mem": getattr(of, "shared_memory_per_block_optin", 0),
                "max_num_regs": getattr(of, "regs_per_multiprocessor", 65536),
                "multiprocessor_count": of.multi_processor_count, "warpSize": 32}


def _needs_gpu(what):
    torch = _torch()
    if torch is None:
        raise RuntimeError(f"{what}: no GPU is in use: import torch on a machine with one")
    return torch


class _Active:
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
            return GPUTarget("cuda", 90, 32)
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

    active = _Active()
    default = active

    def set_active(self, driver):
        raise NotImplementedError("triton.runtime.driver.set_active is not in tilewright.triton: "
                                  "the driver follows the arrays of a call")
