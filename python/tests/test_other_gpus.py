"""The paths to AMD's and Intel's GPUs, without one: against the libraries of test/launch that stand in
for HIP, Level Zero, OpenCL and SYCL, compute saxpy in the host's memory and keep a log."""

import ctypes
import os
import shutil
import subprocess
import sys
import traceback
import types

import numpy as np
import pytest

import tilewright
import tilewright.language as tl
from tilewright import _host, _native

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

#: The file of each stand-in, and whom it stands in for.
STAND_INS = {"HipStandIn.c": "libamdhip64.so", "LevelZeroStandIn.c": "libze_loader.so.1",
             "OpenClStandIn.c": "libOpenCL.so.1", "SyclStandIn.c": "libsycl.so.8"}

ROCM, ONEAPI, OPENCL = 10, 14, 4


@tilewright.jit
def saxpy(x, y, a, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(y + at, tl.load(y + at, inside) + a * tl.load(x + at, inside), inside)


def aligned(values):
    """An array of f32 that begins at a multiple of 16."""
    memory = np.zeros(len(values) + 4, np.float32)
    begin = -memory.ctypes.data % 16 // 4
    array = memory[begin:begin + len(values)]
    array[:] = values
    return array


class Arrays:
    """x, y and what y is after a launch with a = 0.5."""

    def __init__(self, wrap):
        self.memory = [aligned([1, 2, 3]), aligned([10, 20, 30])]
        self.x, self.y = map(wrap, self.memory)

    def launch(self, grid=(2, 1), **options):
        return saxpy[grid](self.x, self.y, 0.5, 3, BLOCK=64, **{"num_warps": 2, **options})

    def check(self):
        assert self.memory[1].tolist() == [10.5, 21, 31.5]


def stand_in(name, function="standInLog", restype=ctypes.c_char_p):
    found = getattr(ctypes.CDLL(name), function)
    found.restype = restype
    return found


def log_of(name):
    return stand_in(name)().decode()


def sycl_queue(backend, native, is_command_list=0):
    """The address of a sycl::queue."""
    make = stand_in("libsycl.so.8", "standInSyclQueue", ctypes.c_uint64)
    return make(backend, is_command_list, ctypes.c_void_p(native))


def level_zero_queue(context=0, device=0, immediate=1):
    make = stand_in("libze_loader.so.1", "standInList", ctypes.c_void_p)
    return sycl_queue(2, make(context, device, immediate), 1)


class Capsule:
    """An array that speaks DLPack's protocol of capsules, and says the device."""

    device = (ROCM, 0)
    streams = []

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        capsule = self.array.__dlpack__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        device = ctypes.cast(get(capsule, b"dltensor") + 8, ctypes.POINTER(ctypes.c_int32))
        device[0], device[1] = self.device
        return capsule


class Usm:
    """An array of dpctl's: unified shared memory that says its queue."""

    __sycl_usm_array_interface__ = None
    queue = 0

    def __init__(self, array):
        # Behind two elements of its allocation.
        self.interface = {"data": (array.ctypes.data - 8, False), "offset": 2, "shape": array.shape,
                          "strides": None, "typestr": "|f4", "version": 1,
                          "syclobj": types.SimpleNamespace(addressof_ref=lambda: self.queue,
                                                           sycl_context=None)}

    def __getattribute__(self, name):
        if name == "__sycl_usm_array_interface__":
            return self.interface
        return object.__getattribute__(self, name)


def on_queue(queue):
    return type("UsmOnQueue", (Usm,), {"queue": queue})


class Tensor:
    """As PyTorch's tensors of before DLPack's table of functions."""

    device = "cuda:0"
    dtype = "torch.float32"

    def __init__(self, array):
        self.array = array

    def data_ptr(self):
        return self.array.ctypes.data


def fake_torch(**core):
    torch = types.ModuleType("torch")
    torch._C = types.SimpleNamespace(**core)
    torch.version = types.SimpleNamespace(hip=None)
    sys.modules["torch"] = torch
    return torch


#===--------------------------------------------------------------------------===#
# In a process with those libraries: functions whose names begin with `check`
#===--------------------------------------------------------------------------===#


def check_dlpack_on_rocm():
    arrays = Arrays(Capsule)
    compiled = arrays.launch()
    arrays.check()
    assert compiled.metadata.target == "hip:gfx1201" and "hsaco" in compiled.asm
    assert (compiled.n_regs, compiled.n_spills) == (32, 0)
    assert log_of("libamdhip64.so") == (
        "load elf on 0\nlaunch elf on 0: grid 2 1 1, block 64 1 1, shared 0, stream 0, extra 0, "
        "a 0.5, n 3\n")
    assert set(Capsule.streams) == {0}  # The array API's name of ROCm's default stream.
    assert arrays.launch() is compiled


def check_torch_on_rocm():
    torch = fake_torch(_cuda_getCurrentRawStream=lambda device: 70 + device)
    torch.version.hip = "6.4"
    arrays = Arrays(Tensor)
    assert arrays.launch().metadata.target == "hip:gfx1201"
    assert "stream 70," in log_of("libamdhip64.so")
    torch.version.hip = None
    try:
        arrays.launch()
    except tilewright.LaunchError as error:
        assert "CUDA" in str(error)
    else:
        raise AssertionError("no exception")


def check_cupy_on_rocm():
    cupy = sys.modules["cupy"] = types.ModuleType("cupy")
    cupy.cuda = types.SimpleNamespace(runtime=types.SimpleNamespace(is_hip=True),
                                      Device=lambda: types.SimpleNamespace(id=1))

    class Array:
        __cuda_array_interface__ = None

        def __init__(self, array):
            self.interface = {**array.__array_interface__, "stream": 99}

        def __getattribute__(self, name):
            if name == "__cuda_array_interface__":
                return self.interface
            return object.__getattribute__(self, name)

    arrays = Arrays(Array)
    arrays.launch()
    arrays.check()
    assert "stream 99," in log_of("libamdhip64.so")
    assert _host.current_device() == _native.device_of_hip(1)


def check_rocm_without_a_target():
    class Other(Capsule):
        device = (ROCM, 1)

    expect(tilewright.LaunchError, "no target for Stand-in 1, whose architecture is gfx906",
           Arrays(Other).launch)


def check_level_zero():
    queue = level_zero_queue()
    arrays = Arrays(on_queue(queue))
    compiled = arrays.launch()
    arrays.check()
    assert compiled.metadata.target == "xpu:bmg" and "spv" in compiled.asm
    assert (compiled.n_regs, compiled.n_spills) == (None, 16)
    assert log_of("libze_loader.so.1") == (
        "module of SPIR-V in 0 on 0 ''\nbarrier on 0\nlaunch saxpy on 0 in 0: 2 1 1 groups of "
        f"{compiled.metadata.warp_size * 2} 1 1, access 7, sizes 8 8 4 4, a 0.5, n 3\n"
        "barrier on 0\n")
    # Another queue of the same context and device needs no other kernel; another context does.
    assert Arrays(on_queue(level_zero_queue())).launch() is compiled
    assert "module" not in log_of("libze_loader.so.1")
    assert Arrays(on_queue(level_zero_queue(context=1))).launch() is not compiled
    assert "module of SPIR-V in 1 on 0" in log_of("libze_loader.so.1")


def check_level_zero_on_another_device():
    compiled = Arrays(on_queue(level_zero_queue(device=1))).launch()
    assert compiled.metadata.target == "xpu:lnl"
    expect(tilewright.LaunchError, "no target for Stand-in 2, whose graphics IP is version 12.0",
           Arrays(on_queue(level_zero_queue(device=2))).launch)


def check_torch_on_xpu():
    queue = level_zero_queue()
    fake_torch(_xpu_getCurrentRawStream=lambda device: queue if device == 3 else 0)
    xpu = type("XpuTensor", (Tensor,), {"device": "xpu:3"})
    arrays = Arrays(xpu)
    assert arrays.launch().metadata.target == "xpu:bmg"
    arrays.check()
    # PyTorch's and dpctl's arrays of one context go together.
    saxpy[(1,)](arrays.x, on_queue(queue)(arrays.memory[1]), 0.5, 3, BLOCK=64, num_warps=2)


def check_the_runner_on_xpu():
    """As inductor launches: with the queue as the stream."""
    queue = level_zero_queue()
    arrays = Arrays(on_queue(queue))
    compiled = saxpy.warmup(arrays.x, arrays.y, 0.5, 3, BLOCK=64, num_warps=2)
    compiled.run(2, 1, 1, queue, compiled.function, None, None, None, None, arrays.x, arrays.y, 0.5,
                 3, 64)
    arrays.check()
    expect(tilewright.LaunchError, "on no SYCL queue", compiled.run, 2, 1, 1, 0, None, None, None,
           None, None, arrays.x, arrays.y, 0.5, 3, 64)


def check_queues_that_are_refused():
    expect(tilewright.LaunchError, "UR_L0_USE_IMMEDIATE_COMMANDLISTS=1",
           Arrays(on_queue(level_zero_queue(immediate=0))).launch)
    expect(tilewright.LaunchError, "a queue of Level Zero or OpenCL",
           Arrays(on_queue(sycl_queue(3, 8))).launch)


def check_opencl():
    make = stand_in("libOpenCL.so.1", "standInQueue", ctypes.c_void_p)
    queue = sycl_queue(1, make(1))
    arrays = Arrays(on_queue(queue))
    expect(ValueError, "Stand-in 1 does not say which GPU it is", arrays.launch)
    compiled = arrays.launch(target="xpu:bmg")
    arrays.check()
    threads = compiled.metadata.warp_size * 2
    assert log_of("libOpenCL.so.1").splitlines()[-3:] == [
        "barrier on 1",
        f"launch spirv on 1 in 1: 3 dimensions, {2 * threads} 1 1 by {threads} 1 1, sizes 8 8 4 4, "
        "a 0.5, n 3", "barrier on 1"]
    assert arrays.launch(target="xpu:bmg") is compiled
    assert (compiled.n_regs, compiled.n_spills) == (None, None)


def check_what_is_refused_by_name():
    class OpenClBuffer(Capsule):
        device = (OPENCL, 0)

    class Unknown(Capsule):
        device = (ONEAPI, 0)

    class Metal(Capsule):
        device = (8, 0)

    def with_context(array):
        made = Usm(array)
        made.interface["syclobj"] = types.SimpleNamespace(addressof_ref=lambda: 8)
        return made

    for wrap, text in [(OpenClBuffer, "'x' is a buffer of OpenCL's, which has no address"),
                       (Unknown, "'x' is on a oneAPI device, and does not say on which queue"),
                       (Metal, "'x' is on a device (number 8 of DLPack)"),
                       (with_context, "'x' has unified shared memory without a queue")]:
        expect(TypeError, text, Arrays(wrap).launch)
    hip, cpu = Arrays(Capsule), Arrays(lambda array: array)
    expect(TypeError, "'y' is on the CPU, and the arrays before it are on HIP device 0; move it",
           saxpy[(1,)], hip.x, cpu.y, 0.5, 3, BLOCK=64)
    usm = Arrays(on_queue(level_zero_queue()))
    expect(TypeError, "'y' is on HIP device 0, and the arrays before it are on SYCL device",
           saxpy[(1,)], usm.x, hip.y, 0.5, 3, BLOCK=64)
    expect(ValueError, "leave `target` out", hip.launch, target="hip:gfx1201")


def check_times_on_xpu():
    """testing.do_bench takes PyTorch's events of Intel's GPUs."""
    log = []

    class Event:
        def __init__(self, enable_timing):
            assert enable_timing

        def record(self):
            log.append("event")

        def elapsed_time(self, other):
            return 2.0

    torch = fake_torch()
    torch.int = "int"
    torch.empty = lambda size, dtype, device: types.SimpleNamespace(zero_=lambda: log.append(device))
    torch.xpu = types.ModuleType("torch.xpu")
    torch.xpu.is_available, torch.xpu.Event = lambda: True, Event
    torch.xpu.synchronize = lambda: log.append("wait")
    from tilewright import testing
    assert testing.do_bench(lambda: log.append("call"), warmup=2, rep=4) == 2.0
    # Five rounds, with the cache emptied, take 2 ms by these events.
    assert log == (["call", "event"] + ["xpu", "call"] * 5 + ["event", "wait"] + ["call"] * 5 +
                   ["xpu", "event", "call", "event"] * 10 + ["wait"])


def check_a_forked_child():
    arrays = Arrays(Capsule)
    arrays.launch()
    child = os.fork()
    if child == 0:
        try:
            arrays.launch()
        except tilewright.LaunchError as error:
            os._exit(0 if "spawn" in str(error) else 2)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def check_the_driver_of_triton():
    """triton.runtime.driver with PyTorch on each vendor's GPU."""
    queue = level_zero_queue(device=1)
    from tilewright.triton import _driver
    properties = types.SimpleNamespace(multi_processor_count=7, shared_memory_per_block=65536,
                                       gpu_subslice_count=20, local_mem_size=131072)

    def module(name, stream):
        made = types.ModuleType("torch." + name)
        made.is_available = lambda: True
        made.current_device = lambda: 0
        made.get_device_properties = lambda device: properties
        made.current_stream = lambda device: stream
        return made

    torch = fake_torch(_cuda_getCurrentRawStream=lambda device: 70, _cuda_getDevice=lambda: 0)
    torch.version.hip = "6.4"
    torch.cuda = module("cuda", types.SimpleNamespace(cuda_stream=70))
    active = {name: one.driver.is_active() for name, one in _driver.backends.items()}
    assert active == {"nvidia": False, "amd": True, "intel": False, "cpu": True}
    driver = _driver.Driver().active
    assert repr(driver.get_current_target()) == repr(_driver.GPUTarget("hip", "gfx1201", 32))
    assert _driver.target_of_name("hip:gfx942").warp_size == 64
    assert _driver.target_of_name("cuda:90").warp_size == 32
    assert driver.get_current_stream() == 70
    torch = fake_torch(_xpu_getCurrentRawStream=lambda device: queue, _xpu_getDevice=lambda: 0)
    torch.xpu = module("xpu", types.SimpleNamespace(sycl_queue=queue))
    assert _driver.backends["intel"].driver.is_active()
    assert driver.get_current_target().name() == "xpu:lnl"
    assert driver.get_current_stream() == queue
    assert driver.utils.get_device_properties(0)["max_shared_mem"] == 65536


#===--------------------------------------------------------------------------===#
# The tests
#===--------------------------------------------------------------------------===#


def expect(class_, text, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except class_ as error:
        assert text in str(error), str(error)
    else:
        raise AssertionError(f"no {class_.__name__}: {text}")


CHECKS = [name for name in list(globals()) if name.startswith("check_")]


def run_checks():
    ctypes.CDLL("libsycl.so.8")
    for name in CHECKS:
        try:
            for library in STAND_INS.values():
                if "sycl" not in library:
                    stand_in(library)()
            globals()[name]()
            print(name, "fine", flush=True)
        except BaseException:
            print(name, traceback.format_exc().replace("\n", "\t"), flush=True)
        sys.modules.pop("torch", None)
        sys.modules.pop("cupy", None)


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    compiler = next(filter(None, map(shutil.which, ("cc", "clang", "clang-22", "gcc"))), None)
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("drivers")
    for file, library in STAND_INS.items():
        subprocess.run([compiler, "-shared", "-fPIC", "-I", ROOT, "-o", str(folder / library),
                        os.path.join(ROOT, "test", "launch", file)], check=True)
    return folder


def run(program, folder):
    path = f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    done = subprocess.run([sys.executable, "-c", program], cwd=HERE,
                          env={**os.environ, "LD_LIBRARY_PATH": path, "TILEWRIGHT_CACHE": "off"},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def outcomes(libraries):
    return dict(line.split(" ", 1) for line in run(
        "import test_other_gpus as t; t.run_checks()", libraries).splitlines())


@pytest.mark.parametrize("name", CHECKS)
def test_recorded(outcomes, name):
    assert outcomes[name] == "fine", outcomes[name].replace("\t", "\n")


def test_libraries_of_packages(libraries, tmp_path):
    """As PyTorch brings them: loaded by their paths, where no search by name finds them."""
    folder = tmp_path / "torch" / "lib"
    folder.mkdir(parents=True)
    for library in ("libamdhip64.so", "libsycl.so.8"):
        shutil.copy(libraries / library, folder / library.replace(".so", ".so.77"))
    run(f"""
import ctypes
import test_other_gpus as t
hip = ctypes.CDLL("{folder}/libamdhip64.so.77")
ctypes.CDLL("{folder}/libsycl.so.77.8")
arrays = t.Arrays(t.Capsule)
arrays.launch()
arrays.check()
hip.standInLog.restype = ctypes.c_char_p
assert hip.standInLog().startswith(b"load elf on 0")
t.expect(t.tilewright.LaunchError, "on no SYCL queue", t.Arrays(t.on_queue(0)).launch)
""", tmp_path)


def test_without_drivers(tmp_path):
    """Errors where neither AMD's nor Intel's libraries are there."""
    print(run("""
import test_other_gpus as t
t.expect(t.tilewright.LaunchError, "there is no HIP driver: cannot open libamdhip64.so",
         t.Arrays(t.Capsule).launch)
t.expect(t.tilewright.LaunchError, "no library of SYCL is loaded", t.Arrays(t.on_queue(8)).launch)
""", tmp_path))
