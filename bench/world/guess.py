"""Types and constants for a kernel's parameters, guessed from their names, annotations, defaults,
what the kernel does with them, and what an autotuner's first configuration gives.

A guess is tried, and another one made: from Triton's message (`repaired`), or as the next of a
sequence that varies element types and constants (`guess`)."""

import ast
import re

import triton.language as tl

from parameters import looks_like_pointer, uses_of

_FLOAT = re.compile(
    r"^(eps|epsilon|.*_eps|eps_.*|alpha|beta|gamma|lr|p|.*scale|scale_.*|softcap|.*soft_?cap.*|"
    r".*slope|threshold|momentum|wd|weight_decay|.*factor|temperature|.*temp|inv_.*|min_val|"
    r"max_val|value|.*_value|dropout.*|rate|.*prob|.*smoothing|.*_weight|lambda_?|margin|theta|"
    r"base|.*_coef.*|.*limit|delta|rcp.*|std|mean|beta1|beta2|.*_decay|.*loss.*|clip.*|sm_.*|"
    r".*_min|.*_max|lower_bound|other|val|sigma|tau|low|high|from_|to_|scalar|max_norm|grad_.*|"
    r"power|exponent)$", re.I)
_INTEGER_POINTER = re.compile(
    r"(idx|idxs|indices|index|_ids?|ids|seqlens?|seq_?lens?|len|lens|length|lengths|offset|offsets|"
    r"table|tables|slot|slots|mapping|map|cu_|expert|token|sorted|num_|count|counts|loc|locs|"
    r"labels?|targets?|pos|positions?|indptr|start_loc|b_start|req|page|block_?ids|lut|seg|chunk_|"
    r"cum|batch|perm|starts?$|ends?$|order|topk_ids|state_batch|rank|nnz|col_?idx|row_?idx|lock|"
    r"ptrs)", re.I)
_WIDE_POINTER = re.compile(
    r"(lse|delta|scale|rstd|mean|var|max|sum|logits_soft|fp32|_m$|_l$|m_ptr|l_ptr|inv|a_log|loss|"
    r"norm)", re.I)
_MASK_POINTER = re.compile(r"(mask|flag|is_|has_|bool)", re.I)
_PACKED_POINTER = re.compile(r"qweight|qzeros|packed|^zeros|_q$|int4|q_?w")
_SWITCH = re.compile(
    r"^(IS_|USE_|HAS_|ENABLE_|DO_|EVEN_|STORE_|LOAD_|WITH_|OUTPUT_|SAVE_|APPLY_|NEED_|SKIP_|ADD_|"
    r"COMPUTE_|RETURN_|FUSE|CAUSAL|REVERSE|ALLOW_|INPLACE|TRANS)|(causal|reverse|_masked|bias|_is_|"
    r"is_|use_|has_|transpose|varlen)", re.I)

#: Constants by name: the first expression that is found in the name in upper case, and the values
#: of successive guesses.
_CONSTANTS = [(re.compile(pattern), values) for pattern, values in (
    (r"EVICTION", [""]),
    (r"NUM_STAGES|^STAGES$", [2]),
    (r"NUM_WARPS", [4]),
    (r"GROUP_SIZE_M|GROUP_M|^GROUPM$", [8]),
    (r"DTYPE|_TYPE$|^TYPE$", [tl.float16, tl.float32, tl.bfloat16]),
    (r"PRECISION", ["ieee"]),
    (r"(^|_)ACT(IVATION)?(_|$)", [None, "silu", ""]),
    (r"STRIDE", [64, 1]),
    (r"EXPERT", [8]),
    (r"SPLIT|NUM_|^N_|_NUM|^NUM|REPS|STEPS|NGROUP|GROUPS|TOPK|TOP_K|^H$|^HV$|^HQ$|^HKV?$|HEADS|"
     r"N_HEAD|RATIO|^G$|^NV$|^NK$|^NT$|^NC$", [2, 4, 1]),
    (r"^BC$", [16]),
    (r"^BT$|^CHUNK_SIZE$", [64, 32, 64]),
    (r"BLOCK|TILE|^B[A-Z0-9]{1,3}$|HEAD_DIM|^D[A-Z]*$|DIM|SIZE|^K$|^V$|CHUNK|LEN|^N$|^M$",
     [64, 32, 128]),
    (r"BITS", [4]),
    (r"EPS|SCALE|ALPHA|BETA|FACTOR|SOFTCAP|CAP$|LIMIT", [1.0, 0.5, 1e-6]),
    (r"MAX|PAD|IGNORE", [64, 16, 128]),
)]
_OTHER_CONSTANTS = [32, True, 16, 1, 64]
#: Stands for a pointer where heuristics look at the arguments.
_POINTER = object()


def _constant(name, number):
    if _SWITCH.search(name):
        return number % 2 == 0
    values = next((values for pattern, values in _CONSTANTS if pattern.search(name.upper())),
                  _OTHER_CONSTANTS)
    return values[number % len(values)]


def _constexpr(parameter, number):
    """A value for a parameter that is declared a constexpr."""
    if not parameter.has_default or (number % 2 and parameter.default is not None and
                                     not isinstance(parameter.default, (bool, str))):
        return _constant(parameter.name, number)
    if number % 2 and isinstance(parameter.default, bool):
        return number % 4 == 1
    return parameter.default


def _pointer(name, element, index, number):
    kind = element
    if _WIDE_POINTER.search(name) and number < 4:
        kind = "fp32"
    if _INTEGER_POINTER.search(name):
        kind = index
    if _MASK_POINTER.search(name):
        kind = ["i1", "i8", "i32", element][number % 4]
    if _PACKED_POINTER.search(name):
        kind = ["i32", "u8", "i8"][number % 3]
    if re.search("fp8", name, re.I):
        kind = "fp8e4nv"
    return "*" + kind


def _number(parameter, annotation, number):
    """A type for a scalar."""
    if _FLOAT.match(parameter.name) and not (parameter.name.endswith("_max") and number % 2):
        return "fp32"
    if "float" in annotation or (parameter.has_default and isinstance(parameter.default, float)):
        return "fp32"
    return "i64" if "int64" in annotation else "i32"


def _tuned(wrappers, number):
    """What autotuners and heuristics give: constants by name, launch options, and functions of the
    arguments by name."""
    constants, options, heuristics = {}, {}, {}
    for wrapper in wrappers:
        configurations = getattr(wrapper, "configs", None)
        if configurations:
            chosen = configurations[0 if number % 4 != 3 else len(configurations) // 2]
            constants.update(chosen.kwargs)
            options = {"num_warps": chosen.num_warps, "num_stages": chosen.num_stages}
        if isinstance(getattr(wrapper, "values", None), dict):
            heuristics.update(wrapper.values)
    return constants, options, heuristics


def guess(function, wrappers, number):
    """(types by name, constants by name, launch options): the guess of this number, from 0."""
    uses = uses_of(function)
    element = ["fp16", "fp32", "bf16", "fp32", "bf16", "fp16"][number % 6]
    index = ["i32", "i64"][number // 2 % 2]
    constants, options, heuristics = _tuned(wrappers, number)
    types = {}
    for parameter in function.params:
        name, annotation = parameter.name, parameter.annotation or ""
        if name in constants or name in heuristics:
            continue
        if parameter.is_constexpr:
            constants[name] = _constexpr(parameter, number)
        elif name in uses.descriptors - uses.pointers:
            types[name] = f"tensordesc<{element}[64, 64]>"
        elif name in uses.pointers or (looks_like_pointer(name) and name not in uses.bounds):
            types[name] = _pointer(name, element, index, number)
        elif parameter.has_default and parameter.default is None and not _FLOAT.match(name):
            constants[name] = None
        else:
            types[name] = _number(parameter, annotation, number)

    arguments = {name: None for name in uses.names}
    arguments.update(constants)
    arguments.update((name, _POINTER if kind.startswith("*") else 64)
                     for name, kind in types.items())
    for name, value_of in heuristics.items():
        try:
            value = value_of(arguments)
            value = value.item() if hasattr(value, "item") else value
        except Exception:  # pylint: disable=broad-except; the package's own function
            value = _constant(name, number)
        constants[name] = arguments[name] = value
    return types, {name: constants[name] for name in uses.names if name in constants}, options


_FLOAT_POINTERS = ("*fp16", "*fp32", "*bf16")


def _change(types, names, wanted, kind):
    """Gives the first of the names whose type is wanted another type; whether there was one."""
    for name in names:
        if name in types and wanted(name, types[name]):
            types[name] = kind
            return True
    return False


def repaired(function, types, constants, message):
    """Types and constants changed after an error of Triton's that says what is wrong; or None."""
    types, constants = dict(types), dict(constants)
    names = _names_at(function, message)
    uses = uses_of(function)
    tail = message[-400:]
    is_float = lambda _, kind: kind == "fp32"
    is_float_pointer = lambda _, kind: kind in _FLOAT_POINTERS
    is_number = lambda _, kind: not kind.startswith("*")
    if "Unsupported ptr type" in tail:
        found = [source for name in names for source in uses.sources(ast.Name(name))]
        unlikely = re.compile("stride|size|len|num")
        if _change(types, found, is_number, "*fp32") or _change(
                types, [name for name in names if not unlikely.search(name)], is_number, "*fp32"):
            return types, constants
    if "pointer<" in tail:
        if re.search("float|fp32", tail.split("pointer<", 1)[1][6:]):
            at = [name for name in names if types.get(name) in _FLOAT_POINTERS]
            if _change(types, names, is_float, "i32") or _change(
                    types, [name for name in at if not looks_like_pointer(name)] or at[1:],
                    is_float_pointer, "*i32"):
                return types, constants
        no_look = lambda name, kind: kind.startswith("*") and not looks_like_pointer(name)
        unused = lambda name, kind: kind.startswith("*") and name not in uses.pointers
        if _change(types, names, lambda *one: no_look(*one) and unused(*one), "i32") or \
                _change(types, names, no_look, "i32") or _change(types, names, unused, "i32"):
            return types, constants
    if "bitcast data-type of size 16 to data-type of size 8" in tail:
        if _change(types, names, lambda _, kind: kind in ("*fp16", "*bf16"), "*u8"):
            return types, constants
    if re.search(r"unexpected type fp|must all be ints|invalid operands of type.*(float|fp\d)|"
                 r"Loop-carried variable .*(int\d+ but is re-assigned to fp|"
                 r"fp\d+ but is re-assigned to int)", tail):
        if _change(types, names, is_float, "i32") or \
                _change(types, names, is_float_pointer, "*i32"):
            return types, constants
    if "can only accept values of type" in tail:
        if _change(constants, names, lambda _, value: isinstance(value, float), True):
            return types, constants
    if re.search("power of 2|power of two", tail):
        if _change(constants, names, lambda _, value: isinstance(value, (bool, float)) or
                   (isinstance(value, int) and value & (value - 1)), 32):
            return types, constants
    if re.search("same dtype|Both operands|bitcast data-type|must be same|same type", tail):
        if _change(types, names, lambda _, kind: kind in ("*fp32", "*fp16"), "*bf16"):
            return types, constants
    return None


def _names_at(function, message):
    """The names in the statement that a message of Triton's shows, and then those that they were
    computed from."""
    place = re.search(r"at (\d+):\d+:", message)
    if not place:
        return []
    line = int(place.group(1))
    uses = uses_of(function)
    found = None
    for node in ast.walk(uses.tree):
        if isinstance(node, ast.stmt) and not hasattr(node, "body"):
            if node.lineno <= line <= node.end_lineno:
                found = node
        elif isinstance(node, (ast.For, ast.While, ast.If)) and node.lineno == line:
            found = node.iter if isinstance(node, ast.For) else node.test
    if found is None:
        return []
    in_it = lambda node: [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
    names = list(dict.fromkeys(in_it(found)))
    for name in names:  # It grows while it is read.
        if len(names) > 60:
            break
        for value in uses.assigned.get(name, ()):
            names.extend(part for part in dict.fromkeys(in_it(value)) if part not in names)
    return names
