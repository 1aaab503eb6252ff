"""Options of launches that Triton's programs give."""

from . import _native
from ._warn import warn


def pass_over(name, value):
    """Whether `name` is an option of Triton's that changes nothing here; a warning where this value
    asks for something."""
    text = _native.describe_passed_over_option(name, repr(value))
    if text:
        warn(text)
    return text is not None
