"""The option ir_override: a file of IR or PTX that is compiled in place of a jitted function, for the
arguments of a call of that function."""

import json
import os
import re

from .. import _native
from .._options import native_options
from ..errors import CompileError
from . import compile as _compile

#: Options of calls that the text of TTGIR says itself.
_OF_TTGIR = ("num_warps", "num_ctas", "num_stages", "target", "debug")

_ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\(([^)]*)\)")


def _fail(path, message, remedy):
    text = f"{path}:1:1: error: {message}\n  {remedy}\n"
    raise CompileError([{"severity": "error", "file": path, "line": 1, "column": 1,
                         "message": message, "remedy": remedy, "source_line": "", "text": text}])


def _outcome_of(request):
    """What the function itself is compiled to."""
    program = request.program
    return _compile.outcome_of(program.file, program.text, "py", program.pieces, request.native_options)


def _passed(arguments):
    """The parameters of a kernel's metadata without the constants."""
    return [one for one in arguments if one["type"] != "constexpr"]


def _types(arguments):
    return [one["type"].split(":")[0] for one in _passed(arguments)]


class OverriddenRequest(_compile.Request):
    """A Request whose options name a file."""

    def run(self):
        return _compile_override(self)


def _compile_override(request):
    """The Compiled of the file. CompileError where it does not take the call's arguments, or is of a
    kind that nothing here compiles; OSError where it cannot be read."""
    path = request.options.ir_override
    suffix = os.path.splitext(path)[1][1:]
    if suffix not in ("ttir", "ttgir", "ptx"):
        _fail(path, f"ir_override: nothing compiles '{suffix}' files in place of a kernel",
              "give a file that ends in .ttir, .ttgir or .ptx")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    plain = request.with_options(ir_override=None)
    if suffix == "ptx":
        return _with_ptx(plain, path, text)
    given = {name: value for name, value in plain.options._asdict().items()
             if suffix == "ttir" or name not in _OF_TTGIR}
    outcome = _compile.outcome_of(path, text, suffix, None, native_options(**given))
    metadata = json.loads(outcome["metadata"])
    found = metadata["arguments"]
    wanted = json.loads(_outcome_of(plain)["metadata"])["arguments"]
    if _types(found) != _types(wanted):
        _fail(path, f"ir_override: '{metadata['name']}' has parameters of the types "
              f"({', '.join(_types(found))}), and the call passes ({', '.join(_types(wanted))})",
              "give its function the parameters of the kernel, without constants")
    # Launches know the arguments by the names that the function has for them.
    passed = iter(_passed(found))
    metadata["arguments"] = [one if one["type"] == "constexpr" else
                             {**next(passed), "name": one["name"]} for one in wanted]
    outcome["metadata"] = json.dumps(metadata)
    return _compile.Compiled(outcome, path, [], request.device, request.src, request.options)


def _with_ptx(request, path, text):
    """The function's own Compiled with other PTX."""
    if not str(request.options.target or "cuda").startswith("cuda"):
        _fail(path, "ir_override: PTX is code for NVIDIA's GPUs", "pass arrays of such a GPU")
    if request.device < 0:
        _fail(path, "ir_override: the simulator does not run PTX",
              "pass arrays of a GPU, or a file of .ttir or .ttgir")
    outcome = _outcome_of(request)
    own = _ENTRY.search(outcome["code"].decode())
    entry = _ENTRY.search(text)
    if entry is None or entry[1] != own[1]:
        _fail(path, f"ir_override: the text has no entry '{own[1]}'",
              "give the entry the name of the kernel")
    count, wanted = (found[2].count(".param") for found in (entry, own))
    if not wanted <= count <= wanted + _native.foreign_parameters:
        _fail(path, f"ir_override: '{own[1]}' has {count} parameters there and {wanted} here",
              "give it the parameters of the kernel")
    threads = re.search(r"\.reqntid\s+(\d+)", text)
    block = request.options.num_warps or _compile.DEFAULTS["num_warps"]
    if threads and int(threads[1]) != 32 * block:
        _fail(path, f"ir_override: '{own[1]}' is for blocks of {threads[1]} threads, and the call "
              f"launches {32 * block}", f"launch it with num_warps={int(threads[1]) // 32}")
    outcome["code"] = text.encode()
    return _compile.Compiled(outcome, path, [], request.device, request.src, request.options)
