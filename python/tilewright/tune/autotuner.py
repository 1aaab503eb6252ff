"""Kernels that find the fastest of their configurations."""

import os
import time

from .._warn import warn
from ..errors import AutotunerError, CompileError, Error, LaunchError, WrongResult
from . import progress as _progress, results as _results
from .plan import plan_of
from .wrapper import Config, Wrapper


def _is_on(variable):
    return os.environ.get(variable, "").lower() in ("1", "true", "yes", "on", "y")


class Autotuner(Wrapper):
    """A kernel that finds the fastest of its configurations, once for each key.

    All of them are compiled at once, on all cores, and then measured one after the other. The
    methods and attributes that Triton's class has, too, are for classes that derive from it.
    """

    def __init__(self, fn, arg_names, configs, key, reset_to_zero=None, restore_value=None,
                 pre_hook=None, post_hook=None, prune_configs_by=None, warmup=None, rep=None,
                 use_cuda_graph=False, do_bench=None, cache_results=None, check_results=None):
        super().__init__(fn, arg_names)
        unknown = [name for name in key if name not in arg_names]
        if unknown:
            # Programs have such slips, and run with Triton, which passes over them.
            warn(f"the key names {', '.join(unknown)}, which '{self.__name__}' does not "
                 "have as a parameter")
        self.configs = list(configs) if configs else [Config({})]
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
        prune = prune_configs_by or {}
        self.perf_model = prune.get("perf_model")
        self.configs_top_k = prune.get("top_k", 1.0)
        self.early_config_prune = prune.get("early_config_prune")
        self.num_warmups = warmup
        self.num_reps = rep
        self.use_cuda_graph = use_cuda_graph
        self._do_bench = do_bench
        self.cache_results = _keeps(cache_results, do_bench)
        self.check_results = (_is_on("TILEWRIGHT_CHECK_TUNING") if check_results is None
                              else check_results)
        self.nargs = None
        self.best_config = None
        self.bench_time = None
        self.configs_timings = {}
        self.failures = {}

    # Launches

    def run(self, *args, **kwargs):
        self.nargs = dict(zip(self.arg_names, args))
        given = {**self.nargs, **kwargs}
        config = self.configs[0] if len(self.configs) == 1 else self._choose(args, kwargs, given)
        self.best_config = config
        if config.pre_hook is not None:
            config.pre_hook({**given, **config.all_kwargs()})
        result = self.fn.run(*args, **{**kwargs, **config.all_kwargs()})
        self.nargs = None
        return result

    def warmup(self, *args, **kwargs):
        """Compiles every configuration, and returns the compiled kernels in their order."""
        self.nargs = dict(zip(self.arg_names, args))
        configs = self.prune_configs(kwargs)
        self._compile(configs, self._requests(configs, args, kwargs))
        self.nargs = None
        return [self.fn.warmup(*args, **{**kwargs, **config.all_kwargs()}) for config in configs]

    def plan(self, *args, grid, device=None, repeats=50, timeout=60.0, tolerance=None, exact=False,
             **kwargs):
        """A plan for `tilewright.cluster.tune`: what this call would measure here is measured on
        other machines. Launches on such devices find the results, as if they had been measured
        there.

        device: "cuda" or "sim"; by default the arrays' own. Arrays of floating-point numbers are
        random ones there, unless `exact` says that they are sent as those of integers are.
        repeats, timeout, tolerance: as of the command `tilewright tune`.
        """
        self.nargs = dict(zip(self.arg_names, args))
        if any(config.pre_hook for config in self.configs):
            raise ValueError(f"configurations of {self.__name__} have hooks, which run in this "
                             "process alone: let autotune measure them here")
        plan = plan_of(self, args, kwargs, grid, device, repeats, timeout, tolerance, exact)
        self.nargs = None
        return plan

    def _key(self, given):
        arguments = {name: value for name, value in given.items() if name in self.arg_names}
        parts = [arguments[name] for name in self.keys if name in arguments]
        parts += [str(value.dtype) for value in arguments.values()
                  if getattr(value, "dtype", None) is not None]
        return tuple(parts)

    def _choose(self, args, kwargs, given):
        key = self._key(given)
        if key not in self.cache:
            is_measured = self._tune(key, self.prune_configs(kwargs), args, kwargs, given)
            if not self.user_defined_pre_hook:
                self.pre_hook({**given, **self.cache[key].all_kwargs()}, reset_only=True)
            if is_measured and _is_on("TRITON_PRINT_AUTOTUNING"):
                print(f"tilewright: tuning {self.__name__} for {key} took {self.bench_time:.2f} s; "
                      f"the best configuration is {self.cache[key]}")
        return self.cache[key]

    # Tuning

    def _tune(self, key, configs, args, kwargs, given):
        """Finds the best configuration for a key; whether it had to be measured for that."""
        begin = time.perf_counter()
        requests = self._requests(configs, args, kwargs)
        kept = _results.KeptResult.of(self, key, configs, requests)
        found = kept.find() if kept else None
        if found:
            self.configs_timings, self.failures = found
        else:
            self._measure_all(configs, requests, args, kwargs, given)
            if kept:
                kept.save(self.configs_timings, self.failures)
        measured = [config for config in configs if config not in self.failures]
        if not measured:
            raise next(iter(self.failures.values()))
        self.cache[key] = min(measured, key=self.configs_timings.get)
        self.bench_time = time.perf_counter() - begin
        return not found

    def _requests(self, configs, args, kwargs):
        """What each of the configurations needs compiled; None where only its launch will tell."""
        request = getattr(self.fn, "request", None)
        requests = []
        for config in configs:
            if config.pre_hook is not None:
                # It may say what the arguments are: the blocks of tensor descriptors.
                config.pre_hook({**self.nargs, **kwargs, **config.all_kwargs()})
            try:
                requests.append(request and request(*args, **{**kwargs, **config.all_kwargs()}))
            except (TypeError, ValueError, Error):
                requests.append(None)
        return requests

    def _compile(self, configs, requests):
        """Compiles all at once, on all cores. The errors, by configuration."""
        known = [(config, one) for config, one in zip(configs, requests) if one is not None]
        if not known:
            return {}
        bar = _progress.bar(len(known), f"compiling {self.__name__}")
        try:
            outcomes = self.base_fn.compile_all([one for _, one in known], bar.update)
        finally:
            bar.close()
        return {config: outcome for (config, _), outcome in zip(known, outcomes)
                if isinstance(outcome, Error)}

    def _measure_all(self, configs, requests, args, kwargs, given):
        self.configs_timings = {}
        self.failures = self._compile(configs, requests)
        known = next((one for one in requests if one is not None), None)
        comparison = _results.Comparison(given, self.arg_names, known) if (
            self.check_results and known) else None
        bar = _progress.bar(len(configs), f"measuring {self.__name__}")
        try:
            for config in configs:
                if config not in self.failures and comparison:
                    self._compare(comparison, config, args, kwargs, given)
                if config in self.failures:
                    self.configs_timings[config] = [float("inf")] * 3
                    self._tell_of_failure(config, kwargs)
                else:
                    self.configs_timings[config] = self._bench(*args, config=config, **kwargs)
                if config in self.failures and _is_on("TRITON_PRINT_AUTOTUNING"):
                    print(f"tilewright: {config} is passed over: {self.failures[config]}")
                bar.update()
        finally:
            bar.close()
            if comparison:
                comparison.restore()

    def _compare(self, comparison, config, args, kwargs, given):
        """Notes it as a failure if the configuration's results are not those of the first one."""
        try:
            difference = comparison.differs(
                config, lambda: self._call(config, args, kwargs, comparison.take))
        except (CompileError, LaunchError) as error:
            self.failures[config] = error
            return
        if difference:
            self.failures[config] = WrongResult(
                f"the configuration {config} of {self.__name__} is passed over: {difference}")
            warn(str(self.failures[config]))

    def _bench(self, *args, config, **meta):
        """The times of a configuration, in milliseconds: what the benchmark function gives, the
        median and two quantiles. One that this device does not take is a failure of infinite
        time."""
        if _is_on("TRITON_PRINT_AUTOTUNING"):
            print(f"tilewright: measuring {self.__name__} with {config}")
        twice = meta.keys() & config.kwargs.keys()
        if twice:
            raise ValueError(f"the configuration {config} sets {', '.join(sorted(twice))}, which "
                             f"the launch of {self.__name__} gives as well: leave one of them out")
        try:
            return self.do_bench(lambda: self._call(config, args, meta),
                                 quantiles=(0.5, 0.2, 0.8))
        except (CompileError, LaunchError) as error:
            self.failures[config] = error
            return [float("inf")] * 3

    def _tell_of_failure(self, config, kwargs):
        """Calls the user's hooks for a configuration that is not launched, as around a launch that
        fails."""
        everything = {**self.nargs, **kwargs, **config.all_kwargs()}
        if self.user_defined_pre_hook:
            self.pre_hook(everything)
        if self.user_defined_post_hook:
            self.post_hook(everything, exception=self.failures[config])

    def _call(self, config, args, kwargs, before_post_hook=lambda: None):
        """A launch among the hooks that are for measurements."""
        everything = {**self.nargs, **kwargs, **config.all_kwargs()}
        if config.pre_hook is not None:
            config.pre_hook(everything)
        self.pre_hook(everything)
        try:
            self.fn.run(*args, **{**kwargs, **config.all_kwargs()})
        except Exception as error:
            self.post_hook(everything, exception=error)
            raise
        before_post_hook()
        self.post_hook(everything, exception=None)

    @property
    def do_bench(self):
        from .. import testing
        times = {name: value for name, value in (("warmup", self.num_warmups),
                                                 ("rep", self.num_reps)) if value is not None}
        if self.use_cuda_graph and testing._torch_with_gpu():
            from ..triton._testing import do_bench_cudagraph
            return lambda call, quantiles: do_bench_cudagraph(call, rep=times.get("rep", 100),
                                                              quantiles=quantiles)
        if self._do_bench is not None and not times:
            return self._do_bench
        return lambda call, quantiles: testing.do_bench(call, quantiles=quantiles, **times)

    # Hooks

    def _prepare(self, given, reset_only=False):
        """Before a launch that is measured, and, with reset_only, before the first one that counts:
        what kernels add to is zero. What they change is saved."""
        for name in self.reset_to_zero:
            if given.get(name) is not None:
                _results.fill_with_zeros(given[name])
        if not reset_only:
            self._saved = {name: _results.copy_of(given[name]) for name in self.restore_value
                           if given.get(name) is not None}

    def _restore(self, given, exception=None):
        """After a launch that is measured."""
        del exception
        for name, copy in self._saved.items():
            _results.assign(given[name], copy)
        self._saved = {}

    # Which ones

    def prune_configs(self, kwargs):
        configs = self.configs
        if self.early_config_prune:
            configs = self.early_config_prune(configs, self.nargs, **kwargs)
            if not configs:
                raise AutotunerError(
                    "Autotuner error: No valid autotuner configs after pruning. "
                    "`early_config_prune` should return at least one config.")
        if self.perf_model:
            most = self.configs_top_k
            if isinstance(most, float) and most <= 1:
                most = int(len(self.configs) * most)
            elif not isinstance(most, int):
                raise TypeError("top_k is an integer, or the part of the configurations to measure, "
                                f"at most 1.0: {most!r} is neither")
            expected = {config: self.perf_model(**self.nargs, **kwargs, **config.all_kwargs())
                        for config in configs}
            configs = sorted(configs, key=expected.get)[:max(most, 1)]
        return list(configs)


def _keeps(cache_results, do_bench):
    """Whether results are kept on disk: as the program or TRITON_CACHE_AUTOTUNING says, else if it
    is known what was measured."""
    if cache_results is not None:
        return bool(cache_results)
    if "TRITON_CACHE_AUTOTUNING" in os.environ:
        return _is_on("TRITON_CACHE_AUTOTUNING")
    return do_bench is None


def autotune(configs, key, prune_configs_by=None, reset_to_zero=None, restore_value=None,
             pre_hook=None, post_hook=None, warmup=None, rep=None, use_cuda_graph=False,
             do_bench=None, cache_results=None, check_results=None):
    """Launches a kernel with the fastest of its configurations.

    All are compiled at once, and each is measured when the arguments named in `key` have new
    values. A configuration that cannot be compiled or launched is passed over; `failures` has its
    error. Arrays that kernels change are named in `reset_to_zero` or `restore_value`.

    cache_results: whether results are kept on disk; by default they are, unless `do_bench` is
    given. check_results: whether a configuration whose results differ from the first one's is
    passed over as well; it needs memory for two copies of all arrays, one of them on the host.
    """

    def decorate(fn):
        return Autotuner(fn, fn.arg_names, configs=configs, key=key, reset_to_zero=reset_to_zero,
                         restore_value=restore_value, pre_hook=pre_hook, post_hook=post_hook,
                         prune_configs_by=prune_configs_by, warmup=warmup, rep=rep,
                         use_cuda_graph=use_cuda_graph, do_bench=do_bench,
                         cache_results=cache_results, check_results=check_results)

    return decorate
