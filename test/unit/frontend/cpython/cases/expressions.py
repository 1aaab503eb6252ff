# Every expression of the grammar, and the places where its parts can go wrong.
a = b = c = d = e = x = y = z = f = g = None
1 + 2 * 3 - 4 / 5 // 6 % 7 @ 8
a + b - c + d
a << b >> c << d
a | b ^ c & d
-a ** -b ** c
(-a) ** b
~a + +b - -c
not a
not not a and b or c and not d
a < b <= c > d >= e == x != y
a is b is not c in d not in e
a if b else c if d else e
(a if b else c) + (d)
lambda: 0
lambda x, /, y=1, *args, z, w=2, **kwargs: x
lambda *, a: a
lambda *a, b=3: (yield)
f()
f(a)(b)[c].d.e(x=1, *y, **z)
f(a, *b, c, k=d, **e,)
f(x for x in a)
f(a, (x for x in b if c if d for y in z))
f(a := 1, b)
f(*a, *b, x=1, **c, y=2, **d)
(y := 5)
[y := 1, 2]
{y := 1}
a[b]
a[b, c]
a[b,]
a[:]
a[::]
a[b:]
a[:c]
a[b:c]
a[b:c:d]
a[::d]
a[:, None]
a[None, :]
a[..., b:c, ::2]
a[*b]
a[*b, c]
a[(b, c)]
a[x := 1]
()
(a,)
(a, b)
(a, b,)
a, b
a,
*a, b
(*a, b)
[]
[a]
[a, *b, c,]
{}
{a}
{a, *b}
{a: b}
{a: b, **c, d: e,}
{**a}
[x for x in a]
[x for x, in a]
[x for x, *y in a if x if y for z in b]
[lambda: x for x in a]
{x for x in a}
{x: y for x, y in a}
{**a, 'b': 1}
(x for x in a)
((a))
((a) + (b))
(
    a +
    b  # a comment between
    + c
)
a \
    + b
f(
    a,
    b
)
a.b.c
a . b
1 .real
1..real
1.0.real
a[b][c](d)
(lambda: a)()
-1
- 1 ** 2
2 ** -1
a@b
not(a)
a if(b)else(c)
[1if a else 2]
"a" "b"
"a" 'b' """c
d"""
x = yield_ = 1
print(a, b, sep="")
match = 1
match[a]
match(a)
match.b
match + 1
case = type = _ = 3
f"{a}"
