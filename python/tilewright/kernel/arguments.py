"""Arguments of calls that consist of others: tuples and named tuples, with arrays, numbers,
constants and functions, and with further tuples.

A type of an argument is a str ("*fp32:16"), None for a constant, or for a tuple (class, types,
values) of its elements, where the class is None unless it is named.
"""

import functools
import re

from ..program import values as _values


def text_of(type_, value, name_of):
    """The entry of a signature. name_of(function): what the source calls a function."""
    if isinstance(type_, tuple):
        tuple_class, types, values = type_
        texts = [text_of(one, constant, name_of) for one, constant in zip(types, values)]
        if tuple_class is None:
            return "(" + "".join(text + ", " for text in texts) + ")"
        fields = ", ".join(f"{field}={text}" for field, text in zip(tuple_class._fields, texts))
        return f"{tuple_class.__name__}({fields})"
    if type_ is not None:
        return type_
    if isinstance(value, (tuple, list)):
        tuple_class = type(value) if hasattr(value, "_fields") else None
        return text_of((tuple_class, [None] * len(value), value), None, name_of)
    if _values.is_function(value) or _values.is_aggregate(value):
        return "@" + name_of(value)
    if _values.is_nameless(value):
        raise TypeError(f"a tuple of constants cannot have {value!r}: it may have numbers, strings, "
                        "types, tuples of those and jitted functions")
    return _values.constant_text(value)


def functions_in(type_, value=None):
    """The functions, and classes of aggregates, among the constants of a tuple's type."""
    if isinstance(type_, tuple):
        for one, constant in zip(type_[1], type_[2]):
            yield from functions_in(one, constant)
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from functions_in(None, one)
    elif type_ is None and (_values.is_function(value) or _values.is_aggregate(value)):
        yield value


@functools.lru_cache(maxsize=1024)
def _steps(path):
    return re.findall(r"\w+", path)


def root_of(path):
    """The parameter that an argument of the kernel's code is of: `view` of "view.sizes[0]"."""
    return _steps(path)[0]


def at(path, arguments):
    """What a path of names and places is in the arguments, a dictionary by path or parameter."""
    if path in arguments:
        return arguments[path]
    first, *rest = _steps(path)
    value = arguments[first]
    for step in rest:
        value = value[int(step)] if step.isdigit() else getattr(value, step)
    return value
