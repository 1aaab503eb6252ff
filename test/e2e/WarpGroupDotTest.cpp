//===- WarpGroupDotTest.cpp - Products of warpgroups --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// c = a @ b + c by ttng.warp_group_dot, from text as Triton prints it: operands are loaded, put
// into shared memory (or kept in registers) and multiplied. Numbers are small integers, so that
// results are exact in every type. Faults are planted in the text; the simulator must find each
// of them and name the lines, however early it completes products.
//
//===--------------------------------------------------------------------------===//

#include "ProductIR.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::test;
using simulate::AsyncCompletion;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

using test::expectProduct;

struct Product {
  int m = 64, n = 64, k = 64;
  /// Triton's names of the types of operands and result.
  std::string type = "f16", result = "f32";
  int warps = 4, warpsAlongN = 1;
  /// N of an instruction.
  int columns = 64;
  /// Bytes of the swizzle of a and b; 0: a in registers.
  int aSwizzle = 128, bSwizzle = 128;
  /// Whether they are contiguous along M and along N in shared memory.
  bool aAlongRows = false, bAlongRows = true;
  /// Attributes of the product besides.
  std::string attributes = {};
  /// `, %use`, a condition; its value is an argument.
  std::string useC = {};
};

int bytesOf(const std::string &type) {
  return type == "f32" || type == "i32" ? 4 : type == "f16" || type == "bf16" ? 2 : 1;
}

/// The kernel, with `body` in place of the product: it makes %d of %am (or %ar), %bm and %ct.
std::string textOf(const Product &p, const std::string &body) {
  const int bits = 8 * bytesOf(p.type);
  auto shared = [&](int swizzle, bool transposed) {
    return "#ttg.nvmma_shared<{swizzlingByteWidth = " + std::to_string(swizzle) +
           ", transposed = " + (transposed ? "true" : "false") +
           ", elementBitWidth = " + std::to_string(bits) + "}>\n";
  };
  const std::string w = std::to_string(p.warps);
  std::string text =
      "#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
      "warpsPerCTA = [" +
      w + ", 1], order = [1, 0]}>\n" +
      "#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [" +
      std::to_string(p.warps / p.warpsAlongN) + ", " + std::to_string(p.warpsAlongN) +
      "], instrShape = [16, " + std::to_string(p.columns) + ", " + std::to_string(256 / bits) +
      "]}>\n" + "#sa = " + shared(p.aSwizzle, p.aAlongRows) +
      "#sb = " + shared(p.bSwizzle, !p.bAlongRows) +
      "#dot = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = " + std::to_string(32 / bits) +
      "}>\n#smem = #ttg.shared_memory\n" +
      "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = " + w +
      " : i32, ttg.target = \"cuda:90\", \"ttg.threads-per-warp\" = 32 : i32} {\n";
  text += "  tt.func public @kernel(%a: !tt.ptr<T>, %b: !tt.ptr<T>, %c: !tt.ptr<R>, %flag: i32) {";
  text += pointersTo("a", p.m, p.k, "T") + pointersTo("b", p.k, p.n, "T") +
          pointersTo("c", p.m, p.n, "R");
  text += R"(
    %zero = arith.constant 0 : i32
    %use = arith.cmpi ne, %flag, %zero : i32
    %al = tt.load %ap : tensor<MxKx!tt.ptr<T>, #b>
    %bl = tt.load %bp : tensor<KxNx!tt.ptr<T>, #b>
    %cl = tt.load %cp : tensor<MxNx!tt.ptr<R>, #b>
    %ct = ttg.convert_layout %cl : tensor<MxNxR, #b> -> tensor<MxNxR, #mma>
)";
  text += body + R"(
    %dl = ttg.convert_layout %d : tensor<MxNxR, #mma> -> tensor<MxNxR, #b>
    tt.store %cp, %dl : tensor<MxNx!tt.ptr<R>, #b>
    tt.return
  }
}
)";
  text = replaceAll(text, "MxNx", std::to_string(p.m) + "x" + std::to_string(p.n) + "x");
  text = replaceAll(text, "MxKx", std::to_string(p.m) + "x" + std::to_string(p.k) + "x");
  text = replaceAll(text, "KxNx", std::to_string(p.k) + "x" + std::to_string(p.n) + "x");
  text = replaceAll(text, "xR,", "x" + p.result + ",");
  text = replaceAll(text, "xT,", "x" + p.type + ",");
  text = replaceAll(text, "<T>", "<" + p.type + ">");
  return replaceAll(text, "<R>", "<" + p.result + ">");
}

/// %am and %bm in shared memory, or %ar in registers.
std::string operandsOf(const Product &p) {
  std::string text = p.aSwizzle ? R"(
    %am = ttg.local_alloc %al : (tensor<MxKxT, #b>) -> !ttg.memdesc<MxKxT, #sa, #smem>)"
                                : R"(
    %ar = ttg.convert_layout %al : tensor<MxKxT, #b> -> tensor<MxKxT, #dot>)";
  return text + R"(
    %bm = ttg.local_alloc %bl : (tensor<KxNxT, #b>) -> !ttg.memdesc<KxNxT, #sb, #smem>
)";
}

/// `%NAME = ` the product of them with `accumulator`.
std::string productOf(const Product &p, const std::string &name, const std::string &accumulator) {
  return "    %" + name + " = ttng.warp_group_dot " + (p.aSwizzle ? "%am" : "%ar") + ", %bm, %" +
         accumulator + p.useC + " {inputPrecision = 0 : i32" + p.attributes +
         "} : " + (p.aSwizzle ? "!ttg.memdesc<MxKxT, #sa, #smem>" : "tensor<MxKxT, #dot>") +
         " * !ttg.memdesc<KxNxT, #sb, #smem> -> tensor<MxNxR, #mma>\n";
}

std::string waitFor(const std::string &result, const std::string &name, int pendings) {
  return "    %" + result + " = ttng.warp_group_dot_wait %" + name +
         " {pendings = " + std::to_string(pendings) + " : i32} : tensor<MxNxR, #mma>\n";
}

/// A product that waits for itself is the same however early it completes.
void expectProduct(const Product &p) {
  constexpr AsyncCompletion late[] = {AsyncCompletion::Late};
  expectProduct(p, textOf(p, operandsOf(p) + productOf(p, "d", "ct")), 1, 1, late);
}

/// The error of a faulty kernel.
std::string faultOf(const Product &p, const std::string &text) {
  return faultInAll([&](AsyncCompletion completion) { return run(p, text, completion); });
}

const std::string isAsync = ", isAsync = true";

//===----------------------------------------------------------------------------===//
// What is right
//===----------------------------------------------------------------------------===//

TEST(WarpGroupDot, Types) {
  for (bool inRegisters : {false, true})
    for (const char *type : {"f16", "bf16", "f32", "f8E4M3FN", "f8E5M2", "i8"}) {
      SCOPED_TRACE(std::string(type) + (inRegisters ? ", a in registers" : ""));
      Product p;
      p.type = type;
      p.result = p.type == "i8" ? "i32" : "f32";
      p.k = 64;
      p.aSwizzle = inRegisters ? 0 : std::min(128, p.k * bytesOf(p.type));
      // Only elements of 16 bits may be contiguous along N.
      p.bAlongRows = bytesOf(p.type) == 2;
      p.bSwizzle = std::min(128, (p.bAlongRows ? p.n : p.k) * bytesOf(p.type));
      expectProduct(p);
    }
}

TEST(WarpGroupDot, AccumulatorsOfF16) {
  for (const char *type : {"f16", "f8E5M2"})
    for (bool async : {false, true}) {
      Product p;
      p.type = type;
      p.result = "f16";
      p.k = 32;
      p.aSwizzle = 32;
      p.bAlongRows = p.type == "f16";
      p.bSwizzle = p.bAlongRows ? 128 : 32;
      p.attributes = async ? isAsync : "";
      expectProduct(p, textOf(p, operandsOf(p) + productOf(p, "x", "ct") + waitFor("d", "x", 0)));
    }
}

TEST(WarpGroupDot, SwizzlesAndOrders) {
  for (int aSwizzle : {32, 64, 128})
    for (int bSwizzle : {32, 64, 128})
      for (bool aAlongRows : {false, true})
        for (bool bAlongRows : {false, true}) {
          SCOPED_TRACE(std::to_string(aSwizzle) + ", " + std::to_string(bSwizzle) +
                       (aAlongRows ? ", a along M" : "") + (bAlongRows ? ", b along N" : ""));
          // The two are planned each by itself.
          if (aSwizzle != 128 && bSwizzle != 128)
            continue;
          Product p;
          p.aSwizzle = aSwizzle;
          p.bSwizzle = bSwizzle;
          p.aAlongRows = aAlongRows;
          p.bAlongRows = bAlongRows;
          expectProduct(p);
        }
}

// The same swizzles in words of an encoding that does not say where its tiles begin.
TEST(WarpGroupDot, SwizzledEncodings) {
  for (bool bAlongRows : {false, true}) {
    Product p;
    p.bAlongRows = bAlongRows;
    std::string text = textOf(p, operandsOf(p) + productOf(p, "d", "ct"));
    for (bool transposed : {false, true})
      text = replaceAll(
          text,
          std::string("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = ") +
              (transposed ? "true" : "false") + ", elementBitWidth = 16}>",
          std::string("#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [") +
              (transposed ? "0, 1]}>" : "1, 0]}>"));
    ASSERT_THAT(text, HasSubstr("swizzled_shared"));
    constexpr AsyncCompletion late[] = {AsyncCompletion::Late};
    expectProduct(p, text, 1, 1, late);
  }
}

// Sizes of instructions, several of them side by side, and several warpgroups.
TEST(WarpGroupDot, Tiles) {
  for (int n : {8, 16, 32, 128, 256}) {
    Product p;
    p.n = p.columns = n;
    p.k = 16;
    p.aSwizzle = 32;
    p.bAlongRows = false;
    p.bSwizzle = 32;
    expectProduct(p);
  }
  Product several;
  several.m = 128;
  several.n = 128;
  several.k = 32;
  several.aSwizzle = 64;
  expectProduct(several);
  for (int warpsAlongN : {1, 2}) {
    Product groups = several;
    groups.warps = 8;
    groups.warpsAlongN = warpsAlongN;
    expectProduct(groups);
    groups.aSwizzle = 0;
    expectProduct(groups);
  }
}

TEST(WarpGroupDot, UsesTheAccumulatorOrNot) {
  Product p;
  p.useC = ", %use";
  const std::string text = textOf(p, operandsOf(p) + productOf(p, "d", "ct"));
  for (int flag : {0, 1})
    expectProduct(p, text, 1, flag);
}

TEST(WarpGroupDot, Chains) {
  Product p;
  p.attributes = isAsync;
  expectProduct(p,
                textOf(p, operandsOf(p) + productOf(p, "x", "ct") + waitFor("y", "x", 1) +
                              productOf(p, "z", "y") + waitFor("d", "z", 0)),
                2);
  expectProduct(p,
                textOf(p, operandsOf(p) + productOf(p, "x", "ct") + productOf(p, "z", "x") +
                              waitFor("d", "z", 0)),
                2);
}

// Sums of few bits are added to the accumulator after every 32, 64 or all elements along K, in each
// of the instructions' tiles.
TEST(WarpGroupDot, Promotion) {
  for (int tiles : {1, 2})
    for (int most : {0, 64, 96, 128}) {
      Product p;
      p.n = 8 * tiles;
      p.columns = 8;
      p.type = "f8E4M3FN";
      p.k = 128;
      p.bAlongRows = false;
      p.attributes = isAsync + ", maxNumImpreciseAcc = " + std::to_string(most) + " : i32";
      expectProduct(p, textOf(p, operandsOf(p) + productOf(p, "x", "ct") + waitFor("d", "x", 0)));
    }
}

// A view with its dimensions exchanged is what its memory is.
TEST(WarpGroupDot, TransposedViews) {
  Product p;
  p.n = p.k = 64;
  for (bool bAlongRows : {false, true}) {
    p.bAlongRows = bAlongRows;
    std::string text = operandsOf(p) + R"(
    %bt = tt.trans %bl {order = array<i32: 1, 0>} : tensor<KxNxT, #b> -> tensor<KxNxT, #bt>
    %btm = ttg.local_alloc %bt : (tensor<KxNxT, #bt>) -> !ttg.memdesc<KxNxT, #st, #smem>
    %bv = ttg.memdesc_trans %btm {order = array<i32: 1, 0>} : !ttg.memdesc<KxNxT, #st, #smem> -> !ttg.memdesc<KxNxT, #sb, #smem>
)" + productOf(p, "d", "ct");
    text = textOf(p, replaceAll(text, "%bm, %ct", "%bv, %ct"));
    text = "#bt = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = "
           "[1, 4], order = [0, 1]}>\n#st = #ttg.nvmma_shared<{swizzlingByteWidth = 128, "
           "transposed = " +
           std::string(bAlongRows ? "true" : "false") + ", elementBitWidth = 16}>\n" + text;
    expectProduct(p, text);
  }
}

// The halves of b along K, one after the other.
TEST(WarpGroupDot, PartsOfAMemory) {
  Product p;
  std::string text = operandsOf(p);
  std::string accumulator = "ct";
  for (int half : {0, 1}) {
    std::string part = R"(
    %a@ = ttg.memdesc_subslice %am [0, K@] : !ttg.memdesc<64x64xf16, #sa, #smem> -> !ttg.memdesc<64x32xf16, #sa, #smem, 64x64>
    %b@ = ttg.memdesc_subslice %bm [K@, 0] : !ttg.memdesc<64x64xf16, #sb, #smem> -> !ttg.memdesc<32x64xf16, #sb, #smem, 64x64>
    %OUT = ttng.warp_group_dot %a@, %b@, %IN {inputPrecision = 0 : i32} : !ttg.memdesc<64x32xf16, #sa, #smem, 64x64> * !ttg.memdesc<32x64xf16, #sb, #smem, 64x64> -> tensor<64x64xf32, #mma>
)";
    part = replaceAll(part, "K@", std::to_string(32 * half));
    part = replaceAll(part, "@", std::to_string(half));
    part = replaceAll(part, "%IN", half ? "%x" : "%ct");
    text += replaceAll(part, "%OUT", half ? "%d" : "%x");
  }
  expectProduct(p, textOf(p, text));
}

//===----------------------------------------------------------------------------===//
// Planted faults
//===----------------------------------------------------------------------------===//

TEST(WarpGroupDot, WaitForOneProductTooFew) {
  Product p;
  p.attributes = isAsync;
  const std::string text =
      textOf(p, operandsOf(p) + productOf(p, "x", "ct") + waitFor("d", "x", 1));
  const std::string error = faultOf(p, text);
  EXPECT_THAT(error, HasSubstr("the result of an asynchronous product is used before it is "
                               "complete"));
  EXPECT_THAT(error, HasSubstr("wait until at most 0 groups are under way"));
  EXPECT_THAT(error, StartsWith(lineOf(text, "%dl = ")));
  EXPECT_THAT(error, HasSubstr(lineOf(text, "%x = ")));
}

TEST(WarpGroupDot, MissingWait) {
  Product p;
  p.attributes = isAsync;
  const std::string text = textOf(p, operandsOf(p) + productOf(p, "d", "ct"));
  const std::string error = faultOf(p, text);
  EXPECT_THAT(error, StartsWith(lineOf(text, "%dl = ")));
  EXPECT_THAT(error, HasSubstr("is used before it is complete"));
}

// b is overwritten while the product may still read it.
TEST(WarpGroupDot, OverwrittenOperand) {
  Product p;
  p.attributes = isAsync;
  for (int pendings : {0, 1}) {
    std::string body = R"(
    %am = ttg.local_alloc %al : (tensor<MxKxT, #b>) -> !ttg.memdesc<MxKxT, #sa, #smem>
    %bm = ttg.local_alloc %bl : (tensor<KxNxT, #b>) -> !ttg.memdesc<KxNxT, #sb, #smem, mutable>
)" + productOf(p, "x", "ct") +
                       waitFor("y", "x", pendings) +
                       "    ttg.local_store %bl, %bm : tensor<KxNxT, #b> -> !ttg.memdesc<KxNxT, "
                       "#sb, #smem, mutable>\n" +
                       waitFor("d", "y", 0);
    body = replaceAll(body, "* !ttg.memdesc<KxNxT, #sb, #smem>",
                      "* !ttg.memdesc<KxNxT, #sb, #smem, mutable>");
    const std::string text = textOf(p, body);
    if (pendings == 0) {
      expectProduct(p, text);
      continue;
    }
    const std::string error = faultOf(p, text);
    EXPECT_THAT(error, StartsWith(lineOf(text, "ttg.local_store")));
    EXPECT_THAT(error, HasSubstr("is still read by an outstanding asynchronous operation"));
    EXPECT_THAT(error, HasSubstr(lineOf(text, "%x = ")));
  }
}

//===----------------------------------------------------------------------------===//
// What cannot be compiled
//===----------------------------------------------------------------------------===//

TEST(WarpGroupDot, OperandsThatCannotBeDescribed) {
  Product p;
  p.type = "f32";
  p.k = 32;
  const std::string text = textOf(p, operandsOf(p) + productOf(p, "d", "ct"));
  const std::string error = faultOf(p, text);
  EXPECT_THAT(error, StartsWith(lineOf(text, "%d = ")));
  EXPECT_THAT(error, HasSubstr("no descriptor of wgmma names its right operand"));
  EXPECT_THAT(error, HasSubstr("its elements of 32 bits are not contiguous along K"));
}

} // namespace
