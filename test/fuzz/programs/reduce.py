"""Makes a failing program smaller while it fails in the same way (delta debugging on its tree)."""

import copy

import numpy as np

from .program import Branch, Compute, Load, Loop, Program, ProgramId, Store, walk


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
    statements = without_dead(program.statements)
    return Program([ProgramId(), *statements], program.grid, program.target, program.warps,
                   program.aligned, program.ctas, program.helpers)


def one(result):
    return Compute((result,), (), f"tl.full({list(result.shape)}, 1, tl.{result.type.name})" if result.shape
                   else "n + 0", lambda: np.ones(result.shape))


def loaded(statement, runs):
    """Loads of what the statement's results were, in its place."""
    return [Load((result,), "x" + result.name,
                 np.stack([run.values[result.name] for run in runs])) for result in statement.results]


def bodies_of(program):
    """All lists of statements, outermost first."""
    found = [program.statements]
    for statement in walk(program.statements):
        found += statement.bodies
    return found


def smaller(program):
    """Programs with a little less, the most daring first. Each is a copy of its own."""
    def changed(change):
        result = copy.deepcopy(program)
        change(result)
        return cleaned(result)

    _, runs = program.expected()
    top = range(len(program.statements))
    for i in reversed(top):
        if isinstance(program.statements[i], Store) or not program.statements[i].results:
            yield changed(lambda p: p.statements.pop(i))
    for i in reversed(top):
        statement = program.statements[i]
        if statement.results and not isinstance(statement, (Load, ProgramId)) and \
                all(result.shape and result.type.name != "int1" for result in statement.results):
            yield changed(lambda p: p.statements.__setitem__(slice(i, i + 1), loaded(statement, runs)))
    lists = bodies_of(program)
    for where, statements in enumerate(lists):
        for i, statement in enumerate(statements):
            if isinstance(statement, Branch):
                for which in (0, 1):
                    yield changed(lambda p: take_body(bodies_of(p)[where], i, which))
            elif isinstance(statement, Loop) and statement.count > 1:
                yield changed(lambda p: setattr(bodies_of(p)[where][i], "count", 1))
            if isinstance(statement, Loop) and statement.is_while:
                yield changed(lambda p: setattr(bodies_of(p)[where][i], "is_while", False))
            if where and len(statement.results) == 1:
                yield changed(lambda p: bodies_of(p)[where].__setitem__(i, one(statement.results[0])))
            if isinstance(statement, (Load, Store)) and statement.limit is not None:
                yield changed(lambda p: setattr(bodies_of(p)[where][i], "limit", None))
            if isinstance(statement, (Load, Store)) and statement.described:
                yield changed(lambda p: setattr(bodies_of(p)[where][i], "described", False))
    if program.ctas > 1:
        yield changed(lambda p: setattr(p, "ctas", 1))
    if program.warps > 1:
        yield changed(lambda p: setattr(p, "warps", p.warps // 2))
    if program.aligned and not any(getattr(s, "described", False) for s in walk(program.statements)):
        yield changed(lambda p: setattr(p, "aligned", False))


def take_body(statements, i, which):
    """One body of a branch instead of the branch."""
    branch = statements[i]
    ends = [Compute((each.result,), (each.ends[which],), "{0}", lambda a: a) for each in branch.carried]
    statements[i:i + 1] = branch.bodies[which] + ends


def with_all_stored(program):
    """The program with stores of everything that it computes outside of bodies."""
    program = copy.deepcopy(program)
    program.statements += [Store((result.name,), result, "all_" + result.name, program.grid)
                           for statement in program.statements for result in statement.results
                           if result.shape and result.type.name != "int1"]
    return program


def reduced(program, fails):
    """The smallest found for which `fails` holds."""
    # The fault may be in what nothing stores.
    starts = [cleaned(program), cleaned(with_all_stored(program))]
    program = next((start for start in starts if fails(start)), None) or program
    progress = program in starts
    while progress:
        progress = False
        for candidate in smaller(program):
            if fails(candidate):
                program, progress = candidate, True
                break
    return program
