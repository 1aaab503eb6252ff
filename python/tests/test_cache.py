"""The cache on disk, which the command line has as well."""

import os
import subprocess
import sys

import numpy as np
import pytest

import kernels
import tilewright
import tilewright.language as tl


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.delenv("TILEWRIGHT_CACHE", raising=False)
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def make_kernel(value):
    VALUE = tl.constexpr(value)

    @tilewright.jit
    def kernel(out):
        tl.store(out, VALUE)

    return kernel


def launch(value):
    out = np.zeros(1, np.int32)
    compiled = make_kernel(value)[(1,)](out)
    assert out[0] == value
    return compiled


def test_a_second_kernel_is_found():
    assert not launch(3).is_cached
    again = launch(3)
    assert again.is_cached and set(again.times) == {"cache"} and "ptx" in again.asm
    assert not launch(4).is_cached  # The value of a closure is part of the source.


def test_off(monkeypatch, cache):
    monkeypatch.setenv("TILEWRIGHT_CACHE", "off")
    assert not launch(5).is_cached and not launch(5).is_cached and not cache.exists()


def test_another_process_does_without_the_compiler():
    code = ("import sys, kernels, tilewright.language as tl; "
            "one = kernels.scale.warmup(tl.float32, tl.float32, 64, 2.0); "
            "print(one.is_cached, 'tilewright._compiler' in sys.modules)")
    outputs = [subprocess.run([sys.executable, "-c", code], check=True, capture_output=True,
                              text=True, cwd=os.path.dirname(kernels.__file__)).stdout.split()
               for _ in range(2)]
    assert outputs == [["False", "True"], ["True", "False"]]


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(file / "cache"))
    with pytest.raises(tilewright.CompileError, match="TILEWRIGHT_CACHE=off") as raised:
        launch(6)
    assert raised.value.remedy.count("TILEWRIGHT_CACHE=off") == 1


def test_a_folder_that_becomes_of_no_use(cache, capsys):
    """As where the disk is full: the kernel runs, and a warning at the launch says so, once."""
    launch(7)
    subprocess.run(["rm", "-r", str(cache)], check=True)
    cache.write_text("")
    with pytest.warns(UserWarning, match="cannot be kept here") as warned:
        launch(8)
    assert [one.filename for one in warned] == [__file__]
    launch(9)
    assert capsys.readouterr().out == ""


def test_errors_are_not_kept():
    @tilewright.jit
    def kernel(out):
        tl.store(out, missing)  # noqa: F821

    for _ in range(2):
        with pytest.raises(tilewright.CompileError, match="missing"):
            kernel[(1,)](np.zeros(1, np.int32))
