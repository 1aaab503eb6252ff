"""triton.compile of a jitted function, without arguments."""

import hashlib

from .._options import CallOptions
from ..kernel import compile as _compile
from ..kernel.jit import name_for
from ..program import values as _values
from ..program.source import Program
from ._backends import known_options
from ._driver import DriverBase
from ._ir_source import IRSource


class ASTSource:
    """A jitted function and what it is compiled for.

    `signature` has a type for each parameter by name ("*fp32", "i32", "constexpr"); `constexprs`
    has the values of the constants and `attrs` hints such as [["tt.divisibility", 16]], both by
    name, index or path of a parameter.
    """

    def __init__(self, fn, signature, constexprs=None, attrs=None):
        self.fn = fn
        self.ext = "ttir"
        self.name = fn.__name__
        self.signature = dict(signature)
        self.constants = self.constexprs = _by_name(fn, constexprs or {})
        self.attrs = _by_name(fn, attrs or {})

    def hash(self):
        said = (self.fn.cache_key, sorted(self.signature.items()),
                sorted((name, str(value)) for name, value in self.constants.items()),
                sorted((name, str(value)) for name, value in self.attrs.items()))
        return hashlib.sha256(repr(said).encode()).hexdigest()

    def make_ir(self, target, options, codegen_fns, module_map, context):
        """An IR that says which of its parameters the kernel changes, and nothing else of it."""
        from ._mutations import Module, changed_parameters
        del codegen_fns, module_map, context
        compiled = compile(self, target, vars(options))
        return Module(compiled.name, changed_parameters(compiled.asm["ttir"], compiled.name))


def _by_name(fn, entries):
    """Entries by the parameter's name, whichever of Triton's ways they were given in."""
    named = {}
    for key, value in entries.items():
        if isinstance(key, tuple) and len(key) == 1:
            key = key[0]
        named[fn.arg_names[key] if isinstance(key, int) else key] = value
    return named


def _entry(source, name, functions):
    """A parameter's entry of a signature."""
    if name in functions:
        return "None"
    if name in source.constants:
        return _values.constant_text(source.constants[name])
    type_ = source.signature.get(name)
    if type_ is None or type_ == "constexpr":
        raise ValueError(f"the parameter '{name}' has neither a type nor a value: give it in "
                         "signature or constexprs")
    hints = source.attrs.get(name, [])
    divisibility = [hint[1] for hint in hints if hint[0] == "tt.divisibility"]
    return f"{type_}:{divisibility[0]}" if divisibility else type_


def compile(src, target=None, options=None, _env_vars=None):
    """Compiles an ASTSource, or a file of IR by its path, for a GPUTarget (by default that of the
    driver). The result has `asm` and `metadata`. For a GPU, it is loaded on the first launch, on the
    GPU of the moment; for the target "cpu", and without a GPU, it runs on the simulator."""
    target = target or DriverBase().get_current_target()
    device = _compile.SIMULATED if target.backend == "cpu" else _compile.CURRENT_DEVICE
    known = known_options(options, target)
    if isinstance(src, IRSource):
        src = src.path
    if not isinstance(src, ASTSource):
        # The text says the others itself.
        given = {name: known[name] for name in options or {} if name in known}
        return _compile.compile(src, target=target.name(), device=device, **given)
    src.fn.check()
    functions = {name: value for name, value in src.constants.items()
                 if not _values.is_literal(value) and not isinstance(value, (tuple, list))}
    program = Program(src.fn, functions, name=name_for(src.fn, src.constants, src.signature))
    signature = ", ".join(_entry(src, name, functions) for name in src.fn.arg_names)
    options = CallOptions(target=target.name(), **known)
    return _compile.Request(program, [], signature, options, device, src).compile()
