"""As much of Triton as modules around kernels ask for, so that Python can import them."""

from . import language, runtime

__version__ = "3.6.0"


def jit(function=None, **options):
    return function if function is not None else jit


constexpr_function = jit


class Config:
    def __init__(self, *arguments, **options):
        pass


def autotune(*arguments, **options):
    return jit


heuristics = autotune


def cdiv(x, y):
    return (x + y - 1) // y


def next_power_of_2(n):
    return 1 << max(n - 1, 0).bit_length()
