"""triton.profiler.viewer: what a session of triton.profiler has measured, as a tree of text."""

import argparse
import json
import re

from tilewright.triton._profiler import COUNT, TIME

_SECONDS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_SCALES = {"": 1, "g": 1e9, "t": 1e12}


class Frame:
    """A node of the tree: its name, what was measured in it and below it, and those below."""

    def __init__(self, name, metrics, children):
        self.name = name
        self.metrics = metrics
        self.children = children

    @classmethod
    def of(cls, entry):
        children = [cls.of(one) for one in entry["children"]]
        metrics = {name: value for name, value in entry["metrics"].items()
                   if isinstance(value, (int, float))}
        for child in children:
            for name, value in child.metrics.items():
                # What a scope says of itself holds for all in it.
                if name in (TIME, COUNT) or name not in entry["metrics"]:
                    metrics[name] = metrics.get(name, 0) + value
        return cls(entry["frame"]["name"], metrics, children)

    def kept(self, keeps):
        """The tree of the frames that a function keeps, with what is above and below them; None if it
        keeps none."""
        if keeps(self):
            return self
        children = list(filter(None, (child.kept(keeps) for child in self.children)))
        return Frame(self.name, self.metrics, children) if children else None


def _derived(metric):
    """The value of a metric as a function of a frame and the root; None if there is none of it."""
    time = re.fullmatch(r"(avg_)?time/(s|ms|us|ns|%)", metric)
    rate = re.fullmatch(r"([gt]?)(flop(?:8|16|32|64)?|byte)/s", metric)

    def measured(frame, root):
        if time and TIME in frame.metrics:
            if time[2] == "%":
                return 100 * frame.metrics[TIME] / root.metrics[TIME]
            calls = frame.metrics.get(COUNT, 1) if time[1] else 1
            return frame.metrics[TIME] * 1e-9 / calls / _SECONDS[time[2]]
        if rate and frame.metrics.get(TIME):
            amount = frame.metrics.get(rate[2].replace("flop", "flops").replace("byte", "bytes"))
            return amount and amount / (frame.metrics[TIME] * 1e-9) / _SCALES[rate[1]]
        return next((value for name, value in frame.metrics.items()
                     if metric in (name, name.split("(")[0].strip())), None)

    return measured


def _all_names(frame):
    names = dict.fromkeys(name.split("(")[0].strip() for name in frame.metrics)
    for child in frame.children:
        names.update(_all_names(child))
    return names


def _frames(frame):
    yield frame
    for child in frame.children:
        yield from _frames(child)


def read(filename):
    """The root of a file's tree."""
    with open(filename, encoding="utf-8") as file:
        return Frame.of(json.load(file)[0])


def parse(metrics, filename, include=None, exclude=None, threshold=None):
    """(tree, metrics) of a file. include, exclude: regular expressions of names; threshold: the
    least value of the first metric."""
    root = read(filename)
    metrics = [metric.lower() for metric in metrics]
    for metric in metrics:
        if all(_derived(metric)(frame, root) is None for frame in _frames(root)):
            raise RuntimeError(f"Metric {metric} is not found: there are "
                               f"{', '.join(_all_names(root)) or 'none'}, and of times and operations "
                               "time/ms, avg_time/us, time/%, tflop16/s, gbyte/s and their like")
    if include:
        root = root.kept(lambda frame: re.match(include, frame.name)) or Frame(root.name, {}, [])
    if exclude:
        _drop(root, lambda frame: re.match(exclude, frame.name))
    if threshold is not None:
        first = _derived(metrics[0])
        _drop(root, lambda frame: (first(frame, root) or 0) < threshold)
    return root, metrics


def _drop(frame, drops):
    frame.children = [child for child in frame.children if not drops(child)]
    for child in frame.children:
        _drop(child, drops)


def print_tree(tree, metrics, depth=100, format=None, print_sorted=False):
    """Prints it: for each frame the metrics, then its name."""
    del format  # Names here are names, without files and lines.
    values = [_derived(metric) for metric in metrics]
    print(" ".join(metrics))

    def texts(frame):
        found = [value(frame, tree) for value in values]
        return " ".join("nan" if one is None else f"{one:.3f}" for one in found)

    def show(frame, first, rest, level):
        print(f"{first}{texts(frame)} {frame.name}")
        children = frame.children if level < depth else []
        if print_sorted:
            children = sorted(children, key=lambda one: -(values[0](one, tree) or 0))
        for child in children:
            is_last = child is children[-1]
            show(child, rest + ("└─ " if is_last else "├─ "), rest + ("   " if is_last else "│  "),
                 level + 1)

    show(tree, "", "", 0)


def main(arguments=None):
    """The command: proton-viewer -m time/ms FILE."""
    parser = argparse.ArgumentParser(description="Prints what a session of triton.profiler measured.")
    parser.add_argument("file")
    parser.add_argument("-l", "--list", action="store_true", help="names of what was measured")
    parser.add_argument("-m", "--metrics", default="time/ms", help="separated by commas")
    parser.add_argument("-i", "--include", help="a regular expression of names")
    parser.add_argument("-e", "--exclude", help="a regular expression of names")
    parser.add_argument("-t", "--threshold", type=float)
    parser.add_argument("-d", "--depth", type=int, default=100)
    parser.add_argument("--print-sorted", action="store_true")
    args = parser.parse_args(arguments)
    if args.list:
        print("\n".join(_all_names(read(args.file))))
        return
    tree, metrics = parse(args.metrics.split(","), args.file, args.include, args.exclude,
                          args.threshold)
    print_tree(tree, metrics, args.depth, print_sorted=args.print_sorted)


if __name__ == "__main__":
    main()
