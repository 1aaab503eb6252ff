//===- LanguageTest.cpp - Functions, constants, types, descriptors ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestSupport.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

constexpr llvm::StringLiteral head = "import triton\nimport triton.language as tl\nimport math\n";

/// A file, the signature of its kernel `k`, and lines that the module must have, or must not
/// where they begin with `!`. What the compiler computes is checked by static_assert.
struct Program {
  const char *source;
  const char *signature;
  std::vector<const char *> has;
};

class Programs : public testing::TestWithParam<Program> {};

TEST_P(Programs, Compile) {
  test::Compiled compiled =
      test::compile((head + GetParam().source).str(), GetParam().signature, "k", false, true);
  ASSERT_TRUE(compiled.errors.empty()) << GetParam().source << "\n" << compiled.rendered();
  ASSERT_TRUE(compiled.verified) << GetParam().source << "\n" << compiled.text;
  for (const char *part : GetParam().has) {
    bool absent = part[0] == '!';
    EXPECT_EQ(compiled.has(part + absent), !absent) << part << " for:\n"
                                                    << GetParam().source << "\n"
                                                    << compiled.text;
  }
}

INSTANTIATE_TEST_SUITE_P(ConstexprFunctions, Programs,
                         testing::Values(Program{R"(
TABLE = [3, 1, 2]
SCALE = 4

def helper(x):
    return x * SCALE

@triton.constexpr_function
def steps(n):
    count = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count

@triton.constexpr_function
def first_above(limit, start=0):
    for i in range(start, 100):
        if i == 7:
            continue
        if helper(i) > limit:
            return i
    return None

@tl.constexpr_function
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

@triton.constexpr_function
def joined(parts):
    text = ''
    for i, part in enumerate(parts):
        if i == 3:
            break
        text = text + part
    return text.upper()

@triton.constexpr_function
def last():
    pairs = [(a, b) for a in TABLE for b in range(a) if a != b]
    return sorted(TABLE)[-1], pairs[-1], len(pairs)

C: tl.constexpr = steps(27)

@triton.jit
def k(p, B: tl.constexpr):
    tl.static_assert(C == 111)
    tl.static_assert(first_above(30) == 8 and first_above(limit=20, start=3) == 6)
    tl.static_assert(first_above(1000) is None)
    tl.static_assert(fibonacci(10) == 55)
    tl.static_assert(joined(('a', 'b', 'c', 'd')) == 'ABC')
    tl.static_assert(last() == (3, (2, 1), 6))
    tl.store(p + tl.arange(0, first_above(30)), 1)
)",
                                                 "*i32, 4",
                                                 {"tensor<8xi32>", "!tt.call"}},
                                         // A decorator that is looked for and called.
                                         Program{R"(
from triton.language import core

constexpr_function = getattr(triton.runtime.jit, 'constexpr_function', None)

def halves(n):
    return n // 2

if constexpr_function is None:
    integer_of = None
    half = None
else:
    integer_of = constexpr_function(core.get_int_dtype)
    half = constexpr_function(halves)

@triton.jit
def k(p, x):
    tl.static_assert(tl.core.get_int_dtype(1, False) == tl.int1)
    tl.static_assert(integer_of(bitwidth=8, signed=False) == tl.uint8)
    same = x.to(integer_of(x.dtype.primitive_bitwidth, signed=True), bitcast=True)
    tl.store(p + tl.arange(0, half(32)), same)
)",
                                                 "*i64, fp64",
                                                 {"tt.bitcast", "tensor<16xi64>"}},
                                         // A function that is a constant.
                                         Program{R"(
def plain(x):
    return x.value if isinstance(x, tl.constexpr) else x

@tl.constexpr
def unsigned(bits: tl.constexpr) -> tl.dtype:
    return tl.core.get_int_dtype(plain(bits), False)

@triton.jit
def k(p, x, MESSAGE: tl.constexpr):
    tl.device_assert(x > 0, MESSAGE)
    tl.store(p, x.to(unsigned(x.dtype.primitive_bitwidth), bitcast=True))
)",
                                                 "*u16, fp16, 32",
                                                 {"tt.bitcast"}},
                                         Program{R"(
@triton.constexpr_function
def wide(dtype):
    return dtype.primitive_bitwidth >= 32

@triton.constexpr_function
def pick(x):
    return tl.float32 if wide(x.dtype.element_ty) else tl.float16

@triton.jit
def k(p):
    tl.store(p, tl.zeros([1], pick(p)).sum(0))
)",
                                                 "*fp32",
                                                 {"tensor<1xf32>"}}));

INSTANTIATE_TEST_SUITE_P(
    Functions, Programs,
    testing::Values(
        // Functions as arguments, tuples in and out, unpacking, defaults from the module.
        Program{R"(
STEP = 5

@triton.jit
def twice(x, by=STEP):
    return x + by

@triton.jit
def apply(f: tl.constexpr, x, *, extra=0):
    return f(x) + extra

@triton.jit
def swap(pair):
    a, b = pair
    return b, (a, b)

@triton.jit
def k(p, n, f):
    v = apply(twice, n, extra=2)
    e = apply(tl.exp, f)
    x, (y, z) = swap((n, f))
    args = (n, 7)
    w = twice(*args)
    u = twice(*[n], **{}) if False else twice(n)
    tl.store(p, v + w + y + z.to(tl.int32) + x.to(tl.int32) + e.to(tl.int32))
)",
                "*i32, i32, fp32",
                {"tt.call @twice__i32_c5(%arg0)", "math.exp", "tt.call @twice__i32_i32(%arg1",
                 "tt.call @apply__cexp_fp32_c0(",

                 "-> (f32, i32, f32)"}},
        // Early returns from within nested branches, with values.
        Program{R"(
@triton.jit
def find(x, y):
    if x > 0:
        if y > 0:
            return x, 1.0
        elif y < -5:
            return y, 2.0
        x = x + y
    else:
        if x == y:
            return 0, 3.0
    return x * y, 4.0

@triton.jit
def k(p, n, m):
    if n == 3:
        if m == 4:
            return
        tl.store(p, 1)
    a, b = find(n, m)
    tl.store(p + 1, a + b.to(tl.int32))
)",
                "*i32, i32, i32",
                {"-> (i32, f32)", "scf.if"}},
        // A function that ends without a `return` on one way gives a value without meaning there.
        Program{R"(
@triton.jit
def some(n, m):
    if n == 3:
        if m > 4:
            return m, 2.5

@triton.jit
def k(p, n, m):
    a, b = some(n, m)
    tl.store(p, a)
)",
                "*i32, i32, i32",
                {"ub.poison : i32", "ub.poison : f32", "-> (i32, f32)"}},
        // What a function gives is no constant: the sum below is an fp32.
        Program{R"(
@triton.jit
def half():
    return 0.5

@triton.jit
def k(p):
    tl.store(p, tl.load(p) + half())
)",
                "*fp16",
                {"arith.extf", "arith.addf %", ": f32"}}));

INSTANTIATE_TEST_SUITE_P(
    Loops, Programs,
    testing::Values(Program{R"(
@triton.jit
def k(p, n):
    for i in tl.range(0, n, num_stages=2, loop_unroll_factor=4, disallow_acc_multi_buffer=True,
                      flatten=True, warp_specialize=True, disable_licm=True):
        tl.store(p + i, i)
)",
                            "*i32, i32",
                            {"llvm.loop_annotation = #loop_annotation",
                             "tt.disallow_acc_multi_buffer", "tt.flatten",
                             "tt.loop_unroll_factor = 4 : i32", "tt.num_stages = 2 : i32",
                             "tt.warp_specialize",
                             "#llvm.loop_licm<disable = true, versioningDisable = true>"}},
                    Program{R"(
@triton.jit
def k(p, n):
    i = 0
    while tl.condition(i < n, disable_licm=True):
        if i % 2 == 0:
            tl.store(p + i, 0)
            i += 1
        elif i > 5:
            i += 3
        else:
            i += 2
)",
                            "*i32, i32",
                            {"scf.while", "scf.if", "llvm.loop_annotation"}},
                    Program{R"(
@triton.jit
def k(p, n):
    total = 0
    for i in tl.static_range(2, 8, 3):
        for j in range(n):
            total += i * j
    else:
        total += 100
    tl.store(p, total)
)",
                            "*i32, i32",
                            {"scf.for", "arith.muli", "arith.constant 100"}}));

INSTANTIATE_TEST_SUITE_P(
    Constants, Programs,
    testing::Values(Program{R"(
@triton.jit
def k(p, x, B: tl.constexpr, MODE: tl.constexpr):
    tl.static_assert((1, 2, 3, 4)[::-1] == (4, 3, 2, 1) and (1, 2, 3, 4)[1:4:2] == (2, 4))
    tl.static_assert((1, 2, 3)[-2:] == (2, 3) and (1, 2)[5:] == () and (1, 2, 3)[-1:0:-1] == (3, 2))
    tl.static_assert(MODE[0] == 'i' and MODE[-2:] == 'ee' and MODE + '3' == 'ieee3')
    tl.static_assert(MODE.startswith('ie') and not MODE.endswith('x') and MODE.upper() == 'IEEE')
    tl.static_assert(sum((1, 2, 3)) == 6 and any((0, 1)) and not all((0, 1)) and abs(-3) == 3)
    tl.static_assert(tuple(range(3)) == (0, 1, 2) and list(range(4, 0, -2)) == [4, 2])
    tl.static_assert([i * i for i in (1, 2, 3)] == (1, 4, 9))
    tl.static_assert([a + b for a, b in zip((1, 2), (10, 20))] == (11, 22))
    tl.static_assert(reversed((1, 2)) == (2, 1) and str(3) == '3' and len('abc') == 3)
    tl.static_assert(math.ceil(math.log2(B)) == 7 and math.floor(-0.5) == -1 and math.gcd(12, 8) == 4)
    tl.static_assert(math.pi > 3.14 and math.isinf(math.inf) and math.sqrt(16) == 4.0)
    tl.static_assert(f'{B} {p.dtype.element_ty} {MODE!r}' == "128 fp32 'ieee'")
    tl.static_assert(tl.tuple([1, 2]) + (3,) == (1, 2, 3) and 2 * (1,) == (1, 1))
    tl.static_assert(None is None and B is not None and not (B > 200 and x))
    tl.static_assert(B.value == 128)
)",
                            "*fp32, i32, 128, 'ieee'",
                            {"tt.return"}},
                    Program{R"(
@triton.jit
def k(p, x):
    o = tl.arange(0, 8)
    d = tl.make_tensor_descriptor(p, [x], [1], [8])
    tl.static_assert(isinstance(x, tl.tensor) and not isinstance(3, tl.tensor))
    tl.static_assert(isinstance(3, int) and isinstance(3.0, (int, float)) and isinstance('', str))
    tl.static_assert(isinstance((1,), tuple) and isinstance(x.dtype, tl.dtype))
    tl.static_assert(isinstance((3).type, tl.constexpr_type) and not isinstance(3, tl.constexpr_type))
    tl.static_assert((3).type == tl.constexpr_type(3) and (3).type != tl.constexpr_type(4))
    tl.static_assert((1, 'a').type == tl.constexpr_type((1, 'a')))
    tl.static_assert(isinstance(d, tl.tensor_descriptor) and not isinstance(d, tl.tensor))
    tl.static_assert(isinstance(p.dtype, tl.pointer_type) and isinstance(o.type, tl.block_type))
    tl.static_assert(hasattr(o, 'shape') and not hasattr(o, 'shepe') and hasattr(tl, 'load'))
    tl.static_assert(getattr(o, 'shape') == (8,) and getattr(o, 'none', 5) == 5)
    tl.static_assert(getattr(tl, 'float16') == tl.float16)
    tl.static_assert(not hasattr(3, 'dtype') and not hasattr(None, 'shape'))
    tl.static_assert(getattr(True, 'element_ty', 5) == 5 and hasattr(3, 'type'))
    tl.static_assert(o.type == tl.block_type(tl.int32, [8]) and o.type.scalar == tl.int32)
    tl.static_assert(o.type.shape == (8,) and o.type.element_ty == tl.int32 and o.type.numel == 8)
    tl.static_assert(o.type.is_block() and not o.dtype.is_block() and not o.type.is_int())
    tl.static_assert(p.dtype == tl.pointer_type(tl.float32) and p.type.element_ty == tl.float32)
    tl.static_assert(tl.int1.is_int_unsigned() and tl.bfloat16.is_standard_floating())
    tl.static_assert(tl.int8.get_int_max_value() == 127 and tl.uint64.get_int_max_value() == 2 ** 63 + (2 ** 63 - 1))
    tl.static_assert(tl.int8.get_int_min_value() == -128 and tl.float8e5.is_fp8e5())
    tl.static_assert(tl.float16.fp_mantissa_width == 10 and tl.float16.name == 'fp16')
    tl.static_assert(tl.int32.name == 'int32' and tl.float64.itemsize == 8)
    tl.static_assert(d.block_shape == [8] and d.dtype == tl.float32 and d.block_type.shape == (8,))
    tl.static_assert(d.shape[0].dtype == tl.int32 and d.strides[0].dtype == tl.int64)
)",
                            "*fp32, i32",
                            {"tt.return"}},
                    // A constant leaves the result of `and` and `or` to the values.
                    Program{R"(
@triton.jit
def k(p, n, B: tl.constexpr):
    x = n and B
    tl.static_assert(x.dtype == tl.int32)
    y = n or B
    tl.static_assert((n or B) == 4)
    z = (n > 0 or 0) and B
    if p is not None and z:
        tl.store(p, x)
)",
                            "*i32, i32, 4",
                            {"scf.if", "!arith.andi", "!arith.ori"}},
                    // A tensor of one element decides as a scalar does.
                    Program{R"(
@triton.jit
def k(p):
    v = tl.load(p + tl.arange(0, 1))
    if v > 3:
        tl.store(p, v.item() + 1)
        (p + tl.arange(0, 4)).store(tl.to_tensor(3), mask=tl.arange(0, 4) < 2)
)",
                            "*i32",
                            {"tt.unsplat", "scf.if"}}));

INSTANTIATE_TEST_SUITE_P(
    Debugging, Programs,
    testing::Values(Program{
        R"(
@triton.jit
def k(p, n):
    o = tl.arange(0, 8)
    assert n > 0, f"n of {p.dtype}"
    tl.device_assert(o < n, "o", mask=o > 2)
    tl.device_print("n:", n)
    print("values", o, 2.5, hex=True)
    tl.device_print("here")
)",
        "*i32, i32",
        {R"(tt.assert %)", R"("n of pointer<int32>" : i1)", R"("o" : tensor<8xi1>)",
         R"(tt.print " n: " {hex = false, isSigned = array<i32: 1>} : %arg1 : i32)",
         R"(tt.print " values: " {hex = true, isSigned = array<i32: 1, 0>})",
         R"(tt.print " here" {hex = false, isSigned = array<i32>})"}}));

/// Without assertions, as by default, they leave nothing.
TEST(Debugging, AssertionsAreLeftOut) {
  test::Compiled compiled = test::compile(
      (head + "@triton.jit\ndef k(n):\n    assert n > 0\n    tl.device_assert(n < 5, 'n')\n").str(),
      "i32");
  ASSERT_TRUE(compiled.errors.empty()) << compiled.rendered();
  EXPECT_FALSE(compiled.has("tt.assert"));
  compiled =
      test::compile((head + "@triton.jit(debug=True)\ndef k(n):\n    assert n > 0\n").str(), "i32");
  EXPECT_TRUE(compiled.has("tt.assert")) << compiled.rendered();
}

TEST(Debugging, StaticPrintGivesNotes) {
  test::Compiled compiled = test::compile(
      (head + "@triton.jit\ndef k(n, B: tl.constexpr):\n    for i in tl.static_range(2):\n        "
              "tl.static_print(f'B={B}', i, n.dtype, n, sep='|')\n")
          .str(),
      "i32, 4");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  ASSERT_EQ(compiled.errors.size(), 2u);
  EXPECT_EQ(compiled.errors[0].severity, Severity::Note);
  EXPECT_EQ(compiled.errors[0].message, "B=4|0|int32|a scalar i32");
  EXPECT_EQ(compiled.errors[1].message, "B=4|1|int32|a scalar i32");
  EXPECT_EQ(compiled.errors[0].where.line, 7);
  EXPECT_EQ(compiled.errors[0].where.column, 9);
}

INSTANTIATE_TEST_SUITE_P(
    Descriptors, Programs,
    testing::Values(
        Program{R"(
@triton.jit
def k(p, q, u, m, n):
    a = tl.make_tensor_descriptor(p, shape=[m, n], strides=[n, 1], block_shape=[8, 16],
                                  padding_option="nan")
    b = tl.make_tensor_descriptor(q, [m, n], [n, 1], [1, 16])
    c = tl.make_tensor_descriptor(u, [n], [1], [32])
    x = a.load([0, n])
    tl.store_tensor_descriptor(a, [m, 0], tl.load_tensor_descriptor(a, [8, 8]) + x)
    rows = tl.arange(0, 8)
    g = b.gather(rows, 3)
    b.scatter(g, rows, n)
    c.atomic_max([n], tl.arange(0, 32))
    c.atomic_add([0], tl.arange(0, 32).to(tl.int8))
)",
                "*fp32, *fp16, *u32, i32, i32",
                {"tt.make_tensor_descriptor %arg0, [%arg3, %arg4], [%", "padding = 2 : i32",
                 "tt.tensordesc<tensor<8x16xf32>>", "tt.tensordesc<tensor<32xui32>>",
                 "tt.descriptor_load %", "-> tensor<8x16xf32>", "tt.descriptor_store %",
                 "tt.descriptor_gather %", "-> tensor<8x16xf16>", "tt.descriptor_scatter %",
                 "tt.descriptor_reduce max, %", "tt.descriptor_reduce add, %"}},
        // Through functions, loops and branches.
        Program{R"(
@triton.jit
def pick(d, at):
    return d.load([at]), d

@triton.jit
def k(p, q, n):
    a = tl.make_tensor_descriptor(p, [n], [1], [16])
    if n > 5:
        a = tl.make_tensor_descriptor(q, [n + 1], [1], [16])
    total = tl.zeros([16], tl.float32)
    for i in range(0, n, 16):
        x, a = pick(a, i)
        total += x
        a = tl.make_tensor_descriptor(p, [n], [1], [16])
    a.store([0], total)
)",
                "*fp32, *fp32, i32",
                {"-> (!tt.tensordesc<tensor<16xf32>>, i32, i64)", "tt.call @pick__"}}));

INSTANTIATE_TEST_SUITE_P(BlockPointers, Programs,
                         testing::Values(Program{R"(
@triton.jit
def next_of(p):
    return tl.advance(p, (0, 16))

@triton.jit
def k(p, q, m, n):
    a = tl.make_block_ptr(p, (m, n), (n, 1), (8, 0), (8, 16), (1, 0))
    b = tl.make_block_ptr(base=q, shape=[n], strides=[1], offsets=[m], block_shape=[16], order=[0])
    for i in range(0, n, 16):
        x = tl.load(a, boundary_check=(0, 1), padding_option="nan", cache_modifier=".cg")
        if i > m:
            a = next_of(a)
        else:
            a = a.advance([0, 32])
        tl.static_assert(b.dtype.element_ty == tl.float16)
        tl.store(b, tl.sum(x, 0).to(b.dtype.element_ty), boundary_check=[0])
        y = tl.load(a)
        z = tl.load(a, boundary_check=(1,))
        tl.static_assert(y.shape == (8, 16) and z.dtype == tl.float32)
)",
                                                 "*fp32, *fp16, i32, i32",
                                                 {"tt.load", "cacheModifier = cg",
                                                  "dense<0x7FC00000> : tensor<8x16xf32>",
                                                  "tensor<8x16x!tt.ptr<f32>>",
                                                  "tensor<16x!tt.ptr<f16>>", "arith.cmpi sge",
                                                  "tt.call @next_of__block_fp32"}}));

INSTANTIATE_TEST_SUITE_P(ArgumentsOfFunctions, Programs,
                         testing::Values(Program{
                             R"(
@triton.jit
def total(first, *rest, scale=1):
    tl.static_assert(len(rest) == 2)
    return (first + rest[0] + rest[1]) * scale

@triton.jit
def between(x, low: tl.constexpr, high: tl.constexpr):
    return (x >= low) & (x < high)

@triton.jit
def k(p, n, B: tl.constexpr, C: tl.constexpr = 32, D=None):
    tl.static_assert(C == 32 and D is None)
    o = tl.arange(0, B)
    tl.store(p + o, total(n, 2, o, scale=3), mask=between(o, n, 5))
)",
                             "*i32, i32, 16",
                             {"tt.call @total__i32_c3_t2", "tt.call @between__i32x16_i32_c5"}}));

INSTANTIATE_TEST_SUITE_P(ImportsInBranches, Programs,
                         testing::Values(Program{R"(
if compare_version("triton", "3.0.0"):
    try:
        from triton.language.extra.libdevice import tanh
    except ModuleNotFoundError:
        from triton.language.extra.cuda.libdevice import tanh
else:
    from triton.language.math import tanh

@triton.jit
def k(p):
    tl.store(p, tanh(tl.load(p)))
)",
                                                 "*fp32",
                                                 {"__nv_tanhf"}}));

INSTANTIATE_TEST_SUITE_P(Modules, Programs,
                         testing::Values(Program{
                             R"(
import triton.language.extra.cuda as cuda
from triton.language import core, load, store

@triton.jit
def k(p, t):
    o = core.arange(0, 16)
    x = tl.math.exp(tl.standard.sum(load(p + o))) + tl.random.rand(3, o)
    store(p + o, x)
    tl.store(t, cuda.globaltimer() + tl.extra.cuda.smid())
    cuda.gdc_wait()
)",
                             "*fp32, *i64",
                             {"%globaltimer", "%smid", "griddepcontrol.wait"}}));

/// A descriptor among the kernel's parameters: several arguments, which are described.
TEST(Descriptors, AsParameters) {
  test::Compiled compiled = test::compile(
      (head +
       "@triton.jit\ndef k(n, d, p):\n    tl.store(p, tl.sum(d.load([n, 0])) + d.shape[1])\n")
          .str(),
      "i32, tensordesc<fp16[8, 16]>, *fp32");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  std::string described;
  for (const KernelArgument &argument : compiled.arguments)
    described +=
        argument.name + " " + argument.type + " " + std::to_string(argument.divisibility) + ";";
  EXPECT_EQ(described, "n i32 1;d tensordesc<fp16[8, 16]> 16;p *fp32 1;");
  EXPECT_TRUE(compiled.has("@k(%arg0: i32, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, "
                           "%arg2: i32, %arg3: i32, %arg4: i64 {tt.divisibility = 8 : i32}, "
                           "%arg5: i64, %arg6: !tt.ptr<f32>)"))
      << compiled.text;
  EXPECT_TRUE(compiled.has("tt.make_tensor_descriptor %arg1, [%arg2, %arg3], [%arg4, %c1_i64]"))
      << compiled.text;
}

} // namespace
