"""Configurations of kernels: `autotune` and `heuristics`."""

from ._autotuner import Autotuner
from ._wrapper import Config, Heuristics


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
        return Autotuner(fn, fn.arg_names, configs, key, reset_to_zero, restore_value, pre_hook,
                         post_hook, prune_configs_by, warmup, rep, use_cuda_graph, do_bench,
                         cache_results, check_results)

    return decorate


def heuristics(values):
    """Computes arguments of a kernel: `values` has a function for each, of the dictionary of the
    other arguments."""
    def decorate(fn):
        return Heuristics(fn, fn.arg_names, values)

    return decorate


__all__ = ["Autotuner", "Config", "Heuristics", "autotune", "heuristics"]
