"""Bad input: each an exception that says what to do, at the caller's line."""

import os
import subprocess
import sys
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
    (lambda: kernels.scale[(1,)](X, X, 64, 1.0, target=90), TypeError, "target is a text, such as"),
    (lambda: kernels.scale[(1,)](X.astype(complex), X, 64, 1.0), TypeError, "complex128"),
    (lambda: kernels.scale[(1,)](X.astype(">f4"), X, 64, 1.0), TypeError, ">f4"),
    (lambda: kernels.scale[(1,)]([1.0], X, 64, 1.0), TypeError, "'x' is a list"),
    (lambda: kernels.scale[(1, 2, 3, 4)](X, X, 64, 1.0), TypeError, "one to three integers"),
    (lambda: kernels.scale["x"](X, X, 64, 1.0), TypeError, "and not 'x'"),
    (lambda: kernels.scale[(1.5,)](X, X, 64, 1.0), TypeError, "integers, and not 1.5"),
    (lambda: kernels.scale[(-1,)](X, X, 64, 1.0), ValueError, "got -1"),
    (lambda: kernels.scale[(1,)](X, X, 64, 1.0, num_warps="4"), TypeError, "not '4'"),
    (lambda: kernels.scale(X, X, 64, 1.0), TypeError, "call it with a grid"),
])
def test_calls(call, error, text):
    with pytest.raises(error, match=None) as raised:
        call()
    assert text in str(raised.value)
    assert "kernels.scale" in text or raised_here(raised) or error is TypeError


def test_a_class_of_arrays_and_the_end_of_the_process():
    """It names the module's kernels, is kept, and nothing is printed about that."""
    program = """
import numpy as np, kernels
class Array:
    def __init__(self, array): self.array = array
    @property
    def __array_interface__(self): return self.array.__array_interface__
    def kernel(self): return kernels
kernels.scale[(1,)](Array(np.zeros(64, np.float32)), np.zeros(64, np.float32), 64, 2.0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          cwd=os.path.dirname(__file__))
    assert (done.returncode, done.stderr) == (0, "")
