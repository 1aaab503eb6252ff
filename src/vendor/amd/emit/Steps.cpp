//===- Steps.cpp - AMD's steps over LLVM IR and in the code generator ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/Steps.h"

#include "emit/MaskedBranches.h"
#include "emit/SplitAccessMasks.h"
#include "emit/VectorPhis.h"
#include "target/AmdProcessor.h"
#include "vendor/amd/emit/DppUsers.h"
#include "vendor/amd/emit/KernelAttributes.h"
#include "vendor/amd/emit/address/GlobalAccess.h"
#include "vendor/amd/emit/address/LoadRuns.h"
#include "vendor/amd/emit/address/LoopOffsets.h"
#include "vendor/amd/emit/address/LoopSums.h"
#include "vendor/amd/emit/address/OffsetWidening.h"
#include "vendor/amd/emit/address/ScalarOrder.h"
#include "vendor/amd/emit/address/SharedDescriptors.h"
#include "vendor/amd/emit/arith/DualOperands.h"
#include "vendor/amd/emit/arith/LaneMoves.h"
#include "vendor/amd/emit/arith/LaneReductions.h"
#include "vendor/amd/emit/arith/PackedHalves.h"
#include "vendor/amd/emit/arith/WordPermutes.h"
#include "vendor/amd/emit/machine/EvictionBudget.h"
#include "vendor/amd/emit/machine/PressureSpills.h"
#include "vendor/amd/emit/machine/SchedulerPieces.h"
#include "vendor/amd/emit/machine/SchedulerStrategy.h"
#include "vendor/amd/emit/machine/ZeroAccumulators.h"
#include "vendor/amd/emit/matrix/LateValues.h"
#include "vendor/amd/emit/matrix/ProductOrder.h"
#include "vendor/amd/emit/matrix/SumRegisters.h"
#include "vendor/amd/emit/matrix/SumScales.h"
#include "vendor/amd/emit/sync/BarrierOrder.h"
#include "vendor/amd/emit/sync/BarrierSplit.h"

#include "llvm/Pass.h"

using namespace tilewright;
using namespace tilewright::emit;
using target::amd::processorOf;

//===--------------------------------------------------------------------------===//
// What steps ask
//===--------------------------------------------------------------------------===//

static bool fusesMultiplyAdd(const StepInput &input) { return input.options.fuseMultiplyAdd; }

static bool hasDualIssue(const StepInput &input) { return processorOf(input.target).hasDualIssue; }

static bool packsHalves(const StepInput &input) { return !processorOf(input.target).writesHalves; }

static bool hasAccumulationRegisters(const StepInput &input) {
  return processorOf(input.target).registers.accumulators != 0;
}

static bool hasSplitBarriers(const StepInput &input) {
  return processorOf(input.target).hasSplitBarriers;
}

static target::amd::WaitFormat waitsOf(const StepInput &input) {
  return processorOf(input.target).waits;
}

static void addAttributes(llvm::Module &module, const StepInput &input) {
  addKernelAttributes(module, input.target);
}

static void splitAddresses(llvm::Function &function, const StepInput &input) {
  legalizeGlobalAccesses(function, input.target, input.machine);
}

static void shareBuffers(llvm::Function &function, const StepInput &input) {
  shareDescriptors(function, input.target);
}

static void branchAroundAccesses(llvm::Function &function) {
  expandMaskedAccessesToBranches(function, /*areLikelyOn=*/true);
}

static void widenOffsets(llvm::Function &function, const StepInput &input) {
  widenOffsetsInLoops(function, input.machine, input.target.execution.warpUnit.registers);
}

static void orderLoadsOfProducts(llvm::Function &function, const StepInput &input) {
  orderProductLoads(function, input.machine, processorOf(input.target).registers.vectors,
                    waitsOf(input));
}

static void waitForStaged(llvm::Function &function, const StepInput &input) {
  waitForStagedLoads(function, waitsOf(input));
}

static void waitAtBarriers(llvm::Function &function, const StepInput &input) {
  waitBeforeBarriers(function, waitsOf(input));
}

static void keepSums(llvm::Function &function, const StepInput &input) {
  const unsigned vectors = processorOf(input.target).registers.vectors;
  keepSumsInVectorRegisters(function, vectors * input.target.shares.sums / 100);
}

static void sinkScalarsToUses(llvm::Function &function, const StepInput &input) {
  sinkScalars(function, input.machine, input.target.execution.warpUnit.registers);
}

//===--------------------------------------------------------------------------===//
// The tables
//===--------------------------------------------------------------------------===//

llvm::ArrayRef<Step> emit::amd::legalizingSteps() {
  static constexpr Step steps[] = {
      {"addKernelAttributes", addAttributes, nullptr,
       "says which implicit arguments the kernel does not take, of what the source asks for"},
      {"joinVectorPhis", inFunctions<joinVectorPhis>, nullptr,
       "sums of products stay in neighbouring registers"},
      {"splitAccessMasks", inFunctions<splitAccessMasks>, nullptr,
       "gives each access one mask, which is what a buffer access can have"},
      {"legalizeGlobalAccesses", inFunctions<splitAddresses>, nullptr,
       "buffer accesses need no branch; addresses become a scalar base and a short offset"},
      {"shareDescriptors", inFunctions<shareBuffers>, nullptr,
       "one descriptor for addresses that differ in a constant: after accesses have theirs"},
      {"expandMaskedAccessesToBranches", inFunctions<branchAroundAccesses>, nullptr,
       "the masked accesses that are left: last, since a branch ends the block"},
  };
  return steps;
}

llvm::ArrayRef<Step> emit::amd::targetSteps() {
  // Arithmetic first, while sums and products are still what the optimiser left. Then what waits in
  // registers, so that the order of loads and products knows the registers that are free. Then
  // barriers, which stand where that order has put them. Branches last.
  static constexpr Step steps[] = {
      {"orderLaneReductions", inFunctions<orderLaneReductions>, nullptr,
       "looks for trees of maxima and sums, which the fusing of products would hide"},
      {"placeLaneMovesAtUsers", inFunctions<placeLaneMovesAtUsers>, nullptr,
       "LLVM makes one instruction of a move between lanes and its user where they are close"},
      {"fuseButSharedProducts", inFunctions<fuseButSharedProducts>, fusesMultiplyAdd,
       "marks each product and sum as one to fuse or not: the target machine fuses what is marked"},
      {"doubleSharedOperands", inFunctions<doubleSharedOperands>, hasDualIssue,
       "after it is known what is fused: a fused product of three operands has no dual form"},
      {"permuteWords", inFunctions<permuteWords>, nullptr,
       "words of narrow elements by byte permutes, while their vectors are whole"},
      {"roundIntoUpperHalves", inFunctions<roundIntoUpperHalves>, packsHalves,
       "where LLVM does not write halves of registers itself"},
      {"joinLoadRuns", inFunctions<joinLoadRuns>, nullptr,
       "loads of global memory together, before the order of loads of LDS is made around them"},
      {"computeLateValuesAgain", inFunctions<computeLateValuesAgain>, nullptr,
       "frees vector registers: before orderProductLoads, which counts them"},
      {"computeOffsetsAgain", inFunctions<computeOffsetsAgain>, nullptr,
       "the same for scalar registers of what is stored after a loop"},
      {"addConstantsLast", inFunctions<addConstantsLast>, nullptr,
       "one register for the sums of a mask: before orderProductLoads, too"},
      {"widenOffsetsInLoops", inFunctions<widenOffsets>, nullptr,
       "half the scalar registers for offsets that LLVM widens in front of a loop"},
      {"orderProductLoads", inFunctions<orderLoadsOfProducts>, nullptr,
       "places loads of LDS between products, as far as registers are free"},
      {"splitBarriers", inFunctions<splitBarriers>, hasSplitBarriers,
       "after loads of LDS have their place: a wave signals when it has read the last"},
      {"keepLoadsBeforeBarriers", inFunctions<keepLoadsBeforeBarriers>, nullptr,
       "after barriers are split: a signal counts as a barrier"},
      {"waitForStagedLoads", inFunctions<waitForStaged>, nullptr,
       "one wait for all loads of global memory that are stored to LDS"},
      {"waitBeforeBarriers", inFunctions<waitAtBarriers>, nullptr,
       "after orderProductLoads and splitBarriers: a barrier that has its wait gets no other"},
      {"sinkScalars", inFunctions<sinkScalarsToUses>, nullptr,
       "after barriers have their place: scalars move after the one before their use"},
      {"keepSumsInVectorRegisters", inFunctions<keepSums>, hasAccumulationRegisters,
       "says where accumulation registers are not wanted; it changes no instruction"},
      {"skipScalesOfOne", inFunctions<skipScalesOfOne>, nullptr,
       "last: it makes two blocks of one, and the steps above look at blocks with products"},
  };
  return steps;
}

//===--------------------------------------------------------------------------===//
// The code generator
//===--------------------------------------------------------------------------===//

/// CodeGenRule::createBefore of a pass that asks nothing.
template <auto create> static llvm::Pass *make(const target::Target &) { return create(); }

/// The same where all vector registers are alike. Elsewhere LLVM first moves to accumulation
/// registers what it does not keep in the others.
template <auto create> static llvm::Pass *makeForOneFile(const target::Target &target) {
  return processorOf(target).registers.accumulators ? nullptr : create();
}

static bool canCombineMoves(llvm::Module &module, const StepInput &input) {
  return mayCombineLaneMoves(module, input.machine, input.target);
}

llvm::ArrayRef<CodeGenRule> emit::amd::codeGenRules() {
  // docs/emit.md has the figures of what is left out.
  static constexpr CodeGenRule rules[] = {
      {"slsr", "", nullptr, never,
       "time quadratic in the number of similar addresses, of which unrolled tile code has "
       "hundreds"},
      {"nary-reassociate", "", nullptr, never, "as slsr"},
      {"early-cse", "nary-reassociate", nullptr, never,
       "cleans up after nary-reassociate, which is left out"},
      {"livedebugvalues", "", nullptr, never,
       "follows variables of the source through registers; modules have lines, no variables"},
      {"loop-reduce", "", nullptr, never,
       "addresses are split already: it would add a base's step to lanes' offsets, in 64 bits"},
      {"amdgpu-late-codegenprepare", "", make<createOffsetWideningPass>, nullptr,
       "the first pass for this target after those that move invariants out of loops"},
      {"early-machinelicm", "", make<createZeroAccumulatorsPass>, nullptr,
       "before zeros that products add to are moved out of loops, into registers of their own"},
      {"machine-scheduler", "", make<createSchedulerStrategyPass>, nullptr,
       "says how the scheduler treats each function"},
      {"greedy", "amdgpu-reserve-wwm-regs", makeForOneFile<createPressureSpillsPass>, nullptr,
       "the last of three runs, for vector registers: those that hold spilled scalars are known"},
      {"greedy", "", make<createEvictionBudgetPass>, nullptr,
       "limits the search of each of the three runs"},
      {"postmisched", "", make<createSchedulerPiecesPass>, nullptr,
       "cuts long blocks: this scheduler compares all pairs of their instructions"},
      {"gcn-dpp-combine", "", nullptr, canCombineMoves,
       "makes invalid instructions of some moves between lanes"},
  };
  return rules;
}
