"""Programs in CPython and in the compiler."""

import builtins
import dataclasses
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
# What programs import, once for all of their processes.
import collections.abc, contextlib, copy, enum, functools, importlib.util, itertools  # noqa: E401, F401
import json, math, operator, pathlib, resource, types, typing, warnings  # noqa: E401, F401

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "stub"))
import triton.language as tl  # noqa: E402

# What the processes of both see of the environment, besides what runs them.
VARIABLES = {"TW_SET": "3", "TW_TEXT": "on", "TW_EMPTY": ""}
UNSET = ["TW_UNSET", "TW_NEW"]
# Seconds after which a program counts as one that does not end.
LIMIT = 4


def is_plain(value):
    """Whether a kernel can print it as Python does: a number, a text or a tuple of these."""
    if type(value) in (tuple, list):
        return all(map(is_plain, value))
    return value is None or type(value) in (bool, int, float, str)


@dataclasses.dataclass
class Outcome:
    """What became of a program: the texts of its values, or where an exception was raised."""
    values: dict = dataclasses.field(default_factory=dict)
    # (path, line, text) of the innermost statement at the level of a module that raised.
    raised: tuple = None
    # (path, number) of the chunks that raised, of a program whose chunks are tried one by one.
    chunks: list = dataclasses.field(default_factory=list)
    # The numbers of values that are no plain ones.
    other: list = dataclasses.field(default_factory=list)


def _place_of(error, folder):
    """Where the module-level statement stands that raised it."""
    if isinstance(error, SyntaxError) and error.filename:
        return os.path.relpath(error.filename, folder), error.lineno
    place = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        path = os.path.realpath(frame.f_code.co_filename)
        if path.startswith(folder + os.sep) and frame.f_code.co_name == "<module>":
            place = os.path.relpath(path, folder), line
    return place


def _import(program, folder, tolerant):
    """The program in this process, which is left in a state of its own."""
    os.environ.update(VARIABLES)
    for name in UNSET:
        os.environ.pop(name, None)
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    outcome = Outcome()
    builtins.raised_by = lambda path, number: outcome.chunks.append((path, number))
    try:
        names = vars(importlib.import_module(program.module))
        for number, expression in program.values.items() if not tolerant else ():
            try:
                value = eval(expression, names)
            except Exception:
                outcome.other.append(number)
                continue
            is_constexpr = isinstance(value, tl.constexpr)
            value = value.value if is_constexpr else value
            if is_constexpr and is_plain(value):
                outcome.values[number] = repr((value,))
            else:
                outcome.other.append(number)
    except BaseException as error:
        place = _place_of(error, folder)
        outcome = Outcome(raised=(*(place or (None, 0)), f"{type(error).__name__}: {error}"))
    return outcome


def by_cpython(program, tolerant=False):
    """The program imported by a child of this process; if `tolerant`, with each chunk in a `try`."""
    folder = os.path.realpath(tempfile.mkdtemp())
    program.write(folder, tolerant=tolerant)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            silent = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(silent, descriptor)
            resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(pickle.dumps(_import(program, folder, tolerant)))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    shutil.rmtree(folder)
    return pickle.loads(data) if data else Outcome(raised=(None, 0, "it does not end"))


class FrontEnd:
    """The tool module-values, started again where a program ends it."""

    def __init__(self, tool):
        self.tool, self.process = tool, None

    def _start(self):
        environment = {**os.environ, **VARIABLES}
        for name in UNSET:
            environment.pop(name, None)
        self.process = subprocess.Popen([self.tool], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, env=environment)

    def compile(self, path):
        """(whether it compiles, what it says); None for the first if it ended the tool."""
        if not self.process:
            self._start()
        self.process.stdin.write(path + "\n")
        self.process.stdin.flush()
        said = []
        for line in self.process.stdout:
            if line in ("0\n", "1\n"):
                return line == "0\n", "".join(said)
            said.append(line)
        self.process.wait()
        self.process = None
        return None, "".join(said)

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


PLACE = re.compile(r"^(\S*\.py):(\d+):(\d+): error: ", re.MULTILINE)


@dataclasses.dataclass
class Findings:
    """What the compiler makes of a program's values."""
    same: list = dataclasses.field(default_factory=list)
    # number -> what the compiler says
    refused: dict = dataclasses.field(default_factory=dict)
    # (kind, number or None, text)
    faults: list = dataclasses.field(default_factory=list)


def _blamed(said, folder, program):
    """The number of the value that the kernel was refused for, by the note in the kernel."""
    last = program.text(program.main).count("\n")
    first = last - program.kernel(False).count("\n") + 2
    numbers = list(program.values)
    for line in re.findall(re.escape(program.main) + r":(\d+):\d+: (?:error|note)", said):
        if 1 <= int(line) - first < len(numbers) + 1:
            return numbers[int(line) - first - 1]
    return None


def by_compiler(program, expected, front_end):
    """Compiles the kernel, without a value for which it is refused, until it is not."""
    found = Findings()
    rest = program.copy()
    for number in expected.other:
        rest.values.pop(number, None)
    folder = tempfile.mkdtemp()
    try:
        rest.write(folder)
        while rest.values:
            rest.write(folder)
            compiles, said = front_end.compile(os.path.join(folder, rest.main))
            said = said.replace(folder + "/", "")
            if compiles is None:
                found.faults.append(("crash", None, said))
                break
            if compiles:
                _compare(rest, expected, said, found)
                break
            if not PLACE.search(said):
                found.faults.append(("refused without a place", None, said))
                break
            number = _blamed(said, folder, rest)
            if number is None:
                found.refused.update(dict.fromkeys(rest.values, said))
                break
            found.refused[number] = said
            del rest.values[number]
    finally:
        shutil.rmtree(folder)
    return found


def _compare(program, expected, said, found):
    printed = dict(re.findall(r"@(\d+) (\(.*,\))$", said, re.MULTILINE))
    for number in program.values:
        ours, theirs = printed.get(str(number)), expected.values[number]
        if ours == theirs:
            found.same.append(number)
        else:
            found.faults.append(("silent difference", number,
                                 f"{program.values[number]} is {ours}, and {theirs} in CPython"))


def on_simulator(program, expected, tilewright):
    """Runs the kernel, which stores the values that are numbers; (kind, number, text) of faults."""
    import struct
    rest = program.copy()
    numbers = {}
    for number, text in expected.values.items():
        value, = eval(text, {"inf": float("inf"), "nan": float("nan")})
        if type(value) in (bool, int, float) and abs(value) < 1 << 24:
            numbers[number] = struct.unpack("f", struct.pack("f", value))[0]
    rest.values = {number: rest.values[number] for number in numbers}
    if not numbers:
        return []
    with tempfile.TemporaryDirectory() as folder:
        rest.write(folder, stores=True)
        result = os.path.join(folder, "out.npy")
        size = max(numbers) + 1
        done = subprocess.run(
            [tilewright, "run", os.path.join(folder, rest.main), "--kernel", "k", "--signature",
             "*fp32", "--grid", "1", "--num-warps", "1", "--no-cache", "--arg",
             f"out=zeros({size})", "--save", f"out={result}"],
            capture_output=True, text=True, env={**os.environ, **VARIABLES})
        if done.returncode:
            return [("not run", None, done.stdout + done.stderr)]
        with open(result, "rb") as file:
            stored = struct.unpack(f"{size}f", file.read()[-4 * size:])
    return [("silent difference", number, f"{stored[number]} is stored for {value}")
            for number, value in numbers.items()
            if stored[number] != value and stored[number] == stored[number]]
