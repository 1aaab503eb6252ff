"""triton.compile of a jitted function, without arguments."""

from .. import _compile, _native, _source
from ._driver import GPUTarget


class ASTSource:
    """A jitted function and what it is compiled for.

    `signature` has a type for each parameter by name ("*fp32", "i32", "constexpr"); `constexprs`
    has the values of the constants and `attrs` hints such as [["tt.divisibility", 16]], both by
    name, index or path of a parameter.
    """

    def __init__(self, fn, signature, constexprs=None, attrs=None):
        self.fn = fn
        self.name = fn.__name__
        self.signature = dict(signature)
        self.constants = self.constexprs = _by_name(fn, constexprs or {})
        self.attrs = _by_name(fn, attrs or {})


def _by_name(fn, entries):
    """Entries by the parameter's name, whichever of Triton's ways they were given in."""
    named = {}
    for key, value in entries.items():
        if isinstance(key, tuple) and len(key) == 1:
            key = key[0]
        named[fn.arg_names[key] if isinstance(key, int) else key] = value
    return named


def _entry(source, name):
    """A parameter's entry of a signature."""
    if name in source.constants:
        return _source.constant_text(source.constants[name])
    type_ = source.signature.get(name)
    if type_ is None or type_ == "constexpr":
        raise ValueError(f"the parameter '{name}' has neither a type nor a value: give it in "
                         "signature or constexprs")
    hints = source.attrs.get(name, [])
    divisibility = [hint[1] for hint in hints if hint[0] == "tt.divisibility"]
    return f"{type_}:{divisibility[0]}" if divisibility else type_


#: Options that change nothing of what is compiled here.
_WITHOUT_EFFECT = ("sanitize_overflow", "ptx_version", "backend_name", "arch", "warp_size",
                   "supported_fp8_dtypes", "deprecated_fp8_dot_operand_dtypes", "extern_libs",
                   "instrumentation_mode")


def compile(src, target=None, options=None, _env_vars=None):
    """Compiles an ASTSource, or a file of IR by its path, for a GPUTarget (by default sm_90). The
    result has `asm` and `metadata`, and is on no GPU."""
    target = target or GPUTarget("cuda", 90, 32)
    options = {name: value for name, value in dict(options or {}).items()
               if name not in _WITHOUT_EFFECT}
    known = {name: options.pop(name) for name in ("num_warps", "num_stages", "num_ctas", "debug")
             if name in options}
    launch = {name: options.pop(name) for name in _native.launch_option_names if name in options}
    if options:
        raise ValueError(f"the options {', '.join(options)} are not in tilewright.triton: leave "
                         "them out")
    if not isinstance(src, ASTSource):
        return _compile.compile(src, target=target.name(), **known, **launch)
    program = _source.Program(src.fn)
    signature = ", ".join(_entry(src, name) for name in src.fn.arg_names)
    return _compile.compile_program(program, signature, target.name(), known.get("num_warps", 4),
                                    known.get("num_stages", 3), known.get("num_ctas", 1),
                                    bool(known.get("debug")), -1, launch)
