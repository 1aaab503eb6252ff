"""The functions that random programs call, as source: by name, each with what it needs.

What they mean in NumPy stands where they are called.
"""

import re

HELPERS = {
    "mixed": '''
@triton.jit
def mixed(x, factor: tl.constexpr):
    return (x * factor + 1) ^ x
''',
    "larger": '''
@triton.jit
def larger(a, b):
    return tl.maximum(a, b)
''',
    "product_beyond_one": '''
@triton.jit
def product_beyond_one(a, b):
    return a + b + a * b
''',
    "larger_with_place": '''
@triton.jit
def larger_with_place(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)
''',
    "line_after_line": '''
@triton.jit
def line_after_line(a, b, c, d):
    return a * c, b * c + d
''',
    "with_defaults": '''
@triton.jit
def with_defaults(x, factor: tl.constexpr = 3, offset=1, negated: tl.constexpr = False):
    y = x * factor + offset
    if negated:
        return -y
    return y
''',
    "of_pair": '''
@triton.jit
def of_pair(pair, factor: tl.constexpr):
    first, second = pair
    return first * factor - second, (second, first)[factor % 2]
''',
    "xor_of_all": '''
@triton.jit
def xor_of_all(first, *rest):
    for i in tl.static_range(len(rest)):
        first = first ^ rest[i]
    return first
''',
    "applied": '''
@triton.jit
def applied(function, x, y):
    return function(function(x, y), y)
''',
    "by_sign": '''
@triton.jit
def by_sign(s):
    if s < 0:
        return -s
    if s > 50:
        return s >> 1
    return s * 2
''',
    "called": '''
@triton.jit(noinline=True)
def called(a, b):
    total = a
    for i in range(b & 3):
        total = total * 3 + i
    if total > b:
        total = total ^ b
    return total
''',
    "of_element": '''
@triton.jit
def of_element(x):
    if x > 20:
        y = x >> 1
    elif x < -20:
        y = -x
    else:
        y = x * 5
    return y
''',
    "steps": '''
@triton.jit
def steps(x, y):
    count = 0
    x = x & 63
    while x > 3:
        x = x - 1 - (x >> 2)
        count += 1
    return count, x + y
''',
    "of_two_elements": '''
@triton.jit
def of_two_elements(a, b):
    return of_element(a), of_element(b)
''',
}


def helpers_of(text):
    """The source of the functions that `text` names, those that they call first."""
    names = set()
    while True:
        found = {name for name in HELPERS if re.search(rf"\b{name}\b", text)}
        if found == names:
            return "".join("\n" + HELPERS[name] for name in HELPERS if name in names)
        names = found
        text += "".join(HELPERS[name] for name in names)
