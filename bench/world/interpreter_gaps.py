"""What Triton 3.6's interpreter lacks or does in another way than a GPU, and kernels need.

  - A float argument is a scalar tensor of f32 to a compiled kernel, on which methods are called
    (`eps.to(tl.float32)`), and so is the integer of a loop; to the interpreter they are Python's.
  - The functions of libdevice return None. Here they are NumPy's and Python's, computed in f64.
  - `and` and `or` of tensors are Python's, which give one of the tensors.
  - Products take f32 as it is; matrix units take tf32, of which the lower 13 bits are cut off.
  - Arithmetic of bf16 is done on the bits as if they were integers, and conversions to bf16 and to
    8-bit floats do not round to the nearest.
"""

import ast
import functools
import math
import operator

import numpy as np
import torch
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda import libdevice as cuda_libdevice
from triton.runtime import interpreter


def _each(function):
    return np.vectorize(function, otypes=[np.float64])


_UNARY = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh,
    "atan": np.arctan, "atanh": np.arctanh, "cbrt": np.cbrt, "ceil": np.ceil, "cos": np.cos,
    "cosh": np.cosh, "erf": _each(math.erf), "erfc": _each(math.erfc), "exp": np.exp,
    "exp10": lambda x: 10.0**x, "exp2": np.exp2, "expm1": np.expm1, "fast_expf": np.exp,
    "fast_logf": np.log, "fast_log2f": np.log2, "fast_tanhf": np.tanh, "floor": np.floor,
    "lgamma": _each(math.lgamma), "llrint": np.rint, "log": np.log, "log10": np.log10,
    "log1p": np.log1p, "log2": np.log2, "nearbyint": np.rint, "rint": np.rint,
    "round": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x), "rsqrt": lambda x: x**-0.5,
    "sin": np.sin, "sinh": np.sinh, "sqrt": np.sqrt, "sqrt_rn": np.sqrt, "tan": np.tan,
    "tanh": np.tanh, "trunc": np.trunc, "abs": np.abs,
}
_BINARY = {
    "atan2": np.arctan2, "copysign": np.copysign, "div_rn": np.divide, "div_rz": np.divide,
    "fast_dividef": np.divide, "fast_powf": np.power, "fmod": np.fmod, "hypot": np.hypot,
    "pow": np.power,
}
_PREDICATES = {"isinf": np.isinf, "isnan": np.isnan, "finitef": np.isfinite,
               "isfinited": np.isfinite, "signbit": np.signbit}


def _function(compute, is_predicate):
    def call(*args, _semantic=None):
        del _semantic
        args = [interpreter.interpreter_semantic.to_tensor(one) for one in args]
        first = args[0]
        with np.errstate(all="ignore"):
            data = compute(*[np.asarray(one.handle.data, np.float64) for one in args])
        scalar = tl.int32 if is_predicate else first.type.scalar
        type_ = tl.block_type(scalar, list(data.shape)) if first.type.is_block() else scalar
        numbers = data.astype(np.int32 if is_predicate else first.handle.data.dtype)
        return tl.tensor(interpreter.TensorHandle(numbers, scalar), type_)

    return call


def _scalar(value):
    """Instead of the interpreter's conversion of an argument."""
    if type(value) is float:
        return tl.tensor(interpreter.TensorHandle(np.array([value], np.float32), tl.float32),
                         tl.float32)
    return _CONVERT(value)


_CONVERT = interpreter._implicit_cvt


_FLOATS = {tl.bfloat16: torch.bfloat16, tl.float16: torch.float16, tl.float32: torch.float32,
           tl.float64: torch.float64, tl.float8e5: torch.float8_e5m2,
           tl.float8e4nv: torch.float8_e4m3fn}
#: Those that NumPy has not got; the interpreter keeps their bits.
_BITS = {tl.bfloat16: torch.int16, tl.float8e5: torch.uint8, tl.float8e4nv: torch.uint8}


def _numbers(data, dtype):
    """The floats that the interpreter's array of this type stands for."""
    if dtype not in _BITS:
        return data
    bits = torch.from_numpy(np.ascontiguousarray(data)).view(_BITS[dtype])
    return bits.view(_FLOATS[dtype]).float().numpy()


def _data(numbers, dtype):
    """The interpreter's array of floats, rounded to the nearest."""
    values = torch.from_numpy(np.ascontiguousarray(numbers))
    if dtype not in _BITS:
        return values.to(_FLOATS[dtype]).numpy()
    if dtype.primitive_bitwidth == 8:
        largest = torch.finfo(_FLOATS[dtype]).max
        values = values.clamp(-largest, largest)
    bits = values.to(_FLOATS[dtype]).view(_BITS[dtype]).numpy()
    return bits.view(interpreter._get_np_dtype(dtype))


def _cast(self, source, type_):
    """Instead of InterpreterBuilder.cast_impl."""
    from_, to = source.dtype.scalar, type_.scalar
    if from_ not in _BITS and to not in _BITS:
        return interpreter.TensorHandle(source.data.astype(interpreter._get_np_dtype(type_)), to)
    numbers = _numbers(source.data, from_)
    if to in _FLOATS:
        return interpreter.TensorHandle(_data(numbers, to), to)
    return interpreter.TensorHandle(numbers.astype(interpreter._get_np_dtype(to)), to)


def _float_to_float(self, source, type_, rounding):
    if rounding == interpreter._ir.ROUNDING_MODE.RTZ:
        return _FLOAT_TO_FLOAT(self, source, type_, rounding)
    return _cast(self, source, type_)


def _arithmetic(original):
    """An operator of InterpreterBuilder on operands of which NumPy has the type."""
    def call(self, *operands):
        *handles, function = operands
        dtype = handles[0].dtype.scalar
        if dtype not in _BITS:
            return original(self, *operands)
        result = function(*[_numbers(one.data, dtype) for one in handles])
        if result.dtype == np.bool_:
            return interpreter.TensorHandle(result, tl.int1)
        return interpreter.TensorHandle(_data(result, dtype), dtype)

    return call


def _dot(self, a, b, d, precision, _max_imprecise):
    """Instead of InterpreterBuilder.create_dot."""
    del self
    def operand(handle):
        numbers = _numbers(handle.data, handle.dtype.scalar)
        if handle.dtype.scalar == tl.float32 and precision == interpreter._ir.INPUT_PRECISION.TF32:
            bits = np.ascontiguousarray(numbers).view(np.uint32) & np.uint32(0xFFFFE000)
            return bits.view(np.float32)
        return numbers.astype(np.float32) if numbers.dtype == np.float16 else numbers

    result_type = np.int32 if d.dtype.scalar.is_int() else np.float32
    if a.dtype.scalar == tl.float64:
        result_type = np.float64
    product = np.matmul(operand(a), operand(b), dtype=result_type)
    total = product + _numbers(d.data, d.dtype.scalar)
    if d.dtype.scalar in _FLOATS:
        return interpreter.TensorHandle(_data(total, d.dtype.scalar), d.dtype.scalar)
    return interpreter.TensorHandle(total.astype(d.data.dtype), d.dtype.scalar)


class _Counter(int):
    """The integer of a loop: arithmetic with integers gives such integers again."""

    def to(self, dtype, *_, _semantic=None, **__):
        del _semantic
        return interpreter.interpreter_semantic.cast(
            interpreter.interpreter_semantic.to_tensor(int(self)), dtype)

    @property
    def dtype(self):
        return tl.int32


def _counting(function):
    def call(self, other):
        return _Counter(function(int(self), int(other))) if isinstance(other, int) \
            else NotImplemented

    return call


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    _function_of_two = getattr(operator, _name)
    setattr(_Counter, f"__{_name}__", _counting(_function_of_two))
    setattr(_Counter, f"__r{_name}__",
            _counting(lambda a, b, function=_function_of_two: function(b, a)))


def _tilewright_range(*bounds, **_):
    """What `range` is in kernels; its name must not be one of a kernel's."""
    return map(_Counter, range(*[operator.index(one) for one in bounds]))


def _tilewright_all(*operands):
    """`and` in kernels: of tensors it is element by element."""
    result = operands[0]()
    for operand in operands[1:]:
        if isinstance(result, tl.tensor):
            result = result.logical_and(operand())
        elif result:
            result = operand()
    return result


def _tilewright_any(*operands):
    """`or` in kernels."""
    result = operands[0]()
    for operand in operands[1:]:
        if isinstance(result, tl.tensor):
            result = result.logical_or(operand())
        elif not result:
            result = operand()
    return result


class _Transformer(interpreter.ASTTransformer):
    def visit_Assign(self, node):
        node.value = self.visit(node.value)
        return super().visit_Assign(node)

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "range":
            node.func.id = "_tilewright_range"
        return node

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        name = "_tilewright_all" if isinstance(node.op, ast.And) else "_tilewright_any"
        nothing = ast.arguments([], [], None, [], [], None, [])
        return ast.Call(ast.Name(name, ast.Load()),
                        [ast.Lambda(nothing, value) for value in node.values], [])


_FLOAT_TO_FLOAT = interpreter.InterpreterBuilder.create_fp_to_fp


def _patch_language(fn):
    """Instead of the interpreter's, which patches what is reached through `tl`: functions of the
    language that a module has imported by name are bound to the interpreter here."""
    for name, value in list(fn.__globals__.items()):
        if getattr(value, "__triton_builtin__", False):
            fn.__globals__[name] = functools.partial(value,
                                                     _semantic=interpreter.interpreter_semantic)
    return _PATCH_LANGUAGE(fn)


_PATCH_LANGUAGE = interpreter._patch_lang


def close():
    """To be called before kernels are imported, which bind libdevice's functions by name."""
    interpreter._implicit_cvt = _scalar
    interpreter._patch_lang = _patch_language
    for table, is_predicate in ((_UNARY, False), (_BINARY, False), (_PREDICATES, True)):
        for name, compute in table.items():
            for module in (libdevice, cuda_libdevice):
                setattr(module, name, _function(compute, is_predicate))
    interpreter.FunctionRewriter.ast_transformer = _Transformer()
    # The rewritten functions see this module's globals.
    for function in (_tilewright_range, _tilewright_all, _tilewright_any):
        setattr(interpreter, function.__name__, function)
    builder = interpreter.InterpreterBuilder
    builder.cast_impl = _cast
    builder.create_fp_to_fp = _float_to_float
    builder.create_dot = _dot
    builder.binary_op = _arithmetic(builder.binary_op)
    builder.unary_op = _arithmetic(builder.unary_op)
