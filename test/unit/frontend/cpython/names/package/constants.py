"""Constants, by all the ways a module has to choose them."""
import os

import triton
import triton.language as tl
from packaging import version

__all__ = ["STARRED", "base"]
__all__ += ["CHOSEN_THERE", "VERSION_THERE", "FROM_ENVIRONMENT", "FIRST", "SECOND"]

base = 5
STARRED = tl.constexpr(base)
NOT_LISTED = tl.constexpr(base + 1)
_UNDERSCORE = tl.constexpr(base + 2)
flag = False
if flag:
    CHOSEN_THERE = tl.constexpr("yes")
else:
    CHOSEN_THERE = tl.constexpr("no")
NEW = version.parse(triton.__version__) >= version.parse("3.2.0")
VERSION_THERE = tl.constexpr("new" if NEW else "old")
if os.environ.get("TILEWRIGHT_NAMES_TEST", "unset") == "unset":
    FROM_ENVIRONMENT = tl.constexpr(0)
else:
    FROM_ENVIRONMENT = tl.constexpr(1)
FIRST, SECOND = tl.constexpr(1), tl.constexpr(2)
base += 10
