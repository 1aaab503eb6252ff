"""Compares the syntax trees of frontend-ast-dump with those of CPython's ast module.

    compare_ast.py TOOL FILE.py ...

The trees must agree in every node and, outside f-strings, in every position. The output
format of ast.dump is that of CPython 3.11 and 3.12; with another version the test is skipped.
"""
import ast
import subprocess
import sys
import warnings


def without_positions_in_fstrings(tree):
    """CPython 3.11 parses the fields of f-strings apart; their positions mean nothing."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            for inner in ast.walk(node):
                if inner is not node:
                    for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
                        vars(inner).pop(name, None)
    return tree


def first_difference(ours, theirs):
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    start = max(at - 80, 0)
    return f"  ours:    ...{ours[start:at + 80]}\n  CPython: ...{theirs[start:at + 80]}"


def main():
    if not (3, 11) <= sys.version_info[:2] < (3, 13):
        print("skipped: the format of ast.dump is that of another version of Python")
        return 77
    tool, files = sys.argv[1], sys.argv[2:]
    failures = 0
    warnings.simplefilter("ignore", SyntaxWarning)
    warnings.simplefilter("ignore", DeprecationWarning)
    for path in files:
        with open(path, "rb") as file:
            tree = without_positions_in_fstrings(ast.parse(file.read()))
        for options, theirs in ((["--positions"], ast.dump(tree, include_attributes=True)),
                                ([], ast.dump(tree))):
            run = subprocess.run([tool, *options, path], capture_output=True)
            ours = run.stdout.decode("utf-8", "surrogatepass").rstrip("\n")
            if run.returncode != 0 or ours != theirs:
                failures += 1
                print(f"{path} {' '.join(options)}: differs")
                print(run.stderr.decode() if run.returncode else first_difference(ours, theirs))
    print(f"{len(files)} files, {failures} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
