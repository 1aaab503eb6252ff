"""Memory of arrays on the CPU, for the simulator; the GPU and the stream of the moment."""

import sys

from . import _native


def _core_of_torch(getter):
    """torch._C, where the program has imported torch and it has the function; else None."""
    core = getattr(sys.modules.get("torch"), "_C", None)
    return core if hasattr(core, getter) else None


def _queue_of_torch():
    """The SYCL queue on which PyTorch works, where it is built for Intel's GPUs and sees one."""
    core = _core_of_torch("_xpu_getCurrentRawStream")
    if core is None or not sys.modules["torch"].xpu.is_available():
        return None
    return core._xpu_getCurrentRawStream(core._xpu_getDevice())


def current_device():
    """The number of the GPU that PyTorch, or else CuPy, works on; the first without them, -1 where
    there is none."""
    queue = _queue_of_torch()
    if queue is not None:
        return _native.device_of_queue(queue)
    torch = sys.modules.get("torch")
    core = _core_of_torch("_cuda_getCurrentRawStream")
    if core is not None:
        if not torch.cuda.is_available():
            return -1
        ordinal = core._cuda_getDevice()
        return _native.device_of_hip(ordinal) if torch.version.hip else ordinal
    cupy = sys.modules.get("cupy")
    if cupy is not None and cupy.cuda.runtime.is_hip:
        return _native.device_of_hip(cupy.cuda.Device().id)
    if _native.count_gpus() == 0:
        return -1
    return cupy.cuda.Device().id if cupy is not None else 0


def current_stream():
    """The stream on which PyTorch, or else CuPy, works, as a number: of a SYCL queue its address."""
    queue = _queue_of_torch()
    if queue is not None:
        return queue
    core = _core_of_torch("_cuda_getCurrentRawStream")
    if core is not None:
        return core._cuda_getCurrentRawStream(core._cuda_getDevice())
    cupy = sys.modules.get("cupy")
    return cupy.cuda.get_current_stream().ptr if cupy is not None else 0


def span(array):
    """(address, bytes, is read-only) of the allocation that an array is a view of.

    A kernel gets the strides of a view, and may well go through all of the array behind it, as it
    could on a GPU: so the bounds are those of the allocation where it is known.
    """
    storage = getattr(array, "untyped_storage", None)
    if storage is not None:
        memory = storage()
        return memory.data_ptr(), memory.nbytes(), False
    if hasattr(array, "__array_interface__"):
        is_read_only = array.__array_interface__["data"][1]
        base = array
        while hasattr(getattr(base, "base", None), "__array_interface__"):
            base = base.base
        begin, end = _extent(base.__array_interface__)
        return begin, end - begin, is_read_only
    if hasattr(array, "data_ptr"):
        return array.data_ptr(), array.numel() * array.element_size(), False
    # What else speaks DLPack is read by NumPy, some versions of which give read-only views.
    import numpy
    return (*span(numpy.from_dlpack(array))[:2], False)


def _extent(interface):
    """The addresses of the first byte and behind the last one."""
    begin = end = interface["data"][0]
    itemsize = int(interface["typestr"][2:])
    shape, strides = interface["shape"], interface.get("strides")
    if 0 in shape:
        return begin, end
    if strides is None:
        count = 1
        for size in shape:
            count *= size
        return begin, begin + count * itemsize
    for size, stride in zip(shape, strides):
        reach = (size - 1) * stride
        begin, end = (begin + reach, end) if reach < 0 else (begin, end + reach)
    return begin, end + itemsize


def regions(arrays):
    """The memory of the arrays, a dictionary by name, as disjoint (address, bytes, is read-only,
    names): views of one array share it. ValueError: one is on a GPU."""
    for name, array in arrays.items():
        if (hasattr(array, "__cuda_array_interface__") or getattr(array, "is_xpu", False)
                or hasattr(array, "__sycl_usm_array_interface__")):
            raise ValueError(f"the argument '{name}' is on a GPU, and this kernel is compiled for the "
                             "simulator: pass an array of the CPU, or launch the jitted function")
    spans = sorted((*span(array), name) for name, array in arrays.items())
    merged = []
    for address, count, is_read_only, name in spans:
        if merged and (address < merged[-1][0] + merged[-1][1] or address == merged[-1][0]):
            first, bytes_, other, names = merged[-1]
            merged[-1] = (first, max(bytes_, address + count - first), other and is_read_only,
                          f"{names}, {name}")
        else:
            merged.append((address, count, is_read_only, name))
    return merged
