//===- ResourcesTest.cpp - Registers and memory of a loop ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/Resources.h"
#include "analysis/RegisterEstimate.h"
#include "ir/Dialects.h"
#include "target/RegisterModel.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <set>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

namespace {

class Resources : public testing::Test {
protected:
  Resources() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    ir::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// A kernel of `body` for `target`, by 4 warps; layouts #row, 4 neighbors a thread, and #mma.
  tt::FuncOp parse(const std::string &body, const std::string &target = "cuda:80") {
    module = parseSourceString<ModuleOp>(
        "#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
        "warpsPerCTA = [4, 1], order = [1, 0]}>\n"
        "#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], "
        "instrShape = [16, 8]}>\n"
        "#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>\n"
        "#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>\n"
        "#memory = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n"
        "#smem = #ttg.shared_memory\n"
        "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, "
        "ttg.target = \"" +
            target + "\", \"ttg.threads-per-warp\" = 32 : i32} {\n" + body + "}\n",
        &context);
    EXPECT_TRUE(module) << body;
    return module ? *module->getOps<tt::FuncOp>().begin() : tt::FuncOp();
  }

  static scf::ForOp getLoop(tt::FuncOp function) {
    return *function.getBody().getOps<scf::ForOp>().begin();
  }
  static RegisterTerms getTerms(tt::FuncOp function) {
    return estimateRegisters(function, *ttg::getTarget(function)).front().terms;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// 64 x 64 elements: 32 a thread. Rows of f16 pointers lie 64 apart, 4 neighbors to an access.
const std::string loop = R"(
  tt.func @loop(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %step = arith.constant dense<64> : tensor<64x64xi32, #row>
    %c = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x64xi32, #row>
    %cb = tt.broadcast %c2 : tensor<1x64xi32, #row> -> tensor<64x64xi32, #row>
    %s = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #row>
    %first = tt.addptr %s, %cb : tensor<64x64x!tt.ptr<f16>, #row>, tensor<64x64xi32, #row>
    %sum, %last = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %at = %first)
        -> (tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #row>) : i32 {
      %x = tt.load %at : tensor<64x64x!tt.ptr<f16>, #row>
      %a = ttg.convert_layout %x : tensor<64x64xf16, #row> -> tensor<64x64xf16, #a>
      %b = ttg.convert_layout %x : tensor<64x64xf16, #row> -> tensor<64x64xf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
      %next = tt.addptr %at, %step : tensor<64x64x!tt.ptr<f16>, #row>, tensor<64x64xi32, #row>
      scf.yield %d, %next : tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #row>
    }
    tt.return
  }
)";

TEST_F(Resources, RegistersOfALoopByWhatTheyHold) {
  scf::ForOp found = getLoop(parse(loop));
  const target::Target &target = *target::Target::find("cuda:80");
  // 4096 f32 by 128 threads.
  EXPECT_EQ(countCarriedRegisters(found), 32u);
  // 32 elements, of which an access takes 4, two registers each.
  AxisInfoAnalysis axes(*module);
  EXPECT_EQ(countAddressRegisters(found, axes), 16u);
  EXPECT_EQ(countLoadRegisters(found), 16u);
  EXPECT_EQ(countWaitingRegisters(found), 0u);
  // Of K = 64, a step of 16: a quarter of A's 16 registers and of B's 64.
  EXPECT_EQ(countProductRegisters(found, target, [](auto) { return false; }), 4u + 16u);
  const LoopRegisters all = {1, 2, 4, 8, 16, 32};
  EXPECT_EQ(all.total(), 63u);
}

TEST_F(Resources, SharedMemoryThatIsFree) {
  scf::ForOp found = getLoop(parse(R"(
  tt.func @memory(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf16, #row>
    %before = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #memory, #smem, mutable>
    ttg.local_store %zero, %before : tensor<64x64xf16, #row> -> !ttg.memdesc<64x64xf16, #memory, #smem, mutable>
    %inside = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #memory, #smem, mutable>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = ttg.memdesc_index %inside[%c0] : !ttg.memdesc<2x64x64xf16, #memory, #smem, mutable> -> !ttg.memdesc<64x64xf16, #memory, #smem, mutable>
      ttg.local_store %zero, %slot : tensor<64x64xf16, #row> -> !ttg.memdesc<64x64xf16, #memory, #smem, mutable>
    }
    %after = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #memory, #smem, mutable>
    ttg.local_store %zero, %after : tensor<64x64xf16, #row> -> !ttg.memdesc<64x64xf16, #memory, #smem, mutable>
    tt.return
  }
)"));
  const target::Target &target = *target::Target::find("cuda:80");
  llvm::SmallPtrSet<Operation *, 2> replaced;
  // Of the three, the one that the loop uses.
  EXPECT_EQ(getFreeSharedBytes(found, target, replaced), target.shared.maxBytes - 2 * 64 * 64 * 2);
  found->getParentOp()->walk([&](ttg::LocalAllocOp alloc) { replaced.insert(alloc); });
  EXPECT_EQ(getFreeSharedBytes(found, target, replaced), target.shared.maxBytes);
}

/// The most is there before the product: the sums, a step of both operands, one address for all
/// elements, which are at constant distances.
TEST_F(Resources, EstimateOfAProduct) {
  const RegisterTerms terms = getTerms(parse(loop));
  EXPECT_EQ(terms.values, 32u);
  EXPECT_EQ(terms.products, 4u + 16u);
  EXPECT_EQ(terms.addresses, 2u);
}

/// %rows: one address for each row of a thread where rows are a stride apart that is not known, one
/// for all where it is a constant.
TEST_F(Resources, AddressesAtConstantDistancesShareRegisters) {
  const auto kernel = [](const std::string &stride) {
    return R"(
  tt.func @copy(%p: !tt.ptr<f32>, %stride: i32) {
    )" + stride +
           R"(
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #row}>>
    %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<64x1xi32, #row>
    %rs = arith.muli %r2, %by : tensor<64x1xi32, #row>
    %rb = tt.broadcast %rs : tensor<64x1xi32, #row> -> tensor<64x32xi32, #row>
    %c = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x32xi32, #row>
    %cb = tt.broadcast %c2 : tensor<1x32xi32, #row> -> tensor<64x32xi32, #row>
    %o = arith.addi %rb, %cb : tensor<64x32xi32, #row>
    %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #row>
    %q = tt.addptr %s, %o : tensor<64x32x!tt.ptr<f32>, #row>, tensor<64x32xi32, #row>
    %x = tt.load %q : tensor<64x32x!tt.ptr<f32>, #row>
    tt.store %q, %x : tensor<64x32x!tt.ptr<f32>, #row>
    tt.return
  }
)";
  };
  // 64 rows in 16 groups of lanes: 4 rows a thread.
  const RegisterTerms unknown =
      getTerms(parse(kernel("%by = tt.splat %stride : i32 -> tensor<64x1xi32, #row>")));
  EXPECT_EQ(unknown.values, 16u);
  EXPECT_EQ(unknown.addresses, 2u * 4u);
  const RegisterTerms constant =
      getTerms(parse(kernel("%by = arith.constant dense<32> : tensor<64x1xi32, #row>")));
  EXPECT_EQ(constant.values, 16u);
  EXPECT_EQ(constant.addresses, 2u);
}

/// Values that a loop does not use, and those from outside, are alive all through it.
TEST_F(Resources, ALoopKeepsWhatIsUsedAfterIt) {
  const auto kernel = [](const std::string &inLoop, const std::string &after) {
    return R"(
  tt.func @keep(%p: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #row>
    %x = tt.load %s : tensor<64x32x!tt.ptr<f32>, #row>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %y = tt.load %s {isVolatile = true} : tensor<64x32x!tt.ptr<f32>, #row>
      )" + inLoop +
           R"(
    }
    )" + after +
           R"(
    tt.return
  }
)";
  };
  const std::string storeX = "tt.store %s, %x : tensor<64x32x!tt.ptr<f32>, #row>\n";
  const std::string storeY = "tt.store %s, %y : tensor<64x32x!tt.ptr<f32>, #row>\n";
  EXPECT_EQ(getTerms(parse(kernel(storeY, ""))).values, 16u);
  EXPECT_EQ(getTerms(parse(kernel(storeY, storeX))).values, 32u);
  // The next iteration stores it again.
  EXPECT_EQ(getTerms(parse(kernel(storeX + storeY, ""))).values, 32u);
}

/// `count` tensors of 4 elements a thread that are alive at a time.
static std::string makeKernelOfTensors(unsigned count) {
  std::string loads, stores;
  for (unsigned i = 0; i < count; ++i) {
    const std::string value = "%x" + std::to_string(i);
    loads += value + " = tt.load %s : tensor<16x32x!tt.ptr<f32>, #row>\n";
    stores += "tt.store %s, " + value + " : tensor<16x32x!tt.ptr<f32>, #row>\n";
  }
  return "tt.func @many(%p: !tt.ptr<f32>) {\n"
         "%s = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #row>\n" +
         loads + stores + "tt.return\n}\n";
}

/// The weighted sum of the terms.
static unsigned countNeeded(const RegisterTerms &terms, const target::RegisterWeights &weights) {
  return weights.base + (terms.values * weights.values + terms.products * weights.products +
                         terms.addresses * weights.addresses + terms.indices * weights.indices +
                         terms.masks * weights.masks + terms.scalars * weights.scalars +
                         terms.operations * weights.operations) /
                            100;
}

/// The registers that blocks of 4 warps get: each number of registers is tried that one more cannot
/// have without a block less being resident.
static unsigned settleByBruteForce(unsigned needed, const target::Target &target) {
  const target::RegisterWeights &weights = target.registers->plain;
  const auto blocks = [&](unsigned registers) {
    return findResidency(target.multiprocessor, {.warps = 4, .registers = registers}).blocks;
  };
  for (unsigned registers = 1; registers < needed; ++registers) {
    const bool isFull = blocks(registers) == blocks(1);
    if (blocks(registers) > blocks(registers + 1) &&
        needed * 100 <= registers * (isFull ? weights.fullSlack : weights.blockSlack))
      return std::min(registers, target.registersForWarps(4, 32));
  }
  return std::min(needed, target.registersForWarps(4, 32));
}

TEST_F(Resources, AnEstimateComesDownToWhatMakesABlockMoreResident) {
  for (const char *name : {"cuda:80", "cuda:90", "hip:gfx1201"}) {
    const target::Target &target = *target::Target::find(name);
    std::set<unsigned> found;
    for (unsigned count = 1; count < 70; ++count) {
      const RegisterEstimate estimate =
          estimateRegisters(parse(makeKernelOfTensors(count), name), target).front();
      EXPECT_EQ(estimate.terms.values, 4 * count);
      EXPECT_GE(estimate.terms.operations, std::min(2 * count, 60u));
      const unsigned needed = countNeeded(estimate.terms, target.registers->plain);
      EXPECT_EQ(estimate.registers, settleByBruteForce(needed, target)) << name << " " << needed;
      found.insert(estimate.registers);
    }
    if (target.vendor == target::Vendor::Nvidia)
      EXPECT_TRUE(found.contains(32));
  }
}

TEST_F(Resources, AnEstimateIsNoMoreThanThereIs) {
  const std::string kernel = R"(
  tt.func @large(%p: !tt.ptr<f32>) {
    %s = tt.splat %p : !tt.ptr<f32> -> tensor<256x256x!tt.ptr<f32>, #row>
    %x = tt.load %s : tensor<256x256x!tt.ptr<f32>, #row>
    tt.store %s, %x : tensor<256x256x!tt.ptr<f32>, #row>
    tt.return
  }
)";
  for (const char *name : {"cuda:80", "hip:gfx1201"}) {
    const target::Target &target = *target::Target::find(name);
    const RegisterEstimate estimate = estimateRegisters(parse(kernel, name), target).front();
    EXPECT_EQ(estimate.terms.values, 512u);
    EXPECT_EQ(estimate.registers, target.registersForWarps(4, 32));
    EXPECT_TRUE(isa_and_nonnull<tt::StoreOp>(estimate.place) ||
                isa_and_nonnull<tt::LoadOp>(estimate.place));
  }
}

} // namespace
