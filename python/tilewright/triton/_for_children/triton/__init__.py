"""`import triton` in processes that a program with Tilewright's triton starts: its folder stands in
their path before all others (_install.py)."""

import sys

from tilewright.triton import install

# This module makes room for the one that stays.
del sys.modules[__name__]
install()
