"""triton.testing.perf_report: tables and pictures of measurements."""

import csv
import os
import warnings


class Benchmark:
    """What a table of measurements has: `x_names` and `x_vals` for its rows, `line_arg` and
    `line_vals` for its columns, which `line_names` and `ylabel` name, `args` for all; the rest is
    for the picture, of which there is none without a `plot_name`."""

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


class _Table:
    """What one Benchmark has measured: a value in each column, the names of the first of which are
    the `x_names`, and the (least, most) of each of the others, or None."""

    def __init__(self, bench, fn, kwargs):
        self.bench = bench
        self.labels = [f"{name} ({bench.ylabel})" for name in bench.line_names]
        self.columns = [*bench.x_names, *self.labels]
        self.rows = []
        self.bounds = []
        for x in bench.x_vals:
            values = list(x) if isinstance(x, (tuple, list)) else [x] * len(bench.x_names)
            if len(values) != len(bench.x_names):
                raise ValueError(f"Expected {len(bench.x_names)} values, got {values}")
            measured = [_measured(fn(**dict(zip(bench.x_names, values)), **{bench.line_arg: line},
                                     **bench.args, **kwargs)) for line in bench.line_vals]
            self.rows.append(values + [value for value, _, _ in measured])
            self.bounds.append([(least, most) for _, least, most in measured])

    def add_difference(self):
        """The column "Diff", of a table of two columns: the second less the first."""
        if len(self.columns) == 2:
            self.columns.append("Diff")
            self.rows = [[*row, row[1] - row[0]] for row in self.rows]

    def frame(self, pandas):
        """As pandas has it; columns of numbers are of floats, as in Triton."""
        frame = pandas.DataFrame(self.rows, columns=self.columns)
        for column in self.columns:
            if pandas.api.types.is_integer_dtype(frame[column]):
                frame[column] = frame[column].astype(float)
        return frame

    def draw(self, pyplot, folder, shown):
        """A line for each of `line_names` over the first of `x_names`."""
        bench, first = self.bench, [row[0] for row in self.rows]
        pyplot.figure()
        axes = pyplot.subplot()
        for i, label in enumerate(self.labels):
            color, style = bench.styles[i][:2] if bench.styles else (None, None)
            axes.plot(first, [row[len(bench.x_names) + i] for row in self.rows], label=label,
                      color=color, ls=style)
            bounds = [row[i] for row in self.bounds]
            if any(least is not None for least, _ in bounds) and any(
                    most is not None for _, most in bounds):
                least, most = (_floats(one) for one in zip(*bounds))
                axes.fill_between(first, least, most, alpha=0.15, color=color)
        axes.legend()
        axes.set_xlabel(bench.xlabel or bench.x_names[0])
        axes.set_ylabel(bench.ylabel)
        axes.set_xscale("log" if bench.x_log else "linear")
        axes.set_yscale("log" if bench.y_log else "linear")
        if shown:
            pyplot.show()
        if folder:
            pyplot.savefig(os.path.join(folder, f"{bench.plot_name}.png"))

    def print(self, pandas):
        print(f"{self.bench.plot_name}:")
        if pandas:
            print(self.frame(pandas).to_string())
            return
        texts = [["", *map(str, self.columns)]]
        texts += [[str(i), *map(_text, row)] for i, row in enumerate(self.rows)]
        widths = [max(map(len, column)) for column in zip(*texts)]
        for row in texts:
            print("  ".join(text.rjust(width) for text, width in zip(row, widths)))

    def save(self, folder, precision):
        path = os.path.join(folder, f"{self.bench.plot_name}.csv")
        with open(path, "w", newline="") as file:
            writer = csv.writer(file, lineterminator=os.linesep)
            writer.writerow(self.columns)
            writer.writerows([_text(value, precision) for value in row] for row in self.rows)


def _measured(result):
    """(value, least, most), of a value or of the three."""
    try:
        value, least, most = result
    except TypeError:
        return result, None, None
    return value, least, most


def _floats(values):
    return [float("nan") if value is None else float(value) for value in values]


def _text(value, precision=6):
    if value is None:
        return ""
    if isinstance(value, (str, bool)):
        return str(value)
    try:
        return f"{float(value):.{precision}f}"
    except (TypeError, ValueError):
        return str(value)


def _imported(name):
    """A module that need not be installed; None where it cannot be imported."""
    import importlib
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class Mark:
    """A function to measure, and the tables to make of it. A value, or (value, least, most), is
    what the function returns."""

    def __init__(self, fn, benchmarks):
        self.fn = fn
        self.benchmarks = benchmarks

    def run(self, show_plots=False, print_data=False, save_path="", return_df=False, diff_col=False,
            save_precision=6, **kwargs):
        """Measures everything. `print_data` prints tables, `show_plots` shows pictures, and in the
        folder `save_path` there are both afterwards, and results.html with the pictures. Pictures
        are left out with a warning where matplotlib is not installed; `return_df` needs pandas."""
        is_single = isinstance(self.benchmarks, Benchmark)
        benchmarks = [self.benchmarks] if is_single else self.benchmarks
        pandas = _imported("pandas") if print_data or return_df else None
        if return_df and not pandas:
            raise ImportError("return_df=True returns tables of pandas, which is not installed: "
                              "install it, or read the files of save_path")
        pyplot = _imported("matplotlib.pyplot") if show_plots or save_path else None
        if not pyplot and (show_plots or save_path):
            warnings.warn("perf_report makes tables and no pictures: matplotlib is not installed",
                          stacklevel=2)
        if save_path:
            os.makedirs(save_path, exist_ok=True)
        frames = []
        done = []
        try:
            for bench in benchmarks:
                table = _Table(bench, self.fn, kwargs)
                if pyplot and bench.plot_name:
                    table.draw(pyplot, save_path, show_plots)
                if diff_col:
                    table.add_difference()
                # Without a picture, who asked to see one sees the table.
                if print_data or (show_plots and not pyplot):
                    table.print(pandas)
                if save_path:
                    table.save(save_path, save_precision)
                if return_df:
                    frames.append(table.frame(pandas))
                done.append(bench)
        finally:
            if save_path:
                _save_page(save_path, done)
        if return_df:
            return frames[0] if is_single else frames
        return None


def _save_page(folder, benchmarks):
    with open(os.path.join(folder, "results.html"), "w") as page:
        page.write("<html><body>\n")
        for bench in benchmarks:
            page.write(f'<image src="{bench.plot_name}.png"/>\n')
        page.write("</body></html>\n")


def perf_report(benchmarks):
    """Makes a function that measures one case a Mark of these benchmarks."""
    return lambda fn: Mark(fn, benchmarks)
