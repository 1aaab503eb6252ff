//===- TensorMemoryTest.cpp - Products in tensor memory -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// c = a @ b + c by ttng.tc_gen5_mma, from text as Triton prints it: operands are loaded, put into
// shared or tensor memory and multiplied. Numbers are small integers, so that results are exact in
// every type. Faults are planted in the text; the simulator must find each of them and name the
// lines.
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
  int m = 128, n = 64, k = 64;
  /// Triton's names of the types of operands and result.
  std::string type = "f16", result = "f32";
  int warps = 4;
  /// The tile of an instruction.
  int rows = 128, columns = 64;
  /// Bytes of the swizzle of a and b; 0: a in tensor memory.
  int aSwizzle = 128, bSwizzle = 128;
  /// Whether they are contiguous along M and along N in shared memory.
  bool aAlongRows = false, bAlongRows = true;
};

int bytesOf(const std::string &type) {
  return type == "f32" || type == "i32" ? 4 : type == "f16" || type == "bf16" ? 2 : 1;
}

/// A layout in which warps have the rows that they reach: lanes are rows or, of 64, the upper ones
/// take the right half of a warp's columns.
std::string layoutOf(const Product &p, int columns) {
  const int lanes = p.rows == 64 ? 16 : 32, groups = p.warps / 4;
  const int inThread = std::max(1, columns / groups / (32 / lanes));
  return "#ttg.blocked<{sizePerThread = [1, " + std::to_string(inThread) + "], threadsPerWarp = [" +
         std::to_string(lanes) + ", " + std::to_string(32 / lanes) + "], warpsPerCTA = [4, " +
         std::to_string(groups) + "], order = [0, 1]}>\n";
}

/// The kernel, with `body` in place of the product: it makes %d, in layout #l, of %am, %bm and %ct.
std::string textOf(const Product &p, const std::string &body) {
  const int bits = 8 * bytesOf(p.type);
  auto shared = [&](int swizzle, bool transposed) {
    return "#ttg.nvmma_shared<{swizzlingByteWidth = " + std::to_string(swizzle) +
           ", transposed = " + (transposed ? "true" : "false") +
           ", elementBitWidth = " + std::to_string(bits) + "}>\n";
  };
  auto tiles = [&](int columns, int stride) {
    return "#ttng.tensor_memory_encoding<blockM = " + std::to_string(p.rows) +
           ", blockN = " + std::to_string(columns) + ", colStride = " + std::to_string(stride) +
           ">\n";
  };
  const std::string w = std::to_string(p.warps);
  std::string text =
      "#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
      "warpsPerCTA = [" +
      w + ", 1], order = [1, 0]}>\n" + "#l = " + layoutOf(p, p.n) + "#la = " + layoutOf(p, p.k) +
      "#sa = " + shared(p.aSwizzle, p.aAlongRows) + "#sb = " + shared(p.bSwizzle, !p.bAlongRows) +
      "#sm = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = "
      "[0]}>\n#td = " +
      tiles(p.columns, 4 / bytesOf(p.result)) + "#ta = " + tiles(p.k, 1) +
      "#smem = #ttg.shared_memory\n"
      "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = " +
      w + " : i32, ttg.target = \"cuda:100\", \"ttg.threads-per-warp\" = 32 : i32} {\n";
  text += "  tt.func public @kernel(%a: !tt.ptr<T>, %b: !tt.ptr<T>, %c: !tt.ptr<R>, %flag: i32) {";
  text += pointersTo("a", p.m, p.k, "T") + pointersTo("b", p.k, p.n, "T") +
          pointersTo("c", p.m, p.n, "R");
  text += R"(
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %false = arith.constant false
    %use = arith.cmpi ne, %flag, %zero : i32
    %al = tt.load %ap : tensor<MxKx!tt.ptr<T>, #b>
    %bl = tt.load %bp : tensor<KxNx!tt.ptr<T>, #b>
    %cl = tt.load %cp : tensor<MxNx!tt.ptr<R>, #b>
    %ct = ttg.convert_layout %cl : tensor<MxNxR, #b> -> tensor<MxNxR, #l>
    %bm = ttg.local_alloc %bl : (tensor<KxNxT, #b>) -> !ttg.memdesc<KxNxT, #sb, #smem>
)";
  text += p.aSwizzle ? R"(
    %am = ttg.local_alloc %al : (tensor<MxKxT, #b>) -> !ttg.memdesc<MxKxT, #sa, #smem>
)"
                     : R"(
    %at = ttg.convert_layout %al : tensor<MxKxT, #b> -> tensor<MxKxT, #la>
    %am = ttng.tmem_alloc %at : (tensor<MxKxT, #la>) -> !ttg.memdesc<MxKxT, #ta, #ttng.tensor_memory>
)";
  text += body + R"(
    %dl = ttg.convert_layout %d : tensor<MxNxR, #l> -> tensor<MxNxR, #b>
    tt.store %cp, %dl : tensor<MxNx!tt.ptr<R>, #b>
    tt.return
  }
}
)";
  auto sizes = [](int a, int b) { return std::to_string(a) + "x" + std::to_string(b) + "x"; };
  text = replaceAll(text, "MxNx", sizes(p.m, p.n));
  text = replaceAll(text, "MxKx", sizes(p.m, p.k));
  text = replaceAll(text, "KxNx", sizes(p.k, p.n));
  for (auto [letter, type] : {std::pair("R", p.result), std::pair("T", p.type)}) {
    text = replaceAll(text, std::string("x") + letter + ",", "x" + type + ",");
    text = replaceAll(text, std::string("<") + letter + ">", "<" + type + ">");
  }
  return text;
}

const std::string accumulatorType = "!ttg.memdesc<MxNxR, #td, #ttng.tensor_memory, mutable>";
const std::string barrierType = "!ttg.memdesc<1xi64, #sm, #smem, mutable>";

/// %acc, with %ct in it.
const std::string accumulator = "    %acc = ttng.tmem_alloc : () -> " + accumulatorType +
                                "\n    ttng.tmem_store %ct, %acc, %true : tensor<MxNxR, #l> -> " +
                                accumulatorType + "\n";
const std::string result =
    "    %d = ttng.tmem_load %acc : " + accumulatorType + " -> tensor<MxNxR, #l>\n";
const std::string barrier = "    %bar = ttg.local_alloc : () -> " + barrierType +
                            "\n    ttng.init_barrier %bar, 1 : " + barrierType + "\n";
const std::string wait = "    ttng.wait_barrier %bar, %zero : " + barrierType + "\n";

/// `acc += a @ b`; with `tells` asynchronous, and the barrier told.
std::string productOf(const Product &p, const std::string &use, bool tells = false) {
  return "    ttng.tc_gen5_mma %am, %bm, %acc, %" + use + ", %true" +
         (tells ? ", %bar[%true] {is_async}" : "") + " : " +
         (p.aSwizzle ? "!ttg.memdesc<MxKxT, #sa, #smem>"
                     : "!ttg.memdesc<MxKxT, #ta, #ttng.tensor_memory>") +
         ", !ttg.memdesc<KxNxT, #sb, #smem>, " + accumulatorType +
         (tells ? ", " + barrierType : "") + "\n";
}

void expectProduct(const Product &p) {
  constexpr AsyncCompletion late[] = {AsyncCompletion::Late};
  expectProduct(p, textOf(p, accumulator + productOf(p, "true") + result), 1, 1, late);
}

/// The faults late and early: what a unit is still to do late is a race early.
std::array<std::string, 2> faultsOfBoth(const Product &p, const std::string &text) {
  return faultsOf([&](AsyncCompletion completion) { return run(p, text, completion); });
}

std::string faultOf(const Product &p, const std::string &text) {
  return faultInAll([&](AsyncCompletion completion) { return run(p, text, completion); });
}

TEST(TensorMemory, Types) {
  expectProduct({});
  expectProduct({.type = "bf16"});
  expectProduct({.type = "f16", .result = "f16"});
  expectProduct({.k = 32, .type = "f32", .bAlongRows = false});
  for (const char *type : {"f8E4M3FN", "f8E5M2"}) {
    expectProduct({.k = 128, .type = type, .bAlongRows = false});
    expectProduct({.k = 128, .type = type, .result = "f16", .bAlongRows = false});
  }
  expectProduct({.k = 128, .type = "i8", .result = "i32", .bAlongRows = false});
}

TEST(TensorMemory, Shapes) {
  for (int rows : {64, 128})
    for (int m : {64, 128, 256})
      for (int columns : {16, 64, 128})
        for (int n : {16, 64, 128}) {
          if (m < rows || n < columns)
            continue;
          SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(n) + " by " + std::to_string(rows) +
                       "x" + std::to_string(columns));
          expectProduct({.m = m,
                         .n = n,
                         .k = 32,
                         .rows = rows,
                         .columns = columns,
                         .aSwizzle = 64,
                         .bSwizzle = n == 16 ? 32 : 128});
        }
}

TEST(TensorMemory, OperandsInSharedMemory) {
  for (int swizzle : {32, 64, 128})
    for (bool aAlongRows : {false, true})
      for (bool bAlongRows : {false, true})
        expectProduct({.aSwizzle = swizzle,
                       .bSwizzle = swizzle,
                       .aAlongRows = aAlongRows,
                       .bAlongRows = bAlongRows});
  // Bytes, too, may be contiguous along M and N.
  expectProduct({.n = 128, .k = 128, .type = "f8E4M3FN", .columns = 128, .aAlongRows = true});
}

TEST(TensorMemory, LeftOperandInTensorMemory) {
  for (int warps : {4, 8}) {
    expectProduct({.warps = warps, .aSwizzle = 0});
    expectProduct({.m = 256, .k = 128, .warps = warps, .aSwizzle = 0});
    expectProduct({.k = 32, .type = "f32", .warps = warps, .aSwizzle = 0, .bAlongRows = false});
    expectProduct({.k = 128, .type = "f8E5M2", .warps = warps, .aSwizzle = 0, .bAlongRows = false});
  }
}

TEST(TensorMemory, MoreWarps) {
  for (int rows : {64, 128})
    for (int warps : {8, 16})
      expectProduct({.m = 128, .n = 128, .warps = warps, .rows = rows, .columns = 128});
}

TEST(TensorMemory, Asynchronous) {
  const Product p;
  // Two in order, and one wait for both; the accumulator counts if the flag says so.
  const std::string text =
      textOf(p, accumulator + barrier + productOf(p, "use", true) + wait + result);
  expectProduct(p, text, 1, 1);
  expectProduct(p, text, 1, 0);
  std::string first = productOf(p, "true");
  first = replaceAll(first, "%true : ", "%true {is_async} : ");
  expectProduct(
      p, textOf(p, accumulator + barrier + first + productOf(p, "true", true) + wait + result), 2);
  // The barrier is told by an op of its own.
  expectProduct(p, textOf(p, accumulator + barrier + first + "    ttng.tc_gen5_commit %bar : " +
                                 barrierType + "\n" + wait + result));
}

TEST(TensorMemory, PartsAndBuffers) {
  const Product p;
  // The second of two buffers; columns in two parts.
  const std::string buffers = "!ttg.memdesc<2xMxNxR, #td, #ttng.tensor_memory, mutable>";
  std::string text = "    %one = arith.constant 1 : i32\n    %both = ttng.tmem_alloc : () -> " +
                     buffers + "\n    %acc = ttg.memdesc_index %both[%one] : " + buffers + " -> " +
                     accumulatorType + "\n    ttng.tmem_store %ct, %acc, %true : tensor<MxNxR, " +
                     "#l> -> " + accumulatorType + "\n";
  expectProduct(p, textOf(p, text + productOf(p, "true") + result));
}

TEST(TensorMemory, MemoryIsUsedAgain) {
  // Four accumulators of 256 columns, one after the other.
  const Product p = {.n = 256, .k = 16, .columns = 256, .aSwizzle = 32};
  std::string body, value = "ct";
  for (int i = 0; i < 4; ++i) {
    const std::string name = "acc" + std::to_string(i), next = "d" + std::to_string(i);
    std::string each = accumulator + productOf(p, "true") + result;
    each = replaceAll(replaceAll(each, "%acc", "%" + name), "%ct", "%" + value);
    body += replaceAll(each, "%d ", "%" + (i == 3 ? "d" : next) + " ");
    value = next;
  }
  expectProduct(p, textOf(p, body), 4);
}

//===----------------------------------------------------------------------------===//
// Planted faults
//===----------------------------------------------------------------------------===//

TEST(TensorMemory, ResultBeforeTheWait) {
  const Product p;
  const std::string text =
      textOf(p, accumulator + barrier + productOf(p, "true", true) + result + wait);
  const auto [late, early] = faultsOfBoth(p, text);
  EXPECT_THAT(late, HasSubstr("is read at row 0, column 0 while a product that may be under way"));
  EXPECT_THAT(early,
              HasSubstr("race in tensor memory: a write and then a read of row 0, column 0"));
  for (const std::string &fault : {late, early}) {
    EXPECT_THAT(fault, StartsWith(lineOf(text, "ttng.tmem_load")));
    EXPECT_THAT(fault, HasSubstr(lineOf(text, "ttng.tc_gen5_mma")));
  }
}

TEST(TensorMemory, NoCommit) {
  const Product p;
  std::string product = replaceAll(productOf(p, "true"), "%true : ", "%true {is_async} : ");
  const std::string text = textOf(p, accumulator + product + result);
  EXPECT_THAT(faultOf(p, text), HasSubstr("while a product that may be under way changes it"));
}

TEST(TensorMemory, StoreWhileAProductRuns) {
  const Product p;
  const std::string store =
      "    ttng.tmem_store %ct, %acc, %true : tensor<MxNxR, #l> -> " + accumulatorType + "\n";
  const std::string text =
      textOf(p, accumulator + barrier + productOf(p, "true", true) + store + wait + result);
  const auto [late, early] = faultsOfBoth(p, text);
  EXPECT_THAT(late,
              HasSubstr("tensor memory is written at row 0, column 0 while a product that may "
                        "be under way changes it"));
  EXPECT_THAT(early, HasSubstr("race in tensor memory: two writes of row 0, column 0"));
}

TEST(TensorMemory, NothingStored) {
  const Product p;
  const std::string empty = "    %acc = ttng.tmem_alloc : () -> " + accumulatorType + "\n";
  std::string text = textOf(p, empty + result);
  EXPECT_THAT(faultOf(p, text), HasSubstr("tensor memory that nothing has been stored to is read"));
  // As an accumulator that counts; one that does not is overwritten.
  text = textOf(p, empty + productOf(p, "true") + result);
  const std::string fault = faultOf(p, text);
  EXPECT_THAT(fault, StartsWith(lineOf(text, "ttng.tc_gen5_mma")));
  EXPECT_THAT(fault, HasSubstr("tensor memory that nothing has been stored to is read"));
  expectProduct(p, textOf(p, empty + productOf(p, "false") + result), 1, 0);
}

TEST(TensorMemory, OperandIsOverwritten) {
  const Product p;
  std::string text = textOf(p, accumulator + barrier + productOf(p, "true", true) +
                                   "    ttg.local_store %bl, %bm : tensor<KxNxT, #b> -> "
                                   "!ttg.memdesc<KxNxT, #sb, #smem, mutable>\n" +
                                   wait + result);
  text = replaceAll(text, "#sb, #smem>", "#sb, #smem, mutable>");
  const auto [late, early] = faultsOfBoth(p, text);
  EXPECT_THAT(late, HasSubstr("is still read by an outstanding asynchronous operation"));
  EXPECT_THAT(early, HasSubstr("race in shared memory: a read and then a write of byte"));
  for (const std::string &fault : {late, early})
    EXPECT_THAT(fault, StartsWith(lineOf(text, "ttg.local_store")));
}

} // namespace
