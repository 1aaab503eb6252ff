"""Launches on a GPU, with PyTorch's tensors and CuPy's arrays; skipped where there is none."""

import pytest

import kernels
import tilewright
import tilewright.language as tl
from tilewright import _native, testing

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or _native.count_gpus() == 0:
    pytest.skip("there is no GPU", allow_module_level=True)


def grid(meta):
    return (tilewright.cdiv(meta["n"], meta["BLOCK"]),)


def test_add():
    x, y = torch.rand(10000, device="cuda"), torch.rand(10000, device="cuda")
    out = torch.zeros_like(x)
    compiled = kernels.add[grid](x, y, out, 10000, BLOCK=512)
    torch.testing.assert_close(out, x + y)
    assert compiled.n_regs > 0 and compiled.n_spills == 0
    assert compiled.metadata.target == _native.target_of(0)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64,
                                   torch.int32, torch.int64, torch.uint8])
def test_element_types(dtype):
    x = torch.arange(64, device="cuda").to(dtype)
    out = torch.zeros_like(x)
    kernels.scale[(1,)](x, out, 64, 1)
    torch.testing.assert_close(out, x)


def test_eight_bits():
    x = torch.arange(64, device="cuda").to(torch.float8_e4m3fn)
    out = torch.zeros(64, device="cuda")
    kernels.widen[(1,)](x, out, 64)
    torch.testing.assert_close(out, x.float())


def test_views_and_parameters():
    whole = torch.rand(128, 65, device="cuda")
    out = torch.zeros(64, device="cuda")
    for offset in (0, 1, 2, 4):
        kernels.scale[(1,)](whole[3, offset:], out, 60, 2.0)
        torch.testing.assert_close(out[:60], whole[3, offset:offset + 60] * 2)
    weights = torch.nn.Parameter(torch.rand(64, device="cuda"))
    kernels.scale[(1,)](weights, out, 64, 2.0)
    torch.testing.assert_close(out, weights.detach() * 2)


def test_the_current_stream():
    stream = torch.cuda.Stream()
    x = torch.zeros(1 << 20, device="cuda")
    out = torch.zeros_like(x)
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(50_000_000)
        x.fill_(3)
        kernels.scale[(tilewright.cdiv(1 << 20, 64),)](x, out, 1 << 20, 2.0)
        assert not stream.query()  # The launch has not waited.
    stream.synchronize()
    assert (out == 6).all()


def test_arrays_on_two_devices():
    x = torch.rand(64)
    with pytest.raises(TypeError, match="'out' is on CUDA device 0.*move it"):
        kernels.scale[(1,)](x, x.cuda(), 64, 2.0)


def test_tensors_of_the_cpu_run_on_the_simulator():
    x = torch.rand(64)
    out = torch.zeros_like(x)
    assert kernels.scale[(1,)](x, out, 64, 2.0).n_regs is None
    torch.testing.assert_close(out, x * 2)


def test_freed_tensors():
    x, out = torch.rand(64, device="cuda"), torch.rand(64, device="cuda")
    x.untyped_storage().resize_(0)
    with pytest.raises(TypeError, match="'x' has no memory"):
        kernels.scale[(1,)](x, out, 64, 2.0)


def test_too_many_blocks():
    x = torch.rand(64, device="cuda")
    with pytest.raises(tilewright.LaunchError, match="too large"):
        kernels.scale[(1, 1 << 20)](x, x, 64, 2.0)


def test_descriptors():
    @tilewright.jit
    def copy(source, target, M: tl.constexpr, N: tl.constexpr):
        at = [tl.program_id(0) * M, 0]
        target.store(at, source.load(at))

    x = torch.rand(256, 64, device="cuda", dtype=torch.float16)
    out = torch.zeros_like(x)
    of = tilewright.TensorDescriptor.from_tensor
    copy[(4,)](of(x, [64, 64]), of(out, [64, 64]), 64, 64)
    torch.testing.assert_close(out, x)


def test_product():
    @tilewright.jit
    def product(a, b, c, K, M: tl.constexpr, N: tl.constexpr, STEP: tl.constexpr):
        rows, columns, depth = tl.arange(0, M), tl.arange(0, N), tl.arange(0, STEP)
        total = tl.zeros((M, N), tl.float32)
        for k in range(0, K, STEP):
            left = tl.load(a + rows[:, None] * K + (k + depth)[None, :])
            right = tl.load(b + (k + depth)[:, None] * N + columns[None, :])
            total = tl.dot(left, right, total)
        tl.store(c + rows[:, None] * N + columns[None, :], total)

    a = torch.rand(128, 512, device="cuda", dtype=torch.float16)
    b = torch.rand(512, 128, device="cuda", dtype=torch.float16)
    c = torch.zeros(128, 128, device="cuda")
    for stages in (1, 3):
        product[(1,)](a, b, c, 512, 128, 128, 64, num_warps=8, num_stages=stages)
        torch.testing.assert_close(c, a.float() @ b.float(), rtol=1e-3, atol=1e-2)


def test_tuning_measures_on_the_gpu():
    @tilewright.autotune([tilewright.Config({"BLOCK": size}) for size in (64, 256, 1024)], ["n"])
    @tilewright.jit
    def tuned(x, out, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, at < n), at < n)

    x = torch.rand(1 << 20, device="cuda")
    out = torch.zeros_like(x)
    tuned[grid](x, out, 1 << 20)
    torch.testing.assert_close(out, x)
    assert len(tuned.configs_timings) == 3
    assert all(min(quantiles) > 0 for quantiles in tuned.configs_timings.values())


def test_do_bench():
    x = torch.rand(1 << 24, device="cuda")
    milliseconds = testing.do_bench(lambda: x.mul_(1.0), return_mode="median")
    assert 0.01 < milliseconds < 10


def test_cupy():
    cupy = pytest.importorskip("cupy")
    x = cupy.arange(64, dtype=cupy.float32)
    out = cupy.zeros_like(x)
    with cupy.cuda.Stream() as stream:
        kernels.scale[(1,)](x, out, 64, 2.0)
        stream.synchronize()
    assert (out == 2 * x).all()
    kernels.scale[(1,)](x, torch.from_dlpack(out), 64, 3.0)
    torch.cuda.synchronize()
    assert (out == 3 * x).all()


def test_a_forked_child_is_told():
    import os
    x = torch.rand(64, device="cuda")
    kernels.scale[(1,)](x, x, 64, 2.0)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            kernels.scale[(1,)](x, x, 64, 2.0)
            os.write(write, b"launched")
        except BaseException as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert b"fork" in os.read(read, 1000)
