"""The names of triton.language that modules around kernels use."""


class constexpr:
    def __init__(self, value):
        self.value = value.value if isinstance(value, constexpr) else value


def load(*arguments, **options):
    raise TypeError("only kernels load")


store = arange = exp2 = exp = load
