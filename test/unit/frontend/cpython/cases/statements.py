import os
import os.path as p, sys
import a.b.c
from os import path
from os import path as q, sep
from os import (path, sep as s,)
from . import x
from .. import y
from ... import z
from .... import w
from .a.b import c
from os import *


def f(): pass


def f(a, b: int, c=1, d: int = 2, *args: str, e, g=3, h: int, **kw: dict) -> None:
    """Doc."""
    return


def f(a, /, b, *, c): return a, b


def f(a=1, /, b=2): return (a)


def f(*, a): x = 1; y = 2;


@decorator
@a.b(c)
@(x := y)
def f():
    def g():
        nonlocal a, b
        global x, y
        yield
        yield a
        yield a, b
        yield from c
        z = yield
        z = yield a
        z += yield a
        return *a, b
    return g


@d
class A: pass


class B(A, metaclass=M, *args, **kw):
    x: int
    y: int = 1
    (z): int = 2
    a.b: int
    a[0]: int = 3

    def f(self): return self


class C(): pass


if a: pass
if a:
    pass
elif b:
    pass
elif c: x = 1
else:
    pass
if a:
    if b:
        pass
else:
    pass
if (n := f()): pass
for x in y: pass
for x, y in z:
    break
else:
    continue
for x, in y: pass
for (x, y), *z in a: pass
for x in a, b: pass
for x in *a, b: pass
for a[0], b.c in d: pass
while a: pass
while a and b:
    x -= 1
else: pass
try:
    pass
except: pass
try:
    pass
except A:
    pass
except (A, B) as e:
    pass
else:
    pass
finally:
    pass
try: pass
finally: pass
with a: pass
with a as b, c as d: pass
with (a as b, c): pass
with (a, b): pass
with (a, b) as c: pass
with (a): pass
with (a) as b: pass
with (a as b,): pass
with (yield_): pass
with a as (b, c): pass
with a() as b[0], c.d as e.f: pass
with (a), b: pass
with (a).b as c: pass
raise
raise a
raise a from b
assert a
assert a, b
del a
del a, b
del (a, b)
del (a), b
del a.b, c[0],
del (a)
del [a, b], c
a = b
a = b = c
a, b = c
(a, b) = c
[a, b] = c
a, *b = c
a.b = c[d] = e
a = *b, c
a = b, = c
x = (yield_)
a: int
a: int = 1
a: tuple = 1, 2
(a): int = 1
a += 1
a -= 1
a *= 1
a @= 1
a /= 1
a %= 1
a **= 1
a <<= 1
a >>= 1
a |= 1
a ^= 1
a &= 1
a //= 1
a[0] += b, c
a; b; c
pass; pass
if a: b; c;
if a:
	tab
	if b:
		tab
if a:
    x = (1,
2,
  3)
    y = 2  # comment
  # an odd comment

    z = 3
def f(
    a,
    # comment
    b=1,
):

    # comment first

    """not at once"""
    if a: return b
    # trailing comment
x = [
    1, 2,
]
class D:
    def a(self):
        pass

    @property
    def b(self):
        pass
