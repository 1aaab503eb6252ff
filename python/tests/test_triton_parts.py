"""Parts of Triton's own compiler that programs import: its back ends' options and hints, names of
types, what builds C, FileCheck. Each program is a process of its own, as in test_triton.py."""

import os
import sysconfig

import pytest

from test_triton import run


def test_arguments_have_types_and_hints(tmp_path):
    done = run("""
    import collections, numpy as np, triton, triton.language as tl
    from triton._C.libtriton import native_specialize_impl
    from triton.backends.nvidia.compiler import CUDABackend
    from triton.backends.amd.compiler import HIPBackend
    from triton.runtime.jit import MockTensor, mangle_type

    def of(value, const=False, specialize=True, align=True, backend=CUDABackend):
        return native_specialize_impl(backend, value, const, specialize, align)

    assert of(None) == ("constexpr", None) and of(True) == ("u1", None) and of(2.5) == ("fp32", None)
    assert of(1) == ("constexpr", 1) and of(1, specialize=False) == ("i32", None)
    assert of(48) == ("i32", "D") and of(48, align=False) == of(7) == ("i32", "")
    assert [of(n)[0] for n in (2**31 - 1, 2**31, -2**31 - 1, 2**63 - 1, 2**63, 2**64 - 1)] == [
        "i32", "i64", "i64", "i64", "u64", "u64"]
    Pair = collections.namedtuple("Pair", "x y")
    assert of(Pair(1, 32)) == (Pair("constexpr", "i32"), Pair(1, "D"))
    assert of((False, (2, None))) == (("u1", ("i32", "constexpr")), (None, ("", None)))
    tensor = MockTensor(tl.float16, [4])
    assert of(tensor) == ("*fp16", "D") and of(tensor, const=True)[0] == "*kfp16"
    # Offsets of 32 bits reach all of it, where buffer operations are used.
    assert of(tensor, backend=HIPBackend) == ("*fp16", "DS")
    triton.knobs.amd.use_buffer_ops = False
    assert of(tensor, backend=HIPBackend) == ("*fp16", "D")
    assert HIPBackend.parse_attr("DS") == [["tt.divisibility", 16], ["tt.pointer_range", 32]]
    assert of(tl.constexpr(3))[0] == "constexpr" and mangle_type(1) == "i32"
    try:
        of(object())
    except TypeError as error:
        print(error)
    """, folder=tmp_path)
    assert "Unsupported type: <class 'object'>" in done.stdout, done.stderr


def test_types_have_names(tmp_path):
    done = run("""
    import triton, triton.language as tl
    from triton._utils import (BITWIDTH_DICT, canonicalize_dtype, canonicalize_ptr_dtype,
                               find_paths_if, get_primitive_bitwidth, set_iterable_path,
                               validate_block_shape)
    named = {"torch.float16": "fp16", "half": "fp16", "torch.bool": "u1", "i1": "u1", "torch.int64": "i64",
             "torch.float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5", "bfloat16": "bf16", "u16": "u16",
             "double": "fp64", "uint32": "u32", "void": "void"}
    for text, name in named.items():
        assert canonicalize_dtype(text) == name, text
    assert canonicalize_dtype(tl.float32) == "fp32"
    assert canonicalize_ptr_dtype("int8", True) == "*ki8"
    assert [get_primitive_bitwidth(name) for name in ("u1", "fp8e4b8", "bf16", "i64", "float")] == [
        1, 8, 16, 64, 32]
    assert validate_block_shape([4, 8]) == 32
    for wrong in ([3], [1 << 21], [2.0]):
        try:
            validate_block_shape(wrong)
        except (TypeError, ValueError) as error:
            print(error)
    values = [1, [2, "a"], ("b",)]
    assert find_paths_if(values, lambda path, one: isinstance(one, str)) == [(1, 1), (2, 0)]
    set_iterable_path(values, (1, 0), 5)
    assert values[1][0] == 5
    """, folder=tmp_path)
    assert done.stdout.splitlines() == [
        "Shape element 0 must be a power of 2",
        "numel (2097152) exceeds triton maximum tensor numel (1048576)",
        "Shape element 0 must have type `constexpr[int]`, got `constexpr[<class 'float'>]`"], done.stderr


def test_backends_have_options(tmp_path):
    done = run("""
    import numpy as np, triton, triton.language as tl
    from triton.backends.compiler import GPUTarget
    from triton.backends.nvidia.compiler import (CUDABackend, CUDAOptions, ptx_get_version,
                                                 sm_arch_from_capability)
    from triton.backends.amd.compiler import HIPBackend
    hopper = CUDABackend(GPUTarget("cuda", 90, 32))
    options = hopper.parse_options({"num_warps": 8, "ptx_version": 84, "unknown": 1, "maxnreg": None})
    assert isinstance(options, CUDAOptions)
    assert (options.num_warps, options.num_stages, options.arch, options.ptx_version) == (8, 3, "sm90", 84)
    assert options.supported_fp8_dtypes == ("fp8e4b15", "fp8e4nv", "fp8e5")
    assert options.max_num_imprecise_acc_default == 1 << 30
    assert len(options.hash()) == 64 and options.hash() != hopper.parse_options({}).hash()
    assert hopper.get_target_name(options) == "cuda:90"
    ampere = CUDABackend(GPUTarget("cuda", 80, 32))
    assert ampere.parse_options({}).supported_fp8_dtypes == ("fp8e4b15", "fp8e5")
    for make in (lambda: ampere.parse_options({"num_ctas": 2}), lambda: HIPBackend(GPUTarget("cuda", 80, 32)),
                 lambda: hopper.parse_options({"num_warps": 3}), lambda: hopper.add_stages({}, options)):
        try:
            make()
        except (AssertionError, NotImplementedError, ValueError) as error:
            print(str(error)[:40])
    amd = HIPBackend(GPUTarget("hip", "gfx942", 64)).parse_options({"kpack": 2})
    assert (amd.warp_size, amd.num_stages, amd.kpack) == (64, 2, 2) and "tf32" in amd.allowed_dot_input_precisions
    assert HIPBackend(GPUTarget("hip", "gfx1201", 32)).parse_options({}).warp_size == 32
    assert [ptx_get_version(text) for text in ("10.2", "11.8", "12.5", "12.6", "12.9", "13.0", "14.1")] == [
        65, 78, 85, 85, 88, 90, 101]
    assert sm_arch_from_capability(90) == "sm_90a" and sm_arch_from_capability(80) == "sm_80"

    @triton.jit
    def kernel(x, n):
        tl.store(x, n)
    source = triton.compiler.ASTSource(kernel, {"x": "*i32", "n": "i32"})
    target = GPUTarget("cuda", 80, 32)
    # As Triton's own launcher does.
    compiled = triton.compile(source, target, vars(ampere.parse_options({"num_warps": 2})))
    metadata = compiled.metadata
    assert metadata.num_warps == 2 and metadata.ptx_version is None and metadata.arch == "sm80"
    assert (metadata.target.backend, metadata.target.arch, metadata.target.warp_size) == ("cuda", 80, 32)
    assert metadata.sanitize_overflow and metadata.profile_scratch_size == 0
    assert not hasattr(metadata, "no_such_option")
    assert triton.backends.nvidia.compiler.CUDABackend is triton.backends.backends["nvidia"].compiler
    """, folder=tmp_path)
    assert [line[:24] for line in done.stdout.splitlines()] == [
        "num_ctas > 1 requires NV", "HIPBackend does not comp", "num_warps must be a powe",
        "the stages of a compilat"], done.stdout + done.stderr


def test_folders_of_vendors(tmp_path):
    (tmp_path / "cuda" / "include").mkdir(parents=True)
    (tmp_path / "cuda" / "include" / "cuda.h").touch()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libcuda.so.1").touch()
    text = """
    from triton.backends.nvidia import driver
    from triton.backends.amd.driver import include_dirs, HIPDriver
    from triton.backends.intel.driver import COMPILATION_HELPER
    assert include_dirs and isinstance(COMPILATION_HELPER.include_dir + COMPILATION_HELPER.libsycl_dir, list)
    print(*driver.include_dirs, *driver.library_dirs())
    """
    done = run(text, folder=tmp_path, CUDA_HOME=str(tmp_path / "cuda"), TRITON_LIBCUDA_PATH=str(tmp_path / "lib"))
    assert done.stdout.split() == [str(tmp_path / "cuda" / "include"), str(tmp_path / "lib")], done.stderr


def test_names_of_the_compiler_are_refused_in_use(tmp_path):
    done = run("""
    import triton, triton.language as tl
    from triton.compiler.code_generator import CodeGenerator, ast_to_ttir
    from triton.language import semantic
    from triton.language.semantic import TritonSemantic
    from triton.runtime.interpreter import GridExecutor, InterpretedFunction
    for kind in (CodeGenerator, TritonSemantic, GridExecutor):
        try:
            kind(1, x=2)
        except NotImplementedError as error:
            print(error)
    @triton.jit
    def kernel(x):
        tl.store(x, 1)
    assert not isinstance(kernel, InterpretedFunction)
    source = triton.compiler.ASTSource(kernel, {"x": "*i32"})
    target = triton.backends.compiler.GPUTarget("cuda", 90, 32)
    print(ast_to_ttir(kernel, source, None, triton.compiler.make_backend(target).parse_options({}), {}, {}))
    """, folder=tmp_path)
    lines = done.stdout.splitlines()
    assert "CodeGenerator is a part of Triton's own compiler" in lines[0], done.stderr
    assert "TritonSemantic is a part" in lines[1] and "GridExecutor is a part" in lines[2], lines
    assert len(lines) > 3, done.stderr


MODULE = r"""
#include <Python.h>
static PyObject *twice(PyObject *self, PyObject *number) {
  return PyLong_FromLong(2 * PyLong_AsLong(number));
}
static PyMethodDef methods[] = {{"twice", twice, METH_O, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "tw_twice", NULL, -1, methods};
PyMODINIT_FUNC PyInit_tw_twice(void) { return PyModule_Create(&module); }
"""


@pytest.mark.skipif(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")),
                    reason="Python's headers are not installed")
def test_extension_modules_are_built_once(tmp_path):
    done = run(f"""
    import os, triton
    from triton.runtime.build import compile_module_from_src
    text = {MODULE!r}
    first = compile_module_from_src(text, "tw_twice")
    assert first.twice(21) == 42
    os.environ["CC"] = "/no/such/compiler"
    assert compile_module_from_src(text, "tw_twice").__file__ == first.__file__
    try:
        triton.runtime.build.compile_module_from_src(text + "// other", "tw_twice")
    except FileNotFoundError as error:
        print(error)
    """, folder=tmp_path, TRITON_CACHE_DIR=str(tmp_path / "kept"))
    assert "/no/such/compiler" in done.stdout, done.stderr


def test_filecheck_gets_the_first_stage(tmp_path):
    program = tmp_path / "FileCheck"
    program.write_text("#!/bin/sh\ngrep -q 'tt.func public @kernel' \"$3\" || exit 1\n"
                       "grep -q 'CHECK: tt.store' \"$1\" || { echo 'no match' >&2; exit 1; }\n")
    program.chmod(0o755)
    done = run("""
    import triton, triton.language as tl
    from triton._filecheck import filecheck_test, run_filecheck_test, run_parser
    from triton.runtime.jit import MockTensor

    @filecheck_test
    @triton.jit
    def kernel():
        # CHECK: tt.store
        tl.device_assert(True)
    kernel()

    @triton.jit
    def kernel(x, n, B: tl.constexpr):
        tl.store(x + tl.arange(0, B), n)
    text = str(run_parser(kernel, (MockTensor(tl.float32), 5), {"B": 64}))
    assert "tensor<64x!tt.ptr<f32>>" in text and "tt.divisibility = 16" in text, text
    try:
        run_filecheck_test(triton.jit(kernel.fn))
    except TypeError as error:
        print(error)
    """, folder=tmp_path, FILECHECK=str(program))
    assert "missing a required argument" in done.stdout, done.stdout + done.stderr
