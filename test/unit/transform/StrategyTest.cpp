//===- StrategyTest.cpp - How loops load and multiply, by table ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/Strategy.h"

#include "ir/Dialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

namespace {

// The kinds of loops: without products; of multiply-adds; of fragments in registers; of operands in
// memory; of operands that the iteration writes, for four warps and for eight.
constexpr LoopNeeds plain = {};
constexpr LoopNeeds multiplyAdds = {.products = 1};
constexpr LoopNeeds fragments = {.products = 2, .ofFragments = 2};
constexpr LoopNeeds memory = {.products = 1, .ofMemory = 1, .asynchronous = 1};
constexpr LoopNeeds memory8 = {.warps = 8, .products = 1, .ofMemory = 1, .asynchronous = 1};
constexpr LoopNeeds twoOfMemory = {.warps = 8, .products = 2, .ofMemory = 2, .asynchronous = 2};
constexpr LoopNeeds written = {.products = 1, .ofWrittenRegisters = 1, .asynchronous = 1};
constexpr LoopNeeds mixed = {
    .products = 2, .ofMemory = 1, .ofWrittenRegisters = 1, .asynchronous = 2};
constexpr LoopNeeds blocks = {
    .products = 1, .ofMemory = 1, .asynchronous = 1, .hasHardwareBlocks = true};

/// Attention: P V after Q K, of blocks that hardware copies or of tiles through pointers; for four
/// warps and for eight.
constexpr LoopNeeds attentionOf(unsigned warps, bool hasHardwareBlocks = true) {
  return {.warps = warps,
          .products = 2,
          .ofMemory = 1,
          .ofWrittenRegisters = 1,
          .asynchronous = 2,
          .awaited = 1,
          .chained = 1,
          .hasHardwareBlocks = hasHardwareBlocks};
}

using Path = LoadPath;

struct Row {
  const char *target;
  LoopNeeds needs;
  LoopStrategy strategy;
};

const Row table[] = {
    {"cuda:80", plain, {Path::AsyncCopy, Path::AsyncCopy}},
    {"cuda:80", multiplyAdds, {Path::AsyncCopy, Path::AsyncCopy, Completion::InOrder}},
    {"cuda:80",
     fragments,
     {.pointers = Path::AsyncCopy,
      .blocks = Path::AsyncCopy,
      .products = Completion::InOrder,
      .multipliesFragments = true}},
    {"cuda:90",
     memory,
     {.pointers = Path::AsyncCopy,
      .blocks = Path::AsyncCopy,
      .products = Completion::GroupWait,
      .isPlainSum = true}},
    {"cuda:90",
     memory8,
     {.pointers = Path::AsyncCopy,
      .blocks = Path::AsyncCopy,
      .products = Completion::GroupWait,
      .groups = 2,
      .isPlainSum = true}},
    {"cuda:90",
     twoOfMemory,
     {.pointers = Path::AsyncCopy,
      .blocks = Path::AsyncCopy,
      .products = Completion::GroupWait,
      .groups = 2}},
    {"cuda:90",
     written,
     {.pointers = Path::AsyncCopy,
      .blocks = Path::AsyncCopy,
      .products = Completion::GroupWait,
      .waitsInIteration = true}},
    {"cuda:90",
     mixed,
     {.pointers = Path::AsyncCopy, .blocks = Path::AsyncCopy, .products = Completion::GroupWait}},
    {"cuda:90",
     blocks,
     {.pointers = Path::AsyncCopy,
      .blocks = Path::BulkCopy,
      .products = Completion::GroupWait,
      .isPlainSum = true}},
    {"cuda:90",
     attentionOf(4),
     {.pointers = Path::AsyncCopy, .blocks = Path::BulkCopy, .products = Completion::GroupWait}},
    {"cuda:90",
     attentionOf(8, /*hasHardwareBlocks=*/false),
     {.pointers = Path::AsyncCopy,
      .blocks = Path::AsyncCopy,
      .products = Completion::GroupWait,
      .groups = 2,
      .isChainOfGroups = true}},
    {"cuda:90",
     attentionOf(8),
     {.pointers = Path::AsyncCopy,
      .blocks = Path::BulkCopy,
      .products = Completion::GroupWait,
      .groups = 2,
      .isChainOfGroups = true}},
    {"hip:gfx1100",
     fragments,
     {.pointers = Path::Registers,
      .blocks = Path::Registers,
      .products = Completion::InOrder,
      .multipliesFragments = true}},
    // Loads that transpose are no block messages: each lane gives an address.
    {"hip:gfx1201", plain, {Path::Registers, Path::Registers}},
    {"xpu:bmg",
     fragments,
     {.pointers = Path::Registers,
      .blocks = Path::BlockMessage,
      .products = Completion::InOrder,
      .multipliesFragments = true}},
};

TEST(LoopStrategy, FollowsFromTargetAndNeeds) {
  for (const Row &row : table) {
    const target::Target *target = target::Target::find(row.target);
    ASSERT_TRUE(target) << row.target;
    const LoopStrategy strategy = decideStrategy(*target, row.needs);
    EXPECT_EQ(strategy, row.strategy)
        << row.target << ": " << strategy.describe() << "; expected " << row.strategy.describe();
  }
}

TEST(LoopStrategy, CopiesComeLastWhereTheUnitIsBusyMeanwhile) {
  const target::Target *hopper = target::Target::find("cuda:90");
  ASSERT_TRUE(hopper);
  auto decide = [&](const LoopNeeds &needs) { return decideStrategy(*hopper, needs); };
  EXPECT_FALSE(decide(memory).beginsCopiesLast(/*areAllReadInMemory=*/true));
  EXPECT_TRUE(decide(memory8).beginsCopiesLast(true));
  EXPECT_FALSE(decide(memory8).beginsCopiesLast(false));
  EXPECT_TRUE(decide(written).beginsCopiesLast(false));
  EXPECT_FALSE(decide(mixed).beginsCopiesLast(false));
  EXPECT_TRUE(decide(memory8).hidesCopies());
  EXPECT_FALSE(decide(memory).hidesCopies());
  EXPECT_FALSE(decide({.warps = 8, .products = 1, .ofFragments = 1}).hidesCopies());
}

TEST(LoopStrategy, IsDescribedForPeople) {
  const target::Target *hopper = target::Target::find("cuda:90");
  ASSERT_TRUE(hopper);
  EXPECT_EQ(decideStrategy(*hopper, memory8).describe(),
            "loads come by asynchronous copies; products run on until a wait for their group; "
            "2 groups of warps take part; sums are in registers");
  EXPECT_EQ(decideStrategy(*hopper, blocks).describe(),
            "loads come by asynchronous copies, blocks of descriptors by bulk copies; products run "
            "on until a wait for their group; sums are in registers");
  EXPECT_EQ(decideStrategy(*hopper, plain).describe(), "loads come by asynchronous copies");
}

//===----------------------------------------------------------------------------===//
// The facts about a loop
//===----------------------------------------------------------------------------===//

constexpr const char *preamble = R"(
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#wg = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#ra = #ttg.dot_op<{opIdx = 0, parent = #wg, kWidth = 2}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#m = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @f(%x: tensor<64x64xf16, #a>, %y: tensor<64x64xf16, #b>, %z: tensor<64x64xf32, #mma>,
             %ra: tensor<64x64xf16, #ra>, %sa: !ttg.memdesc<64x64xf16, #s, #m>, %sz: tensor<64x64xf32, #wg>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z, %q = %sz) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #wg>) : i32 {
)";
constexpr const char *ending = R"(
    }
    tt.return
  }
}
)";

LoopNeeds needsOf(const std::string &body) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  DialectRegistry registry;
  ir::registerDialects(registry);
  registry.insert<arith::ArithDialect, scf::SCFDialect>();
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(preamble + body + ending, ParserConfig(&context));
  EXPECT_TRUE(module) << body;
  LoopNeeds needs;
  if (module)
    module->walk([&](scf::ForOp loop) { needs = findNeeds(loop); });
  return needs;
}

void expectNeeds(const std::string &body, const LoopNeeds &expected) {
  const LoopNeeds needs = needsOf(body);
  EXPECT_EQ(needs.warps, expected.warps) << body;
  EXPECT_EQ(needs.products, expected.products) << body;
  EXPECT_EQ(needs.ofFragments, expected.ofFragments) << body;
  EXPECT_EQ(needs.ofMemory, expected.ofMemory) << body;
  EXPECT_EQ(needs.ofWrittenRegisters, expected.ofWrittenRegisters) << body;
  EXPECT_EQ(needs.asynchronous, expected.asynchronous) << body;
  EXPECT_EQ(needs.awaited, expected.awaited) << body;
  EXPECT_EQ(needs.chained, expected.chained) << body;
  EXPECT_EQ(needs.hasHardwareBlocks, expected.hasHardwareBlocks) << body;
}

TEST(LoopNeeds, CountProductsByTheirOperands) {
  const std::string yield = "scf.yield %p, %q : tensor<64x64xf32, #mma>, tensor<64x64xf32, #wg>";
  expectNeeds(yield, {});
  expectNeeds("%d = tt.dot %x, %y, %p : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> "
              "tensor<64x64xf32, #mma>\n scf.yield %d, %q : tensor<64x64xf32, #mma>, "
              "tensor<64x64xf32, #wg>",
              {.products = 1, .ofFragments = 1});
  expectNeeds("%d = ttng.warp_group_dot %sa, %sa, %q : !ttg.memdesc<64x64xf16, #s, #m> * "
              "!ttg.memdesc<64x64xf16, #s, #m> -> tensor<64x64xf32, #wg>\n scf.yield %p, %d : "
              "tensor<64x64xf32, #mma>, tensor<64x64xf32, #wg>",
              {.products = 1, .ofMemory = 1, .asynchronous = 1});
  // An operand in registers that the loop does not write stays.
  expectNeeds("%d = ttng.warp_group_dot %ra, %sa, %q : tensor<64x64xf16, #ra> * "
              "!ttg.memdesc<64x64xf16, #s, #m> -> tensor<64x64xf32, #wg>\n scf.yield %p, %d : "
              "tensor<64x64xf32, #mma>, tensor<64x64xf32, #wg>",
              {.products = 1, .asynchronous = 1});
  expectNeeds("%v = arith.addf %ra, %ra : tensor<64x64xf16, #ra>\n"
              "%d = ttng.warp_group_dot %v, %sa, %q : tensor<64x64xf16, #ra> * "
              "!ttg.memdesc<64x64xf16, #s, #m> -> tensor<64x64xf32, #wg>\n scf.yield %p, %d : "
              "tensor<64x64xf32, #mma>, tensor<64x64xf32, #wg>",
              {.products = 1, .ofWrittenRegisters = 1, .asynchronous = 1});
}

TEST(LoopNeeds, CountProductsThatTheIterationReads) {
  const std::string product =
      "%d = ttng.warp_group_dot %sa, %sa, %q : !ttg.memdesc<64x64xf16, #s, #m> * "
      "!ttg.memdesc<64x64xf16, #s, #m> -> tensor<64x64xf32, #wg>\n";
  const std::string yield = "scf.yield %p, %d : tensor<64x64xf32, #mma>, tensor<64x64xf32, #wg>";
  const LoopNeeds sum = {.products = 1, .ofMemory = 1, .asynchronous = 1};
  LoopNeeds awaited = sum;
  awaited.awaited = 1;
  expectNeeds(product + yield, sum);
  expectNeeds(product + "%e = arith.negf %d : tensor<64x64xf32, #wg>\n" + yield, awaited);
  // The next iteration reads it before it adds to it.
  expectNeeds("%e = arith.negf %q : tensor<64x64xf32, #wg>\n" + product + yield, awaited);
  // A branch waits where it is taken.
  expectNeeds(product +
                  "%t = arith.constant true\n"
                  "scf.if %t {\n %e = arith.negf %d : tensor<64x64xf32, #wg>\n }\n" +
                  yield,
              sum);
  // After the wait for another product the sum is there.
  const std::string another =
      "%other = ttng.warp_group_dot %sa, %sa, %nothing : !ttg.memdesc<64x64xf16, #s, #m> * "
      "!ttg.memdesc<64x64xf16, #s, #m> -> tensor<64x64xf32, #wg>\n"
      "%f = arith.addf %q, %other : tensor<64x64xf32, #wg>\n";
  expectNeeds("%nothing = arith.constant dense<0.0> : tensor<64x64xf32, #wg>\n" + another +
                  product + yield,
              {.products = 2, .ofMemory = 2, .asynchronous = 2, .awaited = 1});
}

TEST(LoopNeeds, CountProductsOfWhatAnotherOneGives) {
  const std::string types = "tensor<64x64xf16, #ra> * !ttg.memdesc<64x64xf16, #s, #m> -> "
                            "tensor<64x64xf32, #wg>\n";
  const std::string yield = "scf.yield %p, %d : tensor<64x64xf32, #mma>, tensor<64x64xf32, #wg>";
  const std::string scores =
      "%nothing = arith.constant dense<0.0> : tensor<64x64xf32, #wg>\n"
      "%s = ttng.warp_group_dot %sa, %sa, %nothing : !ttg.memdesc<64x64xf16, #s, #m> * "
      "!ttg.memdesc<64x64xf16, #s, #m> -> tensor<64x64xf32, #wg>\n"
      "%h = arith.truncf %s : tensor<64x64xf32, #wg> to tensor<64x64xf16, #wg>\n";
  const LoopNeeds chain = {.products = 2,
                           .ofMemory = 1,
                           .ofWrittenRegisters = 1,
                           .asynchronous = 2,
                           .awaited = 1,
                           .chained = 1};
  const std::string convert = " : tensor<64x64xf16, #wg> -> tensor<64x64xf16, #ra>\n%d = "
                              "ttng.warp_group_dot %v, %sa, %q : ";
  expectNeeds(scores + "%v = ttg.convert_layout %h" + convert + types + yield, chain);
  // By way of a branch, as where a mask holds for long.
  expectNeeds(scores +
                  "%t = arith.constant true\n"
                  "%b = scf.if %t -> tensor<64x64xf16, #wg> {\n"
                  "%g = arith.negf %h : tensor<64x64xf16, #wg>\n"
                  "scf.yield %g : tensor<64x64xf16, #wg>\n} else {\n"
                  "scf.yield %h : tensor<64x64xf16, #wg>\n}\n"
                  "%v = ttg.convert_layout %b" +
                  convert + types + yield,
              chain);
  // The scores are read, but not for the other product.
  LoopNeeds apart = chain;
  apart.chained = 0;
  expectNeeds(scores + "%v = arith.addf %ra, %ra : tensor<64x64xf16, #ra>\n" +
                  "%d = ttng.warp_group_dot %v, %sa, %q : " + types + yield,
              apart);
}

} // namespace
