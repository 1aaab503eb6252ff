"""triton.testing's measurements, and what a GPU can do at most."""

import subprocess

from .. import testing


def nvsmi(attrs):
    """What nvidia-smi tells of the first GPU, as integers: `nvsmi(["clocks.sm"])`."""
    told = subprocess.run(["nvidia-smi", "--id=0", "--query-gpu=" + ",".join(attrs),
                           "--format=csv,noheader,nounits"], capture_output=True, text=True,
                          check=True)
    return [int(number) for number in told.stdout.split(",")]


def do_bench_cudagraph(fn, rep=20, grad_to_none=None, quantiles=None, return_mode="mean"):
    """The milliseconds that fn() takes in a CUDA graph of many calls, without what the host costs."""
    if testing._torch_with_gpu() is None:
        raise RuntimeError("do_bench_cudagraph needs a GPU: take do_bench")
    import torch
    with torch.cuda.stream(torch.cuda.Stream()):
        fn()
        torch.cuda.synchronize()
        for tensor in grad_to_none or ():
            tensor.detach_()
            tensor.requires_grad_(True)
            tensor.grad = None
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(5):
            fn()
        end.record()
        torch.cuda.synchronize()
        count = max(1, int(rep / max(begin.elapsed_time(end) / 5, 1e-4)))
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(count):
                for tensor in grad_to_none or ():
                    tensor.grad = None
                fn()
        torch.cuda.synchronize()
        times = []
        for _ in range(10):
            begin.record()
            graph.replay()
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end) / count)
    return testing._summary(times, quantiles, return_mode)


def get_dram_gbps(device=None):
    """What the memory of a GPU of PyTorch's can move in a second, in 10^9 bytes: two transfers a
    clock over its bus."""
    import torch
    properties = torch.cuda.get_device_properties(device)
    return 2 * properties.memory_clock_rate * 1e3 * properties.memory_bus_width / 8 / 1e9


def _teraflops(device, clock_rate, per_quarter):
    """What all quarters of all multiprocessors compute in a second, in 10^12 operations; `clock_rate`
    in kHz, `per_quarter` operations of one in a clock."""
    import torch
    properties = torch.cuda.get_device_properties(device)
    clock_rate = clock_rate or properties.clock_rate
    return properties.multi_processor_count * 4 * clock_rate * 1e3 * per_quarter / 1e12


def _bits_of(dtype):
    return 8 * getattr(dtype, "itemsize", 4)


def get_max_tensorcore_tflops(dtype, clock_rate=None, device=None):
    """The most that the matrix units of a GPU can do with numbers of a type, dense: 4,096 bits of
    operands (Volta), 8,192 (Ampere) or 16,384 (Hopper and later) in each quarter and clock."""
    import torch
    major = torch.cuda.get_device_capability(device)[0]
    bits = {7: 4096, 8: 8192}.get(major, 16384)
    return _teraflops(device, clock_rate, bits / _bits_of(dtype))


def get_max_simd_tflops(dtype, clock_rate=None, device=None):
    """The most that the other units can do: 32 multiply-adds of 32 bits in a quarter and clock, 16
    on sm_70 and sm_80; of 16 bits as many on sm_86 and sm_89, else twice as many."""
    import torch
    capability = torch.cuda.get_device_capability(device)
    lanes = 16 if capability in ((7, 0), (7, 5), (8, 0)) else 32
    doubled = _bits_of(dtype) == 16 and capability not in ((8, 6), (8, 9))
    if capability == (8, 0) and doubled:
        lanes *= 2  # Its half precision is four times its single precision.
    return _teraflops(device, clock_rate, 2 * lanes * (2 if doubled else 1))
