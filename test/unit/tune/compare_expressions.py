"""Compares the values of host-side expressions with those that CPython gives them.

    compare_expressions.py HOST_EXPRESSIONS

Random expressions of integers, floats, comparisons, lists, dicts and comprehensions, and some
written by hand. Where CPython raises an exception or has a number of more than 64 bits, ours must
be an error; all other values must be the same, by their repr().
"""
import random
import subprocess
import sys

HAND = ["cdiv(n, BLOCK)", "cdiv(n, BLOCK), 4", "next_power_of_2(n)", "[x * y for x in range(3) for y in (1, 2) if x != y]",
        "{'BLOCK': 2 ** 7, **{'GROUP': 8}}['GROUP']", "[*range(2), *[5, 6]]", "min(n, BLOCK), max([1, 2, 3])",
        "n if n > BLOCK else BLOCK", "0 < n <= 1000 and 'yes' or 'no'", "not n", "-7 // 2, -7 % 2, 7 // -2, 7 % -2",
        "2 ** -1", "1 << 62", "1 << 63", "(-1) ** 1000001", "n / 3", "1e400 == n", "[a + b for a, b in [(1, 2), (3, 4)]]",
        "[i for i in range(10, 0, -3)]", "len([1, 2])", "int(7.9), int(-7.9)", "'a' + 'b'", "128 in [64, 128]",
        "[]", "{}", "None", "True + 1", "1 / 0", "[1][3]", "missing", "'a' * 3 if False else 1", "(1).bit_length()",
        "(lambda x, y=2: x * y)(n)", "sorted([3, 1, 2], key=lambda i: -i)", "[i for i, c in enumerate('abc') if c > 'a']",
        "dict(zip(('a', 'b'), (1, 2)))", "{i: i * i for i in range(4)}", "tuple(filter(lambda i: i % 2, range(9)))",
        "'x'.upper() + f'{n}'", "(1, (2, [3]), ())", "sum(map(int, (1.5, 2.5)))", "{'a': None}.get('b', BLOCK)"]


def expression(rng, depth):
    """A random expression."""
    kind = rng.randrange(11) if depth else rng.randrange(2)
    sub = lambda: expression(rng, depth - 1)
    if kind == 0:
        return str(rng.choice([0, 1, 2, 3, 5, 7, 16, 100, 2**31, -1, -3, 2**62]))
    if kind == 1:
        return rng.choice(["n", "BLOCK", "0.5", "2.0", "True", "False"])
    if kind in (2, 3, 4):
        return f"({sub()} {rng.choice(['+', '-', '*', '//', '%', '/', '&', '|', '^'])} {sub()})"
    if kind == 5:
        return f"({sub()} {rng.choice(['<<', '>>', '**'])} {rng.randrange(-1, 70)})"
    if kind == 6:
        return f"({rng.choice(['-', '+', '~', 'not '])}{sub()})"
    if kind == 7:
        return f"({sub()} {rng.choice(['<', '<=', '==', '!=', '>=', '>'])} {sub()})"
    if kind == 8:
        return f"({sub()} if {sub()} else {sub()})"
    if kind == 9:
        return f"{rng.choice(['min', 'max'])}({sub()}, {sub()})"
    return f"[{sub()}, {sub()}][{rng.choice([0, 1, -1])}]"


def by_cpython(text):
    """The repr() of the value; None where ours has to be an error."""
    names = {"n": 1000, "BLOCK": 128, "cdiv": lambda a, b: -(-a // b),
             "next_power_of_2": lambda n: 1 << max(0, n - 1).bit_length()}
    try:
        value = eval(text, {**names})
    except Exception:
        return None
    return repr(value)


def too_wide(text):
    """Whether a number on the way has more than 64 bits: ours are errors there, CPython's are not."""
    class Wide(Exception):
        pass

    import ast

    def check(value):
        if isinstance(value, int) and not -2**63 <= value < 2**63:
            raise Wide
        return value

    class Checker(ast.NodeTransformer):
        def generic_visit(self, node):
            super().generic_visit(node)
            if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Constant)):
                return ast.copy_location(ast.Call(ast.Name("check_", ast.Load()), [node], []), node)
            return node

    tree = ast.fix_missing_locations(Checker().visit(ast.parse(text, mode="eval")))
    try:
        eval(compile(tree, "<text>", "eval"), {"n": 1000, "BLOCK": 128, "check_": check})
    except Wide:
        return True
    except Exception:
        pass
    return False


def main():
    rng = random.Random(20)
    texts = HAND + [expression(rng, 4) for _ in range(3000)]
    done = subprocess.run([sys.argv[1]], input="\n".join(texts) + "\n", capture_output=True, text=True, check=True)
    ours = done.stdout.splitlines()
    assert len(ours) == len(texts)
    wrong = values = 0
    for text, our in zip(texts, ours):
        theirs = by_cpython(text)
        if our.startswith("error: "):
            fine = theirs is None or too_wide(text)
        else:
            values += 1
            fine = theirs == our
        if not fine:
            wrong += 1
            print(f"{text}\n  CPython: {theirs}\n  ours:    {our}")
    print(f"{len(texts)} expressions, {values} with a value, {wrong} wrong")
    sys.exit(wrong > 0 or values < 1000)


main()
