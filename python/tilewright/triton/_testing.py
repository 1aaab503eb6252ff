"""triton.testing's tables of measurements."""

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
    torch = testing._torch_with_gpu()
    if torch is None:
        raise RuntimeError("do_bench_cudagraph needs a GPU: take do_bench")
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


class Benchmark:
    """What a table of measurements has: `x_names` and `x_vals` for its rows, `line_arg` and
    `line_vals` for its columns, `args` for all; the rest is for plots."""

    def __init__(self, x_names, x_vals, line_arg, line_vals, line_names, plot_name, args, xlabel="",
                 ylabel="", x_log=False, y_log=False, styles=None):
        self.x_names = x_names
        self.x_vals = x_vals
        self.line_arg = line_arg
        self.line_vals = line_vals
        self.line_names = line_names
        self.plot_name = plot_name
        self.args = args
        self.xlabel = xlabel
        self.ylabel = ylabel
        self.x_log = x_log
        self.y_log = y_log
        self.styles = styles


class Mark:
    """A function to measure, and the tables to make of it. A value, or (value, least, most), is
    what the function returns."""

    def __init__(self, fn, benchmarks):
        self.fn = fn
        self.benchmarks = benchmarks

    def _table(self, bench, **kwargs):
        columns = [*bench.x_names, *bench.line_names]
        rows = []
        for x in bench.x_vals:
            values = list(x) if isinstance(x, (tuple, list)) else [x] * len(bench.x_names)
            if len(values) != len(bench.x_names):
                raise ValueError(f"x_vals has {x!r} for {len(bench.x_names)} names")
            row = values[:]
            for line in bench.line_vals:
                measured = self.fn(**dict(zip(bench.x_names, values)), **{bench.line_arg: line},
                                   **bench.args, **kwargs)
                row.append(measured[0] if isinstance(measured, (tuple, list)) else measured)
            rows.append(row)
        return columns, rows

    def run(self, show_plots=False, print_data=False, save_path="", return_df=False, **kwargs):
        """Measures everything. Tables are printed; pictures are not made. `return_df` needs pandas."""
        if show_plots:
            raise NotImplementedError("plots are not in tilewright.triton: print the table with "
                                      "print_data=True")
        many = isinstance(self.benchmarks, (list, tuple))
        frames = []
        for bench in self.benchmarks if many else [self.benchmarks]:
            columns, rows = self._table(bench, **kwargs)
            if print_data:
                _print_table(bench, columns, rows)
            if save_path:
                _save_table(bench, columns, rows, save_path)
            if return_df:
                import pandas
                frames.append(pandas.DataFrame(rows, columns=columns))
        if return_df:
            return frames if many else frames[0]
        return None


def _text(value):
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def _print_table(bench, columns, rows):
    texts = [columns] + [[_text(value) for value in row] for row in rows]
    widths = [max(len(str(row[i])) for row in texts) for i in range(len(columns))]
    print(f"{bench.plot_name}:")
    for row in texts:
        print("  ".join(str(one).rjust(width) for one, width in zip(row, widths)))


def _save_table(bench, columns, rows, folder):
    import csv
    import os
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"{bench.plot_name}.csv"), "w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])


def perf_report(benchmarks):
    """Makes a function that measures one case a Mark of these benchmarks."""
    return lambda fn: Mark(fn, benchmarks)


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
