# Numbers.
0
00
0_0
1
1_000_000
0xff
0XFF_ff
0x_ff
0o17
0O1_7
0b101
0B_1
18446744073709551615
18446744073709551616
123456789012345678901234567890
0xffffffffffffffffffffffffffffffff
0b11111111111111111111111111111111111111111111111111111111111111111111111
0o7777777777777777777777777777
1.0
1.
.5
0.5
1e5
1E5
1e+5
1e-5
1.5e300
1e400
1e-400
1_0.0_1e1_0
09.5
0e0
00.5
1j
1.5J
0j
1e3j
10_0j
0.1
0.1e-4
1e15
1e16
123456789.123456789
1e22
5e-324
1.7976931348623157e308
0.0001
0.00001
3.4028234663852886e38
-0.0
# Strings.
''
""
'a'
"it's"
'say "x"'
'both \' and "'
'\n\t\r\\\a\b\f\v\0\x41\101\7\60\u00e9\U0001F600'
'\q\8\ '
'a\
b'
r'\n\''
R"\d+"
u'unicode'
U"x" 'y'
'y' u"x"
b'bytes'
b'\x00\xff\n\'"'
B"a" b'b'
rb'\n'
Rb"\n"
bR"\n"
br'''a
b'''
b'\u1234\N'
'''triple 'with' "quotes"'''
"""
a
    b\
c
"""
'\ud800'
'é ü 中文 😀'
'\x80\xa0\xad\u200b\u2028\ufeff'
'tab	here'
"\777"
# f-strings.
f''
f'a'
f'{x}'
f'a{x}b'
f'{x}{y}'
f'{x!r}'
f'{x!s:>10}'
f'{x:.3f}'
f'{x:{w}.{p}f}'
f'{{}}'
f'{{{x}}}'
f'{x=}'
f'{x = }'
f'{x=!s}'
f'{x=:>5}'
f'{a["b"]}'
f"{a['b']}"
f'{a == b} {a != b} {a <= b} {a >= b}'
f'{f(a, b=1)}'
f'{[i for i in x]}'
f'{ {1: 2}[1] }'
f'{(lambda x: x)(1)}'
f'{x, y}'
f'{a:b}' 'c{d}'
'a' f'b{c}' "d"
u'a' f'b'
rf'\n{x}\d'
fr"\{x}"
F'''a
{x}
b{
y
}'''
f'\n{x}\t'
f'\x41{x}'
f'{x:\n}'
f'{yield_}'
f'{x!a}'
f'{"a" "b"}'
f'{x:%Y-%m-%d}'
f'{3.14:10.10}'
f'{x:{"{"}>10}'
None, True, False, ...
