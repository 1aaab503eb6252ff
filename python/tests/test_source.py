"""The source that is compiled has the values that Python has."""

import importlib
import sys
import types

import numpy as np
import pytest

import kernels
import shared_constants
import tilewright
import tilewright.language as tl

FACTOR = tl.constexpr(2)
ANNOTATED: tl.constexpr = 7
PLAIN = 3


@tilewright.jit
def twice(x):
    return x * FACTOR


@tilewright.jit
def global_kernel(out):
    tl.store(out, twice(5))


def value_of(kernel, *args, dtype=np.int32, **kwargs):
    out = np.zeros(1, dtype)
    kernel[(1,)](out, *args, **kwargs)
    return out[0]


def test_globals_are_those_of_now(monkeypatch):
    assert value_of(global_kernel) == 10
    monkeypatch.setattr(sys.modules[__name__], "FACTOR", tl.constexpr(3))
    assert value_of(global_kernel) == 15
    monkeypatch.setattr(sys.modules[__name__], "twice", kernels.negate)
    assert value_of(global_kernel) == -5
    monkeypatch.undo()
    assert value_of(global_kernel) == 10


def test_annotated_globals():
    @tilewright.jit
    def kernel(out):
        tl.store(out, ANNOTATED)

    assert value_of(kernel) == 7


def test_a_plain_global_is_refused_where_it_is_used():
    @tilewright.jit
    def kernel(out):
        tl.store(out, PLAIN)

    with pytest.raises(tilewright.CompileError, match="global variable PLAIN from within a kernel: it is no constexpr") as raised:
        value_of(kernel)
    assert raised.value.file == __file__ and "tl.store(out, PLAIN)" in raised.value.source_line


def test_a_plain_function_is_refused():
    with pytest.raises(tilewright.CompileError, match="no jitted function"):
        @tilewright.jit
        def kernel(out):
            tl.store(out, value_of(1))

        value_of(kernel)


def test_other_modules(monkeypatch):
    out = np.zeros(4, np.int32)
    kernels.offsets[(1,)](out, 4)
    np.testing.assert_array_equal(out, [100, 103, 106, 109])
    monkeypatch.setattr(shared_constants, "STEP", tl.constexpr(1))
    monkeypatch.setattr(shared_constants, "BASE", tl.constexpr(0))
    kernels.offsets[(1,)](out, 4)
    np.testing.assert_array_equal(out, [0, 1, 2, 3])


def test_plain_values_of_modules():
    @tilewright.jit
    def kernel(out):
        if tl.constexpr(shared_constants.NOTHING is None):
            tl.store(out, shared_constants.PLAIN)

    assert value_of(kernel) == 7


def test_closures():
    x = np.full(4, 2, np.float32)
    out = np.zeros_like(x)
    for exponent in (2, 3, 5):
        kernels.make_power(exponent)[(1,)](x, out, 4)
        assert (out == 2**exponent).all()


def test_a_closure_that_changes():
    step = tl.constexpr(1)

    @tilewright.jit
    def kernel(out):
        tl.store(out, step)

    assert value_of(kernel) == 1
    step = tl.constexpr(9)
    assert value_of(kernel) == 9


def test_two_functions_with_one_name():
    def make(value):
        VALUE = tl.constexpr(value)

        @tilewright.jit
        def part():
            return VALUE

        return part

    first, second = make(10), make(300)

    @tilewright.jit
    def kernel(out):
        tl.store(out, first() + second())

    assert value_of(kernel) == 310


def test_methods_of_a_class():
    out = np.zeros(4, np.float32)
    kernels.Methods.fill[(1,)](out, 2.5, 4)
    kernels.Methods().fill[(1,)](out[:2], 3.5, 2)
    np.testing.assert_array_equal(out, [3.5, 3.5, 2.5, 2.5])


def test_constants_of_a_class():
    class Settings:
        VALUE = tl.constexpr(11)

    @tilewright.jit
    def kernel(out):
        tl.store(out, Settings.VALUE)

    assert value_of(kernel) == 11
    Settings.VALUE = tl.constexpr(12)
    assert value_of(kernel) == 12


def test_constexpr_functions_and_defaults():
    @tilewright.constexpr_function
    def squared(x):
        return x * x

    base = 5

    @tilewright.jit
    def plus(x, amount: tl.constexpr = base):
        return x + amount

    @tilewright.jit
    def kernel(out, N: tl.constexpr):
        tl.store(out, plus(squared(N)))

    base = 100
    assert squared(4) == 16
    assert value_of(kernel, 4) == 21


def test_jit_of_a_function_without_a_decorator():
    def kernel(out):
        tl.store(out, unknown + 1)  # noqa: F821

    jitted = tilewright.jit(kernel)
    with pytest.raises(tilewright.CompileError, match="unknown") as raised:
        value_of(jitted)
    assert raised.value.line == kernel.__code__.co_firstlineno + 1


def test_errors_in_a_helper_of_another_file(tmp_path, monkeypatch):
    (tmp_path / "faulty_helper.py").write_text(
        "import tilewright\nimport tilewright.language as tl\n\n\n"
        "@tilewright.jit\ndef broken(x):\n    return tl.arange(0, 100) + x\n")
    monkeypatch.syspath_prepend(tmp_path)
    broken = importlib.import_module("faulty_helper").broken

    @tilewright.jit
    def kernel(out):
        tl.store(out, broken(1))

    with pytest.raises(tilewright.CompileError) as raised:
        value_of(kernel)
    assert raised.value.file == str(tmp_path / "faulty_helper.py") and raised.value.line == 7
    assert "^" in str(raised.value) and "power of 2" in raised.value.message


def test_text_without_a_file():
    """As notebooks do it: the text is known to linecache alone."""
    import linecache
    text = ("@tilewright.jit\ndef cell(out):\n    tl.store(out, 42)\n")
    name = "<cell 1>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"tilewright": tilewright, "tl": tl}
    exec(compile(text, name, "exec"), namespace)
    assert value_of(namespace["cell"]) == 42


def test_no_text_at_all():
    namespace = {"tilewright": tilewright, "tl": tl}
    exec("@tilewright.jit\ndef lost(out):\n    tl.store(out, 42)\n", namespace)
    with pytest.raises(tilewright.CompileError, match="cannot be read"):
        value_of(namespace["lost"])


def test_a_file_that_is_edited_later(tmp_path, monkeypatch):
    """What was imported is what is compiled."""
    file = tmp_path / "edited_kernel.py"
    text = ("import tilewright\nimport tilewright.language as tl\n\n\n"
            "@tilewright.jit\ndef kernel(out):\n    tl.store(out, 1)\n")
    file.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("edited_kernel")
    file.write_text("# a line more\n" + text.replace("out, 1", "out, 2"))
    assert value_of(module.kernel) == 1
    assert value_of(importlib.reload(module).kernel) == 2


def test_host_functions():
    assert tilewright.cdiv(7, 2) == 4 and tilewright.next_power_of_2(65) == 128
    assert tl.constexpr(3) + 4 == 7 and isinstance(tl.float32, tl.dtype)
    with pytest.raises(RuntimeError, match="function of kernels"):
        tl.load(1)
    with pytest.raises(AttributeError):
        tl.constexpr(1).value = 2
    assert isinstance(tl.math, types.ModuleType) and repr(tl.float16) == "triton.language.float16"


def test_the_compiler_has_the_functions_of_the_language():
    names = "".join(f"    a{i} = tl.{name}\n" for i, name in enumerate(
        [*tl._FUNCTIONS, "cdiv", *(one[1] for one in tl._DTYPES)]))
    text = f"import triton\nimport triton.language as tl\n\n@triton.jit\ndef f(x):\n{names}"
    tilewright.compile(tilewright.Source(text), signature="*fp32")


def test_a_launch_looks_at_each_name_once():
    """However often the source has it."""
    array = np.zeros(64, np.float32)
    kernels.add.warmup(array, array, array, 64, BLOCK=64)
    watched = [(id(container), name) for container, name, _ in kernels.add._program.watches]
    assert watched and len(set(watched)) == len(watched)


def test_python_has_run_a_package_before_its_kernels_are_compiled(tmp_path, monkeypatch):
    """What the files of a package do to names is of no account: Python's objects have the values."""
    package = tmp_path / "changed_package"
    package.mkdir()
    (package / "__init__.py").write_text(
        "import os\n"
        "import sys\n"
        "import types\n"
        "class Changed(types.ModuleType):\n"
        "    pass\n"
        "sys.modules[__name__].__class__ = Changed\n"
        "from . import kernels\n"
        "setattr(kernels, os.environ.get('NAME', 'FACTOR'), kernels.tl.constexpr(11))\n"
        "globals().update({chr(120): 1})\n")
    (package / "kernels.py").write_text(
        "import tilewright\n"
        "import tilewright.language as tl\n"
        "FACTOR = tl.constexpr(2)\n"
        "@tilewright.jit\n"
        "def kernel(out):\n"
        "    tl.store(out, FACTOR)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("changed_package.kernels")
    assert value_of(module.kernel) == 11
    (package / "__init__.py").write_text("this is no Python\n")
    assert value_of(module.kernel, num_warps=2) == 11
