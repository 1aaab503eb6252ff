"""Kernels around other ones, and what they choose between."""

from .._options import DEFAULTS
from ..kernel.jit import KernelInterface


class Config:
    """Constants and options of one way to launch a kernel.

    kwargs: values of constexpr parameters. pre_hook: a function that gets the dictionary of all
    arguments before each launch. ir_override: a file of IR or PTX that is launched in place of the
    kernel (docs/python.md).
    """

    def __init__(self, kwargs, num_warps=DEFAULTS["num_warps"], num_stages=DEFAULTS["num_stages"],
                 num_ctas=DEFAULTS["num_ctas"], maxnreg=None, pre_hook=None, ir_override=None):
        self.kwargs = dict(kwargs)
        self.num_warps = num_warps
        self.num_stages = num_stages
        self.num_ctas = num_ctas
        self.maxnreg = maxnreg
        self.pre_hook = pre_hook
        self.ir_override = ir_override

    def all_kwargs(self):
        options = {"num_warps": self.num_warps, "num_stages": self.num_stages,
                   "num_ctas": self.num_ctas, "maxnreg": self.maxnreg,
                   "ir_override": self.ir_override}
        return {**self.kwargs, **{name: value for name, value in options.items()
                                  if value is not None}}

    def __repr__(self):
        return ", ".join(f"{name}: {value}" for name, value in self.all_kwargs().items())

    __str__ = __repr__

    def __eq__(self, other):
        return isinstance(other, Config) and self.all_kwargs() == other.all_kwargs() and \
            self.pre_hook == other.pre_hook

    def __hash__(self):
        return hash((*self.all_kwargs().items(), self.pre_hook))


class Wrapper(KernelInterface):
    """A kernel around another one."""

    def __init__(self, fn, arg_names):
        self.fn = fn
        self.arg_names = arg_names
        self.base_fn = fn
        while isinstance(self.base_fn, Wrapper):
            self.base_fn = self.base_fn.fn
        self.__name__ = self.base_fn.__name__
        self.__doc__ = self.base_fn.__doc__
        self.__module__ = self.base_fn.__module__

    def __getattr__(self, name):
        if name == "fn":
            raise AttributeError(name)
        return getattr(self.fn, name)

    def __call__(self, *args, **kwargs):
        return self.base_fn(*args, **kwargs)


class Heuristics(Wrapper):
    """A kernel some of whose arguments are computed of the others."""

    def __init__(self, fn, arg_names, values):
        super().__init__(fn, arg_names)
        self.values = values

    def _computed(self, args, kwargs):
        given = {**dict(zip(self.arg_names, args)), **kwargs}
        return {**kwargs, **{name: compute(given) for name, compute in self.values.items()}}

    def run(self, *args, **kwargs):
        return self.fn.run(*args, **self._computed(args, kwargs))

    def warmup(self, *args, **kwargs):
        return self.fn.warmup(*args, **self._computed(args, kwargs))

    def request(self, *args, **kwargs):
        return self.fn.request(*args, **self._computed(args, kwargs))


def heuristics(values):
    """Computes arguments of a kernel: `values` has a function for each, of the dictionary of the
    other arguments."""
    def decorate(fn):
        return Heuristics(fn, fn.arg_names, values)

    return decorate
