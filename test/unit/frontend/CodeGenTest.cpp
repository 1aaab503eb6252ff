//===- CodeGenTest.cpp - IR of small kernels ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestSupport.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

//===--------------------------------------------------------------------------===//
// The example kernels
//===--------------------------------------------------------------------------===//

/// The ops in the order in which they stand.
std::vector<std::string> opsOf(llvm::StringRef text) {
  std::vector<std::string> ops;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (size_t equals = line.find(" = "); line.starts_with("%") && equals != llvm::StringRef::npos)
      line = line.drop_front(equals + 3);
    line = line.ltrim('"');
    llvm::StringRef name =
        line.take_while([](char c) { return isalnum(c) || c == '_' || c == '.'; });
    if (name.contains('.'))
      ops.push_back(name.str());
  }
  return ops;
}

TEST(Examples, VectorAdd) {
  test::Compiled compiled = test::compile(test::readExample("elementwise.py"),
                                          "*fp32:16, *fp32:16, *fp32:16, i32, 1024", "vector_add");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  EXPECT_TRUE(compiled.has("tt.func public @vector_add(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : "
                           "i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: "
                           "!tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) attributes "
                           "{noinline = false}"))
      << compiled.text;
  EXPECT_EQ(opsOf(compiled.text),
            (std::vector<std::string>{
                "tt.func",   "arith.constant", "tt.get_program_id", "arith.muli", "tt.make_range",
                "tt.splat",  "arith.addi",     "tt.splat",          "arith.cmpi", "tt.splat",
                "tt.addptr", "tt.load",        "tt.splat",          "tt.addptr",  "tt.load",
                "tt.splat",  "tt.addptr",      "arith.addf",        "tt.store",   "tt.return"}));
}

TEST(Examples, Softmax) {
  test::Compiled compiled = test::compile(test::readExample("rowwise.py"),
                                          "*fp32:16, *fp32:16, i32:16, i32:16, 4096", "softmax");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  EXPECT_TRUE(compiled.has("arith.constant dense<0xFF800000> : tensor<4096xf32>"));
  EXPECT_TRUE(compiled.has("arith.maxnumf"));
  EXPECT_TRUE(compiled.has("math.exp"));
  EXPECT_TRUE(compiled.has("(tensor<4096xf32>) -> f32"));
  EXPECT_TRUE(compiled.has("arith.divf"));
}

TEST(Examples, MatmulByRankOneUpdates) {
  test::Compiled compiled = test::compile(
      test::readExample("gemm.py"),
      "*fp32:16, *fp32:16, *fp32:16, i32:16, i32:16, i32:16, i32:16, i32, i32:16, i32, i32:16, "
      "i32, 128, 64",
      "matmul_fma");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  EXPECT_TRUE(compiled.has("arith.constant dense<0.000000e+00> : tensor<128x64xf32>"));
  EXPECT_TRUE(compiled.has("-> (tensor<128x64xf32>)  : i32 {")) << compiled.text;
  EXPECT_TRUE(compiled.has("tt.broadcast"));
  EXPECT_TRUE(compiled.has("{axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>"));
}

TEST(Examples, LayerNormAndTranspose) {
  EXPECT_TRUE(test::compile(test::readExample("rowwise.py"),
                            "*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, "
                            "i32:16, fp32, 2048",
                            "layer_norm")
                  .verified);
  EXPECT_TRUE(test::compile(test::readExample("elementwise.py"),
                            "*fp32:16, *fp32:16, i32:16, i32:16, 64, 64", "transpose")
                  .verified);
}

TEST(Examples, TheSameTwice) {
  auto once = [] {
    return test::compile(test::readExample("rowwise.py"),
                         "*fp32:16, *fp32:16, i32:16, i32:16, 4096", "softmax", true)
        .text;
  };
  EXPECT_EQ(once(), once());
}

//===--------------------------------------------------------------------------===//
// Single statements
//===--------------------------------------------------------------------------===//

/// Statements of a kernel body (TestSupport.h), and lines that the module must have.
struct Good {
  const char *body;
  std::vector<const char *> has;
};

class Statements : public testing::TestWithParam<Good> {};

TEST_P(Statements, Compile) {
  test::Compiled compiled = test::compileBody(GetParam().body);
  ASSERT_TRUE(compiled.errors.empty()) << GetParam().body << "\n" << compiled.rendered();
  ASSERT_TRUE(compiled.verified) << GetParam().body << "\n" << compiled.text;
  for (const char *part : GetParam().has) {
    bool absent = part[0] == '!';
    EXPECT_EQ(compiled.has(part + absent), !absent) << part << " for:\n"
                                                    << GetParam().body << "\n"
                                                    << compiled.text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Promotion, Statements,
    testing::Values(
        // Integers: the wider; of equal width, the unsigned.
        Good{"y = n + l", {"arith.extsi %arg3 : i32 to i64", "arith.addi", ": i64"}},
        Good{"y = u + l", {"arith.extui %arg5 : i32 to i64", "arith.addi"}},
        Good{"y = (n + u) > 0", {"arith.addi %arg3, %arg5 : i32", "arith.cmpi ugt"}},
        Good{"y = n.to(tl.int8) + n.to(tl.uint8) > 0", {"arith.extui %", "arith.cmpi sgt, %"}},
        Good{"y = n.to(tl.int16) + n.to(tl.uint8) > 0", {"arith.extui %", "arith.cmpi sgt"}},
        // Beside an operator a number takes the type of the tensor unless its kind is higher.
        Good{"y = n + 1", {"arith.addi %arg3, %", ": i32"}},
        Good{"y = n + True", {"arith.addi %arg3, %", ": i32"}},
        Good{"y = n + 1.5", {"arith.sitofp %arg3 : i32 to f32", "arith.addf"}},
        Good{"y = tl.load(y_ptr) * 2", {"arith.mulf %", ": f16", "!extf"}},
        Good{"y = tl.load(y_ptr) * 2.5", {"arith.mulf %", ": f16", "!extf"}},
        Good{"y = tl.load(y_ptr) / 2.5", {"arith.extf", "arith.divf %", ": f32"}},
        Good{"y = tl.load(y_ptr) * f", {"arith.extf", "arith.mulf %", ": f32"}},
        Good{"y = tl.load(y_ptr) + n", {"arith.sitofp %arg3 : i32 to f16", "arith.addf"}},
        Good{"z = tl.load(y_ptr)\ny = z / z", {"arith.extf", "arith.divf %", ": f32"}},
        Good{"z = tl.load(y_ptr)\ny = z + z.to(tl.bfloat16)", {"arith.addf %", ": f16"}},
        Good{"z = f.to(tl.bfloat16)\ny = z + n", {"arith.addf %", ": f32"}},
        Good{"z = f.to(tl.bfloat16)\ny = z + z", {"arith.addf %", ": bf16"}},
        Good{"y = n / 2", {"arith.sitofp", "arith.divf %", ": f32"}},
        Good{"y = n // 2", {"arith.divsi"}}, Good{"y = u // 2", {"arith.divui"}},
        Good{"y = n % 3", {"arith.remsi"}}, Good{"y = u % 3", {"arith.remui"}},
        Good{"y = f % 3", {"arith.remf"}}, Good{"y = n >> 1", {"arith.shrsi"}},
        Good{"y = u >> 1", {"arith.shrui"}}, Good{"y = n << 1", {"arith.shli"}},
        Good{"y = n ^ 1 | 2 & n", {"arith.xori", "arith.ori"}},
        Good{"x = 5000000000\ny = n + x", {"arith.extsi %arg3 : i32 to i64"}},
        Good{"x = 4000000000\ny = x > n", {"arith.cmpi ult, %arg3"}},
        Good{"x = 1e300\ny = f * x", {"arith.extf %arg4 : f32 to f64"}}));

INSTANTIATE_TEST_SUITE_P(
    Operators, Statements,
    testing::Values(
        Good{"y = -n", {"arith.subi"}}, Good{"y = -f", {"arith.subf"}},
        Good{"y = ~n", {"arith.constant -1 : i32", "arith.xori"}},
        Good{"y = not n", {"arith.cmpi ne", "arith.xori"}}, Good{"y = +n", {"!arith.addi"}},
        Good{"y = 0 < n < 5", {"arith.cmpi sgt, %arg3", "arith.cmpi slt, %arg3", "arith.andi"}},
        Good{"y = n > 0 and f > 0", {"arith.cmpi sgt", "arith.cmpf ogt", "arith.andi"}},
        Good{"y = n or u", {"arith.cmpi ne, %arg3", "arith.cmpi ne, %arg5", "arith.ori"}},
        Good{"y = B > 0 or n > 0", {"!arith.cmpi"}}, Good{"y = f != f", {"arith.cmpf une"}},
        Good{"y = x_ptr == x_ptr + 1", {"tt.ptr_to_int", "arith.cmpi eq"}},
        Good{"y = x_ptr is None\ntl.static_assert(x_ptr is not None)", {"!cmpi"}},
        Good{"y = x_ptr - n", {"arith.subi", "tt.addptr"}},
        Good{"y = n + x_ptr", {"tt.addptr %arg0, %arg3"}},
        Good{"y = x_ptr + u", {"arith.extui %arg5 : i32 to i64", "tt.addptr"}},
        Good{"y = min(n, 3, u)", {"arith.minsi", "arith.minui"}},
        Good{"y = max(f, 0)", {"arith.maxnumf"}},
        Good{"y = tl.cdiv(n, B)", {"arith.constant 127", "arith.addi", "arith.divsi"}},
        Good{"y = n\ny += 1\ny -= 2\ny *= 3\ny //= 4\ny %= 5\ny |= 6\ny &= 7\ny ^= 8\ny <<= 1\n"
             "y >>= 2",
             {"arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.remsi", "arith.ori",
              "arith.andi", "arith.xori", "arith.shli", "arith.shrsi"}}));

/// Python's arithmetic on constants, checked while compiling.
INSTANTIATE_TEST_SUITE_P(
    Constants, Statements,
    testing::Values(
        Good{"tl.static_assert(-7 // 2 == -4)\ntl.static_assert(-7 % 3 == 2)\n"
             "tl.static_assert(7 // -2 == -4 and 7 % -3 == -2)\n"
             "tl.static_assert(2 ** 10 == 1024)\ntl.static_assert(2 ** -1 == 0.5)\n"
             "tl.static_assert(7 / 2 == 3.5)\ntl.static_assert(-7.5 // 2 == -4.0)\n"
             "tl.static_assert(1 << 20 == 1048576)\ntl.static_assert(-1 >> 100 == -1)\n"
             "tl.static_assert((5 & 3) == 1 and (5 | 3) == 7 and (5 ^ 3) == 6 and ~5 == -6)",
             {"!tt.assert"}},
        Good{"tl.static_assert(float('inf') > 1e308)\ntl.static_assert(-float('inf') < 0)\n"
             "tl.static_assert(float('nan') != float('nan'))\ntl.static_assert(int(3.9) == 3)\n"
             "tl.static_assert(len((1, 2, 3)) == 3)\ntl.static_assert(1 < 2 < 3)\n"
             "tl.static_assert(not 1 > 2)\ntl.static_assert('a' in ('a', 'b'))\n"
             "tl.static_assert(3 not in (1, 2))\ntl.static_assert((1, 2, 3)[-1] == 3)\n"
             "tl.static_assert((1, 2, 3)[1:] == (2, 3))\ntl.static_assert(max(1, 2.5) == 2.5)\n"
             "tl.static_assert(tl.cdiv(9, 4) == 3)\ntl.static_assert(triton.cdiv(8, 4) == 2)\n"
             "tl.static_assert(triton.next_power_of_2(100) == 128)\n"
             "tl.static_assert((1 if B > 3 else 2) == 1)",
             {"!tt.assert"}},
        Good{"tl.static_assert(o.shape[0] == 128)\ntl.static_assert(o[:, None].shape == (128, 1))\n"
             "tl.static_assert(x_ptr.dtype.element_ty == tl.float32)\n"
             "tl.static_assert(o.dtype == tl.int32)\ntl.static_assert(o.dtype.is_int())\n"
             "tl.static_assert(f.dtype.primitive_bitwidth == 32)\n"
             "tl.static_assert(x_ptr.dtype.is_ptr())\ntl.static_assert(o.numel == 128)",
             {"!tt.assert"}},
        Good{"assert B == 128, 'B'\ny = tl.zeros([B], tl.float32)", {"tt.return"}}));

INSTANTIATE_TEST_SUITE_P(
    ControlFlow, Statements,
    testing::Values(
        Good{"acc = 0\nfor i in range(n):\n    acc += i\ntl.store(i_ptr, acc)",
             {"scf.for %arg7 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg8 = %c0_i32) -> (i32)"}},
        Good{"for i in range(10, 0, -2):\n    tl.store(i_ptr + i, i)",
             {"scf.for", "arith.subi %c10_i32"}},
        Good{"for i in range(l):\n    pass", {"scf.for", ": i64 {"}},
        Good{"for i in tl.range(0, n, num_stages=3, loop_unroll_factor=2, flatten=True):\n    pass",
             {"tt.flatten", "tt.loop_unroll_factor = 2 : i32", "tt.num_stages = 3 : i32"}},
        Good{"for i in tl.static_range(3):\n    tl.store(i_ptr + i, i)",
             {"!scf.for", "tt.store %arg2, %c0_i32"}},
        Good{"for i in tl.static_range(4, 0, -2):\n    tl.store(i_ptr, i)",
             {"tt.store %arg2, %c4_i32", "tt.store %arg2, %c2_i32"}},
        Good{"a = (n, f)\nfor i in range(n):\n    a = (a[0] + 1, a[1] * 2)\ntl.store(x_ptr, a[1])",
             {"-> (i32, f32)"}},
        Good{"i = 0\nwhile i < n:\n    i += 1\ntl.store(i_ptr, i)",
             {"scf.while", "scf.condition", "scf.yield"}},
        Good{"y = 0\nif n > 0:\n    y = 1\ntl.store(i_ptr, y)", {"scf.if %", "-> (i32)"}},
        Good{"if n > 0:\n    y = f\nelif n < -5:\n    y = 2.0\nelse:\n    y = 3.0\n"
             "tl.store(x_ptr, y)",
             {"scf.if %", "-> (f32)", "} else {"}},
        Good{"if B > 64:\n    tl.store(i_ptr, 1)\nelse:\n    nonsense()", {"!scf.if", "tt.store"}},
        Good{"if n > 0:\n    tl.store(i_ptr, 1)", {"scf.if", "!else"}},
        Good{"if n > 0:\n    return\ntl.store(i_ptr, 1)", {"scf.if", "} else {", "tt.store"}},
        Good{"if B > 0:\n    if n > 0:\n        return\n    tl.store(i_ptr, 1)\ntl.store(i_ptr, 2)",
             {"scf.if", "tt.store %arg2, %c1_i32", "tt.store %arg2, %c2_i32"}},
        Good{"return\nnonsense()", {"tt.return"}},
        Good{"y = f if n > 0 else 1\ntl.store(x_ptr, y)", {"scf.if", "scf.yield %arg4 : f32"}},
        Good{"'docstring'\n3\n...\npass\nx: int\n(n)", {"tt.return"}}));

INSTANTIATE_TEST_SUITE_P(
    Builtins, Statements,
    testing::Values(
        Good{"y = tl.num_programs(2)", {"tt.get_num_programs z : i32"}},
        Good{"y = tl.arange(64, 128)", {"{end = 128 : i32, start = 64 : i32} : tensor<64xi32>"}},
        Good{"y = tl.full((4, 8), 3, tl.float16)\ntl.store(y_ptr + y.to(tl.int32), y)",
             {"dense<3.000000e+00> : tensor<4x8xf16>"}},
        Good{"y = tl.full((4,), f, tl.float16)", {"arith.truncf", "tt.splat"}},
        // Triton makes zeros by their type.
        Good{"y = tl.full((4,), 0.0, tl.int32)\ntl.store(i_ptr + y, y)",
             {"dense<0> : tensor<4xi32>"}},
        Good{"tl.store(x_ptr, f * -0.0)", {"constant 0.000000e+00 : f32", "!-0.0"}},
        Good{"y = tl.zeros_like(o)\ntl.store(i_ptr + o, y)", {"dense<0> : tensor<128xi32>"}},
        Good{"y = tl.load(x_ptr + o, o < n, 0, cache_modifier='.ca', "
             "eviction_policy='evict_last', volatile=True)",
             {"cacheModifier = ca", "evictionPolicy = evict_last", "isVolatile = true"}},
        Good{"y = tl.load(x_ptr + o[:, None], mask=o[:, None] < n)",
             {"tensor<128x1x!tt.ptr<f32>>", "!tt.broadcast"}},
        Good{"p = x_ptr + o[:, None] + o[None, :] * 0\n",
             {"tt.broadcast", "tensor<128x128x!tt.ptr<f32>>"}},
        Good{"y = tl.load(x_ptr + o[:, None] + tl.zeros((1, 4), tl.int32), mask=o[:, None] < n)",
             {"tensor<128x1xi1> -> tensor<128x4xi1>"}},
        Good{"y = tl.load(x_ptr + o[None, :], mask=o[:, None] < n, other=0.0)\n"
             "tl.static_assert(y.shape == (128, 128))",
             {"tensor<1x128x!tt.ptr<f32>> -> tensor<128x128x!tt.ptr<f32>>",
              "tensor<128x1xi1> -> tensor<128x128xi1>"}},
        Good{"y = tl.load(x_ptr + o, mask=o[:, None] > 1, other=tl.zeros((128, 1), tl.float32))\n"
             "tl.static_assert(y.shape == (128, 128))",
             {"arith.constant dense<0.000000e+00> : tensor<128x128xf32>"}},
        Good{"tl.store(x_ptr + o, 1, cache_modifier='.cs', eviction_policy='evict_first')",
             {"dense<1.000000e+00> : tensor<128xf32>", "cacheModifier = cs",
              "evictionPolicy = evict_first"}},
        Good{"b = i_ptr.to(tl.int64)\n", {"tt.ptr_to_int"}},
        Good{"x = o.to(tl.float32)\ny = tl.max(x)\nz = tl.min(x, 0, keep_dims=True)\nw = x.sum(0)",
             {"arith.maxnumf", "arith.minnumf", "arith.addf", "tensor<1xf32>"}},
        Good{"v, i = tl.max(o[:, None] + o[None, :], 1, return_indices=True)\ntl.store(i_ptr + o, "
             "i)",
             {"(tensor<128x128xi32>, tensor<128x128xi32>) -> (tensor<128xi32>, tensor<128xi32>)",
              "arith.cmpi sgt", "arith.cmpi eq", "arith.select"}},
        Good{"i = tl.argmin(o.to(tl.float32), 0, tie_break_left=False, keep_dims=True)",
             {"arith.cmpf olt", "!arith.cmpf oeq", "tensor<1xi32>"}},
        Good{"tl.static_assert(B == 128, f'B is {B}, {tl.float32!r} {\"x\"}')", {"tt.return"}},
        Good{"x = 1\nw = x // (x - 1)\nv = x % (x - 1)", {"tt.return"}},
        Good{"y = tl.sum(o[:, None] + o[None, :])",
             {"tt.reshape", "allow_reorder", "tensor<16384xi32>"}},
        Good{"y = tl.sum(o < n)", {"arith.extui", "arith.addi"}},
        Good{"y = tl.max(o.to(tl.float16), axis=-1)", {"arith.extf", "arith.maxnumf"}},
        Good{"y = tl.exp(f) + tl.exp2(f) + tl.log(f) + tl.log2(f) + tl.sqrt(f) + tl.rsqrt(f) + "
             "tl.sin(f) + tl.cos(f) + tl.floor(f) + tl.ceil(f) + tl.abs(f)",
             {"math.exp ", "math.exp2", "math.log ", "math.log2", "math.sqrt", "math.rsqrt",
              "math.sin", "math.cos", "math.floor", "math.ceil", "math.absf"}},
        Good{"y = tl.math.exp(f)\nz = f.exp()", {"math.exp"}},
        Good{"y = tl.sqrt_rn(f)\nz = tl.div_rn(f, 2)", {"tt.precise_sqrt", "tt.precise_divf"}},
        Good{"y = tl.abs(n)\nz = tl.abs(u)", {"math.absi %arg3", "!math.absi %arg5"}},
        Good{"y = tl.where(o < n, x_ptr + o, x_ptr)", {"arith.select"}},
        Good{"y = tl.where(o < n, 1.0, 0)", {"arith.select", "tensor<128xf32>"}},
        Good{"y = tl.maximum(o, 3)\nz = tl.minimum(f, 1.0, propagate_nan=tl.PropagateNan.ALL)",
             {"arith.maxsi", "arith.minimumf"}},
        Good{"y = tl.fma(f, 2.0, n)", {"math.fma"}},
        Good{"y = tl.clamp(f, 0.0, 6)", {"tt.clampf %arg4", "propagateNan = none"}},
        Good{"y = tl.umulhi(u, u)", {"tt.mulhiui"}},
        Good{"y = f.to(tl.float16)\nz = y.to(tl.float64)\nw = n.to(tl.float32)\nv = f.to(tl.int32)",
             {"arith.truncf %arg4 : f32 to f16", "arith.extf", "arith.sitofp", "arith.fptosi"}},
        Good{"y = f.to(tl.uint8)\nz = u.to(tl.float32)\nw = (n > 0).to(tl.int32)",
             {"arith.fptoui", "arith.uitofp", "arith.extui"}},
        Good{"y = f.to(tl.float8e4nv)\nz = y.to(tl.float16)",
             {"tt.fp_to_fp %arg4, rounding = rtne : f32 -> f8E4M3FN", ": f8E4M3FN -> f16"}},
        Good{"y = f.to(tl.int32, bitcast=True)\nz = tl.cast(n, tl.uint32)",
             {"tt.bitcast %arg4 : f32 -> i32"}},
        Good{"y = tl.reshape(o, (4, 32)).T\nz = tl.trans(o[None, :])\nw = y.permute(1, 0)",
             {"tt.reshape", "order = array<i32: 1, 0>"}},
        Good{"y = o.view(2, -1)", {"allow_reorder", "tensor<2x64xi32>"}},
        Good{"y = tl.broadcast_to(f, (4, 4))\nz = tl.expand_dims(o, 0)",
             {"tt.splat", "tensor<4x4xf32>", "{axis = 0 : i32}"}},
        Good{"y = f[None, None]", {"tensor<1x1xf32>"}}, Good{"y = 1.0[None]", {"tt.return"}},
        Good{"y = tl.multiple_of(n * 2, 16)\nz = tl.max_contiguous(o + n, 128)",
             {"tt.divisibility = dense<16> : tensor<1xi32>",
              "tt.contiguity = dense<128> : tensor<1xi32>"}},
        Good{"q = o * n\nfor i in range(n):\n    q = tl.multiple_of(q, 16) + n",
             {"tt.divisibility = dense<16> : tensor<1xi32>"}},
        Good{"q = o * n\nm = n\nwhile m > 0:\n    q = tl.max_contiguous(q, 16) + n\n    m -= 1",
             {"tt.contiguity = dense<16> : tensor<1xi32>"}},
        Good{"tl.assume(n > 0)", {"llvm.intr.assume"}},
        Good{"tl.debug_barrier()", {"ttg.barrier all"}}));

//===--------------------------------------------------------------------------===//
// Functions, globals, locations
//===--------------------------------------------------------------------------===//

constexpr llvm::StringLiteral head = "import triton\nimport triton.language as tl\n";

TEST(Functions, AreSpecializedAndShared) {
  test::Compiled compiled = test::compile((head + R"(
@triton.jit
def scale(x, by: tl.constexpr, plus=0):
    return x * by + plus, by

@triton.jit
def k(p, n, f):
    a, b = scale(n, 3)
    c, d = scale(f, by=3)
    e, g = scale(n, 3)
    h, i = scale(n, plus=1, by=4)
    tl.store(p, a + c + e + h + b + d)
)")
                                              .str(),
                                          "*fp32, i32, fp32");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  EXPECT_EQ(llvm::StringRef(compiled.text).count("tt.func private"), 3u) << compiled.text;
  EXPECT_EQ(llvm::StringRef(compiled.text).count("tt.call @scale__i32_c3_c0("), 2u);
  EXPECT_TRUE(compiled.has("tt.func private @scale__fp32_c3_c0(%arg0: f32) -> (f32, i32)"));
}

TEST(Functions, NoInline) {
  test::Compiled compiled = test::compile((head + R"(
@triton.jit(noinline=True)
def apart(x):
    return x + 1

@triton.jit(do_not_specialize=["x"], noinline=False)
def within(x):
    return x + 2

@triton.jit
def k(p, n):
    tl.store(p, apart(n) + within(n))
)")
                                              .str(),
                                          "*fp32, i32");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  EXPECT_TRUE(compiled.has("@apart__i32(%arg0: i32) -> i32 attributes {noinline = true}"));
  EXPECT_TRUE(compiled.has("@within__i32(%arg0: i32) -> i32 attributes {noinline = false}"));
}

TEST(Functions, ReturnFromBranches) {
  test::Compiled compiled = test::compile((head + R"(
@triton.jit
def pick(x, y):
    if x > y:
        return x
    z = y * 2
    if x == 0:
        return z
    return x + z

@triton.jit
def k(p, n):
    tl.store(p, pick(n, 3))
)")
                                              .str(),
                                          "*i32, i32");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  EXPECT_EQ(llvm::StringRef(compiled.text).count("scf.if"), 2u);
  EXPECT_EQ(llvm::StringRef(compiled.text).count("tt.return"), 2u);
}

TEST(Functions, TheKernelNobodyCallsIsChosen) {
  test::Compiled compiled = test::compile(
      (head + "@triton.jit\ndef f(x): return x\n@triton.jit\ndef k(x):\n    y = f(x)\n").str(),
      "i32");
  EXPECT_TRUE(compiled.has("tt.func public @k(")) << compiled.rendered();
}

TEST(Globals, ConstantsTypesAndAliases) {
  test::Compiled compiled = test::compile(R"(
import triton
from triton import language as L, jit
from triton.language import arange as ar, constexpr, float16
import os, torch

SIZE = L.constexpr(64)
HALF: L.constexpr = SIZE // 2
TYPE = L.float32
T2 = float16
unused = os.environ.get("X", [i for i in range(3)])

class Launcher:
    def run(self): return f"{self}"

@jit
def f(x: "L.constexpr"):
    return x

@triton.autotune(configs=[], key=['n'])
@jit
def k(p, n):
    o = ar(0, SIZE)
    L.store(p + o, L.zeros((SIZE,), TYPE), mask=o < f(HALF))

def launch(x):
    k[(1,)](x, x.numel())
)",
                                          "*fp32, i32");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  EXPECT_TRUE(compiled.has("tensor<64xi32>"));
  EXPECT_TRUE(compiled.has("tt.call @f__c32() : () -> i32")) << compiled.text;
}

TEST(Signatures, ConstantsSpecialize) {
  test::Compiled compiled = test::compile(
      (head + "@triton.jit\ndef k(p, q, n, m, b: tl.constexpr):\n    if q is not None:\n        "
              "tl.store(q, 1)\n    tl.store(p, n + m)\n")
          .str(),
      "*i32:16, None, i32:16, i32:1, 'a:b'");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  EXPECT_TRUE(compiled.has("@k(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: i32 "
                           "{tt.divisibility = 16 : i32})"));
  EXPECT_EQ(llvm::StringRef(compiled.text).count("tt.store"), 1u);

  // All parameters are described, those that are compiled in as well.
  std::string described;
  for (const KernelArgument &argument : compiled.arguments)
    described += argument.name + " " + argument.type + " " + std::to_string(argument.divisibility) +
                 " " + argument.value.value_or("") + ";";
  EXPECT_EQ(described, "p *i32 16 ;q constexpr 1 None;n i32 16 ;m constexpr 1 1;"
                       "b constexpr 1 'a:b';");
}

TEST(Locations, NameFileLineColumnAndVariable) {
  test::Compiled compiled = test::compile(
      (head + "@triton.jit\ndef k(p, n):\n    y = n * 2 + 1\n    tl.store(p, y)\n").str(),
      "*i32, i32", "", true);
  ASSERT_TRUE(compiled.verified);
  // The operator's sign, under the variable's name; a call at its head.
  EXPECT_TRUE(compiled.has("arith.muli %arg1, %c2_i32 : i32 \"y\"(#loc1)")) << compiled.text;
  EXPECT_TRUE(compiled.has("arith.addi %0, %c1_i32 : i32 \"y\"(#loc2)"));
  EXPECT_TRUE(compiled.has("#loc1 = test.py:5:11"));
  EXPECT_TRUE(compiled.has("#loc2 = test.py:5:15"));
  EXPECT_TRUE(compiled.has("tt.store %arg0, %1 : !tt.ptr<i32> test.py:6:5")) << compiled.text;
  EXPECT_TRUE(compiled.has("#loc = test.py:4:1"));
  EXPECT_TRUE(compiled.has("%arg1: i32 \"n\"(#loc)"));
}

} // namespace
