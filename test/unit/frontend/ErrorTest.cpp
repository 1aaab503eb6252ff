//===- ErrorTest.cpp - Diagnostics of kernels: text, location, remedy ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestSupport.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

using Bad = test::BodyDiagnostic;

class BadKernel : public testing::TestWithParam<Bad> {};

TEST_P(BadKernel, IsRefusedWithPlaceAndRemedy) {
  test::Compiled compiled = test::compileBody(GetParam().body);
  EXPECT_TRUE(compiled.text.empty());
  test::expectDiagnostic(compiled, GetParam(), Severity::Error);
}

INSTANTIATE_TEST_SUITE_P(
    Names, BadKernel,
    testing::Values(
        Bad{"y = zz", 8, 9, "the name 'zz' is not defined"},
        Bad{"offs = o\ny = off", 9, 9, "the name 'off' is not defined", "did you mean 'offs'?"},
        Bad{"y = arange(0, 4)", 8, 9, "the name 'arange' is not defined", "write tl.arange"},
        Bad{"y = tl.arrange(0, 4)", 8, 12, "triton.language has no 'arrange'", "tl.arange"},
        Bad{"y = tl.extra.libdevice.tanhh(f)", 8, 28, "libdevice has no 'tanhh'", "libdevice.tanh"},
        Bad{"y = tl.extra.libdevice.popc(f)", 8, 9, "libdevice.popc cannot take", "(i32) or (i64)"},
        Bad{"y = f.to(tl.float16, fp_downcast_rounding='up')", 8, 26, "is no rounding", "rtz"},
        Bad{"y = tl.map_elementwise(f)", 8, 28, "must be a function with @triton.jit"},
        Bad{"y = tl.map_elementwise(tl.standard._sum_combine, o, o, pack=0)", 8, 60, "is 0"},
        Bad{"y = tl.map_elementwise(tl.standard._sum_combine)", 8, 9, "'args' are none"},
        Bad{"y = tl.map_elementwise(tl.standard._sum_combine, o, 'x')", 8, 54,
            "tensors and numbers"},
        Bad{"y = tl.void", 8, 12, "tl.void is not supported yet", "docs/frontend.md"},
        Bad{"y = tl.dtype('uint7')", 8, 18, "is \"uint7\", which names no type"},
        Bad{"y = tl.dtype('float32')", 8, 18, "which names no type", "write tl.float32"},
        Bad{"y = tl.standard._log2(0)", 8, 27, "is 0, which has no logarithm"},
        Bad{"tl.static_assert(B == 64, f'B is {B}')", 8, 5, "tl.static_assert fails: B is 128"},
        Bad{"tl.static_assert(B == 64, unknown)", 8, 5, "tl.static_assert fails"},
        Bad{"tl.static_assert(n > 0)", 8, 22, "must be known while compiling", "tl.device_assert"},
        Bad{"y = tl.float31", 8, 12, "has no 'float31'", "tl.float32"},
        Bad{"y = o.summ()", 8, 11, "has no attribute 'summ'", "did you mean 'sum'?"},
        Bad{"y = o.dtype.element_ty", 8, 17, "no attribute 'element_ty'", "pointer types"},
        Bad{"y = f.T", 8, 11, ".T needs two dimensions"},
        Bad{"if n > 0:\n    z = 1\ny = z", 10, 9, "'z' has no value here: only one branch"},
        Bad{"for i in range(n):\n    z = i\ny = z", 10, 9, "only the loop on line 8 assigns it"}));

// What authors of kernels often write.
INSTANTIATE_TEST_SUITE_P(
    Habits, BadKernel,
    testing::Values(
        Bad{"y = N", 8, 9, "the name 'N' is not defined", "did you mean 'n'?"},
        Bad{"y = quantity", 8, 9, "the name 'quantity' is not defined",
            "a parameter of the kernel"},
        Bad{"y = tl.zeros((B,), float32)", 8, 24, "the name 'float32'", "write tl.float32"},
        Bad{"y = f.to(float)", 8, 14, "not the function float", "write tl.float32"},
        Bad{"tl.sore(x_ptr, f)", 8, 8, "has no 'sore'", "did you mean tl.store?"},
        Bad{"y = tl.extra.libdevice.tahn(f)", 8, 28, "has no 'tahn'", "libdevice.tanh?"},
        Bad{"y = tl.math.tanh(f)", 8, 17, "has no 'tanh'",
            "libdevice has it: from triton.language.extra import libdevice"},
        Bad{"y = tl.libdevice.tanh(f)", 8, 12, "has no 'libdevice'",
            "from triton.language.extra import libdevice"},
        Bad{"y = tl.range(0, B)", 8, 9, "range stands outside the head",
            "tl.arange makes a tensor"},
        Bad{"y = (o, o)\ny.append(o)", 9, 7, "no attribute 'append'", "xs = xs + (x,)"},
        Bad{"k[(1,)](x_ptr, x_ptr)", 8, 5, "the function k cannot be indexed", "write `k(..)`"}));

INSTANTIATE_TEST_SUITE_P(
    Types, BadKernel,
    testing::Values(
        Bad{"y = x_ptr + y_ptr", 8, 15, "two pointers cannot be added", "integer offset"},
        Bad{"y = x_ptr + f", 8, 15, "`+` cannot take a pointer *fp32 and a scalar fp32",
            "offsets of pointers are integers"},
        Bad{"y = x_ptr + 1.0", 8, 15, "`+` cannot take a pointer *fp32 and the constant 1.0"},
        Bad{"y = x_ptr * 2", 8, 15, "`*` cannot take a pointer *fp32", "integers are added to"},
        Bad{"y = n + tl.float32", 8, 11, "`+` cannot take the type", "x.to(type)"},
        Bad{"y = 1 - x_ptr", 8, 11, "`-` cannot take the constant 1 and a pointer"},
        Bad{"y = f << 1", 8, 11, "`<<` has invalid operands of type fp32 and "},
        Bad{"y = f & n", 8, 11, "`&` has invalid operands of type fp32 and i32: it needs integers",
            ".to("},
        Bad{"y = ~f", 8, 9, "`~` needs integers"},
        Bad{"y = -x_ptr", 8, 9, "`-` cannot take a pointer"},
        Bad{"y = n / u", 8, 11,
            "Cannot use `/` with i32 and u32 because they have different signedness", ".to("},
        Bad{"y = f // 2", 8, 11, "`//` divides integers", "tl.floor"},
        Bad{"y = n ** 2", 8, 11, "`**` is not defined for tensors"},
        Bad{"y = n @ n", 8, 11, "`@` is not defined for tensors", "tl.dot"},
        Bad{"y = u + -1", 8, 11, "the constant -1 is out of range of u32"},
        Bad{"y = n + 5000000000", 8, 11, "is out of range of i32", ".to("},
        Bad{"y = n + 'a'", 8, 11, "`+` cannot take the string 'a'"},
        Bad{"y = 5 + None", 8, 11, "`+` cannot take the constant 5 and None"},
        Bad{"y = 1 // 0", 8, 11, "divides the constant 1 by zero"},
        Bad{"y = 0 ** -1", 8, 11, "raises zero to the negative power -1"},
        Bad{"y = (-8) ** 0.5", 8, 14, "the power 0.5 of the negative number -8 is complex"},
        Bad{"y = 2 ** 100", 8, 11, "does not fit into 64 bits"},
        Bad{"y = 1 << 70", 8, 11, "does not fit into 64 bits"},
        Bad{"y = 123456789012345678901234567890", 8, 9, "does not fit into 64 bits"},
        Bad{"y = tl.exp(n)", 8, 16, "exp: 'x' must be fp32 or fp64, not i32", ".to(tl.float32)"},
        Bad{"y = n is 3", 8, 9, "`is` compares with None only", "=="},
        Bad{"y = n in (1, 2)", 8, 9, "`in` is not defined for tensors"},
        Bad{"y = o.to(1)", 8, 14, "to: 'dtype' must be a type such as tl.float32"},
        Bad{"y = o.to('float16')", 8, 14, "not the string 'float16'", "write tl.float16"},
        Bad{"y = f.to(tl.float64, bitcast=True)", 8, 9, "would change the number of bits"},
        Bad{"y = int(f)", 8, 13, "cannot be made a constant integer", ".to(tl.int32)"},
        Bad{"y = 3j", 8, 9, "a complex number cannot be compiled"}));

INSTANTIATE_TEST_SUITE_P(
    Shapes, BadKernel,
    testing::Values(
        Bad{"y = tl.arange(0, 100)", 8, 9, "arange's range must be a power of 2",
            "use 128 and mask"},
        Bad{"y = tl.arange(4, 4)", 8, 9, "an end greater than its start, got 4 and 4"},
        Bad{"y = tl.arange(0, n)", 8, 22, "'end' must be a constant integer", "tl.constexpr"},
        Bad{"y = tl.arange(0, 1 << 21)", 8, 9, "more than 1048576 elements"},
        Bad{"y = tl.zeros((3, 4), tl.float32)", 8, 18, "Shape element 0 must be a power of 2",
            "use 4 and mask"},
        Bad{"y = tl.zeros((n,), tl.float32)", 8, 18, "must have constant integers for sizes"},
        Bad{"y = tl.broadcast_to(n, ())", 8, 28, "has no dimension"},
        Bad{"y = tl.zeros((2048, 2048), tl.float32)", 8, 18, "more than 1048576 elements"},
        Bad{"y = o + tl.arange(0, 64)", 8, 11,
            "`+`: the shapes [128] and [64] do not fit in dimension 0: 128 and 64", "[:, None]"},
        Bad{"y = o[:, None] + tl.zeros((64, 4), tl.int32)", 8, 20, "do not fit in dimension 0"},
        Bad{"y = o[:, :, None]", 8, 14, "too many colons"},
        Bad{"y = o[0]", 8, 11, "unsupported tensor index: only `:`, `...` and None"},
        Bad{"y = x_ptr[0]", 8, 15, "unsupported tensor index: only `:`, `...` and None", "tl.load"},
        Bad{"y = o[0:4]", 8, 11, "unsupported tensor index: only `:`, `...` and None"},
        Bad{"y = tl.sum(o, axis=1)", 8, 19, "'axis' is 1, but there is 1 dimension"},
        Bad{"y = tl.sum(n)", 8, 16, "'input' must be a tensor, not a scalar i32"},
        Bad{"y = tl.reshape(o, (64, 4))", 8, 23, "[64, 4] has 256 elements"},
        Bad{"y = tl.reshape(o, (-1, 3))", 8, 23, "Shape element 0 must be a power of 2"},
        Bad{"y = tl.trans(o)", 8, 18, "has 1 dimension; two are needed"},
        Bad{"y = tl.permute(o[:, None], (0, 0))", 8, 32, "is no order of 2 dimensions"},
        Bad{"y = tl.expand_dims(o, 3)", 8, 27,
            "'axis' names the invalid axis 3: the result has 2 dimensions"},
        Bad{"y = tl.broadcast_to(o, (64,))", 8, 9, "shape [128] does not fit shape [64]"}));

INSTANTIATE_TEST_SUITE_P(
    Memory, BadKernel,
    testing::Values(
        Bad{"y = tl.load(n)", 8, 17, "'pointer' must be a pointer", "pointer parameter"},
        Bad{"y = tl.load(x_ptr + o, mask=tl.arange(0, 64) < n)", 8, 28,
            "shape [64] does not fit shape [128]"},
        Bad{"y = tl.load(x_ptr + o, mask=o)", 8, 28, "'mask' must be boolean", "offs < n"},
        Bad{"y = tl.load(x_ptr, mask=o < n)", 8, 24, "is a tensor, but the pointer is a scalar"},
        Bad{"y = tl.load(x_ptr + o, other=0.0)", 8, 28, "'other' is given without 'mask'"},
        Bad{"y = tl.load(x_ptr + o, o < n, tl.zeros((64,), tl.float32))", 8, 35,
            "shape [64] does not fit shape [128]"},
        Bad{"y = tl.load(i_ptr, True, x_ptr)", 8, 30, "'other' is a pointer, which cannot be"},
        Bad{"y = tl.load(x_ptr, cache_modifier='.xx')", 8, 24, "which is no cache modifier", ".ca"},
        Bad{"y = tl.load(x_ptr, eviction_policy='never')", 8, 24, "which is no eviction policy"},
        Bad{"y = tl.load(x_ptr, boundary_check=(0,))", 8, 24, "belongs to block pointers"},
        Bad{"tl.atomic_and(x_ptr, 1)", 8, 19, "which atomic_and is not there for", "integers"},
        Bad{"tl.atomic_add(x_ptr, 1.0, sem='strong')", 8, 31, "which is no order of memory",
            "acq_rel"},
        Bad{"tl.atomic_add(x_ptr, 1.0, scope='grid')", 8, 31, "which is no scope", "cta"},
        Bad{"tl.atomic_add(x_ptr, o)", 8, 26, "but the pointer is a scalar"},
        Bad{"tl.store(x_ptr, o)", 8, 21, "'value' is a tensor [128] of i32, but the pointer is a"},
        Bad{"tl.store(x_ptr + o, tl.zeros((64,), tl.float32))", 8, 25,
            "shape [64] does not fit shape [128]"},
        Bad{"tl.store(x_ptr + o, o, mask=o[:, None] < n)", 8, 28, "it has more dimensions"},
        Bad{"y = tl.load(x_ptr + o, mask=tl.zeros((4, 64), tl.int1))", 8, 28,
            "the shapes [128] and [4, 64] do not fit in dimension 1"},
        Bad{"tl.store(f, 1.0)", 8, 14, "'pointer' must be a pointer"},
        Bad{"tl.store(x_ptr, x_ptr)", 8, 21, "is a pointer, which cannot be stored"}));

INSTANTIATE_TEST_SUITE_P(
    Products, BadKernel,
    testing::Values(
        Bad{"y = tl.dot(n, n)", 8, 16, "'input' must be a tensor of at least 2", "`*`"},
        Bad{"y = tl.dot(o, o)", 8, 16, "'input' has i32 elements", ".to(tl.float32)"},
        Bad{"a = tl.zeros((B, B), tl.uint8)\ny = tl.dot(a, a)", 9, 16, "'input' has u8 elements",
            "tl.int8"},
        Bad{"a = tl.zeros((B,), tl.float16)\ny = tl.dot(a, a)", 9, 19,
            "'other' must have as many dimensions as 'input', and at least 2", "[.., M, N]"},
        Bad{"a = tl.zeros((B, 16), tl.float16)\ny = tl.dot(a, a)", 9, 19,
            "'other' must have as many rows as 'input' has columns", "[.., K, N]"},
        Bad{"a = tl.zeros((2, 16, 16), tl.float16)\nb = tl.zeros((4, 16, 16), tl.float16)\n"
            "y = tl.dot(a, b)",
            10, 19, "'other' must have the batches of 'input'"},
        Bad{"a = tl.zeros((16, 16), tl.float16)\ny = tl.dot(a, a.to(tl.float32))", 9, 19,
            "'other' has fp32 elements but 'input' fp16", "convert one"},
        Bad{"a = tl.zeros((16, 16), tl.float16)\ny = tl.dot(a, a, n)", 9, 22,
            "'acc' must be a fp32 tensor [16, 16] like the product", "tl.zeros([16, 16]"},
        Bad{"a = tl.zeros((16, 16), tl.float16)\ny = tl.dot(a, a, out_dtype=tl.bfloat16)", 9, 22,
            "'out_dtype' asks for sums in bf16", "convert the product"},
        Bad{"a = tl.zeros((16, 16), tl.float32)\ny = tl.dot(a, a, input_precision='tf64')", 9, 22,
            "is \"tf64\", which is no precision", "bf16x6"},
        Bad{"a = tl.zeros((16, 16), tl.float32)\n"
            "y = tl.dot(a, a, input_precision='ieee', allow_tf32=True)",
            9, 46, "'allow_tf32' and 'input_precision' exclude each other", "leave out allow_tf32"},
        Bad{"a = tl.zeros((16, 16), tl.float8e5)\ny = tl.dot(a, a, max_num_imprecise_acc=32)", 9,
            22, "max_num_imprecise_acc (32) must be <= K (16)"},
        Bad{"a = tl.zeros((16, 32), tl.float16)\ny = tl.dot_scaled(a, None, 'e3m2', a, None, "
            "'fp16')",
            9, 32, "'lhs_format' is \"e3m2\"", "e5m2"},
        Bad{"a = tl.zeros((16, 32), tl.float16)\ny = tl.dot_scaled(a, None, 'e4m3', a, None, "
            "'fp16')",
            9, 23, "'lhs' has fp16 elements, but the format e4m3 comes as fp8e4nv or u8"},
        Bad{"a = tl.zeros((32, 32), tl.float16)\ns = tl.zeros((2, 32), tl.uint8)\n"
            "y = tl.dot_scaled(a, None, 'fp16', a, s, 'fp16')",
            10, 43, "'rhs_scale' must be [32, 1], one scale for each 32", "do not transpose"},
        Bad{"a = tl.zeros((32, 32), tl.float16)\n"
            "y = tl.dot_scaled(a, None, 'fp16', a, None, 'fp16', lhs_k_pack=False)",
            9, 57, "'lhs_k_pack' is False, but only e2m1"}));

INSTANTIATE_TEST_SUITE_P(
    Calls, BadKernel,
    testing::Values(
        Bad{"y = tl.arange(0)", 8, 9, "arange: the argument 'end' is missing", "start, end"},
        Bad{"y = tl.arange(0, 4, 5)", 8, 25, "arange takes no more than 2 arguments"},
        Bad{"y = tl.arange(0, start=4)", 8, 22, "the argument 'start' is given twice"},
        Bad{"y = tl.load(x_ptr, maks=o)", 8, 24, "load has no parameter 'maks'", "'mask'"},
        Bad{"y = tl.program_id(3)", 8, 23, "program_id axis must be 0, 1, or 2 but got 3"},
        Bad{"y = tl.program_id(n)", 8, 23, "'axis' must be a constant integer"},
        Bad{"y = tl.arange(0, 4, z=5)", 8, 25, "arange has no parameter 'z'", "are start, end"},
        Bad{"y = n(1)", 8, 9, "a scalar i32 cannot be called"},
        Bad{"y = tl(1)", 8, 9, "cannot be called in a kernel"},
        Bad{"y = tl.zeros(*n)", 8, 18, "cannot be unpacked with `*`"},
        Bad{"y = tl.zeros(**n)", 8, 18, "`**` arguments cannot be compiled"},
        Bad{"print(n)", 8, 11, "print: 'prefix' must be a constant string", "print(\"x\", x)"},
        Bad{"tl.static_assert(B == 64, 'B must be 64')", 8, 5, "fails: B must be 64"},
        Bad{"tl.static_assert(n == 64)", 8, 22, "must be known while compiling"},
        Bad{"y = tl.max(o, 0).foo", 8, 22, "has no attribute 'foo'"}));

INSTANTIATE_TEST_SUITE_P(
    Statements, BadKernel,
    testing::Values(
        Bad{"a, b = n", 8, 5, "a scalar i32 cannot be assigned to 2 names"},
        Bad{"a, b, c = 1, 2", 8, 5, "2 values cannot be assigned to 3 names"},
        Bad{"a, *b = 1, 2, 3", 8, 8, "a starred name cannot be assigned to", "name each element"},
        Bad{"o[0] = 1", 8, 5, "the elements of a tensor cannot be assigned to", "tl.where"},
        Bad{"o.x = 1", 8, 5, "an attribute cannot be assigned to"},
        Bad{"for i in range(n):\n    break", 9, 9, "`break` cannot be compiled"},
        Bad{"for i in range(n):\n    continue", 9, 9, "`continue` cannot be compiled"},
        Bad{"for i in range(n):\n    return", 9, 9,
            "Cannot have `return` statements inside `while` or `for` statements"},
        Bad{"for i in range(n):\n    if i > 3:\n        return", 10, 13,
            "Cannot have `return` statements inside `while` or `for` statements"},
        Bad{"for i in (1, 2):\n    pass", 8, 14, "can run over range"},
        Bad{"for i in range(f):\n    pass", 8, 20, "must be an integer, not a scalar fp32"},
        Bad{"for i in range(0, n, 0):\n    pass", 8, 26, "'step' is zero"},
        Bad{"for i, j in range(n):\n    pass", 8, 9, "must be one name"},
        Bad{"for i in tl.static_range(n):\n    pass", 8, 30, "must be a constant integer"},
        Bad{"for i in tl.static_range(100000):\n    pass", 8, 14, "unroll to 100000 copies"},
        Bad{"for i in tl.static_range(4000):\n    for j in tl.static_range(4000):\n        y = i",
            10, 13, "unrolls to more than 100000 statements"},
        Bad{"acc = 0\nfor i in range(n):\n    acc += f", 9, 5,
            "the loop changes the type of 'acc': it is a scalar i32 before the loop and a scalar "
            "fp32 at the end"},
        Bad{"acc = 0.0\nfor i in range(n):\n    acc += tl.load(x_ptr + o)", 9, 5,
            "the loop changes the type of 'acc'", "acc = tl.zeros([128], tl.float32)"},
        Bad{"while True:\n    pass", 8, 11, "this loop never ends"},
        Bad{"while o < n:\n    pass", 8, 11, "a condition must be a scalar"},
        Bad{"if o < n:\n    pass", 8, 8, "a condition must be a scalar", "tl.where"},
        Bad{"y = 1 if o < n else 2", 8, 14, "a condition must be a scalar"},
        Bad{"if n > 0:\n    y = 1\nelse:\n    y = 1.0", 8, 5,
            "Mismatched type for y: a scalar i32 in one branch"},
        Bad{"if n > 0:\n    y = o\nelse:\n    y = None", 8, 5,
            "Mismatched type for y: a tensor [128] of i32"},
        Bad{"for i in range(0, n, step=2):\n    pass", 8, 26, "range takes 'step' by its position"},
        Bad{"def g():\n    pass", 8, 5, "a function inside a function"},
        Bad{"import math", 8, 5, "an import cannot be compiled"},
        Bad{"with n:\n    pass", 8, 5, "`with` cannot be compiled"},
        Bad{"try:\n    pass\nexcept E:\n    pass", 8, 5, "`try` cannot be compiled"},
        Bad{"raise n", 8, 5, "`raise` cannot be compiled"},
        Bad{"del o", 8, 5, "`del` cannot be compiled"},
        Bad{"global n", 8, 5, "`global` cannot be compiled"},
        Bad{"nonlocal n", 8, 5, "`nonlocal` cannot be compiled"},
        Bad{"y = lambda: 1", 8, 9, "a lambda cannot be compiled"},
        Bad{"y = {1: 2}", 8, 9, "a dict cannot be compiled"},
        Bad{"y = [i for i in o]", 8, 21, "a comprehension runs over a tuple", "as a tuple"},
        Bad{"y = (z := 1)", 8, 10, "`:=` cannot be compiled"},
        Bad{"y = f'{n}'", 8, 9, "an f-string in a kernel can show constants only",
            "tl.device_print"}));

//===--------------------------------------------------------------------------===//
// Whole files
//===--------------------------------------------------------------------------===//

constexpr llvm::StringLiteral head = "import triton\nimport triton.language as tl\n";

struct BadFile {
  const char *source; // after `head`, from line 3
  const char *kernel;
  const char *signature;
  const char *file;
  int line;
  const char *message;
  const char *remedy = "";
};

class BadSource : public testing::TestWithParam<BadFile> {};

TEST_P(BadSource, IsRefused) {
  test::Compiled compiled =
      test::compile((head + GetParam().source).str(), GetParam().signature, GetParam().kernel);
  ASSERT_EQ(compiled.errors.size(), 1u) << compiled.text;
  const Diagnostic &error = compiled.errors.front();
  EXPECT_NE(error.message.find(GetParam().message), std::string::npos) << compiled.rendered();
  EXPECT_NE(error.remedy.find(GetParam().remedy), std::string::npos) << compiled.rendered();
  EXPECT_EQ(error.where.file, GetParam().file);
  EXPECT_EQ(error.where.line, GetParam().line) << compiled.rendered();
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadSource,
    testing::Values(
        BadFile{"def f(x): pass", "", "i32", "test.py", 0, "the file has no kernel", "@triton.jit"},
        BadFile{"@triton.jit\ndef add(x): pass", "addd", "i32", "test.py", 0,
                "no kernel named 'addd'; it has add", "did you mean add?"},
        BadFile{"@triton.jit\ndef a(x): pass\n@triton.jit\ndef b(x): pass", "", "i32", "test.py", 0,
                "several kernels: a, b"},
        BadFile{"@triton.jit\ndef a(x): pass", "a", "", "<signature>", 1,
                "the signature has 0 entries, but a has 1 parameters", "add the entry of 'x'"},
        BadFile{"@triton.jit\ndef a(x): pass", "a", "i32, i32", "<signature>", 1,
                "the signature has 2 entries, but a has 1 parameters"},
        BadFile{"@triton.jit\ndef a(x): pass", "a", "int", "<signature>", 1, "no type 'int'",
                "i8 to i64"},
        BadFile{"@triton.jit\ndef a(B: tl.constexpr): pass", "a", "i32", "<signature>", 1,
                "'B' is a tl.constexpr and needs a value, not the type i32"},
        BadFile{"@triton.jit\ndef a(x):\n    tl.store(x, 1)", "a", "5", "test.py", 5,
                "'pointer' must be a pointer or a tensor of pointers, not the constant 5"},
        BadFile{"@triton.jit\ndef a(x: tl.const):\n    tl.store(x + 1, 1)", "a", "*i32", "test.py",
                5, "'pointer' is a pointer *ki32: Cannot store to a constant pointer",
                "leave out the parameter's annotation"},
        BadFile{"@triton.jit\ndef f(y):\n    tl.atomic_add(y, 1)\n@triton.jit\ndef a(x):\n    f(x)",
                "a", "*ki32", "test.py", 5, "Cannot store to a constant pointer"},
        BadFile{
            "@triton.jit\ndef a(x: 'tl.const'):\n    p = tl.make_block_ptr(x, (8,), (1,), (0,), "
            "(8,), (0,))\n    tl.store(p, tl.zeros((8,), tl.int32))",
            "a", "*i32", "test.py", 6, "Cannot store to a constant pointer"},
        BadFile{"@triton.jit\ndef a(*x): pass", "a", "i32", "test.py", 4, "variable number"},
        BadFile{"@triton.jit\ndef a(x, x): pass", "a", "i32, i32", "test.py", 4,
                "'x' stands twice"},
        BadFile{"@triton.jit\ndef a(x):\n    a(x)", "a", "i32", "test.py", 5, "cannot recurse",
                "loop"},
        BadFile{"@triton.jit\ndef b(x):\n    a(x)\n@triton.jit\ndef a(x):\n    b(x)", "a", "i32",
                "test.py", 5, "'a' calls itself"},
        BadFile{"def b(x): pass\n@triton.jit\ndef a(x):\n    b(x)", "a", "i32", "test.py", 6,
                "'b' is no jitted function", "@triton.jit"},
        BadFile{"N = 3\n@triton.jit\ndef a(x):\n    y = x + N", "a", "i32", "test.py", 6,
                "Cannot access global variable N from", "N = tl.constexpr(..)"},
        BadFile{"N: tl.constexpr = N\n@triton.jit\ndef a(x):\n    y = x + N", "a", "i32", "test.py",
                3, "'N' is not defined here: the module defines it on line 3", "before"},
        BadFile{"import os\nif os.name == 'nt':\n    N = tl.constexpr(1)\nelse:\n"
                "    N = tl.constexpr(2)\n@triton.jit\ndef a(x):\n    y = x + N",
                "a", "i32", "test.py", 4, "which definition of 'N' holds depends on this condition",
                "once"},
        BadFile{"N = tl.constexpr(1)\nfor i in range(3):\n    N = tl.constexpr(i)\n@triton.jit\n"
                "def a(x):\n    y = x + N",
                "a", "i32", "test.py", 4, "which definition of 'N' holds depends on this loop"},
        BadFile{"N = tl.constexpr(1)\ndef set():\n    global N\n    N = tl.constexpr(2)\nset()\n"
                "@triton.jit\ndef a(x):\n    y = x + N",
                "a", "i32", "test.py", 5,
                "which definition of 'N' holds depends on whether this function has been called"},
        BadFile{"try:\n    import fast\n    N = tl.constexpr(1)\nexcept ImportError:\n"
                "    N = tl.constexpr(2)\n@triton.jit\ndef a(x):\n    y = x + N",
                "a", "i32", "test.py", 3, "depends on whether this `try` succeeds"},
        BadFile{"if False:\n    @triton.jit\n    def a(x):\n        pass\n@triton.jit\n"
                "def b(x):\n    pass",
                "a", "i32", "test.py", 5, "'a' is no kernel once the module has run"},
        BadFile{"import torch\n@triton.jit\ndef a(x):\n    y = torch.zeros(x)", "a", "i32",
                "test.py", 6, "`torch.zeros` cannot be used in a kernel"},
        BadFile{"class C: pass\n@triton.jit\ndef a(x):\n    y = C", "a", "i32", "test.py", 6,
                "the class 'C' cannot be used"},
        BadFile{"@triton.jit\ndef b(N: tl.constexpr): return tl.arange(0, N)\n"
                "@triton.jit\ndef a(x):\n    y = b(x)",
                "a", "i32", "test.py", 4, "'end' must be a constant integer, not a scalar i32"},
        BadFile{"@triton.jit\ndef b(**x): return x\n@triton.jit\ndef a(x):\n    y = b(x)", "a",
                "i32", "test.py", 4, "cannot take any keyword", "a tuple"},
        BadFile{"@triton.jit\ndef b(x): return x\n@triton.jit\ndef a(x):\n    y, z, v, w = b((x, "
                "x, x))",
                "a", "i32", "test.py", 7, "3 values cannot be assigned to 4 names",
                "write 3 names"},
        BadFile{"@triton.jit\ndef b(x):\n    if x > 0:\n        return 1\n    return\n"
                "@triton.jit\ndef a(x):\n    y = b(x)",
                "a", "i32", "test.py", 5, "Inconsistent return types of b: a scalar i32"},
        BadFile{"@triton.jit\ndef a(x, B: tl.constexpr, C=3): pass", "a", "i32", "<signature>", 1,
                "the signature has 1 entries, but a has 3 parameters", "add the entry of 'B'"},
        BadFile{"@triton.jit\ndef b(x, y): return x\n@triton.jit\ndef a(x):\n    z = b(x)", "a",
                "i32", "test.py", 7, "b: the argument 'y' is missing"},
        BadFile{"@triton.jit\ndef b(x, y): return x\n@triton.jit\ndef a(x):\n    z = b(x, 1, 2)",
                "a", "i32", "test.py", 7, "b takes 2 positional arguments"},
        BadFile{"@triton.jit\ndef b(x, y): return x\n@triton.jit\ndef a(x):\n    z = b(x, x=1)",
                "a", "i32", "test.py", 7, "b: the argument 'x' is given twice"},
        BadFile{"@triton.jit\ndef b(val): return val\n@triton.jit\ndef a(x):\n    z = b(vla=x)",
                "a", "i32", "test.py", 7, "b has no parameter 'vla'", "did you mean 'val'?"},
        BadFile{"@triton.jit\ndef a(x:\n    pass", "a", "i32", "test.py", 4, "'(' is never closed"},
        BadFile{"@triton.jit\ndef a(x):\n    y = x +", "a", "i32", "test.py", 5,
                "expected an expression"}));

INSTANTIATE_TEST_SUITE_P(
    Rules, BadSource,
    testing::Values(
        BadFile{"@triton.constexpr_function\ndef f(x):\n    while True:\n        x += 1\n"
                "@triton.jit\ndef k(p):\n    y: tl.constexpr = f(1)",
                "k", "*i32", "test.py", 6, "run for more than 1000000 steps", "may never end"},
        BadFile{"@triton.constexpr_function\ndef f(x):\n    return f(x)\n"
                "@triton.jit\ndef k(p):\n    y: tl.constexpr = f(1)",
                "k", "*i32", "test.py", 5, "calls are nested more than 50 deep"},
        BadFile{"@triton.constexpr_function\ndef f(x):\n    return x + 1\n"
                "@triton.jit\ndef k(n):\n    y: tl.constexpr = f(n)",
                "k", "i32", "test.py", 8, "a constexpr function can give constants only"},
        BadFile{"@triton.constexpr_function\ndef f(x):\n    assert x > 3, f'x is {x}'\n"
                "@triton.jit\ndef k(n):\n    y: tl.constexpr = f(2)",
                "k", "i32", "test.py", 5, "the assertion fails: x is 2"},
        BadFile{"@triton.constexpr_function\ndef f(x):\n    return tl.load(x)\n"
                "@triton.jit\ndef k(p):\n    y: tl.constexpr = f(p)",
                "k", "*i32", "test.py", 5, "tl.load is called outside of a kernel"},
        BadFile{"@triton.constexpr_function\ndef f(x):\n    raise x\n"
                "@triton.jit\ndef k(p):\n    y: tl.constexpr = f(1)",
                "k", "*i32", "test.py", 5, "raises an error here"},
        BadFile{"@triton.jit(noinline=True)\ndef f(x):\n    return x\n"
                "@triton.jit\ndef k(p):\n    y = f(tl.arange(0, 8))",
                "k", "*i32", "test.py", 8, "'f' is noinline, so that it can take scalars only",
                "leave noinline=True out"},
        BadFile{"X = tl.constexpr(1[None])\n@triton.jit\ndef k(n):\n    y = X", "k", "i32",
                "test.py", 3, "constexpr: 'value' must be a constant, not a tensor [1]"},
        BadFile{"import math\n@triton.jit\ndef k(n):\n    y = math.sqrt(n)", "k", "i32", "test.py",
                6, "'x' must be a constant number, not a scalar i32", "triton.language"},
        BadFile{"import math\n@triton.jit\ndef k(n):\n    y = math.sqrt(-1)", "k", "i32", "test.py",
                6, "is -1, where sqrt is not defined"},
        BadFile{"import math\n@triton.jit\ndef k(n):\n    y = math.erfc(1)", "k", "i32", "test.py",
                6, "`math.erfc` cannot be used in a kernel", "triton.language"}));

INSTANTIATE_TEST_SUITE_P(
    Language, BadKernel,
    testing::Values(
        Bad{"y = (1, 2)[5]", 8, 16, "the index 5 is outside of a tuple of 2", "0 to 1"},
        Bad{"y = (1, 2)[n]", 8, 16, "must be a constant integer, not a scalar i32"},
        Bad{"y = (1, 2)[::0]", 8, 16, "the step of a slice is zero"},
        Bad{"y = tl.condition(n > 0)", 8, 9, "stands outside the head of a `while`"},
        Bad{"y = tl.static_range(3)", 8, 9, "stands outside the head of a `for`"},
        Bad{"y = isinstance(n, 3)", 8, 23, "must be a class", ""},
        Bad{"y = getattr(n, 'foo')", 8, 9, "has no attribute 'foo'"},
        Bad{"y = sum(o)", 8, 13, "'values' must be a tuple", "use tl.sum"},
        Bad{"y = abs(n)", 8, 13, "must be a constant number", "tl.abs"},
        Bad{"y = o.item()", 8, 9, "has more than one element", "tl.sum"},
        Bad{"y = tl.tensor(n)", 8, 9, "cannot be called in a kernel", "isinstance"},
        Bad{"tl.device_print(n)", 8, 21, "'prefix' must be a constant string"},
        Bad{"tl.device_print('a', x_ptr.dtype)", 8, 26, "must be numbers and tensors"},
        Bad{"tl.device_assert(f)", 8, 22, "must be boolean, not a scalar fp32", "x > 0"},
        Bad{"y = tl.static_assert(B == 1, f'B is {B}')", 8, 9, "fails: B is 128"},
        Bad{"y = [i for i in range(2000)]", 8, 21, "more than 1024 numbers"},
        Bad{"s: tl.constexpr = 'a' + 1", 8, 27, "`+` cannot take the string 'a'"},
        Bad{"x = 0\nfor i in range(n):\n    x = None", 9, 5, "the loop changes the type of 'x'"},
        Bad{"for i in range(n):\n    while i < 3:\n        return", 10, 13,
            "Cannot have `return` statements inside `while` or `for` statements"}));

INSTANTIATE_TEST_SUITE_P(
    Descriptors, BadKernel,
    testing::Values(
        Bad{"d = tl.make_tensor_descriptor(n, [n], [1], [B])", 8, 35, "'base' must be a pointer"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n], [n, 1], [B])", 8, 47,
            "'strides' has 2 entries, but 'shape' has 1", "one for each dimension"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n], [n], [B])", 8, 47,
            "'strides' must end with the constant 1", "side by side"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n], [1], [2])", 8, 52,
            "rows of 8 bytes, 2 of fp32: Descriptor block shape must have at least 16 bytes",
            "4 or more"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n], [1], [100])", 8, 52, "must be a power of 2"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [f], [1], [B])", 8, 42, "must have integers"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n] * 6, [n] * 5 + [1], [1] * 5 + [B])", 8, 42,
            "has 6 sizes", "1 to 5 dimensions"},
        Bad{"d = tl.make_tensor_descriptor(i_ptr, [n], [1], [B], 'nan')", 8, 57,
            "which i32 does not have"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n], [1], [B], 'one')", 8, 57, "is 'one'",
            "zero"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n], [1], [B])\ny = d.load([0, 0])", 9, 16,
            "'offsets' has 2 entries, but the descriptor has 1 dimension"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n], [1], [B])\ny = d.load([l])", 9, 16,
            "must have 32 bits, not i64", ".to(tl.int32)"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n], [1], [B])\nd.store([0], o[:, None])", 9, 18,
            "but the block has the shape [128]"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n], [1], [B])\nd.atomic_and([0], o)", 9, 5,
            "a descriptor has no atomic_and of fp32", "tl.atomic_and with pointers"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n, n], [n, 1], [8, 8])\ny = d.gather(o, 0)", 9,
            9, "needs a descriptor of blocks [1, n]", "block_shape [1, n]"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n, n], [n, 1], [1, 8])\n"
            "y = d.gather(tl.arange(0, 4), 0)",
            9, 18, "has 4 rows", "8 rows or more"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n], [1], [B])\ny = d.lode([0])", 9, 11,
            "has no attribute 'lode'", "load"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [2 ** 31], [1], [B])", 8, 42,
            "'shape' has the element 2147483648, which does not fit into 32 bits"},
        Bad{"y = tl.load_tensor_descriptor(x_ptr, [0])", 8, 35, "must be a tensor descriptor",
            "tl.make_tensor_descriptor"},
        Bad{"d = tl.make_tensor_descriptor(x_ptr, [n], [1], [B])\nfor i in range(n):\n"
            "    d = tl.make_tensor_descriptor(x_ptr, [n], [1], [64])",
            9, 5, "the loop changes the type of 'd'"}));

INSTANTIATE_TEST_SUITE_P(
    BlockPointers, BadKernel,
    testing::Values(
        Bad{"a = tl.make_block_ptr(n, (n,), (1,), (0,), (B,), (0,))", 8, 27,
            "'base' must be a pointer"},
        Bad{"a = tl.make_block_ptr(x_ptr, (n, n), (1,), (0,), (B,), (0,))", 8, 34,
            "'shape' has 2 entries, but there are 1 dimension"},
        Bad{"a = tl.make_block_ptr(x_ptr, (n,), (1,), (l,), (B,), (0,))", 8, 46,
            "must have elements of 32 bits, not i64", ".to(tl.int32)"},
        Bad{"a = tl.make_block_ptr(x_ptr, (n,), (1,), (2 ** 31,), (B,), (0,))", 8, 46,
            "has the element 2147483648, which does not fit into 32 bits"},
        Bad{"a = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (B,), (1,))", 8, 58,
            "is no order of 1 dimension"},
        Bad{"a = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (B,), (0,))\ny = tl.load(a, o < n)", 9,
            20, "cannot be given for a block pointer", "boundary_check"},
        Bad{"a = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (B,), (0,))\n"
            "y = tl.load(a, boundary_check=(1,))",
            9, 20, "must name dimensions from 0 to 0"},
        Bad{"a = tl.make_block_ptr(i_ptr, (n,), (1,), (0,), (B,), (0,))\n"
            "y = tl.load(a, boundary_check=(0,), padding_option='nan')",
            9, 41, "is \"nan\", which i32 does not have"},
        Bad{"y = tl.advance(x_ptr, 1)", 8, 20, "must be a block pointer", "add the offset"}));

TEST(Errors, SignaturePlacesPointIntoItsText) {
  test::Compiled compiled = test::compile(
      (head + "@triton.jit\ndef a(x, B: tl.constexpr): pass").str(), "i32, fp32", "a");
  ASSERT_EQ(compiled.errors.size(), 1u);
  EXPECT_EQ(compiled.rendered(),
            "<signature>:1:6: error: the parameter 'B' is a tl.constexpr and needs a value, not "
            "the type fp32\n"
            "    i32, fp32\n"
            "         ^~~~\n"
            "  write its value, such as 128\n");
}

TEST(Errors, CallsThatLedThereAreShown) {
  test::Compiled compiled = test::compile(
      (head + "@triton.jit\ndef b(x):\n    return x << 1.5\n@triton.jit\ndef a(x):\n    y = b(x)")
          .str(),
      "i32", "a");
  ASSERT_EQ(compiled.errors.size(), 1u);
  EXPECT_EQ(compiled.errors[0].where.line, 5);
  ASSERT_EQ(compiled.errors[0].notes.size(), 1u);
  EXPECT_EQ(compiled.errors[0].notes[0].where.line, 8);
  EXPECT_NE(compiled.errors[0].notes[0].message.find("in the call of 'b'"), std::string::npos);
}

/// What a small program could make enormous.
TEST(Errors, GrowthIsLimited) {
  std::string tuples = "t = (n, n)\n";
  for (int i = 0; i < 60; ++i)
    tuples += "t = (t, t)\n";
  test::Compiled compiled = test::compileBody(tuples);
  ASSERT_EQ(compiled.errors.size(), 1u);
  EXPECT_NE(compiled.errors[0].message.find("more than 1024 parts"), std::string::npos);

  std::string returns;
  for (int i = 0; i < 1000; ++i)
    returns += "if n == " + std::to_string(i) + ":\n    return\n";
  compiled = test::compileBody(returns);
  ASSERT_EQ(compiled.errors.size(), 1u);
  EXPECT_NE(compiled.errors[0].message.find("branches of this function return"), std::string::npos);

  std::string doubling = "y = n\n";
  for (int i = 0; i < 60; ++i)
    doubling += "if n > 0:\n    if n > 1:\n        return\n";
  compiled = test::compileBody(doubling + "y = 1");
  ASSERT_EQ(compiled.errors.size(), 1u);

  std::string chain = (head + "@triton.jit\ndef f0(x): return x\n").str();
  for (int i = 1; i < 200; ++i)
    chain += "@triton.jit\ndef f" + std::to_string(i) + "(x): return f" + std::to_string(i - 1) +
             "(x)\n";
  compiled = test::compile(chain + "@triton.jit\ndef k(x):\n    y = f199(x)\n", "i32", "k");
  ASSERT_EQ(compiled.errors.size(), 1u);
  EXPECT_NE(compiled.errors[0].message.find("nested more than 50 deep"), std::string::npos);
}

TEST(Errors, LookAsTheyShould) {
  test::Compiled compiled = test::compileBody("y = tl.arange(0, 100)");
  EXPECT_EQ(compiled.rendered(), "test.py:8:9: error: arange's range must be a power of 2\n"
                                 "        y = tl.arange(0, 100)\n"
                                 "            ^~~~~~~~~~~~~~~~~\n"
                                 "  use 128 and mask the elements past 100\n");
}

} // namespace
