"""triton.compiler.IRSource: a file of IR to compile."""

import pathlib
import re

_KERNEL = re.compile(r"tt\.func public @([\w$.-]+)\s*\((.*?)\)\s*(?:attributes|->|\{)", re.DOTALL)
_PARAMETER = re.compile(r"%[\w$.-]+\s*:\s*(!tt\.ptr<[^>]*>|!tt\.tensordesc<[^>]*>+|\w+)\s*"
                        r"(\{[^{}]*\})?")


def _type_in_signature(type_, attributes):
    """A parameter's type as signatures of IR have it: "*f32", "i32", "nvTmaDesc"."""
    if "tt.nv_tma_desc = 1" in attributes or "tt.nv_tma_desc = 0" in attributes:
        return "nvTmaDesc"
    pointee = re.fullmatch(r"!tt\.ptr<\s*([^,>]+)\s*(?:,[^>]*)?>", type_)
    return f"*{pointee[1]}" if pointee else type_.removeprefix("!tt.")


class IRSource:
    """The text of a .ttir or .ttgir file: `name` of its kernel, with @, and `signature`, the types of
    its parameters by number."""

    def __init__(self, path, context=None, backend=None):
        del context, backend
        self.path = str(path)
        self.ext = pathlib.Path(path).suffix[1:]
        if self.ext not in ("ttir", "ttgir"):
            raise ValueError(f"{path}: a file of IR to compile ends in .ttir or .ttgir")
        self.src = pathlib.Path(path).read_text(encoding="utf-8")
        kernel = _KERNEL.search(self.src)
        if kernel is None:
            raise ValueError(f"{path} has no kernel: there is no `tt.func public` in it")
        self.name = f"@{kernel[1]}"
        self.signature = {i: _type_in_signature(*found)
                          for i, found in enumerate(_PARAMETER.findall(kernel[2]))}

    def hash(self):
        import hashlib
        return hashlib.sha256(self.src.encode()).hexdigest()

    def parse_options(self):
        """The options that the text fixes."""
        found = re.search(r'"ttg\.num-warps"\s*=\s*(\d+)', self.src)
        return {"num_warps": int(found[1])} if found else {}
