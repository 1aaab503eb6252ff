"""Programs that import triton, on the simulator. Each runs in a process of its own, since what
`import triton` gives is a matter of the whole process."""

import os
import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
    import sys
    import numpy as np
    import triton
    import triton.language as tl
    from triton.language.extra import libdevice
    from triton.language.extra.libdevice import rsqrt

    @triton.autotune(configs=[triton.Config({"BLOCK": 64}, num_warps=2),
                              triton.Config({"BLOCK": 128})], key=["n"])
    @triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
    @triton.jit
    def kernel(x, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        value = tl.load(x + at) if EVEN else tl.load(x + at, mask=at < n, other=1.0)
        tl.store(out + at, rsqrt(value) + libdevice.exp(tl.math.log(value)), mask=at < n)

    x = np.linspace(0.5, 2, 1000, dtype=np.float32)
    out = np.zeros_like(x)
    kernel[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](x, out, 1000)
    np.testing.assert_allclose(out, 1 / np.sqrt(x) + x, rtol=1e-5)
"""


def run(text, *command, folder, check=True):
    """The output of a program; as a script of `-m tilewright.triton` unless a command is given."""
    path = folder / "program.py"
    path.write_text(textwrap.dedent(text))
    done = subprocess.run([sys.executable, *(command or ("-m", "tilewright.triton", str(path), "a"))],
                          capture_output=True, text=True, cwd=folder)
    if check:
        assert done.returncode == 0, done.stderr
    return done


def test_a_script_runs_unchanged(tmp_path):
    done = run(PROGRAM + """
    print(__name__, sys.argv[1:], triton.__version__, triton.runtime.driver.active.get_current_target())
""", folder=tmp_path)
    assert done.stdout == ("__main__ ['a'] 3.6.0 GPUTarget(backend='cuda', arch=90, warp_size=32)\n")


def test_a_module_runs_unchanged(tmp_path):
    run(PROGRAM, "-m", "tilewright.triton", "-m", "program", folder=tmp_path)
    run(PROGRAM + "\n    def test(): pass", "-m", "tilewright.triton", "-m", "pytest", "-q",
        "program.py", folder=tmp_path)


def test_installed_from_python(tmp_path):
    run("import tilewright.triton; tilewright.triton.install(); tilewright.triton.install()\n" +
        textwrap.dedent(PROGRAM) + """
tilewright.triton.uninstall()
assert "triton" not in sys.modules and "triton.language" not in sys.modules
assert not tilewright.triton.is_installed()
""", "program.py", folder=tmp_path)


@pytest.mark.parametrize("statement, error", [
    ("triton.knobs", "AttributeError: triton.knobs is not in tilewright.triton"),
    ("import triton.tools.disasm", "ModuleNotFoundError: triton.tools.disasm is not in tilewright"),
    ("from triton.runtime import interpreter", "ImportError: cannot import name 'interpreter'"),
    ("triton.runtime.driver.set_active(None)", "set_active is not in tilewright.triton"),
    ("triton.compile(1, options={'schedule_hint': 1})", "schedule_hint are not in tilewright.triton"),
])
def test_what_is_not_there_is_named(statement, error, tmp_path):
    done = run(f"import triton\n{statement}", folder=tmp_path, check=False)
    assert done.returncode == 1 and error in done.stderr


def test_names_are_asked_for_as_programs_do(tmp_path):
    run("""
        import importlib.util, triton, triton.language as tl
        assert importlib.util.find_spec("triton") and importlib.util.find_spec("triton.language")
        assert not hasattr(triton, "knobs") and hasattr(tl, "gather")
        from triton.language.core import constexpr
        from triton.language.standard import cumsum
        from triton.runtime.autotuner import Autotuner, OutOfResources
        from triton.runtime.jit import JITFunction
        from triton.compiler.errors import CompilationError
        from triton.tools.tensor_descriptor import TensorDescriptor
        from triton.runtime.cache import triton_key
        assert constexpr is tl.constexpr
        assert triton_key() == triton_key() and triton_key().startswith("tilewright-")
        """, folder=tmp_path)


def test_another_triton_is_not_mixed_in(tmp_path):
    (tmp_path / "triton.py").write_text("")
    done = run("import triton, tilewright.triton\ntilewright.triton.install()", "program.py",
               folder=tmp_path, check=False)
    assert "ImportError: triton has been imported from" in done.stderr
    # Installed first, ours hides it.
    run("import triton\nassert triton.__version__ == '3.6.0'", folder=tmp_path)


def test_compile_without_arguments(tmp_path):
    done = run("""
        import triton, triton.language as tl
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource

        @triton.jit
        def kernel(x, n, BLOCK: tl.constexpr):
            at = tl.arange(0, BLOCK)
            tl.store(x + at, n, mask=at < n)

        for attributes in ({(0,): [["tt.divisibility", 16]]}, {"x": [["tt.divisibility", 16]]}):
            source = ASTSource(kernel, {"x": "*i32", "n": "i32"}, {"BLOCK": 64}, attributes)
            compiled = triton.compile(source, GPUTarget("hip", "gfx1201", 32), {"num_warps": 2})
            assert compiled.metadata.num_warps == 2 and "amdgcn" in compiled.asm
            assert "tt.divisibility = 16" in compiled.asm["ttir"]
        assert "tt.divisibility" not in triton.compile(
            ASTSource(kernel, {"x": "*i32", "n": "i32", "BLOCK": "constexpr"}, {(2,): 64})).asm["ttir"]
        triton.compile(ASTSource(kernel, {"x": "*i32", "BLOCK": "constexpr"}, {(2,): 64}))
        """, folder=tmp_path, check=False)
    assert "ValueError: the parameter 'n' has neither a type nor a value" in done.stderr


def test_reports(tmp_path):
    done = run("""
        import triton
        @triton.testing.perf_report(triton.testing.Benchmark(
            x_names=["n"], x_vals=[1, 10], line_arg="who", line_vals=["a", "b"],
            line_names=["A", "B"], plot_name="sums", args={"factor": 2}))
        def bench(n, who, factor):
            return (n * factor + (who == "b"), 0.0, 1.0)
        bench.run(print_data=True, save_path="tables")
        """, folder=tmp_path)
    assert done.stdout == "sums:\n n   A   B\n 1   2   3\n10  20  21\n"
    assert (tmp_path / "tables" / "sums.csv").read_text().split() == ["n,A,B", "1,2,3", "10,20,21"]


def test_bits_as_another_type(tmp_path):
    run("""
        import numpy as np, triton, triton.language as tl

        class Tensor:
            "What a tensor is asked for."
            def __init__(self, array):
                self.array, self.shape, self.device, self.dtype = array, array.shape, "cpu", "torch.int8"
            def data_ptr(self): return self.array.__array_interface__["data"][0]
            def numel(self): return self.array.size
            def element_size(self): return self.array.itemsize

        @triton.jit
        def kernel(x, out, BLOCK: tl.constexpr):
            at = tl.arange(0, BLOCK)
            tl.store(out + at, tl.load(x + at).to(tl.float32))

        bits = np.array([0x3C, 0x40, 0xBC, 0x00] * 4, np.uint8).view(np.int8)
        out = np.zeros(16, np.float32)
        kernel[(1,)](triton.reinterpret(Tensor(bits), tl.float8e5), out, BLOCK=16)
        assert out[:4].tolist() == [1.0, 2.0, -1.0, 0.0], out
        """, folder=tmp_path)


def test_usage(tmp_path):
    assert run("", "-m", "tilewright.triton", folder=tmp_path, check=False).returncode == 2
    assert "no file nowhere.py" in run("", "-m", "tilewright.triton", "nowhere.py", folder=tmp_path,
                                       check=False).stderr
    assert os.path.exists(tmp_path / "program.py")
