//===- LibraryTest.cpp - The functions of triton.language: types, shapes, IR --===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestSupport.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

/// Functions that the kernels of the cases below call.
constexpr llvm::StringLiteral helpers = "import triton\n"
                                        "import triton.language as tl\n"
                                        "@triton.jit\n"
                                        "def add(a, b):\n"
                                        "    return a + b\n"
                                        "@triton.jit\n"
                                        "def best(a, i, b, j):\n"
                                        "    left = a > b\n"
                                        "    return tl.where(left, a, b), tl.where(left, i, j)\n"
                                        "@triton.jit\n"
                                        "def wide(a, b):\n"
                                        "    return (a + b).to(tl.float64)\n"
                                        "@triton.jit\n"
                                        "def pair(a, b):\n"
                                        "    return a, b\n"
                                        "@triton.jit\n"
                                        "def nothing(a, b):\n"
                                        "    a + b\n"
                                        "@triton.jit\n"
                                        "def block(a, b):\n"
                                        "    return tl.full((4,), a, tl.float32)\n"
                                        "def plain(a, b):\n"
                                        "    return a + b\n";
/// `helpers` and the head of the kernel have this many lines before the body.
constexpr int linesBefore = 29;

/// Statements of a kernel k(x_ptr: *fp32, h_ptr: *fp16, n: i32, l: i64), with the offsets o
/// of [128], x = [128] of fp32, h = [128] of fp16, m = [8, 16] of fp32.
test::Compiled compile(llvm::StringRef body) {
  std::string source = (helpers + "@triton.jit\n"
                                  "def k(x_ptr, h_ptr, n, l):\n"
                                  "    o = tl.arange(0, 128)\n"
                                  "    x = tl.load(x_ptr + o)\n"
                                  "    h = tl.load(h_ptr + o)\n"
                                  "    m = tl.reshape(x, (8, 16))\n")
                           .str();
  llvm::SmallVector<llvm::StringRef> lines;
  body.split(lines, '\n');
  for (llvm::StringRef line : lines)
    source += "    " + line.str() + "\n";
  return test::compile(source, "*fp32:16, *fp16:16, i32, i64", "k");
}

//===--------------------------------------------------------------------------===//
// What is emitted
//===--------------------------------------------------------------------------===//

/// Statements, and lines that the module must have; after a `!`, must not.
struct Good {
  const char *body;
  std::vector<const char *> has;
};

class Library : public testing::TestWithParam<Good> {};

TEST_P(Library, Compiles) {
  test::Compiled compiled = compile(GetParam().body);
  ASSERT_TRUE(compiled.errors.empty()) << GetParam().body << "\n" << compiled.rendered();
  ASSERT_TRUE(compiled.verified) << GetParam().body << "\n" << compiled.text;
  for (const char *part : GetParam().has) {
    bool absent = part[0] == '!';
    EXPECT_EQ(compiled.has(part + absent), !absent) << part << " for:\n"
                                                    << GetParam().body << "\n"
                                                    << compiled.text;
  }
}

// A static_assert that fails is an error of the compilation.
INSTANTIATE_TEST_SUITE_P(
    Types, Library,
    testing::Values(
        // Sums of narrow integers have 32 bits; those of floats keep their type.
        Good{"tl.static_assert(tl.sum(o.to(tl.int8)).dtype == tl.int32)", {}},
        Good{"tl.static_assert(tl.sum(o.to(tl.int16)).dtype == tl.int32)", {}},
        Good{"tl.static_assert(tl.sum(o.to(tl.uint8)).dtype == tl.uint32)", {}},
        Good{"tl.static_assert(tl.sum(o > 3).dtype == tl.uint32)", {"arith.extui"}},
        Good{"tl.static_assert(tl.sum(o.to(tl.int64)).dtype == tl.int64)", {}},
        Good{"tl.static_assert(tl.sum(h).dtype == tl.float16)", {}},
        Good{"tl.static_assert(tl.sum(h.to(tl.bfloat16)).dtype == tl.bfloat16)", {}},
        Good{"tl.static_assert(tl.sum(h, dtype=tl.float32).dtype == tl.float32)", {}},
        Good{"tl.static_assert(tl.cumsum(o.to(tl.int8)).dtype == tl.int32)", {}},
        Good{"tl.static_assert(tl.cumsum(o > 3).dtype == tl.uint32)", {}},
        Good{"tl.static_assert(tl.cumsum(h).dtype == tl.float16)", {}},
        Good{"tl.static_assert(tl.cumsum(h.to(tl.bfloat16)).dtype == tl.float32)", {}},
        Good{"tl.static_assert(tl.cumsum(o, dtype=tl.int64).dtype == tl.int64)", {}},
        Good{"tl.static_assert(tl.cumprod(o.to(tl.int8)).dtype == tl.int8)", {}},
        Good{"tl.static_assert(tl.cumprod(h.to(tl.bfloat16)).dtype == tl.float32)", {}},
        // Extrema have 32 bits, but with indices only bf16 is widened.
        Good{"tl.static_assert(tl.max(h).dtype == tl.float32)", {}},
        Good{"tl.static_assert(tl.min(o.to(tl.uint8)).dtype == tl.int32)", {}},
        Good{"v, i = tl.max(h, 0, return_indices=True)\n"
             "tl.static_assert(v.dtype == tl.float16)\n"
             "tl.static_assert(i.dtype == tl.int32)",
             {}},
        Good{"v, i = tl.min(h.to(tl.bfloat16), 0, return_indices=True)\n"
             "tl.static_assert(v.dtype == tl.float32)",
             {}},
        Good{"tl.static_assert(tl.xor_sum(o.to(tl.int8)).dtype == tl.int8)", {"arith.xori"}},
        Good{"tl.static_assert(tl.reduce_or(o > 3, 0).dtype == tl.int1)", {"arith.ori"}},
        // Selecting compares in 32 bits, sorting in the type itself.
        Good{"tl.static_assert(tl.sort(h).dtype == tl.float16)", {}},
        Good{"tl.static_assert(tl.topk(h, 4).dtype == tl.float32)", {}},
        Good{"tl.static_assert(tl.topk(h, 128).dtype == tl.float16)", {}},
        Good{"tl.static_assert(tl.flip(h).dtype == tl.float16)", {"tt.bitcast"}},
        Good{"tl.static_assert(tl.histogram(o, 16).dtype == tl.int32)", {}},
        Good{"tl.static_assert(tl.softmax(h).dtype == tl.float32)", {}},
        Good{"tl.static_assert(tl.rand(n, o).dtype == tl.float32)", {}},
        Good{"tl.static_assert(tl.randint(n, o).dtype == tl.uint32)", {}},
        Good{"a, b, c, d = tl.philox(l, l, 0, 0, 0)\n"
             "tl.static_assert(a.dtype == tl.uint64)",
             {}}));

INSTANTIATE_TEST_SUITE_P(
    Shapes, Library,
    testing::Values(
        Good{"tl.static_assert(tl.sum(m, 1, keep_dims=True).shape == (8, 1))", {}},
        Good{"tl.static_assert(tl.sum(m, keep_dims=True).shape == (1, 1))", {"allow_reorder"}},
        Good{"tl.static_assert(tl.argmax(m, -1).shape == (8,))", {}},
        Good{"tl.static_assert(m.argmin(0, keep_dims=True).shape == (1, 16))", {}},
        Good{"v, i = tl.max(m, return_indices=True)\ntl.static_assert(i.shape == ())",
             {"!allow_reorder", "end = 128"}},
        Good{"tl.static_assert(tl.reduce(m, 0, add).shape == (16,))", {"tt.call @add__fp32_fp32"}},
        Good{"v, i = tl.reduce((x, o), 0, best)\ntl.static_assert(i.dtype == tl.int32)",
             {"tt.call @best__fp32_i32_fp32_i32", "(tensor<128xf32>, tensor<128xi32>)"}},
        Good{"v, = tl.reduce((m,), None, add, keep_dims=True)\n"
             "tl.static_assert(v.shape == (1, 1))",
             {}},
        Good{"s = m.reduce(1, add)\ntl.static_assert(s.shape == (8,))", {}},
        Good{"tl.static_assert(tl.associative_scan(m, 1, add).shape == (8, 16))",
             {"\"tt.scan\"", "axis = 1 : i32, reverse = false"}},
        Good{"v, i = tl.associative_scan((x, o), 0, best, reverse=True)\n"
             "tl.static_assert(i.shape == (128,))",
             {"reverse = true"}},
        Good{"tl.static_assert(m.cumsum(-1, reverse=True).shape == (8, 16))",
             {"axis = 1 : i32, reverse = true"}},
        Good{"tl.static_assert(m.cumprod().shape == (8, 16))", {"axis = 0 : i32", "arith.mulf"}},
        Good{"tl.static_assert(m.sort(0).shape == (8, 16))", {"tensor<2x2x2x16xf32>"}},
        Good{"tl.static_assert(m.sort(descending=True).shape == (8, 16))",
             {"tensor<8x2x2x2x2xf32>"}},
        Good{"tl.static_assert(tl.topk(m, 2).shape == (8, 2))", {}},
        Good{"tl.static_assert(tl.topk(x, 1).shape == (1,))", {}},
        Good{"tl.static_assert(tl.bitonic_merge(m).shape == (8, 16))", {}},
        Good{"tl.static_assert(tl.sort(x[:, None]).shape == (128, 1))", {"!tt.reduce"}},
        Good{"tl.static_assert(m.flip(0).shape == (8, 16))", {}},
        Good{"tl.static_assert(tl.join(m, m).shape == (8, 16, 2))", {"tt.join"}},
        Good{"tl.static_assert(tl.join(m, 1.0).shape == (8, 16, 2))", {"tt.join"}},
        Good{"tl.static_assert(tl.join(n, n).shape == (2,))", {"tensor<1xi32> -> tensor<1x2xi32>"}},
        Good{"tl.static_assert(tl.interleave(m, m).shape == (8, 32))", {}},
        Good{"tl.static_assert(tl.interleave(n, n).shape == (2,))", {}},
        Good{"a, b = tl.split(tl.reshape(x, (64, 2)))\ntl.static_assert(a.shape == (64,))",
             {"tt.split"}},
        Good{"a, b = tl.join(n, n).split()\ntl.static_assert(b.shape == ())", {"tt.unsplat"}},
        Good{"tl.static_assert(tl.cat(x, x, can_reorder=True).shape == (256,))", {"tt.cat"}},
        Good{"tl.static_assert(tl.cat(x, x).shape == (256,))", {"!tt.cat", "tt.trans"}},
        Good{"tl.static_assert(tl.unsqueeze(m, -1).shape == (8, 16, 1))", {}},
        Good{"tl.static_assert(tl.squeeze(m[:, None], 1).shape == (8, 16))", {}},
        Good{"tl.static_assert(tl.full((1,), n, tl.int32).item().shape == ())", {"tt.unsplat"}},
        Good{"tl.static_assert(tl.reshape(tl.sum(x, keep_dims=True), ()).shape == ())",
             {"tt.unsplat"}},
        Good{"tl.static_assert(tl.full((), 1.5, tl.float32).shape == ())", {}},
        Good{"tl.static_assert(tl.gather(m, tl.zeros((8, 4), tl.int32), 1).shape == (8, 4))",
             {"tt.gather", "axis = 1"}},
        Good{"tl.static_assert(x.gather(o ^ 1, -1).shape == (128,))", {"axis = 0"}},
        Good{"tl.static_assert(o.histogram(64, mask=x > 0).shape == (64,))",
             {"tensor<128xi32> -> tensor<64xi32>"}},
        Good{"tl.static_assert(m[None].shape == (1, 8, 16))", {}},
        Good{"tl.static_assert(m[..., None].shape == (8, 16, 1))", {}},
        Good{"tl.static_assert(m[:, ..., None, :].shape == (8, 1, 16))", {}},
        Good{"tl.static_assert(m[None:None, None].shape == (8, 1, 16))", {}},
        Good{"tl.static_assert(tl.softmax(m, 1, keep_dims=True).shape == (8, 16))", {}},
        Good{"i, j = tl.swizzle2d(n, n, 8, 8, 2)\ntl.static_assert(j.dtype == tl.int32)", {}},
        Good{"tl.static_assert(tl.swizzle2d(1, 2, 4, 4, 2)[1].dtype == tl.int32)", {}},
        Good{"tl.static_assert(n.cdiv(4).dtype == tl.int32)", {}},
        Good{"a = tl.zeros((32, 32), tl.float8e5)\ny = tl.dot(a, a)",
             {"maxNumImpreciseAcc = 1073741824 : i32"}},
        Good{"a = tl.zeros((32, 32), tl.float8e5)\ny = tl.dot(a, a, max_num_imprecise_acc=0)",
             {"tt.dot", "!maxNumImpreciseAcc"}},
        Good{"a = tl.zeros((32, 32), tl.float16)\ny = tl.dot(a, a)",
             {"tt.dot", "!maxNumImpreciseAcc"}},
        Good{"tl.static_assert(triton.cdiv(x=9, y=4) == 3 and tl.cdiv(9, div=4) == 3)", {}},
        Good{
            "tl.static_assert(tl.pi32_t == tl.pointer_type(tl.int32) and tl.core.CONSTEXPR_0 == 0)",
            {}},
        Good{"tl.static_assert(tl.str_to_ty('*fp16', None) == tl.pointer_type(tl.float16))", {}},
        Good{"tl.static_assert(tl.core.get_primitive_bitwidth('u8') == 8)", {}},
        Good{"tl.static_assert(tl.core.get_primitive_bitwidth(tl.bfloat16) == 16)", {}},
        Good{"tl.store(x_ptr + m.to(tl.int32), tl.arange(0, 16), mask=tl.arange(0, 16) > 3)", {}},
        Good{"tl.static_assert(tl.rand(n, m.to(tl.int32)).shape == (8, 16))", {}},
        Good{"tl.static_assert(tl.rand(o[:, None], tl.arange(0, 4)).shape == (128, 4))", {}}));

// Where a word is zero, nothing is computed with it: of a one-word offset the first round
// multiplies once.
TEST(Random, ZeroWordsCostNothing) {
  test::Compiled compiled = compile("r = tl.randint(n, o, 1)\ntl.store(x_ptr + o, r)");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  EXPECT_EQ(llvm::StringRef(compiled.text).count("tt.mulhiui"), 1u) << compiled.text;
  compiled = compile("r = tl.randint(n, o, 3)\ntl.store(x_ptr + o, r)");
  EXPECT_EQ(llvm::StringRef(compiled.text).count("tt.mulhiui"), 5u) << compiled.text;
}

//===--------------------------------------------------------------------------===//
// What is refused
//===--------------------------------------------------------------------------===//

struct Bad {
  const char *body;
  /// The column of the error in the body's last line, from 1 at its start.
  int column;
  const char *message;
  const char *remedy = "";
};

class BadCall : public testing::TestWithParam<Bad> {};

TEST_P(BadCall, IsRefusedWithPlaceAndRemedy) {
  test::Compiled compiled = compile(GetParam().body);
  ASSERT_EQ(compiled.errors.size(), 1u) << GetParam().body << "\n" << compiled.text;
  const Diagnostic &error = compiled.errors.front();
  std::string shown = GetParam().body + std::string("\n") + compiled.rendered();
  EXPECT_TRUE(compiled.text.empty());
  EXPECT_NE(error.message.find(GetParam().message), std::string::npos) << shown;
  EXPECT_NE(error.remedy.find(GetParam().remedy), std::string::npos) << shown;
  auto lines = static_cast<int>(llvm::StringRef(GetParam().body).count('\n'));
  EXPECT_EQ(error.where.line, linesBefore + 1 + lines) << shown;
  EXPECT_EQ(error.where.column, 4 + GetParam().column) << shown;
}

// What Triton brings to one shape in one operation, it does not in another.
INSTANTIATE_TEST_SUITE_P(
    Shapes, BadCall,
    testing::Values(
        Bad{"tl.atomic_add(x_ptr + m.to(tl.int32), o)", 39, "'val' has the shape [128], but",
            "[:, None] adds one"},
        Bad{"tl.atomic_max(x_ptr + m.to(tl.int32), 1, mask=o > 3)", 42,
            "'mask' has the shape [128], but what it goes with has [8, 16]", "[:, None] adds one"},
        Bad{"tl.atomic_cas(x_ptr + o, o[:, None], o)", 26, "'cmp' has the shape [128, 1]",
            "tl.broadcast_to"},
        Bad{"tl.atomic_cas(x_ptr + o, 0, tl.zeros((1,), tl.int32))", 29,
            "'val' has the shape [1], but what it goes with has [128]", "tl.broadcast_to"},
        Bad{"y = tl.broadcast_to(x, (8, 128))", 24, "'shape' has 2 dimensions, but", "[:, None]"},
        Bad{"b = tl.make_block_ptr(x_ptr, (n, n), (n, 1), (0, 0), (8, 16), (1, 0))\n"
            "tl.store(b, tl.zeros((1, 16), tl.float32))",
            13, "'value' has the shape [1, 16], but what it goes with has [8, 16]",
            "tl.broadcast_to"},
        Bad{"y = tl.load(x_ptr + o, mask=n > 1, other=tl.zeros((4, 1), tl.float32))", 36,
            "does not fit shape [128]: it has more dimensions"},
        Bad{"y = tl.load(x_ptr + o, mask=1)", 24, "'mask' must be boolean, not the constant 1",
            "write True or False"}));

INSTANTIATE_TEST_SUITE_P(
    Reductions, BadCall,
    testing::Values(
        Bad{"tl.reduce(x, 1, add)", 14, "'axis' is 1, but there is 1 dimension", "write 0"},
        Bad{"tl.reduce(x, n, add)", 14, "'axis' must be a constant integer", "tl.constexpr"},
        Bad{"tl.reduce(n, 0, add)", 11, "must be a tensor or a tuple of tensors, not a scalar"},
        Bad{"tl.reduce((x, 1), 0, best)", 11, "a tuple with the constant 1"},
        Bad{"tl.reduce((), 0, best)", 11, "an empty tuple", "one tensor at least"},
        Bad{"tl.reduce((x, m), 0, best)", 11, "different shapes: [128] and [8, 16]",
            "tl.broadcast_to"},
        Bad{"tl.reduce(x, 0, tl.max)", 17, "must be a function with @triton.jit before it"},
        Bad{"tl.reduce(x, 0, best)", 1, "the argument 'b' is missing"},
        Bad{"tl.reduce((x, o), 0, add)", 22, "add takes 2 positional arguments"},
        Bad{"tl.reduce(x, 0, pair)", 17, "returns 2 values for 1 tensor",
            "return the combination of the two elements"},
        Bad{"tl.reduce(x, 0, nothing)", 17, "returns 0 values for 1 tensor"},
        Bad{"tl.reduce(x, 0, wide)", 17, "returns a scalar fp64 where the elements are fp32",
            ".to(..)"},
        Bad{"tl.reduce(x, 0, block)", 17, "where the elements are fp32"},
        Bad{"tl.reduce(x, 0, add, keep_dims='n')", 22, "'keep_dims' must be True or False"},
        Bad{"tl.xor_sum(x)", 12, "must have integers, not fp32", "bitcast=True"},
        Bad{"tl.sum(x_ptr + o)", 8, "pointers, which have no sum"},
        Bad{"tl.sum(x, dtype=3)", 11, "must be a type such as tl.float32"}));

INSTANTIATE_TEST_SUITE_P(
    ScansAndSorts, BadCall,
    testing::Values(
        Bad{"tl.cumsum(x, 2)", 14, "'axis' is 2, but there is 1 dimension"},
        Bad{"tl.cumsum(n)", 11, "must be a tensor, not a scalar i32"},
        Bad{"tl.cumsum(x, 0, 'n')", 17, "'reverse' must be True or False"},
        Bad{"tl.associative_scan((x, o), 0, pair)", 32, "pair takes 2 positional arguments"},
        Bad{"tl.associative_scan(x, 0, pair)", 27, "returns 2 values for 1 tensor"},
        Bad{"tl.associative_scan(x, None, add)", 24, "'axis' must be a constant integer"},
        Bad{"tl.sort(x, 1)", 12, "'dim' is 1, but there is 1 dimension"},
        Bad{"tl.sort(n)", 9, "must be a tensor of numbers"},
        Bad{"tl.sort(x_ptr + o)", 9, "must be a tensor of numbers"},
        Bad{"tl.topk(x, 3)", 12, "is 3; it must be a power of two, from 1 to 128"},
        Bad{"tl.topk(x, 256)", 12, "from 1 to 128, the size of the dimension"},
        Bad{"tl.topk(x, n)", 12, "must be a constant integer"},
        Bad{"tl.flip(x, 3)", 12, "'dim' is 3"}));

INSTANTIATE_TEST_SUITE_P(
    ShapesAndIndices, BadCall,
    testing::Values(
        Bad{"tl.join(x, o)", 12, "is a tensor [128] of i32 beside a tensor [128] of fp32",
            ".to(..)"},
        Bad{"tl.join(x, tl.arange(0, 4))", 12, "beside"}, Bad{"tl.join(x, m)", 1, "do not fit"},
        Bad{"tl.split(m)", 10, "its last dimension must be of size 2", "tl.reshape"},
        Bad{"tl.split(n)", 10, "must be a tensor"},
        Bad{"tl.cat(m, m, True)", 8, "must be a tensor of one dimension", "tl.ravel"},
        Bad{"tl.cat(o, tl.arange(0, 64), True)", 11, "has 64 elements, the other tensor 128"},
        Bad{"tl.squeeze(m, 0)", 15, "is a dimension of size 8"},
        Bad{"x.item()", 1, "has more than one element", "tl.sum"},
        Bad{"tl.reshape(x, ())", 1, "has more than one element", "tl.sum"},
        Bad{"tl.gather(x, x, 0)", 14, "must be a tensor of integers"},
        Bad{"tl.gather(m, o, 0)", 14, "has 1 dimensions, but the source has 2"},
        Bad{"tl.gather(m, tl.zeros((4, 4), tl.int32), 0)", 14, "they differ in dimension 1",
            "only dimension 0"},
        Bad{"tl.gather(x, o, 1)", 17, "'axis' is 1"},
        Bad{"tl.gather(x_ptr, o, 0)", 11, "must be a tensor", "tl.load"},
        Bad{"tl.histogram(x, 16)", 14, "must be a tensor of integers", ".to(tl.int32)"},
        Bad{"tl.histogram(m.to(tl.int32), 16)", 14, "must have one dimension", "tl.ravel"},
        Bad{"tl.histogram(o, 12)", 17, "Shape element 0 must be a power of 2", "use 16"},
        Bad{"tl.histogram(o, 16, mask=o)", 21, "must be boolean"},
        Bad{"tl.histogram(o, 16, mask=tl.arange(0, 4) < 2)", 21, "does not fit shape [128]"},
        Bad{"m[..., ...]", 8, "`...` twice"}, Bad{"m[0:2]", 3, "unsupported tensor index"},
        Bad{"m[:, :, :, None]", 9, "too many colons: it has 2 dimensions"}));

INSTANTIATE_TEST_SUITE_P(
    RandomAndComposed, BadCall,
    testing::Values(
        Bad{"tl.rand(1.5, o)", 9, "'seed' must be an integer"},
        Bad{"tl.rand(n, x)", 12, "'offset' must be integers"},
        Bad{"tl.rand(n, o, n)", 15, "'n_rounds' must be a constant integer"},
        Bad{"tl.rand(n, o, 2000)", 15, "is 2000, but must be from 0 to 1000"},
        Bad{"tl.philox(n, x, 0, 0, 0)", 14, "must be an integer of 32 or 64 bits"},
        Bad{"tl.philox(n, o, l, 0, 0)", 17, "must be an integer of 32 bits as the first one is"},
        Bad{"tl.philox_impl(o, 0, 0, 0, 1, 2)", 16, "must be an unsigned integer of 32 or 64 bits",
            ".to(tl.uint32)"},
        Bad{"tl.philox_impl(o.to(tl.uint32), 0, 0, 0, n, 2)", 42, "must be u32 as the counters"},
        Bad{"tl.uint_to_uniform_float(x)", 26, "must be an integer of 32 or 64 bits"},
        Bad{"tl.pair_uniform_to_normal(h, h)", 27, "must be fp32 or fp64"},
        Bad{"tl.softmax(o)", 12, "must be a tensor of floats", ".to(tl.float32)"},
        Bad{"tl.softmax(m, 2)", 15, "'dim' is 2, but there are 2 dimensions"}));

} // namespace
