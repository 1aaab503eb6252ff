"""Puts modules named `triton`, `triton.language`, .. into sys.modules, and takes them out again."""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types


class _Module(types.ModuleType):
    """A module of the interface. `_tilewright` marks it as ours."""

    _tilewright = True

    def __init__(self, name, doc):
        super().__init__(name, doc)
        self.__path__ = []
        self.__spec__ = importlib.machinery.ModuleSpec(name, _Loader(self), is_package=True)
        self.__loader__ = self.__spec__.loader

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        if name in _LATE_NAMES.get(self.__name__, ()):
            found = importlib.import_module(_LATE_NAMES[self.__name__][name])
            return getattr(found, name, found)
        raise AttributeError(f"{self.__name__}.{name} is not in tilewright.triton: docs/python.md "
                             "lists what of Triton's interface is")


class _Loader(importlib.abc.Loader):
    """Gives a module that is there already."""

    def __init__(self, module):
        self.module = module

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        """Nothing is run, but where a program reloads a module what that does there."""
        vars(module).get("on_reload", lambda: None)()


#: Modules that need more than others do, by the module that each is.
_LATE = {"triton._internal_testing": "tilewright.triton._internal_testing",
         "triton.tools.mxfp": "tilewright.triton._mxfp",
         "triton.tools.ragged_tma": "tilewright.triton._ragged_tma",
         "triton.tools.compile": "tilewright.triton._tools.compile",
         "triton.tools.link": "tilewright.triton._tools.link",
         "triton.runtime.build": "tilewright.triton._build",
         "triton._filecheck": "tilewright.triton._filecheck",
         "triton.profiler": "tilewright.triton._profiler",
         "triton.profiler.viewer": "tilewright.triton._profile_viewer",
         "triton._C.libtriton.linear_layout": "tilewright.triton._linear_layout"}

#: Names of modules that need more than others do, by the module: the module that has each.
_LATE_NAMES = {"triton": {"profiler": "triton.profiler"},
               "triton.runtime": {"build": "triton.runtime.build"},
               "triton.tools": {"LinearLayout": "tilewright.triton._linear_layout"},
               "triton.profiler": {"viewer": "triton.profiler.viewer"}}


class _LateLoader(importlib.abc.Loader):
    """Gives a module of the package under Triton's name."""

    def __init__(self, name):
        self.name = name

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        vars(module).update((name, value) for name, value in vars(
            importlib.import_module(self.name)).items() if not name.startswith("__"))
        return module

    def exec_module(self, module):
        pass

    def get_code(self, name):
        """For `python -m`."""
        del name
        return importlib.util.find_spec(self.name).loader.get_code(self.name)


class _Finder(importlib.abc.MetaPathFinder):
    """Stands before all others, so that no Triton that is installed is mixed with ours. `modules` are
    those that are made by install(), for programs that take one out of sys.modules."""

    modules = {}

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] != "triton":
            return None
        if name in self.modules:
            return importlib.machinery.ModuleSpec(name, _Loader(self.modules[name]))
        if name in _LATE:
            origin = importlib.util.find_spec(_LATE[name]).origin
            return importlib.machinery.ModuleSpec(name, _LateLoader(_LATE[name]), origin=origin,
                                                  is_package=name == "triton.profiler")
        raise ModuleNotFoundError(f"{name} is not in tilewright.triton: docs/python.md lists what "
                                  "of Triton's interface is", name=name)


_finder = _Finder()

#: A folder with a package `triton` that calls install(): it goes to the front of sys.path, which
#: processes get from those that start them (multiprocessing, the compile workers of PyTorch).
_TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_tools")
_FOR_CHILDREN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_for_children")


#: What turns inductor's static launcher off, which loads files that Triton writes (cubins), and
#: would look for one of each kernel in vain. Programs that set a variable themselves keep it.
_WITHOUT_STATIC_LAUNCHER = {"TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER": "0",
                            "TORCHINDUCTOR_USE_STATIC_TRITON_LAUNCHER": "0"}


def _turn_static_launcher_off():
    """For this process and those that it starts, also where inductor has been imported already."""
    config = sys.modules.get("torch._inductor.config")
    for variable, value in _WITHOUT_STATIC_LAUNCHER.items():
        option = variable.replace("TORCHINDUCTOR_", "").lower()
        if variable not in os.environ and hasattr(config, option):
            setattr(config, option, False)
        os.environ.setdefault(variable, value)


def path_for_children():
    """What the variable PYTHONPATH is to hold for programs that are started."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(_FOR_CHILDREN)))
    rest = os.environ.get("PYTHONPATH")
    return os.pathsep.join([_FOR_CHILDREN, package, *([rest] if rest else [])])


def is_installed():
    """Whether `import triton` is ours."""
    return getattr(sys.modules.get("triton"), "_tilewright", False)


def install():
    """Makes `triton` and its submodules ours, for all imports of this process that follow. Raises
    ImportError if a program has imported another Triton before."""
    if is_installed():
        return
    foreign = sys.modules.get("triton")
    if foreign is not None:
        raise ImportError(f"triton has been imported from {getattr(foreign, '__file__', '?')}: call "
                          "tilewright.triton.install() before anything imports it")
    from ._modules import make_modules
    modules = make_modules(_Module)
    # Programs start the commands by their files.
    modules["triton.tools"].__path__.append(_TOOLS)
    for name, module in modules.items():
        sys.modules[name] = module
        parent, _, last = name.rpartition(".")
        if parent and last not in vars(modules[parent]):
            setattr(modules[parent], last, module)
    # PyTorch writes the name of an annotation's type into the Python that it makes.
    modules["triton.language"].constexpr.__module__ = "triton.language.core"
    _turn_static_launcher_off()
    _finder.modules = modules
    sys.meta_path.insert(0, _finder)
    if _FOR_CHILDREN not in sys.path:
        sys.path.insert(0, _FOR_CHILDREN)


def uninstall():
    """Takes the modules out again; programs that have imported them keep them."""
    if not is_installed():
        return
    from ..language import constexpr
    constexpr.__module__ = "tilewright.language"
    for name in [name for name in sys.modules if name.split(".")[0] == "triton"]:
        del sys.modules[name]
    sys.meta_path.remove(_finder)
    sys.path.remove(_FOR_CHILDREN)
