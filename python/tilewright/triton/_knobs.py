"""triton.knobs: what programs set for a process."""

import contextlib
import importlib
import os

from .._hooks import HookChain, hooks


class _Group:
    """Knobs of one subject. `values` has those that can only be what they are, by name."""

    _name = ""
    _fixed = {}

    def __getattr__(self, name):
        if name in self._fixed:
            return self._fixed[name]
        raise AttributeError(f"triton.knobs.{self._name}.{name} is not in tilewright.triton: "
                             "docs/python.md lists what is")

    def __setattr__(self, name, value):
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        elif value != getattr(self, name):
            raise NotImplementedError(f"triton.knobs.{self._name}.{name} is {self._fixed[name]!r} "
                                      "in tilewright.triton, and cannot be changed")

    @contextlib.contextmanager
    def scope(self):
        """What is set in it is as before behind it."""
        names = [name for name, value in vars(type(self)).items() if isinstance(value, property)]
        before = {name: getattr(self, name) for name in names}
        try:
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)


def _hook(name):
    return property(lambda self: getattr(hooks, name),
                    lambda self, value: setattr(hooks, name, value))


def _variable(name, default):
    """A knob that is an environment variable as well: "1" or "0", or a text."""
    def get(self):
        value = os.environ.get(name)
        if isinstance(default, bool):
            return default if value is None else value.lower() in ("1", "true", "on", "yes", "y")
        return default if value is None else value

    def put(self, value):
        if value == default:
            os.environ.pop(name, None)
        else:
            os.environ[name] = str(int(value)) if isinstance(value, bool) else value

    return property(get, put)


class _Runtime(_Group):
    _name = "runtime"
    _fixed = {"interpret": False, "override_arch": None, "add_stages_inspection_hook": None}
    launch_enter_hook = _hook("launch_enter_hook")
    launch_exit_hook = _hook("launch_exit_hook")
    kernel_load_start_hook = _hook("kernel_load_start_hook")
    kernel_load_end_hook = _hook("kernel_load_end_hook")
    jit_cache_hook = _hook("jit_cache_hook")
    jit_post_compile_hook = _hook("jit_post_compile_hook")
    debug = _variable("TRITON_DEBUG", False)


class _Autotuning(_Group):
    _name = "autotuning"
    _fixed = {"cache": False}
    print = _variable("TRITON_PRINT_AUTOTUNING", False)


class _Compilation(_Group):
    _name = "compilation"
    _fixed = {"listener": None, "override": False, "dump_ir": False, "store_binary_only": False,
              "always_compile": False, "instrumentation_mode": "", "use_ir_loc": None,
              "enable_asan": False, "disable_line_info": False}


class _Language(_Group):
    _name = "language"
    _fixed = {"default_fp_fusion": True}
    fp32_default = _variable("TRITON_F32_DEFAULT", None)


class _Cache(_Group):
    _name = "cache"
    _fixed = {"remote_manager_class": None}
    _manager_class = None
    dir = _variable("TILEWRIGHT_CACHE_DIR", None)

    @property
    def manager_class(self):
        """The class of the files that programs keep: the one that was set, or else the one that
        TRITON_CACHE_MANAGER names ("module:Class"); None for ours."""
        named = os.environ.get("TRITON_CACHE_MANAGER")
        if self._manager_class is None and named:
            module, _, name = named.partition(":")
            return getattr(importlib.import_module(module), name)
        return self._manager_class

    @manager_class.setter
    def manager_class(self, value):
        type(self)._manager_class = value


class _Nvidia(_Group):
    _name = "nvidia"
    _fixed = {"libdevice_path": None, "dump_nvptx": False}


class _Amd(_Group):
    _name = "amd"
    _fixed = {"libhip_path": None, "dump_amdgcn": False}


runtime = _Runtime()
autotuning = _Autotuning()
compilation = _Compilation()
language = _Language()
cache = _Cache()
nvidia = _Nvidia()
amd = _Amd()

GROUPS = (runtime, autotuning, compilation, language, cache, nvidia, amd)


def refresh_knobs():
    """Does nothing: environment variables are read at each use."""


#: The names of triton.knobs.
NAMES = {**{group._name: group for group in GROUPS}, "HookChain": HookChain,
         "refresh_knobs": refresh_knobs}
