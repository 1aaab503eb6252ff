"""Settings that are environment variables as well: what groups of triton.knobs are made of.

A setting is a descriptor. Its value is the one that the program has set, else that of its variable,
else its default; what a program sets goes to the variable too, for processes that it starts, unless
`propagate_env` of triton.knobs is False.
"""

import contextlib
import importlib
import os


class Env:
    """`group.knob = knobs.env` makes a setting that of its variable again."""


env = Env()

_MISSING = object()

_TRUE = ("1", "true", "on", "yes", "y")


def is_true(text):
    """Whether a variable's text says yes, as Triton reads it."""
    return text.strip().lower() in _TRUE


def toenv(value):
    """A value as a variable has it, in a tuple; None for values that none can have."""
    if value is None:
        return (None,)
    if isinstance(value, bool):
        return ("1" if value else "0",)
    return (str(value),) if isinstance(value, (str, int)) else None


def put_variable(name, text):
    """Sets a variable; takes it out where the text is None."""
    if text is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = text


class env_base:
    """A setting with the variable `key`. `is_propagated()` says whether values go there."""

    is_propagated = staticmethod(lambda: True)

    def __init__(self, key, default=None):
        self.key = key
        self.default = default

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, group, owner=None):
        if group is None:
            return self
        value = vars(group).get(self.name, _MISSING)
        return self.get() if value is _MISSING else self.transform(value)

    def __set__(self, group, value):
        if isinstance(value, Env):
            vars(group).pop(self.name, None)
            return
        vars(group)[self.name] = value
        said = toenv(value)
        if said is not None and self.is_propagated():
            put_variable(self.key, said[0])

    def __delete__(self, group):
        vars(group).pop(self.name, None)

    def get(self):
        """The value where the program has set none."""
        text = os.environ.get(self.key)
        return self.missing() if text is None else self.read(text)

    def missing(self):
        return self.default

    def read(self, text):
        return text

    def transform(self, value):
        return value


class env_str(env_base):
    """A text."""


class env_opt_str(env_base):
    """A text, or None."""

    def __init__(self, key):
        super().__init__(key)


class env_str_callable_default(env_base):
    """A text whose default is computed."""

    def missing(self):
        return self.default()


class env_bool(env_base):
    def __init__(self, key, default=False):
        super().__init__(key, default)

    def read(self, text):
        return is_true(text)


class env_opt_bool(env_bool):
    """A truth value, or None."""

    def __init__(self, key):
        super().__init__(key, None)


class env_int(env_base):
    def __init__(self, key, default=0):
        super().__init__(key, default)

    def read(self, text):
        try:
            return int(text)
        except ValueError:
            raise RuntimeError(f"{self.key}={text} is no integer: set a number") from None


class env_class(env_base):
    """A class, which the variable names as MODULE:CLASS. `base`: the name of a class that it derives
    from."""

    def __init__(self, key, base):
        super().__init__(key)
        self.base = base

    def read(self, text):
        module, colon, name = text.partition(":")
        if not colon:
            raise RuntimeError(f"{self.key} is '{text}', and has the form MODULE:CLASS")
        found = getattr(importlib.import_module(module), name)
        if self.base not in (one.__name__ for one in found.mro()):
            raise RuntimeError(f"{self.key} names '{text}', which does not derive from {self.base}")
        return found


class env_tool(env_base):
    """A program of a vendor's tools: where it is, by its variable."""

    def __init__(self, program):
        super().__init__(f"TRITON_{program.upper()}_PATH")
        self.program = program

    def missing(self):
        return self.transform(None)

    read = transform = lambda self, path: _tool(self, path)


class NvidiaTool:
    """A program and its version."""

    def __init__(self, path, version):
        self.path = path
        self.version = version

    @staticmethod
    def from_path(path):
        """None where there is no such program."""
        import re
        import subprocess
        try:
            told = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        version = re.search(r"release (\d+\.\d+)", told.stdout)
        return NvidiaTool(path, version[1]) if version else None


def _tool(knob, path):
    import shutil
    found = next(filter(None, map(NvidiaTool.from_path, filter(None, [
        path, shutil.which(knob.program)]))), None)
    if found is None:
        raise RuntimeError(f"Cannot find {knob.program}: kernels are compiled without it here; where "
                           f"it is installed, {knob.key} says where")
    return found


class base_knobs:
    """Settings of one subject: class attributes are its descriptors; a program's own can derive from
    it."""

    @property
    def knob_descriptors(self):
        return {name: one for name, one in vars(type(self)).items() if isinstance(one, env_base)}

    @property
    def knobs(self):
        return {name: getattr(self, name) for name in self.knob_descriptors}

    def copy(self):
        result = type(self)()
        vars(result).update(vars(self))
        return result

    def reset(self):
        for name in self.knob_descriptors:
            delattr(self, name)
        return self

    def __getattr__(self, name):
        raise AttributeError(f"triton.knobs.{getattr(type(self), 'subject', '..')}.{name} is not in "
                             "tilewright.triton: docs/python.md lists what is")

    @contextlib.contextmanager
    def scope(self):
        """What is set in it, variables included, is as before after it."""
        variables = {one.key: os.environ.get(one.key) for one in self.knob_descriptors.values()}
        values = dict(vars(self))
        others = {name: getattr(self, name) for name, one in vars(type(self)).items()
                  if isinstance(one, property) and one.fset}
        try:
            yield
        finally:
            vars(self).clear()
            vars(self).update(values)
            for name, value in others.items():
                setattr(self, name, value)
            for name, text in variables.items():
                put_variable(name, text)
