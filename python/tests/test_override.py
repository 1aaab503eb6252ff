"""Files that are launched in place of a kernel: the option ir_override."""

import re

import numpy as np
import pytest

import kernels
import tilewright
import tilewright.language as tl


@pytest.fixture
def stages(tmp_path):
    """Files of a kernel that is scale but for the sign of its result."""

    @tilewright.jit
    def scale(x, out, n, factor, BLOCK: tl.constexpr = 64):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, -(tl.load(x + at, at < n) * factor), at < n)

    x = np.zeros(64, np.float32)
    scale.warmup(x, x, 64, 2.0).write(tmp_path)
    return tmp_path


@pytest.mark.parametrize("suffix", ["ttir", "ttgir"])
def test_a_file_of_ir_takes_the_place_of_the_kernel(stages, suffix):
    x = np.arange(64, dtype=np.float32)
    out = np.zeros(64, np.float32)
    kernels.scale[(1,)](x, out, 64, 3.0, ir_override=str(stages / f"scale.{suffix}"))
    np.testing.assert_array_equal(out, -3 * x)
    kernels.scale[(1,)](x, out, 64, 3.0)
    np.testing.assert_array_equal(out, 3 * x)


def test_its_parameters_may_have_other_names(stages):
    file = stages / "scale.ttir"
    text = file.read_text()
    for i, name in enumerate(("x", "out", "n", "factor")):
        text = re.sub(rf"%{name}\b", f"%arg{i}", text)
    # Locations name parameters, too.
    text = re.sub(r"\s*loc\([^()]*(\([^()]*\))?\)", "", text)
    file.write_text(re.sub(r"(?m)^#loc.*$", "", text))
    x = np.arange(64, dtype=np.float32)
    out = np.zeros(64, np.float32)
    compiled = kernels.scale[(1,)](x, out, 64, 3.0, ir_override=str(file))
    np.testing.assert_array_equal(out, -3 * x)
    assert [one["name"] for one in compiled.metadata.arguments] == [
        "x", "out", "n", "factor", "BLOCK"]


def test_a_configuration_may_name_one(stages):
    tuned = tilewright.autotune(
        [tilewright.Config({}, ir_override=str(stages / "scale.ttir"))], key=[])(kernels.scale)
    x = np.arange(64, dtype=np.float32)
    out = np.zeros(64, np.float32)
    tuned[(1,)](x, out, 64, 2.0)
    np.testing.assert_array_equal(out, -2 * x)


def test_other_parameters_and_other_files_are_refused(stages):
    x = np.zeros(64, np.float32)
    refused = [("scale.ttir", (x, x, 64, 2), r"of the types \(\*fp32, \*fp32, i32, fp32\), and the call "
                r"passes \(\*fp32, \*fp32, i32, i32\)"),
               ("scale.llir", (x, x, 64, 2.0), "nothing compiles 'llir' files"),
               ("scale.ptx", (x, x, 64, 2.0), "the simulator does not run PTX")]
    for name, arguments, message in refused:
        with pytest.raises(tilewright.CompileError, match=message) as caught:
            kernels.scale[(1,)](*arguments, ir_override=str(stages / name))
        assert (caught.value.file, caught.value.line) == (str(stages / name), 1)
    with pytest.raises(FileNotFoundError):
        kernels.scale[(1,)](x, x, 64, 2.0, ir_override=str(stages / "none.ttir"))
    with pytest.raises(TypeError, match="ir_override is a text, not 3"):
        kernels.scale[(1,)](x, x, 64, 2.0, ir_override=3)


def test_an_architecture_in_place_of_the_devices():
    x = np.arange(64, dtype=np.float32)
    out = np.zeros(64, np.float32)
    compiled = kernels.scale[(1,)](x, out, 64, 3.0, arch="sm80")
    assert compiled.metadata.target == "cuda:80"
    np.testing.assert_array_equal(out, 3 * x)
