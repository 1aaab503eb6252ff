"""Makes a failing program smaller while it fails in the same way (delta debugging on its tree)."""

import copy
import dataclasses

import numpy as np

from .program import Branch, Compute, Program, ProgramId, walk
from .memory import Load, Store


def uses(statement):
    """The names that a statement reads, its bodies included."""
    names = set(statement.operands)
    for body in statement.bodies:
        for inner in body:
            names |= uses(inner)
    for each in getattr(statement, "carried", ()):
        names |= set(each.ends) | {each.first}
    return names


def without_dead(statements, wanted=frozenset()):
    """The statements that something stores, or that give one of the names in `wanted`."""
    wanted, kept = set(wanted), []
    for statement in reversed(statements):
        if statement.results and not wanted & {result.name for result in statement.results}:
            continue
        for which, body in enumerate(statement.bodies):
            ends = {each.ends[which] for each in statement.carried}
            body[:] = without_dead(body, ends)
        wanted |= uses(statement)
        kept.insert(0, statement)
    return [s for s in kept if not isinstance(s, ProgramId)]


def cleaned(program):
    """A copy without what nothing uses."""
    statements = without_dead(copy.deepcopy(program.statements))
    return dataclasses.replace(program, statements=[ProgramId(), *statements])


def one(result):
    type = result.type
    number = f"(n + 0).to(tl.{type.name if type.kind != 'f' else 'float32'})"
    if result.shape:
        number = f"tl.full({list(result.shape)}, 1, tl.{type.name if type.kind != 'f' else 'float32'})"
    return Compute((result,), (), number + (f".to(tl.{type.name})" if type.kind == "f" else ""),
                   lambda: np.ones(result.shape))


def loaded(statement, runs):
    """Loads of what the statement's results were, in its place."""
    return [Load(results=(result,), parameter="x" + result.name,
                 array=np.stack([run.values[result.name] for run in runs]))
            for result in statement.results]


def bodies_of(program):
    """All lists of statements, outermost first."""
    found = [program.statements]
    for statement in walk(program.statements):
        found += statement.bodies
    return found


def smaller(program, clean):
    """Programs with a little less, the most daring first. Each is a copy of its own that `clean` has
    gone over."""
    def changed(change):
        result = copy.deepcopy(program)
        change(result)
        return clean(result)

    _, runs = program.expected()
    top, lists = range(len(program.statements)), bodies_of(program)
    used = set().union(*(uses(statement) for statement in program.statements))
    for where, statements in enumerate(lists):
        for i in reversed(range(len(statements))):
            results = {result.name for result in statements[i].results}
            if not results & (used | {"pid"}):
                yield changed(lambda p: bodies_of(p)[where].pop(i))
    for i in reversed(top):
        statement = program.statements[i]
        if statement.results and not isinstance(statement, (Load, ProgramId)):
            yield changed(lambda p: p.statements.__setitem__(slice(i, i + 1), loaded(statement, runs)))
    for where, statements in enumerate(lists):
        for i, statement in enumerate(statements):
            if isinstance(statement, Branch):
                for which in (0, 1):
                    yield changed(lambda p: take_body(bodies_of(p)[where], i, which))
            for name, value in statement.plain.items():
                if getattr(statement, name) != value:
                    yield changed(lambda p: setattr(bodies_of(p)[where][i], name, value))
            if where and len(statement.results) == 1:
                yield changed(lambda p: bodies_of(p)[where].__setitem__(i, one(statement.results[0])))
    if program.ctas > 1:
        yield changed(lambda p: setattr(p, "ctas", 1))
    if program.warps > 1:
        yield changed(lambda p: setattr(p, "warps", p.warps // 2))
    if program.stages != 3:
        yield changed(lambda p: setattr(p, "stages", 3))
    if program.aligned and not any(getattr(s, "means", "") == "descriptor" for s in walk(program.statements)):
        yield changed(lambda p: setattr(p, "aligned", False))


def take_body(statements, i, which):
    """One body of a branch instead of the branch."""
    branch = statements[i]
    ends = [Compute((each.result,), (each.ends[which],), "{0}", lambda a: a) for each in branch.carried]
    statements[i:i + 1] = branch.bodies[which] + ends


def with_all_stored(program):
    """The program with stores of everything that it computes outside of bodies."""
    program = copy.deepcopy(program)
    program.statements += [Store(value=result, parameter="all_" + result.name, grid=program.grid)
                           for statement in program.statements for result in statement.results]
    return program


def reduced(program, fails):
    """The smallest found for which `fails` holds."""
    # The fault may be in what nothing stores, or in how what nothing uses is compiled.
    for start, clean in ((program, cleaned), (with_all_stored(program), cleaned),
                         (program, lambda p: p)):
        start = clean(start)
        if fails(start):
            break
    else:
        return program
    program, progress = start, True
    while progress:
        progress = False
        for candidate in smaller(program, clean):
            if fails(candidate):
                program, progress = candidate, True
                break
    return program
