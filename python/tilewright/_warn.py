"""Warnings at the program's line, however deep in the package they are found."""

import sys
import warnings


def warn(message):
    """A UserWarning at the nearest caller's line that is not of this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_ours(frame):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


def _is_ours(frame):
    return frame.f_globals.get("__name__", "").split(".")[0] == __package__
