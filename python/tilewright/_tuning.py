"""Configurations of kernels: `autotune` and `heuristics`."""

import builtins
import functools
import os
import warnings

from ._jit import KernelInterface
from .errors import CompileError, LaunchError


class Config:
    """Constants and options of one way to launch a kernel.

    kwargs: values of constexpr parameters. pre_hook: a function that gets the dictionary of all
    arguments before each launch.
    """

    def __init__(self, kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None,
                 ir_override=None):
        if maxnreg is not None or ir_override is not None:
            raise ValueError("maxnreg and ir_override are not supported: leave them out")
        self.kwargs = dict(kwargs)
        self.num_warps = num_warps
        self.num_stages = num_stages
        self.num_ctas = num_ctas
        self.pre_hook = pre_hook

    def all_kwargs(self):
        options = {"num_warps": self.num_warps, "num_stages": self.num_stages,
                   "num_ctas": self.num_ctas}
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


class _Wrapper(KernelInterface):
    """A kernel around another one."""

    def __init__(self, fn, arg_names):
        self.fn = fn
        self.arg_names = arg_names
        self.base_fn = fn
        while isinstance(self.base_fn, _Wrapper):
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


class Heuristics(_Wrapper):
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


class Autotuner(_Wrapper):
    """A kernel that finds the fastest of its configurations, once for each key."""

    def __init__(self, fn, arg_names, configs, key, reset_to_zero=None, restore_value=None,
                 pre_hook=None, post_hook=None, prune_configs_by=None, warmup=None, rep=None,
                 use_cuda_graph=False, do_bench=None, cache_results=False):
        del use_cuda_graph, cache_results
        super().__init__(fn, arg_names)
        if not configs:
            configs = [Config({})]
        unknown = [name for name in key if name not in arg_names]
        if unknown:
            # Programs have such slips, and run with Triton, which passes over them.
            warnings.warn(f"the key names {', '.join(unknown)}, which '{self.__name__}' does not "
                          "have as a parameter", stacklevel=3)
        self.configs = list(configs)
        self.keys = list(key)
        self.cache = {}
        self.reset_to_zero = list(reset_to_zero or [])
        self.restore_value = list(restore_value or [])
        # Classes that derive from this one set hooks of their own where the user gave none.
        self.user_defined_pre_hook = pre_hook is not None
        self.user_defined_post_hook = post_hook is not None
        self.pre_hook = pre_hook or self._prepare
        self.post_hook = post_hook or self._restore
        self._saved = {}
        self.prune = dict(prune_configs_by or {})
        self.warmup_time = 25 if warmup is None else warmup
        self.repeat_time = 100 if rep is None else rep
        self._do_bench = do_bench
        self.best_config = None
        self.configs_timings = {}
        self.failures = {}

    def run(self, *args, **kwargs):
        given = {**dict(zip(self.arg_names, args)), **kwargs}
        config = self.configs[0] if len(self.configs) == 1 else self._choose(args, kwargs, given)
        self.best_config = config
        return self._launch(config, args, kwargs, given)

    def warmup(self, *args, **kwargs):
        """Compiles every configuration, and returns the compiled kernels in their order."""
        return [self.fn.warmup(*args, **{**kwargs, **config.all_kwargs()})
                for config in self._pruned(kwargs, dict(zip(self.arg_names, args)))]

    def _key(self, given):
        arguments = {name: value for name, value in given.items() if name in self.arg_names}
        parts = [arguments[name] for name in self.keys if name in arguments]
        parts += [str(value.dtype) for value in arguments.values()
                  if getattr(value, "dtype", None) is not None]
        return tuple(parts)

    def _prepare(self, given, reset_only=False):
        """Before a launch that is measured, and, with reset_only, before the first one that counts:
        what kernels add to is zero. What they change is saved."""
        for name in self.reset_to_zero:
            if given.get(name) is not None:
                _fill_with_zeros(given[name])
        if not reset_only:
            self._saved = {name: _copy_of(given[name]) for name in self.restore_value
                           if given.get(name) is not None}

    def _restore(self, given, exception=None):
        """After a launch that is measured."""
        del exception
        for name, copy in self._saved.items():
            _assign(given[name], copy)
        self._saved = {}

    def _choose(self, args, kwargs, given):
        key = self._key(given)
        if key not in self.cache:
            configs = self._pruned(kwargs, given)
            timings, self.failures = {}, {}
            for config in configs:
                try:
                    timings[config] = self._measure(config, args, kwargs, given)
                except (CompileError, LaunchError) as error:
                    # A configuration that this device does not take is no way to launch it.
                    self.failures[config] = error
            if not timings:
                raise builtins.next(iter(self.failures.values()))
            self.configs_timings = timings
            self.cache[key] = min(timings, key=timings.get)
            if not self.user_defined_pre_hook:
                self.pre_hook({**given, **self.cache[key].all_kwargs()}, reset_only=True)
            if os.environ.get("TRITON_PRINT_AUTOTUNING") == "1":
                print(f"tilewright: the best configuration of {self.__name__} for {key} is "
                      f"{self.cache[key]}")
        return self.cache[key]

    def _measure(self, config, args, kwargs, given):
        from . import testing
        measure = self._do_bench or functools.partial(
            testing.do_bench, warmup=self.warmup_time, rep=self.repeat_time)
        everything = {**given, **config.all_kwargs()}

        def call():
            self.pre_hook(everything)
            try:
                self._launch(config, args, kwargs, given)
            except Exception as error:
                self.post_hook(everything, exception=error)
                raise
            self.post_hook(everything, exception=None)

        return measure(call)

    def _launch(self, config, args, kwargs, given):
        if config.pre_hook is not None:
            config.pre_hook({**given, **config.all_kwargs()})
        return self.fn.run(*args, **{**kwargs, **config.all_kwargs()})

    def _pruned(self, kwargs, given):
        configs = self.configs
        early = self.prune.get("early_config_prune")
        if early:
            configs = early(configs, given, **kwargs)
            if not configs:
                raise ValueError(f"early_config_prune leaves no configuration of {self.__name__}")
        model, most = self.prune.get("perf_model"), self.prune.get("top_k", 1.0)
        if model:
            count = int(len(configs) * most) if isinstance(most, float) and most <= 1 else int(most)
            expected = {config: model(**given, **config.all_kwargs()) for config in configs}
            configs = sorted(configs, key=expected.get)[:max(count, 1)]
        return configs


def _copy_of(array):
    return array.clone() if hasattr(array, "clone") else array.copy()


def _assign(array, values):
    if hasattr(array, "copy_"):
        array.copy_(values)
    else:
        array[...] = values


def _fill_with_zeros(array):
    if hasattr(array, "zero_"):
        array.zero_()
    else:
        array[...] = 0


def autotune(configs, key, prune_configs_by=None, reset_to_zero=None, restore_value=None,
             pre_hook=None, post_hook=None, warmup=None, rep=None, use_cuda_graph=False,
             do_bench=None, cache_results=False):
    """Launches a kernel with the fastest of its configurations.

    Each is measured when the arguments named in `key` have new values. A configuration that cannot
    be compiled or launched is passed over; `failures` has its error. Arrays that kernels change are
    named in `reset_to_zero` or `restore_value`.
    """
    del use_cuda_graph, cache_results

    def decorate(fn):
        return Autotuner(fn, fn.arg_names, configs, key, reset_to_zero, restore_value, pre_hook,
                         post_hook, prune_configs_by, warmup, rep, do_bench=do_bench)

    return decorate


def heuristics(values):
    """Computes arguments of a kernel: `values` has a function for each, of the dictionary of the
    other arguments."""
    def decorate(fn):
        return Heuristics(fn, fn.arg_names, values)

    return decorate
