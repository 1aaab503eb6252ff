#!/usr/bin/env python3
"""Compares the IR of Gluon kernels with what Triton's own front end makes of them.

usage: compare_frontend.py record TESTS.py OUT.json     needs triton 3.6, pytest, expecttest
       compare_frontend.py compare OUT.json TILEWRIGHT TILEWRIGHT-OPT [--show NAME]

`record` runs Triton's tests of the front end (python/test/gluon/test_frontend.py) and keeps each
kernel that they compile: source, signature, target, options, IR. No GPU is needed. `compare`
compiles the same kernels from the same file and prints how many have the same IR: inlined, in
canonical form and without common subexpressions on both sides, since Triton's front end emits a
constant at each use. Exit code 0, whatever is different.
"""

import json
import os
import re
import subprocess
import sys
import tempfile


def record(tests, out):
    """Runs the tests in other processes: one that ends with a test is begun anew without it."""
    skipped = []
    with tempfile.TemporaryDirectory() as folder:
        lines = os.path.join(folder, "lines")
        while True:
            with open(lines, "w"):
                pass
            done = subprocess.run([sys.executable, __file__, "run", tests, lines, *skipped],
                                  capture_output=True, text=True)
            with open(lines) as file:
                read = [json.loads(line) for line in file]
            if done.returncode >= 0:
                break
            skipped.append(read[-1]["begun"])
            print("ends Triton itself:", skipped[-1])
    kernels = [one for one in read if "begun" not in one]
    with open(out, "w") as file:
        json.dump(kernels, file, indent=1)
    print(len(kernels), "kernels with IR")


def run_tests(tests, out, skipped):
    import pytest
    import triton.experimental.gluon._runtime as runtime

    file = open(out, "a")
    current = [""]

    def write(entry):
        file.write(json.dumps(entry) + "\n")
        file.flush()

    class Plugin:
        def pytest_collection_modifyitems(self, items):
            items[:] = [item for item in items if item.name not in skipped]

        def pytest_runtest_setup(self, item):
            current[0] = item.name
            write({"begun": item.name})

    original = runtime.GluonASTSource.make_ir

    def make_ir(self, target, options, codegen_fns, module_map, context):
        module = original(self, target, options, codegen_fns, module_map, context)
        write({
            "test": current[0], "kernel": self.fn.fn.__qualname__.replace(".<locals>", ""),
            "file": self.fn.fn.__code__.co_filename, "signature": signature_of(self),
            "target": "%s:%s" % (target.backend, target.arch), "num_warps": options.num_warps,
            "num_ctas": options.num_ctas, "ir": module.str_nodebug(),
        })
        return module

    runtime.GluonASTSource.make_ir = make_ir
    pytest.main([tests, "-q", "-p", "no:cacheprovider"], plugins=[Plugin()])


def spell(value):
    name = type(value).__name__
    if name == "constexpr":
        return spell(value.value)
    if name == "dtype":
        return "tl." + {"fp16": "float16", "fp32": "float32", "bf16": "bfloat16", "fp64": "float64",
                        "fp8e5": "float8e5", "fp8e4nv": "float8e4nv"}.get(value.name, value.name)
    if name in ("distributed_type", "shared_memory_descriptor_type"):
        fields = [spell(value.element_ty).removeprefix("tl."), [int(size) for size in value.shape],
                  value.layout]
        if name != "distributed_type":
            fields.append([int(size) for size in value.alloc_shape])
        return "%s(%s)" % (name, ", ".join(map(str, fields)))
    if name == "JITFunction" or name == "GluonJITFunction":
        return "@" + value.fn.__name__
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(map(spell, value)) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def signature_of(source):
    """The signature as `tilewright compile` takes it."""
    parts = []
    for index, (name, kind) in enumerate(source.signature.items()):
        if kind == "constexpr":
            parts.append(spell(source.constants[(index,)]))
            continue
        attributes = dict(map(tuple, source.attrs.get((index,), [])))
        divisibility = attributes.get("tt.divisibility")
        parts.append(str(kind) + (":%d" % divisibility if divisibility and
                                  not str(kind).startswith("tensordesc") else ""))
    return ", ".join(parts)


PASSES = ["--inline", "--symbol-dce", "--canonicalize", "--cse", "--canonicalize", "--cse"]


def normalized(text, opt):
    """The IR in canonical form; the error's text where there is one."""
    text = re.sub(r", tt\.pointer_range = 32 : i32", "", text)
    done = subprocess.run([opt, *PASSES, "-"], input=text, capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr.strip()
    result = re.sub(r' loc\(.*?\)$', "", done.stdout, flags=re.M)
    result = re.sub(r"^#loc.*\n", "", result, flags=re.M)
    return renumbered(re.sub(r'@("[^"]*"|[\w.]+)\(', "@f(", result)), ""


def renumbered(text):
    """Constants in the place of their names, and the other values numbered anew: where a constant
    stands is left open."""
    lines = []
    constants = {}
    for line in text.splitlines():
        constant = re.match(r"\s*(%\w+) = arith\.constant (.*)$", line)
        if constant:
            constants[constant[1]] = "{" + constant[2] + "}"
        else:
            lines.append(line)
    names = {}

    def name(match):
        if match[0] in constants:
            return constants[match[0]]
        return names.setdefault(match[0], "%%v%d" % len(names))

    return "\n".join(re.sub(r"%[\w]+", name, line) for line in lines)


def compare_one(entry, tool, opt):
    """"same", or what is different."""
    with tempfile.TemporaryDirectory() as folder:
        command = [tool, "compile", entry["file"], "--kernel", entry["kernel"], "--signature",
                   entry["signature"], "--target", entry["target"], "--no-cache",
                   "--num-warps", str(entry["num_warps"]), "--num-ctas", str(entry["num_ctas"]),
                   "--dump-passes", folder + "/passes", "-o", folder]
        done = subprocess.run(command, capture_output=True, text=True)
        dumps = sorted(os.listdir(folder + "/passes")) if os.path.isdir(folder + "/passes") else []
        source = [name for name in dumps if "source" in name.lower()]
        if not source:
            return "refused: " + done.stderr.strip().split("\n")[0], "", ""
        with open(os.path.join(folder, "passes", source[0])) as file:
            ours, error = normalized(file.read(), opt)
    if ours is None:
        return "ours does not pass: " + error.split("\n")[0], "", ""
    theirs, error = normalized(entry["ir"], opt)
    if theirs is None:
        return "Triton's does not parse: " + error.split("\n")[0], "", ""
    return ("same" if ours == theirs else "different"), ours, theirs


def compare(path, tool, opt, show):
    with open(path) as file:
        kernels = json.load(file)
    counts = {}
    for entry in kernels:
        if show and show != entry["test"]:
            continue
        verdict, ours, theirs = compare_one(entry, tool, opt)
        counts[verdict.split(":")[0]] = counts.get(verdict.split(":")[0], 0) + 1
        if verdict != "same":
            print("%s (%s): %s" % (entry["test"], entry["target"], verdict))
        if show:
            print(entry["signature"], "\n=== ours\n", ours, "\n=== Triton's\n", theirs)
    print("%d kernels:" % sum(counts.values()),
          ", ".join("%d %s" % (count, name) for name, count in sorted(counts.items())))


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "record":
        record(*sys.argv[2:])
    elif len(sys.argv) >= 4 and sys.argv[1] == "run":
        run_tests(sys.argv[2], sys.argv[3], sys.argv[4:])
    elif len(sys.argv) in (5, 7) and sys.argv[1] == "compare":
        compare(*sys.argv[2:5], sys.argv[6] if len(sys.argv) == 7 else None)
    else:
        sys.exit(__doc__)
