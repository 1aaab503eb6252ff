"""Compares the values that kernels see in a module's names with those that CPython gives them.

    compare_names.py TILEWRIGHT FILE.py ...

Each file is run by CPython with a `triton` of a few lines in place of Triton, and is compiled with a
kernel appended that prints its names. Of all names in capitals that are a tl.constexpr the values
must be the same. What a file imports lies beside it.
"""
import os
import re
import subprocess
import sys
import tempfile

TRITON = '''
__version__ = "3.6.0"
def jit(function): return function
constexpr_function = jit
'''
LANGUAGE = '''
class constexpr:
    def __init__(self, value): self.value = value.value if isinstance(value, constexpr) else value
    def __add__(self, other): return constexpr(self.value + other)
def gather(source, index, axis): pass
'''
VERSION = '''
def parse(text): return tuple(int(part) for part in text.split("."))
'''


def names_by_cpython(path, folder):
    """NAME -> value, in a process of its own that imports the file as a module."""
    package = os.path.join(folder, "triton")
    os.makedirs(package, exist_ok=True)
    os.makedirs(os.path.join(folder, "packaging"), exist_ok=True)
    for name, text in (("triton/__init__.py", TRITON), ("triton/language.py", LANGUAGE),
                       ("packaging/version.py", VERSION)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    stem = os.path.splitext(os.path.basename(path))[0]
    program = (f"import {stem}, triton.language as tl\n"
               f"print({{n: v.value for n, v in vars({stem}).items() if n.isupper() and "
               "isinstance(v, tl.constexpr)})")
    paths = os.pathsep.join([os.path.dirname(os.path.abspath(path)), folder])
    done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": paths}, check=True)
    return eval(done.stdout)


def names_by_compiler(tilewright, path, names, folder):
    with open(path) as file:
        text = file.read()
    prints = "".join(f'    tl.static_print("@{name}=", {name}, "@")\n' for name in names)
    source = os.path.join(folder, os.path.basename(path))
    with open(source, "w") as file:
        file.write(text + f"\n\n@triton.jit\ndef print_names(p):\n{prints}    tl.store(p, 0)\n")
    done = subprocess.run([tilewright, "compile", source, "--kernel", "print_names", "--signature",
                           "*i32", "--path", os.path.dirname(os.path.abspath(path)), "-o",
                           os.path.join(folder, "out")], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return dict(re.findall(r"@(\w+)= (.*) @", done.stderr))


def main():
    tilewright, files = sys.argv[1], sys.argv[2:]
    failures = compared = 0
    for path in files:
        with tempfile.TemporaryDirectory() as folder:
            expected = names_by_cpython(path, folder)
            found = names_by_compiler(tilewright, path, expected, folder)
        compared += len(expected)
        for name, value in expected.items():
            if found.get(name) != str(value):
                failures += 1
                print(f"{path}: {name} is {found.get(name)} to a kernel, and {value} to CPython")
    print(f"{compared} names, {failures} differences")
    return 1 if failures or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
