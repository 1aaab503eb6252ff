"""record.py PACKAGES CALLS.py OUTPUT [NAME ..]: what kernels do under Triton's interpreter.

Each function of CALLS.py calls functions of one package; each launch that they make is run by the
interpreter, and written to a file of OUTPUT: the kernel's module and name, grid, options, arguments
as they were and what their memory held afterwards. A function that fails, or takes longer than
`LIMIT` seconds, is named on the standard error, with the launches before that kept.
"""

import os

os.environ["TRITON_INTERPRET"] = "1"
# After a fork, NumPy's threads are gone.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import importlib.util
import inspect
import signal
import sys
import traceback

import interpreter_gaps
import machine
import torch
import triton
import with_triton
from triton.runtime import interpreter

LIMIT = 150
#: Launches of one kernel that are kept: those with different constants.
KEPT = 2
#: Of launches with more arguments' memory than this nothing is kept, in bytes.
LARGEST = 64 << 20

OPTIONS = ("num_warps", "num_stages", "num_ctas")


class Memory:
    """What tensors lie in, and arguments in a form for a process without Triton."""

    def __init__(self):
        self.storages = []
        self.numbers = {}

    def number(self, tensor):
        storage = tensor.untyped_storage()
        number = self.numbers.setdefault(storage.data_ptr(), len(self.storages))
        if number == len(self.storages):
            self.storages.append(storage)
        return number

    def bytes(self):
        """A copy of all."""
        return [torch.tensor([], dtype=torch.uint8).set_(storage).clone()
                for storage in self.storages]

    def portable(self, value):
        if isinstance(value, torch.Tensor):
            return ("tensor", self.number(value), value.dtype, tuple(value.shape), value.stride(),
                    value.storage_offset())
        if isinstance(value, interpreter.InterpretedFunction):
            return ("function", value.fn.__module__, value.fn.__qualname__)
        if isinstance(value, triton.language.constexpr):
            return self.portable(value.value)
        if isinstance(value, triton.language.dtype):
            return ("dtype", str(value))
        if isinstance(value, triton.runtime.jit.TensorWrapper):
            return ("reinterpreted", self.portable(value.base), str(value.dtype))
        if isinstance(value, (tuple, list)):
            return ("tuple", [self.portable(one) for one in value])
        if hasattr(value, "block_shape"):
            return ("descriptor", self.portable(value.base), list(value.shape),
                    list(value.strides), list(value.block_shape), value.padding)
        return ("value", value)


class Recorder:
    def __init__(self, folder, call):
        self.folder = folder
        self.call = call
        self.number = 0
        self.seen = {}

    def run(self, function, *args, grid, warmup, **kwargs):
        """Instead of InterpretedFunction.run."""
        if warmup:
            return
        with torch._C.DisableTorchFunction():
            names = inspect.getfullargspec(function.fn).args
            passed = {name: value for name, value in kwargs.items() if name in names}
            bound = inspect.getcallargs(function.fn, *args, **passed)
            if callable(grid):
                grid = grid(bound)
            grid = tuple(grid) if isinstance(grid, (tuple, list)) else (grid,)
            memory = Memory()
            arguments = {name: memory.portable(value) for name, value in bound.items()}
            before = []
            executor = interpreter.GridExecutor(
                function.rewrite(), function.arg_names, grid,
                [*function.pre_run_hooks, lambda *_, **__: before.extend(memory.bytes())])
            try:
                executor(*args, **kwargs)
            except interpreter.InterpreterError as error:
                print(f"{self.call}: {function.fn.__name__}: {error}", file=sys.stderr)
                raise
            self.keep(function.fn, {
                "arguments": arguments, "before": before, "after": memory.bytes(), "grid": grid,
                "options": {key: kwargs[key] for key in OPTIONS if kwargs.get(key) is not None},
            })

    def keep(self, fn, launch):
        kinds = self.seen.setdefault((fn.__module__, fn.__qualname__), set())
        kind = repr([value[2] if value[0] == "tensor" else
                     type(value[1]) if isinstance(value[1], (int, float)) else value
                     for value in launch["arguments"].values()])
        if kind in kinds or len(kinds) >= KEPT or sum(map(len, launch["before"])) > LARGEST:
            return
        kinds.add(kind)
        torch.save({"call": self.call, "module": fn.__module__, "kernel": fn.__qualname__,
                    "file": fn.__code__.co_filename, **launch},
                   os.path.join(self.folder, f"{self.call}.{self.number:03}.pt"))
        self.number += 1


def run_call(name, function, folder):
    """In a process of its own: whatever a package does to it."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    signal.alarm(LIMIT)
    recorder = Recorder(folder, name)
    interpreter.InterpretedFunction.run = lambda self, *args, **kwargs: recorder.run(
        self, *args, **kwargs)
    torch.manual_seed(0)
    try:
        with machine.PretendedGpu():
            function()
    except BaseException:  # pylint: disable=broad-except
        lines = traceback.format_exc().strip().splitlines()
        print(f"{name}: {' | '.join(lines[-5:])}"[:1200], file=sys.stderr)
    print(f"{name}: {recorder.number} launches", file=sys.stderr)
    sys.stderr.flush()
    os._exit(0)


def main(packages, calls, folder, *names):
    with_triton.prepare(packages)
    interpreter_gaps.close()
    os.makedirs(folder, exist_ok=True)
    spec = importlib.util.spec_from_file_location("calls", calls)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, function in vars(module).items():
        if inspect.isfunction(function) and function.__module__ == "calls" and name[0] != "_":
            if not names or name in names:
                run_call(name, function, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
