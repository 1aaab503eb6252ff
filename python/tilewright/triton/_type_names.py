"""triton._utils: names of element types as signatures have them, and paths into nested tuples."""

from .. import language

TRITON_MAX_TENSOR_NUMEL = language.TRITON_MAX_TENSOR_NUMEL

#: Names of the same type by PyTorch, NumPy and C; those of the language are added below.
type_canonicalisation_dict = {
    **dict.fromkeys(("bool", "int1", "uint1", "i1"), "u1"),
    "half": "fp16", "float": "fp32", "double": "fp64", "int": "i32", "void": "void",
    "float8e4b15": "fp8e4b15", "float8_e4m3fn": "fp8e4nv", "float8_e4m3fnuz": "fp8e4b8",
    "float8_e5m2": "fp8e5", "float8_e5m2fnuz": "fp8e5b16",
}
#: Of the names in signatures.
BITWIDTH_DICT = {"u1": 1, "i1": 1, "fp8e4b15": 8, "void": 0}

for _name, _long_name, _bits in language._DTYPES:
    BITWIDTH_DICT[_name] = _bits
    if _name != "i1":
        type_canonicalisation_dict[_long_name] = _name
for _name in list(type_canonicalisation_dict.values()):
    type_canonicalisation_dict[_name] = _name
for _alias, _name in type_canonicalisation_dict.items():
    BITWIDTH_DICT[_alias] = BITWIDTH_DICT[_name]


def canonicalize_dtype(dtype):
    """"fp16" of torch.float16, of tl.float16 and of their names."""
    return type_canonicalisation_dict[str(dtype).rpartition(".")[2]]


def canonicalize_ptr_dtype(dtype, is_const):
    return ("*k" if is_const else "*") + canonicalize_dtype(dtype)


def get_primitive_bitwidth(dtype):
    """The bits of an element of the type of that name."""
    return BITWIDTH_DICT[dtype]


def is_power_of_two(x):
    return x & (x - 1) == 0


def validate_block_shape(shape):
    """The number of elements of a block of that shape."""
    count = 1
    for position, size in enumerate(shape):
        if not isinstance(size, int):
            raise TypeError(f"Shape element {position} must have type `constexpr[int]`, got "
                            f"`constexpr[{type(size)}]`")
        if not is_power_of_two(size):
            raise ValueError(f"Shape element {position} must be a power of 2")
        count *= size
    if count > TRITON_MAX_TENSOR_NUMEL:
        raise ValueError(f"numel ({count}) exceeds triton maximum tensor numel "
                         f"({TRITON_MAX_TENSOR_NUMEL})")
    return count


def find_paths_if(values, is_wanted):
    """The paths of indices to the leaves of nested tuples that are wanted."""
    found = []

    def visit(path, value):
        if isinstance(value, (tuple, list)):
            for index, inner in enumerate(value):
                visit((*path, index), inner)
        elif is_wanted(path, value):
            found.append(path)

    visit((), values)
    return found


def get_iterable_path(values, path):
    for index in path:
        values = values[index]
    return values


def set_iterable_path(values, path, value):
    """Puts a value at a path; of tuples, which do not change, that is an error."""
    get_iterable_path(values, path[:-1])[path[-1]] = value
