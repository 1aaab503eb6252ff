"""The path to a GPU, without one: against a driver that notes the launches (recording_driver.c)."""

import ctypes
import os
import shutil
import subprocess
import sys
import traceback
import types

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))


class Array:
    """An array of a GPU, by `__cuda_array_interface__`."""

    __cuda_array_interface__ = None

    def __init__(self, address, stream=None, ordinal=0, typestr="<f4"):
        self.__dict__["interface"] = {"typestr": typestr, "data": (address, False),
                                      "shape": (64,), "strides": None, "version": 3,
                                      "stream": stream}
        self.device = types.SimpleNamespace(id=ordinal)

    def __getattribute__(self, name):
        if name == "__cuda_array_interface__":
            return self.__dict__["interface"]
        return object.__getattribute__(self, name)


class Record(ctypes.Structure):
    _fields_ = [("launches", ctypes.c_uint64), ("grid", ctypes.c_uint64 * 3),
                ("threads", ctypes.c_uint64), ("shared_bytes", ctypes.c_uint64),
                ("stream", ctypes.c_uint64), ("parameters", ctypes.c_uint64 * 8),
                ("attributes", ctypes.c_uint64 * 16)]


def driver():
    library = ctypes.CDLL("libcuda.so.1")
    library.getRecord.restype = ctypes.POINTER(Record)
    return library


#===--------------------------------------------------------------------------===#
# In a process with that driver: functions whose names begin with `check`
#===--------------------------------------------------------------------------===#


def check_what_a_launch_passes():
    import kernels
    cuda = driver()
    cuda.setParameterCount(4)
    compiled = kernels.scale[(3, 2)](Array(1 << 20, stream=77), Array(2 << 20), 48, 2.5, BLOCK=32,
                                     num_warps=2)
    record = cuda.getRecord()[0]
    assert list(record.grid) == [3, 2, 1] and record.threads == 64 and record.stream == 77
    assert list(record.parameters)[:2] == [1 << 20, 2 << 20]
    assert record.parameters[2] & 0xffffffff == 48
    assert record.parameters[3] & 0xffffffff == 0x40200000  # 2.5
    assert compiled.metadata.target == "cuda:90"
    assert (compiled.n_regs, compiled.n_spills) == (42, 4)
    assert [one.get("divisibility") for one in compiled.metadata.arguments[:3]] == [16, 16, 16]


def check_what_a_launch_asks_for():
    import kernels
    cuda = driver()
    cuda.setParameterCount(4)
    arguments = Array(1 << 20), Array(2 << 20), 48, 2.5
    attributes = lambda: list(cuda.getRecord()[0].attributes)
    none = [0] * 16
    # CUlaunchAttributeID: cooperative 2, cluster 4, programmatic stream serialization 6.
    for options, asked in [({}, {}), ({"launch_cooperative_grid": True}, {2: 1}),
                           ({"launch_pdl": True}, {6: 1}), ({"launch_pdl": False}, {}),
                           ({"num_ctas": 2}, {4: 2}),
                           ({"num_ctas": 2, "launch_pdl": True, "launch_cooperative_grid": True},
                            {2: 1, 4: 2, 6: 1})]:
        kernels.scale[(3, 2)](*arguments, BLOCK=32, **options)
        assert attributes() == [asked.get(i, 0) for i in range(16)], options
        assert list(cuda.getRecord()[0].grid) == [3 * options.get("num_ctas", 1), 2, 1]
    limited = kernels.scale[(1,)](*arguments, maxnreg=40)
    assert ".maxnreg 40" in limited.asm["ptx"] and attributes() == none


def check_types_stand_for_arrays_of_the_gpu():
    import kernels
    import tilewright.language as tl
    cuda = driver()
    cuda.setParameterCount(4)
    kernels.scale.device_caches.clear()
    warmed = kernels.scale.warmup(tl.float32, tl.float32, 48, 2.5, grid=(1,))
    assert kernels.scale[(1,)](Array(1 << 20), Array(2 << 20), 48, 2.5) is warmed
    assert len(kernels.scale.device_caches[0][0]) == 1
    other = kernels.scale.warmup(tl.float32, tl.float32, 48, 2.5, grid=(1,), target="hip:gfx1201")
    assert other.metadata.target == "hip:gfx1201"


def check_ptx_in_place_of_the_kernels():
    import tempfile
    import kernels
    import tilewright
    cuda = driver()
    arguments = Array(1 << 20), Array(2 << 20), 48, 2.5
    cuda.setParameterCount(4)
    own = kernels.scale[(1,)](*arguments).asm["ptx"]
    head, tail = own.split("\n)\n", 1)
    with tempfile.TemporaryDirectory() as folder:
        def launch(extra, text=own, **options):
            more = "".join(f",\n\t.param .u64 .ptr .global scale_more_{i}" for i in range(extra))
            path = os.path.join(folder, f"{len(os.listdir(folder))}.ptx")
            with open(path, "w") as file:
                file.write(text.replace(head, head + more))
            return kernels.scale[(1,)](*arguments, ir_override=path, **options)

        # Triton's has two addresses more, which are null.
        for extra in (0, 1, 2):
            cuda.setParameterCount(4 + extra)
            compiled = launch(extra)
            assert compiled.asm["ptx"].count("scale_more") == extra
            assert list(cuda.getRecord()[0].parameters)[:2] == [1 << 20, 2 << 20]
            assert not any(list(cuda.getRecord()[0].parameters)[4:4 + extra])
        for wrong, message in [
                (lambda: launch(3), "has 7 parameters there and 4 here"),
                (lambda: launch(0, own.replace("scale", "other")), "has no entry 'scale'"),
                (lambda: launch(1, num_warps=8), "is for blocks of 128 threads")]:
            with pytest.raises(tilewright.CompileError, match=message):
                wrong()


def check_that_nothing_is_compiled_twice():
    import kernels
    arrays = Array(1 << 20), Array(2 << 20)
    first = kernels.scale[(1,)](*arrays, 48, 2.5)
    for _ in range(100):
        assert kernels.scale[(1,)](*arrays, 48, 2.5) is first
    assert driver().getRecord()[0].launches == 101
    # The code of another device is its own.
    other = kernels.scale[(1,)](Array(1 << 20, ordinal=1), Array(2 << 20, ordinal=1), 48, 2.5)
    assert other is not first and other.asm["ptx"] == first.asm["ptx"]


def check_integers_of_all_sizes():
    import tilewright
    import tilewright.language as tl

    @tilewright.jit
    def kernel(out, a, b, c, d):
        tl.store(out, a + b + c + d)

    cuda = driver()
    cuda.setParameterCount(5)
    kernel[(1,)](Array(512, typestr="<u8"), -5, 2**40, 2**64 - 1, True)
    values = list(cuda.getRecord()[0].parameters)
    assert values[1] & 0xffffffff == 2**32 - 5 and values[2:4] == [2**40, 2**64 - 1]
    assert values[4] & 0xff == 1


def check_constants_are_not_passed():
    import tilewright
    import tilewright.language as tl

    @tilewright.jit
    def kernel(out, one, none, VALUE: tl.constexpr, last):
        tl.store(out, one + VALUE + last)

    cuda = driver()
    cuda.setParameterCount(2)
    kernel[(1,)](Array(512, typestr="<i4"), 1, None, 5, 9)
    assert list(cuda.getRecord()[0].parameters)[:2] == [512, 9]


def check_what_the_driver_refuses():
    import kernels
    import tilewright
    try:
        kernels.scale[(777,)](Array(512), Array(1024), 48, 2.5)
    except tilewright.LaunchError as error:
        assert "running 'scale' failed on a recording driver: too many resources" in str(error)
    else:
        raise AssertionError("no exception")


def check_many_parameters():
    import tilewright
    import tilewright.language as tl
    names = [f"p{i}" for i in range(60)]
    text = ("@tilewright.jit\ndef kernel(" + ", ".join(names) + "):\n    tl.store(p0, " +
            " + ".join(names[1:]) + ")\n")
    import linecache
    linecache.cache["<many>"] = (len(text), None, text.splitlines(True), "<many>")
    namespace = {"tilewright": tilewright, "tl": tl}
    exec(compile(text, "<many>", "exec"), namespace)
    cuda = driver()
    cuda.setParameterCount(8)
    namespace["kernel"][(1,)](Array(512, typestr="<i4"), *range(2, 61))
    assert list(cuda.getRecord()[0].parameters) == [512, *range(2, 9)]


def check_torch_without_its_table():
    """Tensors by `data_ptr()`, and the current stream by PyTorch's own function."""
    import kernels

    class Tensor:
        device = "cuda:1"

        def __init__(self, address):
            self.address = address
            self.dtype = "torch.float16"

        def data_ptr(self):
            return self.address

    torch = types.ModuleType("torch")
    torch._C = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda device: 1000 + device)
    sys.modules["torch"] = torch
    compiled = kernels.scale[(1,)](Tensor(512), Tensor(1024), 48, 2.5)
    del sys.modules["torch"]
    assert driver().getRecord()[0].stream == 1001
    assert compiled.metadata.arguments[0]["type"] == "*fp16"


def check_a_forked_child():
    import kernels
    import tilewright
    kernels.scale[(1,)](Array(512), Array(1024), 48, 2.5)
    child = os.fork()
    if child == 0:
        try:
            kernels.scale[(1,)](Array(512), Array(1024), 48, 2.5)
        except tilewright.LaunchError as error:
            os._exit(0 if "spawn" in str(error) else 2)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


#===--------------------------------------------------------------------------===#
# The tests
#===--------------------------------------------------------------------------===#


CHECKS = [name for name in list(globals()) if name.startswith("check_")]


def run_checks():
    for name in CHECKS:
        try:
            ctypes.memset(driver().getRecord(), 0, ctypes.sizeof(Record))
            driver().setParameterCount(0)
            globals()[name]()
            print(name, "fine", flush=True)
        except BaseException:
            print(name, traceback.format_exc().replace("\n", "\t"), flush=True)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    compiler = next(filter(None, map(shutil.which, ("cc", "clang", "clang-22", "gcc"))), None)
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("driver")
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", str(folder / "libcuda.so.1"),
                    os.path.join(HERE, "recording_driver.c")], check=True)
    path = f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    run = subprocess.run(
        [sys.executable, "-c", "import test_recording_driver as t; t.run_checks()"], cwd=HERE,
        env={**os.environ, "LD_LIBRARY_PATH": path, "TILEWRIGHT_CACHE": "off"},
        capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return dict(line.split(" ", 1) for line in run.stdout.splitlines())


@pytest.mark.parametrize("name", CHECKS)
def test_recorded(outcomes, name):
    assert outcomes[name] == "fine", outcomes[name].replace("\t", "\n")
