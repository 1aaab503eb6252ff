"""TRITON_INTERPRET=1: kernels run on the simulator, those of arrays on a GPU as well."""

from ..kernel import jit as _jit
from ..kernel.jit import JITFunction
from . import _knobs


class InterpretedFunction(JITFunction):
    """A jitted function whose launches take place on the host. Arrays of a GPU are copied there for
    each launch, and back after it."""

    def run(self, *args, grid, warmup=False, **kwargs):
        if warmup:
            return self.warmup(*args, **kwargs)
        return self[grid](*args, **kwargs)

    def __getitem__(self, grid):
        launch = super().__getitem__(grid)

        def interpret(*args, **kwargs):
            copies = _Copies()
            result = launch(*copies.of(args),
                            **{name: copies.of(value) for name, value in kwargs.items()})
            copies.take_back()
            return result

        return interpret


def jit(fn=None, **options):
    """triton.jit: see tilewright.jit. Where TRITON_INTERPRET is set when a function is decorated, all of
    its launches take place on the simulator."""
    kind = InterpretedFunction if _knobs.runtime.interpret else JITFunction
    return _jit.jit(fn, kind=kind, **options)


class _Copies:
    """What a launch gets for its arguments. Views of one allocation stay views of one."""

    def __init__(self):
        self._storages = {}

    def of(self, value):
        if isinstance(value, (tuple, list)):
            copies = [self.of(one) for one in value]
            return type(value)(*copies) if hasattr(value, "_fields") else type(value)(copies)
        if hasattr(value, "block_shape") and hasattr(value, "base"):
            return value.with_base(self.of(value.base))
        if hasattr(value, "base") and hasattr(value, "data_ptr"):  # A TensorWrapper.
            return type(value)(self.of(value.base), value.dtype)
        if not hasattr(value, "untyped_storage") or value.device.type == "cpu":
            return value
        return self._view(value)

    def _view(self, tensor):
        import torch
        storage = tensor.untyped_storage()
        _, host = self._storages.setdefault(storage.data_ptr(), (storage, storage.cpu()))
        return torch.empty(0, dtype=tensor.dtype).set_(
            host, tensor.storage_offset(), tensor.shape, tensor.stride())

    def take_back(self):
        for storage, host in self._storages.values():
            storage.copy_(host)
