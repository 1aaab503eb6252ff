"""Names of other modules: every name in capitals is compared with the value that CPython gives."""
import triton
import triton.language as tl

import package.constants as c
import package.inner.leaf
from package import *
from package import DEEP, EXPORTED_UNDERSCORE, NAME_OF_INNER, inner
from package.inner import leaf

STARRED_AGAIN = tl.constexpr(base)
MEMBER = tl.constexpr(c.NOT_LISTED)
PATH = tl.constexpr(package.inner.leaf)
SHADOWED = leaf
CALLED = tl.constexpr(package.constants.base)
HAS = tl.constexpr(hasattr(c, "_UNDERSCORE"))
HAS_NOT = tl.constexpr(hasattr(c, "nothing"))
try:
    from package.constants import NOTHING
except ImportError:
    NOTHING = tl.constexpr("a name that is not there")
try:
    from package.nowhere import NOWHERE
except ImportError:
    NOWHERE = tl.constexpr("a module that is not there")
try:
    from package.constants import NOT_LISTED
except ImportError:
    NOT_LISTED = tl.constexpr("not reached")


class Settings:
    width = 3
    DOUBLE = tl.constexpr(width * 2)


OF_CLASS = tl.constexpr(Settings.DOUBLE)


def factory(amount):
    def add(x):
        return x + amount
    amount = amount + 1
    return add


CLOSURE = tl.constexpr(factory(1)(40))
TEXT = tl.constexpr("-".join(["{} {}".format(i, i + 1) for i in range(2)]).replace("1", "one"))
