"""Launches on the simulator: NumPy arrays, in place."""

import numpy as np
import pytest

import kernels
import tilewright
import tilewright.language as tl


def grid(meta):
    return (tilewright.cdiv(meta["n"], meta["BLOCK"]),)


def test_add():
    x, y = np.arange(1000, dtype=np.float32), np.full(1000, 0.5, np.float32)
    out = np.zeros_like(x)
    compiled = kernels.add[grid](x, y, out, 1000, BLOCK=256)
    np.testing.assert_array_equal(out, x + y)
    assert compiled.name == "add" and compiled.metadata.target == "cuda:90"
    assert ".visible .entry add" in compiled.asm["ptx"] and "tt.load" in compiled.asm["ttir"]
    assert compiled.n_regs is None and compiled.num_warps == 4


@pytest.mark.parametrize("extents", [(4,), (4, 1), (4, 1, 1), [4], 4, np.int64(4)])
def test_grids(extents):
    x = np.arange(250, dtype=np.float32)
    out = np.zeros_like(x)
    kernels.scale[extents](x, out, 250, 3.0)
    np.testing.assert_array_equal(out, 3 * x)


def test_an_empty_grid_launches_nothing():
    out = np.zeros(64, np.float32)
    kernels.scale[(0,)](out, out, 64, 3.0)
    kernels.scale[lambda meta: (1, 0)](out, out, 64, 3.0)


def test_defaults_and_names():
    x = np.arange(64, dtype=np.float32)
    out = np.zeros_like(x)
    kernels.scale[(1,)](x=x, factor=2.0, n=64, out=out)
    np.testing.assert_array_equal(out, 2 * x)
    kernels.scale[(2,)](x, out, n=64, factor=4.0, BLOCK=32, num_warps=2)
    np.testing.assert_array_equal(out, 4 * x)


def test_views_of_one_array():
    whole = np.arange(256, dtype=np.float32)
    kernels.scale[(1,)](whole[:64], whole[64:128], 64, 10.0)
    np.testing.assert_array_equal(whole[64:128], 10 * np.arange(64))
    np.testing.assert_array_equal(whole[128:], np.arange(128, 256))
    # A kernel has the strides of a view, and so the array behind it.
    row = whole.reshape(4, 64)[1]
    kernels.scale[(2,)](row, row, 128, 0.0)
    assert not whole[64:192].any() and whole[192:].all()


@pytest.mark.parametrize("dtype, name", [
    (np.float16, "*fp16"), (np.float32, "*fp32"), (np.float64, "*fp64"), (np.int8, "*i8"),
    (np.int32, "*i32"), (np.int64, "*i64"), (np.uint8, "*u8"), (np.uint16, "*u16"),
    (np.bool_, "*i1")])
def test_element_types(dtype, name):
    @tilewright.jit
    def copy(x, out, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at))

    x = (np.arange(32) % 2).astype(dtype)
    out = np.zeros_like(x)
    compiled = copy[(1,)](x, out, 32)
    np.testing.assert_array_equal(out, x)
    assert compiled.metadata.arguments[0]["type"] == name


@pytest.mark.parametrize("type_", [tl.float8e4nv, tl.float8e5])
def test_absolute_values_of_8_bit_floats(type_):
    @tilewright.jit
    def kernel(x, out, TYPE: tl.constexpr):
        at = tl.arange(0, 256)
        value = tl.load(x + at).to(TYPE, bitcast=True)
        tl.store(out + at, tl.abs(value).to(tl.uint8, bitcast=True))

    x = np.arange(256, dtype=np.uint8)
    out = np.zeros_like(x)
    kernel[(1,)](x, out, type_)
    np.testing.assert_array_equal(out, x & 0x7f)


def test_descriptors():
    @tilewright.jit
    def transpose(source, target):
        target.store([0, 0], tl.trans(source.load([16, 0])))

    x = np.arange(32 * 16, dtype=np.float32).reshape(32, 16)
    out = np.zeros((16, 16), np.float32)
    of = tilewright.TensorDescriptor.from_tensor
    transpose[(1,)](of(x, [16, 16]), of(out, [16, 16]))
    np.testing.assert_array_equal(out, x[16:].T)


@pytest.mark.parametrize("target", ["cuda:90", "hip:gfx1201", "xpu:bmg"])
def test_descriptors_that_pad_with_nan(target):
    @tilewright.jit
    def kernel(source, out):
        at = tl.arange(0, 4)[:, None] * 16 + tl.arange(0, 16)[None, :]
        tl.store(out + at, source.load([2, 8]))

    x = np.arange(36, dtype=np.float32).reshape(3, 12)
    out = np.zeros((4, 16), np.float32)
    for padding, value in (("zero", 0), ("nan", np.nan)):
        of = tilewright.TensorDescriptor.from_tensor(x, [4, 16], padding)
        kernel[(1,)](of, out, target=target)
        expected = np.full((4, 16), value, np.float32)
        expected[:1, :4] = x[2:, 8:]
        np.testing.assert_array_equal(out, expected)


def test_padding_of_descriptors_is_checked():
    @tilewright.jit
    def kernel(source):
        source.load([0, 0])

    x = np.zeros((16, 16), np.int32)
    with pytest.raises(ValueError, match="'zero' or 'nan', not 'one'"):
        tilewright.TensorDescriptor.from_tensor(x, [16, 16], "one")
    with pytest.raises(TypeError, match="pads with NaN, which i32 does not have"):
        kernel[(1,)](tilewright.TensorDescriptor.from_tensor(x, [16, 16], "nan"))


def test_other_targets():
    x = np.arange(64, dtype=np.float32)
    for target, stage in (("hip:gfx1201", "hsaco"), ("xpu:bmg", "spv")):
        out = np.zeros_like(x)
        compiled = kernels.scale[(1,)](x, out, 64, 2.0, target=target)
        np.testing.assert_array_equal(out, 2 * x)
        assert compiled.metadata.target == target and isinstance(compiled.asm[stage], bytes)


def test_warmup_launches_nothing():
    out = np.zeros(64, np.float32)
    compiled = kernels.scale.warmup(out, out, 64, 2.0, BLOCK=64, grid=(1,))
    assert compiled is kernels.scale[(1,)](out, out, 64, 2.0, BLOCK=64)
    described = kernels.scale.warmup(tl.float16, tl.float32, 64, 2.0, grid=(1,))
    assert [one["type"] for one in described.metadata.arguments][:2] == ["*fp16", "*fp32"]


def test_run_is_what_brackets_do():
    out = np.zeros(64, np.float32)
    kernels.Methods.fill.run(out, 7.0, 64, grid=(1,), num_warps=1)
    assert (out == 7).all()


def test_compile_a_file_and_write(tmp_path):
    source = tmp_path / "twice.py"
    source.write_text("import triton\nimport triton.language as tl\n\n"
                      "@triton.jit\ndef twice(x, N: tl.constexpr):\n"
                      "    at = x + tl.arange(0, N)\n    tl.store(at, tl.load(at) * 2)\n")
    compiled = tilewright.compile(source, signature="*fp32:16, 64", target="xpu:bmg")
    assert compiled.metadata.arguments[1]["value"] == "64"
    compiled.write(tmp_path / "out")
    assert (tmp_path / "out" / "twice.spv").read_bytes() == compiled.asm["spv"]
    again = tilewright.compile(tilewright.Source(compiled.asm["ttgir"], language="ttgir"))
    assert again.metadata.target == "xpu:bmg"


@pytest.mark.parametrize("option, instead", [
    ({"schedule_hint": "attention"}, "the compiler schedules without hints"),
    ({"default_dot_input_precision": "ieee"}, "write input_precision in tl.dot"),
    ({"instrumentation_mode": "consan"}, "the simulator finds races"),
    ({"sanitize_overflow": True}, "integers that overflow wrap around"),
    ({"extern_libs": {"libdevice": "x.bc"}}, "no other library is linked"),
])
def test_options_of_tritons_that_change_nothing(option, instead):
    x, out = np.ones(64, np.float32), np.zeros(64, np.float32)
    with pytest.warns(UserWarning, match=instead) as warned:
        kernels.scale[(1,)](x, out, 64, 3.0, **option)
    assert f"{next(iter(option))}=" in str(warned[0].message)
    np.testing.assert_array_equal(out, 3 * x)


def test_options_of_tritons_that_ask_for_nothing(recwarn):
    out = np.ones(64, np.float32)
    kernels.scale[(1,)](out, out, 64, 3.0, schedule_hint="none", instrumentation_mode="",
                        sanitize_overflow=False, extern_libs=None, backend_name="cuda")
    assert not recwarn.list
    with pytest.raises(TypeError, match="no parameter 'scheduling'"):
        kernels.scale[(1,)](out, out, 64, 3.0, scheduling="none")


def test_repr_names_what_is_compiled():
    seen = []

    def name(specialization):
        seen.append(specialization)
        return f"fill_{specialization.constants['BLOCK']}_{specialization.signature['out'][1:]}"

    @tilewright.jit(repr=name)
    def fill(out, value, BLOCK: tl.constexpr):
        tl.store(out + tl.arange(0, BLOCK), value)

    out = np.zeros(64, np.float32)
    compiled = fill[(1,)](out, 2.0, BLOCK=32)
    assert compiled.name == "fill_32_fp32" and ".entry fill_32_fp32" in compiled.asm["ptx"]
    assert (out[:32] == 2).all() and not out[32:].any()
    assert seen[0].signature == {"out": "*fp32", "value": "fp32", "BLOCK": "constexpr"}
    assert fill[(1,)](out.astype(np.int32), 2, BLOCK=64).name == "fill_64_i32"

    @tilewright.jit(repr=lambda specialization: "no name")
    def unnamed(out):
        tl.store(out, 1)

    with pytest.raises(ValueError, match="repr of the kernel 'unnamed' returned 'no name'"):
        unnamed[(1,)](out)
