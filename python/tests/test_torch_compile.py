"""torch.compile: inductor's kernels, compiled here and run on the simulator. Where there is no
PyTorch of 2.10 or later, these are skipped."""

import os
import subprocess
import sys
import textwrap

import pytest

torch = pytest.importorskip("torch", minversion="2.10")

HEAD = """
    import torch, torch.nn.functional as F
    import torch._inductor.config as config
    config.cpu_backend = "triton"
    config.fx_graph_cache = False
    config.compile_threads = {threads}
    torch.manual_seed(0)

    def check(function, *arguments):
        torch._dynamo.reset()
        torch.testing.assert_close(torch.compile(function)(*arguments), function(*arguments),
                                   rtol=1e-4, atol=1e-4)
"""


def run(folder, body, threads=1):
    path = folder / "program.py"
    path.write_text(textwrap.dedent(HEAD.format(threads=threads)) + textwrap.dedent(body))
    done = subprocess.run([sys.executable, "-m", "tilewright.triton", str(path)], cwd=folder,
                          env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache")},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def test_kernels_of_each_kind(tmp_path):
    run(tmp_path, """
        x, y = torch.randn(9, 70), torch.randn(9, 70)
        check(lambda x, y: torch.relu(x * 2 + y).tanh(), x, y)
        check(lambda x: torch.softmax(x, -1), x)
        check(lambda x, w: F.layer_norm(x, (70,), w), x, y[0])
        check(lambda x: x.argmax(1), x)
        check(lambda x: x.cumsum(1), x)
        check(lambda x: x.sort(1)[0], x)
        check(lambda x: x.var(1), torch.randn(3, 3000))
        check(lambda x, i: x[i] + 1, x, torch.randint(0, 9, (5,)))
        check(lambda x, b: torch.bucketize(x, b), x, torch.linspace(-1, 1, 9))
        """)


def test_the_static_launcher_is_off(tmp_path):
    run(tmp_path, """
        import os
        names = ("use_static_cuda_launcher", "use_static_triton_launcher")
        assert not any(getattr(config, name, False) for name in names)
        assert os.environ["TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER"] == "0"
        """)


def test_compile_workers(tmp_path):
    """Kernels are compiled in processes that inductor starts, and come from there."""
    run(tmp_path, """
        if __name__ == "__main__":
            from torch._inductor.async_compile import AsyncCompile
            AsyncCompile.wait_pool_ready()
            check(lambda x: torch.softmax(torch.relu(x), 1), torch.randn(9, 70))
            assert AsyncCompile.use_process_pool()
        """, threads=2)


def test_a_kernel_of_the_users(tmp_path):
    run(tmp_path, """
        import triton, triton.language as tl

        @triton.jit
        def scale(x, out, n, factor, BLOCK: tl.constexpr):
            at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            tl.store(out + at, tl.load(x + at, at < n) * factor, mask=at < n)

        def function(x):
            out = torch.empty_like(x)
            scale[(triton.cdiv(x.numel(), 32),)](x, out, x.numel(), 3.0, BLOCK=32)
            return out + 1

        check(function, torch.randn(100))
        """)
