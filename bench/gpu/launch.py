#!/usr/bin/env python3
"""Launches compiled kernels from Python, by the launch library (include/tilewright-c/launch.h).

    kernel = Kernel("out/vector_add", "vector_add")
    launch = kernel.launcher((grid,), [x, y, z, n])       # tensors, or addresses, and numbers
    launch()                                              # on PyTorch's stream, without waiting

Run as a program, it measures what a launch costs the host, on a machine with a GPU:

    python3 bench/gpu/launch.py build/release/src/runtime/libtilewright-launch.so
"""

import ctypes
import json
import os
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(HERE, "..", "..", "build", "release", "src", "runtime",
                     "libtilewright-launch.so")

# TilewrightAttribute
THREADS_PER_BLOCK, DYNAMIC_SHARED_BYTES, REGISTERS, LOCAL_BYTES, STATIC_SHARED_BYTES, \
    MULTIPROCESSORS, CONCURRENT_PROGRAMS, BLOCKS_PER_PROGRAM = range(8)


def open_library(path=None):
    """The library of this path; by default $TILEWRIGHT_LAUNCH, or that of the release build."""
    library = ctypes.CDLL(path or os.environ.get("TILEWRIGHT_LAUNCH", BUILT))
    pointer, text, integer = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    u32, u64, i64 = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int64
    for name, result, arguments in (
            ("last_error", text, []),
            ("open", integer, [text, text, ctypes.POINTER(pointer)]),
            ("close", None, [pointer]),
            ("get_argument_count", integer, [pointer]),
            ("get_argument_name", text, [pointer, integer]),
            ("get_argument_type", text, [pointer, integer]),
            ("set_pointer", integer, [pointer, integer, u64]),
            ("set_integer", integer, [pointer, integer, i64]),
            ("set_float", integer, [pointer, integer, ctypes.c_double]),
            ("set_tensor", integer, [pointer, integer, u64, integer, ctypes.POINTER(i64),
                                     ctypes.POINTER(i64)]),
            ("load", integer, [pointer, integer]),
            ("launch", integer, [pointer, u32, u32, u32, pointer]),
            ("get_attribute", integer, [pointer, integer, ctypes.POINTER(integer)])):
        function = getattr(library, "tilewright_" + name)
        function.restype, function.argtypes = result, arguments
    return library


class Kernel:
    """A compiled kernel: FOLDER/NAME.json and the code beside it. Errors are RuntimeErrors."""

    def __init__(self, folder, name, library=None):
        self.library = library or open_library()
        self.handle = ctypes.c_void_p()
        self.check(self.library.tilewright_open(folder.encode(), name.encode(),
                                                ctypes.byref(self.handle)))
        count = self.library.tilewright_get_argument_count(self.handle)
        self.names = [self.library.tilewright_get_argument_name(self.handle, i).decode()
                      for i in range(count)]
        self.types = [self.library.tilewright_get_argument_type(self.handle, i).decode()
                      for i in range(count)]

    def __del__(self):
        self.library.tilewright_close(self.handle)

    def check(self, status):
        if status:
            raise RuntimeError(self.library.tilewright_last_error().decode())

    def load(self, device=0):
        self.check(self.library.tilewright_load(self.handle, device))

    def attribute(self, number):
        value = ctypes.c_int()
        self.check(self.library.tilewright_get_attribute(self.handle, number,
                                                         ctypes.byref(value)))
        return value.value

    def set(self, arguments):
        """Sets the arguments that are passed, in order: tensors and numbers."""
        for index, value in enumerate(arguments):
            if index < len(self.types) and self.types[index].startswith("tensordesc<"):
                extents = ctypes.c_int64 * value.dim()
                status = self.library.tilewright_set_tensor(
                    self.handle, index, value.data_ptr(), value.dim(), extents(*value.shape),
                    extents(*value.stride()))
            elif hasattr(value, "data_ptr"):
                status = self.library.tilewright_set_pointer(self.handle, index, value.data_ptr())
            elif isinstance(value, float):
                status = self.library.tilewright_set_float(self.handle, index, value)
            else:
                status = self.library.tilewright_set_integer(self.handle, index, value)
            self.check(status)

    def launcher(self, grid, arguments, stream=None):
        """A function that launches with these arguments on `stream`, by default PyTorch's, until
        others are set."""
        if stream is None:
            import torch
            stream = torch.cuda.current_stream().cuda_stream
        self.set(arguments)
        x, y, z = (tuple(grid) + (1, 1))[:3]
        function, handle, check = self.library.tilewright_launch, self.handle, self.check

        def launch():
            check(function(handle, x, y, z, stream))
        launch.keep = arguments
        return launch


EMPTY_PTX = """.version 7.0
.target sm_80
.address_size 64
.visible .entry empty(.param .u64 x, .param .u32 n) { ret; }
"""


def main():
    library = open_library(sys.argv[1] if len(sys.argv) > 1 else None)
    with tempfile.TemporaryDirectory() as folder:
        description = dict(name="empty", target="cuda:80", num_warps=4, threads_per_warp=32,
                           shared_bytes=0, arguments=[dict(name="x", type="*fp32"),
                                                      dict(name="n", type="i32")])
        with open(os.path.join(folder, "empty.json"), "w") as file:
            json.dump(description, file)
        with open(os.path.join(folder, "empty.ptx"), "w") as file:
            file.write(EMPTY_PTX)
        kernel = Kernel(folder, "empty", library)
    kernel.load()
    kernel.library.tilewright_set_pointer(kernel.handle, 0, 256)
    kernel.library.tilewright_set_integer(kernel.handle, 1, 1)
    launch = kernel.library.tilewright_launch
    best = float("inf")
    for _ in range(20):
        begin = time.perf_counter()
        for _ in range(500):
            launch(kernel.handle, 1, 1, 1, None)
        best = min(best, (time.perf_counter() - begin) / 500)
    print(f"registers {kernel.attribute(REGISTERS)}, local bytes {kernel.attribute(LOCAL_BYTES)}, "
          f"multiprocessors {kernel.attribute(MULTIPROCESSORS)}; "
          f"{best * 1e6:.2f} us a launch, through ctypes")


if __name__ == "__main__":
    main()
