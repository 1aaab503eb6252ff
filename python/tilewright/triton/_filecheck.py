"""triton._filecheck: the text of a kernel's first stage beside patterns in its docstring, by LLVM's
FileCheck where that is installed."""

import functools
import inspect
import os
import shutil
import subprocess
import tempfile

from . import _compiler
from ._driver import GPUTarget

#: The GPU that run_parser compiles for.
stub_target = GPUTarget("cuda", 100, 32)


class MatchError(ValueError):
    """A text that is not as its patterns say."""

    def __init__(self, message, module_str):
        super().__init__(message)
        self.module_str = module_str

    def __str__(self):
        return f"{super().__str__()}\n{self.module_str}"


class _Text:
    """A stage's text, by the methods that Triton's modules have."""

    def __init__(self, text):
        self._text = text

    def __str__(self):
        return self._text

    str_nodebug = str = __str__


def filecheck_program():
    """LLVM's FileCheck: the variable FILECHECK, else the one of that name in PATH, with the number of a
    version or without."""
    found = os.environ.get("FILECHECK") or next(filter(None, (
        shutil.which(name) for name in ("FileCheck", *(f"FileCheck-{n}" for n in range(25, 15, -1))))),
        None)
    if not found:
        raise RuntimeError("FileCheck is not found: LLVM's tools have it; FILECHECK says where it is")
    return found


def run_filecheck(name, module_str, check_template):
    """Checks a text against the patterns `CHECK: ..` of another; MatchError if it is not so."""
    del name
    with tempfile.TemporaryDirectory() as folder:
        text, patterns = os.path.join(folder, "module"), os.path.join(folder, "expected")
        for path, contents in ((text, module_str), (patterns, check_template)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(contents)
        done = subprocess.run([filecheck_program(), patterns, "--input-file", text,
                               "--dump-input-context=50"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise MatchError(done.stderr, module_str)


def run_parser(kernel_fn, args=(), kwargs=None, target=stub_target):
    """The first stage of a kernel for these arguments, tensors by MockTensor: `str()` is its text."""
    options = {name: value for name, value in (kwargs or {}).items()
               if name not in kernel_fn.arg_names}
    given = inspect.signature(kernel_fn.fn).bind(
        *args, **{name: value for name, value in (kwargs or {}).items() if name not in options})
    given.apply_defaults()
    from ._specialization import described
    signature, constants, hints = described(kernel_fn, given.arguments, target)
    source = _compiler.ASTSource(kernel_fn, signature, constants, hints)
    return _Text(_compiler.compile(source, target, options).asm["ttir"])


def run_filecheck_test(kernel_fn):
    """Checks a kernel's first stage against the patterns in its own text."""
    run_filecheck("placeholder", str(run_parser(kernel_fn)), inspect.getsource(kernel_fn.fn))


def filecheck_test(fn):
    """Makes a test of a kernel that has patterns in its text."""

    @functools.wraps(fn)
    def test_fn():
        run_filecheck_test(fn)

    return test_fn
