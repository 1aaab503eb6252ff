"""Options of compilations, by the names of the table from which all of them are made
(include/tilewright/CompileOptions.def)."""

import collections
import types

from . import _native
from ._warn import warn

#: What holds for an option where nothing is set; None where that depends on the target.
DEFAULTS = types.MappingProxyType(_native.option_defaults)

#: The options that a call of a jitted function has; None leaves a choice to the compiler.
_OF_CALLS = _native.call_option_names + _native.program_option_names
CallOptions = collections.namedtuple("CallOptions", _OF_CALLS, defaults=[None] * len(_OF_CALLS))


def native_options(**given):
    """The compiler's struct of options, with those that are not None. What a call says of its program
    is none of them."""
    options = _native.Options()
    for name, value in given.items():
        if value is not None and name not in _native.program_option_names:
            setattr(options, name, value)
    return options


def pass_over(name, value):
    """Whether `name` is an option of Triton's that changes nothing here; a warning where this value
    asks for something."""
    text = _native.describe_passed_over_option(name, repr(value))
    if text:
        warn(text)
    return text is not None
