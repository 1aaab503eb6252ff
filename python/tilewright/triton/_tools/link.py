"""triton.tools.link: one entry for the kernels that compile.py made of one function.

    python link.py HEADER.h .. -o OUT

OUT.h and OUT.c have, for a kernel NAME: NAME(stream, arguments, algo_id), which takes the `algo_id`-th
of the combinations of constants and options, and of its specializations the first whose conditions
the arguments meet (most conditions first); NAME_default(stream, arguments), the combination 0;
NAME_get_num_algos(); load_NAME() and unload_NAME().
"""

import argparse
import collections
import pathlib
import re

_DIRECTIVE = re.compile(r"//\s*tt-linker:\s*(\w+):(.*):(.*)")
_NAME = re.compile(r"(\w+)_([0-9a-f]{8})_((?:\d+[cd]?)+)")


class LinkerError(Exception):
    """Headers that do not fit together, or are none of compile.py's."""


class Kernel:
    """A specialization: `hints` has 1, 16 or None for each argument (type, name)."""

    def __init__(self, symbol, arguments, algorithm):
        parts = _NAME.fullmatch(symbol)
        if not parts:
            raise LinkerError(f"{symbol} is not a valid kernel name")
        self.symbol = symbol
        self.name = parts[1]
        self.algorithm = f"{self.name}_{_identifier(algorithm)}"
        self.arguments = [tuple(one.strip().rsplit(" ", 1)) for one in arguments.split(",")
                          if one.strip()]
        if not all(len(one) == 2 for one in self.arguments):
            raise LinkerError(f"{arguments} is not a valid argument signature")
        marks = _marks(parts[3])
        self.hints = [{"c": 1, "d": 16}.get(mark) for mark in marks[:len(self.arguments)]]

    @property
    def count(self):
        """How many conditions it has."""
        return sum(hint is not None for hint in self.hints)

    def condition(self):
        """In C, when it may be called."""
        conditions = [f"({name} % 16 == 0)" if hint == 16 else f"({name} == 1)"
                      for (_, name), hint in zip(self.arguments, self.hints) if hint]
        return " && ".join(conditions) or "1"

    def passed(self):
        """The arguments of the code: all but those that are 1."""
        return [one for one, hint in zip(self.arguments, self.hints) if hint != 1]


def _identifier(text):
    return re.sub(r"\W", "_", text)


def _marks(suffix):
    """The letters of "0d12d3c": of parameter 0 d, of 1 none, of 2 d, of 3 c."""
    marks, place = [], 0
    while place < len(suffix):
        number = str(len(marks))
        if not suffix.startswith(number, place):
            raise LinkerError(f"{suffix} is not a valid kernel suffix")
        place += len(number)
        mark = suffix[place:place + 1]
        marks.append(mark if mark in ("c", "d") else "")
        place += len(marks[-1])
    return marks


def read(headers):
    """The kernels of headers."""
    kernels = [Kernel(*found.groups()) for header in headers
               for found in map(_DIRECTIVE.match, header.read_text().splitlines()) if found]
    if not kernels:
        raise LinkerError("no header has a tt-linker line: give those that compile.py wrote")
    first = kernels[0]
    for kernel in kernels:
        if kernel.name != first.name:
            raise LinkerError(f"the headers are of two kernels, {first.name} and {kernel.name}: link "
                              "them one by one")
        if [type_ for type_, _ in kernel.arguments] != [type_ for type_, _ in first.arguments]:
            raise LinkerError(f"Mismatched signature for kernel {kernel.name}: {first.arguments} and "
                              f"{kernel.arguments}")
    return kernels


def _declared(arguments, *further):
    return ", ".join(["CUstream stream", *(" ".join(one) for one in arguments), *further])


def _named(arguments, *further):
    return ", ".join(["stream", *(name for _, name in arguments), *further])


def texts(kernels):
    """The header and the source."""
    algorithms = collections.defaultdict(list)
    for kernel in kernels:
        algorithms[kernel.algorithm].append(kernel)
    name, arguments = kernels[0].name, kernels[0].arguments
    declarations = [f"CUresult {algorithm}({_declared(arguments)});\nvoid load_{algorithm}(void);\n"
                    f"void unload_{algorithm}(void);" for algorithm in algorithms]
    declarations += [f"int {name}_get_num_algos(void);",
                     f"CUresult {name}_default({_declared(arguments)});",
                     f"CUresult {name}({_declared(arguments, 'int algo_id')});",
                     f"void load_{name}(void);", f"void unload_{name}(void);"]
    header = "#include <cuda.h>\n#include <stdint.h>\n\n" + "\n".join(declarations) + "\n"
    source = ["#include <cuda.h>\n#include <stdint.h>\n"]
    for algorithm, members in algorithms.items():
        members = sorted(members, key=lambda one: -one.count)
        source += [f"CUresult {one.symbol}({_declared(one.passed())});\nvoid load_{one.symbol}(void);\n"
                   f"void unload_{one.symbol}(void);" for one in members]
        calls = "".join(f"  if ({one.condition()})\n    return {one.symbol}({_named(one.passed())});\n"
                        for one in members)
        source.append(f"CUresult {algorithm}({_declared(arguments)}) {{\n{calls}"
                      "  return CUDA_ERROR_INVALID_VALUE;\n}")
        source += [_for_each(verb, algorithm, [one.symbol for one in members])
                   for verb in ("load", "unload")]
    source.append(f"static CUresult (*const {name}_kernels[])({_declared(arguments)}) = {{"
                  f"{', '.join(algorithms)}}};")
    source.append(f"int {name}_get_num_algos(void) {{ return {len(algorithms)}; }}")
    source.append(f"CUresult {name}({_declared(arguments, 'int algo_id')}) {{\n"
                  f"  if (algo_id < 0 || algo_id >= {len(algorithms)})\n"
                  "    return CUDA_ERROR_INVALID_VALUE;\n"
                  f"  return {name}_kernels[algo_id]({_named(arguments)});\n}}")
    source.append(f"CUresult {name}_default({_declared(arguments)}) {{\n"
                  f"  return {name}({_named(arguments, '0')});\n}}")
    source += [_for_each(verb, name, algorithms) for verb in ("load", "unload")]
    return header, "\n\n".join(source) + "\n"


def _for_each(verb, name, others):
    calls = "".join(f"  {verb}_{other}();\n" for other in others)
    return f"void {verb}_{name}(void) {{\n{calls}}}"


def main():
    parser = argparse.ArgumentParser(description="Makes one entry of the kernels of headers.")
    parser.add_argument("headers", nargs="+", type=pathlib.Path, help="those that compile.py wrote")
    parser.add_argument("--out", "-o", type=pathlib.Path, required=True)
    parser.add_argument("--prefix", default="", help="accepted, as in Triton")
    args = parser.parse_args()
    try:
        header, source = texts(read(args.headers))
    except LinkerError as error:
        raise SystemExit(f"error: {error}") from None
    args.out.with_suffix(".h").write_text(header)
    args.out.with_suffix(".c").write_text(source)


if __name__ == "__main__":
    main()
