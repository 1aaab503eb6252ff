"""Tests compile, and do not find what was compiled before."""

import os

os.environ.setdefault("TILEWRIGHT_CACHE", "off")
