"""Bad input: each an exception that says what to do, at the caller's line."""

import traceback

import numpy as np
import pytest

import kernels
import tilewright
import tilewright.language as tl


def raised_here(raised):
    """Whether the innermost frame is one of this file."""
    return traceback.extract_tb(raised.tb)[-1].filename == __file__


X = np.zeros(64, np.float32)


@pytest.mark.parametrize("call, error, text", [
    (lambda: kernels.scale[(1,)](X, X, 64), TypeError, "misses the argument 'factor'"),
    (lambda: kernels.scale[(1,)](X, X, 64, 1.0, 64, 5), TypeError, "takes 5 arguments and got 6"),
    (lambda: kernels.scale[(1,)](X, X, 64, 1.0, BLOK=64), TypeError, "has no parameter 'BLOK'"),
    (lambda: kernels.scale[(1,)](X, X, 64, 1.0, x=X), TypeError, "got the argument 'x' twice"),
    (lambda: kernels.scale[(1,)](X, X, "n", 1.0), TypeError, "'n' is a str"),
    (lambda: kernels.scale[(1,)](X, X, 1 << 70, 1.0), OverflowError, "'n' is an integer of more than"),
    (lambda: kernels.scale[(1,)](X, X, 64, 1.0, BLOCK=X), TypeError, "'BLOCK' is an array"),
    (lambda: kernels.scale[(1,)](X.astype(complex), X, 64, 1.0), TypeError, "complex128"),
    (lambda: kernels.scale[(1,)](X.astype(">f4"), X, 64, 1.0), TypeError, ">f4"),
    (lambda: kernels.scale[(1,)]([1.0], X, 64, 1.0), TypeError, "'x' is a list"),
    (lambda: kernels.scale[(1, 2, 3, 4)](X, X, 64, 1.0), TypeError, "one to three integers"),
    (lambda: kernels.scale["x"](X, X, 64, 1.0), TypeError, "one to three integers"),
    (lambda: kernels.scale[(1.5,)](X, X, 64, 1.0), TypeError, "float"),
    (lambda: kernels.scale[(-1,)](X, X, 64, 1.0), ValueError, "got -1"),
    (lambda: kernels.scale[(1,)](X, X, 64, 1.0, num_warps="4"), TypeError, "num_warps"),
    (lambda: kernels.scale(X, X, 64, 1.0), TypeError, "call it with a grid"),
])
def test_calls(call, error, text):
    with pytest.raises(error, match=None) as raised:
        call()
    assert text in str(raised.value)
    assert "kernels.scale" in text or raised_here(raised) or error is TypeError


@pytest.mark.parametrize("options, text", [
    ({"num_warps": 3}, "a block cannot have 3 warps"),
    ({"num_stages": -1}, "there cannot be -1 stages"),
    ({"num_ctas": 3}, "3"),
    ({"target": "cuda:1"}, "cuda:1"),
    ({"maxnreg": 0}, "maxnreg cannot be 0"),
    ({"enable_fp_fusion": 2}, "enable_fp_fusion cannot be 2"),
    ({"waves_per_eu": 2}, "cuda:90 has no launch option waves_per_eu"),
    ({"maxnreg": 64, "target": "hip:gfx1201"}, "hip:gfx1201 has no launch option maxnreg"),
])
def test_options(options, text):
    with pytest.raises(tilewright.CompileError) as raised:
        kernels.scale[(1,)](X, X, 64, 1.0, **options)
    assert text in str(raised.value)
    # The option by its name here, in the message or in the remedy, and not by the command's.
    assert any(name in str(raised.value) for name in options) and "--" not in str(raised.value)


def test_a_syntax_of_kernels():
    @tilewright.jit
    def kernel(x):
        tl.store(x + tl.arange(0, 100), 1.0)

    with pytest.raises(tilewright.CompileError) as raised:
        kernel[(1,)](X)
    error = raised.value
    assert error.file == __file__ and error.column > 0 and "128" in error.remedy
    assert error.line == kernel.fn.__code__.co_firstlineno + 2
    assert "tl.arange(0, 100)" in str(error) and "^~" in str(error)


def test_an_access_outside_of_an_array():
    small = np.zeros(60, np.float32)
    with pytest.raises(tilewright.SimulationError) as raised:
        kernels.scale[(1,)](X, small, 64, 1.0)
    error = raised.value
    assert error.line == kernels.scale.fn.__code__.co_firstlineno + 3
    assert "argument 'out'" in str(error) and "tl.store(out" in error.source_line


def test_an_array_that_is_read_only():
    fixed = np.zeros(64, np.float32)
    fixed.flags.writeable = False
    out = np.ones_like(fixed)
    kernels.scale[(1,)](fixed, out, 64, 1.0)
    assert not out.any()
    with pytest.raises(tilewright.SimulationError, match="read-only"):
        kernels.scale[(1,)](X, fixed, 64, 1.0)


def test_errors_do_not_stay():
    """After any of them the kernel can be launched."""
    out = np.zeros(64, np.float32)
    kernels.scale[(1,)](np.ones(64, np.float32), out, 64, 2.0)
    assert (out == 2).all()
