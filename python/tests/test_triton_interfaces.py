"""What programs for Triton import besides the language and the launches: the profiler, layouts, tools,
the interpreter. Each program is a process of its own, as in test_triton.py."""

import os
import shutil
import subprocess
import sys

import pytest

from test_triton import run

CLOCK = """
    import itertools, json, numpy as np, triton, triton.language as tl
    import triton.profiler as proton
    from tilewright.triton import _profiler

    class Clock:
        '''Each mark is a millisecond after the last one.'''
        ticks = itertools.count()
        def mark(self):
            return next(Clock.ticks)
        def nanoseconds(self, begin, end):
            return (end - begin) * 1e6
        def device(self):
            return "CUDA", "0", {"arch": "90"}
    _profiler._make_clock = Clock

    def describe(grid, metadata, args):
        return {"name": f"set_{grid[0]}", "flops16": 2e9, "bytes": 1e6}

    @triton.jit(launch_metadata=describe)
    def set(x):
        tl.store(x, 1)
    x = np.zeros(1, np.float32)
"""


def test_profiler_writes_a_tree(tmp_path):
    done = run(CLOCK + """
    session = proton.start("times", hook="triton")
    assert session == 0
    with proton.scope("outer", {"flops16": 8e9}):
        for _ in range(2):
            set[(3,)](x)
        with proton.scope("other"):
            pass
    proton.deactivate(session)
    set[(5,)](x)
    proton.activate(session)
    @proton.scope("called")
    def call():
        set[(4,)](x)
    call()
    proton.enter_scope("open")
    try:
        proton.exit_scope("closed")
    except ValueError as error:
        assert "mismatch" in str(error)
    proton.exit_scope("open", metrics={"amount": 3})
    proton.finalize()
    set[(6,)](x)  # Nobody is told any more.
    root, devices = json.load(open("times.hatchet"))
    assert devices == {"CUDA": {"0": {"arch": "90"}}}
    def show(node, level=0):
        metrics = {k: v for k, v in node["metrics"].items() if not k.startswith("device")}
        print("  " * level + node["frame"]["name"], metrics)
        for child in node["children"]:
            show(child, level + 1)
    show(root)
    from triton.profiler import viewer
    viewer.print_tree(*viewer.parse(["time/ms", "tflop16/s", "count"], "times.hatchet"))
    try:
        viewer.parse(["power"], "times.hatchet")
    except RuntimeError as error:
        assert "Metric power is not found: there are time, count" in str(error), error
    """, folder=tmp_path)
    assert done.stdout.splitlines() == [
        "ROOT {'time (ns)': 0, 'count': 0}",
        "  outer {'flops16': 8000000000.0}",
        "    set_3 {'flops16': 4000000000.0, 'bytes': 2000000.0, 'time (ns)': 2000000.0, 'count': 2}",
        "    other {'time (ns)': 1000000.0, 'count': 1}",
        "  called {}",
        "    set_4 {'flops16': 2000000000.0, 'bytes': 1000000.0, 'time (ns)': 1000000.0, 'count': 1}",
        "  open {'amount': 3, 'time (ns)': 1000000.0, 'count': 1}",
        "time/ms tflop16/s count",
        "5.000 2.000 5.000 ROOT",
        "├─ 3.000 2.667 3.000 outer",
        "│  ├─ 2.000 2.000 2.000 set_3",
        "│  └─ 1.000 nan 1.000 other",
        "├─ 1.000 2.000 1.000 called",
        "│  └─ 1.000 2.000 1.000 set_4",
        "└─ 1.000 nan 1.000 open",
    ]


def test_profiler_without_a_gpu_says_so(tmp_path):
    program = "import triton.profiler as proton\nprint(proton.start())"
    done = run(program, folder=tmp_path, check=False)
    assert done.returncode == 1 and "measures times of a GPU" in done.stderr
    assert run(program, folder=tmp_path, TRITON_PROTON_DISABLE="1").stdout == "None\n"
    done = run("import triton.profiler as p\np.start(data='trace')", folder=tmp_path, check=False)
    assert "start(data='trace') is not in tilewright.triton" in done.stderr


def test_linear_layouts(tmp_path):
    # Against the definition: the image of an input is the XOR of the bases of its bits.
    run("""
        import functools, itertools, operator, random, pytest
        from triton.tools import LinearLayout
        from triton._C.libtriton.linear_layout import LinearLayout as same
        assert same is LinearLayout
        def image(bases, inputs):
            chosen = [basis for name, vectors in bases for bit, basis in enumerate(vectors)
                      if inputs[name] >> bit & 1]
            return [functools.reduce(operator.xor, column, 0) for column in zip([0, 0], *chosen)]
        random.seed(1)
        for _ in range(50):
            bases = [(name, [[random.randrange(8), random.randrange(4)] for _ in range(bits)])
                     for name, bits in (("r", 2), ("l", 3))]
            layout = LinearLayout.from_bases(bases, ["a", "b"], [8, 4], False)
            assert layout.bases == bases and layout.out_dims == [("a", 8), ("b", 4)]
            images = []
            for r, l in itertools.product(range(4), range(8)):
                found = layout.apply({"r": r, "l": l})
                images.append(tuple(found.values()))
                assert list(found.values()) == image(bases, {"r": r, "l": l})
            assert layout.is_injective() == (len(set(images)) == 32)
            assert layout.is_surjective() == (len(set(images)) == 32) == layout.is_invertible()
            if layout.is_invertible():
                back = layout.invert()
                assert back.apply(layout.apply({"r": 3, "l": 5})) == {"r": 3, "l": 5}
                assert layout.compose(back).get_matrix_view() == [
                    [int(i == j) for j in range(5)] for i in range(5)]
                assert layout.invert_and_compose(layout).compose(layout) == layout
            again = layout.compose(layout.pseudoinvert()).compose(layout)
            assert again.get_matrix_view() == layout.get_matrix_view()
        two = LinearLayout.identity_1d(4, "i", "o") * LinearLayout.strided_1d(2, 2, "i", "o")
        assert [two.apply({"i": i})["o"] for i in range(8)] == [0, 1, 2, 3, 8, 9, 10, 11]
        assert two.get_in_dim_names() == ["i"] and two.num_out_dims == 1
        assert LinearLayout.zeros_1d(8, "i", "z").is_surjective() and two == two * LinearLayout()
        for wrong, message in (
                (lambda: LinearLayout.identity_1d(3, "i", "o"), "must be a power of two"),
                (lambda: two.invert(), "must be surjective and square"),
                (lambda: two.compose(two), "Dimensions must match"),
                (lambda: two.apply({"x": 1}), "no input dimension 'x'"),
                (lambda: two.apply({"i": 8}), "its size is 8"),
                (lambda: two.apply({}), "a value is needed of each"),
                (lambda: LinearLayout.from_bases([("i", [[1], [4]])], ["o"]), "surjective"),
                (lambda: LinearLayout.from_bases([("i", [[5]])], ["o"], [4], False), "5")):
            with pytest.raises(ValueError, match=message):
                wrong()
        """, folder=tmp_path)


def test_ragged_descriptors(tmp_path):
    run("""
        import numpy as np, pytest, triton, triton.language as tl
        from triton.tools.ragged_tma import create_ragged_descriptor, load_ragged, store_ragged

        class Array(np.ndarray):
            def stride(self, i):
                return self.strides[i] // self.itemsize
        @triton.jit
        def move(x, y, x_begin, y_begin, x_rows, y_rows):
            store_ragged(y, y_begin, y_rows, [0, 0], load_ragged(x, x_begin, x_rows, [0, 0]))
        x = np.arange(256, dtype=np.float32).reshape(16, 16).view(Array)
        y = np.full((16, 16), -1, np.float32).view(Array)
        move[(1,)](create_ragged_descriptor(x, [8, 16]), create_ragged_descriptor(y, [8, 16]),
                   3, 2, 5, 6)
        expected = np.full((16, 16), -1, np.float32)
        expected[2:7], expected[7] = x[3:8], 0
        np.testing.assert_array_equal(y, expected)
        with pytest.raises(AssertionError, match="last dimension cannot be ragged"):
            create_ragged_descriptor(x, [8, 16], ragged_dim=-1)
        """, folder=tmp_path)


GLUON = """
    import importlib, numpy as np, triton, triton.language as tl
    from triton.experimental import gluon
    from triton.experimental.gluon import language as ttgl
    from triton.experimental.gluon.language.nvidia.hopper import tma, mbarrier
    from triton.language.core import _aggregate as aggregate
    blackwell = importlib.import_module("triton.experimental.gluon.language.nvidia.blackwell")
    assert ttgl.int32 is tl.int32 and blackwell.mbarrier is mbarrier and not hasattr(ttgl, "nothing")
    assert gluon.nvidia.hopper.TensorDescriptor is gluon.nvidia.blackwell.TensorDescriptor
    @aggregate
    class Pair:
        first: ttgl.tensor
        def __init__(self, first):
            self.first = first
    @gluon.jit
    def kernel(x, layout: ttgl.constexpr):
        ttgl.store(x + ttgl.arange(0, 64, layout), Pair(ttgl.full([64], 3, ttgl.int32, layout)).first)
    x = np.zeros(64, np.int32)
    kernel[(1,)](x, ttgl.BlockedLayout([1], [32], [2], order=[0]), num_warps=2)
    assert (x == 3).all()
"""


def test_kernels_of_gluon(tmp_path):
    run(GLUON, folder=tmp_path)


def test_kernels_are_interpreted_on_the_simulator(tmp_path):
    # A store after the array is what the simulator finds.
    done = run("""
        import numpy as np, triton, triton.language as tl
        from triton import knobs
        assert knobs.runtime.interpret
        @triton.jit
        def kernel(x, n):
            tl.store(x + n, 1)
        assert type(kernel).__name__ == "InterpretedFunction"
        x = np.zeros(4, np.float32)
        kernel[(1,)](x, 3)
        print(x[3])
        kernel[(1,)](x, 4)
        """, folder=tmp_path, check=False, TRITON_INTERPRET="1")
    assert done.stdout == "1.0\n" and "SimulationError" in done.stderr


def test_interpreted_kernels_get_copies_of_a_gpus_arrays(tmp_path):
    pytest.importorskip("torch")
    run("""
        import torch, triton, triton.language as tl
        from tilewright.triton import _interpreted
        class Away(torch.Tensor):
            '''An array on the CPU that says that it is on a GPU.'''
            device = type("device", (), {"type": "cuda"})()
        @triton.jit
        def kernel(x, y, n: tl.constexpr):
            at = tl.arange(0, n)
            tl.store(y + at, tl.load(x + at) + 1)
        memory = torch.zeros(16).as_subclass(Away)
        memory[:8] = torch.arange(8.)
        kernel[(1,)](memory[:8], memory[8:], n=8)
        assert memory.as_subclass(torch.Tensor).tolist() == [*range(8), *range(1, 9)]
        """, folder=tmp_path, TRITON_INTERPRET="1")


def test_architecture_by_variable(tmp_path):
    run("""
        import numpy as np, os, triton, triton.language as tl
        @triton.jit
        def kernel(x):
            tl.store(x, 1)
        x = np.zeros(1, np.float32)
        def target():
            return kernel[(1,)](x, num_warps=2 if triton.knobs.runtime.override_arch else 4).metadata.target
        assert target() == "cuda:90"
        with triton.knobs.runtime.scope():
            triton.knobs.runtime.override_arch = "sm80"
            assert target() == "cuda:80"
        assert target() == "cuda:90"
        """, folder=tmp_path)


def test_products_and_sums_by_setting(tmp_path):
    run("""
        import re, numpy as np, triton, triton.language as tl
        x = np.zeros(1, np.float32)
        def fuses(**options):
            @triton.jit
            def kernel(x):
                tl.store(x, tl.load(x) * 1.5 + 1.0)
            return re.search("fma[.]rn[.]f32", kernel.warmup(x, grid=(1,), **options).asm["ptx"]) is not None
        assert fuses() and not fuses(enable_fp_fusion=False)
        with triton.knobs.language.scope():
            triton.knobs.language.default_fp_fusion = False
            assert not fuses() and fuses(enable_fp_fusion=True)
        assert fuses()
        """, folder=tmp_path)


def test_functions_of_the_language_are_constants(tmp_path):
    run("""
        import numpy as np, pytest, triton, triton.language as tl
        @triton.jit
        def kernel(out, x, f: tl.constexpr, g: tl.constexpr = tl.abs):
            tl.store(out, f(g(x)))
        out = np.zeros(1, np.float32)
        for f, g, value in [(tl.exp2, tl.abs, 8), (tl.abs, tl.abs, 3), (tl.exp2, tl.exp2, 2**.125)]:
            kernel[(1,)](out, -3.0, f, g)
            np.testing.assert_allclose(out, value, rtol=1e-6)
        assert kernel.warmup(out, 1.0, tl.math.rsqrt, grid=(1,)).asm["ptx"].count("rsqrt.approx") == 1
        @triton.jit
        def of_tuple(out, fs):
            tl.store(out, fs[0](2.0))
        with pytest.raises(TypeError, match="a tuple of constants cannot have <triton.language.exp2>"):
            of_tuple[(1,)](out, (tl.constexpr(tl.exp2),))
        """, folder=tmp_path)


def test_objects_that_a_kernel_does_not_use_are_constants(tmp_path):
    run("""
        import uuid, numpy as np, pytest, triton, triton.language as tl
        @triton.jit
        def kernel(out, USED: tl.constexpr, MARK: tl.constexpr):
            if USED:
                tl.store(out, MARK)
            else:
                tl.store(out, 3)
        out = np.zeros(1, np.float32)
        first, second = (kernel[(1,)](out, False, uuid.uuid4()) for _ in range(2))
        assert first is second and out[0] == 3
        with pytest.raises(triton.CompilationError, match="the class 'UUID_of_MARK' cannot be used") as caught:
            kernel[(1,)](out, True, uuid.uuid4())
        assert caught.value.line == 6
        """, folder=tmp_path)


def test_ir_runs_where_its_arrays_are(tmp_path):
    run("""
        import numpy as np, pytest, triton, triton.language as tl
        @triton.jit
        def kernel(x):
            tl.store(x, 5.0)
        x = np.zeros(1, np.float32)
        open("kernel.ttir", "w").write(kernel.warmup(x, grid=(1,)).asm["ttir"])
        compiled = triton.compile("kernel.ttir")
        compiled[(1,)](x)
        assert x[0] == 5 and compiled.metadata.target == "cuda:90"
        class OfGpu:
            __cuda_array_interface__ = {"typestr": "<f4", "data": (4096, False), "shape": (1,),
                                        "strides": None, "version": 3, "stream": None}
        with pytest.raises(ValueError, match="the argument 'x' is on a GPU"):
            compiled[(1,)](OfGpu())
        """, folder=tmp_path)


def test_constants_that_are_not_to_be_specialized(tmp_path):
    run("""
        import pytest, triton, triton.language as tl
        @triton.jit(do_not_specialize=["n"])
        def kernel(n: tl.constexpr):
            pass
        for compile in (lambda: kernel[(1,)](5), lambda: triton.compile(
                triton.compiler.ASTSource(kernel, {"n": "constexpr"}, {"n": 5}))):
            with pytest.raises(triton.CompilationError, match="n marked as constexpr and listed in "
                               "do_not_specialize") as error:
                compile()
            assert error.value.line == 3 and str(error.value.__cause__).startswith("n marked")
        """, folder=tmp_path)


def test_descriptors_of_a_gpus_arrays(tmp_path):
    run("""
        import pytest
        from triton.tools.tensor_descriptor import TensorDescriptor
        class Array:
            is_cuda, address = True, 256
            def element_size(self):
                return 2
            def data_ptr(self):
                return self.address
        TensorDescriptor(Array(), [128, 128], [128, 1], [32, 64])
        for shape, strides, block, error, message in (
                ([128, 128], [128, 1], [32, 30], ValueError, "Shape element 1 must be a power of 2"),
                ([128, 127], [127, 1], [32, 64], AssertionError, "strides must be 16-byte aligned"),
                ([128, 128], [128, 2], [32, 64], AssertionError, "must be contiguous"),
                ([0, 128], [128, 1], [32, 64], AssertionError, "shape must be positive")):
            with pytest.raises(error, match=message):
                TensorDescriptor(Array(), shape, strides, block)
        Array.address = 8
        with pytest.raises(AssertionError, match="base must be 16-byte aligned"):
            TensorDescriptor(Array(), [128, 128], [128, 1], [32, 64])
        """, folder=tmp_path)


def test_what_libraries_of_kernels_ask_for(tmp_path):
    run("""
        import triton, triton.language as tl
        from triton.language.target_info import cuda_capability_geq, current_target, is_cuda, is_hip
        from triton.runtime.jit import JITCallable
        assert cuda_capability_geq(9) and cuda_capability_geq(8, 9)
        assert not cuda_capability_geq(10, 0) and is_cuda() and not is_hip()
        assert current_target().arch == 90
        @triton.constexpr_function
        def double(n):
            return 2 * n
        def make(scale):
            @triton.jit
            def kernel(x: tl.tensor | tl.block_type, y: tl.tensor | None, on: tl.constexpr):
                tl.store(x, double(scale) + (1 if cuda_capability_geq(9, 0) else 0))
            return kernel
        kernel = make(tl.constexpr(4))
        scope = kernel.get_capture_scope()
        assert scope["scale"] == 4 and scope["tl"] is tl
        assert isinstance(kernel, JITCallable) and isinstance(double, JITCallable)
        import numpy as np
        x = np.zeros(1, np.int32)
        kernel[(1,)](x, None, True)
        assert x[0] == 9
        """, folder=tmp_path)


def test_a_function_without_a_file_gets_a_text(tmp_path):
    run("""
        import numpy as np, triton, triton.language as tl
        names = {"tl": tl}
        exec("def kernel(x):\\n    pass\\n", names)
        kernel = triton.jit(names["kernel"])
        kernel._unsafe_update_src("def kernel(x):\\n    tl.store(x, 3)\\n")
        x = np.zeros(1, np.int32)
        kernel[(1,)](x)
        assert x[0] == 3
        """, folder=tmp_path)


def test_a_decorated_function_in_another_gets_a_text(tmp_path):
    run("""
        import numpy as np, triton, triton.language as tl
        def make(value):
            @triton.jit(
                do_not_specialize=["x"])
            def template(x):
                tl.store(x, VALUE)
            kernel = triton.JITFunction(template.fn)
            kernel._unsafe_update_src(kernel.src.replace("VALUE", value))
            return kernel
        for value in (3, 4):
            kernel = make(str(value))
            assert kernel.src == f"def template(x):\\n    tl.store(x, {value})\\n"
            x = np.zeros(1, np.int32)
            kernel[(1,)](x)
            assert x[0] == value
        """, folder=tmp_path)


def test_a_kernel_says_it_stands_where_its_template_does(tmp_path):
    run("""
        import inspect, types, numpy as np, triton, triton.language as tl
        @triton.jit
        def template(x):
            tl.store(x, 1)
        assert template.raw_src[:2] == ["@triton.jit\\n", "def template(x):\\n"]
        def empty():
            pass
        function = types.FunctionType(empty.__code__, dict(globals()), "template")
        function.__signature__ = inspect.signature(template.fn)
        kernel = triton.JITFunction(function)
        kernel._unsafe_update_src("def template(x):\\n    y: tl.constexpr = 2\\n    tl.store(x, y)\\n")
        kernel.raw_src = list(template.raw_src)
        kernel.starting_line_number = template.starting_line_number
        code = template.fn.__code__
        kernel.fn.__code__ = kernel.fn.__code__.replace(
            co_filename=code.co_filename, co_firstlineno=code.co_firstlineno)
        x = np.zeros(1, np.int32)
        kernel[(1,)](x)
        assert x[0] == 2 and kernel.raw_src == template.raw_src
        """, folder=tmp_path)


def test_modules_are_found_again(tmp_path):
    run("""
        import importlib, sys, triton
        before = sys.modules.pop("triton.runtime.driver")
        assert importlib.import_module("triton.runtime.driver") is before
        from triton.backends.driver import DriverBase
        driver = triton.runtime.driver
        assert isinstance(driver.active, DriverBase) and driver._active is driver._default
        importlib.reload(before)
        assert driver._active is driver._default is None
        assert driver.active is driver.default
        """, folder=tmp_path)


def test_source_of_ir(tmp_path):
    (tmp_path / "kernel.ttgir").write_text("""
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %d: !tt.ptr<i8, 0> {tt.nv_tma_desc = 1 : i32}) attributes {noinline = false} {
    tt.return
  }
}
""")
    run("""
        import triton, pytest
        from triton.compiler import IRSource, GPUTarget, make_backend
        from triton._C.libtriton import ir
        target = GPUTarget("cuda", 80, 32)
        source = IRSource("kernel.ttgir", ir.context(), make_backend(target))
        assert source.name == "@kernel"
        assert source.signature == {0: "*f32", 1: "i32", 2: "nvTmaDesc"}
        assert source.parse_options() == {"num_warps": 8}
        assert "ptx" in triton.compile(source, target=target).asm
        with pytest.raises(ValueError, match="ends in .ttir or .ttgir"):
            IRSource("program.py", None, None)
        """, folder=tmp_path)


#: Enough of a driver's header, and a driver that prints what is launched.
DRIVER = """
#pragma once
#include <stddef.h>
typedef int CUresult;
enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 };
enum { CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };
typedef void *CUstream, *CUmodule, *CUfunction;
typedef unsigned long long CUdeviceptr;
CUresult cuModuleLoadData(CUmodule *, const void *);
CUresult cuModuleUnload(CUmodule);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *);
CUresult cuFuncSetAttribute(CUfunction, int, int);
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, CUstream, void **, void **);
"""
MAIN = """
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "kernel.h"
CUresult cuModuleLoadData(CUmodule *m, const void *code) {
  printf("load %d\\n", strstr((const char *)code, ".target sm_80") != NULL);
  *m = (void *)1;
  return 0;
}
CUresult cuModuleUnload(CUmodule m) { return 0; }
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) {
  printf("%s\\n", name);
  *f = (void *)1;
  return 0;
}
CUresult cuFuncSetAttribute(CUfunction f, int a, int v) { return 0; }
CUresult cuLaunchKernel(CUfunction f, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream s, void **args, void **extra) {
  printf("%u %u %u of %u: %llu %llu\\n", x, y, z, bx, *(CUdeviceptr *)args[0],
         *(CUdeviceptr *)args[1]);
  return 0;
}
int main(void) {
  printf("%d algorithms\\n", copy_get_num_algos());
  printf("= %d\\n", copy_default(0, 32, 64, 100, 2));
  printf("= %d\\n", copy_default(0, 32, 64, 160, 1));
  printf("= %d\\n", copy_default(0, 33, 64, 160, 1));
  printf("= %d\\n", copy(0, 32, 64, 100, 2, 7));
  unload_copy();
  return 0;
}
"""


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_kernels_as_c_source(tmp_path):
    (tmp_path / "copies.py").write_text("""
import triton, triton.language as tl
@triton.jit
def copy_kernel(to, x, n, stride, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(to + at * stride, tl.load(x + at, at < n), at < n)
""")
    (tmp_path / "cuda.h").write_text(DRIVER)
    (tmp_path / "main.c").write_text(MAIN)
    import tilewright.triton
    tools = os.path.join(os.path.dirname(tilewright.triton.__file__), "_tools")
    for signature in ("*fp32:16, *fp32:16, i32, i32, 64", "*fp32:16, *fp32:16, i32:16, i32, 64"):
        subprocess.run([sys.executable, os.path.join(tools, "compile.py"), "-n", "copy_kernel", "-s",
                        signature, "-g", "(n + 63) / 64, 1, 1", "-on", "copy", "-o", "copy", "-w", "2",
                        "-t", "cuda:80:32", "copies.py"], cwd=tmp_path, check=True)
    headers = sorted(path.name for path in tmp_path.glob("copy.*.h"))
    assert len(headers) == 2
    subprocess.run([sys.executable, os.path.join(tools, "link.py"), *headers, "-o", "kernel"],
                   cwd=tmp_path, check=True)
    sources = [path.name for path in tmp_path.glob("*.c")]
    subprocess.run(["cc", "-Wall", "-Werror", "-I.", *sources, "-o", "main"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True, text=True)
    # The second call has a multiple of 16; the third no address that is; the last no such algorithm.
    assert done.stdout.splitlines() == [
        "1 algorithms", "load 1", "copy_kernel", "2 1 1 of 64: 32 64", "= 0",
        "load 1", "copy_kernel", "3 1 1 of 64: 32 64", "= 0", "= 1", "= 1"]


@pytest.mark.parametrize("arguments, error", [
    (["-n", "other", "-s", "i32", "-g", "1, 1, 1"], "has no kernel 'other'"),
    (["-n", "kernel", "-s", "i32, i32", "-g", "1, 1, 1"], "the signature has 2 entries"),
    (["-n", "kernel", "-s", "i32", "-g", "1"], "the grid has three sizes"),
    (["-n", "kernel", "-s", "i32:8", "-g", "1, 1, 1"], "only 1 and 16 are hints"),
    (["-n", "kernel", "-s", "i32", "-g", "1, 1, 1", "-t", "xpu:bmg"], "no C source can be made"),
])
def test_what_no_c_source_is_made_of(arguments, error, tmp_path):
    (tmp_path / "one.py").write_text("import triton\n@triton.jit\ndef kernel(n):\n    pass\n")
    done = run("", "-m", "tilewright.triton", "-m", "triton.tools.compile", *arguments, "one.py",
               folder=tmp_path, check=False)
    assert done.returncode == 1 and error in done.stderr
    assert not list(tmp_path.glob("*.c"))
