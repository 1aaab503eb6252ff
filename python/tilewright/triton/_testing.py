"""triton.testing's tables of measurements."""

from .. import testing


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
