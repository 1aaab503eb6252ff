"""Makes a failing program smaller while it fails in the same way."""

from .generate import repaired

MAX_TRIALS = 600


def _simpler(program):
    """Programs with a part left out, the largest parts first."""
    for number in list(program.values):
        if len(program.values) > 1:
            other = program.copy()
            other.values = {number: program.values[number]}
            yield other
    for path in list(program.files):
        if path != program.main and not path.endswith("__init__.py"):
            other = program.copy()
            del other.files[path]
            yield other
    for path, chunks in program.files.items():
        size = len(chunks)
        while size:
            for begin in range(len(chunks) - size, -1, -size):
                other = program.copy()
                del other.files[path][begin:begin + size]
                yield other
            size //= 2
    for path, chunks in program.files.items():
        for position, chunk in enumerate(chunks):
            lines = chunk.split("\n")
            for index in range(len(lines)):
                if len(lines) > 1:
                    other = program.copy()
                    other.files[path][position] = "\n".join(lines[:index] + lines[index + 1:])
                    yield other
            if chunk.startswith("import collections"):
                for wanted in ("import os", "import sys", "import os, sys", ""):
                    other = program.copy()
                    other.files[path][position] = "\n".join(
                        filter(None, [wanted, "import triton\nimport triton.language as tl"]))
                    yield other


def reduced(program, fails):
    """`fails(program)`: whether it still fails in the same way, as CPython runs it."""
    trials, improved = 0, True
    while improved and trials < MAX_TRIALS:
        improved = False
        for candidate in _simpler(program):
            trials += 1
            if trials > MAX_TRIALS:
                break
            if fails(candidate):
                program, improved = candidate, True
                break
    return program
