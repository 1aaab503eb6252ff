#!/usr/bin/env python3
"""gather.py PACKAGES OUTPUT [NAME ..]: kernels of packages that Triton compiles, with signatures.

PACKAGES holds one folder a package; each jitted function in it that a program could launch is
compiled by Triton for cuda:90, up to TTGIR, with guessed types and constants (guess.py) until
Triton takes a guess. OUTPUT/NAME.jsonl gets a line for each; files that are in OUTPUT/NAME.files
are not looked at again. Kernels are tried in a child process: Triton's passes may end it, or not
end.
"""

import argparse
import importlib
import json
import os
import random
import re
import select
import signal
import sys
import time
import traceback

import with_triton
from guess import guess, repaired
from parameters import uses_of
from records import append

#: Seconds: for one kernel's guesses; without a word from the child, in a kernel and in an import.
GUESSING, SILENCE, IMPORTING = 30, 45, 200
GUESSES, REPAIRS = 6, 12
#: Elements of a tensor in a thread: with more, a guess of the tiles is unreasonable.
LARGEST = 512
#: Characters of Triton's last message.
KEPT = 600
#: Other devices' kernels, other languages, and what no user calls.
_SKIPPED_FOLDERS = re.compile(r"ascend|npu|/(tests?|benchmarks?)(/|$)|/runtime/backend/_(?!nvidia)")
_SKIPPED_FILES = re.compile(r"ascend|npu|gluon")


def files_with_kernels(root):
    """In an order that mixes the folders, and is the same each time."""
    found = []
    for folder, _, names in os.walk(root):
        if _SKIPPED_FOLDERS.search(folder.removeprefix(root)):
            continue
        for name in names:
            if name.endswith(".py") and not _SKIPPED_FILES.search(name):
                path = os.path.join(folder, name)
                with open(path, errors="replace", encoding="utf-8") as file:
                    text = file.read()
                if "triton" in text and re.search(r"@.*\bjit\b", text):
                    found.append(path)
    found.sort()
    random.Random(1).shuffle(found)
    return found


def message_of(error):
    """With the messages of what caused it."""
    text = f"{type(error).__name__}: {error}"
    while error.__cause__ is not None:
        error = error.__cause__
        text += f" || {error}"
    return text


def accept(function, wrappers):
    """The record of the first guess that Triton takes; or what it said to the last."""
    tried, repairs, begun, last = set(), [], time.monotonic(), ""
    number = repaired_so_far = 0
    while (number < GUESSES or repairs) and time.monotonic() - begun < GUESSING:
        try:
            if repairs:
                kinds, constants, options = repairs.pop()
            else:
                number += 1
                kinds, constants, options = guess(function, wrappers, number - 1)
            text = repr((sorted(kinds.items()), sorted(map(str, constants.items()))))
            if text in tried:
                continue
            tried.add(text)
            options = {"num_warps": 4, "num_stages": 3, **options}
            aligned = {name: kind + ":16" if kind.startswith("*") or
                       ("stride" in name and kind == "i32") else kind
                       for name, kind in kinds.items()}
            compiling = time.monotonic()
            module, metadata = with_triton.compile_kernel(
                function, aligned, constants, options, "cuda:90", last="ttgir")
            seconds = time.monotonic() - compiling
            elements = with_triton.elements_a_thread(module, options["num_warps"])
            if elements > LARGEST:
                raise ValueError(f"{elements} elements of a tensor in a thread")
        except Exception as error:  # pylint: disable=broad-except; whatever Triton raises
            last = message_of(error)
            if repaired_so_far < REPAIRS:
                change = repaired(function, kinds, constants, last)
                if change:
                    repaired_so_far += 1
                    repairs.append((*change, options))
            continue
        entries = [[parameter.name, aligned.get(parameter.name) or
                    with_triton.as_text(constants[parameter.name])]
                   for parameter in function.params]
        return {"signature": entries, "text": None not in [entry[1] for entry in entries],
                "num_warps": options["num_warps"], "num_stages": options["num_stages"],
                "elements": elements, "triton_s": round(seconds, 3), "attempts": len(tried),
                "shared": metadata.get("shared", 0)}
    return {"error": last[-KEPT:], "attempts": len(tried)}


def module_name(path, root):
    parts = os.path.relpath(path, root)[:-len(".py")].split(os.sep)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def try_file(path, root, say, skipped):
    """Says what becomes of each kernel of a file, but of those with these names."""
    name = module_name(path, root)
    try:
        module = importlib.import_module(name)
    except BaseException as error:  # pylint: disable=broad-except; SystemExit as well
        say({"file": path, "module": name, "error": f"import: {error!r}"[:300]})
        return
    found = with_triton.kernels_of(module, path)
    called = set()
    for function, _ in found.values():
        called.update(inner.fn.__qualname__ for inner in uses_of(function).called)
    with open(path, errors="replace", encoding="utf-8") as file:
        text = file.read()
    for qualified, (function, wrappers) in found.items():
        launched = re.search(rf"\b{re.escape(function.fn.__name__)}\s*\[", text)
        helper = qualified in called or not uses_of(function).stores
        if qualified in skipped or "<lambda>" in qualified or (helper and not launched):
            continue
        say({"begin": qualified})
        decorators = [f"{type(w).__module__}.{type(w).__name__}" for w in wrappers]
        say({"kernel": qualified, "file": path, "module": name, "decorators": decorators,
             **accept(function, wrappers)})


def in_child(paths, root, skipped, errors):
    """Begins a child process that tries the files; returns its id and a pipe with its lines."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, reader
    os.close(reader)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    sys.setrecursionlimit(4000)
    say = lambda record: os.write(writer, (json.dumps(record) + "\n").encode())
    for path in paths:
        try:
            try_file(path, root, say, {kernel for file, kernel in skipped if file == path})
        except BaseException:  # pylint: disable=broad-except; the next file goes on
            traceback.print_exc()
        say({"end": path})
    os._exit(0)


class Gathering:
    """Of one package."""

    def __init__(self, packages, output, name, limit):
        self.root = os.path.join(packages, name)
        self.package, self.limit = name, limit
        self.output = os.path.join(output, name)
        self.done_path = self.output + ".files"
        done = set()
        if os.path.exists(self.done_path):
            with open(self.done_path, encoding="utf-8") as file:
                done = set(file.read().splitlines())
        self.paths = [path for path in files_with_kernels(self.root) if path not in done]
        #: (file, kernel) that was begun: no child begins it again.
        self.begun = set()
        self.current = None
        self.accepted = 0

    def run(self):
        with open(self.output + ".jsonl", "a", encoding="utf-8") as stream:
            while self.paths and self.accepted < self.limit:
                self._run_child(stream)
        print(f"{self.package}: {self.accepted} kernels, {len(self.paths)} files left", flush=True)

    def _finish(self, path):
        self.paths.remove(path)
        with open(self.done_path, "a", encoding="utf-8") as file:
            file.write(path + "\n")

    def _run_child(self, stream):
        child, reader = in_child(self.paths, self.root, self.begun, self.output + ".err")
        self.current = None
        data = b""
        while self.accepted < self.limit:
            if not select.select([reader], [], [], SILENCE if self.current else IMPORTING)[0]:
                break
            got = os.read(reader, 1 << 20)
            if not got:
                break
            *lines, data = (data + got).split(b"\n")
            for line in lines:
                self._take(json.loads(line), stream)
        os.close(reader)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if self.paths and self.accepted < self.limit:
            append(stream, {"package": self.package, "file": self.paths[0], "kernel": self.current,
                            "error": f"Triton's process ended with {status}, or said nothing"})
            if self.current is None:
                self._finish(self.paths[0])

    def _take(self, record, stream):
        if "end" in record:
            self._finish(record["end"])
        elif "begin" in record:
            self.current = record["begin"]
            self.begun.add((self.paths[0], self.current))
        else:
            append(stream, {**record, "package": self.package})
            self.accepted += "signature" in record
            self.current = None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("packages")
    parser.add_argument("output")
    parser.add_argument("names", nargs="*", help="folders of PACKAGES; all if none is named")
    parser.add_argument("--limit", type=int, default=1000, help="kernels a package")
    options = parser.parse_args()
    packages = os.path.abspath(options.packages)
    os.makedirs(options.output, exist_ok=True)
    with_triton.prepare(packages)
    for name in options.names or sorted(os.listdir(packages)):
        Gathering(packages, options.output, name, options.limit).run()


if __name__ == "__main__":
    main()
