"""Configurations of kernels: `autotune` and `heuristics`."""

from .autotuner import Autotuner, autotune
from .wrapper import Config, Heuristics, heuristics

__all__ = ["Autotuner", "Config", "Heuristics", "autotune", "heuristics"]
