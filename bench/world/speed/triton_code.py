"""Launches machine code that Triton 3.6 made, by the CUDA driver, without Triton."""

import ctypes
import re
import struct

#: CUfunction_attribute: bytes of dynamic shared memory.
_DYNAMIC_SHARED = 8
#: What a launch of Triton's sets aside is a multiple of this.
_ALIGNMENT = 128
_FORMATS = {"i1": "?", "u1": "?", "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i",
            "u32": "I", "i64": "q", "u64": "Q", "fp16": "e", "fp32": "f", "fp64": "d"}
#: CUtensorMapDataType, where it is not the number that Triton gives an element type: `int8` types
#: come last there.
_ELEMENTS = {8: 10, 9: 8, 10: 9}
_DESCRIPTOR = re.compile(r"tensordesc<(\w+)\[([\d, ]*)\]")


def number_bytes(kind, value):
    """A scalar parameter."""
    if kind == "bf16":
        return struct.pack("<f", value)[2:]
    return struct.pack("<" + _FORMATS[kind], value)


class Driver:
    """The functions of CUDA's driver that a launch needs. Errors are RuntimeErrors."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")

    def __call__(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.library.cuGetErrorString(status, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'').decode()}")

    def tensor_map(self, description, address, value):
        """A tensor map as Triton's launcher makes it (CUDA driver API, cuTensorMapEncodeTiled)."""
        rank, width = len(description["block_size"]), description["elem_size"]
        sizes = list(reversed(value["shape"]))
        if description["fp4_padded"]:
            sizes[0] *= 2
        strides = [one * width for one in reversed(value["strides"][:-1])] or [sizes[0] * width]
        element = _ELEMENTS.get(description["elem_type"], description["elem_type"])
        buffer = ctypes.create_string_buffer(192)
        begin = ctypes.addressof(buffer) + (-ctypes.addressof(buffer) % 64)
        u64s, u32s = ctypes.c_uint64 * rank, ctypes.c_uint32 * rank
        self("cuTensorMapEncodeTiled", ctypes.c_void_p(begin), element, rank,
             ctypes.c_void_p(address), u64s(*sizes),
             (ctypes.c_uint64 * len(strides))(*strides),
             u32s(*reversed(description["block_size"])), u32s(*[1] * rank), 0,
             description["swizzle"], 2, int(value["nan"]))
        return ctypes.string_at(begin, 128)


class TritonCode:
    """A kernel of a cubin, with the arguments of one launch: `arguments` of launch.json, with
    `address(storage, offset)` for tensors; `scratch(bytes)` gives memory on the GPU."""

    def __init__(self, driver, path, launch, address, scratch):
        self.driver = driver
        made = launch["triton"]
        with open(path, "rb") as file:
            image = file.read()
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        driver("cuModuleLoadData", ctypes.byref(module), image)
        driver("cuModuleGetFunction", ctypes.byref(self.function), module, made["name"].encode())
        if made["shared"] > 48 << 10:
            driver("cuFuncSetAttribute", self.function, _DYNAMIC_SHARED, made["shared"])
        blocks = launch["grid"][0] * launch["grid"][1] * launch["grid"][2]
        values = self.parameters(launch["arguments"], made["descriptors"] or [], address)
        self.kept = scratch(max(_ALIGNMENT, (made["scratch"] or 0) * blocks))
        values += [struct.pack("<Q", self.kept.data_ptr()), struct.pack("<Q", 0)]
        # Tensor maps have to be aligned to 64 bytes on the host, too.
        self.buffers = []
        for value in values:
            buffer = ctypes.create_string_buffer(len(value) + 64)
            begin = ctypes.addressof(buffer) + (-ctypes.addressof(buffer) % 64)
            ctypes.memmove(begin, value, len(value))
            self.buffers.append((buffer, begin))
        self.pointers = (ctypes.c_void_p * len(values))(*[begin for _, begin in self.buffers])
        self.shape = (*launch["grid"], 32 * made["num_warps"], 1, 1, made["shared"])

    def parameters(self, arguments, descriptors, address):
        values, descriptors = [], iter(descriptors)
        for argument in arguments:
            kind, value = argument["type"], argument["value"]
            match = _DESCRIPTOR.match(kind)
            if match:
                base = address(value["storage"], value["offset"])
                description = next(descriptors, None)
                if description:
                    values.append(self.driver.tensor_map(description, base, value))
                else:
                    values.append(struct.pack("<Q", base))
                    values += [struct.pack("<q", one) for one in value["shape"] + value["strides"]]
                    values.append(struct.pack("<?", value["nan"]))
                values += [struct.pack("<i", one) for one in value["shape"]]
                values += [struct.pack("<q", one) for one in value["strides"]]
            elif kind.startswith("*"):
                values.append(struct.pack("<Q", address(value["storage"], value["offset"])))
            else:
                values.append(number_bytes(kind, value))
        return values

    def launch(self, stream):
        self.driver("cuLaunchKernel", self.function, *self.shape, ctypes.c_void_p(stream),
                    self.pointers, None)
