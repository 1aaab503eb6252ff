"""How far tuning is, by tqdm."""

import os
import sys

from .._warn import warn


class _Silent:
    """What nobody sees."""

    def update(self, count=1):
        pass

    def set_postfix_str(self, text):
        pass

    def close(self):
        pass


def bar(total, title):
    """A bar of tqdm's with so many steps, on the standard error: where that is a terminal and tqdm
    is installed, or as TILEWRIGHT_PROGRESS=1 or 0 says."""
    wanted = os.environ.get("TILEWRIGHT_PROGRESS")
    if wanted not in ("0", "1"):
        wanted = "1" if sys.stderr is not None and sys.stderr.isatty() else None
    if wanted != "1":
        return _Silent()
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if os.environ.get("TILEWRIGHT_PROGRESS") == "1":
            warn("TILEWRIGHT_PROGRESS=1 takes the package tqdm: pip install tqdm")
        return _Silent()
    # Tuning that is done at once shows none.
    return tqdm(total=total, desc=title, leave=False, delay=0.5, dynamic_ncols=True)
