"""Values of Python in programs: what a signature can hold, and what kernels can call.

It is light to import; source.py is not.
"""

import types

from .. import language


def constant_text(value):
    """The text of a constant in a signature; of others a text that says which object it is."""
    if is_literal(value):
        if is_layout(value):
            return repr(value)
        if isinstance(value, language.dtype):
            return "tl." + value.language_name
        kind = foreign_dtype(value)
        if kind is not None:
            return "tl." + kind
        if isinstance(value, str):
            return f'"{value}"' if '"' not in value else f"'{value}'"
        return repr(value)
    if isinstance(value, (tuple, list)):
        name = text_of_class(type(value)) if is_tuple_class(type(value)) else ""
        return name + "(" + "".join(constant_text(one) + ", " for one in value) + ")"
    if is_constexpr(value):
        return constant_text(value.value)
    if is_function(value) or is_aggregate(value):
        return f"<function {id(value)}>"
    if is_tuple_class(value):
        return text_of_class(value)
    if is_builtin(value):
        return f"<builtin {getattr(value, 'module', value.__module__)}.{value.__name__}>"
    return f"<object {type(value).__module__}.{type(value).__qualname__} {value!r}>"


def is_literal(value):
    """Whether a signature can hold the constant itself."""
    if isinstance(value, str):
        plain = value.isprintable() and not ('"' in value and "'" in value)
        return plain and "\\" not in value
    return (value is None or isinstance(value, (bool, int, float, language.dtype))
            or foreign_dtype(value) is not None or is_layout(value))


def is_layout(value):
    """Whether it is a layout of Gluon's: tilewright.gluon.layouts.Layout, which is not loaded for it."""
    return hasattr(type(value), "_written")


def foreign_dtype(value):
    """The name in triton.language of a dtype of Triton's or torch's; None for all else."""
    if type(value).__name__ != "dtype":
        return None
    name = str(value)
    if type(value).__module__.startswith("torch"):
        return language.language_name_of(name)
    return language.language_name_of(name) if "triton" in type(value).__module__ else None


def is_tuple_class(value):
    """Whether it is a class of named tuples."""
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")


def text_of_class(tuple_class):
    return f"<{tuple_class.__name__}: {', '.join(tuple_class._fields)}>"


def is_function(value):
    """Whether kernels can call it: a jitted function, or one that runs while compiling."""
    return is_jitted(value) or is_constexpr_function(value)


def is_aggregate(value):
    """Whether it is a class with @aggregate."""
    return isinstance(value, type) and "__triton_aggregate__" in vars(value)


def is_nameless(value):
    """Whether signatures have no text that stands for it: a function of the language, or an object of
    which the compiler knows nothing, which kernels may be given and not use."""
    return not (is_literal(value) or isinstance(value, (tuple, list)) or is_constexpr(value)
                or is_function(value) or is_aggregate(value) or is_tuple_class(value))


def is_builtin(value):
    """Whether it is a function of the language, ours or Triton's."""
    return isinstance(value, language.Builtin) or getattr(value, "__triton_builtin__", False)


def is_constexpr(value):
    return type(value).__name__ == "constexpr" and hasattr(value, "value")


def is_jitted(value):
    return (type(value).__name__ in ("JITFunction", "GluonJITFunction")
            and isinstance(getattr(value, "fn", None), types.FunctionType))


def is_constexpr_function(value):
    return getattr(type(value), "is_constexpr_function", False)


#: Of functions of other programs, by module and name: the functions that kernels call in their
#: place (kernel/stand_ins.py).
stand_ins = {}
