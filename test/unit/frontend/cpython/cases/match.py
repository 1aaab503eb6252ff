# Match statements, which stand beside kernels in the functions that launch them.
def f(family, point, *rest):
    match family:
        case "grouped":
            return 1
        case "per" "_row" | b"x" | None | True | False:
            pass
        case 1 | -2 | 3.5 | -4j | 1 + 2j | -1 - 2.5j | 0x10:
            return 2
        case Color.RED | a.b.c:
            return 3
        case _:
            raise NotImplementedError(f"{family!r}")
    match point, *rest:
        case x, y:
            return x
        case x,:
            return x
        case *_, last:
            return last
        case (1, [2, *tail], ()) if tail and (n := len(tail)) > 1:
            return n
        case [] | () | (one,) | [one]:
            return one
        case (x):
            return x
    match (point):
        case {}: pass
        case {"x": 1, -1: y, Key.K: [z], **others,}: pass
        case {**all}: pass
        case {None: None, "a" "b": (1 | 2) as both}: pass
        case Point(): pass
        case Point(1, x, y=2, z=[3, _],): pass
        case module.Point(x=Point(y=str() as name)): pass
        case (Point(x) | Line(x)) as shape: pass
        case int() | float() as number if number > 0: pass
    match x := point:
        case _ if x:
            match x:
                case _:
                    pass


# Names, as ever.
match = case = 1
match.x, case.y = 1, 2
match[case] = match(case)
match: int = 3
match(case)
match * case
match[1:2]
match -case
print(match if case else match, case)
try:
    pass
except* ValueError as group:
    pass
except* (TypeError, OSError):
    pass
else:
    pass


async def g():
    return [x async for x in y if x for z in x]
