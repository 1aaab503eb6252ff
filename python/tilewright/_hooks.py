"""Functions that programs have called around compilations and launches."""

import json
import typing

from . import _native


class HookChain(list):
    """Functions that are called one after the other, each with the same arguments; with `reversed`
    the last one first."""

    def __init__(self, reversed=False):
        super().__init__()
        self.reversed = reversed

    @property
    def calls(self):
        return self

    def add(self, function):
        if function not in self:
            self.append(function)

    def remove(self, function):
        if function in self:
            super().remove(function)

    def __call__(self, *args, **kwargs):
        for function in self[::-1] if self.reversed else self[:]:
            function(*args, **kwargs)

    __hash__ = object.__hash__


class Hooks:
    """Those of the process. Each is a HookChain, one function, or None.

    launch_enter_hook and launch_exit_hook get a LaunchMetadata before and after each launch is
    queued; kernel_load_start_hook and kernel_load_end_hook get module, function, name, files and
    hash around the loading of a kernel; jit_cache_hook (before; it stops the compilation by
    returning True) and jit_post_compile_hook get what a jitted function is compiled for, by name.
    compilation_listener gets each Compiled, before anything is launched.
    """

    NAMES = ("launch_enter_hook", "launch_exit_hook", "kernel_load_start_hook",
             "kernel_load_end_hook", "jit_cache_hook", "jit_post_compile_hook",
             "compilation_listener")

    def __init__(self):
        self.launch_enter_hook = HookChain()
        self.launch_exit_hook = HookChain(reversed=True)
        self.kernel_load_start_hook = HookChain()
        self.kernel_load_end_hook = HookChain(reversed=True)
        self.jit_cache_hook = None
        self.jit_post_compile_hook = None
        self.compilation_listener = None

    def __setattr__(self, name, value):
        if name not in self.NAMES:
            raise AttributeError(f"there is no hook '{name}'")
        if value is not None and not callable(value):
            raise TypeError(f"{name} is a function, a HookChain or None, not {value!r}")
        super().__setattr__(name, value)
        if name.startswith("launch"):
            _native.set_launch_hooks(getattr(self, "launch_enter_hook", None),
                                     getattr(self, "launch_exit_hook", None))


hooks = Hooks()


class LaunchMetadata:
    """What a hook is told of a launch: get() gives a dictionary with "name", "function", "stream",
    and what the kernel's own `launch_metadata` function computes, which runs only then."""

    def __init__(self, data):
        self.data = data
        self.extras = []

    def add(self, function, args):
        self.extras.append((function, args))

    def get(self):
        for function, args in self.extras:
            self.data.update(function(*args))
        self.extras.clear()
        return self.data


class JitFunctionInfo(typing.NamedTuple):
    """Which function a compilation is of."""
    module: str
    name: str
    jit_function: object


def compilation_of(function, request, is_warmup):
    """What jit_cache_hook and jit_post_compile_hook are told of a _compile.Request."""
    options = request.options._asdict()
    chosen = {name: options[name] for name in ("num_warps", "num_stages", "num_ctas", "debug")}
    types = {name: type_ or "constexpr" for name, type_ in zip(function.arg_names, request.types)}
    # With functions among the arguments a signature says something in its own program alone.
    program = request.program
    data = {"name": function.__qualname__, "kernel": program.kernel, "types": request.types,
            "signature": request.signature if program.is_whole else None,
            "options": options, "device": request.device}
    key = request.name
    return {
        "key": key,
        "repr": f"{function.__qualname__}[{chosen}]({request.signature})",
        "fn": JitFunctionInfo(function.__module__, function.__qualname__, function),
        "compile": {**options, "key": key, "signature": types, "device": request.device,
                    "is_warmup": is_warmup, "specialization_data": json.dumps(data)},
        "is_manual_warmup": is_warmup,
        "already_compiled": False,
    }
