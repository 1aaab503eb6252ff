#!/usr/bin/env python3
"""Prints which types Triton's front end gives to results: the table that PromotionTest reads.

usage: ask_triton.py > triton-3.6.txt        needs triton==3.6.0, no GPU

Each line of a table is the left operand, each column the right one: an element type stands for a
tensor of four such elements, anything else for a number of Python's. An entry is the type of the
result, `-` where Triton refuses the operands. Comparisons have the predicate and the type that they
compare in.
"""

import re
import warnings

import triton
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.nvidia.compiler import CUDABackend
from triton.backends.compiler import GPUTarget
from triton.language.semantic import TritonSemantic

TYPES = ["i1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "fp16", "bf16", "fp32", "fp64",
         "fp8e4nv", "fp8e5", "*fp32"]
NUMBERS = ["True", "0", "5", "-5", "200", "40000", "-40000", "2147483648", "-2147483649",
           "4294967296", "9223372036854775808", "-9223372036854775808", "0.0", "0.5", "1e-40",
           "1e300", "float('inf')"]

NAMES = {"int1": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
         "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64"}
# Triton compares some types by identity.
ELEMENTS = {short: getattr(tl, long) for long, short in NAMES.items()}
ELEMENTS.update({"fp16": tl.float16, "bf16": tl.bfloat16, "fp32": tl.float32, "fp64": tl.float64,
                 "fp8e4nv": tl.float8e4nv, "fp8e5": tl.float8e5})

backend = CUDABackend(GPUTarget("cuda", 90, 32))
options = backend.parse_options({})


def element(name):
    if name[0] == "*":
        return tl.pointer_type(element(name[1:]))
    return ELEMENTS[name]


def name_of(dtype):
    if dtype.is_ptr():
        return "*" + name_of(dtype.element_ty)
    return NAMES.get(dtype.name, dtype.name)


class Kernel:
    """An empty function of one module, with operands as its parameters."""

    def __init__(self, kinds):
        self.context = ir.context()
        ir.load_dialects(self.context)
        backend.load_dialects(self.context)
        self.builder = ir.builder(self.context)
        self.builder.options = options
        self.builder.codegen_fns = backend.get_codegen_implementation(options)
        self.semantic = TritonSemantic(self.builder)
        self.module = self.builder.create_module()
        self.builder.set_loc("k.py", 1, 1)
        types = [tl.block_type(element(kind), [4]) for kind in kinds if kind in TYPES]
        handles = [type.to_ir(self.builder) for type in types]
        function = self.builder.get_or_insert_function(
            self.module, "k", self.builder.get_function_ty(handles, []), "public", False)
        self.module.push_back(function)
        entry = function.add_entry_block()
        self.builder.set_insertion_point_to_start(entry)
        tensors = [tl.tensor(function.args(index), type) for index, type in enumerate(types)]
        self.operands = [tensors.pop(0) if kind in TYPES else tl.constexpr(eval(kind))
                         for kind in kinds]

    def finish(self):
        """The module as text; an error if it is not valid."""
        self.builder.ret([])
        if not self.module.verify():
            raise RuntimeError("the module is not valid")
        return str(self.module)


def method(name):
    def call(kernel):
        a, b = kernel.operands
        if isinstance(a, tl.tensor):
            return getattr(a, f"__{name}__")(b, _semantic=kernel.semantic)
        if isinstance(b, tl.tensor):
            return getattr(b, f"__r{name}__")(a, _semantic=kernel.semantic)
        return None
    return call


def builtin(function, *pattern):
    """A builtin with operands by position: 0 and 1 are those of the table, c is a condition."""
    def call(kernel):
        values = []
        for at in pattern:
            if at == "c":
                values.append(kernel.semantic.full([4], 1, tl.int1))
            else:
                values.append(kernel.operands[at])
        return function(*values, _semantic=kernel.semantic)
    return call


BINARY = {
    "{0} + {1}": method("add"), "{0} - {1}": method("sub"), "{0} * {1}": method("mul"),
    "{0} / {1}": method("truediv"), "{0} // {1}": method("floordiv"), "{0} % {1}": method("mod"),
    "{0} & {1}": method("and"), "{0} | {1}": method("or"), "{0} ^ {1}": method("xor"),
    "{0} << {1}": method("lshift"), "{0} >> {1}": method("rshift"),
    "{0} < {1}": method("lt"), "{0} >= {1}": method("ge"), "{0} == {1}": method("eq"),
    "{0} != {1}": method("ne"),
    "tl.maximum({0}, {1})": builtin(tl.maximum, 0, 1),
    "tl.minimum({0}, {1})": builtin(tl.minimum, 0, 1),
    "tl.clamp({0}, {1}, {1})": builtin(tl.clamp, 0, 1, 1),
    "tl.clamp({1}, {0}, {1})": builtin(tl.clamp, 1, 0, 1),
    "tl.fma({0}, {1}, {1})": builtin(tl.fma, 0, 1, 1),
    "tl.fma({0}, {0}, {1})": builtin(tl.fma, 0, 0, 1),
    "tl.where(c, {0}, {1})": builtin(tl.where, "c", 0, 1),
    "tl.fdiv({0}, {1})": builtin(tl.fdiv, 0, 1),
    "tl.div_rn({0}, {1})": builtin(tl.div_rn, 0, 1),
    "tl.umulhi({0}, {1})": builtin(tl.umulhi, 0, 1),
}

COMPARISON = re.compile(r"arith\.cmp[fi] (\w+), .* : (?:tensor<4x)?(\w+)")


def ask(call, kinds):
    try:
        kernel = Kernel(kinds)
        result = call(kernel)
        if result is None:
            return "."
        kernel.finish()
    except Exception:  # whatever Triton raises is its refusal
        return "-"
    return name_of(result.type.scalar)


def compares(call, kinds):
    try:
        kernel = Kernel(kinds)
        if call(kernel) is None:
            return "."
        text = kernel.finish()
    except Exception:
        return "-"
    predicate, type = COMPARISON.findall(text)[-1]
    return predicate + ":" + type


def main():
    warnings.simplefilter("ignore")
    print(f"# Made by ask_triton.py from Triton {triton.__version__}.")
    kinds = TYPES + NUMBERS
    for text, call in BINARY.items():
        question = compares if re.search(r"[<>=!]=|\} < ", text) else ask
        rows = [[left] + [question(call, (left, right)) for right in kinds] for left in kinds]
        rows.insert(0, [text.replace(" ", "")] + kinds)
        print()
        for row in rows:
            print(" ".join(row))


if __name__ == "__main__":
    main()
