"""The rooms of the package: what imports what, inside functions as well."""

import ast
import pathlib

import tilewright

ROOT = pathlib.Path(tilewright.__file__).resolve().parent

#: Each imports only those before it. The modules beside the rooms (errors, language, ..) belong to
#: the first that needs them, and tilewright.triton is Triton's interface to all.
ORDER = ("program", "kernel", "tune", "triton")


def modules():
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path
            for path in sorted(ROOT.rglob("*.py")) if "_for_children" not in path.parts}


def imports_of(name, known):
    """The modules of the package that one imports."""
    package = name.split(".")[:-1]
    for node in ast.walk(ast.parse(known[name].read_text())):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = package[:len(package) - node.level + 1] + (node.module or "").split(".")
        base = [part for part in base if part]
        for alias in node.names:
            for found in (".".join(part) for part in
                          ([*base, alias.name], base, [*base, "__init__"])):
                if found in known and found != name:
                    yield found
                    break


def room_of(name):
    head = name.split(".")[0]
    return ORDER.index(head) if head in ORDER and "." in name else None


def test_rooms_import_rooms_before_them():
    known = modules()
    rooms = set()
    for name in known:
        rooms.add(room_of(name))
        for other in imports_of(name, known):
            # triton's benchmark by CUDA graphs is one that tuning can be told to use.
            if (name, other) == ("tune.autotuner", "triton._testing"):
                continue
            if room_of(name) is not None and room_of(other) is not None:
                assert room_of(other) <= room_of(name), f"{name} imports {other}"
    assert rooms == {None, 0, 1, 2, 3}


def test_there_is_no_circle_of_imports():
    known = modules()
    # The interface that imports all, and Triton's names, which know each other.
    names = [name for name in known if name != "__init__" and not name.startswith("triton.")]
    edges = {name: {other for other in imports_of(name, known) if other in names}
             for name in names}
    assert edges["kernel.jit"] >= {"kernel.compile", "kernel.arguments", "program.source"}
    while edges:
        leaves = [name for name, others in edges.items() if not others]
        assert leaves, f"a circle is among {', '.join(edges)}"
        for name in leaves:
            del edges[name]
        for others in edges.values():
            others.difference_update(leaves)
