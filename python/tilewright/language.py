"""The language of kernels, as host code sees it.

Kernels are compiled from their source text, and never call what is here: these are the names that
such a text imports, so that its file can be imported without Triton. `constexpr` and the element
types are objects for host code as well; what only runs in a kernel says so when it is called.
"""

import sys as _sys
import types as _types
import typing as _typing


class Builtin:
    """A function of kernels."""

    def __init__(self, name, module="triton.language", host=None):
        self.name = name
        self.module = module
        # PyTorch writes an import of it by these.
        self.__name__ = name
        self.__module__ = module
        self._host = host

    def __call__(self, *args, **kwargs):
        if self._host is not None:
            return self._host(*args, **kwargs)
        raise RuntimeError(f"{self.name} is a function of kernels: call it in a function with "
                           "@tilewright.jit")

    def __or__(self, other):
        """In an annotation: either of two types, as `tl.tensor | None`."""
        return _typing.Union[_typing.Any, type(other)]

    __ror__ = __or__

    def __repr__(self):
        return f"<{self.module}.{self.name}>"


class constexpr:
    """A value that is known when a kernel is compiled: of a parameter, `x: tl.constexpr`, or of a
    global variable, `X = tl.constexpr(4)`. It does not change."""

    __slots__ = ("value",)

    def __init__(self, value):
        object.__setattr__(self, "value", value.value if isinstance(value, constexpr) else value)

    def __setattr__(self, name, value):
        raise AttributeError("a constexpr does not change: make another one")

    def __repr__(self):
        return f"constexpr[{self.value!r}]"

    def __index__(self):
        return self.value.__index__()

    def __int__(self):
        return int(self.value)

    def __float__(self):
        return float(self.value)

    def __bool__(self):
        return bool(self.value)

    def __hash__(self):
        return hash(self.value)

    def __call__(self, *args, **kwargs):
        return self.value(*args, **kwargs)


def _of(value):
    return value.value if isinstance(value, constexpr) else value


def _add_operators():
    import operator
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor",
                 "lshift", "rshift"):
        function = getattr(operator, name + "_" if name in ("and", "or") else name)
        setattr(constexpr, f"__{name}__", lambda self, other, function=function: constexpr(
            function(self.value, _of(other))))
        setattr(constexpr, f"__r{name}__", lambda self, other, function=function: constexpr(
            function(_of(other), self.value)))
    for name in ("lt", "le", "eq", "ne", "gt", "ge"):
        function = getattr(operator, name)
        setattr(constexpr, f"__{name}__", lambda self, other, function=function: constexpr(
            function(self.value, _of(other))))
    for name in ("neg", "pos", "invert"):
        function = getattr(operator, name)
        setattr(constexpr, f"__{name}__",
                lambda self, function=function: constexpr(function(self.value)))


_add_operators()


#: Names in signatures, names here, bits.
_DTYPES = (("i1", "int1", 1), ("i8", "int8", 8), ("i16", "int16", 16), ("i32", "int32", 32),
           ("i64", "int64", 64), ("u8", "uint8", 8), ("u16", "uint16", 16), ("u32", "uint32", 32),
           ("u64", "uint64", 64), ("fp8e4nv", "float8e4nv", 8), ("fp8e4b8", "float8e4b8", 8),
           ("fp8e5", "float8e5", 8), ("fp8e5b16", "float8e5b16", 8),
           ("fp16", "float16", 16), ("bf16", "bfloat16", 16), ("fp32", "float32", 32),
           ("fp64", "float64", 64))


class dtype:
    """The type of an element: `tl.float16`, `tl.dtype("fp16")`. `name` is that of a signature,
    "fp16"."""

    __slots__ = ("name", "language_name", "primitive_bitwidth")

    #: Triton's names of the types, by kind.
    SINT_TYPES = ["int8", "int16", "int32", "int64"]
    UINT_TYPES = ["int1", "uint8", "uint16", "uint32", "uint64"]
    STANDARD_FP_TYPES = ["fp16", "bf16", "fp32", "fp64"]
    FP_TYPES = ["fp8e4nv", "fp8e4b8", "fp8e5", "fp8e5b16"] + STANDARD_FP_TYPES

    def __init__(self, name):
        for entry in _DTYPES:
            if name in entry[:2]:
                self.name, self.language_name, self.primitive_bitwidth = entry
                return
        raise ValueError(f"there is no element type {name!r}; known are " +
                         ", ".join(entry[1] for entry in _DTYPES))

    @property
    def itemsize(self):
        return (self.primitive_bitwidth + 7) // 8

    @property
    def fp_mantissa_width(self):
        """The bits of a float's mantissa that are stored."""
        if not self.is_floating():
            raise AttributeError(f"{self.language_name} has no mantissa")
        return {"bf16": 7, "fp16": 10, "fp32": 23, "fp64": 52, "fp8e5": 2, "fp8e5b16": 2,
                "fp8e4nv": 3, "fp8e4b8": 3}[self.name]

    @property
    def exponent_bias(self):
        """What is added to a float's exponent."""
        if not self.is_floating():
            raise AttributeError(f"{self.language_name} has no exponent")
        return {"bf16": 127, "fp16": 15, "fp32": 127, "fp64": 1023, "fp8e5": 15, "fp8e5b16": 16,
                "fp8e4nv": 7, "fp8e4b8": 8}[self.name]

    def is_floating(self):
        return self.name.startswith(("fp", "bf"))

    def is_int(self):
        return not self.is_floating()

    def is_int_signed(self):
        return self.name.startswith("i") and self.name != "i1"

    def is_int_unsigned(self):
        return self.name.startswith("u") or self.name == "i1"

    def is_fp8(self):
        return self.name.startswith("fp8")

    def __repr__(self):
        return f"triton.language.{self.language_name}"

    def __str__(self):
        return self.name

    def __eq__(self, other):
        return isinstance(other, dtype) and other.name == self.name

    def __hash__(self):
        return hash(self.name)

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"{self.language_name} converts in kernels only")


for _, _name, _ in _DTYPES:
    globals()[_name] = dtype(_name)

class _PointerType:
    """What tl.pointer_type(dtype) gives on the host: the type of pointers to such elements. `name` is
    that of a signature, "*fp16"."""

    __slots__ = ("element_ty", "name")

    def __init__(self, element_ty):
        if not isinstance(element_ty, (dtype, _PointerType)):
            raise TypeError(f"a pointer is to elements of a type, such as tl.float32, not "
                            f"{element_ty!r}")
        self.element_ty = element_ty
        self.name = f"*{element_ty.name}"

    def __repr__(self):
        return f"triton.language.pointer_type({self.element_ty!r})"

    def __str__(self):
        return self.name

    def __eq__(self, other):
        return isinstance(other, _PointerType) and other.name == self.name

    def __hash__(self):
        return hash(self.name)


_OTHER_NAMES = {"bool": "int1", "float8_e4m3fn": "float8e4nv", "float8_e5m2": "float8e5"}


def language_name_of(text):
    """The name here of a type that torch or Triton call so; None if there is none."""
    last = text.split(".")[-1]
    last = _OTHER_NAMES.get(last, last)
    for name, language_name, _ in _DTYPES:
        if last in (name, language_name):
            return language_name
    return None


def _cdiv(x, y):
    """x / y, rounded up."""
    return -(-_of(x) // _of(y))


def _next_power_of_2(n):
    """The least power of two that is not below n; 0 for 0."""
    n = _of(n)
    return 1 << (n - 1).bit_length() if n > 0 else 0


#: A default of parameters.
CONSTEXPR_0 = constexpr(0)
#: The most elements of a tensor.
TRITON_MAX_TENSOR_NUMEL = 1048576
#: An annotation of pointers that a kernel only reads through; nothing follows from it.
const = Builtin("const")
#: A type that kernels do not have: the compiler says so where one uses it.
float8e4b15 = Builtin("float8e4b15")

# The functions of triton.language; a test asks the compiler for each.
_FUNCTIONS = """
abs advance arange argmax argmin associative_scan assume atomic_add atomic_and atomic_cas
atomic_max atomic_min atomic_or atomic_xor block_type broadcast broadcast_to cast cat ceil clamp
condition cos cumprod cumsum debug_barrier device_assert device_print div_rn dot dot_scaled erf exp
exp2 expand_dims fdiv flip floor fma full gather histogram inline_asm_elementwise interleave join
load load_tensor_descriptor log log2 make_block_ptr make_tensor_descriptor max max_constancy
max_contiguous maximum min minimum multiple_of num_programs pair_uniform_to_normal permute philox
philox_impl pointer_type program_id rand rand4x randint randint4x randn randn4x range ravel reduce
reduce_or reshape rsqrt sigmoid sin softmax sort split sqrt sqrt_rn squeeze static_assert
static_print static_range store store_tensor_descriptor sum swizzle2d tensor tensor_descriptor topk
trans uint_to_uniform_float umulhi unsqueeze view where xor_sum zeros zeros_like
_log2 add atomic_xchg bitonic_merge constexpr_type get_int_dtype get_primitive_bitwidth item
map_elementwise mul pi32_t PropagateNan slice str_to_ty sub tensor_descriptor_base to_tensor tuple
""".split()
for _name in _FUNCTIONS:
    globals()[_name] = Builtin(_name)



def _aggregate(cls):
    """Makes a class one of kernels: its objects have the fields that it annotates, and its methods are
    functions of kernels."""
    cls.__triton_aggregate__ = True
    return cls


cdiv = Builtin("cdiv", host=_cdiv)
pointer_type = Builtin("pointer_type", host=_PointerType)
next_power_of_2 = Builtin("next_power_of_2", "triton", host=_next_power_of_2)


class _Module(_types.ModuleType):
    """A module of functions of kernels, any of which may be asked for."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Builtin(name, "triton" + self.__name__[len("tilewright"):])


def _add_module(path):
    module = _Module(f"{__name__}.{path}")
    _sys.modules[module.__name__] = module
    parent = _sys.modules[module.__name__.rpartition(".")[0]]
    setattr(parent, path.rpartition(".")[2], module)


for _name in ("math", "target_info", "extra", "extra.libdevice", "extra.cuda", "extra.cuda.libdevice", "extra.hip",
              "extra.hip.libdevice"):
    _add_module(_name)
