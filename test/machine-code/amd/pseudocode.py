"""AMD's pseudocode of an instruction to a Python function on NumPy arrays.

Types are static, so the function is straight-line NumPy: what stands under a condition is
computed for all lanes and selected, and loops of constant bounds are unrolled. Values are arrays
of one element a lane, or of one element for all.
"""

import importlib
import re

import numpy as np

import arithmetic
import grammar

CONVERSION = re.compile(r"([a-z]+)(\d+)_to_([a-z]+)(\d+)$")
INSTRUCTION = re.compile(r"[vs]_\w+_([uif])(\d+)$")
CONSTANTS = {"PI": ("F", 64, np.pi), "INF": ("F", 64, np.inf), "NAN": ("F", 64, np.nan),
             "MAX_FLOAT_F32": ("F", 32, float(np.finfo(np.float32).max)),
             "UNDERFLOW_F32": ("F", 32, 0.0), "OVERFLOW_F32": ("F", 32, np.inf),
             "UNDERFLOW_F64": ("F", 64, 0.0), "OVERFLOW_F64": ("F", 64, np.inf),
             # Nearest even and not IEEE in any case: codeobject.py refuses other descriptors.
             "WAVE32": ("U", 1, 1), "WAVE64": ("U", 1, 0), "WAVE_MODE.IEEE": ("U", 1, 0),
             "ROUND_MODE": ("U", 32, 0), "ROUND_NEAREST_EVEN": ("U", 32, 0)}
IGNORED = ("TRAPSTS.INVALID", "ROUND_MODE", "prev_mode")
# What a function is given, and may give back, beside the operands.
STATE = {"SCC": ("U", 1), "EXEC": ("U", 32), "VCC_LANE": ("U", 1), "SIMM32": ("U", 32),
         "SIMM16": ("U", 32), "OPSEL": ("U", 32), "NEG": ("U", 32), "laneId": ("U", 32),
         "MEMORY": ("U", 64), "DATA": ("U", 64)}
RESULTS = ("D0", "D0_LANE", "VCC_LANE", "EXEC_LANE", "SCC", "EXEC", "MEMORY", "RETURN_DATA")
REWRITES = [("VGPR[laneId][VDST.u32]", "D0"), ("VGPR[laneId][SRC0.u32]", "S0"),
            ("VCC.u64[laneId]", "VCC_LANE"), ("EXEC.u64[laneId]", "EXEC_LANE"),
            ("D0.u64[laneId]", "D0_LANE")]


class Untranslatable(Exception):
    pass


def rewritten(text):
    """With one name for what a lane has of a mask or of an operand."""
    for old, new in REWRITES:
        text = text.replace(old, new)
    return text


def container(bits):
    return 1 if bits == 1 else 8 if bits <= 8 else 16 if bits <= 16 else 32 if bits <= 32 else 64


def dtype(kind, bits):
    if kind == "F":
        return f"np.float{bits}"
    if bits == 1:
        return "np.bool_"
    if bits > 64:
        raise Untranslatable(f"{bits} bits")
    return f"np.{'u' if kind == 'U' else ''}int{container(bits)}"


def promote(left, right):
    """The type of an arithmetic result."""
    if "F" in (left[0], right[0]):
        return ("F", max(t[1] for t in (left, right) if t[0] == "F"))
    return ("U" if "U" in (left[0], right[0]) else "I", max(left[1], right[1], 32))


def operand_bits(text, name):
    """32 or 64: how wide the pseudocode's S0, S1, S2, D0 or DATA is."""
    if re.search(rf"\b{name}\.[uifb]64|\b{name}\[63 : ", text):
        return 64
    return 32


def operand_type(text, name):
    """Kind and bits of an operand as the pseudocode first looks at it: for constants and signs."""
    match = re.search(rf"\b{name}(?:\[\d+ : \d+\])?\.(bf|[uifb])(\d+)", text)
    if not match:
        return ("U", 32)
    return ("F" if match.group(1) in ("f", "bf") else match.group(1).upper(), int(match.group(2)))


class Translator:
    def __init__(self, text, library):
        text = rewritten(text)
        self.text, self.library = text, library
        self.lines, self.constants, self.unrolled, self.arrays = [], {}, {}, {}
        self.types, self.defined, self.mask, self.count = {}, set(), None, 0
        self.reads_old, self.lambdas, self.bound = False, {}, {}
        for name in ("S0", "S1", "S2", "D0"):
            self.types[name] = ("U", operand_bits(text, name))
        self.defined |= {"S0", "S1", "S2"}
        self.types.update(STATE)
        self.types.update(D0_LANE=("U", 1), EXEC_LANE=("U", 1), RETURN_DATA=("U", 64))

    def function(self):
        self.block(grammar.parse(self.text))
        outputs = [name for name in RESULTS if name in self.defined]
        used = [name for name in STATE if re.search(rf"\b{name}\b", "\n".join(self.lines))]
        # A name that is only written needs no value to start with.
        head = ["def run(S0, S1, S2, D0, state):"] + [f"    {n} = state.{n}" for n in used]
        body = [f"    {line}" for line in self.lines]
        source = "\n".join(head + body + [f"    return ({', '.join(outputs)},)"])
        scope = dict(np=np, a=arithmetic, library=self.library, **self.constants)
        exec(compile(source, "pseudocode", "exec"), scope)
        run = scope["run"]
        run.outputs, run.source, run.reads_old = outputs, source, self.reads_old
        return run

    # Statements.

    def emit(self, line):
        self.lines.append(line)

    def temporary(self, code):
        self.count += 1
        name = f"t{self.count}"
        self.emit(f"{name} = {code}")
        return name

    def block(self, statements):
        for statement in statements:
            getattr(self, "do_" + statement[0].replace(" ", "_"))(*statement[1:])

    def do_declare(self, name, kind, bits, count):
        kind = "U" if kind == "B" else kind
        if count is None:
            self.types[name] = (kind, bits)
        else:
            self.arrays[name] = (kind, bits)

    def do_call_statement(self, what):
        raise Untranslatable(f"statement {what}")

    def do_break(self):
        if self.live is None:
            raise Untranslatable("break")
        self.emit(f"{self.live} = {self.live} & ~{self.mask}")

    live = None

    def do_if(self, arms, otherwise):
        known = self.static(arms[0][0])
        if known is not None:
            self.block(arms[0][1] if known else otherwise)
            return
        outer = self.mask
        # With loops that lanes leave, the mask of what follows is the loop's own.
        before = None
        for condition, body in arms:
            test = self.truth(condition)
            parts = [p for p in (outer, f"~{before}" if before else None, test) if p]
            self.mask = self.temporary(" & ".join(parts))
            before = self.temporary(f"{before} | {self.mask}") if before else self.mask
            self.block(body)
        if otherwise:
            self.mask = self.temporary(" & ".join(([outer] if outer else []) + [f"~{before}"]))
            self.block(otherwise)
        self.mask = outer

    def do_for(self, name, first, last, body):
        first, last = self.static(first), self.static(last)
        if first is None or last is None:
            raise Untranslatable("loop of unknown length")
        outer, outer_live = self.mask, self.live
        self.live = self.temporary(outer or "np.ones(1, np.bool_)")
        for value in range(first, last + 1):
            self.unrolled[name] = value
            self.mask = self.temporary(self.live)
            self.block(body)
        del self.unrolled[name]
        self.mask, self.live = outer, outer_live

    def do_tie(self, targets, value):
        raise Untranslatable("several results at once")

    def do_assign(self, target, operator, value):
        if target[0] == "name" and target[1] in IGNORED:
            return
        if value[0] == "lambda":
            self.lambdas[target[1]] = value[1:]
            return
        if operator:
            value = ("binary", operator, target, value)
        code, kind = self.value(value)
        if target[0] == "index" and target[1][0] == "field" and self.static(target[2]) is None:
            self.assign_bit(target, self.convert(code, kind, ("U", 1)))
            return
        name, low, bits, field = self.place(target, kind)
        old = self.types[name]
        if field == "BF":
            code, kind, field = f"a.f32_to_bf16({self.convert(code, kind, ('F', 32))})", ("U", 16), "U"
        if (low, bits) == (0, old[1]) and field in (old[0], None):
            new = self.convert(code, kind, old)
        else:
            wanted = (field, bits) if field and bits in (1, 8, 16, 32, 64) else ("U", bits)
            raw = self.raw(self.convert(code, kind, wanted), wanted)
            if (low, bits) == (0, old[1]):
                new = self.reinterpret(raw, ("U", bits), *old)
            else:
                base = self.raw(self.old(name), old)
                new = f"a.put({base}, {low}, {bits}, {raw})"
                new = self.reinterpret(new, ("U", old[1]), *old)
        if self.mask and (name in self.defined or name in RESULTS):
            new = f"np.where({self.mask}, {new}, {self.old(name)})"
        self.emit(f"{name} = {new}")
        self.defined.add(name)

    def assign_bit(self, target, code):
        """One bit, whose number is computed, of an unsigned result."""
        name = self.variable(target[1], ("U", 64))
        if self.mask or self.types[name][0] != "U":
            raise Untranslatable("bit of unknown place")
        self.emit(f"{name} = a.put_bit({self.old(name)}, {self.value(target[2])[0]}, {code})")
        self.defined.add(name)

    def old(self, name):
        """The value of a name that is about to be changed in part."""
        if name in self.defined or name in STATE:
            return name
        if name == "D0":
            self.reads_old = True
            return name
        return f"np.zeros(1, {dtype(*self.types[name])})"

    def place(self, target, kind):
        """Name, first bit, number of bits and field of what is assigned to."""
        field = None
        if target[0] == "field":
            field, bits, target = target[2], target[3], target[1]
            field = "U" if field == "B" else field
            if field in ("FP", "BF8"):
                field = "U"
        if self.is_memory(target):
            return "MEMORY", 0, bits, field
        if target[0] == "slice":
            name = self.variable(target[1], ("U", 64))
            high, low = self.static(target[2]), self.static(target[3])
            if high is None or low is None:
                raise Untranslatable("slice of unknown place")
            return name, low, high - low + 1, field
        if target[0] == "index":
            if target[1][0] == "name" and target[1][1] in self.arrays:
                position = self.static(target[2])
                name = f"{target[1][1]}_{position}"
                self.types[name] = self.arrays[target[1][1]]
                return name, 0, self.types[name][1], field
            name, low = self.variable(target[1], ("U", 64)), self.static(target[2])
            if low is None:
                raise Untranslatable("bit of unknown place")
            return name, low, 1, field
        if field:
            name = self.variable(target, (field, bits) if field != "BF" else ("U", 16))
            return name, 0, bits, field
        name = self.variable(target, kind)
        return name, 0, self.types[name][1], None

    def variable(self, node, kind):
        while node[0] == "field":
            node = node[1]
        if node[0] != "name":
            raise Untranslatable(f"assignment to {node}")
        self.types.setdefault(node[1], kind)
        return node[1]

    @staticmethod
    def is_memory(node):
        return node[0] == "index" and node[1] == ("name", "MEM")

    # Expressions: code and type.

    def static(self, node):
        if node[0] == "number":
            return node[3]
        if node[0] == "name":
            if node[1] in self.unrolled:
                return self.unrolled[node[1]]
            return CONSTANTS[node[1]][2] if node[1].startswith("WAVE") else None
        if node[0] == "choose":
            condition = self.static(node[1])
            return None if condition is None else self.static(node[2] if condition else node[3])
        if node[0] == "binary":
            left, right = self.static(node[2]), self.static(node[3])
            if left is None or right is None or node[1] not in "+-*":
                return None
            return {"+": left + right, "-": left - right, "*": left * right}[node[1]]
        return None

    def literal(self, kind, bits, value):
        name = f"K{len(self.constants)}"
        if kind != "F" and bits > 1:
            value &= (1 << bits) - 1
            if kind == "I" and value >> (bits - 1):
                value -= 1 << bits
        self.constants[name] = np.array([value], eval(dtype(kind, bits)))
        return name, (kind, bits)

    def truth(self, node):
        code, kind = self.value(node)
        return code if kind == ("U", 1) else f"({code} != 0)"

    def raw(self, code, kind):
        if kind[0] == "U":
            return code
        return f"{code}.view({dtype('U', container(kind[1]))})"

    def convert(self, code, kind, wanted):
        """The same number in another type; what does not fit loses its high bits."""
        if kind == wanted:
            return code
        if wanted[0] == "F":
            return f"({code}).astype({dtype(*wanted)})"
        if kind[0] == "F":
            return f"a.float_to_int({code}, {dtype(*wanted)})"
        if wanted == ("U", 1):
            return f"(({code} & 1) != 0)"
        if kind[1] > 64 or wanted[1] > 64:
            raise Untranslatable("more than 64 bits")
        new = f"({code}).astype({dtype(*wanted)})"
        if container(wanted[1]) != wanted[1]:
            if wanted[0] == "U":
                if kind[0] == "I" or kind[1] > wanted[1]:
                    new = f"({new} & {dtype(*wanted)}({(1 << wanted[1]) - 1}))"
            else:
                spare = container(wanted[1]) - wanted[1]
                new = f"(({new} << {spare}) >> {spare})"
        return new

    def reinterpret(self, code, kind, wanted_kind, bits):
        """The low bits of a value as another type."""
        raw = self.raw(code, kind)
        raw = self.convert(raw, ("U", container(kind[1]) if kind[0] != "U" else kind[1]), ("U", bits))
        if wanted_kind in ("U", "B"):
            return raw
        if wanted_kind == "I":
            if container(bits) == bits:
                return f"({raw}).view({dtype('I', bits)})"
            return self.convert(raw, ("U", container(bits)), ("I", bits))
        return f"({raw}).view({dtype('F', bits)})"

    def value(self, node):
        return getattr(self, "value_" + node[0])(*node[1:])

    def value_number(self, kind, bits, value):
        return self.literal(kind, bits, value)

    def value_name(self, name):
        if name in self.bound:
            return self.bound[name]
        if name in self.unrolled:
            return self.literal("I", 32, self.unrolled[name])
        if name in CONSTANTS:
            return self.literal(*CONSTANTS[name])
        if name not in self.types:
            raise Untranslatable(f"name {name}")
        if name == "D0" and name not in self.defined:
            self.reads_old = True
        return name, self.types[name]

    def value_field(self, of, kind, bits):
        if of[0] == "name" and of[1] in ("INF", "NAN"):
            return self.literal("F", bits, CONSTANTS[of[1]][2])
        if self.is_memory(of):
            code, have = "MEMORY", ("U", 64)
        else:
            code, have = self.value(of)
        if kind == "BF":
            return f"a.bf16_to_f32({self.reinterpret(code, have, 'U', 16)})", ("F", 32)
        if kind in ("FP", "BF8"):
            return self.reinterpret(code, have, "U", 8), ("U", 8)
        return self.reinterpret(code, have, kind, bits), ("U" if kind == "B" else kind, bits)

    def value_index(self, of, position):
        if of[0] == "name" and of[1] in self.arrays:
            name = f"{of[1]}_{self.static(position)}"
            return name, self.types[name]
        code, kind = self.value(of)
        where = self.static(position)
        shift = str(where) if where is not None else self.value(position)[0]
        raw = self.raw(code, kind)
        if where is not None:
            return f"(({raw} >> {raw}.dtype.type({shift})) & 1 != 0)", ("U", 1)
        return f"(a.shift_right({raw}, {shift}) & 1 != 0)", ("U", 1)

    def value_slice(self, of, high, low):
        code, kind = self.value(of)
        high, low = self.static(high), self.static(low)
        if high is None or low is None:
            raise Untranslatable("slice of unknown place")
        raw = self.raw(code, kind)
        if high < low:
            return f"a.reverse_bits({raw})", ("U", kind[1])
        bits = high - low + 1
        moved = f"({raw} >> {raw}.dtype.type({low}))" if low else raw
        return self.convert(moved, ("U", kind[1]), ("U", bits)), ("U", bits)

    def value_cast(self, kind, bits, of):
        if kind == "F" and of[0] == "number" and of[1] != "F" and of[3] >= 1 << 14:
            code, have = self.literal("U", bits, of[3])
            return f"{code}.view({dtype('F', bits)})", ("F", bits)
        code, have = self.value(of)
        kind = "U" if kind == "B" else kind
        return self.convert(code, have, (kind, bits)), (kind, bits)

    def value_concat(self, parts):
        pieces, total = [], 0
        for part in reversed(parts):
            code, kind = self.value(part)
            pieces.append((self.raw(code, kind), total))
            total += kind[1]
        kind = ("U", total)
        whole = " | ".join(f"(({code}).astype({dtype(*kind)}) << {dtype(*kind)}({low}))"
                           for code, low in pieces)
        return f"({whole})", kind

    def value_choose(self, condition, yes, no):
        test = self.truth(condition)
        (left, left_kind), (right, right_kind) = self.value(yes), self.value(no)
        kind = left_kind if left_kind == right_kind else promote(left_kind, right_kind)
        return (f"np.where({test}, {self.convert(left, left_kind, kind)}, "
                f"{self.convert(right, right_kind, kind)})", kind)

    def value_unary(self, operator, of):
        code, kind = self.value(of)
        if operator == "!":
            return f"(~{code})" if kind == ("U", 1) else f"({code} == 0)", ("U", 1)
        if operator == "+":
            return code, kind
        if operator == "~" or kind[0] == "F":
            return f"({operator}{code})", kind
        wide = (kind[0], max(kind[1], 32))
        return f"(-{self.convert(code, kind, wide)})", wide

    def value_binary(self, operator, left, right):
        if operator in ("&&", "||"):
            return f"({self.truth(left)} {operator[0]} {self.truth(right)})", ("U", 1)
        if operator == "==" and right[0] == "field" and right[1] == ("name", "DENORM"):
            code, _ = self.value(left)
            return f"a.isDENORM({code})", ("U", 1)
        (x, x_kind), (y, y_kind) = self.value(left), self.value(right)
        if operator in ("<<", ">>"):
            kind = (x_kind[0], max(x_kind[1], 32))
            name = "shift_left" if operator == "<<" else "shift_right"
            return f"a.{name}({self.convert(x, x_kind, kind)}, {y})", kind
        if operator == "**":
            return f"a.power({x}, {y})", x_kind
        if operator in ("&", "|", "^") and x_kind == y_kind:
            return f"({x} {operator} {y})", x_kind
        kind = x_kind if x_kind == y_kind and x_kind[0] == "F" else promote(x_kind, y_kind)
        x, y = self.convert(x, x_kind, kind), self.convert(y, y_kind, kind)
        if operator in ("==", "!=", "<>", "<", "<=", ">", ">="):
            if operator == "<>":  # of floats: less or greater, which NaN is not
                test = f"(({x} < {y}) | ({x} > {y}))" if kind[0] == "F" else f"({x} != {y})"
                return test, ("U", 1)
            return f"({x} {operator} {y})", ("U", 1)
        if operator in ("/", "%") and kind[0] != "F":
            raise Untranslatable("integer division")
        code = f"({x} {operator} {y})"
        return code, kind

    def value_call(self, name, arguments):
        # A wider copy of a number has the same class, but conversion quiets a signalling NaN.
        if name in ("isNAN", "isQuietNAN", "isSignalNAN", "cvtToQuietNAN"):
            arguments = [a[3] if a[0] == "cast" and a[1:3] == ("F", 64) else a for a in arguments]
        values = [self.value(argument) for argument in arguments]
        if name in self.lambdas:
            parameters, body = self.lambdas[name]
            outer, self.bound = self.bound, dict(zip(parameters, values))
            result = self.value(body)
            self.bound = outer
            return result
        codes = ", ".join(code for code, _ in values)
        if name in ("isNAN", "isQuietNAN", "isSignalNAN", "isEven", "sign"):
            return f"a.{name}({codes})", ("U", 1)
        if name == "exponent":
            return f"a.exponent({codes})", ("I", 32)
        if name == "abs":
            return f"np.abs({codes})", values[0][1]
        if name == "signext":
            return values[0]
        if name == "pow":
            return f"a.power({codes})", values[0][1]
        if name in ("cvtToQuietNAN", "mantissa", "floor", "trunc", "fract", "sqrt", "log2", "sin",
                    "cos", "ldexp", "fma", "signext_from_bit"):
            return f"a.{name}({codes})", values[0][1]
        match = CONVERSION.match(name)
        if match:
            return self.conversion(values[0], *match.groups())
        match = INSTRUCTION.match(name)
        if match:
            kind = (match.group(1).upper(), int(match.group(2)))
            raws = [self.convert(self.raw(c, k), ("U", k[1]), ("U", max(32, k[1]))) for c, k in values]
            raws += ["None"] * (3 - len(raws))
            call = f"library.function({name.upper()!r})({', '.join(raws)}, np.zeros(1, np.uint32), None)[0]"
            bits = max(32, kind[1])
            return self.reinterpret(call, ("U", bits), *kind), kind
        raise Untranslatable(f"call of {name}")

    def conversion(self, value, from_kind, from_bits, to_kind, to_bits):
        code, kind = value
        wanted = (to_kind[0].upper(), int(to_bits))
        if "bf" in (from_kind, to_kind) or "fp" in (from_kind, to_kind):
            name = f"{from_kind}{from_bits}_to_{to_kind}{to_bits}"
            if name == "bf16_to_f32":  # a bf16 field is a float32 here
                return value
            return f"a.{name}({code})", ("F", 32) if to_kind == "f" else ("U", 8)
        if to_kind not in ("u", "i", "f"):
            raise Untranslatable(f"conversion to {to_kind}")
        if kind[0] != "F" and wanted[0] != "F" and wanted[1] < kind[1]:
            return f"a.saturate({code}, {dtype(*wanted)})", wanted
        return self.convert(code, kind, wanted), wanted


class Library:
    """The functions of one generation, by the name of the instruction without encoding suffix."""

    def __init__(self, generation):
        try:
            module = importlib.import_module(f"tinygrad.runtime.autogen.amd.{generation}.str_pcode")
        except ImportError as error:
            raise Untranslatable(f"{error}: pip install tinygrad==0.14.0") from None
        self.text, self.functions = {}, {}
        for key, text in module.PCODE.items():
            name = key.name
            for suffix in ("_E32", "_E64"):
                name = name.removesuffix(suffix)
            if text is not None:
                self.text.setdefault(name, text)

    def function(self, name):
        if name not in self.functions:
            if name not in self.text:
                raise Untranslatable(f"no pseudocode for {name}")
            try:
                self.functions[name] = Translator(self.text[name], self).function()
            except (Untranslatable, SyntaxError, KeyError) as error:
                raise Untranslatable(f"{name}: {error}") from None
        return self.functions[name]
