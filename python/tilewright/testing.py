"""Measuring and comparing."""

import sys
import time


def _quantiles(values, at):
    values = sorted(values)
    result = []
    for part in at:
        place = part * (len(values) - 1)
        low = int(place)
        high = min(low + 1, len(values) - 1)
        result.append(values[low] + (values[high] - values[low]) * (place - low))
    return result


def _summary(times, quantiles, return_mode):
    if quantiles is not None:
        found = _quantiles(times, quantiles)
        return found[0] if len(found) == 1 else found
    if return_mode == "all":
        return times
    if return_mode == "mean":
        return sum(times) / len(times)
    return {"min": min, "max": max, "median": lambda all_: _quantiles(all_, [0.5])[0]}[return_mode](
        times)


def _torch_with_gpu():
    """PyTorch's module of the GPU that it sees, torch.cuda (AMD's too) or torch.xpu; else None."""
    torch = sys.modules.get("torch")
    for name in ("cuda", "xpu"):
        module = getattr(torch, name, None)
        if module is not None and module.is_available():
            return module
    return None


def do_bench(fn, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean"):
    """The milliseconds that fn() takes: of the GPU's work on the current stream where PyTorch has
    one, else of the call.

    It is called for about `warmup` milliseconds unmeasured, then for about `rep`; on a GPU its cache
    is emptied before each call. return_mode: mean, median, min, max or all; quantiles, such as
    [0.5, 0.2, 0.8], are returned in their place.
    """
    if return_mode not in ("mean", "median", "min", "max", "all"):
        raise ValueError(f"return_mode is mean, median, min, max or all, not {return_mode!r}")
    gpu = _torch_with_gpu()
    timed, estimated = _time_on_gpu(gpu, grad_to_none) if gpu else (_time_on_host, _estimate_on_host)
    fn()
    estimate = max(estimated(fn), 1e-4)
    for _ in range(max(1, int(warmup / estimate)) if estimate < warmup else 0):
        fn()
    return _summary(timed(fn, max(1, int(rep / estimate))), quantiles, return_mode)


def _time_on_host(fn, count):
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        fn()
        times.append((time.perf_counter() - begin) * 1e3)
    return times


def _estimate_on_host(fn):
    return sum(_time_on_host(fn, 3)) / 3


def _time_on_gpu(gpu, grad_to_none):
    import torch
    cache = torch.empty(int(256e6 // 4), dtype=torch.int, device=gpu.__name__.split(".")[-1])

    def timed(fn, count):
        begins = [gpu.Event(enable_timing=True) for _ in range(count)]
        ends = [gpu.Event(enable_timing=True) for _ in range(count)]
        for begin, end in zip(begins, ends):
            for tensor in grad_to_none or ():
                tensor.grad = None
            cache.zero_()
            begin.record()
            fn()
            end.record()
        gpu.synchronize()
        return [begin.elapsed_time(end) for begin, end in zip(begins, ends)]

    def estimated(fn):
        # A whole round, as in Triton: to empty the cache takes ten times as long as a small kernel.
        begin, end = (gpu.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(5):
            cache.zero_()
            fn()
        end.record()
        gpu.synchronize()
        return begin.elapsed_time(end) / 5

    return timed, estimated


def assert_close(x, y, atol=None, rtol=None, err_msg=""):
    """That two arrays are the same but for rounding: 1e-2 for numbers of 16 bits, else 1e-5, unless
    said otherwise."""
    import numpy
    arrays = [one.detach().cpu().float().numpy() if hasattr(one, "detach") else numpy.asarray(one)
              for one in (x, y)]
    if atol is None:
        atol = 1e-2 if any("16" in str(getattr(one, "dtype", "")) for one in (x, y)) else 1e-5
    numpy.testing.assert_allclose(*arrays, atol=atol, rtol=1e-2 if rtol is None and atol > 1e-3
                                  else 1e-5 if rtol is None else rtol, err_msg=err_msg)
