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
    def kernel(x: tl.const, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        value = tl.load(x + at) if EVEN else tl.load(x + at, mask=at < n, other=1.0)
        tl.store(out + at, rsqrt(value) + libdevice.exp(tl.math.log(value)), mask=at < n)

    x = np.linspace(0.5, 2, 1000, dtype=np.float32)
    out = np.zeros_like(x)
    kernel[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](x, out, 1000)
    np.testing.assert_allclose(out, 1 / np.sqrt(x) + x, rtol=1e-5)
"""


def run(text, *command, folder, check=True, **environment):
    """The output of a program; as a script of `-m tilewright.triton` unless a command is given."""
    path = folder / "program.py"
    path.write_text(textwrap.dedent(text))
    done = subprocess.run([sys.executable, *(command or ("-m", "tilewright.triton", str(path), "a"))],
                          capture_output=True, text=True, cwd=folder,
                          env={**os.environ, **environment})
    if check:
        assert done.returncode == 0, done.stderr
    return done


def test_a_script_runs_unchanged(tmp_path):
    done = run(PROGRAM + """
    print(__name__, sys.argv[1:], triton.__version__, triton.runtime.driver.active.get_current_target())
""", folder=tmp_path)
    assert done.stdout == ("__main__ ['a'] 3.6.0 GPUTarget(backend='cuda', arch=90, warp_size=32)\n")


def test_tuning_as_programs_derive_from_it(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_PRINT_AUTOTUNING", "1")
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("TILEWRIGHT_CACHE", raising=False)
    program = PROGRAM + """
    class Tuner(triton.runtime.autotuner.Autotuner):
        def run(self, *args, **kwargs):
            self.nargs = dict(zip(self.arg_names, args))
            times = {one: self._bench(*args, config=one, **kwargs)
                     for one in self.prune_configs(kwargs)}
            assert all(len(time) == 3 for time in times.values())
            return self.fn.run(*args, **kwargs, **min(times, key=times.get).all_kwargs())

    Tuner(kernel.fn, kernel.arg_names, kernel.configs, ["n"], None, None)[(16,)](x, out, 1000)
"""
    counts = [run(program, folder=tmp_path).stdout.count("measuring kernel") for _ in range(2)]
    assert counts == [4, 2]  # The second process finds what the first has kept of `kernel`.


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
    ("triton.experiments", "AttributeError: triton.experiments is not in tilewright.triton"),
    ("triton.knobs.nvidia.assembler", "AttributeError: triton.knobs.nvidia.assembler is not in"),
    ("triton.knobs.compilation.listener = 1", "a listener is a function, not 1"),
    ("triton.knobs.runtime.add_stages_inspection_hook = print", "add_stages_inspection_hook is not in"),
    ("import triton.tools.build_extern", "ModuleNotFoundError: triton.tools.build_extern is not in tilewright"),
    ("from triton.tools import build_extern", "ImportError: cannot import name 'build_extern'"),
    ("triton.runtime.driver.set_active(None)", "set_active(None) is not in tilewright.triton"),
    ("triton.compile(1, options={'ir_override': 1})", "ir_override are not in tilewright.triton"),
    ("triton.compiler.make_backend(triton.compiler.GPUTarget('mtia', 1))", "no backend of tilewright"),
])
def test_what_is_not_there_is_named(statement, error, tmp_path):
    done = run(f"import triton\n{statement}", folder=tmp_path, check=False)
    assert done.returncode == 1 and error in done.stderr


def test_names_are_asked_for_as_programs_do(tmp_path):
    run("""
        import importlib.util, triton, triton.language as tl
        assert importlib.util.find_spec("triton") and importlib.util.find_spec("triton.language")
        assert not hasattr(triton, "experiments") and hasattr(tl, "gather")
        from triton.language.core import constexpr
        from triton.language.standard import cumsum
        from triton.runtime.autotuner import Autotuner, OutOfResources
        from triton.runtime.jit import JITFunction
        from triton.compiler.errors import CompilationError
        from triton.tools.tensor_descriptor import TensorDescriptor
        from triton.runtime.cache import triton_key
        assert constexpr is tl.constexpr and constexpr.__module__ == "triton.language.core"
        assert triton_key() == triton_key() and triton_key().startswith("tilewright-")
        """, folder=tmp_path)


def test_programs_keep_files_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "kernels"))
    monkeypatch.delenv("TRITON_CACHE_DIR", raising=False)
    program = """
        import os, sys
        from triton.compiler.compiler import get_cache_manager
        from triton.runtime.cache import CacheManager, FileCacheManager
        class Own(FileCacheManager):
            def put(self, data, filename, binary=True):
                return super().put(data, "own-" + filename, binary)
        files = get_cache_manager("a" * 64)
        assert isinstance(files, CacheManager)
        assert not files.has_file("x.json") and files.get_file("x.json") is None
        assert files.get_group("both") is None
        one, two = files.put("text", "x.json", binary=False), files.put(b"\\0\\1", "y.bin")
        assert one == files.get_file("x.json") and files.cache_dir.endswith("a" * 64)
        assert (open(one).read(), open(two, "rb").read()) == ("text", bytes([0, 1]))
        files.put_group("both", {"x": one, "y": two})
        assert get_cache_manager("a" * 64).get_group("both") == {"x": one, "y": two}
        os.unlink(two)
        assert files.get_group("both") == {"x": one}
        assert sorted(os.listdir(files.cache_dir)) == ["__grp__both", "x.json"]
        assert os.path.basename(Own("b").put("text", "z")) == "own-z"
        import triton
        with triton.knobs.cache.scope():
            triton.knobs.cache.manager_class = Own
            assert type(get_cache_manager("b")) is Own
        assert type(get_cache_manager("b")) is FileCacheManager
        os.environ["TRITON_CACHE_MANAGER"] = "__main__:Own"
        assert type(get_cache_manager("b")) is Own
        print(files.cache_dir)
        """
    done = run(program, folder=tmp_path, TRITON_HOME=str(tmp_path))
    assert done.stdout.startswith(str(tmp_path / ".triton" / "cache"))
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "chosen"))
    assert run(program, folder=tmp_path).stdout.strip() == str(tmp_path / "chosen" / ("a" * 64))
    (tmp_path / "chosen" / "file").write_text("")
    done = run("from triton.runtime.cache import get_cache_manager\nget_cache_manager('file')",
               folder=tmp_path, check=False)
    assert done.returncode == 1 and "FileExistsError" in done.stderr


def test_arrays_that_are_not_there(tmp_path):
    run("""
        import triton
        import triton.language as tl
        from triton.runtime.jit import MockTensor

        @triton.jit
        def copy(x, out, BLOCK: tl.constexpr):
            at = tl.arange(0, BLOCK)
            tl.store(out + at, tl.load(x + at))

        array = MockTensor.wrap_dtype(tl.float32)
        assert (array.dtype, array.shape, array.data_ptr()) == (tl.float32, [1], 0)
        assert MockTensor(tl.float16, [4, 8, 2]).stride() == (16, 2, 1) and array.stride() == (1,)
        assert MockTensor.wrap_dtype(7) == 7
        compiled = copy.warmup(array, MockTensor(tl.float16), BLOCK=64, grid=(1,))
        assert "!tt.ptr<f32>" in compiled.asm["ttir"] and "!tt.ptr<f16>" in compiled.asm["ttir"]
        """, folder=tmp_path)


@pytest.mark.parametrize("said", ["Found no NVIDIA driver on your system.",
                                  "Torch not compiled with CUDA enabled"])
def test_a_program_that_wants_a_gpu_is_told_what_to_do(said, tmp_path):
    done = run(f"raise RuntimeError({said!r})", folder=tmp_path, check=False)
    assert done.returncode == 1 and said in done.stderr
    assert "make the tensors with device=\"cpu\"" in done.stderr
    done = run("raise RuntimeError('CUDA error')", folder=tmp_path, check=False)
    assert "tensors with" not in done.stderr


def test_element_types_by_their_names(tmp_path):
    run("""
        import triton.language as tl
        for name in tl.dtype.SINT_TYPES + tl.dtype.UINT_TYPES:
            assert tl.dtype(name) == getattr(tl, name) and tl.dtype(name).is_int()
            assert tl.dtype(name).is_int_signed() == (name in tl.dtype.SINT_TYPES)
        for name in tl.dtype.FP_TYPES:
            assert tl.dtype(name).is_floating() and str(tl.dtype(name)) == name
        assert tl.float16.fp_mantissa_width == 10 and tl.float8e4nv.exponent_bias == 7
        assert not hasattr(tl.int8, "fp_mantissa_width")
        assert tl.dtype("fp16") == tl.float16 and tl.dtype("bf16").primitive_bitwidth == 16
        try:
            tl.dtype("fp17")
        except ValueError as error:
            assert "'fp17'" in str(error) and "float16" in str(error)
        else:
            assert False
        """, folder=tmp_path)


def test_what_the_driver_tells(tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "nvidia-smi"
    command.write_text("#!/bin/sh\n"
                       "case \"$*\" in *clocks.sm,clocks.mem*) echo '1980, 2619';; esac\n")
    command.chmod(0o755)
    run(f"""
        import os
        os.environ["PATH"] = {str(folder)!r} + os.pathsep + os.environ["PATH"]
        import triton.testing
        assert triton.testing.nvsmi(["clocks.sm", "clocks.mem"]) == [1980, 2619]
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
            waves = triton.compile(source, GPUTarget("hip", "gfx942", 64), {"num_warps": 2})
            assert waves.metadata.warp_size == 64 and "buffer_store_dword" in waves.asm["amdgcn"]
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
            line_names=["A", "B"], plot_name="sums", args={"factor": 2}, ylabel="GB/s"))
        def bench(n, who, factor):
            return (n * factor + (who == "b"), 0.0, 1.0)
        bench.run(show_plots=True, print_data=True, save_path="tables")
        """, folder=tmp_path, MPLBACKEND="Agg")
    # The table is that of pandas where it is installed.
    words = [line.split() for line in done.stdout.splitlines()]
    assert words[:2] == [["sums:"], ["n", "A", "(GB/s)", "B", "(GB/s)"]]
    assert [[float(word) for word in row] for row in words[2:]] == [[0, 1, 2, 3], [1, 10, 20, 21]]
    # Triton 3.6 writes the same bytes.
    assert (tmp_path / "tables" / "sums.csv").read_text() == (
        "n,A (GB/s),B (GB/s)\n1.000000,2.000000,3.000000\n10.000000,20.000000,21.000000\n")
    assert (tmp_path / "tables" / "results.html").read_text() == (
        '<html><body>\n<image src="sums.png"/>\n</body></html>\n')


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


COMPILED = """
    import pickle, types
    import numpy as np, triton, triton.language as tl
    from triton.compiler import ASTSource, CompiledKernel, GPUTarget

    @triton.jit
    def kernel(x, n, factor, out, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, at < n) * factor, mask=at < n)

    SIGNATURE = {"x": "*fp32", "n": "i32", "factor": "fp32", "out": "*fp32", "BLOCK": "constexpr"}
    compiled = triton.compile(ASTSource(kernel, SIGNATURE, {"BLOCK": 32}), GPUTarget("cpu", 0),
                              {"num_warps": 2, "launch_pdl": False, "sanitize_overflow": False})
"""


def test_launches_of_what_was_compiled_for_a_signature(tmp_path):
    """As PyTorch's compiler does: with fixed types, whatever the values are."""
    run(COMPILED + """
    x, out = np.arange(40, dtype=np.float32), np.zeros(40, np.float32)
    compiled[(2, 1, 1)](x, 40, 3, out, 32)
    assert (out == 3 * x).all()
    # 1 is no constant here, and an address not a multiple of 16 neither.
    compiled.run(2, 1, 1, 0, compiled.function, compiled.metadata, None, None, None, x[1:], 1, 2.0,
                 out[1:], 32)
    assert out[1] == 2 and out[2] == 6
    compiled[(0,)](x, 40, 9.0, out, 32)
    assert out[1] == 2
    told = []
    triton.knobs.runtime.launch_enter_hook.add(lambda metadata: told.append(metadata.get()["name"]))
    compiled[(1,)](x, 40, 1.0, out, 32)
    assert told == ["kernel"] and out[5] == 5 and isinstance(compiled, CompiledKernel)
    assert (compiled.n_regs, compiled.n_spills, compiled.num_ctas) == (None, 0, 1)
    for arguments, error in (((x, 40, 1.0, out), "5 parameters and got 4 arguments"),
                             ((x, 40, "one", out, 32), "must be real number")):
        try:
            compiled[(1,)](*arguments)
        except TypeError as raised:
            assert error in str(raised), raised
        else:
            raise AssertionError(error)
    """, folder=tmp_path)


def test_what_was_compiled_goes_to_another_process(tmp_path):
    run(COMPILED + """
    # What PyTorch's compile workers drop of a function, and send.
    kernel.fn, kernel.__globals__, kernel.repr = None, None, types.SimpleNamespace()
    state = pickle.loads(pickle.dumps({**compiled.__dict__, "run": None, "function": None}))
    other = CompiledKernel.__new__(CompiledKernel)
    other.__dict__.update(state)
    x, out = np.arange(40, dtype=np.float32), np.zeros(40, np.float32)
    other[(2,)](x, 40, 3.0, out, 32)
    assert (out == 3 * x).all() and other.hash == compiled.hash
    assert other.src.fn.arg_names == kernel.arg_names and other.src.fn.__name__ == "kernel"
    assert other.src.fn.src.startswith("def kernel(x, n, factor") and other.src.fn.fn is None
    """, folder=tmp_path)


def test_errors_go_to_another_process(tmp_path):
    run("""
        import pickle, triton, triton.language as tl

        @triton.jit
        def kernel(x):
            tl.store(x, nowhere)

        try:
            triton.compile(triton.compiler.ASTSource(kernel, {"x": "*fp32"}))
        except triton.CompilationError as error:
            again = pickle.loads(pickle.dumps(error))
            assert "nowhere" in str(again) and (again.line, again.file) == (error.line, error.file)
            assert again.error_message == error.message and "nowhere" in error.message
        """, folder=tmp_path)


def test_processes_that_a_program_starts(tmp_path):
    """They import ours as well, however they are started."""
    (tmp_path / "child.py").write_text("""
import importlib.util
assert importlib.util.find_spec("triton")
import triton.language as tl
import triton
def check(_=None):
    assert triton._tilewright and tl.load.name == "load"
check()
""")
    run("""
        import multiprocessing, os, subprocess, sys
        import child, triton
        if __name__ == "__main__":
            subprocess.run([sys.executable, "child.py"], check=True)
            subprocess.run([sys.executable, "child.py"], check=True,
                           env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                pool.map(child.check, [0])
        """, folder=tmp_path)


def test_knobs(tmp_path):
    run("""
        import os, triton
        from triton import knobs
        with knobs.autotuning.scope():
            knobs.autotuning.print = True
            assert os.environ["TRITON_PRINT_AUTOTUNING"] == "1"
        assert not knobs.autotuning.print and "TRITON_PRINT_AUTOTUNING" not in os.environ
        with knobs.runtime.scope():
            knobs.runtime.launch_enter_hook = print
        assert isinstance(knobs.runtime.launch_enter_hook, knobs.HookChain)
        assert not knobs.runtime.debug and not knobs.runtime.interpret
        os.environ["TRITON_DEBUG"] = "1"
        knobs.refresh_knobs()
        assert knobs.runtime.debug
        """, folder=tmp_path)


def test_knobs_as_a_whole(tmp_path):
    run("""
        import os, warnings, pytest, triton
        from triton import knobs

        class Own(knobs.base_knobs):
            text = knobs.env_str("OWN_TEXT", "default")
            flag = knobs.env_bool("OWN_FLAG", True)
            number = knobs.env_int("OWN_NUMBER", 3)
            choice = knobs.env_opt_bool("OWN_CHOICE")
        own = Own()
        assert own.knobs == {"text": "default", "flag": True, "number": 3, "choice": None}
        own.flag, own.number = False, 5
        assert (os.environ["OWN_FLAG"], os.environ["OWN_NUMBER"]) == ("0", "5")
        os.environ["OWN_FLAG"] = "YES"
        assert own.flag is False  # The program's own value, until it is taken back.
        own.flag = knobs.env
        assert own.flag is True
        for text, value in (("on", True), ("Y", True), ("1", True), ("0", False), ("no", False)):
            os.environ["OWN_FLAG"] = text
            assert own.flag is value
        other = own.copy()
        other.number = 7
        assert (own.number, other.number, other.reset().number) == (5, 7, 7)
        del own.number
        os.environ["OWN_NUMBER"] = "many"
        with pytest.raises(RuntimeError, match="OWN_NUMBER=many is no integer"):
            own.number
        knobs.propagate_env = False
        own.text = "quiet"
        assert own.text == "quiet" and "OWN_TEXT" not in os.environ
        knobs.propagate_env = True

        with knobs.cache.scope():
            knobs.cache.dir = "chosen"
            assert os.environ["TRITON_CACHE_DIR"] == os.environ["TILEWRIGHT_CACHE_DIR"] == "chosen"
        assert "TRITON_CACHE_DIR" not in os.environ
        os.environ["TRITON_HOME"] = "home"
        assert knobs.cache.dump_dir == "home/.triton/dump" and knobs.redis.port == 6379
        os.environ["TRITON_CACHE_MANAGER"] = "triton.runtime.cache"
        with pytest.raises(RuntimeError, match="has the form MODULE:CLASS"):
            knobs.cache.manager_class
        with pytest.warns(UserWarning, match="dump_ir changes nothing .*compiled.asm"):
            knobs.compilation.dump_ir = True
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            knobs.compilation.dump_ir = knobs.amd.use_buffer_ops = False
        """, folder=tmp_path)


def test_listener_and_always_compile(tmp_path):
    # What is compiled anew, always, does not come from the cache.
    run("""
        import numpy as np, triton, triton.language as tl
        from triton import knobs
        @triton.jit
        def kernel(x):
            tl.store(x, 1)
        told = []
        knobs.compilation.listener = lambda **said: told.append(said)
        x = np.zeros(1, np.int32)
        for always in (False, False, True):
            kernel.device_caches.clear()
            knobs.compilation.always_compile = always
            kernel[(1,)](x)
        assert [one["cache_hit"] for one in told] == [False, True, False]
        assert [one["times"].total_lowering > 0 for one in told] == [True, False, True]
        assert all(one["times"].total > 0 and one["src"].fn is kernel for one in told)
        assert told[0]["metadata"]["target"] == triton.compiler.GPUTarget("cuda", 90, 32)
        assert told[0]["metadata"]["hash"] == told[1]["metadata"]["hash"]
        """, folder=tmp_path, TILEWRIGHT_CACHE="on", TILEWRIGHT_CACHE_DIR=str(tmp_path / "kept"))


def test_caches_of_a_kernel_and_compiling_aside(tmp_path):
    run("""
        import concurrent.futures, pytest, numpy as np, triton, triton.language as tl
        @triton.jit
        def kernel(y, a: tl.constexpr):
            tl.store(y, a)
        keys = []
        triton.knobs.runtime.jit_cache_hook = lambda **said: keys.append(
            (said["compile"]["key"], said["compile"]["is_warmup"]))
        kernel.warmup(tl.float32, 1, grid=(1,))
        cache = kernel.device_caches[0][0]
        assert len(cache) == 1 and keys == [(next(iter(cache)), True)]
        assert "ttir" in next(iter(cache.values())).asm
        cache.clear()
        assert len(cache) == 0

        class Later(concurrent.futures.Executor):
            def __init__(self):
                self.tasks = []
            def submit(self, fn):
                future = concurrent.futures.Future()
                self.tasks.append(lambda: future.set_result(fn()))
                return future
        y = np.zeros(1, np.float32)
        later = Later()
        with triton.AsyncCompileMode(later):
            one, two = (kernel.warmup(y, number) for number in (1, 2))
            assert kernel.warmup(y, 1) is one and len(later.tasks) == 2 and len(cache) == 0
            later.tasks[0]()
            kernel[(1,)](y, 1)
            assert len(cache) == 1 and y[0] == 1
            later.tasks[1]()
        assert len(cache) == 2 and "ttir" in two.asm
        with pytest.raises(RuntimeError, match="already active"):
            with triton.AsyncCompileMode(later), triton.AsyncCompileMode(later):
                pass
        """, folder=tmp_path)


def test_assertions_by_variable(tmp_path):
    run("""
        import os, numpy as np, triton, triton.language as tl
        def made(flag):
            @triton.jit(debug=flag)
            def kernel(x):
                tl.device_assert(tl.load(x) == 1, "not one")
            return kernel
        def is_checked(flag, **options):
            try:
                made(flag)[(1,)](np.zeros(1, np.float32), **options)
            except RuntimeError as error:
                return "not one" in str(error)
            return False
        assert is_checked(True) and is_checked(False, debug=True)
        assert not is_checked(True, debug=False) and not is_checked(None)
        os.environ["TRITON_DEBUG"] = "1"
        assert is_checked(False) and is_checked(None) and is_checked(True, debug=False)
        """, folder=tmp_path)


def test_precision_of_products_by_variable(tmp_path):
    run("""
        import os, numpy as np, triton, triton.language as tl
        def precision():
            @triton.jit
            def kernel(x, y):
                at = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
                tl.store(y + at, tl.dot(tl.load(x + at), tl.load(x + at)))
            x, y = np.full((16, 16), 1 + 2.0 ** -20, np.float32), np.zeros((16, 16), np.float32)
            ttir = kernel[(1,)](x, y).asm["ttir"]
            return ("tf32x3" if "inputPrecision = tf32x3" in ttir else
                    "tf32" if "inputPrecision = tf32" in ttir else "ieee"), float(y[0, 0])
        assert precision()[0] == "tf32"
        with triton.knobs.language.scope():
            triton.knobs.language.fp32_default = "ieee"
            assert precision() == ("ieee", float(np.float32(16 * (1 + 2.0 ** -19))))
        os.environ["TRITON_F32_DEFAULT"] = "tf32x3"
        assert precision()[0] == "tf32x3" and triton.knobs.language.fp32_default == "tf32x3"
        del os.environ["TRITON_F32_DEFAULT"]
        assert precision()[0] == "tf32"
        """, folder=tmp_path)


def test_backends(tmp_path):
    run("""
        import triton
        from triton.backends import backends
        from triton.compiler.compiler import make_backend
        driver = triton.runtime.driver
        assert backends["cpu"].driver.is_active() and not backends["nvidia"].driver.is_active()
        driver.set_active(backends["cpu"].driver())
        backend = make_backend(driver.active.get_current_target())
        assert backend.hash() == make_backend(driver.active.get_current_target()).hash()
        assert backend.parse_options({"num_warps": 8}).num_warps == 8
        assert driver.active.utils.get_device_properties(0)["warpSize"] == 32
        """, folder=tmp_path)


def test_functions_of_torchs_own(tmp_path):
    """Functions that Triton runs in its front end have kernels in their place here."""
    (tmp_path / "helpers.py").write_text("""
def builtin(function):
    function.__triton_builtin__ = True
    function.__module__ = "torch._inductor.runtime.triton_helpers"
    return function
@builtin
def if_mask(mask, val, *, _builder=None): raise RuntimeError
@builtin
def constexpr_next_power_of_2(n, *, _builder=None): raise RuntimeError
@builtin
def another(n, *, _builder=None): raise RuntimeError
""")
    run("""
        import numpy as np, triton, triton.language as tl
        import helpers

        @triton.jit
        def kernel(out, N: tl.constexpr):
            BLOCK: tl.constexpr = helpers.constexpr_next_power_of_2(N)
            at = tl.arange(0, BLOCK)
            value = tl.load(out + at, at < N, other=helpers.if_mask(at < N, 5.0))
            value += tl.load(out + at, None, other=helpers.if_mask(None, 5.0)) if N == 8 else 0.0
            tl.store(out + at, value + 1, at < N)

        @triton.jit
        def other(out):
            tl.store(out, helpers.another(1))

        out = np.zeros(8, np.float32)
        kernel[(1,)](out, 5)
        kernel[(1,)](out, 8)
        assert out.tolist() == [3, 3, 3, 3, 3, 1, 1, 1], out
        try:
            other[(1,)](out)
        except triton.CompilationError as error:
            assert "another" in str(error)
        else:
            raise AssertionError
        """, folder=tmp_path)


@pytest.mark.parametrize("given, used", [({}, False),
                                         ({"TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER": "1"}, True)])
def test_inductors_static_launcher(given, used):
    """It is off, also where inductor was imported before; a program that asks for it has it."""
    program = """
import os, sys, types
config = types.ModuleType("torch._inductor.config")
config.use_static_cuda_launcher = True
sys.modules[config.__name__] = config
import tilewright.triton
tilewright.triton.install()
print(config.use_static_cuda_launcher, os.environ["TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER"])
"""
    others = {name: value for name, value in os.environ.items() if "STATIC" not in name}
    done = subprocess.run([sys.executable, "-c", program], env={**others, **given},
                          capture_output=True, text=True)
    assert done.stdout.split() == [str(used), str(int(used))], done.stderr


def test_there_are_no_cubins_without_a_toolkit(monkeypatch):
    import numpy as np

    import kernels
    from tilewright.kernel import machine_code
    monkeypatch.setattr(machine_code.shutil, "which", lambda program, path=None: None)
    asm = kernels.scale.warmup(np.zeros(64, np.float32), np.zeros(64, np.float32), 64, 2.0).asm
    assert "cubin" not in asm and asm.get("cubin") is None
    for stage in ("cubin", "sass"):
        with pytest.raises(KeyError, match="the driver makes machine code here"):
            asm[stage]
    with pytest.raises(KeyError, match="^'hsaco'$"):
        asm["hsaco"]
    monkeypatch.setenv("TRITON_PTXAS_PATH", "/nowhere/ptxas")
    with pytest.raises(RuntimeError, match="/nowhere/ptxas cannot be run"):
        asm["cubin"]


@pytest.mark.parametrize("status", [0, 3])
def test_cubins_are_made_where_they_are_asked_for(tmp_path, monkeypatch, status):
    """By programs that write what they are called with."""
    import numpy as np

    import tilewright
    import tilewright.language as tl

    @tilewright.jit
    def kernel(x):
        tl.store(x, 1.0)

    for program, text in [("ptxas", 'while [ "$1" != -o ]; do said="$said $1"; shift; done; '
                                    'echo "assembled$said" > $2'),
                          ("nvdisasm", 'echo "text of:"; cat $2; echo "//--- .text.kernel ---"; '
                                       'echo body; echo "//--- .text.other ---"')]:
        path = tmp_path / program
        path.write_text(f"#!/bin/sh\n{text}\n[ {status} = 0 ] || echo refused >&2; exit {status}\n")
        path.chmod(0o755)
        monkeypatch.setenv(f"TRITON_{program.upper()}_PATH", str(path))
    asm = kernel.warmup(np.zeros(1, np.float32), num_warps=2 if status else 1).asm
    if status:
        with pytest.raises(RuntimeError, match="ptxas -lineinfo .* failed: refused"):
            asm["sass"]
        return
    assert asm["sass"].startswith("text of:\nassembled -lineinfo -arch=sm_90a")
    assert "cubin" not in asm and asm["cubin"].startswith(b"assembled") and "cubin" in asm
    from tilewright.kernel.machine_code import disassemble
    assert disassemble(asm["cubin"], "kernel") == "//--- .text.kernel ---\nbody\n"
    with pytest.raises(ValueError, match="the cubin has no function 'none'"):
        disassemble(asm["cubin"], "none")

    @tilewright.jit
    def copy(a, b):
        b.store([0, 0], a.load([0, 0]))

    x = np.zeros((64, 64), np.float16)
    described = [tilewright.TensorDescriptor(x, [64, 64], [64, 1], [64, 64]) for _ in range(2)]
    asm = copy.warmup(*described).asm
    with pytest.raises(KeyError, match="no cubin of copy for other launchers"):
        asm["cubin"]
    assert asm["sass"]


def test_metadata_has_the_options():
    import numpy as np

    import kernels
    x = np.zeros(64, np.float32)
    assert list(kernels.scale.signature.parameters) == kernels.scale.arg_names
    assert (kernels.scale.module, kernels.scale._fn_name) == ("kernels", "kernels.scale")
    metadata = kernels.scale.warmup(x, x, 64, 2.0, num_stages=2, maxnreg=64).metadata
    assert (metadata.num_warps, metadata.num_stages, metadata.num_ctas) == (4, 2, 1)
    assert (metadata.maxnreg, metadata.enable_fp_fusion) == (64, None)
    assert (metadata.backend_name, metadata.arch) == ("cuda", "sm90")
    assert metadata.cluster_dims == (1, 1, 1) and len(metadata.hash) == 64
